<?php

namespace Bloom\Cli;

/** A reason to stop: one line for standard error, and the exit code. */
final class Failure extends \RuntimeException
{
    public function __construct(
        public readonly ExitCode $exitCode,
        string $message,
        ?\Throwable $previous = null
    ) {
        parent::__construct($message, $exitCode->value, $previous);
    }

    public static function usage(string $message): self
    {
        return new self(ExitCode::Usage, $message);
    }

    /** The same exception's message, said of a file. */
    public static function at(ExitCode $exitCode, string $where, \Throwable $thrown): self
    {
        return new self($exitCode, "$where: {$thrown->getMessage()}", $thrown);
    }
}
