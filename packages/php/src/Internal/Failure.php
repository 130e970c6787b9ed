<?php

namespace Bloom\Internal;

use Bloom\BloomException;
use Bloom\Status;

/**
 * Makes exceptions with the extension's texts: what failed, the sentence of the status, the operating
 * system's reason, and the remedy.
 */
final class Failure
{
    public static function of(Status $status, string $subject = '', string $reason = ''): BloomException
    {
        [$class, $sentence, $remedy] = Sentences::ALL[$status->value];
        $text = implode(': ', array_filter([$subject, $sentence, $reason], fn (string $part): bool => $part !== ''));
        $error = new $class($text . ($remedy === '' ? '' : " ($remedy)"), $status->value);
        return $error instanceof BloomException ? $error : throw $error;
    }

    /** Makes the exception for what this package does not do. */
    public static function needsExtension(string $what): BloomException
    {
        return new BloomException("$what needs the extension bloom");
    }
}
