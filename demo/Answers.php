<?php

/** Compares the answers of pages with the truth and counts errors. */

namespace Demo;

final class Answers
{
    public int $pages = 0;
    public int $failed = 0;
    public string $problem = '';
    public int $asked = 0;
    public int $present = 0;
    public int $maybe = 0;
    public int $falsePositives = 0;
    public int $falseNegatives = 0;
    /** @var array<int, true> */
    public array $pids = [];
    private float $startedAt;

    /** @param array<string, true> $articles */
    public function __construct(private array $articles)
    {
        $this->startedAt = microtime(true);
    }

    public function take(array $request, ?array $answer, string $problem): void
    {
        $this->pages++;
        if ($answer === null) {
            $this->failed++;
            $this->problem = $problem;
            return;
        }
        $this->pids[$answer['pid']] = true;
        $this->asked += count($request['tags']);
        $this->maybe += count($answer['maybe']);
        $maybe = array_flip($answer['maybe']);
        foreach ($request['tags'] as $place => $tag) {
            $isPresent = isset($this->articles[$tag]);
            $this->present += $isPresent ? 1 : 0;
            $this->falsePositives += !$isPresent && isset($maybe[$place]) ? 1 : 0;
            $this->falseNegatives += $isPresent && !isset($maybe[$place]) ? 1 : 0;
        }
    }

    public function seconds(): float
    {
        return microtime(true) - $this->startedAt;
    }
}
