--TEST--
A directory store with a file .portable has the same file names on all systems, and Windows accepts them
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/twin.inc';
$package = lines_of(__DIR__ . '/polyfill_portable.inc', 'package');
$windows = lines_of(__DIR__ . '/polyfill_portable.inc', 'windows');
echo implode("\n", $package), "\n";
$extension = lines_of(__DIR__ . '/polyfill_portable.inc', 'extension');
echo $package === $extension ? 'the same with the extension' : implode("\n", array_diff($extension, $package)), "\n";
// The rules of Windows store names in lower case.
echo array_map(strtolower(...), $package) === array_map(strtolower(...), $windows) ? 'the same' : "other lines with the rules of Windows:\n" . implode("\n", array_diff($windows, $package)), "\n";
?>
--EXPECT--
TAGS none none:x
%43on
%54ags
%61ux%3Achunks/01/0123456789abcdef0123456789abcdef
%63on
%63on%3Aprevious
%6Eul.txt
a%2E
a%2E%3Ax
tags
tags%3Achunks/%41%42/%41%4223456789abcdef0123456789abcdef
tags%3Achunks/01/0123456789abcdef0123456789abcdef
tags%3Aprevious
users%3Acon
13
{"chunks":1,"chunksWritten":1,"bytesWritten":5120,"warning":null}
true
the same with the extension
the same
