<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Formatter\OutputFormatter;

/**
 * The text of a command's help. The terminal, the manual pages and docs/reference/commands.md show the same text, which is
 * written like this:
 *
 *     ## Heading
 *     A paragraph with `code` and a [link](docs/stores.md#clusters).
 *
 *       bloom build tags.bloom tags.txt
 *
 *     - `maybe` :: an entry of a list, which begins with its term.
 *
 * Lines with an indent are commands, which are not changed.
 */
final class Manual
{
    /** Where the reference has what `bloom help stores` prints. */
    public const STORES = 'docs/reference/commands.md#stores';

    /** @param list<array{'heading'|'text'|'code'|'list', mixed}> $blocks */
    private function __construct(public readonly array $blocks)
    {
    }

    public static function parse(string $source): self
    {
        $blocks = [];
        foreach (preg_split('/\n\n+/', trim($source, "\n")) ?: [] as $block) {
            $lines = explode("\n", $block);
            if (str_starts_with($block, '## ')) {
                $blocks[] = ['heading', substr(array_shift($lines), 3)];
                if ($lines === []) {
                    continue;
                }
            }
            $text = implode(' ', array_map(trim(...), $lines));
            $blocks[] = match (true) {
                str_starts_with($lines[0], '  ') => ['code', array_map(static fn (string $line): string => substr($line, 2), $lines)],
                str_starts_with($lines[0], '- ') => ['list', array_map(
                    static fn (string $entry): array => array_pad(explode(' :: ', $entry, 2), -2, null),
                    array_slice(explode("\0", preg_replace('/^- /m', "\0", implode("\n", $lines))), 1)
                )],
                default => ['text', $text],
            };
        }
        foreach ($blocks as $i => [$kind, $entries]) {
            if ($kind === 'list') {
                $blocks[$i][1] = array_map(static fn (array $entry): array => array_map(
                    static fn (?string $part): ?string => $part === null ? null : trim(preg_replace('/\s*\n\s*/', ' ', $part)),
                    $entry
                ), $entries);
            }
        }
        return new self($blocks);
    }

    /**
     * Returns the lines for a terminal.
     *
     * @return list<string>
     */
    public function lines(int $width, string $indent): array
    {
        $lines = [];
        foreach ($this->blocks as [$kind, $content]) {
            $lines = [...$lines, ...match ($kind) {
                'heading' => ['<comment>' . OutputFormatter::escape($content) . ':</comment>'],
                'text' => [...Layout::wrap(self::plain($content), $width, $indent, $indent), ''],
                'code' => [...array_merge(...array_map(
                    static fn (string $line): array => Layout::wrap(self::example($line), $width, "$indent  ", "$indent      ", ' \\'),
                    $content
                )), ''],
                'list' => [...self::entries($content, $width, $indent), ''],
            }];
        }
        array_pop($lines);
        return $lines;
    }

    /** Returns a text without the marks of code, and with the target of each link in parentheses. */
    public static function plain(string $text): string
    {
        $text = str_replace(self::STORES, 'bloom help stores', $text);
        return OutputFormatter::escape(preg_replace(['/`([^`]*)`/', '/\[([^\]]*)\]\(([^)#]*)(#[^)]*)?\)/'], ['$1', '$1 ($2)'], $text));
    }

    private static function example(string $line): string
    {
        return '<info>' . OutputFormatter::escape($line) . '</info>';
    }

    /**
     * @param list<array{?string, string}> $entries
     *
     * @return list<string>
     */
    private static function entries(array $entries, int $width, string $indent): array
    {
        $longest = max(array_map(static fn (array $entry): int => strlen(self::plain($entry[0] ?? '')), $entries));
        $column = str_repeat(' ', $longest + 2);
        $lines = [];
        foreach ($entries as [$term, $text]) {
            $text = self::plain($text);
            $term = $term === null ? null : self::plain($term);
            $lines = [...$lines, ...match (true) {
                $term === null => Layout::wrap($text, $width, "$indent- ", "$indent  "),
                $longest <= 10 => Layout::wrap($text, $width, "$indent  <info>" . str_pad("$term</info>", $longest + 9), "$indent  $column"),
                default => [...Layout::wrap($term, $width, "$indent  ", "$indent    "), ...Layout::wrap($text, $width, "$indent      ", "$indent      ")],
            }];
        }
        return $lines;
    }
}
