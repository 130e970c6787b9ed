<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Filter;

/** Functions for commands that accept several filter names. */
final class Names
{
    /**
     * Removes duplicates. An invalid name makes the command fail before it does anything, because a retry cannot help.
     *
     * @param list<string> $names
     *
     * @return list<string>
     */
    public static function checked(array $names): array
    {
        $names = array_values(array_unique($names));
        foreach ($names as $name) {
            try {
                Filter::find($name);
            } catch (BloomException) {
                // The name is valid; the command itself will report what is wrong with the filter.
            }
        }
        return $names;
    }

    /** Returns a failure message that begins with the name of the filter or the path of its file. */
    public static function reason(string $name, \Throwable $thrown): string
    {
        $message = Text::line(ApiArgument::message($thrown));
        return preg_match('/^(.*[\/\\\\])?' . preg_quote($name, '/') . '( in the store)?: /', $message) ? $message : "$name: $message";
    }
}
