<?php

declare(strict_types=1);

namespace Bloom\Kit;

/** Keys that a relay could not add to the journals of their filters. They are still in the outbox. */
final class OutboxException extends \RuntimeException
{
    /**
     * @param array<\Throwable> $failures by the name of the filter
     * @param int $moved the number of keys that were added nevertheless
     */
    private function __construct(string $message, public readonly array $failures, public readonly int $moved)
    {
        parent::__construct($message, 0, array_values($failures)[0] ?? null);
    }

    /** @param non-empty-array<\Throwable> $failures by the name of the filter */
    public static function of(array $failures, int $moved, string $table): self
    {
        $reasons = [];
        foreach ($failures as $filter => $failure) {
            $reasons[] = "$filter: {$failure->getMessage()}";
        }
        return new self("keys stay in the outbox $table: " . implode('; ', $reasons), $failures, $moved);
    }
}
