<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Filter;

/** The names of a command that takes several. */
final class Names
{
    /**
     * Each once. A wrong one ends the command before it has done anything: it is no failure that might heal.
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
                // Of the filter, not of its name: what comes next will say so.
            }
        }
        return $names;
    }

    /** What failed with one of them, beginning with its name or the path of its file. */
    public static function reason(string $name, \Throwable $thrown): string
    {
        $message = Text::line(ApiArgument::message($thrown));
        return preg_match('/^(.*\/)?' . preg_quote($name, '/') . '( in the store)?: /', $message) ? $message : "$name: $message";
    }
}
