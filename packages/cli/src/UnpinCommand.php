<?php

namespace Bloom\Cli;

use Bloom\Blob;
use Bloom\Store;
use Symfony\Component\Console\Input\InputInterface;

/** Ends a pin or a rollback. */
final class UnpinCommand extends OverrideCommand
{
    protected function configure(): void
    {
        $this->setUp('unpin', 'Ends a pin or a rollback: hosts serve the published version')->setManual(
            <<<'HELP'
            Every host serves the published version again, from its next sync on. If there is no pin and no rollback,
            nothing changes.

              bloom unpin booth_tags redis://cache.example:6379

            With `--format=json`, the fields are those of `bloom info NAME STORE`.
            HELP
        );
    }

    protected function change(Store $store, string $name, InputInterface $input): void
    {
        Blob::unpin($store, $name);
    }
}
