<?php

namespace Bloom\Cli;

use Bloom\Kit\Fold;
use Bloom\MapBuilder;

/** Finds the lines that give a key several values. The builder knows only the digest of the key. */
final class MapDuplicate
{
    /** @param Failure $failure with the digest in its message */
    public static function located(Failure $failure, MapBuilder $builder, KeyFiles $keys, ?Fold $fold, Progress $progress): Failure
    {
        $info = $builder->info();
        if ($info->keyedBy !== null || !$keys->canBeReadAgain() || !preg_match('/\bdigest ([0-9a-f]{16})\b/', $failure->getMessage(), $parts)) {
            return $failure;
        }
        $first = $found = null;
        $keys->eachBatch(static function (array $lines, array $keys, string $label, int $before) use ($parts, $info, $fold, &$first, &$found): void {
            foreach ($fold?->keys($keys) ?? $keys as $i => $key) {
                if ($found !== null || hash('xxh3', $key, options: ['seed' => $info->seed]) !== $parts[1]) {
                    continue;
                }
                $one = [$label, $before + $i + 1, $key, MapLines::values([$lines[$i]], $label, $before + $i)[0]];
                $first ??= $one;
                $found = $one[3] === $first[3] ? null : $one;
            }
        }, 'searching', $progress);
        return $found === null ? $failure : new Failure($failure->exitCode, self::message($first, $found), $failure);
    }

    /**
     * @param array{string, int, string, int} $first file, line, key and value
     * @param array{string, int, string, int} $found
     */
    private static function message(array $first, array $found): string
    {
        $where = "line $first[1]" . ($first[0] === $found[0] ? '' : " of $first[0]");
        return "$found[0]: line $found[1]: " . ($first[2] === $found[2]
            ? Text::key($found[2]) . " has the value $found[3], but in $where the value $first[3] (--on-duplicate=last keeps the last value)"
            : Text::key($found[2]) . ' has the same digest as ' . Text::key($first[2]) . " in $where: choose another --seed");
    }
}
