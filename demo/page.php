<?php

/** Runs in the FPM workers: the page, and the demo's requests about a worker. */

namespace Demo;

use Bloom\Filter;

require __DIR__ . '/common.php';

/**
 * The page: returns which of its ten tags may have an article. Only those tags need a query to the store.
 *
 * `before` and `after` are the generations served before and after the lookup. If they are equal, all answers
 * come from that generation.
 */
function page(): array
{
    $tags = explode("\n", file_get_contents('php://input'));
    $filter = Filter::find(FILTER);
    if ($filter === null) {
        return ['pid' => getmypid(), 'before' => 0, 'after' => 0, 'maybe' => array_keys($tags)];
    }
    $before = $filter->info()->generation;
    $maybe = $filter->candidates($tags);
    return [
        'pid' => getmypid(),
        'before' => $before,
        'after' => $filter->info()->generation,
        'maybe' => array_keys($maybe),
    ];
}

/** Returns the positions of those tags that have an article, from the store that has all articles. */
function look_up(array $tags): array
{
    if ($tags === []) {
        return [];
    }
    if (uses_redis()) {
        $values = array_combine(array_keys($tags), redis()->mget(array_map(article_key(...), array_values($tags))));
        return array_keys(array_filter($values, fn (string|false $value): bool => $value !== false));
    }
    return array_keys(array_filter($tags, fn (string $tag): bool => file_exists(article_path($tag))));
}

/**
 * The page as a site would build it: finds which of its ten tags to link. With the filter, it looks up only the tags for which
 * the filter answers "maybe".
 */
function whole_page(bool $hasFilter): array
{
    $tags = explode("\n", file_get_contents('php://input'));
    $start = hrtime(true);
    $worthAsking = $hasFilter ? Filter::open(FILTER)->candidates($tags) : $tags;
    $linked = look_up($worthAsking);
    return ['ns' => hrtime(true) - $start, 'linked' => $linked, 'asked' => count($worthAsking)];
}

/** The page of the second act: shows how many translations each of its tags has, without asking the store. */
function page_with_counts(): array
{
    $tags = explode("\n", file_get_contents('php://input'));
    $start = hrtime(true);
    $counts = Filter::open(COUNTS)->getMany($tags);
    return ['ns' => hrtime(true) - $start, 'counts' => $counts];
}

/** Runs after the response. From time to time, one worker on the host checks for a new version. */
function after_page(): void
{
    $done = sync_watched((float) getenv('BLOOM_DEMO_TTL'));
    if ($done !== null) {
        file_put_contents(home() . '/run/syncs', json_encode($done) . "\n", FILE_APPEND | LOCK_EX);
    }
}

/** Returns the files of the segment that this worker maps, including unlinked ones. */
function mappings(): array
{
    usleep(20_000); /* so that the next request goes to a different worker */
    preg_match_all('~ (/\S*/([0-9a-f]{16})\.bloom(?: \(deleted\))?)$~m',
        file_get_contents('/proc/self/maps'), $found);
    return ['pid' => getmypid(), 'files' => array_values(array_unique($found[1]))];
}

/** Stores all articles in APCu, for comparison. */
function fill_apcu(): array
{
    foreach (array_chunk(read_lines(home() . '/articles-1'), 5000) as $articles) {
        apcu_store(array_fill_keys($articles, true));
    }
    $info = apcu_cache_info(true);
    return [
        'entries' => $info['num_entries'],
        'expunges' => $info['expunges'],
        'slots' => $info['num_slots'],
        'bytes' => $info['mem_size'],
    ];
}

switch ($_SERVER['ACTION']) {
    case 'page':
        echo json_encode(page());
        break;
    case 'page, sync':
        echo json_encode(page());
        fastcgi_finish_request();
        after_page();
        break;
    case 'whole page, with the filter':
    case 'whole page, without it':
        echo json_encode(whole_page($_SERVER['ACTION'] === 'whole page, with the filter'));
        break;
    case 'page with counts':
        echo json_encode(page_with_counts());
        break;
    case 'mappings':
        echo json_encode(mappings());
        break;
    case 'info':
        echo json_encode(Filter::open(FILTER)->info());
        break;
    case 'fill apcu':
        echo json_encode(fill_apcu());
        break;
    case 'measure':
        require __DIR__ . '/measure.php';
        echo json_encode(measure(read_lines(home() . '/sample'), Filter::open(FILTER)));
        break;
}
