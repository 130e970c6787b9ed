--TEST--
build creates a blob from key files and describes it as text or as JSON
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli();
$cli->writeKeys('one', 1, 600);
$cli->writeKeys('two', 601, 1000);

$cli->show(['build', 'text.bloom', 'one', 'two', '--seed=1']);
$built = $cli->run(['build', '--format=json', '--seed=1', '--source=both', 'json.bloom', 'one', 'two']);
echo "exit $built->code\n", $built->errors;
$json = $built->json();
echo $json['output'], ' ', $json['lines'], ' ', $json['source'], "\n";

// The JSON is one line with all fields of info().
$blob = Bloom\Blob::open("$cli->files/json.bloom");
check(substr_count($built->output, "\n") === 1, 'one line');
check(array_slice($json, 2) === fields($blob->info()), 'the fields of info()');
check($json['capacity'] === 1000, 'the capacity is the number of lines');
for ($i = 1; $i <= 1000; $i++) {
    check($blob->mightContain($i), "key $i");
}
// An existing file is replaced.
$cli->run(['build', 'text.bloom', 'one', '--seed=2']);
check(Bloom\Blob::open("$cli->files/text.bloom")->info()->seed === 2, 'replaced');
echo $cli->names(), "\n";
?>
--EXPECTF--
$ bloom build text.bloom one two --seed=1
text.bloom: about 1,000 keys, 6 KiB, %s % false positives, 1,000 lines added
exit 0
exit 0
json.bloom 1000 both
json.bloom one text.bloom two
