<?php

namespace MediaWiki\Extension\BloomLinks\Maintenance;

use Bloom\Blob;
use Bloom\Builder;
use Bloom\Journal;
use Bloom\Layout;
use Maintenance;
use MediaWiki\Extension\BloomLinks\TitleFilter;
use MediaWiki\MediaWikiServices;

require_once (getenv('MW_INSTALL_PATH') ?: dirname(__DIR__, 3)) . '/maintenance/Maintenance.php';

/** Builds the filter of all titles, and publishes it. Run it every night. */
class BuildTitleFilter extends Maintenance
{
    private const FALSE_POSITIVE_RATE = 0.01;

    public function __construct()
    {
        parent::__construct();
        $this->addDescription('Builds the filter of all titles, and publishes it to $wgBloomLinksStore');
        $this->addOption('settle', 'Seconds to wait between the mark and the query: at least as long as any transaction that '
            . 'creates a page (default: 60)', false, true);
        $this->setBatchSize(10_000);
        $this->requireExtension('BloomLinks');
    }

    public function execute()
    {
        $services = MediaWikiServices::getInstance();
        $titles = $services->getService('BloomLinks.TitleFilter');
        $store = $titles->store();

        $settle = $this->getOption('settle', '60');
        if (!is_numeric($settle) || $settle < 0) {
            $this->fatalError("--settle: \"$settle\" is not a number of seconds");
        }
        // Titles are added before they are committed. After the wait, the database has every committed title from before the
        // mark, and the journal has all others. A replica could lag in addition.
        $mark = (new Journal($titles->name, $store))->mark();
        usleep((int) ($settle * 1e6));
        $this->getDB(DB_PRIMARY)->flushSnapshot(__METHOD__);
        $builder = $this->builder(Blob::find($store, $titles->name));
        foreach ($this->keys() as $keys) {
            $builder->addMany($keys);
        }
        $blob = $builder->build(mark: $mark);
        $published = $blob->publish($store, $titles->name);
        $this->output("{$titles->name}: {$blob->info()->keys} titles, {$blob->info()->bytes} bytes, "
            . "$published[chunksWritten] of $published[chunks] chunks written\n");
    }

    /** Returns a builder like the last one, so that only changed chunks are transferred, or a larger one. */
    private function builder(?Blob $previous): Builder
    {
        $rows = (int) $this->getDB(DB_PRIMARY)->selectField('page', 'COUNT(*)', '', __METHOD__);
        if ($previous !== null && $rows <= $previous->info()->capacity) {
            return Builder::like($previous);
        }
        $capacity = max((int) ($rows * 1.5), $this->getConfig()->get('BloomLinksCapacity'));
        return new Builder($capacity, self::FALSE_POSITIVE_RATE, layout: new Layout(chunkBytes: 8192));
    }

    /** @return iterable<list<string>> the keys of all titles, in batches, so that no query takes long */
    private function keys(): iterable
    {
        $database = $this->getDB(DB_PRIMARY);
        for ($last = 0;;) {
            $rows = $database->select(
                'page',
                ['page_id', 'page_namespace', 'page_title'],
                ['page_id > ' . (int) $last],
                __METHOD__,
                ['ORDER BY' => 'page_id', 'LIMIT' => $this->getBatchSize()]
            );
            $keys = [];
            foreach ($rows as $row) {
                $keys[] = TitleFilter::key((int) $row->page_namespace, $row->page_title);
                $last = $row->page_id;
            }
            if ($keys === []) {
                return;
            }
            yield $keys;
        }
    }
}

$maintClass = BuildTitleFilter::class;
require_once RUN_MAINTENANCE_IF_MAIN;
