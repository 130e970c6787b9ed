--TEST--
addFile() reports progress about every 4 MiB and at the end, and stops when the callback throws
--DESCRIPTION--
fault: callback-throws
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

$file = own_file('keys');
$line = str_repeat('k', 63);
$out = fopen($file, 'w');
for ($i = 0; $i < 160; $i++) {
    fwrite($out, str_repeat("$line\n", 999) . sprintf("%063d\n", $i));
}
fclose($out);

$reports = [];
$builder = new Bloom\Builder(1000, seed: 7);
var_dump($builder->addFile($file, function (int $bytes, int $keys) use (&$reports) {
    $reports[] = [$bytes, $keys];
}));
var_dump(count($reports), end($reports), filesize($file));
foreach ($reports as $i => [$bytes, $keys]) {
    check($i === 0 || $bytes >= $reports[$i - 1][0], 'bytes rise');
    check(abs($bytes / 64 - $keys) <= 1, 'keys are those read so far');
}

echo thrown(fn () => $builder->addFile($file, fn () => throw new RuntimeException('stop'))), "\n";
echo thrown(fn () => $builder->addFile($file, 'no_such_function')), "\n";
var_dump($builder->addFile(progress: null, file: $file));

// A callback that calls exit(): the process shuts down normally in the middle of the read.
echo run('register_shutdown_function(function () { echo "shutdown\n"; });
    (new Bloom\Builder(1000))->addFile(' . var_export($file, true) . ', function () { exit("left\n"); });'), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
int(160000)
int(3)
array(2) {
  [0]=>
  int(10240000)
  [1]=>
  int(160000)
}
int(10240000)
RuntimeException: stop
TypeError: Bloom\Builder::addFile(): Argument #2 ($progress) must be a valid callback or null, function "no_such_function" not found or invalid function name
int(160000)
left
shutdown
