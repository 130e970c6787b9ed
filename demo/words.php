<?php

/** The demo's words: two free dictionaries packaged by Debian, both in EUC-JP, with the headword first. */

namespace Demo;

/**
 * Returns the distinct headwords in the file's order, each with the number of its translations.
 *
 * @return array<string, int>
 */
function entries(string $path): array
{
    $text = mb_convert_encoding(file_get_contents($path), 'UTF-8', 'EUC-JP');
    $entries = [];
    foreach (explode("\n", $text) as $line) {
        $end = strpos($line, ' ');
        if ($end > 0 && !str_starts_with($line, ';;')) {
            $entries[substr($line, 0, $end)] ??= substr_count($line, '/') - 1;
        }
    }
    return $entries;
}

/** Returns the headwords of entries. @return list<string> */
function headwords(array $entries): array
{
    return array_map(strval(...), array_keys($entries));
}

/** @return array<string, true> a set of the words */
function set_of(array $words): array
{
    return array_fill_keys($words, true);
}

/** Returns $count randomly chosen words. */
function some(array $words, int $count): array
{
    shuffle($words);
    return array_slice($words, 0, $count);
}

function write_lines(string $path, array $lines): void
{
    file_put_contents($path, implode("\n", $lines) . "\n");
}

/**
 * The tags and the articles of three versions of the site, written to files for the other parts.
 *
 * In the second night, 1 % of the articles are removed and the same number is added. The added articles are tags
 * that pages already have. The third version has one more article.
 */
final class Words
{
    /** @var list<string> */
    public array $tags, $articles, $kept, $removed, $added, $absent;
    /** @var array<string, int> the number of translations of each article, which its tag shows */
    public array $counts;
    public string $extra;

    public function __construct(string $home)
    {
        $this->counts = entries('/usr/share/skk/SKK-JISYO.L');
        $this->articles = headwords($this->counts);
        $this->tags = headwords(entries('/usr/share/edict/edict'));
        mt_srand(1);
        shuffle($this->tags);
        $absent = array_values(array_filter($this->tags, self::notIn($this->articles)));
        $hundredth = intdiv(count($this->articles), 100);
        $this->removed = some($this->articles, $hundredth);
        $this->kept = array_values(array_filter($this->articles, self::notIn($this->removed)));
        $this->added = array_slice($absent, 0, $hundredth);
        $this->extra = $absent[$hundredth];
        $this->absent = array_slice($absent, $hundredth + 1);
        write_lines("$home/articles-1", $this->articles);
        write_lines("$home/articles-2", [...$this->kept, ...$this->added]);
        write_lines("$home/articles-3", [...$this->kept, ...$this->added, $this->extra]);
        write_lines("$home/sample", array_slice($this->tags, 0, 20_000));
        write_lines("$home/counts", array_map(
            static fn (string|int $article, int $count): string => "$article\t$count",
            array_keys($this->counts),
            $this->counts
        ));
    }

    private static function notIn(array $words): callable
    {
        $set = set_of($words);
        return fn (string $word): bool => !isset($set[$word]);
    }
}
