<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Input\InputInterface;

/** The option --timeout of the commands that use a store. */
final class Timeout
{
    public static function of(InputInterface $input): float
    {
        $seconds = Values::number($input, 'timeout');
        return $seconds > 0 && $seconds <= 86400
            ? $seconds
            : throw Failure::usage('--timeout must be greater than 0 and at most 86,400 seconds');
    }
}
