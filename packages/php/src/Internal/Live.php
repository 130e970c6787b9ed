<?php

namespace Bloom\Internal;

use Bloom\Blob;
use Bloom\BloomException;
use Bloom\Kind;
use Bloom\Status;

/**
 * Creates the filters to which keys are added, and changes their sets. A set is exact, so it has no false positives; the
 * capacity and the rate matter only for an export.
 *
 * @phpstan-import-type Current from FilterDirectory
 * @phpstan-import-type Wanted from FilterDirectory
 */
final class Live
{
    private const PARAMS = ['growth' => 0.0, 'tightening' => 0.0, 'windowMs' => 0, 'groups' => 0, 'fanOut' => 0, 'bounded' => false];
    private const TEXTS = ['capacity' => 'capacity', 'rate' => 'false-positive rate', 'growth' => 'growth', 'tightening' => 'tightening',
        'windowMs' => 'window', 'groups' => 'number of groups', 'fanOut' => 'fan-out'];
    private const COUNT_MAX = 15;

    /**
     * Implements create().
     *
     * @param array<string, int|float|bool> $own the parameters of the kind
     * @param array<int, string> $arguments the names of the method's parameters, by their position
     */
    public static function create(
        string $name,
        Kind $kind,
        array $own,
        ?int $seed,
        bool $keyed,
        ?float $ttl,
        bool $exclusive,
        string $method,
        array $arguments
    ): void {
        Arguments::name($name, $method);
        $params = $own + self::PARAMS;
        $ttlMs = Arguments::milliseconds($ttl);
        $params['fingerprint'] = $keyed ? Ring::current(Status::NoSecret)->fingerprint : 0;
        $problem = $ttlMs < 0 ? Sentences::TTL : self::problem($kind, $params);
        if ($problem !== null) {
            throw self::refuse($problem, $method, $arguments);
        }
        $directory = Segment::filter($name);
        $directory->locked(function () use ($directory, $name, $kind, $params, $seed, $ttlMs, $exclusive): void {
            $current = $directory->current();
            if ($current !== null) {
                self::checkThere($name, $kind, $current, $params, $seed, $exclusive);
                return;
            }
            $bytes = KeySet::file();
            Segment::reserve($name, strlen($bytes));
            $file = FilterDirectory::newFile(1, 'keys');
            $directory->store($file, $bytes);
            $now = Clock::milliseconds();
            /** @var Wanted $wanted */
            $wanted = $params + ['seed' => $seed ?? random_int(PHP_INT_MIN, PHP_INT_MAX)];
            $directory->switch(['kind' => $kind->value, 'isIndex' => false, 'generation' => 1, 'file' => $file, 'isBlob' => false,
                'journal' => null, 'loadedMs' => $now, 'loads' => 1, 'memory' => 0, 'expiresMs' => $ttlMs > 0 ? $now + $ttlMs : null,
                'params' => $wanted]);
        });
    }

    /** @param array<string, int|float|bool> $params */
    private static function problem(Kind $kind, array $params): ?int
    {
        $isIndex = $kind === Kind::Reverse;
        $early = match (true) {
            $kind === Kind::Scalable && !($params['growth'] >= 1.1 && $params['growth'] <= 16) => Sentences::GROWTH,
            $kind === Kind::Scalable && !($params['tightening'] >= 0.1 && $params['tightening'] <= 0.99) => Sentences::TIGHTENING,
            $kind === Kind::Sliding && $params['windowMs'] <= 0 => Sentences::WINDOW,
            $isIndex && $params['groups'] < 1 => Sentences::GROUPS,
            $params['capacity'] < 1 || $params['capacity'] > Head::CAPACITY_MAX => Sentences::CAPACITY,
            !($params['rate'] >= 1e-9 && $params['rate'] <= 0.5) => Sentences::RATE,
            $isIndex && ($params['fanOut'] < 1 || $params['fanOut'] > Geometry::FAN_OUT_MAX) => Sentences::FAN_OUT,
            default => null,
        };
        $geometry = $early === null ? self::geometry($params, 0) : null;
        return is_int($geometry) ? $geometry : $early;
    }

    /** @param array<string, int|float|bool> $params */
    private static function geometry(array $params, int $seed): Geometry|int
    {
        return Sizing::choose(new Params((int) $params['capacity'], (float) $params['rate'], groups: (int) $params['groups'],
            fanOut: (int) $params['fanOut'], fingerprint: (int) $params['fingerprint']), $seed);
    }

