<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\BusyException;
use Bloom\FormatException;
use Bloom\KindException;
use Bloom\NotFoundException;
use Bloom\RateException;
use Bloom\SecretException;
use Bloom\SegmentException;
use Bloom\SignatureException;
use Bloom\Status;
use Bloom\StoreException;
use Symfony\Component\Console\Exception\ExceptionInterface;

/**
 * The exit codes: the numbers from sysexits.h, and 1 if the answer is no. The help texts contain meaning(), and a test
 * compares it with the table in docs/cli.md.
 */
enum ExitCode: int
{
    case Ok = 0;
    case No = 1;
    case Critical = 2;
    case Unknown = 3;
    case Usage = 64;
    case Data = 65;
    case NoInput = 66;
    case Unavailable = 69;
    case Internal = 70;
    case System = 71;
    case CannotCreate = 73;
    case Io = 74;
    case TryAgain = 75;
    case Secret = 77;
    case TooManyKeys = 78;
    case BrokenPipe = 141;

    public function meaning(): string
    {
        return match ($this) {
            self::Ok => 'success, or the answer is yes',
            self::No => 'the answer is no: a key is certainly absent or has another value, a filter needs attention, versions differ or lack chunks, or there was nothing to drop',
            self::Critical => 'health: a filter is not loaded, is critical or is not ready',
            self::Unknown => 'health: the store could not be read',
            self::Usage => 'invalid arguments, options or values',
            self::Data => 'not a valid blob, snapshot or filter of another system; an imported filter denies a key; a key file is compressed, in UTF-16, or has a line of more than 1 MiB; a line of a map has no value that fits, or a key has several values',
            self::NoInput => 'a file or the directory of a store is missing or unreadable, there are no keys or no earlier version, no filter of that name is loaded, or the server does not have the key of the filter',
            self::Unavailable => 'the extension, symfony/console, a client for the store or the database, or pcntl is missing, or php.ini disables a function',
            self::Internal => 'a bug in this command',
            self::System => 'out of memory, or another error of the operating system',
            self::CannotCreate => 'the output cannot be created; the segment is refused, full or over its limit; the filter is of a different kind, or is pinned; keys or a blob do not fit its journal',
            self::Io => 'a read or write failed midway',
            self::TryAgain => 'temporary: another process holds the lock, the store or the database failed, or the store does not have the filter',
            self::Secret => 'a secret or signing key is missing or refused; a blob is unsigned, wrongly signed or too old',
            self::TooManyKeys => 'too many keys for the capacity: the false-positive rate is over the limit, or a map has no place for them',
            self::BrokenPipe => 'the reader of standard output closed it; no message is printed',
        };
    }

    /** Returns the exit code for an exception. A Failure carries its own exit code. */
    public static function of(\Throwable $thrown): self
    {
        return match (true) {
            $thrown instanceof Failure => $thrown->exitCode,
            $thrown instanceof ExceptionInterface => self::Usage,
            $thrown instanceof \ValueError && ApiArgument::isBlamedBy($thrown) => self::Usage,
            $thrown instanceof FormatException => self::Data,
            $thrown instanceof SecretException, $thrown instanceof SignatureException => self::Secret,
            $thrown instanceof StoreException && $thrown->getCode() === Status::NoPrevious->value => self::NoInput,
            $thrown instanceof StoreException && $thrown->getCode() === Status::Pinned->value => self::CannotCreate,
            $thrown instanceof RateException => self::TooManyKeys,
            $thrown instanceof NotFoundException => self::NoInput,
            $thrown instanceof BusyException, $thrown instanceof StoreException => self::TryAgain,
            $thrown instanceof SegmentException, $thrown instanceof KindException => self::CannotCreate,
            $thrown instanceof BloomException && $thrown->getCode() === Status::RefusedLink->value => self::CannotCreate,
            $thrown instanceof BloomException => self::System,
            default => self::Internal,
        };
    }

    /**
     * Returns the exit code for several failures. A permanent failure outranks a temporary one.
     *
     * @param list<self> $codes of the failures, in any order
     */
    public static function worst(array $codes): self
    {
        $lasting = array_filter($codes, static fn (self $code): bool => $code !== self::TryAgain);
        $numbers = array_map(static fn (self $code): int => $code->value, $lasting ?: $codes);
        return $numbers === [] ? self::Ok : self::from(max($numbers));
    }

    /**
     * Formats the codes as lines of a help text.
     *
     * @param list<self> $codes
     */
    public static function table(array $codes): string
    {
        $lines = array_map(
            static fn (self $code): string => sprintf('  <info>%3d</info>  %s', $code->value, $code->meaning()),
            $codes
        );
        return implode("\n", $lines);
    }
}
