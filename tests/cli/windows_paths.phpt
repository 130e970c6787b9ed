--TEST--
The command line recognizes the paths of Windows
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/cli.inc';
spl_autoload_register(static fn (string $class) => require dirname(__DIR__, 2) . (str_starts_with($class, 'Bloom\Kit') ? '/packages/kit/src/' : '/packages/cli/src/')
    . basename(strtr($class, '\\', '/')) . '.php');
use Bloom\Kit\Paths;
use Bloom\Cli\{InputFile, LineKeys, Names, SnapshotPlace, StoreNames, StoreUrl, System};

function shown(callable $call): string
{
    try {
        return $call();
    } catch (Bloom\Cli\Failure $failure) {
        return $failure->getMessage();
    }
}

$texts = ['C:\data', 'c:/data', 'c:data', 'dir:C:\data', '\\\\server\share', 'data', 'file:///C:/data%20x', 'file:///c:/', 'file:///data',
    'file://server/share/x', 'file:data', 'file://server', 'a:b', 'ab:c', 'memcached://host'];
foreach ($texts as $text) {
    $on = array_map(static fn (bool $isWindows): string => shown(fn () => StoreUrl::parse($text, $isWindows)->shown), [false, true]);
    echo "$text\n", $on[0] === $on[1] ? "  both: $on[0]\n" : "  elsewhere: $on[0]\n  Windows:   $on[1]\n";
}

echo "\nsnapshots\n";
foreach (['C:\data\\', 'C:\\', 'c:/one.snapshot', 'dir:C:/data/', 'file:///C:/data/', 'dir:/data/', 'dir:/'] as $text) {
    foreach ([false, true] as $isWindows) {
        echo $text, $isWindows ? ' on Windows: ' : ': ', shown(fn () => SnapshotPlace::parse($text, 1.0, $isWindows)->describe('Tags')), "\n";
    }
}
echo shown(function (): string {
    SnapshotPlace::parse('c:/one.snapshot', 1.0, true)->checkHolds(2);
    return 'A FILE HOLDS TWO SNAPSHOTS';
}), "\n";
$cli = new Cli();
foreach (['%4Fne', 'Two', 'tags'] as $file) {
    touch("$cli->files/$file.snapshot");
}
foreach ([false, true] as $isWindows) {
    echo implode(' ', SnapshotPlace::parse($cli->files, 1.0, $isWindows)->names()), "\n";
}

echo "\nnames in a store\n";
mkdir("$cli->directory/store");
foreach (['tags', '%4Fne', '%63on', 'aux', 'b%2E', '%74hree', 'tags%3Aprevious', 'Two', 'a.'] as $file) {
    touch("$cli->directory/store/$file");
}
foreach ([false, true] as $isWindows) {
    echo implode(' ', StoreNames::ofDirectory("$cli->directory/store", $isWindows)), "\n";
}
touch("$cli->directory/store/.portable");
echo implode(' ', StoreNames::ofDirectory("$cli->directory/store")), "\n";

echo "\nother paths\n";
foreach (['nul', 'NUL.bloom', 'C:\x\con', 'c:/com1.x', 'C:aux', 'null', 'x.con', 'con\x', 'com10'] as $path) {
    echo $path, System::isDevice($path, true) ? ' is a device' : '', System::isDevice($path, false) ? ' ON ALL SYSTEMS' : '', "\n";
}
echo json_encode([InputFile::hasUnknownWrapper('C://x'), InputFile::hasUnknownWrapper('CC://x')]), "\n";
echo json_encode([Paths::debianFile(__FILE__, false) === __FILE__, Paths::debianFile(__FILE__, true)]), "\n";
echo json_encode(array_map(static fn (string $warning): array => [System::isTransient($warning, true), System::isTransient($warning, false)],
    ['rename(a,b): Access is denied (code: 5)', 'rename(a,b): x (code: 32)', 'unlink(a): Permission denied', 'rename(a,b): x (code: 2)'])), "\n";
foreach (['C:\seg\tags: damaged', 'C:/seg/tags: damaged', 'C:\seg\other: damaged'] as $message) {
    echo Names::reason('tags', new Exception($message)), "\n";
}

