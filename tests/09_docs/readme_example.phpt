--TEST--
The README's example runs as it stands
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-readme_example
--FILE--
<?php
require __DIR__ . '/../bloom.inc';

$directory = own_file();
file_put_contents("$directory/tags.txt", "ねこ\nとり\n");
preg_match('/```php\n(.*?)```/s', file_get_contents(__DIR__ . '/../../README.md'), $found);
$code = str_replace('/var/lib/bloom', $directory, $found[1], $replaced);
echo $replaced >= 2 ? "example found\n" : "no example\n";
eval('?>' . $code);
echo implode(',', $worthAsking), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
example found
bool(true)
ねこ
