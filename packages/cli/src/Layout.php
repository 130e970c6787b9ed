<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Terminal;

/** Fits text and tables to the width of the terminal. Tags such as <info> have no width. */
final class Layout
{
    private const LINE_MAX = 100;
    private const LINE_MIN = 40;

    /** Returns the width for texts: that of the terminal or of COLUMNS, 80 if neither is known, and at most 100. */
    public static function width(): int
    {
        return max(self::LINE_MIN, min(self::LINE_MAX, (new Terminal())->getWidth()));
    }

    // symfony/console sets COLUMNS in the environment, but not in $_SERVER.
    /** Returns the width for results; null: they go to a file or a pipe, so they are not fitted unless COLUMNS is set. */
    public static function resultWidth(): ?int
    {
        $isFitted = (is_resource(STDOUT) && stream_isatty(STDOUT)) || (int) ($_SERVER['COLUMNS'] ?? 0) > 0;
        return $isFitted ? max(self::LINE_MIN, (new Terminal())->getWidth()) : null;
    }

    /**
     * Wraps a paragraph at spaces.
     *
     * @param string $end what a line that continues ends with, such as " \" in a shell
     *
     * @return list<string>
     */
    public static function wrap(string $text, int $width, string $first = '', string $next = '', string $end = ''): array
    {
        $lines = [];
        $line = $first;
        $isEmpty = true;
        foreach (preg_split('/ +(?!%|[KMGT]iB\b)/', trim($text)) ?: [] as $word) {
            if (!$isEmpty && self::widthOf("$line $word$end") > $width) {
                $lines[] = $line . $end;
                $line = $next;
                $isEmpty = true;
            }
            $line .= ($isEmpty ? '' : ' ') . $word;
            $isEmpty = false;
        }
        return [...$lines, $line];
    }

    /**
     * Formats a table. If it is too wide, columns are left out, and if that does not suffice, each row becomes a block of lines.
     *
     * @param non-empty-list<list<string>> $rows the first one has the headings
     * @param list<string> $optional headings of columns that may be left out, the first one first
     * @param list<string> $left headings of columns that are left-aligned
     *
     * @return list<string>
     */
    public static function table(array $rows, array $optional = [], array $left = []): array
    {
        $width = self::resultWidth();
        while ($width !== null && self::widthOfTable($rows) > $width && $optional !== []) {
            $column = array_search(array_shift($optional), $rows[0], true);
            foreach ($column === false ? [] : array_keys($rows) as $i) {
                array_splice($rows[$i], $column, 1);
            }
        }
        if ($width !== null && self::widthOfTable($rows) > $width) {
            return self::blocks($rows, $width);
        }
        $widths = self::widths($rows);
        return array_map(static fn (array $row): string => rtrim(implode('  ', array_map(
            static fn (string $cell, int $column): string
                => str_pad($cell, $widths[$column], ' ', in_array($rows[0][$column], $left, true) ? STR_PAD_RIGHT : STR_PAD_LEFT),
            $row,
            array_keys($row)
        ))), $rows);
    }

    /**
     * @param non-empty-list<list<string>> $rows
     *
     * @return list<string>
     */
    private static function blocks(array $rows, int $width): array
    {
        $headings = array_shift($rows);
        $column = max(array_map(strlen(...), $headings));
        $lines = [];
        foreach ($rows as $row) {
            $lines[] = trim($row[0]);
            foreach (array_slice($row, 1, null, true) as $i => $cell) {
                $start = '  ' . str_pad($headings[$i], $column) . '  ';
                $lines = [...$lines, ...($cell === '' ? [] : self::wrap($cell, $width, $start, str_repeat(' ', strlen($start))))];
            }
        }
        return $lines;
    }

    /** @return list<int> */
    private static function widths(array $rows): array
    {
        return array_map(
            static fn (int $column): int => max(array_map(strlen(...), array_column($rows, $column))),
            array_keys($rows[0])
        );
    }

    private static function widthOfTable(array $rows): int
    {
        return array_sum(self::widths($rows)) + 2 * (count($rows[0]) - 1);
    }

    private static function widthOf(string $line): int
    {
        return mb_strwidth((string) preg_replace('~</?(?:info|comment)>|\\\\(?=<)~', '', $line), 'UTF-8');
    }
}
