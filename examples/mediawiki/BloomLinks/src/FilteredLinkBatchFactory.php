<?php

namespace MediaWiki\Extension\BloomLinks;

use LinkBatch;
use MediaWiki\Cache\LinkBatchFactory;

final class FilteredLinkBatchFactory extends LinkBatchFactory
{
    public function __construct(private LinkBatchFactory $factory, private TitleFilter $titles)
    {
    }

    /** @inheritDoc */
    public function newLinkBatch(iterable $initialItems = []): LinkBatch
    {
        return FilteredLinkBatch::from($this->factory->newLinkBatch($initialItems), $this->titles);
    }
}
