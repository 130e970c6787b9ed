<?php

namespace MediaWiki\Extension\BloomLinks;

use JobQueueGroup;
use JobSpecification;
use MediaWiki\Hook\PageMoveCompletingHook;
use MediaWiki\Page\Hook\ArticleUndeleteHook;
use MediaWiki\Revision\Hook\RevisionRecordInsertedHook;

/**
 * Adds each title that begins to exist to the journal, before its transaction commits. So no page becomes visible without its
 * title in the journal, even if the process is killed. BuildTitleFilter waits between its mark and its query until the
 * transactions that added a title before the mark have ended.
 *
 * An edit should not fail because the store does. A job then adds the title later.
 */
final class PageHooks implements RevisionRecordInsertedHook, PageMoveCompletingHook, ArticleUndeleteHook
{
    public function __construct(private TitleFilter $titles, private JobQueueGroup $jobs)
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
        if (!$this->titles->add($keys)) { // the job may run on another host
            $this->jobs->push(new JobSpecification(AnnounceJob::NAME, ['keys' => $keys], ['removeDuplicates' => true]));
        }
    }
}
