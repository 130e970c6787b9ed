<?php

namespace Bloom\Internal;

use Bloom\Blob;
use Bloom\BloomException;
use Bloom\BuilderInfo;

/** What all builders have in common: a filling, until it has become a blob. */
trait Building
{
    use Sealed;

    private ?Filling $filling = null;
    private bool $isBuilt = false;

    public function build(?float $maxFalsePositiveRate = null, ?float $builtAt = null, ?string $mark = null): Blob
    {
        $method = substr(self::class, strlen('Bloom\\')) . '::build';
        $blob = $this->filling()->build($method, $maxFalsePositiveRate, $builtAt, $mark);
        $this->end();
        return $blob;
    }

    private function end(): void
    {
        $this->filling = null;
        $this->isBuilt = true;
    }

    public function info(): BuilderInfo
    {
        return $this->filling()->info();
    }

    private function start(Filling $filling): void
    {
        $this->filling = $this->filling === null && !$this->isBuilt ? $filling
            : throw new BloomException('This builder is already constructed');
    }

    private function filling(): Filling
    {
        return $this->filling ?? throw new BloomException($this->isBuilt
            ? 'This builder has already built its blob: create a new one' : 'This builder was never constructed');
    }

    /** Makes a builder without its constructor. */
    private static function of(Filling $filling): self
    {
        $builder = (new \ReflectionClass(self::class))->newInstanceWithoutConstructor();
        $builder->filling = $filling;
        return $builder;
    }
}
