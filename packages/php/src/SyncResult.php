<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** What Filter::sync() did. */
enum SyncResult: string
{
    /** A different version was loaded, and all processes of this host use it now. */
    case Switched = 'switched';
    /** The store was asked. The served version is the published one, with all keys of its journal. */
    case Current = 'current';
    /** The last sync was less than $ttl seconds ago, so the store was not asked. */
    case NotDue = 'not due';
    /**
     * The last sync failed a moment ago (info()->lastError), so the store was not asked, or the
     * published version could not be loaded a moment ago (info()->loadError). If the filter has never
     * been loaded here, there still is none.
     */
    case Paused = 'paused';
    /**
     * Another process is syncing this filter, and also reads its journal. At a first sync, there is no
     * filter yet.
     */
    case Busy = 'busy';
}
