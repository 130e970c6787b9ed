<?php

namespace MediaWiki\Extension\BloomLinks;

use MediaWiki\Cache\LinkBatchFactory;
use MediaWiki\Hook\ParserAfterTidyHook;
use MediaWiki\Hook\RejectParserCacheValueHook;

/**
 * Keeps stale red links out of the parser cache.
 *
 * The creation of a page invalidates the cached pages that link to it. Before its next sync, another host may parse such a
 * page again and cache the red link. Each cached page therefore contains the titles that the filter denied. When the cache
 * returns the page, these titles are looked up again.
 */
final class ParserHooks implements ParserAfterTidyHook, RejectParserCacheValueHook
{
    private const DATA = 'BloomLinks';

    public function __construct(private TitleFilter $titles, private LinkBatchFactory $batches)
    {
    }

    /** Runs at the end of a parse. Stores the denied titles with the page. */
    public function onParserAfterTidy($parser, &$text): void
    {
        $output = $parser->getOutput();
        $denied = [];
        // A missing template is listed separately.
        foreach ([$output->getLinks(), $output->getTemplates()] as $pages) {
            foreach ($pages as $namespace => $titles) {
                foreach ($titles as $dbkey => $id) {
                    $key = TitleFilter::key($namespace, $dbkey);
                    if (!$id && $this->titles->hasDenied($key)) {
                        $denied[$key] = $key;
                    }
                }
            }
        }
        if ($denied !== []) {
            $output->setExtensionData(self::DATA, array_values($denied));
        }
    }

    /** Returns false if the cached page shows a red link to a page that exists. */
    public function onRejectParserCacheValue($parserOutput, $wikiPage, $parserOptions): bool
    {
        $possible = $this->titles->possible($parserOutput->getExtensionData(self::DATA) ?? []);
        if ($possible === []) {
            return true;
        }
        $batch = $this->batches->newLinkBatch();
        foreach ($possible as $key) {
            [$namespace, $dbkey] = explode(':', $key, 2);
            $batch->add((int) $namespace, $dbkey);
        }
        return array_filter($batch->execute()) === [];
    }
}
