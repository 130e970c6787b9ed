<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Filter;
use Bloom\Kit\Paths;
use Symfony\Component\Console\Input\InputInterface;

/**
 * Finds out which argument is which. In every command, NAME comes before STORE. A command also accepts the other order if the
 * two cannot be confused, because a name contains neither a slash nor a colon.
 */
final class Arguments
{
    /** Options whose value may be empty. */
    private const MAY_BE_EMPTY = ['source'];

    /** Fails if a value is empty, which usually means that a variable of a shell script is not set. */
    public static function refuseEmpty(InputInterface $input, Command $command): void
    {
        foreach ($input->getArguments() as $name => $value) {
            if (in_array('', (array) $value, true)) {
                throw Failure::usage((is_array($value) ? 'an argument' : strtoupper($name)) . " is empty; write {$command->usage()} (is a shell variable not set?)");
            }
        }
        foreach ($input->getOptions() as $name => $value) {
            if ($value === '' && !in_array($name, self::MAY_BE_EMPTY, true)) {
                throw Failure::usage("--$name is empty: give a value, or leave the option out (is a shell variable not set?)");
            }
        }
    }

    /**
     * Puts the arguments NAME, STORE and VERSION of a command into this order. Returns NAME and STORE.
     *
     * @param bool $onlyReads whether the command changes nothing in the store
     *
     * @return array{string, string}
     */
    public static function nameAndStore(InputInterface $input, Command $command, bool $onlyReads = false): array
    {
        $places = array_filter(['name', 'store', 'version'], static fn (string $name): bool
            => $input->hasArgument($name) && $input->getArgument($name) !== null);
        $ordered = self::ordered(array_map($input->getArgument(...), $places), 1, $command, $onlyReads);
        foreach ($places as $i => $name) {
            $input->setArgument($name, $ordered[$i]);
        }
        self::checkName($ordered[0], $command);
        return [$ordered[0], $ordered[1]];
    }

    /**
     * Splits the arguments NAME... STORE.
     *
     * @param list<string> $given
     *
     * @return array{list<string>, string}
     */
    public static function namesAndStore(array $given, Command $command, bool $onlyReads = false): array
    {
        $given = self::ordered($given, count($given) - 1, $command, $onlyReads);
        $store = (string) array_pop($given);
        return [self::names($given, $command), $store];
    }

    /**
     * Removes duplicates. An invalid name makes the command fail before it does anything.
     *
     * @param list<string> $names
     *
     * @return list<string>
     */
    public static function names(array $names, Command $command): array
    {
        foreach ($names as $name) {
            self::checkName($name, $command);
        }
        return array_values(array_unique($names));
    }

    /**
     * Returns the arguments with STORE at its place.
     *
     * A directory without a slash in its name could also be the name of a filter. If a command only reads from the store, a
     * mistake does no harm, so it takes the only argument that is a directory. Other commands say which order to use.
     *
     * @param list<string> $given
     * @param bool $onlyReads whether the command changes nothing in the store
     * @param bool $hasBlob whether one of the arguments is a blob, which may also have a slash or a colon
     *
     * @return list<string>
     */
    public static function ordered(array $given, int $place, Command $command, bool $onlyReads = false, bool $hasBlob = false): array
    {
        $isStore = $hasBlob ? self::isExistingStore(...) : self::isStore(...);
        if ($isStore($given[$place]) || ($hasBlob ? self::isDirectory($given[$place]) : self::exists($given[$place]))) {
            return $given;
        }
        $stores = array_keys(array_filter($given, $isStore));
        $isCertain = $stores !== [];
        $filters = self::filters();
        $stores = $stores ?: array_keys(array_filter($given, static fn (string $text): bool
            => self::isDirectory($text) && !in_array($text, $filters, true)));
        if (count($stores) !== 1) {
            return $given;
        }
        if (!$isCertain && !$onlyReads) {
            throw Failure::usage(($stores[0] === 0 ? 'NAME comes first' : 'STORE') . ": \"$given[$place]\" is not a directory, but \""
                . "{$given[$stores[0]]}\" is; write {$command->usage()}");
        }
        array_splice($given, $place, 0, array_splice($given, $stores[0], 1));
        return $given;
    }

    /**
     * Fails if the last of the keys was probably meant to be the store.
     *
     * @param list<string> $keys
     */
    public static function checkLast(string $store, array $keys, Command $command): void
    {
        $last = (string) end($keys);
        if (!self::isStore($store) && !self::isDirectory($store) && (self::isExistingStore($last) || self::isDirectory($last))) {
            throw Failure::usage("STORE comes before the keys: \"$store\" is not a directory, but \"$last\" is a store; write {$command->usage()}");
        }
    }

    /** Returns whether a text can only be a store: a URL or a path with a slash. */
    public static function isStore(string $text): bool
    {
        return preg_match('~[/:]|^\.{1,2}$~', $text) === 1 || (System::isWindows() && str_contains($text, '\\'));
    }

    /** Returns whether a text cannot even be a blob: the URL of a server, or an existing directory with a slash in its path. */
    public static function isExistingStore(string $text): bool
    {
        return StoreUrl::isOfServer($text) || self::isStore($text) && self::isDirectory($text);
    }

    /** Fails if a text cannot be the name of a filter. */
    public static function checkName(string $name, Command $command): void
    {
        if (preg_match(Names::PATTERN, $name)) {
            return;
        }
        $isFirst = preg_match('/ (?:BLOB|OUTPUT|PLACE|STORE)\b/', $command->usage()) === 1;
        $isOther = $isFirst && (preg_match('~^[a-z][a-z0-9+.-]+:~i', $name) || self::exists($name));
        throw Failure::usage(($isOther ? "NAME comes first: \"$name\" " : "NAME: \"$name\" ") . Names::RULE . "; write {$command->usage()}");
    }

    /** Fails if the blob was probably meant to be the name, and the name the blob. */
    public static function checkBlob(string $name, string $blob, Command $command): void
    {
        if ($blob !== '-' && self::exists($name) && !is_dir($name) && preg_match(Names::PATTERN, $blob) && !self::exists($blob)) {
            throw Failure::usage("NAME comes first: \"$blob\" is not a file, but \"$name\" is; write {$command->usage()}");
        }
        self::checkName($name, $command);
    }

    /** Fails if an output was probably meant to be the name of a filter. */
    public static function checkOutputOf(string $name, string $output, Command $command): void
    {
        self::checkName($name, $command);
        $filters = self::filters();
        if (in_array($output, $filters, true) && !in_array($name, $filters, true)) {
            throw Failure::usage("NAME comes first: \"$name\" is not a filter on this host, but \"$output\" is; write {$command->usage()}");
        }
    }

    public static function isFile(string $path): bool
    {
        return self::exists($path) && is_file($path);
    }

    private static function isDirectory(string $path): bool
    {
        return self::exists($path) && is_dir($path);
    }

    private static function exists(string $path): bool
    {
        return !Paths::isUrl($path) && file_exists($path);
    }

    /** @return list<string> the filters on this host; none if it cannot have any */
    private static function filters(): array
    {
        try {
            return Filter::list();
        } catch (BloomException) {
            return [];
        }
    }
}