    /** @param array<int, string> $arguments */
    private static function refuse(int $code, string $method, array $arguments): \ValueError
    {
        $name = match ($code) {
            Sentences::RATE, Sentences::RATE_FLOOR, Sentences::GROUPS_RATE => 'falsePositiveRate',
            Sentences::GROWTH => 'growth',
            Sentences::TIGHTENING => 'tightening',
            Sentences::WINDOW => 'window',
            Sentences::GROUPS => 'groups',
            Sentences::FAN_OUT => 'fanOut',
            Sentences::TTL => 'ttl',
            default => in_array('initialCapacity', $arguments, true) ? 'initialCapacity' : 'capacity',
        };
        return Arguments::refuse($method, (int) array_search($name, $arguments, true), $name, $code);
    }

    /**
     * @param Current $current
     * @param array<string, int|float|bool> $asked
     */
    private static function checkThere(string $name, Kind $kind, array $current, array $asked, ?int $seed, bool $exclusive): void
    {
        $there = $current['params'];
        if ($current['kind'] !== $kind->value || $there === null) {
            throw Load::wrongKind($name, $current, Load::text($kind));
        }
        if ($exclusive) {
            throw Failure::of(Status::Exists, $name);
        }
        foreach (self::TEXTS as $param => $text) {
            if ($there[$param] != $asked[$param]) {
                $scale = $param === 'windowMs' ? 1 / 1000 : 1;
                throw Failure::of(Status::Exists, sprintf('%s: its %s is %s, but %s was requested', $name, $text,
                    Filling::short($there[$param] * $scale, 15), Filling::short((float) $asked[$param] * $scale, 15)));
            }
        }
        $difference = match (true) {
            ($there['fingerprint'] !== 0) !== ($asked['fingerprint'] !== 0) => 'it is' . ($there['fingerprint'] !== 0 ? '' : ' not') . ' keyed',
            $there['bounded'] !== $asked['bounded'] => 'it ' . ($there['bounded'] ? 'refuses' : 'accepts') . ' keys when it is full',
            $seed !== null && $seed !== $there['seed'] => "its seed is {$there['seed']}, but $seed was requested",
            default => null,
        };
        if ($difference !== null) {
            throw Failure::of(Status::Exists, "$name: $difference");
        }
    }

    /**
     * Adds keys.
     *
     * @param iterable<array-key, string> $keys if it throws, the keys before are added
     * @param Current $current
     *
     * @return array{array<array-key, bool>, string, ?\Throwable} whether each key was new, the records, and what was thrown
     */
    public static function add(KeySet $set, iterable $keys, array $current, string $name): array
    {
        $params = $current['params'] ?? throw new \LogicException('only live filters have parameters');
        $isCounting = $current['kind'] === Kind::Counting->value;
        $answers = $new = [];
        $records = '';
        $size = $params['bounded'] ? $set->size() : 0;
        try {
            foreach ($keys as $at => $key) {
                $isNew = !isset($new[$key]) && !$set->has($key, $params['windowMs']);
                if ($isNew && $params['bounded'] && $size + count($new) >= $params['capacity']) {
                    throw Failure::of(Status::Full, "$name: {$params['capacity']} keys");
                }
                $records .= $isNew || $isCounting || $params['windowMs'] > 0 ? KeySet::record($key) : '';
                $new += $isNew ? [$key => true] : [];
                $answers[$at] = $isNew;
            }
        } catch (\Throwable $error) {
            return [$answers, $records, $error];
        }
        return [$answers, $records, null];
    }

    /** @return array{bool, string} */
    public static function addToGroup(KeySet $set, int $group, string $value): array
    {
        $isNew = !$set->hasGroup($value, $group);
        return [$isNew, $isNew ? KeySet::record($value, 1, $group) : ''];
    }

    /** @return array{bool, string} */
    public static function remove(KeySet $set, string $key): array
    {
        $isThere = $set->has($key);
        return [$isThere, $isThere ? KeySet::record($key, -1) : ''];
    }

    public static function count(KeySet $set, string $key): int
    {
        return min(self::COUNT_MAX, $set->count($key));
    }

    /** @param Current $current */
    public static function export(KeySet $set, array $current, string $source): Blob
    {
        /** @var Wanted $params */
        $params = $current['params'];
        $geometry = self::geometry($params, $params['seed']);
        if (is_int($geometry)) {
            throw new BloomException(Sentences::ALL[$geometry][1]);
        }
        $filling = new Filling($geometry, new Meta($params['capacity'], $params['rate'], Clock::milliseconds(), 65536, $source), Digest::for($geometry));
        foreach ($set->keys($params['windowMs']) as $key) {
            foreach ($params['groups'] > 0 ? $set->groups($key) : [null] as $group) {
                $group === null ? $filling->add($key) : $filling->addToGroup($group, $key);
            }
        }
        return Build::blob($filling, 1.0);
    }
}
