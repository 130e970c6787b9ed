<?php

namespace Bloom\Cli;

use Bloom\Blob;
use Bloom\Store;
use Symfony\Component\Console\Input\InputInterface;

/** Keeps all hosts at a version. */
final class PinCommand extends OverrideCommand
{
    protected function configure(): void
    {
        $this->setUp('pin', 'Makes hosts serve one version until unpin')
            ->addVersion('current, previous, or the first digits of a version that info shows (default: the version that hosts serve now)')
            ->setManual(
                <<<'HELP'
                Versions that are published in the meantime are stored, but hosts do not load them before "bloom unpin". With
                bloom.signing_key_file, the pin is signed, and hosts with signing keys refuse one that is not.

                  <info>bloom pin booth_tags redis://cache.example:6379</info>
                  <info>bloom pin booth_tags redis://cache.example:6379 previous</info>
                  <info>bloom pin booth_tags redis://cache.example:6379 96f5366d</info>


                HELP . PublishCommand::STORES,
                [ExitCode::Data, ExitCode::NoInput, ExitCode::TryAgain, ExitCode::Secret]
            );
    }

    protected function change(Store $store, string $name, InputInterface $input): void
    {
        Blob::pin($store, $name, self::checksum($store, $name, $input));
    }
}
