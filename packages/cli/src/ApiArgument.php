<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Input\InputInterface;

/** Rewrites the message of a ValueError so that it names the option or argument that the user typed. */
final class ApiArgument
{
    private const PATTERN = '/^Bloom\\\\\w+::\w+\(\): Argument #\d+ \((?|\$layout\) has an invalid (\w+): it|\$(\w+)\)) (.+)$/s';

    /** A longer value is not repeated in a message. */
    private const SHOWN_BYTES = 40;

    /** Parameters whose option or argument is not simply their name in kebab case. */
    private const NAMES = [
        'falsePositiveRate' => '--rate',
        'maxFalsePositiveRate' => '--max-rate',
        'memory' => '--on-demand',
        'format' => '--scheme',
        'name' => 'NAME',
        'directory' => 'STORE',
    ];

    public static function isBlamedBy(\ValueError $error): bool
    {
        return preg_match(self::PATTERN, $error->getMessage()) === 1;
    }

    /** Adds the value that the user typed. */
    public static function withValue(\ValueError $error, InputInterface $input): Failure
    {
        $message = self::message($error);
        if (!$input->hasOption('capacity')) {
            $message = preg_replace('/^--capacity\b/', '--keys', $message);
        }
        preg_match('/^--([a-z-]+)/', $message, $parts);
        $option = isset($parts[1]) && $input->hasOption($parts[1]) ? $input->getOption($parts[1]) : null;
        return new Failure(ExitCode::Usage, is_string($option) && strlen($option) <= self::SHOWN_BYTES ? "$message, not \"$option\"" : $message, $error);
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
