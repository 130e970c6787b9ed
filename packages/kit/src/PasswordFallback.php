<?php

declare(strict_types=1);

namespace Bloom\Kit;

/**
 * What becomes of a password while the list of breached passwords cannot answer, for example because it is not loaded. The values
 * are those of the configuration `fallback` in the packages for frameworks.
 */
enum PasswordFallback: string
{
    case Accept = 'accept';
    case Reject = 'reject';
    /** The framework asks Pwned Passwords over HTTP, as it does without a filter. */
    case Http = 'http';
}