// Journals get the keys that builds get, even from the last line of a file that ends within CR LF.
$lines = (new ReflectionClass(LineKeys::class))->newInstanceWithoutConstructor();
(new ReflectionMethod($lines, '__construct'))->invoke($lines, null, "\t", false);
foreach (["a\r\n" => 'a', "a\n" => 'a', "a\r" => 'a', "a\r\r\n" => "a\r", 'a' => 'a', "\r\n" => ''] as $line => $key) {
    // KeyFiles gives it lines without their last LF.
    check($lines->in(str_ends_with($line, "\n") ? substr($line, 0, -1) : $line, 'file', 0) === [$key], json_encode($line));
}

// The package in pure PHP uses the same names.
require dirname(__DIR__, 2) . '/packages/php/src/Internal/System.php';
foreach (['users', 'Tags', 'a.b.', 'a..', 'con', 'CON', 'nul.txt', 'Nul.txt', 'com1', 'com10', 'con-x', 'Con.', 'x.con'] as $name) {
    check(System::portableName($name) === Bloom\Internal\System::fileName($name), $name);
    check(System::nameOfPortable(System::portableName($name)) === $name, "$name is decoded");
}

// What commands print is ASCII, because the code page of a console on Windows may have nothing else. Completion.php writes scripts.
foreach (array_diff(glob(dirname(__DIR__, 2) . '/packages/cli/src/*.php'), [dirname(__DIR__, 2) . '/packages/cli/src/Completion.php']) as $file) {
    check(!preg_match('/.*[^\x00-\x7f].*/', php_strip_whitespace($file), $found), basename($file) . ': ' . substr($found[0] ?? '', 0, 100));
}
?>
--EXPECT--
C:\data
  both: C:\data
c:/data
  elsewhere: STORE: "c:" is not one of dir:, file:, redis:, rediss:, unix:, redis-cluster:, memcached: (write dir:PATH for a directory with a colon in its name)
  Windows:   c:/data
c:data
  elsewhere: STORE: "c:" is not one of dir:, file:, redis:, rediss:, unix:, redis-cluster:, memcached: (write dir:PATH for a directory with a colon in its name)
  Windows:   c:data
dir:C:\data
  both: C:\data
\\server\share
  both: \\server\share
data
  both: data
file:///C:/data%20x
  elsewhere: /C:/data x
  Windows:   C:/data x
file:///c:/
  elsewhere: /c:/
  Windows:   c:/
file:///data
  both: /data
file://server/share/x
  elsewhere: STORE: a file URL has the form file:///path
  Windows:   //server/share/x
file:data
  elsewhere: STORE: a file URL has the form file:///path
  Windows:   STORE: a file URL has the form file:///C:/path
file://server
  elsewhere: STORE: a file URL has the form file:///path
  Windows:   STORE: a file URL has the form file:///C:/path
a:b
  elsewhere: STORE: "a:" is not one of dir:, file:, redis:, rediss:, unix:, redis-cluster:, memcached: (write dir:PATH for a directory with a colon in its name)
  Windows:   a:b
ab:c
  both: STORE: "ab:" is not one of dir:, file:, redis:, rediss:, unix:, redis-cluster:, memcached: (write dir:PATH for a directory with a colon in its name)
memcached://host
  both: memcached://host

snapshots
C:\data\: C:\data\
C:\data\ on Windows: C:\data/%54ags.snapshot
C:\: C:\
C:\ on Windows: C:\%54ags.snapshot
c:/one.snapshot: STORE: "c:" is not one of dir:, file:, redis:, rediss:, unix:, redis-cluster:, memcached: (write dir:PATH for a directory with a colon in its name)
c:/one.snapshot on Windows: c:/one.snapshot
dir:C:/data/: C:/data/Tags.snapshot
dir:C:/data/ on Windows: C:/data/%54ags.snapshot
file:///C:/data/: /C:/data/Tags.snapshot
file:///C:/data/ on Windows: C:/data/%54ags.snapshot
dir:/data/: /data/Tags.snapshot
dir:/data/ on Windows: /data/%54ags.snapshot
dir:/: /Tags.snapshot
dir:/ on Windows: /%54ags.snapshot
PLACE c:/one.snapshot: is not a directory, so it can contain only one snapshot: give a directory for several
Two tags
One tags

names in a store
Two a. aux tags
One b. con tags
One b. con tags

other paths
nul is a device
NUL.bloom is a device
C:\x\con is a device
c:/com1.x is a device
C:aux is a device
null
x.con
con\x
com10
[false,true]
[true,null]
[[true,false],[true,false],[true,false],[false,false]]
C:\seg\tags: damaged
C:/seg/tags: damaged
tags: C:\seg\other: damaged
