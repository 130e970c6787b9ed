<?php

namespace Bloom\Internal;

use Bloom\Status;

/**
 * Makes exceptions with the extension's texts: what failed, the sentence of the status, the operating
 * system's reason, and the remedy.
 *
 * @internal
 */
final class Failure
{
    public static function of(Status $status, string $subject = '', string $reason = ''): \Throwable
    {
        [$class, $sentence, $remedy] = Sentences::ALL[$status->value];
        $text = implode(': ', array_filter([$subject, $sentence, $reason], fn (string $part): bool => $part !== ''));
        return new $class($text . ($remedy === '' ? '' : " ($remedy)"), $status->value);
    }
}
