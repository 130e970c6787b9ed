<?php

namespace Bloom;

use Bloom\Internal\Arguments;
use Bloom\Internal\Build;
use Bloom\Internal\Filling;
use Bloom\Internal\Keys;
use Bloom\Internal\Params;

/** Builds the Blob of a ReverseIndex from groups and their values. */
final class ReverseIndexBuilder
{
    use Internal\Sealed;

    private const ARGUMENTS = ['groups' => 1, 'capacity' => 2, 'falsePositiveRate' => 3, 'fanOut' => 4, 'chunkBytes' => 6,
        'source' => 7, 'secret' => 9];

    private ?Filling $filling = null;
    private bool $isBuilt = false;

    /** Creates an empty builder. */
    public function __construct(
        int $groups,
        int $capacity,
        float $falsePositiveRate = 0.001,
        int $fanOut = 256,
        ?int $seed = null,
        ?int $chunkBytes = null,
        string $source = '',
        bool $keyed = false,
        #[\SensitiveParameter] ?string $secret = null
    ) {
        if ($this->filling !== null || $this->isBuilt) {
            throw new BloomException('This builder is already constructed');
        }
        $construction = new Build('ReverseIndexBuilder::__construct', self::ARGUMENTS);
        $this->filling = $construction->filling(self::wish($groups, $capacity, $falsePositiveRate, $fanOut), $seed, $chunkBytes,
            $source, $construction->secret($keyed, $secret));
    }

    private static function wish(int $groups, int $capacity, float $rate, int $fanOut): Params
    {
        return new Params(max(0, $capacity), $rate, groups: $groups > 0 ? $groups : -1, fanOut: $fanOut > 0 ? $fanOut : -1);
    }

    /** Creates an empty index for the next version of a blob; see Builder::like(). */
    public static function like(
        Blob $previous,
        ?int $groups = null,
        ?int $capacity = null,
        ?float $falsePositiveRate = null,
        ?int $fanOut = null,
        ?int $seed = null,
        ?int $chunkBytes = null,
        ?string $source = null,
        ?bool $keyed = null,
        #[\SensitiveParameter] ?string $secret = null
    ): ReverseIndexBuilder {
        $head = Internal\Access::head($previous);
        $geometry = $head->geometry;
        if ($geometry->groups === 0) {
            throw Arguments::error('ReverseIndexBuilder::like', 1, 'previous',
                'must be a reverse index (for other blobs use Bloom\Builder::like())');
        }
        $params = self::wish($groups ?? $geometry->groups, $capacity ?? $head->capacity, $falsePositiveRate ?? Build::rateOf($head),
            $fanOut ?? $geometry->fanOut);
        $isSame = $params->groups > 0 && $params->groups <= Internal\Geometry::GROUPS_MAX && $params->fanOut === $geometry->fanOut
            && $params->capacity === $head->capacity && Build::isRateOf($falsePositiveRate, $head)
            && $geometry->with(['groups' => $params->groups])->levels() === $geometry->levels();
        $construction = new Build('ReverseIndexBuilder::like', array_map(fn (int $at): int => $at + 1, self::ARGUMENTS));
        if (!$isSame && $chunkBytes === null) {
            Build::keepChunkSize($params, $head);
        }
        $arguments = [$seed ?? $geometry->seed, $chunkBytes ?? $head->chunkBytes, $source ?? $head->source,
            $construction->secret($keyed ?? $geometry->fingerprint !== 0, $secret)];
        $builder = (new \ReflectionClass(self::class))->newInstanceWithoutConstructor();
        $builder->filling = $isSame ? $construction->fillingLike($head, $params->groups, ...$arguments)
            : $construction->filling($params, ...$arguments);
        return $builder;
    }

    /** Adds a value to a group. */
    public function add(int $group, mixed $value): bool
    {
        $value = Keys::of($value, 'ReverseIndexBuilder::add', 2, 'value');
        $this->check($group, 'add');
        return $this->filling()->addToGroup($group, $value);
    }

    /**
     * Adds values to a group.
     * @param iterable<mixed, string|int> $values
     */
    public function addMany(int $group, iterable $values): int
    {
        $this->check($group, 'addMany');
        $new = 0;
        foreach (Keys::each($values, 'ReverseIndexBuilder::addMany', 2, 'values') as $value) {
            $new += (int) $this->filling()->addToGroup($group, $value);
        }
        return $new;
    }

    /** See Builder::build(). */
    public function build(?float $maxFalsePositiveRate = null, ?float $builtAt = null, ?string $mark = null): Blob
    {
        $blob = Build::build($this->filling(), 'ReverseIndexBuilder', $maxFalsePositiveRate, $builtAt, $mark);
        $this->filling = null;
        $this->isBuilt = true;
        return $blob;
    }

    /** See Builder::info(). */
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
        return $this->filling ?? throw new BloomException($this->isBuilt
            ? 'This builder has already built its blob: create a new one' : 'This builder was never constructed');
    }
}
