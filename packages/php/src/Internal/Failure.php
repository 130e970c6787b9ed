<?php

namespace Bloom\Internal;

use Bloom\BloomException;
use Bloom\Status;
use Bloom\StoreException;

/**
 * Makes exceptions with the extension's texts: what failed, the sentence of the status, the operating
 * system's reason, and the remedy.
 */
final class Failure
{
    public static function of(Status $status, string $subject = '', string $reason = ''): BloomException
    {
        $found = Sentences::ALL[$status->value] ?? throw new \LogicException("run scripts/errors for $status->name");
        [$class, $sentence] = $found;
        $remedy = $found[2] ?? '';
        $text = implode(': ', array_filter([$subject, $sentence, $reason], fn (string $part): bool => $part !== ''));
        return new $class($text . ($remedy === '' ? '' : " ($remedy)"), $status->value);
    }

    /** Makes the exception for what this package does not do. */
    public static function needsExtension(string $what): BloomException
    {
        return new BloomException("$what needs the extension bloom");
    }

    /** Nothing is loaded, published or added without the signature that bloom.signing_key_file asks for. */
    public static function refuseSigners(): void
    {
        if (System::setting('signing_key_file') !== '') {
            throw self::needsExtension('bloom.signing_key_file');
        }
    }

    /** Wraps what a store or its client has thrown. */
    public static function ofStore(\Throwable $thrown): StoreException
    {
        $text = rtrim($thrown::class . ': ' . $thrown->getMessage(), ": \n");
        return new StoreException(self::of(Status::Store)->getMessage() . ": $text", Status::Store->value, $thrown);
    }
}
