<?php

namespace Bloom\Cli;

use Bloom\Blob;
use Bloom\BloomException;
use Bloom\FormatException;
use Bloom\Kit\Paths;

/** Reads and writes blobs in files, on standard input and on standard output. */
final class Blobs
{
    /** The first bytes of every blob. */
    public const MAGIC = "\x89BLOOM\r\n";

    /** Reads and verifies a blob. */
    public static function read(string $path, Progress $progress): Blob
    {
        $file = new InputFile($path);
        try {
            return $file->read(
                static fn ($stream): Blob => Blob::open($stream, $progress->stage('reading blob'))
            );
        } catch (FormatException $thrown) {
            if ($file->plainBytes() !== null && !self::isAt($path)) {
                throw new Failure(ExitCode::Data, "{$file->label()}: not a blob (bloom build makes one from lists of keys)", $thrown);
            }
            throw Failure::at(ExitCode::Data, $file->label(), $thrown);
        } catch (BloomException $thrown) {
            throw Failure::at(ExitCode::Io, $file->label(), $thrown);
        }
    }

    /** Fails before any work is done if the output cannot be written or was probably meant as an input. */
    public static function checkOutput(string $path, Stdout $stdout): void
    {
        self::checkPlace($path, $stdout, 'a blob');
        if (is_file($path) && filesize($path) > 0 && !self::isAt($path)) {
            throw Failure::usage(
                "OUTPUT $path: exists and is not a blob, so it is not replaced: choose another name, or delete the file"
            );
        }
    }

    /** Fails before any work is done if no file can be written at a path. */
    public static function checkPlace(string $path, Stdout $stdout, string $what): void
    {
        if ($path === '-') {
            if ($stdout->isTerminal()) {
                throw Failure::usage("$what is binary and is not written to a terminal: redirect standard output");
            }
            return;
        }
        if (Paths::isUrl($path)) {
            throw Failure::usage("OUTPUT $path: is a URL; give the path of a file, or - for standard output");
        }
        $directory = dirname(OutputFile::behindLinks($path));
        $why = match (true) {
            $path === '' => 'not a path',
            is_dir($path) => 'is a directory',
            // The final rename would replace a device, even /dev/null. It would also replace a dangling link, which is
            // what a thread-safe PHP sees at /dev/stdin.
            System::isDevice($path, System::isWindows()) || (file_exists($path) || is_link($path)) && !is_file($path)
                => 'is not a regular file (use - for standard output)',
            !is_dir($directory) => 'its directory does not exist or is not accessible',
            !is_writable($directory) => 'its directory is not writable',
            is_file($path) && !is_readable($path) => "exists but is not readable, so it may not be $what",
            default => null,
        };
        if ($why !== null) {
            throw new Failure(ExitCode::CannotCreate, "$path: $why");
        }
    }

    /** Returns whether a regular file begins with the first bytes of a blob. */
    public static function isAt(string $path): bool
    {
        return @file_get_contents($path, length: strlen(self::MAGIC)) === self::MAGIC;
    }

    /** Writes a blob. A file is written completely or not at all, even if a signal arrives. */
    public static function write(Blob $blob, string $path, Stdout $stdout): void
    {
        if ($path === '-') {
            $stdout->write($blob->toString());
            $stdout->flush();
            return;
        }
        try {
            Signals::deferred(static fn () => $blob->save($path));
        } catch (BloomException $thrown) {
            throw new Failure(ExitCode::CannotCreate, $thrown->getMessage(), $thrown);
        }
    }
}
