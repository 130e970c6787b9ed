<?php

namespace Bloom\Internal;

use Bloom\Blob;
use Bloom\BloomException;
use Bloom\Kind;
use Bloom\Status;

/**
 * Creates the filters to which keys are added, and changes their sets. A set is exact, so it has no false positives;
 * the capacity and the rate matter only for an export.
 *
 * @phpstan-import-type Current from FilterDirectory
 * @phpstan-import-type Wanted from FilterDirectory
 */
final class Live
{
    private const PARAMS = ['growth' => 0.0, 'tightening' => 0.0, 'windowMs' => 0, 'groups' => 0, 'fanOut' => 0,
        'bounded' => false];

    /**
     * Implements create().
     *
     * @param class-string $class
     * @param array<string, int|float|bool> $own the parameters of the kind
     */
    public static function create(
        string $class,
        string $name,
        Kind $kind,
        array $own,
        ?int $seed,
        bool $keyed,
        ?float $ttl,
        bool $exclusive
    ): void {
        $method = substr("$class::create", strlen('Bloom\\'));
        Arguments::name($name, $method);
        if ($keyed) {
            throw Failure::needsExtension('a keyed filter');
        }
        $params = $own + self::PARAMS;
        $ttlMs = Arguments::milliseconds($ttl);
        $problem = $ttlMs < 0 ? Sentences::TTL : self::problem($kind, $params);
        if ($problem !== null) {
            throw Arguments::refuse($method, $problem);
        }
        $directory = Segment::filter($name);
        $directory->locked(function (?array $current) use ($directory, $name, $kind, $params, $seed, $ttlMs, $exclusive): void {
            $asked = $params + ($seed === null ? [] : ['seed' => $seed]);
            if ($current === null) {
                $directory->switch(null, null, KeySet::at('', false, ['', 0, 0]), [
                    'kind' => $kind->value,
                    'expiresMs' => $ttlMs > 0 ? System::milliseconds() + $ttlMs : null,
                    'params' => $asked + ['seed' => random_int(PHP_INT_MIN, PHP_INT_MAX)],
                ]);
                return;
            }
            if ($current['kind'] !== $kind->value || $current['params'] === null) {
                throw FilterDirectory::wrongKind($name, $current, FilterDirectory::text($kind));
            }
            $different = array_diff_assoc(array_map(json_encode(...), $asked),
                array_map(json_encode(...), $current['params']));
            if ($exclusive || $different !== []) {
                throw Failure::of(Status::Exists, $different === [] ? $name : "$name: other parameters were requested ("
                    . implode(', ', array_keys($different)) . ')');
            }
        });
    }

    /** @param array<string, int|float|bool> $params */
    private static function problem(Kind $kind, array $params): ?string
    {
        $problem = match (true) {
            $kind === Kind::Scalable && !($params['growth'] >= 1.1 && $params['growth'] <= 16) => Sentences::GROWTH,
            $kind === Kind::Scalable
                && !($params['tightening'] >= 0.1 && $params['tightening'] <= 0.99) => Sentences::TIGHTENING,
            $kind === Kind::Sliding && $params['windowMs'] <= 0 => Sentences::WINDOW,
            $kind === Kind::Reverse && $params['groups'] < 1 => Sentences::GROUPS,
            default => self::geometry($params, 0),
        };
        return is_string($problem) ? $problem : null;
    }

    /** @param array<string, int|float|bool> $params */
    private static function geometry(array $params, int $seed): Geometry|string
    {
        return Sizing::choose(new Params((int) $params['capacity'], (float) $params['rate'],
            groups: (int) $params['groups'],
            fanOut: (int) $params['fanOut']), $seed);
    }

    /**
     * Adds keys.
     *
     * @param iterable<array-key, string> $keys if it throws, the keys before are added
     * @param Current $current
     *
     * @return array{array{array<array-key, bool>, \Throwable|null}, string} whether each key was new, what was thrown, and
     *         the records
     */
    public static function add(KeySet $set, iterable $keys, array $current, string $name): array
    {
        $params = $current['params'] ?? throw new \LogicException('only live filters have parameters');
        $isCounting = $current['kind'] === Kind::Counting->value;
        $answers = $new = [];
        $records = '';
        $size = $params['bounded'] ? count($set->keys()) : 0;
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
            return [[$answers, $error], $records];
        }
        return [[$answers, null], $records];
    }

    /** @param Current $current */
    public static function export(KeySet $set, array $current, string $source): Blob
    {
        /** @var Wanted $params */
        $params = $current['params'];
        $geometry = self::geometry($params, $params['seed']);
        if (is_string($geometry)) {
            throw new BloomException($geometry);
        }
        $meta = new Meta($params['capacity'], $params['rate'], System::milliseconds(), 65536, $source);
        $filling = new Filling($geometry, $meta);
        foreach ($set->keys($params['windowMs']) as $key) {
            foreach ($params['groups'] > 0 ? $set->groups($key) : [null] as $group) {
                $group === null ? $filling->add($key) : $filling->addToGroup($group, $key);
            }
        }
        return $filling->blob(1.0);
    }
}
