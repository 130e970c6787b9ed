<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** What Filter::health() found. The command line prints the values in its JSON. */
enum HealthStatus: string
{
    case Ok = 'ok';
    /** The filter works, but something needs attention. */
    case Warning = 'warning';
    /** The filter is not loaded, does not work as requested, or exceeds a limit of the caller. */
    case Critical = 'critical';
    /** The store could not be read, and nothing worse was found. */
    case Unknown = 'unknown';
}
