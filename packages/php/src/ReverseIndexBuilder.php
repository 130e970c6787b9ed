<?php

namespace Bloom;

use Bloom\Internal\Answers;
use Bloom\Internal\Arguments;
use Bloom\Internal\Filling;
use Bloom\Internal\Params;

/** Builds the Blob of a ReverseIndex from groups and their values. */
final class ReverseIndexBuilder
{
    use Internal\Building;

    public function __construct(
        int $groups,
        int $capacity,
        float $falsePositiveRate = 0.001,
        int $fanOut = 256,
        ?int $seed = null,
        string $source = '',
        bool $keyed = false,
        #[\SensitiveParameter] ?string $secret = null
    ) {
        $params = self::params($groups, $capacity, $falsePositiveRate, $fanOut);
        $method = 'ReverseIndexBuilder::__construct';
        $this->start(Filling::make($method, $params, null, $seed, null, $source, $keyed || $secret !== null));
    }

    private static function params(int $groups, int $capacity, float $rate, int $fanOut): Params
    {
        return new Params(max(0, $capacity), $rate, groups: $groups > 0 ? $groups : -1, fanOut: $fanOut > 0 ? $fanOut
            : -1);
    }

    public static function like(
        Blob $previous,
        ?int $groups = null,
        ?int $capacity = null,
        ?float $falsePositiveRate = null,
        ?int $fanOut = null,
        ?int $seed = null,
        ?string $source = null,
        ?bool $keyed = null,
        #[\SensitiveParameter] ?string $secret = null
    ): ReverseIndexBuilder {
        $head = Answers::of($previous)->head;
        $geometry = $head->geometry;
        Arguments::previous($geometry, 'ReverseIndexBuilder');
        $params = self::params($groups ?? $geometry->groups, $capacity ?? $head->capacity,
            $falsePositiveRate ?? $head->validRate(), $fanOut ?? $geometry->fanOut);
        $isSame = $params->groups > 0 && $params->groups <= Internal\Geometry::GROUPS_MAX
            && $params->fanOut === $geometry->fanOut && $params->capacity === $head->capacity
                && $head->isRate($falsePositiveRate)
            && $geometry->with(['groups' => $params->groups])->levels() === $geometry->levels();
        $wanted = $isSame ? $geometry->with(['groups' => $params->groups]) : $params;
        return self::of(Filling::make('ReverseIndexBuilder::like', $wanted, $head, $seed, null, $source
            ?? $head->source,
            ($keyed ?? $geometry->fingerprint !== 0) || $secret !== null));
    }

    public function add(int $group, mixed $value): bool
    {
        $value = Arguments::key($value, 'ReverseIndexBuilder::add', 'value');
        $this->check($group, 'add');
        return $this->filling()->addToGroup($group, $value);
    }

    /** @param iterable<mixed, string|int> $values */
    public function addMany(int $group, iterable $values): int
    {
        $this->check($group, 'addMany');
        $new = 0;
        foreach (Arguments::keys($values, 'ReverseIndexBuilder::addMany', 'values') as $value) {
            $new += (int) $this->filling()->addToGroup($group, $value);
        }
        return $new;
    }

    private function check(int $group, string $method): void
    {
        $groups = $this->filling()->geometry->groups;
        if ($group < 0 || $group >= $groups) {
            throw Arguments::error("ReverseIndexBuilder::$method", 'group', 'must be between 0 and ' . ($groups - 1));
        }
    }
}
