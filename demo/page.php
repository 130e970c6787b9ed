<?php

/** Runs in the workers of PHP-FPM. */

namespace Demo;

use Bloom\Filter;
use Bloom\Journal;
use Bloom\Kit\StoreUrl;
use Bloom\Kit\StoreUrlException;
use Bloom\StoreException;

require __DIR__ . '/common.php';

/**
 * The page: returns which of its tags may have an article. A site would query its database only for those.
 *
 * `before` and `after` are the versions that were served before and after the lookup. If the host has been behind the journal
 * for too long, `isComplete` is false, and every answer is "maybe".
 *
 * @param list<string> $tags
 */
function page(array $tags): array
{
    $filter = Filter::open(FILTER);
    $before = $filter->info()->generation;
    $start = hrtime(true);
    $maybe = $filter->candidates($tags);
    $ns = hrtime(true) - $start;
    return ['pid' => getmypid(), 'before' => $before, 'after' => $filter->info()->generation, 'isComplete' => $filter->isComplete(),
        'ns' => $ns, 'maybe' => array_keys($maybe)];
}

/** Adds a tag to the journal, as a page does before it commits a new article. */
function add(string $tag): array
{
    try {
        $journal = new Journal(FILTER, StoreUrl::parse(getenv('BLOOM_DEMO_STORE_URL'))->open());
        return ['added' => $journal->add($tag), 'error' => ''];
    } catch (StoreException | StoreUrlException $error) {
        return ['added' => 0, 'error' => $error->getMessage()];
    }
}

$body = file_get_contents('php://input');
echo json_encode(match ($_SERVER['ACTION']) {
    'page' => page(explode("\n", $body)),
    'add' => add($body),
    'info' => ['info' => Filter::find(FILTER)?->info()],
});
