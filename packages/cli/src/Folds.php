<?php

namespace Bloom\Cli;

use Bloom\Kit\Fold;
use Symfony\Component\Console\Input\InputInterface;

/** The option --fold, and the folds that blobs name in their source. */
final class Folds
{
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
    public static function ofPublished(Published $published, string $name): ?Fold
    {
        return self::ofSource($published->source(), $name);
    }
}
