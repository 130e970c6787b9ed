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
                Every host serves one version from its next sync on, even if you publish others, until `bloom unpin`.
                VERSION is `current`, `previous`, or at least the first four digits of a version that `bloom info` shows:

                  bloom pin booth_tags redis://cache.example:6379
                  bloom pin booth_tags redis://cache.example:6379 previous
                  bloom pin booth_tags redis://cache.example:6379 96f5366d

                If you sign blobs, run the command with `bloom.signing_key_file`, because hosts with signing keys refuse a
                pin without a signature.

                With `--format=json`, the fields are those of `bloom info NAME STORE`.
                HELP
            );
    }

    protected function change(Store $store, string $name, InputInterface $input): void
    {
        Blob::pin($store, $name, self::checksum($store, $name, $input));
    }
}
