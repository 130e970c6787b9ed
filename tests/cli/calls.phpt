--TEST--
No argument or option ends with "a bug": an empty, misplaced or misspelled one is named, with its value
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

$cli = new Cli(['igbinary', 'msgpack', 'redis', 'memcached']);
mkdir("$cli->files/store");
$cli->write('keys', "a\nb\n");
$cli->write('calls.php', <<<'PHP'
<?php
// These calls run in one process, because each process needs a tenth of a second. The shutdown function runs after
// bin/bloom has set up the autoloaders.
register_shutdown_function(static function (): void {
    Bloom\LiveFilter::create('live', 1000, seed: 1)->add('key');
    (new Bloom\Builder(1000, seed: 1))->build()->save('a.bloom');
    (new Bloom\Builder(1000, seed: 1))->build()->save('b.bloom');
    (new Bloom\MapBuilder(1000, 8, seed: 1))->build()->save('map.bloom');
    Bloom\Filter::load('map', Bloom\Blob::open('map.bloom'));
    $valid = [
        'plan' => ['--keys=1000'], 'build' => ['b.bloom', 'keys'], 'import' => ['guava', 'b.bloom', '--from=guava'], 'info' => ['live'], 'check' => ['a.bloom', 'keys'], 'get' => ['map', 'key'],
        'sign' => ['tags', 'a.bloom', 'b.bloom'], 'load' => ['tags', 'a.bloom'], 'publish' => ['tags', 'a.bloom', './store'],
        'mark' => ['tags', './store'], 'nightly' => ['nights', './store', 'keys'], 'add' => ['tags', './store', 'key'], 'relay' => ['sqlite:./missing', './store'], 'sync' => ['tags', './store'], 'diff' => ['tags', './store'],
        'rollback' => ['tags', './store'], 'pin' => ['tags', './store', 'current'], 'unpin' => ['tags', './store'], 'doctor' => ['live', './store'], 'health' => ['live'],
        'list' => ['tags', './store'], 'metrics' => [], 'export' => ['live', 'b.bloom'], 'snapshot' => ['live', 'live.snapshot'],
        'restore' => ['live', 'live.snapshot'], 'drop' => ['other'], 'completion' => ['bash'],
    ];
    $values = ['', ' ', 'REDIS://', 'S3://', 'FOO://', 'FOO://x', 'S3://bucket/key', 'REDIS://127.0.0.1:1', 'rediss://[::1]:1',
        'redis://[::1', 'redis-cluster://[::1]', 'dir:', 'dir:FOO://x', 'dir:data:x', 'file:', 'FILE:///nowhere', 'data:x', 'DATA:x',
        'php://', 'phar://x', 'glob://x', 'http://127.0.0.1:1/', 'compress.zlib://missing', 'localhost:6379', '127.0.0.1', '.', '..', '/',
        '//', './missing', 'store', 'keys', 'a.bloom', 'missing', '-', '--', '=', '-1', '50MB', '80,000', '0x', '1e400', '5%', '%', 'NAN',
        "a\nb", "\x1b[31m", "\xff", str_repeat('9', 400), str_repeat('x', 5000)];
    $application = new Bloom\Cli\Application();
    // It would start the host's PHP-FPM for each call.
    $application->{method_exists($application, 'addCommand') ? 'addCommand' : 'add'}(new Bloom\Cli\DoctorCommand('./nowhere'));
    $commands = array_filter($application->all(), static fn ($command): bool => $command instanceof Bloom\Cli\Command);
    if (array_diff(array_keys($commands), array_keys($valid)) !== []) {
        fwrite(STDERR, "CALL [] has no call of a command\n");
    }
    $call = static function (array $arguments) use ($application): int {
        fwrite(STDERR, 'CALL ' . json_encode($arguments, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
        $code = $application->main(['bloom', ...$arguments]);
        fwrite(STDERR, "EXIT $code\n");
        return $code;
    };
    // Verbosity would remain for the following calls, and --help and --version succeed.
    $options = static fn (string $command): array => array_diff_key(
        $application->get($command)->getDefinition()->getOptions(),
        ['verbose' => 0, 'quiet' => 0, 'silent' => 0, 'progress' => 0, 'help' => 0, 'version' => 0]
    );
    foreach ($valid as $command => $arguments) {
        // Each argument is replaced by each value, and each value is also given as one argument more.
        for ($i = 0; $i <= count($arguments); $i++) {
            foreach ($values as $value) {
                $call([$command, ...array_replace($arguments, [$i => $value])]);
                $call([$command, ...array_slice($arguments, 0, $i), $value, ...array_slice($arguments, $i)]);
            }
            $call([$command, ...array_slice($arguments, 0, $i)]);
        }
        foreach ($options($command) as $name => $option) {
            foreach ($option->acceptValue() ? $values : [] as $value) {
                $call([$command, ...$arguments, "--$name=$value"]);
            }
            $call([$command, ...$arguments, '--' . substr($name, 0, -1) . '_']);
            $call([$command, ...$arguments, "--$name"]);
        }
        $call([$command, ...array_reverse($arguments)]);
    }
    mt_srand(29);
    $all = array_keys($valid);
    for ($i = 0; $i < 1000; $i++) {
        $command = $all[array_rand($all)];
        $names = array_keys($options($command));
        $words = [...$valid[$command], ...$values];
        $arguments = [];
        for ($left = mt_rand(1, 5); $left > 0; $left--) {
            $word = $words[mt_rand(0, count($words) - 1)];
            $arguments[] = mt_rand(0, 3) > 0 ? $word : '--' . $names[mt_rand(0, count($names) - 1)] . (mt_rand(0, 1) ? "=$word" : '');
        }
        $call([$command, ...$arguments]);
    }
});
PHP);
$cli->install('bloom-calls', "-d bloom.path=$cli->segment -d auto_prepend_file=$cli->files/calls.php", ['igbinary', 'msgpack', 'redis', 'memcached', 'bloom']);
$result = $cli->shell('timeout 300 bloom-calls --version < /dev/null > /dev/null');
preg_match_all('/^CALL (.*)\n((?:.*\n)*?)EXIT (\d+)$/m', $result->errors, $calls, PREG_SET_ORDER);
check(substr_count($result->errors, 'CALL ') === count($calls) && $result->code === 0, 'all calls end: ' . substr($result->errors, -500));
check(count($calls) > 5000, count($calls) . ' calls');

foreach ($calls as [, $call, $errors, $code]) {
    $arguments = json_decode($call, true);
    check($code !== '70' && !str_contains($errors, '(a bug'), "$call: $errors");
    check($code < 64 || preg_match('/^(?:bloom: .*\n)+$/D', $errors), "$call: one line per failure: $errors");
    $isEmpty = array_filter($arguments, static fn (string $word, int $i): bool => $word === '' && ($arguments[$i - 1] ?? '') !== '--source'
        || preg_match('/^--(?!source)[\w-]+=$/', $word) === 1, ARRAY_FILTER_USE_BOTH);
    check($isEmpty === [] || $code === '64', "$call: refuses an empty value: $code $errors");
    $isNamed = preg_match('/--[a-z]|\b(?:NAME|DSN|STORE|BLOB|INPUT|OUTPUT|KEYS|PLACE|VERSION|SHELL)\b/', $errors);
    check($code !== '64' || $isNamed, "$call: names the argument: $errors");
}
?>
--EXPECT--
