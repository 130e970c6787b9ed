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
 * The exit codes: the numbers from sysexits.h, and 1 if the answer is no. `bloom help exit-codes`, the manual page and
 * docs/reference/exit-codes.md show meaning().
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
            self::No => 'the answer is no, for example because a key is definitely not in the filter, because a filter needs attention, or because there was nothing to drop',
            self::Critical => '`health`: a filter is not loaded, is critical or is not ready; `doctor`: something is broken',
            self::Unknown => '`health`: the store could not be read',
            self::Usage => 'an argument, an option or a value is invalid',
            self::Data => 'the input is damaged or not what it should be: a blob, a snapshot, a filter of another system, a map with a value for each key, or a key file that is neither compressed nor in UTF-16 and has lines of at most 1 MiB',
            self::NoInput => 'something that the command should read is missing: a file, the directory of a store, any key at all, an earlier version, or the filter on this host or on the server',
            self::Unavailable => 'a requirement is missing: the extension, symfony/console, a client for the store or the database, or a function that php.ini disables',
            self::Internal => 'a bug in the command',
            self::System => 'the system is out of memory or reported another error',
            self::CannotCreate => 'the output, or the change that you asked for, is not possible: the file cannot be created, the segment is full or refused, the filter is pinned or of another kind, or the keys do not fit its journal',
            self::Io => 'a read or write failed midway',
            self::TryAgain => 'temporary, so try again: another process holds the lock, the store or the database failed, or the store does not have the filter yet',
            self::Secret => 'a secret or a signing key is missing or refused, or a blob is unsigned, wrongly signed or too old',
            self::TooManyKeys => 'there are too many keys for the capacity, so the false-positive rate is over the limit or a map has no room for them',
            self::BrokenPipe => 'the reader of standard output closed it, so there is no message',
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
}
