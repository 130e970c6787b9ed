<?php

use MediaWiki\MediaWikiServices;
use MediaWiki\Revision\SlotRecord;

require_once getenv('MW_INSTALL_PATH') . '/maintenance/Maintenance.php';

/** Creates a page in a transaction that takes so long that something else happens in it, or whose process is killed. */
class WikiTransaction extends Maintenance
{
    public function __construct()
    {
        parent::__construct();
        $this->addArg('title', 'The title of the new page');
        $this->addArg('command', 'A command that runs before the commit, or "kill" to be killed right after the commit');
    }

    public function execute()
    {
        [$title, $command] = [Title::newFromText($this->getArg(0)), $this->getArg(1)];
        $database = $this->getDB(DB_PRIMARY);
        $database->startAtomic(__METHOD__);
        if ($command === 'kill') {
            // Callbacks run in the order in which they were added, so this one runs before the extension's.
            $database->onTransactionCommitOrIdle(fn () => posix_kill(getmypid(), 9), __METHOD__);
        }
        $updater = MediaWikiServices::getInstance()->getWikiPageFactory()->newFromTitle($title)
            ->newPageUpdater(User::newSystemUser('Maintenance script', ['steal' => true]));
        $updater->setContent(SlotRecord::MAIN, new WikitextContent('Text'));
        $updater->saveRevision(CommentStoreComment::newUnsavedComment('test'));
        if ($command !== 'kill') {
            passthru("$command 2>&1", $code);
            $code === 0 || $this->fatalError("$command exits with $code");
        }
        $database->endAtomic(__METHOD__);
    }
}

$maintClass = WikiTransaction::class;
require_once RUN_MAINTENANCE_IF_MAIN;
