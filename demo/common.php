<?php

/** Shared by the demo's main process and its pages. */

namespace Demo;

const FILTER = 'tags';

spl_autoload_register(static function (string $class): void {
    foreach (['Demo\\' => __DIR__, 'Bloom\\Kit\\' => __DIR__ . '/../packages/kit/src'] as $prefix => $directory) {
        $file = "$directory/" . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
        if (str_starts_with($class, $prefix) && is_file($file)) {
            require $file;
        }
    }
});

/** @param non-empty-list<float> $numbers */
function median(array $numbers): float
{
    sort($numbers);
    return $numbers[intdiv(count($numbers), 2)];
}
