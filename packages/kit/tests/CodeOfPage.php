<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

/** Reads the blocks of code in the page PAGE. tests/run copies it. */
trait CodeOfPage
{
    /** @return list<string> */
    private static function blocks(string $language): array
    {
        preg_match_all("/^```$language\n(.*?)^```$/ms", self::page(), $found);
        return $found[1];
    }

    /** @param array<string, int> $expected the number of blocks by language, of all that the test uses */
    private static function assertNumberOfBlocks(array $expected): void
    {
        self::assertSame($expected, array_map(count(...), array_combine(
            array_keys($expected),
            array_map(self::blocks(...), array_keys($expected)),
        )));
        self::assertSame(array_sum($expected), substr_count(self::page(), "\n```\n"));
    }

    /** Compares the output of the page's command with the output that the page shows, apart from times and padding. */
    private static function assertConsole(string $output): void
    {
        [$block] = self::blocks('console');
        $shown = substr($block, (int) strpos($block, "\n")); // after the command
        $output = (string) preg_replace('/20\d\d-\d\d-\d\d \d\d:\d\d:\d\d/', '…', $output);
        self::assertSame(self::withoutPadding($shown), self::withoutPadding($output));
    }

    private static function withoutPadding(string $table): string
    {
        return trim((string) preg_replace(['/ +/', '/ +$/m'], [' ', ''], $table));
    }

    private static function page(): string
    {
        return (string) file_get_contents(self::PAGE);
    }
}
