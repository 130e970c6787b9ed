<?php

/**
 * A host of the cluster's demo. `php cluster_host.php sync SECONDS` syncs the filter again and again. `php cluster_host.php pages`
 * looks up pages of ten tags without a pause, compares each answer with the truth, and prints its counts for each line of input.
 */

namespace Demo;

use Bloom\Filter;
use Bloom\StoreException;

require __DIR__ . '/common.php';
require __DIR__ . '/TwoNights.php';

/** Syncs as a page or cron would. If the store fails, the host keeps serving what it has. */
function sync_forever(float $seconds): never
{
    $store = open_store();
    for (;;) {
        try {
            Filter::sync(FILTER, $store, ttl: $seconds);
        } catch (StoreException) {
            // The filter counts the failure, and info() shows it.
        }
        usleep(20_000);
    }
}

/** @return array{before: int, after: int, maybe: list<int>}|null null: no filter is loaded yet */
function answer_page(array $tags): ?array
{
    $filter = Filter::find(FILTER);
    if ($filter === null) {
        return null;
    }
    $before = $filter->info()->generation;
    $maybe = array_keys($filter->candidates($tags));
    return ['before' => $before, 'after' => $filter->info()->generation, 'maybe' => $maybe];
}

function serve_pages(): void
{
    $words = (object) [];
    foreach (['kept', 'added', 'removed', 'absent'] as $kind) {
        $words->$kind = read_lines(home() . "/$kind");
    }
    $pages = new TwoNights($words);
    stream_set_blocking(STDIN, false);
    $state = ['pages' => [0, 0, 0], 'failed' => 0, 'problem' => '', 'generation' => 0];
    for ($page = 0; !feof(STDIN); $page++) {
        try {
            if ($answer = answer_page($pages->tags($page))) {
                $pages->compare($answer);
                $state['generation'] = $answer['after'];
                $state['pages'][min($answer['after'], 2)]++;
            }
        } catch (\Throwable $thrown) {
            $state['failed']++;
            $state['problem'] = $thrown->getMessage();
        }
        if (fgets(STDIN) !== false) {
            $info = Filter::find(FILTER)?->info();
            echo json_encode($state + ['missed' => $pages->missed, 'articles' => $pages->mustBeMaybe,
                'syncFailures' => $info?->syncFailures ?? 0, 'failuresInRow' => $info?->syncFailuresInRow ?? 0, 'lastError' => $info?->lastError]), "\n";
        }
        usleep(2000);
    }
}

$argv[1] === 'sync' ? sync_forever((float) $argv[2]) : serve_pages();
