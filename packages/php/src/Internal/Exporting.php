<?php

namespace Bloom\Internal;

use Bloom\Blob;
use Bloom\BloomException;
use Bloom\BusyException;
use Bloom\FormatException;
use Bloom\KindException;
use Bloom\NotFoundException;
use Bloom\SecretException;
use Bloom\SegmentException;
use Bloom\Store;
use Bloom\StoreException;

/**
 * The methods that turn a live filter into a blob or a snapshot.
 *
 * @internal
 */
trait Exporting
{
    /**
     * Returns a blob with all keys whose add() has returned. The blob can be saved, published, or
     * loaded on other hosts.
     *
     * @param string $source at most 128 bytes of free text, stored in the blob
     *
     * @throws FormatException if more than 15 of 16 bits of a shard are set
     */
    public function export(string $source = ''): Blob
    {
        Arguments::source($source, substr(self::class, strlen('Bloom\\')) . '::export', 1);
        return $this->write(function (Live $live) use ($source): Blob {
            [$geometry, $body, $keys] = $live->copy();
            $meta = new Meta($live->params['capacity'], $live->params['rate'], Clock::milliseconds(), 65536, $source);
            return Friend::blob(Head::parse(Writer::head($geometry, $meta, $body, $keys)), $body);
        }, false);
    }

    /**
     * Writes a snapshot, from which restore() creates the filter again, for example after a reboot.
     * Other processes may add keys in the meantime.
     *
     * The snapshot contains each key whose add() returned before the call, with all layers, counters and
     * times. Keys that are added during the call may be missing. A save makes no second copy of the
     * filter in memory: it uses at most 1 MiB, plus 16 bytes for each 512 KiB of the filter.
     *
     * For a path, the call writes "<path>.tmp" with mode 0600, syncs it and renames it, so that an
     * earlier snapshot stays until the new one is complete. The call follows the same links as Blob::save().
     * In a store, the call writes the head last, under the key "<name>:snapshot". Each host needs its own
     * store or key prefix, because its live filters differ from those of other hosts. If signing keys are
     * configured, the snapshot is signed.
     *
     * @param string|Store $target a path, or a store
     *
     * @throws BusyException if another process is saving the filter to the same place, or if another
     *         process held a counting filter's lock for longer than `bloom.lock_timeout`, or if a sliding
     *         filter rotated during each of ten attempts
     * @throws NotFoundException if the filter was dropped
     * @throws KindException if the filter is not live
     * @throws SecretException if the signing keys cannot be read
     * @throws SegmentException if the file system of the path is full, or if this process cannot map the
     *         filter
     * @throws StoreException if the store failed
     * @throws BloomException if the file cannot be written
     */
    public function save(string|Store $target): void
    {
        throw new BloomException('Snapshots need the extension bloom');
    }
}
