<?php

namespace Bloom\Cli;

/** What bloom doctor found: one check, and a remedy that can be copied if something is wrong. */
final class Finding
{
    private const INDENT = '      ';

    private function __construct(
        public readonly string $level,
        public readonly string $about,
        public readonly string $text,
        public readonly ?string $remedy
    ) {
    }

    public static function ok(string $about, string $text): self
    {
        return new self('ok', $about, $text, null);
    }

    /** Something does not work as it should, although pages still find all keys. */
    public static function warn(string $about, string $text, string $remedy): self
    {
        return new self('warn', $about, $text, $remedy);
    }

    public static function fail(string $about, string $text, string $remedy): self
    {
        return new self('fail', $about, $text, $remedy);
    }

    /**
     * Returns the lines of a list. A remedy is never wrapped, because it would no longer be a command.
     *
     * @param list<self> $findings
     *
     * @return list<string>
     */
    public static function lines(array $findings, int $width): array
    {
        $lines = [];
        foreach ($findings as $one) {
            $text = trim(preg_replace('/\s+/', ' ', "$one->about: $one->text"));
            $wrapped = wordwrap($text, $width - strlen(self::INDENT), "\n" . self::INDENT);
            $lines = [...$lines, ...explode("\n", sprintf('%-4s  ', $one->level) . $wrapped), ...($one->remedy === null ? [] : [self::INDENT . "  $one->remedy"])];
        }
        return $lines;
    }

    /**
     * Returns the exit code: that of a Nagios plugin, as of bloom health.
     *
     * @param list<self> $findings
     */
    public static function exitCode(array $findings): int
    {
        $levels = array_column($findings, 'level');
        return match (true) {
            in_array('fail', $levels, true) => 2,
            in_array('warn', $levels, true) => 1,
            default => 0,
        };
    }
}
