--TEST--
The HTML has an anchor for every public method of the stub, and each relative link in it leads to a file and an anchor
--SKIPIF--
<?php
if (!is_file('/usr/share/php/League/CommonMark/autoload.php')) {
    die('skip needs php-league-commonmark');
}
?>
--FILE--
<?php
$root = dirname(__DIR__, 2);
$parent = sys_get_temp_dir() . '/bloom-reference_html';
exec('rm -rf ' . escapeshellarg($parent) . ' && mkdir ' . escapeshellarg($parent));
symlink("$root/examples", "$parent/examples");
exec(escapeshellarg("$root/scripts/reference") . ' --html ' . escapeshellarg("$parent/html") . ' --examples ../examples 2>&1', $output, $status);
echo implode("\n", $output), $status === 0 ? '' : "exit status $status\n";

$files = [];
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator("$parent/html", FilesystemIterator::SKIP_DOTS)) as $file) {
    $files[realpath($file->getPathname())] = file_get_contents($file->getPathname());
}
$pages = array_filter($files, fn (string $file): bool => str_ends_with($file, '.html'), ARRAY_FILTER_USE_KEY);
$ids = array_map(fn (string $html): array => preg_match_all('/\bid="([^"]*)"/', $html, $found) ? $found[1] : [], $pages);
$links = 0;
foreach ($pages as $page => $html) {
    $name = substr($page, strlen(realpath($parent)) + 1);
    foreach (array_diff_assoc($ids[$page], array_unique($ids[$page])) as $twice) {
        echo "$name: two elements have the id $twice\n";
    }
    preg_match_all('/\b(?:href|src|srcset)="([^"]*)"/', $html, $found);
    foreach (array_map(html_entity_decode(...), array_unique($found[1])) as $link) {
        if (preg_match('~^(https?|mailto):~', $link)) {
            continue;
        }
        $links++;
        [$path, $anchor] = explode('#', $link, 2) + [1 => null];
        $target = realpath($path === '' ? $page : dirname($page) . "/$path");
        if ($target === false) {
            echo "$name: no file for $link\n";
        } elseif ($anchor !== null && !in_array($anchor, $ids[$target] ?? [], true)) {
            echo "$name: no anchor for $link\n";
        }
    }
    // A reader without a network sees the whole page.
    echo preg_match('~<(script|iframe|object)\b|(src|srcset)="[a-z]+:|url\(~', $html) ? "$name loads something\n" : '';
}
echo $links > 1000 ? "links\n" : "$links links\n";

// The stub's own text says which methods there are.
$api = realpath("$parent/html/api.html");
$methods = 0;
$class = '';
foreach (file("$root/stubs/bloom.stub.php") as $line) {
    if (preg_match('/^(?:(?:final|abstract) )*(?:class|interface|enum) (\w+)/', $line, $found)) {
        $class = $found[1];
        in_array($class, $ids[$api], true) || print("no anchor for $class\n");
    } elseif (preg_match('/^ +(?:(?:final|abstract|static) )*public .*\bfunction (\w+)\(/', $line, $found)) {
        $methods++;
        in_array("$class::$found[1]", $ids[$api], true) || print("no anchor for $class::$found[1]\n");
    } elseif (preg_match('/^ +public readonly .*(\$\w+)/', $line, $found) || preg_match('/^ +case (\w+)/', $line, $found)) {
        in_array("$class::$found[1]", $ids[$api], true) || print("no anchor for $class::$found[1]\n");
    }
}
echo $methods > 100 ? "methods\n" : "$methods methods\n";
?>
--CLEAN--
<?php
exec('rm -rf ' . escapeshellarg(sys_get_temp_dir() . '/bloom-reference_html'));
?>
--EXPECT--
links
methods
