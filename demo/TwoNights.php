<?php

/**
 * Pages during the switch from the first night's filter to the second night's filter. Each page has ten tags of
 * all kinds. Each answer is compared with the articles of the night whose filter produced it.
 */

namespace Demo;

final class TwoNights
{
    /** The kinds of a page's ten tags. */
    private const KINDS = ['kept', 'kept', 'kept', 'kept', 'added', 'added', 'removed', 'removed',
        'absent', 'absent'];

    public int $asked = 0;
    public int $saved = 0;
    public int $mustBeMaybe = 0;
    public int $missed = 0;
    /** @var array<string, array<int, int>> tags answered "no" by kind and night, and all tags */
    private array $no = [], $all = [];

    /** @param object $words with the lists kept, added, removed and absent */
    public function __construct(private object $words)
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

    /** Generation 1 has the first night's articles. Later generations have the second night's articles. */
    public function compare(array $answer): void
    {
        $maybe = array_flip($answer['maybe']);
        /* If the generation changed during the lookup, either generation may have answered. */
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
