<?php

use MediaWiki\Extension\BloomLinks\TitleFilter;
use MediaWiki\Logger\LoggerFactory;
use MediaWiki\MediaWikiServices;

return [
    'BloomLinks.TitleFilter' => static function (MediaWikiServices $services): TitleFilter {
        $config = $services->getMainConfig();
        return new TitleFilter(
            $config->get('BloomLinksName') ?: TitleFilter::defaultName(WikiMap::getCurrentWikiId()),
            $config->get('BloomLinksStore'),
            LoggerFactory::getInstance('BloomLinks')
        );
    },
];
