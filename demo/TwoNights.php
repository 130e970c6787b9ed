<?php

/**
 * Pages of the time when the second night's filter takes the first one's place: ten tags of all kinds each,
 * and what they were told, against the truth of the night that told it.
 */

namespace Demo;

final class TwoNights
{
    /** Which of a page's ten tags are what. */
    private const KINDS = ['kept', 'kept', 'kept', 'kept', 'added', 'added', 'removed', 'removed',
        'absent', 'absent'];

    public int $asked = 0;
    public int $saved = 0;
    public int $mustBeMaybe = 0;
    public int $missed = 0;
    /** @var array<string, array<int, int>> tags answered "no", by kind and night; and all of them */
    private array $no = [], $all = [];

    public function __construct(private Words $words)
    {
    }

    /** @return list<string> */
    public function tags(int $page): array
    {
        $tags = [];
        foreach (self::KINDS as $place => $kind) {
            $words = $this->words->$kind;
            $tags[] = $words[($page * count(self::KINDS) + $place) % count($words)];
        }
        return $tags;
    }

    /** Generation 1 is the first night's, 2 and later have the second night's articles. */
    public function compare(array $answer): void
    {
        $maybe = array_flip($answer['maybe']);
        /* A switch between the two readings leaves open which of them answered. */
        $night = $answer['before'] === $answer['after'] ? min($answer['after'], 2) : 0;
        foreach (self::KINDS as $place => $kind) {
            $no = isset($maybe[$place]) ? 0 : 1;
            $mustBeMaybe = $kind === 'kept' || $kind === 'removed' && $night === 1
                || $kind === 'added' && $night === 2;
            $this->asked++;
            $this->saved += $no;
            $this->mustBeMaybe += $mustBeMaybe ? 1 : 0;
            $this->missed += $mustBeMaybe ? $no : 0;
            $this->no[$kind][$night] = ($this->no[$kind][$night] ?? 0) + $no;
            $this->all[$kind][$night] = ($this->all[$kind][$night] ?? 0) + 1;
        }
    }

    public function shareOfNo(string $kind, int $night): float
    {
        return ($this->no[$kind][$night] ?? 0) / max(1, $this->all[$kind][$night] ?? 0);
    }
}
