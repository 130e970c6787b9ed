--TEST--
Every message that docs/troubleshooting.md quotes exists in the code, and the page names every reason of health for which lookups answer "maybe"
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
$root = dirname(__DIR__, 2);
$page = file_get_contents("$root/docs/troubleshooting.md");

// All sources in one text. A C compiler joins adjacent literals, and PHP joins them with a dot.
$code = '';
foreach (['src', 'packages/cli/src', 'packages/kit/src'] as $directory) {
    foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator("$root/$directory", FilesystemIterator::SKIP_DOTS)) as $file) {
        $code .= preg_match('/\.(c|h|php)$/', $file) ? file_get_contents($file) : '';
    }
}
$code = stripslashes(preg_replace('/(?<!\\\\)(["\'])\s*(?:[.\\\\]\s*)?\1/', '', $code));

// Messages of clients and of the system.
$foreign = ['Connection refused', 'Permission denied', "can't run this command"];
// Words with which a quoted command or setting begins.
$commands = '(?:bloom|chown|umask|publish|rm|runuser|\$|--|journalctl)';

$text = preg_replace('/^```.*?^```/ms', '', $page);
preg_match_all('/`([^`]+)`/', preg_replace('/(?<=\S)\n(?=\S)/', ' ', $text), $quoted); // a message may be broken into lines
preg_match_all('/^    (\S.*)$/m', $text, $shown);
$messages = [
    ...array_filter($quoted[1], fn (string $text): bool => str_contains($text, ' ') && !preg_match("/^$commands/", $text)),
    ...array_map(fn (string $line): string => preg_replace('/^tags: CRITICAL: /', '', $line), $shown[1]),
];
$checked = 0;
foreach (array_unique($messages) as $message) {
    if (in_array($message, $foreign, true)) {
        continue;
    }
    // What the code fills in: numbers with their units, paths, names, words with a plural or a choice, and what two messages join.
    $fixed = preg_split('/[\d.,]+(?: (?:min|s|h|d)\b| %)?|\/\S+|\(other, tags\)|\(gzip\)|\bwww-data\b|"?\btags\b"?:?|\bjournal: |: (?=Permission)|(?<=keys\')'
        . '|\b(?:sync|fetch)(?:e?s)?\b|\breload\b|; |…|s? filters?\b|time$/', $message);
    foreach (array_filter(array_map(trim(...), $fixed), fn (string $part): bool => strlen($part) > 6) as $part) {
        $checked++;
        if (!str_contains($code, $part)) {
            echo "not in the code: $part (of: $message)\n";
        }
    }
}

// The reasons in the code that say "maybe", and the sentences of statuses.
preg_match('/^## Every answer is "maybe"\n(.*?)^## /ms', $page, $section);
preg_match_all('/^\| `([^`]+)`/m', $section[1], $rows);
check(count($rows[1]) >= 10, 'rows on "maybe"');
$rules = file_get_contents("$root/src/php/report/health_rules.c");
preg_match_all('/static zend_string \*(\w+)\(.*?^}/ms', $rules, $functions, PREG_SET_ORDER);
foreach ($functions as [$function, $name]) {
    $text = stripslashes(preg_replace('/(?<!\\\\)"\s*"/', '', $function));
    if (preg_match('/every lookup answers "maybe"/', $text) && !preg_match('/; after/', $text)) {
        $start = preg_match('/strpprintf\(\s*0,\s*"([^"%]{20,60})/', $text, $found) ? substr($found[1], 0, 60) : $name;
        echo str_contains($section[1], $start) ? 'told' : 'NOT told', ": $name\n";
    }
}
echo $checked > 25 ? "messages found\n" : "$checked messages\n";
?>
--EXPECT--
told: journal_lost
told: journal_behind
messages found
