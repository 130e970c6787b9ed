<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** Another process held the writers' lock for longer than `bloom.lock_timeout`. Try again. */
class BusyException extends SegmentException
{
}
