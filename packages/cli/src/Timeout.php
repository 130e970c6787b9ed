<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Input\InputInterface;

/** The option --timeout of the commands that use a store. */
final class Timeout
{
    public static function of(InputInterface $input): float
    {
        return (float) Values::duration($input, 'timeout', 86400);
    }
}
