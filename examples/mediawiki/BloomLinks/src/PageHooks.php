<?php

namespace MediaWiki\Extension\BloomLinks;

use JobQueueGroup;
use JobSpecification;
use MediaWiki\Hook\PageMoveCompletingHook;
use MediaWiki\Page\Hook\ArticleUndeleteHook;
use MediaWiki\Revision\Hook\RevisionRecordInsertedHook;
use Wikimedia\Rdbms\ILoadBalancer;

/**
 * Adds each title that begins to exist to the journal.
 *
 * In a transaction, a title is added twice. It is added before the commit, so that no page becomes visible without its title
 * in the journal, even if the process is killed. It is added again after the commit, because a build may take its mark and
 * read the database between the first add and the commit. The title would then be neither in the blob nor after its mark.
 */
final class PageHooks implements RevisionRecordInsertedHook, PageMoveCompletingHook, ArticleUndeleteHook
{
    public function __construct(private TitleFilter $titles, private ILoadBalancer $databases, private JobQueueGroup $jobs)
    {
    }

    /** The first revision of a page: an edit, an import, a restored page, or the redirect that a move leaves behind. */
    public function onRevisionRecordInserted($revisionRecord): void
    {
        if (!$revisionRecord->getParentId()) {
            $this->exists($revisionRecord->getPage());
        }
    }

    public function onPageMoveCompleting($old, $new, $user, $pageid, $redirid, $reason, $revision): void
    {
        $this->exists($new);
    }

    /** A page can be restored without its first revision. */
    public function onArticleUndelete($title, $create, $comment, $oldPageId, $restoredPages): void
    {
        $this->exists($title);
    }

    private function exists(object $page): void
    {
        $keys = [TitleFilter::key($page->getNamespace(), $page->getDBkey())];
        $database = $this->databases->getConnection(DB_PRIMARY);
        if ($database->trxLevel()) {
            $this->titles->add($keys);
            $database->onTransactionCommitOrIdle(fn () => $this->announce($keys), __METHOD__);
        } else {
            $this->announce($keys);
        }
    }

    /** Adds titles of committed pages. If that fails, a job tries again, perhaps on another host. */
    private function announce(array $keys): void
    {
        if (!$this->titles->add($keys)) {
            $this->jobs->push(new JobSpecification(AnnounceJob::NAME, ['keys' => $keys], ['removeDuplicates' => true]));
        }
    }
}
