<?php
/*
 * Writes the manual pages into the directory that is its argument: bloom(1), and bloom-NAME(1) for each command. They have what
 * docs/reference/commands.md has, without the links.
 */

namespace Bloom\Cli;

require __DIR__ . '/cli.inc';

/** Escapes a text, prints its code in bold, and leaves out the targets of its links. */
function roff(string $text): string
{
    $text = preg_replace(['/\[([^\]]*)\]\(' . preg_quote(Manual::STORES, '/') . '\)/', '/\[([^\]]*)\]\([^)]*\)/', '/\*\*([^*]*)\*\*/'], ['$1 (see STORES in bloom(1))', '$1', '$1'], $text);
    $text = strtr($text, ['\\' => '\e', '-' => '\-', '…' => '\&...', '−' => '\-', '~' => '\(ti', '^' => '\(ha']);
    $text = preg_replace(['/`([^`]*)`/', '/\b((?:bloom|php|redis)(?:\\\\-[a-z]+)?)\((1)\)/'], ['\fB$1\fP', '\fB$1\fP($2)'], $text);
    return preg_replace("/^([.'])/", '\&$1', $text);
}

/** Formats what is printed as it is. */
function verbatim(array $lines): string
{
    $lines = array_map(static fn (string $line): string => preg_replace("/^([.'])/", '\&$1', strtr($line, ['…' => '...', '\\' => '\e', '-' => '\-', '~' => '\(ti', '^' => '\(ha'])), $lines);
    return ".PP\n.in +4n\n.nf\n" . implode("\n", $lines) . "\n.fi\n.in\n";
}

/** @param array<int|string, string> $entries */
function entries(array $entries): string
{
    $text = '';
    foreach ($entries as $term => $meaning) {
        $text .= ".TP\n" . roff("`$term`") . "\n" . roff($meaning) . "\n";
    }
    return $text;
}

function body(Manual $manual): string
{
    return implode('', array_map(static fn (array $block): string => match ($block[0]) {
        'heading' => $block[1] === 'Exit codes' ? ".SH EXIT STATUS\n" : ".SS $block[1]\n",
        'text' => ".PP\n" . roff($block[1]) . "\n",
        'code' => verbatim($block[1]),
        'list' => implode('', array_map(static fn (array $entry): string
            => ($entry[0] === null ? ".IP \\(bu 3\n" : ".TP\n" . roff(str_contains($entry[0], '`') ? $entry[0] : "`$entry[0]`") . "\n")
            . roff($entry[1]) . "\n", $block[1])),
    }, $manual->blocks));
}

function page(string $title, string $version, string $description): string
{
    $name = str_replace(' ', '\-', $title);
    return '.TH "' . strtoupper($name) . "\" 1 \"\" \"bloom $version\" \"User Commands\"\n.ad l\n.nh\n.SH NAME\n$name \\- " . roff(lcfirst($description)) . "\n";
}

/** @param list<string> $pages */
function see_also(array $pages): string
{
    return ".SH SEE ALSO\n" . implode(",\n", array_map(static fn (string $page): string => roff(str_ends_with($page, ')') ? $page : "$page(1)"), $pages)) . "\n";
}

