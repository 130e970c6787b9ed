<?php

namespace Bloom\Cli;

/** Rewrites the message of a ValueError so that it names the option or argument that the user typed. */
final class ApiArgument
{
    private const PATTERN = '/^Bloom\\\\\w+::\w+\(\): Argument #\d+ \(\$(\w+)\) (.+)$/s';

    /** Parameters whose option or argument is not simply their name in kebab case. */
    private const NAMES = [
        'falsePositiveRate' => '--rate',
        'maxFalsePositiveRate' => '--max-rate',
        'memory' => '--on-demand',
        'name' => 'NAME',
        'directory' => 'STORE',
    ];

    public static function isBlamedBy(\ValueError $error): bool
    {
        return preg_match(self::PATTERN, $error->getMessage()) === 1;
    }

    /** "--rate must be …" instead of "Bloom\Builder::__construct(): Argument #2 … must be …". */
    public static function message(\Throwable $thrown): string
    {
        if (!$thrown instanceof \ValueError || !preg_match(self::PATTERN, $thrown->getMessage(), $parts)) {
            return $thrown->getMessage();
        }
        $option = '--' . strtolower(preg_replace('/(?=[A-Z])/', '-', $parts[1]));
        return (self::NAMES[$parts[1]] ?? $option) . ' ' . $parts[2];
    }
}
