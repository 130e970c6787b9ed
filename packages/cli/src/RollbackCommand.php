<?php

namespace Bloom\Cli;

use Bloom\Blob;
use Bloom\Store;
use Symfony\Component\Console\Input\InputInterface;

/** Makes hosts serve an earlier version again. */
final class RollbackCommand extends OverrideCommand
{
    protected function configure(): void
    {
        $this->setUp('rollback', 'Makes hosts serve an earlier version again')->addVersion(
            'previous, or the first digits of a version that info shows (default: previous)'
        )->setManual(
            <<<'HELP'
            From its next sync on, every host serves the previous version, or VERSION, until you publish the next one.
            Run the command once, on any host that can write to the store. `bloom info` lists the versions:

              bloom info booth_tags redis://cache.example:6379
              bloom rollback booth_tags redis://cache.example:6379
              bloom rollback booth_tags redis://cache.example:6379 96f5366d

            Hosts keep the keys of a [journal](docs/filters.md#with-a-journal). `bloom unpin` ends the rollback earlier,
            and `bloom pin` keeps a version even if you publish later ones. If you sign blobs, run the command with
            `bloom.signing_key_file`, because hosts with signing keys refuse a rollback without a signature. [Rolling
            back](docs/operations.md#rolling-back) explains when to use which command.

            With `--format=json`, the fields are those of `bloom info NAME STORE`.
            HELP,
            [
                66 => 'the store has no earlier version',
                73 => 'the filter is pinned',
                75 => 'a chunk of that version is missing, or the store failed',
            ]
        );
    }

    protected function change(Store $store, string $name, InputInterface $input): void
    {
        Blob::rollback($store, $name, self::checksum($store, $name, $input));
    }
}
