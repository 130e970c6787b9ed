--TEST--
The nightly job in docs/operations.md publishes all rows, or none if the database fails while it is read
--DESCRIPTION--
fault: night-fails
--EXTENSIONS--
bloom
pdo
pdo_sqlite
--INI--
bloom.path={TMP}/bloom-operations_nightly
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

use Bloom\{Blob, DirectoryStore};

spl_autoload_register(function (string $class): void {
    require dirname(__DIR__, 2) . '/packages/kit/src/' . basename(strtr($class, '\\', '/')) . '.php';
});
preg_match('/^## Nightly job\n(.*?)^## /ms', file_get_contents(__DIR__ . '/../../docs/operations.md'), $section);
preg_match_all('/^```php\n(.*?)^```$/ms', $section[1], $blocks);
check(count($blocks[1]) === 2, 'an example for MySQL, and one for PostgreSQL');

mkdir(own_file('store'));
$store = new DirectoryStore(own_file('store'));
$file = own_file('rows.db');
(new PDO("sqlite:$file"))->exec("CREATE TABLE tags (name TEXT); WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
    INSERT INTO tags SELECT 'tag ' || i FROM n");
/** Runs the example for MySQL with SQLite. */
$run = function (string $query) use ($blocks, $store, $file): string {
    $code = strtr($blocks[1][0], [
        'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY' => 'BEGIN',
        'SELECT name FROM tags' => $query,
        'settle: 60.0' => 'settle: 0.0',
    ]);
    $code = preg_replace("/'mysql:.*?\\]\\)/s", var_export("sqlite:$file", true) . ')', $code, -1, $count);
    check($count === 1 && !str_contains($code, 'MYSQL'), $code);
    ob_start();
    try {
        eval($code);
    } catch (PDOException $exception) {
        echo get_class($exception), "\n";
    }
    return ob_get_clean();
};
echo $run('SELECT name FROM tags');
$info = Blob::fetch($store, 'tags')->info();
check(abs($info->keys - 3000) < 30 && $info->capacity > 3700, json_encode($info));
// The 2,000th row fails.
echo $run("SELECT CASE WHEN rowid = 2000 THEN abs(-9223372036854775807 - 1) ELSE name END FROM tags");
check(Blob::fetch($store, 'tags')->info()->checksum === $info->checksum, 'nothing is published');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECTF--
tags: published about %d,%d keys in %d,%d bytes, sized for %d,%d, %f % false positives, no journal, 1 of 1 chunks written
PDOException
