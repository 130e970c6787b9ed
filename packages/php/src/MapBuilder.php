<?php

namespace Bloom;

use Bloom\Internal\Answers;
use Bloom\Internal\Arguments;
use Bloom\Internal\Failure;
use Bloom\Internal\Filling;
use Bloom\Internal\Geometry;
use Bloom\Internal\Params;
use Bloom\Internal\Streams;

/** Builds the Blob of a LoadedMap from keys and their values. */
final class MapBuilder
{
    use Internal\Building;

    public function __construct(
        int $capacity,
        int $valueBits,
        float $falsePositiveRate = 0.01,
        ?int $seed = null,
        ?Layout $layout = null,
        string $source = '',
        bool $keyed = false,
        #[\SensitiveParameter] ?string $secret = null,
        string $onDuplicate = 'refuse',
        int $jobs = 1
    ) {
        $method = 'MapBuilder::__construct';
        self::check($method, $jobs, $onDuplicate);
        $params = self::params($capacity, $valueBits, $falsePositiveRate, $layout);
        $filling = Filling::make($method, $params, null, $seed, $layout?->chunkBytes, $source, $keyed || $secret !== null);
        $filling->keepsLast = $onDuplicate === 'last';
        $this->start($filling);
    }

    private static function check(string $method, int $jobs, string $onDuplicate): void
    {
        Arguments::jobs($jobs, $method);
        if (!in_array($onDuplicate, ['refuse', 'last'], true)) {
            throw Arguments::error($method, 'onDuplicate',
                sprintf('must be "refuse" or "last", "%.64s" given', explode("\0", $onDuplicate)[0]));
        }
    }

    private static function params(int $capacity, int $valueBits, float $rate, ?Layout $layout): Params
    {
        $params = Params::laidOut($capacity, $rate, $layout, null);
        $params->valueBits = $valueBits >= 1 && $valueBits <= Geometry::VALUE_BITS_MAX ? $valueBits : PHP_INT_MAX;
        return $params;
    }

    public static function like(
        Blob $previous,
        ?int $capacity = null,
        ?int $valueBits = null,
        ?float $falsePositiveRate = null,
        ?int $seed = null,
        ?Layout $layout = null,
        ?string $source = null,
        ?bool $keyed = null,
        #[\SensitiveParameter] ?string $secret = null,
        string $onDuplicate = 'refuse',
        int $jobs = 1
    ): MapBuilder {
        $head = Answers::of($previous)->head;
        $geometry = $head->geometry;
        Arguments::previous($geometry, 'MapBuilder');
        self::check('MapBuilder::like', $jobs, $onDuplicate);
        $params = self::params($capacity ?? $head->capacity, $valueBits ?? $geometry->valueBits,
            $falsePositiveRate ?? $head->askedRate(), $layout);
        $isSame = $params->capacity === $head->capacity && $params->valueBits === $geometry->valueBits
            && $head->isRate($falsePositiveRate) && $params->blockBytes === 0 && $params->probes === 0
            && in_array($params->shardBytes, [0, $geometry->shardBytes], true);
        $filling = Filling::make('MapBuilder::like', $isSame ? $geometry : $params, $head, $seed, $layout?->chunkBytes,
            $source ?? $head->source, ($keyed ?? $geometry->fingerprint !== 0) || $secret !== null);
        $filling->keepsLast = $onDuplicate === 'last';
        return self::of($filling);
    }

    public function set(mixed $key, int $value): void
    {
        $key = Arguments::key($key, 'MapBuilder::set');
        $this->fill($key, $value, 'set', 'must be', '');
    }

    /** @param iterable<string|int, int> $values */
    public function setMany(iterable $values): int
    {
        $this->filling();
        $place = 0;
        foreach ($values as $key => $value) {
            $where = " given at position $place";
            $this->filling();
            if (!is_string($key) && !is_int($key)) {
                throw self::wrongType('keys of type string|int, ' . Arguments::type($key) . $where);
            }
            if (!is_int($value)) {
                throw self::wrongType('values of type int, ' . Arguments::type($value) . $where);
            }
            $this->fill((string) $key, $value, 'setMany', 'must contain only values', " at position $place");
            $place++;
        }
        return $place;
    }

    private static function wrongType(string $text): \TypeError
    {
        return new \TypeError(Arguments::error('MapBuilder::setMany', 'values', "must contain only $text")->getMessage());
    }

    private function fill(string $key, int $value, string $method, string $must, string $where): void
    {
        $filling = $this->filling();
        $bits = $filling->geometry->valueBits;
        if (!self::fits($value, $bits)) {
            throw Arguments::error("MapBuilder::$method", $method === 'set' ? 'value' : 'values',
                sprintf('%s between 0 and %d for %d value bits, %d given%s', $must, PHP_INT_MAX >> 63 - $bits, $bits, $value, $where));
        }
        $filling->set($key, $value);
    }

    private static function fits(int $value, int $bits): bool
    {
        return $bits === Geometry::VALUE_BITS_MAX || ($value >= 0 && $value >> $bits === 0);
    }

    /**
     * @param string|resource $file
     * @param (callable(int, int): mixed)|null $progress
     */
    public function addFile($file, ?callable $progress = null): int
    {
        $this->filling();
        $place = (is_string($file) ? "$file: " : '') . 'line ';
        $lines = 0;
        $take = function (string $line) use ($place, &$lines): void {
            $lines++;
            $filling = $this->filling();
            $tab = (int) strrpos("\t$line", "\t");
            $value = $tab === 0 ? null : self::number(substr($line, $tab), $filling->geometry->valueBits);
            $filling->set(substr($line, 0, max(0, $tab - 1)), $value ?? throw Failure::of(Status::MapLine, "$place$lines: no value "
                . ($filling->geometry->valueBits === Geometry::VALUE_BITS_MAX ? 'of 64 bits' : 'from 0 to ' . (PHP_INT_MAX >> 63 - $filling->geometry->valueBits))));
        };
        return Streams::lines($file, 'MapBuilder::addFile', $take,
            $progress === null ? null : fn (int $bytes): mixed => $progress($bytes, $this->filling()->added));
    }

    /** Reads a value in decimal digits. A map of 64 value bits takes any signed number. */
    private static function number(string $text, int $bits): ?int
    {
        $sign = $bits === Geometry::VALUE_BITS_MAX ? '-?' : '';
        if (preg_match("/\A($sign)0*([0-9]+?)\z/", $text, $parts) !== 1) {
            return null;
        }
        $value = (int) ($parts[1] . $parts[2]);
        $isExact = $parts[2] === '0' || (string) $value === $parts[1] . $parts[2];
        return $isExact && self::fits($value, $bits) ? $value : null;
    }

    public function build(?float $builtAt = null): Blob
    {
        $blob = $this->filling()->build('MapBuilder::build', null, $builtAt, null);
        $this->end();
        return $blob;
    }
}
