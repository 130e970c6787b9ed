<?php

namespace Bloom\Reference;

/** A comment before a class, method, property or case: the text, and the tags by their names. */
final class Comment
{
    public readonly string $text;
    /** @var list<array{name: string, type: string, variable: string, text: string}> */
    public readonly array $tags;

    public function __construct(string|false $comment)
    {
        $text = trim(preg_replace('~^\s*\*(?!/) ?|^/\*\*|\*/$~m', '', (string)$comment));
        $parts = preg_split('/^ *@(?=[a-z])/m', $text);
        $this->text = trim(array_shift($parts));
        $tags = [];
        foreach ($parts as $part) {
            [$name, $rest] = preg_split('/\s+/', trim($part), 2) + [1 => ''];
            $type = in_array($name, ['param', 'return', 'var', 'throws'], true) ? self::type($rest) : '';
            $rest = ltrim(substr($rest, strlen($type)));
            $variable = $name === 'param' && preg_match('/^(?:\.\.\.)?\$\w+/', $rest, $found) === 1 ? $found[0] : '';
            // A list keeps its lines; the other lines are indented to stand below each other.
            $rest = preg_replace('/^ {1,9}(?! *-)/m', '', ltrim(substr($rest, strlen($variable))));
            $tags[] = ['name' => $name, 'type' => preg_replace('/\s+/', ' ', $type), 'variable' => $variable, 'text' => $rest];
        }
        $this->tags = $tags;
    }

    /** @return list<array{name: string, type: string, variable: string, text: string}> */
    public function tagged(string $name): array
    {
        return array_values(array_filter($this->tags, fn (array $tag): bool => $tag['name'] === $name));
    }

    /** Returns the text up to the end of its first sentence. */
    public function summary(): string
    {
        preg_match('/^.*?(?:[.?!](?=\s|$)|$(?!\n\S)|\n\n)/s', $this->text, $found);
        return trim($found[0] ?? '');
    }

    /** Returns the type that a text begins with, which may have spaces within brackets. */
    private static function type(string $text): string
    {
        preg_match('/^(?:(<(?:[^<>]|(?1))*>)|(\((?:[^()]|(?2))*\))|(\{(?:[^{}]|(?3))*\})|[^\s<({])+/', $text, $found);
        return $found[0] ?? '';
    }
}
