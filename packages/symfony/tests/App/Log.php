<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests\App;

use Psr\Log\AbstractLogger;

/** Collects what the bundle logs. */
final class Log extends AbstractLogger
{
    /** @var list<string> "level: message" */
    public array $lines = [];

    /** @param array<mixed> $context */
    public function log($level, string|\Stringable $message, array $context = []): void
    {
        if (isset($context['filter'])) {
            $replacements = [];
            foreach (['filter', 'reason'] as $name) {
                $replacements["{{$name}}"] = $context[$name];
            }
            $this->lines[] = "$level: " . strtr((string) $message, $replacements);
        }
    }
}
