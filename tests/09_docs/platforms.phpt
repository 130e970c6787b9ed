--TEST--
Every PHP version that composer.json allows has a row among the platforms in CONTRIBUTING.md, and no other version has one
--FILE--
<?php
$root = dirname(__DIR__, 2);
$constraint = json_decode(file_get_contents("$root/composer.json"), true)['require']['php'];
if (!preg_match('/^>=8\.(\d+),<8\.(\d+)$/', $constraint, $found)) {
    exit("this test does not understand the versions $constraint\n");
}
$allowed = array_map(static fn (int $minor): string => "8.$minor", range((int) $found[1], $found[2] - 1));
preg_match('/^## Platforms\n(.*?)^## /ms', file_get_contents("$root/CONTRIBUTING.md"), $section);
preg_match_all('/^\| (\d\.\d+) \| \S.* \| \S.* \|$/m', $section[1], $rows);
foreach (array_diff($allowed, $rows[1]) as $version) {
    echo "PHP $version is allowed, but has no row\n";
}
foreach (array_diff($rows[1], $allowed) as $version) {
    echo "PHP $version has a row, but is not allowed\n";
}
echo count($rows[1]) > 3 ? "versions compared\n" : "no table\n";
?>
--EXPECT--
versions compared
