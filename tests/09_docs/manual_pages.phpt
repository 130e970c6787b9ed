--TEST--
Each command has a manual page with all parts, and groff accepts the pages
--SKIPIF--
<?php
if (!is_file('/usr/share/php/Symfony/Component/Console/autoload.php') && !is_file(dirname(__DIR__, 2) . '/vendor/autoload.php')) {
    die('skip symfony/console is not installed');
}
?>
--FILE--
<?php
$root = dirname(__DIR__, 2);
$directory = sys_get_temp_dir() . '/bloom-manual-' . bin2hex(random_bytes(4));
// The program needs no extension of PHP, so the settings of this test do.
$php = escapeshellarg(getenv('TEST_PHP_EXECUTABLE') ?: PHP_BINARY);
echo shell_exec("$php -n $root/scripts/lib/reference/manpages.php $directory 2>&1");
preg_match_all('/^## bloom ([a-z]+)$/m', file_get_contents("$root/docs/reference/commands.md"), $commands);
$names = ['bloom', ...array_map(static fn (string $command): string => "bloom-$command", $commands[1])];
$pages = array_map(static fn (string $file): string => basename($file, '.1'), glob("$directory/*.1"));
echo json_encode([...array_diff($names, $pages), ...array_diff($pages, $names)]), "\n";
$groff = shell_exec('command -v groff') !== null;
foreach ($pages as $page) {
    $text = file_get_contents("$directory/$page.1");
    $sections = ['NAME', 'SYNOPSIS', 'DESCRIPTION', 'OPTIONS', 'EXIT STATUS', 'SEE ALSO', ...($page === 'bloom' ? ['COMMANDS', 'STORES', 'ENVIRONMENT', 'FILES'] : [])];
    foreach ($sections as $section) {
        echo str_contains($text, "\n.SH $section\n") ? '' : "$page: no section $section\n";
    }
    // Nothing of the source's markup is left.
    echo preg_match('/`|\]\(|\*\*/', preg_replace('/^\.nf\n.*?^\.fi\n/ms', '', $text), $left) ? "$page: $left[0]\n" : '';
    echo $groff ? shell_exec("groff -man -Tutf8 -ww -z $directory/$page.1 2>&1") : '';
}
exec('rm -rf ' . escapeshellarg($directory));
?>
--EXPECT--
[]
