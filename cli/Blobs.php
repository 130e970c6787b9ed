<?php

namespace Bloom\Cli;

use Bloom\Blob;
use Bloom\BloomException;
use Bloom\FormatException;

/** Blobs in files, on standard input and on standard output. */
final class Blobs
{
    /** What each begins with. */
    public const MAGIC = "\x89BLOOM\r\n";

    /** Reads and verifies one. */
    public static function read(string $path, Progress $progress): Blob
    {
        $file = new InputFile($path);
        try {
            return $file->read(
                static fn ($stream): Blob => Blob::open($stream, $progress->stage('reading blob'))
            );
        } catch (FormatException $thrown) {
            throw Failure::at(ExitCode::Data, $file->label(), $thrown);
        } catch (BloomException $thrown) {
            throw Failure::at(ExitCode::Io, $file->label(), $thrown);
        }
    }

    /** Fails early on an output that could not be written at the end, or that somebody meant as an input. */
    public static function checkOutput(string $path, Stdout $stdout): void
    {
        if ($path === '-') {
            if ($stdout->isTerminal()) {
                throw Failure::usage('a blob is binary: standard output must not be a terminal');
            }
            return;
        }
        $directory = dirname(self::behindLinks($path));
        $why = match (true) {
            $path === '' => 'not a path',
            is_dir($path) => 'is a directory',
            // The file is renamed into its place: that would replace a device, even /dev/null; or a link to what is
            // not there, as which a thread-safe PHP sees /dev/stdin.
            (file_exists($path) || is_link($path)) && !is_file($path) => 'is no plain file (- is standard output)',
            !is_dir($directory) => 'its directory does not exist, or may not be entered',
            !is_writable($directory) => 'its directory is not writable',
            is_file($path) && !is_readable($path) => 'is there and may not be read, so it may be no blob',
            default => null,
        };
        if ($why !== null) {
            throw new Failure(ExitCode::CannotCreate, "$path: $why");
        }
        if (is_file($path) && filesize($path) > 0 && !self::isAt($path)) {
            throw Failure::usage("OUTPUT $path: is there and is no blob, so it is not replaced: name another, or delete it");
        }
    }

    /** Whether a plain file begins like a blob. */
    public static function isAt(string $path): bool
    {
        return @file_get_contents($path, length: strlen(self::MAGIC)) === self::MAGIC;
    }

    /** Writes one: to a file all or nothing, whatever signal comes. */
    public static function write(Blob $blob, string $path, Stdout $stdout): void
    {
        if ($path === '-') {
            $stdout->write($blob->toString());
            $stdout->flush();
            return;
        }
        try {
            Signals::deferred(static fn () => $blob->save(self::behindLinks($path)));
        } catch (BloomException $thrown) {
            throw new Failure(ExitCode::CannotCreate, $thrown->getMessage(), $thrown);
        }
    }

    /** A symbolic link stays one, as with a shell's ">". */
    private static function behindLinks(string $path): string
    {
        return is_link($path) ? (realpath($path) ?: $path) : $path;
    }
}
