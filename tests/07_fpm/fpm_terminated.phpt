--TEST--
Workers that are terminated during a load harm no other worker, and the next load succeeds
--DESCRIPTION--
fault: time-limit
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/fpm.inc';
skip_without_fpm();
?>
--INI--
bloom.path={TMP}/bloom-fpm_terminated
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/fpm.inc';

$segment = segment_path();
mkdir($segment, 0700);
give($segment, 'www-data');
$fpm = new FpmServer(['www' => 'www-data'], <<<'PHP'
    if ($action === 'lookup') {
        $booth = Bloom\Filter::open('booth');
        return ['has' => $booth->mightContain('old') . $booth->mightContain('new')];
    }
    $builder = new Bloom\Builder(10);
    $builder->add($body);
    $blob = $builder->build();
    if ($action === 'hang') {
        Bloom\Filter::load('booth', $blob, function () { file_put_contents($_SERVER['PWD_OF_TEST'] . '/staged', getmypid() . "\n"); sleep(600); });
    }
    Bloom\Filter::load('booth', $blob);
    return ['has' => 'loaded'];
    PHP, ['www' => ['bloom.path' => $segment]]);
chmod(own_file(), 0777);
$fpm->ask('www', 'load', 'old');
foreach (['KILL', 'TERM'] as $signal) {
    $asked = new Child('
        require ' . var_export(__DIR__ . '/../lib/fpm.inc', true) . ';
        $request = ["action" => "hang", "body" => "new", "parameters" => ["PWD_OF_TEST" => own_file()]];
        (new FastCgiClient($argv[1], $argv[2], 1))->send([$request], fn () => null);
    ', [], [own_file('fpm/www.sock'), own_file('fpm/page.php')]);
    for ($i = 0; !str_ends_with($worker = (string) @file_get_contents(own_file('staged')), "\n") && $i < 6000; $i++) {
        usleep(10000);
    }
    check(count(preg_grep('/tmp$/', tree($segment))) === 1, "$signal: staged");
    usleep(1000);
    $fpm->signal_worker((int) $worker, $signal);
    $asked->end();
    unlink(own_file('staged'));
    echo "$signal: ", values($fpm->ask_each('www', 'lookup'), 'has'), ', then ', $fpm->ask('www', 'load', 'old')['has'], "\n";
    check(count(tree($segment)) === 3, "$signal: no other file is left: " . implode(' ', tree($segment)));
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
KILL: 4 workers: "1", then loaded
TERM: 4 workers: "1", then loaded
