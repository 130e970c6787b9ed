--TEST--
The package in pure PHP knows the paths of Windows, and names files so that Windows accepts them
--FILE--
<?php
require dirname(__DIR__, 2) . '/packages/php/src/Internal/System.php';
use Bloom\Internal\System;

foreach (['/x', '\x', 'C:/x', 'c:\x', 'C:x', 'C:', '\\\\host\share', '//host/share', 'x', 'é:\x', 'CC:\x'] as $path) {
    echo str_pad($path, 14), System::isAbsolute($path, false) ? 'absolute ' : 'relative ',
        System::isAbsolute($path, true) ? 'absolute' : 'relative', ' on Windows: ', System::absolute($path, 'C:\site', true), ' ',
        System::absolute($path, '\\\\host\share\site', true), "\n";
}
echo System::absolute('C:\x', '/site', false), ' ', System::absolute('x', 'C:\\', true), "\n";

foreach (['users', 'Tags', 'a.b.', 'a..', 'con', 'CON', 'nul.txt', 'Nul.txt', 'com1', 'lpt0.x.', 'com10', 'console', 'con-x', 'x.con', '_-0'] as $name) {
    $file = System::fileName($name);
    echo $name, $file === $name ? '' : " is the file $file", rawurldecode($file) === $name ? '' : ' CANNOT BE DECODED', "\n";
}

foreach (['rename(a,b): Access is denied (code: 5)', 'rename(a,b): Zugriff verweigert (code: 32)', 'unlink(a): Permission denied',
    'rename(a,b): The system cannot find the file specified (code: 2)', 'rename(a,b): x (code: 53)', 'fopen(a): No such file or directory', ''] as $warning) {
    echo json_encode([System::isTransient($warning, true), System::isTransient($warning, false)]), " $warning\n";
}
?>
--EXPECT--
/x            absolute relative on Windows: C:/x \\host\share/x
\x            relative relative on Windows: C:\x \\host\share\x
C:/x          relative absolute on Windows: C:/x C:/x
c:\x          relative absolute on Windows: c:\x c:\x
C:x           relative relative on Windows: C:\site\x C:\x
C:            relative relative on Windows: C:\site\ C:\
\\host\share  relative absolute on Windows: \\host\share \\host\share
//host/share  absolute absolute on Windows: //host/share //host/share
x             relative relative on Windows: C:\site\x \\host\share\site\x
é:\x         relative relative on Windows: C:\site\é:\x \\host\share\site\é:\x
CC:\x         relative relative on Windows: C:\site\CC:\x \\host\share\site\CC:\x
/site/C:\x C:\x
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
[true,false] rename(a,b): Access is denied (code: 5)
[true,false] rename(a,b): Zugriff verweigert (code: 32)
[true,false] unlink(a): Permission denied
[false,false] rename(a,b): The system cannot find the file specified (code: 2)
[false,false] rename(a,b): x (code: 53)
[false,false] fopen(a): No such file or directory
[false,false]
