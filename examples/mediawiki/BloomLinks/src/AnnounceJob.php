<?php

namespace MediaWiki\Extension\BloomLinks;

use GenericParameterJob;
use Job;
use MediaWiki\MediaWikiServices;

/** Adds titles to the journal after PageHooks could not add them. */
final class AnnounceJob extends Job implements GenericParameterJob
{
    public const NAME = 'bloomLinksAnnounce';

    /** @param array{keys: list<string>} $params */
    public function __construct(array $params)
    {
        parent::__construct(self::NAME, $params);
    }

    /** @return bool false: the job queue runs the job again later */
    public function run(): bool
    {
        return MediaWikiServices::getInstance()->getService('BloomLinks.TitleFilter')->add($this->params['keys']);
    }
}
