<?php

namespace Bloom;

use Bloom\Internal\Arguments;
use Bloom\Internal\Construction;
use Bloom\Internal\Filling;
use Bloom\Internal\Keys;
use Bloom\Internal\Wish;

/** Builds the Blob of a ReverseIndex from groups and their values. */
final class ReverseIndexBuilder
{
    use Internal\Sealed;

    private const ARGUMENTS = ['groups' => 1, 'capacity' => 2, 'falsePositiveRate' => 3, 'fanOut' => 4, 'chunkBytes' => 6,
        'source' => 7, 'secret' => 9];

    private ?Filling $filling = null;
    private bool $isBuilt = false;

    /**
     * Creates an empty builder.
     *
     * @param int $groups see ReverseIndex::create()
     * @param int $capacity total number of values in all groups
     * @param float $falsePositiveRate the rate of each filter of the tree, 10^-9 to 0.5
     * @param int $fanOut number of children per node, a power of two, 64 to 1024
     * @param int|null $seed hash seed; null: random. like() keeps the seed of an earlier blob
     * @param int|null $chunkBytes see Builder::__construct()
     * @param string $source at most 128 bytes of free text, stored in the blob
     * @param bool $keyed see Builder::__construct()
     * @param string|null $secret see Builder::__construct()
     *
     * @throws SecretException if $keyed is true and there is no secret
     * @throws \ValueError if an argument is out of range
     */
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
        $construction = new Construction('ReverseIndexBuilder::__construct', self::ARGUMENTS);
        $this->filling = $construction->filling(self::wish($groups, $capacity, $falsePositiveRate, $fanOut), $seed, $chunkBytes,
            $source, $construction->secret($keyed, $secret));
    }

    private static function wish(int $groups, int $capacity, float $rate, int $fanOut): Wish
    {
        return new Wish(max(0, $capacity), $rate, groups: $groups > 0 ? $groups : -1, fanOut: $fanOut > 0 ? $fanOut : -1);
    }

    /**
     * Creates an empty index for the next version of a blob; see Builder::like().
     *
     * Changing the number of groups moves no bit as long as the tree keeps its number of levels. With
     * 256 children per node, the tree has one level for up to 256 groups, two levels for up to 65,536
     * groups and three levels for up to 16,777,216 groups.
     *
     * @param Blob $previous a reverse index
     *
     * @throws SecretException if the index is keyed and there is no secret
     * @throws \ValueError if an argument is out of range, or if the blob is not a reverse index
     */
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
        $head = Internal\Friend::head($previous);
        $geometry = $head->geometry;
        if ($geometry->groups === 0) {
            throw Arguments::error('ReverseIndexBuilder::like', 1, 'previous',
                'must be a reverse index (for other blobs use Bloom\Builder::like())');
        }
        $wish = self::wish($groups ?? $geometry->groups, $capacity ?? $head->capacity, $falsePositiveRate ?? Construction::rateOf($head),
            $fanOut ?? $geometry->fanOut);
        $isSame = $wish->groups > 0 && $wish->groups <= Internal\Geometry::GROUPS_MAX && $wish->fanOut === $geometry->fanOut
            && $wish->capacity === $head->capacity && Construction::isRateOf($falsePositiveRate, $head)
            && $geometry->with(['groups' => $wish->groups])->levels() === $geometry->levels();
        $construction = new Construction('ReverseIndexBuilder::like', array_map(fn (int $at): int => $at + 1, self::ARGUMENTS));
        if (!$isSame && $chunkBytes === null) {
            Construction::keepChunkSize($wish, $head);
        }
        $arguments = [$seed ?? $geometry->seed, $chunkBytes ?? $head->chunkBytes, $source ?? $head->source,
            $construction->secret($keyed ?? $geometry->fingerprint !== 0, $secret)];
        $builder = (new \ReflectionClass(self::class))->newInstanceWithoutConstructor();
        $builder->filling = $isSame ? $construction->fillingLike($head, $wish->groups, ...$arguments)
            : $construction->filling($wish, ...$arguments);
        return $builder;
    }

    /**
     * Adds a value to a group.
     *
     * @return bool true: the value was definitely not in that group
     *
     * @throws \ValueError if the group does not exist
     */
    public function add(int $group, mixed $value): bool
    {
        $value = Keys::of($value, 'ReverseIndexBuilder::add', 2, 'value');
        $this->check($group, 'add');
        return $this->filling()->addToGroup($group, $value);
    }

    /**
     * Adds values to a group.
     *
     * @param iterable<mixed, string|int> $values
     *
     * @return int the number of values that were definitely not in the group
     *
     * @throws \TypeError if a value is neither string nor int; the values before it have been added
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
        $blob = Construction::build($this->filling(), 'ReverseIndexBuilder', $maxFalsePositiveRate, $builtAt, $mark);
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
