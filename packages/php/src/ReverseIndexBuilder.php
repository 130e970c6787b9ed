<?php

namespace Bloom;

use Bloom\Internal\Answers;
use Bloom\Internal\Arguments;
use Bloom\Internal\Filling;
use Bloom\Internal\Params;

/** Builds the Blob of a ReverseIndex from groups and their values. */
final class ReverseIndexBuilder
{
    use Internal\Sealed;

    private const ARGUMENTS = ['groups' => 1, 'capacity' => 2, 'falsePositiveRate' => 3, 'fanOut' => 4, 'source' => 6, 'secret' => 8];

    private ?Filling $filling = null;
    private bool $isBuilt = false;

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
        if ($this->filling !== null || $this->isBuilt) {
            throw new BloomException('This builder is already constructed');
        }
        $this->filling = Filling::make('ReverseIndexBuilder::__construct', self::ARGUMENTS,
            self::params($groups, $capacity, $falsePositiveRate, $fanOut), null, $seed, null, $source, $keyed, $secret);
    }

    private static function params(int $groups, int $capacity, float $rate, int $fanOut): Params
    {
        return new Params(max(0, $capacity), $rate, groups: $groups > 0 ? $groups : -1, fanOut: $fanOut > 0 ? $fanOut : -1);
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
        if ($geometry->groups === 0) {
            throw Arguments::error('ReverseIndexBuilder::like', 1, 'previous',
                'must be a reverse index (for other blobs use Bloom\Builder::like())');
        }
        $params = self::params($groups ?? $geometry->groups, $capacity ?? $head->capacity, $falsePositiveRate ?? max(1e-9, min(0.5, $head->askedRate())),
            $fanOut ?? $geometry->fanOut);
        $isSame = $params->groups > 0 && $params->groups <= Internal\Geometry::GROUPS_MAX && $params->fanOut === $geometry->fanOut
            && $params->capacity === $head->capacity && $head->isRate($falsePositiveRate)
            && $geometry->with(['groups' => $params->groups])->levels() === $geometry->levels();
        $builder = (new \ReflectionClass(self::class))->newInstanceWithoutConstructor();
        $builder->filling = Filling::make('ReverseIndexBuilder::like', array_map(fn (int $at): int => $at + 1, self::ARGUMENTS),
            $isSame ? $geometry->with(['groups' => $params->groups]) : $params, $head, $seed, null, $source ?? $head->source,
            $keyed ?? $geometry->fingerprint !== 0, $secret);
        return $builder;
    }

    public function add(int $group, mixed $value): bool
    {
        $value = Arguments::key($value, 'ReverseIndexBuilder::add', 2, 'value');
        $this->check($group, 'add');
        return $this->filling()->addToGroup($group, $value);
    }

    /** @param iterable<mixed, string|int> $values */
    public function addMany(int $group, iterable $values): int
    {
        $this->check($group, 'addMany');
        $new = 0;
        foreach (Arguments::keys($values, 'ReverseIndexBuilder::addMany', 2, 'values') as $value) {
            $new += (int) $this->filling()->addToGroup($group, $value);
        }
        return $new;
    }

    public function build(?float $maxFalsePositiveRate = null, ?float $builtAt = null, ?string $mark = null): Blob
    {
        $blob = $this->filling()->build('ReverseIndexBuilder', $maxFalsePositiveRate, $builtAt, $mark);
        $this->filling = null;
        $this->isBuilt = true;
        return $blob;
    }

    public function info(): BuilderInfo
    {
        return $this->filling()->info();
    }

    private function check(int $group, string $method): void
    {
        $groups = $this->filling()->geometry->groups;
        if ($group < 0 || $group >= $groups) {
            throw Arguments::error("ReverseIndexBuilder::$method", 1, 'group', 'must be from 0 to ' . ($groups - 1));
        }
    }

    private function filling(): Filling
    {
        return Filling::or($this->filling, $this->isBuilt);
    }
}
