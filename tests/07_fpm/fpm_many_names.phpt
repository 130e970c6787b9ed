--TEST--
A worker that creates and drops a filter with a new name in each request keeps none of them
--DESCRIPTION--
fault: days-of-handles
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/fpm.inc';
skip_without_fpm();
?>
--INI--
bloom.path={TMP}/bloom-fpm_many_names
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/fpm.inc';

$segment = segment_path();
mkdir($segment, 0700);
give($segment, 'www-data');
$fpm = new FpmServer(['www' => 'www-data'], <<<'PHP'
    if ($action === 'held') {
        $maps = preg_grep('~/bloom-fpm_many_names/~', file('/proc/self/maps'));
        return ['held' => [count($maps), count(preg_grep('/\(deleted\)/', $maps))]];
    }
    $name = uniqid('n', true);
    $filter = Bloom\LiveFilter::create($name, 1000);
    $filter->add('a');
    if ($action === 'drop') {
        Bloom\Filter::drop($name);
    }
    return ['has' => $action === 'drop' || $filter->mightContain('a')];
    PHP, ['www' => ['bloom.path' => $segment]]);
for ($i = 0; $i < 800; $i++) {
    check(($fpm->ask('www', 'drop')['has'] ?? null) === true, "request $i");
}
foreach ($fpm->ask_each('www', 'held') as $answer) {
    check($answer['held'] === [0, 0], 'after drops: ' . json_encode($answer));
}
// A worker keeps 128 unused names mapped. Each has two mappings: the control page and the filter.
for ($i = 0; $i < 800; $i++) {
    check(($fpm->ask('www', 'keep')['has'] ?? null) === true, "request $i");
}
foreach ($fpm->ask_each('www', 'held') as $answer) {
    check($answer['held'][0] <= 2 * 128 && $answer['held'][1] === 0, 'without drops: ' . json_encode($answer));
}
echo 'done';
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
done
