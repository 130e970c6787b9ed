--TEST--
The package in pure PHP knows the absolute paths of Windows, and names files so that Windows accepts them
--FILE--
<?php
require dirname(__DIR__, 2) . '/packages/php/src/Internal/System.php';
use Bloom\Internal\System;

foreach (['/x', '\x', 'C:/x', 'c:\x', 'C:x', 'C:', '\\\\host\share', '//host/share', 'x', 'é:\x', 'CC:\x'] as $path) {
    echo str_pad($path, 14), System::isAbsolute($path, false) ? 'absolute ' : 'relative ',
        System::isAbsolute($path, true) ? 'absolute' : 'relative', " on Windows\n";
}

foreach (['users', 'Tags', 'a.b.', 'a..', 'con', 'CON', 'nul.txt', 'Nul.txt', 'com1', 'lpt0.x.', 'com10', 'console', 'con-x', 'x.con', '_-0'] as $name) {
    $file = System::fileName($name);
    echo $name, $file === $name ? '' : " is the file $file", rawurldecode($file) === $name ? '' : ' CANNOT BE DECODED', "\n";
}
?>
--EXPECT--
/x            absolute relative on Windows
\x            relative relative on Windows
C:/x          relative absolute on Windows
c:\x          relative absolute on Windows
C:x           relative relative on Windows
C:            relative relative on Windows
\\host\share  relative absolute on Windows
//host/share  absolute absolute on Windows
x             relative relative on Windows
é:\x         relative relative on Windows
CC:\x         relative relative on Windows
users
Tags is the file %54ags
a.b. is the file a.b%2E
a.. is the file a.%2E
con is the file %63on
CON is the file %43%4F%4E
nul.txt is the file %6Eul.txt
Nul.txt is the file %4Eul.txt
com1 is the file %63om1
lpt0.x. is the file %6Cpt0.x%2E
com10
console
con-x
x.con
_-0
