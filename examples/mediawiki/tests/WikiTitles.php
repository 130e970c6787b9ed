<?php

require_once getenv('MW_INSTALL_PATH') . '/maintenance/Maintenance.php';

/** Fills the page table with titles. The pages have no text, so they can only be linked. */
class WikiTitles extends Maintenance
{
    private const BATCH = 5_000;

    public function __construct()
    {
        parent::__construct();
        $this->addArg('count', 'The number of titles, Article 0 and so on');
    }

    public function execute()
    {
        $database = $this->getDB(DB_PRIMARY);
        $count = (int) $this->getArg(0);
        for ($from = 0; $from < $count; $from += self::BATCH) {
            $rows = [];
            for ($i = $from; $i < min($count, $from + self::BATCH); $i++) {
                $rows[] = ['page_namespace' => NS_MAIN, 'page_title' => "Article_$i", 'page_is_redirect' => 0, 'page_is_new' => 1,
                    'page_random' => $i / $count, 'page_touched' => $database->timestamp(0), 'page_latest' => 1, 'page_len' => 1];
            }
            $this->beginTransaction($database, __METHOD__);
            $database->insert('page', $rows, __METHOD__);
            $this->commitTransaction($database, __METHOD__);
        }
    }
}

$maintClass = WikiTitles::class;
require_once RUN_MAINTENANCE_IF_MAIN;
