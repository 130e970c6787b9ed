<?php

declare(strict_types=1);

namespace Bloom\Laravel;

use Bloom\Kit\Fold;
use Bloom\Kit\Interval;
use Bloom\Kit\KeyWrite;
use Bloom\Kit\PasswordFallback;
use Illuminate\Contracts\Config\Repository;

/** Reads config/bloom.php. Each mistake throws an InvalidArgumentException that names the key. */
final readonly class Settings
{
    private const FILTER_KEYS = ['store', 'interval', 'journal', 'max_lag', 'write', 'fold', 'shadow'];

    /** @var array<string, list<string>> the keys of each driver; the first one is required */
    private const DRIVERS = [
        'directory' => ['path'],
        'redis' => ['connection', 'prefix'],
        'memcached' => ['cache', 'prefix'],
        'service' => ['service'],
    ];

    public function __construct(private Repository $config)
    {
    }

    /** @return list<string> the names of all filters */
    public function filters(): array
    {
        return array_map(strval(...), array_keys(self::map('bloom.filters', $this->config->get('bloom.filters', []))));
    }

    public function filter(string $name): FilterSettings
    {
        // A name can contain dots, so $name is not part of the path that is read.
        $filters = self::map('bloom.filters', $this->config->get('bloom.filters', []));
        if (!isset($filters[$name])) {
            throw self::unknown('filter', $name, 'bloom.filters', array_keys($filters));
        }
        $path = "bloom.filters.$name";
        $values = self::map($path, $filters[$name]);
        self::checkKeys($path, $values, self::FILTER_KEYS);
        $store = self::text("$path.store", $values['store'] ?? null);
        $hasJournal = self::flag("$path.journal", $values['journal'] ?? false);
        $interval = self::seconds("$path.interval", $values['interval'] ?? Interval::default($hasJournal));
        $maxLag = isset($values['max_lag']) ? self::seconds("$path.max_lag", $values['max_lag']) : null;
        if ($store === null && $hasJournal) {
            throw self::wrong($path, 'a journal needs a store; set ' . $path . '.store');
        }
        $problem = $hasJournal ? Interval::problem($interval, $maxLag) : null;
        if ($problem !== null) {
            throw self::wrong("$path.interval", $problem);
        }
        $write = self::oneOf(KeyWrite::class, "$path.write", $values['write'] ?? null) ?? KeyWrite::Journal;
        if (isset($values['write']) && !$hasJournal) {
            throw self::wrong("$path.write", "this key needs a journal; set $path.journal to true");
        }
        $fold = self::text("$path.fold", $values['fold'] ?? null);
        try {
            $fold = $fold === null ? null : Fold::named($fold);
        } catch (\ValueError $error) {
            throw self::wrong("$path.fold", $error->getMessage());
        }
        $shadow = $values['shadow'] ?? 0;
        if (!is_numeric($shadow) || $shadow < 0 || $shadow > 1) {
            throw self::wrong("$path.shadow", 'expected a number from 0 to 1, got ' . self::shown($shadow));
        }
        return new FilterSettings($store, $interval, $hasJournal, $maxLag, $write, $fold, (float) $shadow);
    }

    /** @return array{string, PasswordFallback}|null the filter of breached passwords; null: none */
    public function breachedPasswords(): ?array
    {
        $path = 'bloom.breached_passwords';
        $values = $this->config->get($path);
        if ($values === null) {
            return null;
        }
        $values = self::map($path, $values);
        self::checkKeys($path, $values, ['filter', 'fallback']);
        $filter = self::text("$path.filter", $values['filter'] ?? null) ?? throw self::wrong("$path.filter", 'the value is missing');
        return [$filter, self::oneOf(PasswordFallback::class, "$path.fallback", $values['fallback'] ?? null) ?? PasswordFallback::Accept];
    }

    /** @return array{string, string, string} the driver of a store, the value of its required key, and its prefix */
    public function store(string $name): array
    {
        $stores = self::map('bloom.stores', $this->config->get('bloom.stores', []));
        if (!isset($stores[$name])) {
            throw self::unknown('store', $name, 'bloom.stores', array_keys($stores));
        }
        $path = "bloom.stores.$name";
        $values = self::map($path, $stores[$name]);
        $driver = self::text("$path.driver", $values['driver'] ?? null) ?? '';
        if (!isset(self::DRIVERS[$driver])) {
            $drivers = self::quote(array_keys(self::DRIVERS));
            throw self::wrong("$path.driver", "\"$driver\" is not a driver; use $drivers");
        }
        self::checkKeys($path, $values, ['driver', ...self::DRIVERS[$driver]]);
        $key = self::DRIVERS[$driver][0];
        $value = self::text("$path.$key", $values[$key] ?? null)
            ?? throw self::wrong("$path.$key", 'the value is missing');
        return [$driver, $value, self::text("$path.prefix", $values['prefix'] ?? null) ?? 'bloom:'];
    }

    /** @return array<mixed> */
    private static function map(string $path, mixed $value): array
    {
        return is_array($value) ? $value : throw self::wrong($path, 'expected an array, got ' . get_debug_type($value));
    }

    private static function text(string $path, mixed $value): ?string
    {
        return $value === null || is_string($value) ? $value
            : throw self::wrong($path, 'expected a string, got ' . get_debug_type($value));
    }

    /**
     * @template T of \BackedEnum
     *
     * @param class-string<T> $cases
     *
     * @return T|null
     */
    private static function oneOf(string $cases, string $path, mixed $value): ?\BackedEnum
    {
        $text = self::text($path, $value);
        return $text === null ? null : $cases::tryFrom($text)
            ?? throw self::wrong($path, 'use ' . self::quote(array_map(static fn (\BackedEnum $case): string|int => $case->value, $cases::cases())));
    }

    private static function flag(string $path, mixed $value): bool
    {
        return is_bool($value) ? $value
            : throw self::wrong($path, 'expected true or false, got ' . get_debug_type($value));
    }

    /** Values from the environment are strings. */
    private static function seconds(string $path, mixed $value): float
    {
        return is_numeric($value) && $value >= 0 ? (float) $value
            : throw self::wrong($path, 'expected a number of seconds, got ' . self::shown($value));
    }

    private static function shown(mixed $value): string
    {
        return is_scalar($value) ? var_export($value, true) : get_debug_type($value);
    }

    /**
     * @param array<mixed> $values
     * @param list<string> $allowed
     */
    private static function checkKeys(string $path, array $values, array $allowed): void
    {
        foreach (array_diff(array_keys($values), $allowed) as $key) {
            throw self::wrong("$path.$key", 'there is no such key; the keys are ' . self::quote($allowed));
        }
    }

    /** @param list<string|int> $names */
    private static function unknown(string $what, string $name, string $path, array $names): \InvalidArgumentException
    {
        $known = $names === [] ? "$path is empty" : 'there is ' . self::quote($names);
        return self::wrong($path, "there is no $what \"$name\"; $known");
    }

    private static function wrong(string $path, string $problem): \InvalidArgumentException
    {
        return new \InvalidArgumentException("$path: $problem");
    }

    /** @param list<string|int> $names */
    private static function quote(array $names): string
    {
        return '"' . implode('", "', $names) . '"';
    }
}
