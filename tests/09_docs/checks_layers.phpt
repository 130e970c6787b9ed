--TEST--
scripts/layers reports an include from a later folder, files that need each other in a circle, an include that names no folder, a PHP header in the core, and code for one compiler
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-checks_layers
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

$root = dirname(__DIR__, 2);
$tree = own_file('tree');
mkdir("$tree/scripts", 0700, true);
shell_exec("cp -R $root/src $root/bloom.c $root/php_bloom.h $tree && cp $root/scripts/layers $tree/scripts");

/** Runs the check after inserting a line at the start of some files. */
$plant = function (array $lines) use ($tree): void {
    $before = [];
    foreach ($lines as $file => $line) {
        $before[$file] = file_get_contents("$tree/$file");
        file_put_contents("$tree/$file", "$line\n$before[$file]");
    }
    exec("bash $tree/scripts/layers 2>&1", $output, $status);
    // The inserted lines have the number 1. All other line numbers depend on the files, so they are replaced.
    echo "$status:\n", preg_replace('/\.h:(?!1:)\d+:/', '.h:N:', implode("\n", $output)), "\n";
    foreach ($before as $file => $content) {
        file_put_contents("$tree/$file", $content);
    }
};

$plant([]);
$plant(['src/filter/status.c' => '#include "segment/filter_dir.h"']);
$plant(['src/os/clock.h' => '#  include <build/lines.h>']);
$plant(['src/php/store/store.c' => '#include "php_bloom.h"']);
$plant(['src/filter/status.h' => '#include "filter/secret.h"']);
$plant(['src/php/store/client.c' => '#include "php/report/info.h"']);
$plant(['src/filter/rate.c' => '#include "filter/sizing.h"', 'src/filter/sizing.c' => '#include "filter/rate.h"']);
$plant(['src/filter/digest.c' => '#include "secret.h"']);
$plant(['src/filter/digest.c' => '#include "../os/clock.h"']);
$plant(['src/segment/filter_dir.h' => '#include <php.h>', 'src/os/clock.h' => '#include "Zend/zend_API.h"']);
$plant(['src/php/store/store.c' => '__attribute__((noinline)) static int own(void);', 'bloom.c' => '#pragma once']);
$plant(['src/os/clock.h' => '#if defined(_MSC_VER)', 'src/kinds/live.c' => 'static __declspec(thread) int own;']);
$plant(['src/filter/atomic.h' => '#pragma once', 'src/filter/compiler.h' => '#if __GNUC__ > 4']);
mkdir("$tree/src/more");
touch("$tree/src/more/more.c");
$plant(['src/more/more.c' => '#include "filter/status.h"']);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
0:

1:
src/filter/status.c:1: src/filter must not include src/segment/filter_dir.h: the order is filter os build segment kinds php php/store php/filter php/protocol php/report, bloom.c and php_bloom.h
1:
src/os/clock.h:1: src/os must not include src/build/lines.h: the order is filter os build segment kinds php php/store php/filter php/protocol php/report, bloom.c and php_bloom.h
1:
src/php/store/store.c:1: src/php/store must not include php_bloom.h: the order is filter os build segment kinds php php/store php/filter php/protocol php/report, bloom.c and php_bloom.h
1:
files need each other in a circle:
src/filter/status.h:1: needs src/filter/secret
src/filter/secret.h:N: needs src/filter/status
1:
src/php/store/client.c:1: src/php/store must not include src/php/report/info.h: the order is filter os build segment kinds php php/store php/filter php/protocol php/report, bloom.c and php_bloom.h
1:
files need each other in a circle:
src/filter/rate.c:1: needs src/filter/sizing
src/filter/sizing.c:1: needs src/filter/rate
1:
src/filter/digest.c:1: an include in quotes must have the form "folder/file.h": "secret.h"
1:
src/filter/digest.c:1: an include in quotes must have the form "folder/file.h": "../os/clock.h"
1:
src/os/clock.h:1: src/os must not include headers of PHP: Zend/zend_API.h
src/segment/filter_dir.h:1: src/segment must not include headers of PHP: php.h
1:
src/php/store/store.c:1: only filter/compiler.h and filter/atomic.h may contain code for one compiler: __attribute__((noinline)) static int own(void);
bloom.c:1: only filter/compiler.h and filter/atomic.h may contain code for one compiler: #pragma once
1:
src/kinds/live.c:1: only filter/compiler.h and filter/atomic.h may contain code for one compiler: static __declspec(thread) int own;
src/os/clock.h:1: only filter/compiler.h and filter/atomic.h may contain code for one compiler: #if defined(_MSC_VER)
0:

1:
src/more/more.c: scripts/layers does not know the folder src/more, only: filter os build segment kinds php php/store php/filter php/protocol php/report
