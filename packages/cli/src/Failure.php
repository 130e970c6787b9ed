<?php

namespace Bloom\Cli;

/** Ends the command with a message for standard error and an exit code. */
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

    /** Creates a failure with the message of another exception, prefixed with the file or location. */
    public static function at(ExitCode $exitCode, string $where, \Throwable $thrown): self
    {
        return new self($exitCode, "$where: {$thrown->getMessage()}", $thrown);
    }
}
