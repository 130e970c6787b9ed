--TEST--
The command has one path, however it is installed, and examples, pages and help texts use only names that the packages install
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
$root = dirname(__DIR__, 2);
$lines = fn (string $file): array => file("$root/$file", FILE_IGNORE_NEW_LINES | FILE_SKIP_EMPTY_LINES);

// What the packages install: file => directory, and the files and directories themselves.
$installed = [];
foreach (glob("$root/debian/php-bloom.{install,links,docs,examples}", GLOB_BRACE) as $list) {
    foreach (file($list, FILE_IGNORE_NEW_LINES | FILE_SKIP_EMPTY_LINES) as $line) {
        $parts = explode(' ', $line);
        $installed[] = match (pathinfo($list, PATHINFO_EXTENSION)) {
            'install' => "/$parts[1]/" . basename($parts[0]),
            'links' => "/$parts[1]",
            'docs' => '/usr/share/doc/php-bloom/' . basename($parts[0]),
            'examples' => '/usr/share/doc/php-bloom/' . $parts[0],
        };
    }
}
$command = current(preg_grep('~/bin/bloom$~', array_diff($installed, ['/usr/share/php-bloom/packages/cli/bin/bloom'])));
$unit = basename(current(preg_grep('~/systemd/system/~', $installed)), '.service');
echo "$command $unit\n";
/** Returns whether the packages install a path, or something in it. */
$is_installed = fn (string $path): bool => array_filter(
    $installed,
    fn (string $pattern) => fnmatch($pattern, $path) || str_starts_with($pattern, "$path/")
) !== [];
// The units that an administrator copies from the examples.
$units = [$unit, ...array_map(fn ($file) => preg_replace('~\.service$~', '', basename($file)), glob("$root/examples/*.service"))];

$found = [];
$complain = function (string $file, int $number, string $what): void {
    echo "$file:$number: $what\n";
};
$files = ['README.md', 'SECURITY.md'];
foreach (['docs', 'examples', 'debian', 'packages', 'scripts/lib/reference'] as $directory) {
    foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator("$root/$directory", FilesystemIterator::SKIP_DOTS)) as $file) {
        if (preg_match('~(\.(md|php|sh|service|timer|cron|conf|yaml)|Dockerfile|/rules)$~', $file)) {
            $files[] = substr($file, strlen("$root/"));
        }
    }
}
foreach ($files as $file) {
    $all = file("$root/$file", FILE_IGNORE_NEW_LINES);
    foreach ($all as $i => $line) {
        // An installation from source links the command to the path where the packages install it.
        if (preg_match('~\bln -sf? "?(?:(?:\$PWD|/opt/bloom)/packages/cli|/opt/bloom/vendor)/bin/bloom"? (\S+)~', $line, $link)) {
            $found['link'][] = $link[1];
            if ($link[1] !== $command) {
                $complain($file, $i + 1, "the command is $command, not $link[1]");
            }
        }
        preg_match_all('~(?<![\w.$"}])/[\w./]*\bbin/bloom\b(?!-)~', $line, $paths);
        foreach ($paths[0] as $path) {
            $found['path'][] = $path;
            if ($path !== $command && !(str_starts_with($path, '/opt/bloom/') && str_contains($line, 'ln -s'))) {
                $complain($file, $i + 1, "the packages do not install $path");
            }
        }
        preg_match_all('~/usr/(?:share|lib)/(?:[\w./-]*php-bloom[\w./-]*\w|systemd/system/[\w@.-]*bloom[\w@.-]*\w)~', $line, $paths);
        foreach ($paths[0] as $path) {
            $found['share'][] = $path;
            if (!$is_installed($path)) {
                $complain($file, $i + 1, "the packages do not install $path");
            }
        }
        if (preg_match('~\b(?:systemctl|journalctl)(?: [a-z-]+)*? \'?(bloom-[a-z]+@?)~', $line, $name)) {
            $found['unit'][] = $name[1];
            if (!in_array($name[1], $units, true)) {
                $complain($file, $i + 1, "no unit is named $name[1]");
            }
        }
    }
}
// Cron's own PATH has the command's directory.
check(in_array(dirname($command), ['/usr/bin', '/bin'], true), 'cron finds the command');
ksort($found);
foreach ($found as $what => $all) {
    echo "$what: ", count($all) > 1 ? 'several' : count($all), "\n";
}
?>
--EXPECT--
/usr/bin/bloom bloom-sync@
link: several
path: several
share: several
unit: several
