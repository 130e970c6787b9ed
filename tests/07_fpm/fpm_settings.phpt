--TEST--
FastCGI parameters cannot move the segment after a worker has used it
--DESCRIPTION--
fault: setting-ignored, setting-invalid
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/fpm.inc';
skip_without_fpm();
?>
--INI--
bloom.path={TMP}/bloom-fpm_settings
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/fpm.inc';

$segment = segment_path();
mkdir($segment, 0700);
give($segment, 'www-data');
$other = own_file('other');
mkdir($other, 0700);
give($other, 'www-data');
$fpm = new FpmServer(['www' => 'www-data'], <<<'PHP'
    if ($action === 'load') {
        $builder = new Bloom\Builder(10);
        $builder->add('a');
        Bloom\Filter::load('booth', $builder->build());
    }
    return ['segment' => Bloom\Filter::open('booth')->info()->segment, 'has' => Bloom\Filter::open('booth')->mightContain('a')];
    PHP, ['www' => ['bloom.path' => $segment]]);
$fpm->ask('www', 'load');
$fpm->ask_each('www');
$shown = [];
foreach (['PHP_VALUE', 'PHP_ADMIN_VALUE'] as $parameter) {
    for ($i = 0; $i < 40; $i++) {
        $answer = $fpm->ask('www', $i % 10 ? '' : 'load', parameters: [$parameter => "bloom.path=$other\nbloom.memory_limit=1"]);
        unset($answer['pid']);
        $shown[str_replace([$segment, '\/'], ['{segment}', '/'], json_encode($answer, JSON_UNESCAPED_SLASHES))] = true;
    }
}
echo implode("\n", array_keys($shown)), "\n";
echo str_replace($segment, '{segment}', stripslashes(values($fpm->ask_each('www'), 'segment'))), "\n";
check(tree($other) === [], 'no file was created in the other segment');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
{"segment":"{segment}","has":true}
4 workers: "{segment}"
