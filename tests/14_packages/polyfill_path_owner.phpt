--TEST--
The package in pure PHP refuses root a segment of another user, who could have prepared links in it
--DESCRIPTION--
fault: root
--SKIPIF--
<?php
require __DIR__ . '/../lib/root.inc';
skip_unless_root();
?>
--FILE--
<?php
require dirname(__DIR__) . '/lib/bloom.inc';
const NOBODY = 65534;

/** Runs code with the package in a segment. */
function with_package(string $code, string $path, string $before = ''): string
{
    $file = own_file('code.php');
    file_put_contents($file, '<?php use Bloom\{Builder, DirectoryStore, Filter, LiveFilter};
        function thrown(callable $call): string { try { $call(); return "nothing"; } catch (Throwable $thrown) { return $thrown::class . ": " . $thrown->getMessage(); } }
        $blob = (new Builder(capacity: 10))->build();' . $code);
    return (string) shell_exec("$before " . PHP_BINARY . ' -n -d auto_prepend_file='
        . escapeshellarg(dirname(__DIR__, 2) . '/packages/php/tests/prepend.php') . ' -d bloom.path=' . escapeshellarg($path)
        . ' ' . escapeshellarg($file) . ' 2>&1');
}

chmod(own_file(), 0711);
$path = own_file('theirs');
mkdir($path, 0700);
chown($path, NOBODY);
echo 'their owner: ', with_package('echo thrown(fn () => Filter::load("tags", $blob)), "\n";', $path, as_nobody());

// Everything that root would open, create, chmod() or chown() there is a link to a file of root.
$victim = own_file('victim');
file_put_contents($victim, 'as it was');
chmod($victim, 0644);
$links = ['.polyfill/tags/current', '.polyfill/tags/sync', '.polyfill/tags/lock', '.polyfill/tags/syncing', '.polyfill/new/lock'];
mkdir("$path/.polyfill/new");
foreach ($links as $link) {
    @unlink("$path/$link");
    symlink($victim, "$path/$link");
}
mkdir(own_file('store'));
echo with_package('$store = new DirectoryStore(' . var_export(own_file('store'), true) . ');
    $blob->publish($store, "tags");
    foreach (["load" => fn () => Filter::load("tags", $blob), "load a new one" => fn () => Filter::load("new", $blob),
        "sync" => fn () => Filter::sync("tags", $store, 0), "create" => fn () => LiveFilter::create("new", 10),
        "find" => fn () => Filter::find("tags"), "list" => fn () => Filter::list(), "drop" => fn () => Filter::drop("tags"),
    ] as $what => $call) {
        echo "$what: ", str_replace(' . var_export($path, true) . ', "{theirs}", thrown($call)), "\n";
    }', $path);
clearstatcache();
check(file_get_contents($victim) === 'as it was' && fileowner($victim) === 0 && (fileperms($victim) & 0777) === 0644, 'the file of root is as it was');
foreach ($links as $link) {
    check(is_link("$path/$link"), "$link is as it was");
}
?>
--CLEAN--
<?php
require dirname(__DIR__) . '/lib/bloom.inc';
clean();
?>
--EXPECT--
their owner: nothing
load: Bloom\SegmentException: {theirs} (owned by user 65534; root may use it only with the extension, so run this as its owner): refused: it belongs to another user (run as that user, or use a path of your own)
load a new one: Bloom\SegmentException: {theirs} (owned by user 65534; root may use it only with the extension, so run this as its owner): refused: it belongs to another user (run as that user, or use a path of your own)
sync: Bloom\SegmentException: {theirs} (owned by user 65534; root may use it only with the extension, so run this as its owner): refused: it belongs to another user (run as that user, or use a path of your own)
create: Bloom\SegmentException: {theirs} (owned by user 65534; root may use it only with the extension, so run this as its owner): refused: it belongs to another user (run as that user, or use a path of your own)
find: Bloom\SegmentException: {theirs} (owned by user 65534; root may use it only with the extension, so run this as its owner): refused: it belongs to another user (run as that user, or use a path of your own)
list: Bloom\SegmentException: {theirs} (owned by user 65534; root may use it only with the extension, so run this as its owner): refused: it belongs to another user (run as that user, or use a path of your own)
drop: Bloom\SegmentException: {theirs} (owned by user 65534; root may use it only with the extension, so run this as its owner): refused: it belongs to another user (run as that user, or use a path of your own)
