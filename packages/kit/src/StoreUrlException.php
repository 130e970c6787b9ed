<?php

declare(strict_types=1);

namespace Bloom\Kit;

/** The URL of a store is invalid, its directory is missing, or PHP lacks a client for its server. */
final class StoreUrlException extends \RuntimeException
{
    /** @param string $detail the message without its beginning, for programs that name the URL in their own words */
    public function __construct(
        public readonly StoreUrlProblem $problem,
        public readonly string $detail,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($problem === StoreUrlProblem::Invalid ? "invalid URL of a store: $detail" : $detail, 0, $previous);
    }
}
