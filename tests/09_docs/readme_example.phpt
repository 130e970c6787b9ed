--TEST--
The README's example runs as it stands
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-readme-example
--FILE--
<?php
$store = sys_get_temp_dir() . '/bloom-readme-example-store';
@mkdir($store);
file_put_contents("$store/tags.txt", "ねこ\nとり\n");
preg_match('/```php\n(.*?)```/s', file_get_contents(__DIR__ . '/../../README.md'), $found);
$code = str_replace('/var/lib/bloom', $store, $found[1], $replaced);
echo $replaced >= 2 ? "example found\n" : "no example\n";
eval('?>' . $code);
echo implode(',', $worthAsking), "\n";
?>
--CLEAN--
<?php
foreach (['bloom-readme-example', 'bloom-readme-example-store'] as $name) {
    $directory = sys_get_temp_dir() . "/$name";
    if (is_dir($directory)) {
        $files = new RecursiveIteratorIterator(
            new RecursiveDirectoryIterator($directory, FilesystemIterator::SKIP_DOTS),
            RecursiveIteratorIterator::CHILD_FIRST
        );
        foreach ($files as $file) {
            $file->isDir() ? rmdir($file) : unlink($file);
        }
        rmdir($directory);
    }
}
?>
--EXPECT--
example found
bool(true)
ねこ
