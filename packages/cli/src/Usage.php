<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Application as Console;
use Symfony\Component\Console\Exception\CommandNotFoundException;
use Symfony\Component\Console\Exception\ExceptionInterface;

/** Adds the remedy to the errors of symfony/console about the command line. */
final class Usage
{
    /** Two words are alike if at most this many letters, and half of the typed ones, must be changed. */
    private const DISTANCE = 2;

    /** Options of one command that users expect in another command. */
    private const SYNONYMS = ['capacity' => 'keys', 'keys' => 'capacity', 'json' => 'format=json', 'interval' => 'every',
        'fpr' => 'rate', 'error' => 'rate', 'out' => 'output', 'threads' => 'jobs', 'log' => 'log-format'];

    /** Commands of other programs, with what does the same here. */
    private const COMMANDS = ['version' => '--version', 'create' => 'build', 'delete' => 'drop', 'remove' => 'drop', 'ls' => 'list',
        'show' => 'info', 'status' => 'health', 'verify' => 'check'];

    /** @param list<string> $arguments argv */
    public static function clearer(\Throwable $thrown, Console $console, array $arguments): \Throwable
    {
        $message = $thrown->getMessage();
        if ($thrown instanceof CommandNotFoundException) {
            return self::unknownCommand($message, $console, str_starts_with($arguments[1] ?? '', '-'));
        }
        $disabled = self::disabled($thrown, $arguments[0]);
        if ($disabled !== null) {
            return new Failure(ExitCode::Unavailable, $disabled, $thrown);
        }
        if (!$thrown instanceof ExceptionInterface) {
            return $thrown;
        }
        $command = self::command($console, $arguments);
        return match (true) {
            preg_match('/^The "(--?[^"]*)" option does not exist\.$/', $message, $parts) === 1
                => self::unknownOption($parts[1], $command, $console),
            preg_match('/^The "(--[\w-]+)" option requires a value\.$/', $message, $parts) === 1
                => self::missingValue($parts[1], $arguments),
            preg_match('/^Not enough arguments \(missing: "(.*)"\)\.$/', $message, $parts) === 1 && $command !== null
                => self::missingArguments(explode(', ', $parts[1]), $command, end($arguments)),
            preg_match('/^(?:No arguments expected for|Too many arguments to) .*? command, (?:got "(.*)"|expected)/s', $message, $parts) === 1
                && $command !== null => self::tooManyArguments($parts[1] ?? null, $command),
            preg_match('/^The "(--[\w-]+)" option does not accept a value\.$/', $message, $parts) === 1
                => Failure::usage("$parts[1] takes no value: write only $parts[1]"),
            preg_match('/^Unsupported format "(.*)"/s', $message, $parts) === 1
                => Failure::usage("--format: \"$parts[1]\" is not a format of --help: leave it out"),
            default => $thrown,
        };
    }

    /** Returns a message if php.ini disables a function that was called. */
    public static function disabled(\Throwable $thrown, string $script): ?string
    {
        return preg_match('/^Call to undefined function (?:.+\\\\)?(\w+)\(\)$/', $thrown->getMessage(), $parts) && $thrown instanceof \Error
            && in_array($parts[1], array_map(trim(...), explode(',', (string) get_cfg_var('disable_functions'))), true)
            ? "disable_functions of php.ini disables $parts[1](), which bloom needs: run php -d disable_functions= $script"
            : null;
    }

    private static function unknownCommand(string $message, Console $console, bool $hasOptionsFirst): Failure
    {
        $commands = array_filter($console->all(), static fn ($command): bool => !$command->isHidden());
        $names = array_keys($commands);
        if (preg_match('/^Command "(.+)" is ambiguous/s', $message, $parts)) {
            $near = array_filter($names, static fn (string $name): bool => str_starts_with($name, $parts[1]));
            return Failure::usage("\"$parts[1]\" is the beginning of several commands: " . implode(', ', $near));
        }
        $typed = preg_match('/^Command "(.*)" is not defined/s', $message, $parts) ? $parts[1] : '';
        $near = isset(self::COMMANDS[$typed]) ? ['bloom ' . self::COMMANDS[$typed]] : self::near($typed, $names);
        return Failure::usage("there is no command \"$typed\": " . ($near === []
            ? ($hasOptionsFirst ? 'the command comes before its options; ' : '') . 'bloom --help lists the commands'
            : 'did you mean ' . implode(' or ', $near) . '?'));
    }

