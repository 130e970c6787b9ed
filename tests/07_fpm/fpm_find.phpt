--TEST--
The first open() or find() of a request sees a segment that was removed and created again, however short ago the last request was
--DESCRIPTION--
fault: segment-recreated
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/fpm.inc';
skip_without_fpm();
?>
--INI--
bloom.path={TMP}/bloom-fpm_find
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/fpm.inc';

mkdir(own_file('segment'), 0700);
give(own_file('segment'), 'www-data');
chmod(own_file(), 0755);
$settings = ['bloom.path' => own_file('segment'), 'pm.max_children' => '1'];
$fpm = new FpmServer(['pages' => 'www-data', 'jobs' => 'www-data'], <<<'PHP'
    if ($action === 'load') {
        $builder = new Bloom\Builder(100, seed: 1);
        $builder->add($body);
        Bloom\Filter::load('pages', $builder->build());
    }
    $found = [];
    for ($i = 0; $i < 3; $i++) {
        $found[] = Bloom\Filter::find('pages')?->candidates(range(0, 20));
    }
    return ['same' => $found[0] === $found[1] && $found[1] === $found[2], 'found' => array_values($found[0] ?? [])];
    PHP, ['pages' => $settings, 'jobs' => $settings]);
for ($i = 0; $i < 20; $i++) {
    check(in_array($i, $fpm->ask('jobs', 'load', "$i")['found'], true), "filter $i is loaded");
    $answer = $fpm->ask('pages');
    check($answer['same'] && in_array($i, $answer['found'], true), "the next request of the other worker finds filter $i: " . json_encode($answer));
    array_map(remove_tree(...), glob(own_file('segment') . '/*'));
    check($fpm->ask('pages')['found'] === [], "the request after that finds no filter");
}
$fpm->stop();
echo 'done';
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
done
