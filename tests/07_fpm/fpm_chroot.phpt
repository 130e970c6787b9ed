--TEST--
Workers of a chrooted pool use the segment at its path there, and share it with processes outside
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/fpm.inc';
skip_without_fpm();
if (getenv('BLOOM_TEST_SANITIZE')) {
    echo 'skip the sanitizers need /proc';
}
?>
--INI--
bloom.path={TMP}/bloom-fpm_chroot
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/fpm.inc';

// Outside, the path is that of the test's segment. In the chroot it is "/segment", without /proc and /dev.
$root = own_file('fpm');
$fpm = new FpmServer(['www' => 'www-data'], <<<'PHP'
    $names = fn () => (function () { $names = Bloom\Filter::list(); sort($names); return implode(' ', $names); })();
    if ($action === 'make') {
        $live = Bloom\LiveFilter::create('live', 1000);
        $live->add('there');
        $builder = new Bloom\Builder(100);
        $builder->add('loaded');
        Bloom\Filter::load('loaded', $builder->build());
        return ['names' => $names()];
    }
    return ['names' => $names(), 'path' => Bloom\Filter::open('live')->info()->segment, 'has' => Bloom\Filter::open('live')->mightContain($action)
        && Bloom\Filter::open('loaded')->mightContain('loaded'), 'root' => is_dir('/proc') ? 'the usual one' : 'another'];
    PHP, ['www' => ['bloom.path' => '/segment', 'chroot' => $root]]);
mkdir("$root/segment", 0700);
give("$root/segment", 'www-data');
$page = ['SCRIPT_FILENAME' => '/page.php'];
$ask = fn (string $action) => json_encode(array_diff_key($fpm->ask('www', $action, parameters: $page), ['pid' => 0]), JSON_UNESCAPED_SLASHES);
echo $ask('make'), "\n";
echo $ask('there'), "\n";
chmod(dirname($root), 0755);
echo run('$live = Bloom\Filter::open("live"); var_dump($live->mightContain("there")); $live->add("outside");', ['bloom.path' => "$root/segment"], as_user('www-data')), "\n";
echo $ask('outside'), "\n";
$fpm->stop();
echo implode(' ', tree("$root/segment")), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
{"names":"live loaded"}
{"names":"live loaded","path":"/segment","has":true,"root":"another"}
bool(true)
{"names":"live loaded","path":"/segment","has":true,"root":"another"}
live live/0000000000000001.bloom live/control loaded loaded/0000000000000001.bloom loaded/control
