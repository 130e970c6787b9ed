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
            Every host switches with its next sync, even if it already serves the newer version. Keys of a journal remain.
            The next version that is published is served normally; "bloom unpin" ends the rollback earlier. With
            bloom.signing_key_file, the rollback is signed, and hosts with signing keys refuse one that is not.

              <info>bloom rollback booth_tags redis://cache.example:6379</info>
              <info>bloom rollback booth_tags redis://cache.example:6379 96f5366d</info>
              <info>bloom info booth_tags redis://cache.example:6379</info>


            HELP . PublishCommand::STORES,
            [ExitCode::Data, ExitCode::NoInput, ExitCode::CannotCreate, ExitCode::TryAgain, ExitCode::Secret]
        );
    }

    protected function change(Store $store, string $name, InputInterface $input): void
    {
        Blob::rollback($store, $name, self::checksum($store, $name, $input));
    }
}
