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
            Every host switches to the published version with its next sync. Does nothing if there is no pin and no rollback.

              <info>bloom unpin booth_tags redis://cache.example:6379</info>


            HELP . PublishCommand::STORES,
            [ExitCode::Data, ExitCode::NoInput, ExitCode::TryAgain, ExitCode::Secret]
        );
    }

    protected function change(Store $store, string $name, InputInterface $input): void
    {
        Blob::unpin($store, $name);
    }
}
