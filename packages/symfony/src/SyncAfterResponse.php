<?php

declare(strict_types=1);

namespace Bloom\Symfony;

use Psr\Log\LoggerInterface;
use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use Symfony\Component\HttpKernel\KernelEvents;

/** Syncs the filters whose interval has passed, when the user already has the response. */
final readonly class SyncAfterResponse implements EventSubscriberInterface
{
    /** @param iterable<FilterSync> $syncs */
    public function __construct(private iterable $syncs, private ?LoggerInterface $logger = null)
    {
    }

    public static function getSubscribedEvents(): array
    {
        return [KernelEvents::TERMINATE => 'sync'];
    }

    public function sync(): void
    {
        foreach ($this->syncs as $sync) {
            try {
                $sync->syncIfDue();
            } catch (\Throwable $failure) { // the application's own store may throw anything
                $this->logger?->error('The sync of the Bloom filter "{filter}" failed: {reason}', [
                    'filter' => $sync->filter,
                    'reason' => $failure->getMessage(),
                    'exception' => $failure,
                ]);
            }
        }
    }
}
