<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

use Psr\Log\AbstractLogger;

/** Collects what is logged about filters. */
final class Log extends AbstractLogger
{
    /** @var list<string> "level: message" */
    public array $lines = [];

    /** @param array<mixed> $context */
    public function log($level, string|\Stringable $message, array $context = []): void
    {
        if (isset($context['filter'])) { // a framework also logs its own events
            $this->lines[] = "$level: $message";
        }
    }
}
