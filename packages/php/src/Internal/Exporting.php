<?php

namespace Bloom\Internal;

use Bloom\Blob;
use Bloom\Store;

/** The methods that turn a live filter into a blob or a snapshot. */
trait Exporting
{
    /** Returns a blob with all keys whose add() has returned. */
    public function export(string $source = ''): Blob
    {
        Arguments::source($source, substr(self::class, strlen('Bloom\\')) . '::export', 1);
        return $this->change(fn (KeySet $set, array $current): array => [Live::export($set, $current, $source), '']);
    }

    /** Writes a snapshot, from which restore() creates the filter again, for example after a reboot. */
    public function save(string|Store $target): void
    {
        throw Failure::needsExtension('a snapshot');
    }
}
