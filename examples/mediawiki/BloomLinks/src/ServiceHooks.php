<?php

namespace MediaWiki\Extension\BloomLinks;

use LinkCache;
use MediaWiki\Cache\LinkBatchFactory;
use MediaWiki\Hook\MediaWikiServicesHook;
use MediaWiki\MediaWikiServices;

/** Replaces the two services through which MediaWiki asks whether pages exist. */
final class ServiceHooks implements MediaWikiServicesHook
{
    /** @inheritDoc */
    public function onMediaWikiServices($services): void
    {
        $services->addServiceManipulator(
            'LinkCache',
            static fn (LinkCache $cache, MediaWikiServices $services): LinkCache
                => FilteredLinkCache::from($cache, $services->getService('BloomLinks.TitleFilter'))
        );
        $services->addServiceManipulator(
            'LinkBatchFactory',
            static fn (LinkBatchFactory $factory, MediaWikiServices $services): LinkBatchFactory
                => new FilteredLinkBatchFactory($factory, $services->getService('BloomLinks.TitleFilter'))
        );
    }
}