    private static function unknownOption(string $typed, ?Command $command, Console $console): Failure
    {
        $name = $command?->getName();
        $word = ltrim($typed, '-');
        $options = array_keys(($command ?? $console)->getDefinition()->getOptions());
        $near = array_filter(self::SYNONYMS, static fn (string $option, string $other): bool
            => str_contains($word, $other) && in_array(strtok($option, '='), $options, true), ARRAY_FILTER_USE_BOTH);
        $near = $near ?: self::near($word, $options);
        if ($near === [] && strlen($word) > 2) {
            $near = array_filter($options, static fn (string $option): bool
                => str_starts_with($option, $word) || str_contains("-$word-", "-$option-") || str_contains("-$option-", "-$word-"));
        }
        return Failure::usage(($name === null ? "there is no option $typed: " : "$name has no option $typed: ")
            . ($near === []
            ? 'bloom ' . ($name === null ? '' : "$name ") . '--help lists the options'
            : 'did you mean ' . implode(' or ', array_map(static fn (string $option): string => "--$option", $near)) . '?'));
    }

    /** A negative number, and - for standard input, look like an option. */
    private static function missingValue(string $option, array $arguments): Failure
    {
        $at = array_search($option, $arguments, true);
        $value = $at === false ? '' : $arguments[$at + 1] ?? '';
        return Failure::usage("$option needs a value: write $option=" . (preg_match('/^-(?:$|\.?\d)/D', $value) ? $value : 'VALUE'));
    }

    /** @param list<string> $names */
    private static function missingArguments(array $names, Command $command, string $given): Failure
    {
        // Some commands split an argument with all names into names and a store.
        $usage = $command->usage();
        $words = $names === ['names'] && preg_match('/(?: (NAME)| \[NAME)\.\.\.\]? (\w+)$/', $usage, $parts)
            ? array_filter(array_slice($parts, 1))
            : array_map(static fn (string $name): string => strtoupper(rtrim($name, 's')), $names);
        if ($words === ['STORE'] && Arguments::isExistingStore($given)) {
            $words = ['NAME'];
        }
        $last = array_pop($words);
        return Failure::usage(($words === [] ? "$last is" : implode(', ', $words) . " and $last are") . " missing: write $usage");
    }

    private static function tooManyArguments(?string $got, Command $command): Failure
    {
        $option = ['plan' => 'keys', 'metrics' => 'output'][$command->getName()] ?? null;
        return Failure::usage(match (true) {
            $got === null => "too many arguments: write {$command->usage()}",
            $option !== null => "{$command->getName()} takes no arguments: write bloom {$command->getName()} --$option=$got",
            default => "{$command->getName()} takes no arguments, but got \"$got\"",
        });
    }

    /** @param list<string> $arguments argv */
    private static function command(Console $console, array $arguments): ?Command
    {
        foreach (array_slice($arguments, 1) as $argument) {
            if (!str_starts_with($argument, '-')) {
                try {
                    $command = $console->find($argument);
                } catch (CommandNotFoundException) {
                    return null;
                }
                return $command instanceof Command ? $command : null;
            }
        }
        return null;
    }

    /**
     * Returns the words that are most like a misspelled one.
     *
     * @param list<string> $words
     *
     * @return list<string>
     */
    private static function near(string $typed, array $words): array
    {
        $distances = array_map(static fn (string $word): int => levenshtein($word, $typed), $words);
        $most = min(self::DISTANCE, intdiv(strlen($typed), 2), ...$distances);
        return array_values(array_filter($words, static fn (int $i): bool => $distances[$i] === $most, ARRAY_FILTER_USE_KEY));
    }
}
