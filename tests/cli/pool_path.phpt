--TEST--
The documented steps for a pool's own bloom.path work unchanged
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$root = dirname(__DIR__, 2);
$cli = new Cli();
mkdir("$cli->files/store");
$builder = new Bloom\Builder(1000, seed: 1);
$builder->add('a key');
$builder->build()->publish(new Bloom\DirectoryStore("$cli->files/store"), 'booth_tags');

$cli->install('bloom', '', ['bloom']);
$cli->installPhp();
$run = static function (string $line) use ($cli, $root): void {
    $line = strtr($line, [
        '/usr/bin/bloom' => "$root/packages/cli/bin/bloom",
        '/run/bloom-shop' => "$cli->directory/segment",
        'redis://cache.example:6379' => "$cli->files/store",
    ]);
    $result = $cli->shell($line);
    echo $result->code, ' ', $result->output, $result->errors, "\n";
};

// Creates the directory with the mode that systemd-tmpfiles would set.
preg_match('~^d /run/bloom-shop (\d+) (\S+) (\S+) -$~m', file_get_contents("$root/docs/operations.md"), $line);
echo "$line[2] $line[3]\n";
mkdir($cli->segment);
chmod($cli->segment, octdec($line[1]));
preg_match('/(-d bloom\.path=\S+)\nPHP_OPTIONS=$/m', file_get_contents("$root/examples/bloom-sync.conf"), $options);
$run(implode(' ', $cli->unitCommand('ExecStartPre', ['PHP_OPTIONS' => $options[1], 'BLOOM' => "$root/packages/cli/bin/bloom"])));
preg_match('/^#   (timeout .*bloom\.path.*)$/m', file_get_contents("$root/examples/bloom-sync.cron"), $cron);
$run($cron[1]);
preg_match('~^php -d bloom\.path=/run\S+ /usr/bin/bloom list$~m', file_get_contents("$root/docs/operations.md"), $list);
$run("$list[0] | cut -d ' ' -f 1");
clearstatcache();
printf("%o\n", fileperms($cli->segment) & 07777);
?>
--EXPECTF--
www-data www-data
0 booth_tags: switched to generation 1, 1 key, 6 KiB, %s % false positives, in %s

0 
0 NAME
booth_tags

700
