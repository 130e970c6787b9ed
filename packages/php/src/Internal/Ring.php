<?php

namespace Bloom\Internal;

use Bloom\Status;

/** The secrets of a file: `bloom.secret_file` or `bloom.signing_key_file`. The first one is the current one. */
final class Ring
{
    private const FILE_BYTES_MAX = 16384;

    /** @param list<Secret> $secrets */
    private function __construct(public readonly bool $isConfigured, private readonly array $secrets)
    {
    }

    public static function secrets(): self
    {
        return self::read(Settings::get('secret_file'));
    }

    public static function signers(): self
    {
        return self::read(Settings::get('signing_key_file'));
    }

    public static function current(Status $missing): Secret
    {
        $ring = $missing === Status::NoSecret ? self::secrets() : self::signers();
        return $ring->secrets[0] ?? throw Failure::of($missing);
    }

    public function find(int $fingerprint): ?Secret
    {
        foreach ($this->secrets as $secret) {
            if ($secret->fingerprint === $fingerprint) {
                return $secret;
            }
        }
        return null;
    }

    private static function read(string $path): self
    {
        /** @var array<string, self> $known */
        static $known = [];
        return $known[$path] ??= $path === '' ? new self(false, []) : new self(true, self::parse($path));
    }

    /** @return list<Secret> */
    private static function parse(string $path): array
    {
        Secret::require($path);
        $mode = System::isAbsolute($path, System::isWindows()) ? @fileperms($path) : false;
        if ($mode === false || ($mode & 0170000) !== 0100000 || filesize($path) > self::FILE_BYTES_MAX) {
            throw Failure::of(Status::SecretFile, $path);
        }
        $isOwn = in_array(fileowner($path), [0, Process::user() ?? fileowner($path)], true);
        if (!System::isWindows() && (!$isOwn || ($mode & 027) !== 0)) {
            throw Failure::of(Status::SecretMode, $path);
        }
        $text = @file_get_contents($path);
        if ($text === false) {
            throw Failure::of(Status::SecretFile, $path);
        }
        $lines = explode("\n", str_replace("\r\n", "\n", rtrim($text, "\r\n")));
        $isValid = count($lines) <= 8 && count(array_unique(array_map(strtolower(...), $lines))) === count($lines)
            && preg_grep('/\A[0-9A-Fa-f]{64}\z/', $lines, PREG_GREP_INVERT) === [];
        if (!$isValid) {
            throw Failure::of(Status::SecretText, $path);
        }
        return array_map(fn (string $line): Secret => new Secret((string) hex2bin($line)), $lines);
    }
}
