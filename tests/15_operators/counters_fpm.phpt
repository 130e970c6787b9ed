--TEST--
Workers of PHP-FPM add their lookups to the counters when each request ends
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/fpm.inc';
skip_without_fpm();
?>
--INI--
bloom.path={TMP}/bloom-counters_fpm
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/fpm.inc';

$segment = segment_path();
mkdir($segment, 0700);
give($segment, 'www-data');
$fpm = new FpmServer(['www' => 'www-data'], <<<'PHP'
    if ($action === 'make') {
        $builder = new Bloom\Builder(100);
        $builder->add('there');
        Bloom\Filter::load('tags', $builder->build());
    }
    $tags = Bloom\Filter::open('tags');
    if ($action === 'look') {
        $tags->confirm(count($tags->candidates(['there', 'absent'])), 1);
    }
    return [];
    PHP, ['www' => ['bloom.path' => $segment]]);
$fpm->ask('www', 'make');
for ($i = 0; $i < 40; $i++) {
    $fpm->ask('www', 'look');
}
// A worker answers before its request ends. Its own info() would count its lookups, too, so another process asks.
for ($i = 0; $i < 1000; $i++) {
    $answer = run('$counters = Bloom\Filter::open("tags")->info()->counters;
        echo "$counters->lookups lookups, $counters->absent absent, $counters->found of $counters->confirmed found";', [], as_user('www-data'));
    if (str_starts_with($answer, '80 ')) {
        break;
    }
    usleep(10000);
}
echo $answer, "\n";
$fpm->stop();
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
80 lookups, 40 absent, 40 of 40 found
