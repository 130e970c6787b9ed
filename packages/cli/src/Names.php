<?php

namespace Bloom\Cli;

/** Functions for commands that accept several filter names. */
final class Names
{
    /** What every name matches. */
    public const PATTERN = '/^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/D';
    public const RULE = 'must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -';

    /** Returns a failure message that begins with the name of the filter or the path of its file. */
    public static function reason(string $name, \Throwable $thrown): string
    {
        $message = Text::line(ApiArgument::message($thrown));
        return preg_match('/^(.*[\/\\\\])?' . preg_quote($name, '/') . '( in the store)?: /', $message) ? $message : "$name: $message";
    }

    /**
     * Reports a failure that does not end the command.
     *
     * @return array{name: string, error: string} what the result says about it
     */
    public static function failed(string $name, \Throwable $thrown, Report $report): array
    {
        $reason = self::reason($name, $thrown);
        $report->failure("bloom: $reason");
        return ['name' => $name, 'error' => $reason];
    }
}
