--TEST--
The commands in docs/passwords.md build the same filter from both forms of the downloader's files, and the page refuses their passwords
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../cli/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/../cli/cli.inc';

$root = dirname(__DIR__, 2);
$page = file_get_contents("$root/docs/passwords.md");
preg_match_all('/^```sh\n(.*?)^```$/ms', $page, $commands);
preg_match_all('/^```php\n(.*?)^```$/ms', $page, $code);
check(count($commands[1]) === 2 && count($code[1]) === 1, 'all examples run');

// The stand-in for the downloader writes the lines as the real one does: sorted, and each range with a byte order mark.
$cli = new Cli();
$cli->installPhp();
$passwords = ['password', ...array_map(fn (int $i): string => "password$i", range(1, 199))];
$hashes = array_map(fn (string $password): string => strtoupper(sha1($password)), $passwords);
sort($hashes);
$lines = array_map(fn (string $hash, int $i): string => "$hash:" . $i % 20 + 1, $hashes, array_keys($hashes));
$cli->write('list', implode('', array_map(fn (string $line): string => "\u{feff}$line\n", $lines)));
$cli->write('../bin/haveibeenpwned-downloader', "#!/bin/sh\n[ \"$*\" = '--overwrite pwnedpasswords' ] && cp list pwnedpasswords.txt\n");
chmod("$cli->files/../bin/haveibeenpwned-downloader", 0700);
mkdir("$cli->files/store");
$run = function (string $commands, int $capacity = 300) use ($cli): string {
    $short = strtr($commands, ['/srv/bloom' => './store', '--capacity=1400M' => "--capacity=$capacity --seed=1 --built-at=1", 'bloom publish ' => 'bloom publish --quiet ']);
    check(substr_count($short, '--seed') === 1, $commands);
    $result = $cli->shell("set -e\n$short");
    check($result->code === 0 && $result->errors === '', "$commands: $result->code $result->errors");
    return preg_replace('/:.*, (?=\d+ lines)/', ': ', $result->output);
};
echo $run($commands[1][0]);
$cli->run(['sync', 'breached', './store']);
check($cli->run(['check', 'breached', '--served', '-'], implode("\n", $hashes))->code === 0, 'every hash is found');

// In a file of its own, a range begins with a mark, has CR LF between its lines, and nothing at its end.
mkdir("$cli->files/pwnedpasswords");
foreach ($lines as $line) {
    $file = 'pwnedpasswords/' . substr($line, 0, 5) . '.txt';
    $before = @file_get_contents("$cli->files/$file");
    $cli->write($file, ($before === false ? "\u{feff}" : "$before\r\n") . substr($line, 5));
}
$first = md5_file("$cli->files/breached.bloom");
unlink("$cli->files/breached.bloom");
echo $run($commands[1][1]);
check(md5_file("$cli->files/breached.bloom") === $first, 'both forms make the same filter');

// Lowercase hashes
$cli->shell('rm -r store && mkdir store');
$cli->shell(preg_replace(['/^.*--overwrite.*\n/', '/ \|\n/', '/1400M/', '~/srv/bloom~'], ['', ' | tr A-F a-f |', '300', './store'], $commands[1][0]));
check(glob("$cli->files/store/*") === [], 'a filter that would list no password is not published');

// Without rare passwords
check(preg_match('/`(awk [^`]+)`/', $page, $awk) === 1, 'the shorter list');
echo $run(str_replace(' |', " | $awk[1] |", $commands[1][0]));
$cli->run(['sync', '--force', 'breached', './store']);
$listed = $cli->run(['check', '--print=candidates', 'breached', '--served', '-'], implode("\n", $hashes))->output;
check(array_filter(explode("\n", $listed)) === array_values(array_filter($hashes, fn (int $i): bool => $i % 20 + 1 >= 10, ARRAY_FILTER_USE_KEY)), 'the frequent ones');

$kit = var_export("$root/packages/kit/src/", true);
$cli->write('page.php', "<?php\nspl_autoload_register(fn (\$class) => require $kit . basename(strtr(\$class, '\\\\', '/')) . '.php');\n"
    . "\$logger = null;\n\$password = \$argv[1];\n\$errors = [];\n{$code[1][0]}\necho count(\$errors), \" errors\\n\";\n");
$frequent = $passwords[array_search(strtok($listed, "\n"), array_map(fn (string $password): string => strtoupper(sha1($password)), $passwords), true)];
echo $cli->shell("php page.php $frequent && php page.php 'correct horse'")->output;
$cli->run(['drop', 'breached']);
echo $cli->shell("php page.php $frequent")->output;
?>
--EXPECT--
breached.bloom: 200 lines added
../breached.bloom: 200 lines added
breached.bloom: 110 lines added
1 errors
0 errors
0 errors
