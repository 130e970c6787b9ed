--TEST--
After the response, one worker on the host fetches the published version, and then all workers answer from it
--DESCRIPTION--
fault: fpm-restart
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/fpm.inc';
skip_without_fpm();
?>
--INI--
bloom.path={TMP}/bloom-fpm_sync_after_response
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/fpm.inc';
use Bloom\DirectoryStore;

$segment = segment_path();
mkdir($segment, 0700);
give($segment, 'www-data');
$directory = own_file('store');
mkdir($directory, 0755);
$store = new DirectoryStore($directory);
$fpm = new FpmServer(['www' => 'www-data'], <<<'PHP'
    register_shutdown_function(function () use ($action) {
        fastcgi_finish_request();
        try {
            if (Bloom\Filter::sync('booth', new Bloom\DirectoryStore($action), ttl: 0) === Bloom\SyncResult::Switched) {
                error_log('switched');
            }
        } catch (Throwable $error) {
            error_log($error::class);
        }
    });
    $filter = Bloom\Filter::find('booth');
    return ['has' => $filter ? $filter->candidates([$body]) : 'not loaded', 'loads' => $filter ? $filter->info()->loads : 0];
    PHP, ['www' => ['bloom.path' => $segment, 'error_log' => own_file('fpm') . '/php.log']]);
touch(own_file('fpm') . '/php.log');
chmod(own_file('fpm') . '/php.log', 0666);

foreach (['first', 'second'] as $time => $name) {
    blob_of([$name], builtAt: 1_700_000_000 + $time)->publish($store, 'booth');
    for ($i = 0; $i < 2000; $i++) {
        $answers = $fpm->ask_each('www', $directory, $name);
        if (array_unique(array_column($answers, 'loads')) === [$time + 1]) {
            break;
        }
    }
    echo "$name: ", values($answers, 'has'), ', loads: ', values($answers, 'loads'), "\n";
}
$fpm->stop();
echo substr_count(file_get_contents(own_file('fpm') . '/php.log'), 'switched'), " switches\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
first: 4 workers: ["first"], loads: 4 workers: 1
second: 4 workers: ["second"], loads: 4 workers: 2
2 switches
