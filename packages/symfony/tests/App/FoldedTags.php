<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests\App;

use Bloom\Kit\FoldedJournal;
use Bloom\Membership;

/** A service that uses a filter with a fold. */
final readonly class FoldedTags
{
    public function __construct(public Membership $tagsFilter, public FoldedJournal $tagsJournal)
    {
    }
}
