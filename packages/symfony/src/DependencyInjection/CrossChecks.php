<?php

declare(strict_types=1);

namespace Bloom\Symfony\DependencyInjection;

use Bloom\Kit\Interval;
use Bloom\Kit\KeyWrite;
use Symfony\Component\Config\Definition\Exception\InvalidConfigurationException;
use Symfony\Component\DependencyInjection\Attribute\Target;

/**
 * Checks what the tree cannot express, and sets the defaults that depend on other values.
 *
 * @phpstan-type StoreConfig array{type: string, value: string, prefix: string}
 * @phpstan-type FilterConfig array{store: string|null, interval: float|string, journal: bool, max_lag: float|string,
 *     fold: string|null, write: string, shadow: float|string, fake: value-of<Services::FAKES>|null}
 * @phpstan-type PasswordsConfig array{filter: string, fallback: string}
 * @phpstan-type Config array{stores: array<StoreConfig>, filters: array<FilterConfig>, breached_passwords: PasswordsConfig|null}
 *
 * What the tree returns. A string instead of a number stands for an environment variable:
 *
 * @phpstan-type StoreNode array{directory?: mixed, redis?: mixed, memcached?: mixed, service?: mixed, prefix: mixed}
 * @phpstan-type FilterNode array{store: string|null, interval?: float|string, journal: bool, max_lag: float|string,
 *     fold: string|null, write: string, shadow: float|string, fake: value-of<Services::FAKES>|null}
 */
final class CrossChecks
{
    /**
     * @param array{stores: array<StoreNode>, filters: array<FilterNode>, breached_passwords?: PasswordsConfig} $config
     *
     * @return Config
     */
    public static function apply(array $config): array
    {
        $stores = $filters = $arguments = [];
        foreach ($config['stores'] as $name => $store) {
            $stores[$name] = self::store("bloom.stores.$name", $store);
        }
        foreach ($config['filters'] as $name => $filter) {
            $name = (string) $name; // PHP turns the array key "2024" into an int
            $path = "bloom.filters.$name";
            self::checkName($path, $name);
            $other = $arguments[self::argument($name, 'filter')] ??= $name;
            if ($other !== $name) {
                self::fail($path, sprintf(
                    '"%s" and "%s" would both be injected as $%s; rename one of them',
                    $name,
                    $other,
                    self::argument($name, 'filter')
                ));
            }
            self::checkFilter($path, $filter, $stores);
            $filter['interval'] ??= Interval::default($filter['journal']);
            if ($filter['journal']) {
                self::checkLag($path, $filter['interval'], $filter['max_lag']);
            }
            $filters[$name] = $filter;
        }
        $passwords = $config['breached_passwords'] ?? null;
        if ($passwords !== null) {
            $path = 'bloom.breached_passwords.filter';
            self::checkListed($path, 'filter', self::text($path, $passwords['filter'], 'the name of a filter'), $filters);
        }
        return ['stores' => $stores, 'filters' => $filters, 'breached_passwords' => $passwords];
    }

    /** Returns the argument's name under which a service is autowired: "booth.tags" becomes $boothTagsFilter. */
    public static function argument(string $filter, string $suffix): string
    {
        return (new Target("$filter $suffix"))->getParsedName();
    }

    /**
     * @param StoreNode $store
     *
     * @return StoreConfig
     */
    private static function store(string $path, array $store): array
    {
        // A null removes a type that another file sets, for example in the environment "test".
        $given = array_filter($store, static fn (mixed $value): bool => $value !== null);
        $types = array_keys(array_intersect_key($given, array_flip(Configuration::STORE_TYPES)));
        if (count($types) !== 1) {
            self::fail($path, sprintf(
                '%s given; give exactly one of %s',
                $types === [] ? 'no type' : self::quote($types),
                self::quote(Configuration::STORE_TYPES)
            ));
        }
        $type = $types[0];
        $what = $type === 'directory' ? 'the path of a directory' : 'the id of a service';
        return [
            'type' => $type,
            'value' => self::text("$path.$type", $given[$type] ?? null, $what),
            'prefix' => self::text("$path.prefix", $store['prefix'], 'a string'),
        ];
    }

    private static function text(string $path, mixed $value, string $allowed): string
    {
        return is_string($value) && $value !== ''
            ? $value
            : self::fail($path, json_encode($value) . " given; give $allowed");
    }

    private static function checkName(string $path, string $name): void
    {
        if (preg_match('/^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/D', $name) !== 1) {
            self::fail($path, sprintf(
                '"%s" is not a valid name; use 1 to 128 of the characters A-Z a-z 0-9 . _ -,'
                    . ' and neither . nor - as the first one',
                $name
            ));
        }
    }

    /**
     * @param FilterNode $filter
     * @param array<StoreConfig> $stores
     */
    private static function checkFilter(string $path, array $filter, array $stores): void
    {
        $store = $filter['store'];
        if ($store !== null) {
            self::checkListed("$path.store", 'store', $store, $stores);
        }
        $needsStore = [
            'interval' => $filter['interval'] ?? false,
            'journal' => $filter['journal'],
        ];
        foreach ($store === null ? $needsStore : [] as $key => $value) {
            if ($value !== false) {
                self::fail("$path.$key", "this key needs a store; set $path.store");
            }
        }
        if ($filter['write'] !== KeyWrite::Journal->value && !$filter['journal']) {
            self::fail("$path.write", "this key needs a journal; set $path.journal to true");
        }
        if ($store !== null && $filter['journal'] && $stores[$store]['type'] === 'memcached') {
            self::fail("$path.journal", sprintf(
                'the store "%s" is in Memcached, which cannot keep journals; use Redis or a directory',
                $store
            ));
        }
    }

    /** @param array<mixed> $listed of bloom.stores or bloom.filters */
    private static function checkListed(string $path, string $what, string $name, array $listed): void
    {
        if (!isset($listed[$name])) {
            $names = $listed === [] ? "bloom.{$what}s is empty" : "bloom.{$what}s has " . self::quote(array_keys($listed));
            self::fail($path, "there is no $what \"$name\"; $names");
        }
    }

    private static function checkLag(string $path, float|string $interval, float|string|null $maxLag): void
    {
        // A string stands for an environment variable, whose value is not known yet.
        $problem = is_float($interval) && !is_string($maxLag) ? Interval::problem($interval, $maxLag) : null;
        if ($problem !== null) {
            self::fail("$path.interval", $problem);
        }
    }

    /** @param list<string|int> $names */
    private static function quote(array $names): string
    {
        return '"' . implode('", "', $names) . '"';
    }

    private static function fail(string $path, string $problem): never
    {
        $exception = new InvalidConfigurationException("Invalid configuration for path \"$path\": $problem.");
        $exception->setPath($path);
        throw $exception;
    }
}
