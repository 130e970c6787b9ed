<?php

declare(strict_types=1);

namespace Bloom\Kit;

/** How KeyWriter adds keys; the values are those of the configuration `write` in the packages for frameworks. */
enum KeyWrite: string
{
    /** Keys go to the journal. If the store fails, the application's write fails. */
    case Journal = 'journal';
    /** Keys go to the journal, or to the outbox if the store fails. */
    case JournalOrOutbox = 'journal_or_outbox';
    /** Keys go to the outbox. */
    case Outbox = 'outbox';
}
