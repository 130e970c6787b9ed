--TEST--
Every bloom command in the documents and examples has a known name, known options and the right number of arguments
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
$files = array_map(fn (string $file): string => "$root/$file", ['README.md', 'SECURITY.md', 'CONTRIBUTING.md']);
$files = [...$files, ...glob("$root/packages/*/README.md"), "$root/packages/cli/src/Remedy.php"];
foreach (['docs', 'examples'] as $directory) {
    foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator("$root/$directory", FilesystemIterator::SKIP_DOTS)) as $file) {
        if (!preg_match('~\.(svg|png|php|phpt|inc|json|lua|rs|py)$|/vendor/~', $file)) {
            $files[] = (string) $file;
        }
    }
}

/** Splits what follows the program as a shell does, up to the end of the command. */
$words = static function (string $line): array {
    $words = [];
    while (preg_match('/^\s*((?:"(?:\\\\.|\$\([^)]*\)|[^"\\\\])*"|\'[^\']*\'|\\\\.|\$\([^)]*\)|[^\s"\'\\\\|&;<>()`]|\((?=hash))+)/s', $line, $found)) {
        $line = substr($line, strlen($found[0]));
        $words[] = preg_replace('/"((?:\\\\.|[^"\\\\])*)"|\'([^\']*)\'/s', '$1$2', $found[1]);
    }
    return $words;
};
/** @var list<array{string, bool, list<string>}> $calls where it stands, whether it is complete, and the words after "bloom" */
$calls = [];
$programs = '(?:(?:[\w./-]*/)?bin/bloom|(?<![\w./:"$@=-])bloom|(?<=^ExecStart=|^ExecStop=)bloom)';
$take = static function (string $line, string $where, bool $is_complete) use (&$calls, $words, $programs): void {
    $line = preg_replace(['/\{\{.*?\}\}/', '/(?:^|\s)#.*$/'], ['X', ''], $line);
    preg_match_all("~$programs +(?=[a-z-])~m", $line, $found, PREG_OFFSET_CAPTURE);
    foreach ($found[0] as [$program, $offset]) {
        $calls[] = [$where, $is_complete, $words(substr($line, $offset + strlen($program)))];
    }
    // A command as a list: CMD ["bloom", "sync", …]
    preg_match_all('~\[ *(?:"bloom"|bloom)((?:, *"?[^",\]]+"?)+)\]~', $line, $lists);
    foreach ($lists[1] as $list) {
        $calls[] = [$where, true, array_map(fn (string $word): string => trim($word, '" '), array_slice(explode(',', $list), 1))];
    }
};
foreach ($files as $file) {
    $name = substr($file, strlen($root) + 1);
    $text = preg_replace('/ *\\\\\n\s*/', ' ', file_get_contents($file));
    if (!str_ends_with($file, '.md')) {
        foreach (explode("\n", $text) as $line) {
            $take($line, $name, true);
        }
        continue;
    }
    $text = preg_replace_callback('/^( *)```(\w*)\n(.*?)^ *```$/ms', static function (array $block) use ($take, $name): string {
        foreach (in_array($block[2], ['php', 'json', 'text', 'c', 'python', 'rust', 'lua'], true) ? [] : explode("\n", $block[3]) as $line) {
            if ($block[2] !== 'console' || preg_match('/^ *\$ /', $line)) {
                $take($line, $name, true);
            }
        }
        return '';
    }, $text);
    foreach (explode("\n", $text) as $line) {
        // A block with an indent, but not a part of a list.
        if (preg_match('/^    (?:\$ )?(?! )(?=\w).*\bbloom /', $line) && !preg_match('/`bloom|^ +\d{4}-/', $line)) {
            $take($line, $name, true);
        }
    }
    if ($name === 'docs/dev/blob.md') {
        continue; // "bloom digest key" is not a command there, but a part of a hash's input.
    }
    // Code in a sentence can be a part of a command.
    preg_match_all('/`(bloom [^`]+)`/', preg_replace('/\s*\n\s*/', ' ', $text), $spans);
    foreach ($spans[1] as $span) {
        $take($span, $name, false);
    }
}

$cli = new Cli();
$cli->write('calls.json', json_encode($calls, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE));
$cli->write('parse.php', <<<'PHP'
<?php
register_shutdown_function(static function (): void {
    $application = new Bloom\Cli\Application();
    foreach (json_decode(file_get_contents(__DIR__ . '/calls.json')) as [$where, $is_complete, $words]) {
        $complain = static function (string $what) use ($where, $words): void {
            echo "$where: bloom ", implode(' ', $words), ": $what\n";
        };
        $name = $words[0];
        if ($name === 'help') {
            $topic = $words[1] ?? 'help';
            $topic === strtoupper($topic) || Bloom\Cli\HelpTopic::tryFrom($topic) !== null || $application->has($topic) || $complain('no such help');
            continue;
        }
        if ($name[0] === '-') {
            $application->getDefinition()->hasOption(ltrim($name, '-')) || $complain('no such option');
            continue;
        }
        if ($name === strtoupper($name)) {
            continue; // COMMAND
        }
        if (!in_array($name, array_keys($application->all()), true)) {
            $complain('no such command');
            continue;
        }
        $command = $application->get($name);
        $command->mergeApplicationDefinition();
        // A sentence names options without their values.
        if (!$is_complete) {
            $words = array_map(static fn (string $word): string => str_starts_with($word, '--') && !str_contains($word, '=')
                && $command->getDefinition()->hasOption(substr($word, 2)) && $command->getDefinition()->getOption(substr($word, 2))->acceptValue()
                && $word === end($words) ? "$word=1" : $word, $words);
        }
        try {
            $input = new Symfony\Component\Console\Input\ArgvInput(['bloom', ...$words]);
            $input->bind($command->getDefinition());
            $is_complete && $input->validate();
        } catch (Throwable $error) {
            $complain($error->getMessage());
            continue;
        }
        // Of some commands, the definition does not say that the last name is a store or a place.
        $count = count(array_merge(...array_map(static fn ($value): array => (array) $value, array_values($input->getArguments())))) - 1;
        $count += $input->hasOption('filter') && $input->getOption('filter') !== null ? 1 : 0; // info --filter NAME
        $least = min(array_map(static fn (string $form): int => preg_match_all('/(?<![-=A-Z\[])\b[A-Z]+\b(?!\])/', preg_replace('/\[[^\]]*\]+/', '', $form)), $command->forms()));
        if ($is_complete && $count < $least) {
            $complain("$count arguments instead of $least");
        }
    }
});
PHP);
$cli->install('bloom-parse', "-d auto_prepend_file=$cli->files/parse.php", ['bloom']);
echo preg_replace('/^bloom .*\n/', '', $cli->shell('bloom-parse --version')->output);
check(count($calls) > 150, count($calls) . ' commands');
check(count(array_filter($calls, static fn (array $call): bool => $call[1])) > 80, 'complete ones');
?>
--EXPECT--