preg_match('/^#define PHP_BLOOM_VERSION "(.*)"/m', file_get_contents(ROOT . '/php_bloom.h'), $version);
is_dir($argv[1]) || mkdir($argv[1], 0777, true);
$commands = commands();
$list = '';
foreach ($commands as $name => $command) {
    $list .= ".TP\n" . roff("bloom-$name(1)") . "\n" . roff($command->getDescription()) . ".\n";
    [$arguments, $options] = [array_filter(parameters($command), static fn (string $key): bool => $key[0] !== '-', ARRAY_FILTER_USE_KEY),
        array_filter(parameters($command), static fn (string $key): bool => $key[0] === '-', ARRAY_FILTER_USE_KEY)];
    // The exit codes come after the examples.
    [$description, $codes] = explode(".SH EXIT STATUS\n", body($command->manual())) + [1 => ''];
    $session = '';
    foreach (preg_split('/^```(?:console\n)?/m', examples()[$name] ?? '') as $i => $part) {
        $session .= match (true) {
            trim($part) === '' => '',
            $i % 2 === 1 => verbatim(explode("\n", rtrim($part))),
            default => ".PP\n" . roff(preg_replace('/\s+/', ' ', trim($part))) . "\n",
        };
    }
    preg_match_all('/\bbloom\\\\?[ -]([a-z]+)\b/', $description . $codes, $mentioned);
    $others = array_intersect(array_keys($commands), array_diff($mentioned[1], [$name]));
    file_put_contents("$argv[1]/bloom-$name.1", page("bloom $name", $version[1], $command->getDescription())
        . ".SH SYNOPSIS\n" . implode("\n.br\n", array_map(static fn (string $form): string => '\fBbloom ' . $name . '\fP' . roff(substr($form, strlen("bloom $name"))), $command->forms()))
        . "\n.SH DESCRIPTION\n$description"
        . ".SH OPTIONS\n" . entries($arguments) . entries($options)
        . ".PP\n" . roff('The options of all commands, such as `--quiet`, are in bloom(1).') . "\n"
        . ($session === '' ? '' : ".SH EXAMPLES\nThe examples of all commands run in order in one directory, which has the file tags.txt with the numbers to 80000. Three dots stand for output that varies.\n$session")
        . ".SH EXIT STATUS\n$codes.PP\n" . roff(($codes === '' ? 'The' : 'All other') . ' exit codes are in bloom(1).') . "\n"
        . see_also(['bloom', ...array_map(static fn (string $other): string => "bloom-$other", array_values($others))]));
}

preg_match('/^## Conventions\n\n(.*?)(?=^## )/ms', file_get_contents(ROOT . '/docs/cli.md'), $found);
$conventions = Manual::parse(preg_replace('/^- \*\*(.*?)\.\*\* /m', '- $1 :: ', $found[1]));
file_put_contents("$argv[1]/bloom.1", page('bloom', $version[1], 'build, publish, sync and inspect Bloom filters of PHP')
    . ".SH SYNOPSIS\n\\fBbloom\\fP COMMAND [options] [arguments]\n.br\n\\fBbloom help\\fP COMMAND\n"
    . ".SH DESCRIPTION\n" . roff('`bloom` builds Bloom filters, publishes them to a store, and loads them into memory that all PHP processes of a user share.') . "\n"
    . ".SH COMMANDS\n$list"
    . ".SH OPTIONS\n" . entries(OverviewCommand::OPTIONS)
    . ".SH CONVENTIONS\n" . body($conventions)
    . ".SH STORES\n" . body(Manual::parse(HelpTopic::Stores->text()))
    . ".SH EXIT STATUS\n" . body(Manual::parse(HelpTopic::ExitCodes->text()))
    . ".SH ENVIRONMENT\n" . entries([
        'REDISCLI_AUTH' => 'the password of a Redis or Valkey server',
        'BLOOM_DATABASE_USER' => 'the user with whom `bloom relay` connects to the database',
        'BLOOM_DATABASE_PASSWORD' => 'the password of that user',
        'COLUMNS' => 'the width of help and tables',
    ])
    . ".SH FILES\n" . entries([
        '/dev/shm/php-bloom-UID' => 'the filters of the user with this number, unless `bloom.path` is set',
        '/usr/share/doc/php-bloom' => 'the documents and examples',
        '/usr/lib/systemd/system/bloom-sync@.service' => 'a unit that runs `bloom sync --every`',
    ])
    . see_also([...array_map(static fn (string $name): string => "bloom-$name", array_keys($commands)), 'php(1)', 'redis-cli(1)']));
