<?php

namespace Bloom\Cli;

use Bloom\Kit\Fold;
use Symfony\Component\Console\Input\InputInterface;

/** The option --fold, and the folds that blobs name in their source. */
final class Folds
{
    private const HEAD_BYTES_MIN = 256;
    private const SOURCE_AT = 128;

    public static function option(InputInterface $input): ?Fold
    {
        $name = Values::text($input, 'fold');
        try {
            return $name === null ? null : Fold::named($name);
        } catch (\ValueError $error) {
            throw Failure::usage("--fold: {$error->getMessage()}");
        }
    }

    /** @param string $what has the source, for messages */
    public static function ofSource(?string $source, string $what): ?Fold
    {
        $name = Fold::nameIn($source ?? '');
        try {
            return $name === null ? null : Fold::named($name);
        } catch (\ValueError) {
            throw new Failure(ExitCode::Data, Text::line("$what: the source says fold=$name, which this version does not know, so keys cannot be folded"));
        }
    }

    /** Returns the fold of the published version's keys. */
    public static function ofPublished(LazyStore $store, string $name): ?Fold
    {
        $head = LazyStore::clearly(static fn (): array => $store->getMultiple([$name]))[$name] ?? '';
        // docs/format.md, section 2. Hosts check the head; here, a damaged one has no source.
        $isHead = is_string($head) && str_starts_with($head, Blobs::MAGIC) && strlen($head) >= self::HEAD_BYTES_MIN;
        return $isHead ? self::ofSource(substr($head, self::SOURCE_AT, min(128, unpack('V', $head, 124)[1])), $name) : null;
    }
}
