--TEST--
The extension and the package in pure PHP publish to the same directory: the store keeps the last versions, and only one of them publishes at a time
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_clock();
?>
--INI--
bloom.path={TMP}/bloom-polyfill_publish
--FILE--
<?php
require __DIR__ . '/polyfill_publish.inc';
require __DIR__ . '/../lib/clock.inc';
use Bloom\Blob;

$clock = '';
mkdir($directory = own_file('store'));
$store = new Bloom\DirectoryStore($directory);
$command = function (string $how, int $number, int $retain, string ...$more) use ($directory, &$clock): string {
    $load = $how === 'extension' ? getenv('TEST_PHP_EXTRA_ARGS')
        : '-n -d auto_prepend_file=' . escapeshellarg(dirname(__DIR__, 2) . '/packages/php/tests/prepend.php');
    return "exec $clock " . PHP_BINARY . " $load -d bloom.path=" . escapeshellarg(own_file($how)) . ' '
        . implode(' ', array_map(escapeshellarg(...), [__DIR__ . '/polyfill_publish.inc', $directory, $number, $retain, ...$more])) . ' 2>&1';
};
$sums = array_map(fn (int $number): string => version($number)->info()->checksum, range(0, 12));
$numbers = array_flip($sums);
/** Publishes, and prints the versions in the store; those that hosts serve are in brackets. */
$publish = function (string $how, int $number, int $retain = 3) use ($command, $store, $directory, $numbers): void {
    $said = trim((string) shell_exec($command($how, $number, $retain)));
    $versions = Blob::versions($store, 'booth', verify: true);
    $found = array_map(fn ($one) => $numbers[$one->checksum], $versions);
    check(array_sum(array_column($versions, 'missingChunks')) === 0, "$how $number: all versions are complete");
    $needed = array_unique(array_merge(...array_map(fn (int $one) => chunk_keys(version($one), 'booth'), $found)));
    $files = array_filter(tree("$directory/booth:chunks"), fn (string $file): bool => strlen($file) > 32);
    check(count($files) === count($needed), "$how $number: no other chunk is there");
    check(file_get_contents("$directory/booth:publisher") === '' && !file_exists("$directory/booth:staged"), "$how $number: the lock is free");
    echo "$how: $said: ", implode(' ', array_map(fn ($one) => $one->isServed ? "[{$numbers[$one->checksum]}]" : $numbers[$one->checksum], $versions)), "\n";
};

echo "-- in turn\n";
foreach (['extension', 'package', 'extension', 'package', 'extension'] as $number => $how) {
    $publish($how, $number);
}
$publish('package', 4, 2);
$publish('package', 4);

echo "-- a filter that is pinned or rolled back\n";
Blob::rollback($store, 'booth', $sums[3]);
$publish('package', 5);
$publish('extension', 5);
Blob::pin($store, 'booth', $sums[3]);
$publish('package', 6, 2);
$publish('extension', 8, 2);
Blob::unpin($store, 'booth');
$publish('package', 9);
$publish('extension', 10);

echo "-- one at a time\n";
foreach (['extension' => 'package', 'package' => 'extension'] as $how => $other) {
    touch($file = own_file('hold'));
    $process = popen($command($how, $how === 'package' ? 12 : 11, 3, $file), 'r');
    echo "$how: ", fgets($process);
    $clock = Clock::prefix('fast', rate: 20); // the callback is told after a second that the publisher waits
    foreach ([$how, $other] as $waiting) {
        echo "$waiting: ", shell_exec($command($waiting, 10, 3));
    }
    $clock = '';
    unlink($file);
    echo "$how: ", stream_get_contents($process);
    pclose($process);
}
$publish('package', 12);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
-- in turn
extension: published: [0]
package: published: [1] 0
extension: published: [2] 1 0
package: published: [3] 2 1
extension: published: [4] 3 2
package: published: [4] 3
package: published: [4] 3
-- a filter that is pinned or rolled back
package: Bloom\BloomException: booth: publishing while it is pinned or rolled back needs the extension bloom: 4 [3]
extension: published: [5] 3 4
package: Bloom\BloomException: booth: publishing while it is pinned or rolled back needs the extension bloom: 5 [3] 4
extension: hosts do not serve this version, because booth is pinned to version dc71c22e8b23328d: unpin it: 8 5 [3]
package: published: [9] 8 5
extension: published: [10] 9 8
-- one at a time
extension: holds the lock
extension: DomainException: waits
package: DomainException: waits
extension: published
package: holds the lock
package: DomainException: waits
extension: DomainException: waits
package: published
package: published: [12] 11 10
