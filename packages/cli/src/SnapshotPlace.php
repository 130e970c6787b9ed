<?php

namespace Bloom\Cli;

use Bloom\Kit\Paths;
use Bloom\Store;
use Symfony\Component\Console\Input\InputInterface;

/**
 * The place of snapshots, as the last argument of "snapshot" and "restore":
 *
 *     an existing directory, dir:path, file:///path    one file NAME.snapshot for each filter
 *     another path                                     the file of a single filter
 *     redis://host, memcached://host, …                a store
 */
final class SnapshotPlace
{
    private const SUFFIX = '.snapshot';
    private const MAGIC = "\x89BLSNP\r\n";

    private function __construct(
        private readonly ?Store $store,
        private readonly string $path,
        private readonly bool $isDirectory,
        private readonly bool $isWindows
    ) {
    }

    /** @return array{list<string>, self} the names that a command was given, or none with --all, and the place after them */
    public static function given(InputInterface $input, Command $command): array
    {
        [$names, $place] = Arguments::namesAndStore($input->getArgument('names'), $command);
        $all = $input->getOption('all');
        if ($all === ($names !== [])) {
            throw Failure::usage($all
                ? 'give either names or --all'
                : (Arguments::isStore($place) ? 'NAME or --all' : 'PLACE') . " is missing: write {$command->usage()}");
        }
        return [$names, self::parse($place, Timeout::of($input))];
    }

    public static function parse(string $text, float $timeout, ?bool $isWindows = null): self
    {
        $isWindows ??= System::isWindows();
        if ($text === '-') {
            throw Failure::usage('PLACE: a snapshot cannot be written to standard output or read from standard input: give a file, a directory or a store');
        }
        $text = (string) preg_replace_callback('/^(?:dir|file):/i', static fn (array $found): string => strtolower($found[0]), $text);
        $path = Paths::ofUrl($text, $isWindows)
            ?? (preg_match('/^dir:(.+)$/s', $text, $parts) && !Paths::isUrl($parts[1]) ? $parts[1] : null);
        if ($path !== null) {
            return new self(null, System::trim($path, $isWindows), true, $isWindows);
        }
        if (StoreUrl::isUrl($text, $isWindows)) {
            return new self(new LazyStore(StoreUrl::parse($text, $isWindows), $timeout), $text, false, $isWindows);
        }
        $isDirectory = System::endsInSlash($text, $isWindows) || is_dir($text);
        return new self(null, $isDirectory ? System::trim($text, $isWindows) : $text, $isDirectory, $isWindows);
    }

    /** Fails if the place cannot contain the snapshots of several filters. */
    public function checkHolds(int $names): void
    {
        if ($names > 1 && $this->store === null && !$this->isDirectory) {
            throw Failure::usage("PLACE $this->path: is not a directory, so it can contain only one snapshot: give a directory for several");
        }
    }

    /**
     * Returns the names of all filters that have a snapshot in the directory.
     *
     * @return list<string>
     */
    public function names(): array
    {
        if (!$this->isDirectory) {
            throw Failure::usage("--all needs an existing directory, not \"$this->path\": neither a store nor a file can list snapshots");
        }
        if (!is_dir($this->path) || !is_readable($this->path)) {
            throw new Failure(ExitCode::NoInput, "$this->path: is not a readable directory");
        }
        $names = [];
        foreach (scandir($this->path) as $file) {
            $name = substr($file, 0, -strlen(self::SUFFIX));
            $name = $this->isWindows ? (string) System::nameOfPortable($name) : $name;
            if (str_ends_with($file, self::SUFFIX) && preg_match(Names::PATTERN, $name)) {
                $names[] = $name;
            }
        }
        return $names;
    }

    /** Returns what save() takes. Fails if a file cannot be written or is not a snapshot. */
    public function target(string $name): string|Store
    {
        if ($this->store !== null) {
            return $this->store;
        }
        $path = $this->pathOf($name);
        $directory = dirname($path);
        $why = match (true) {
            !is_dir($directory) => 'its directory does not exist or is not accessible',
            !is_writable($directory) => 'its directory is not writable',
            is_dir($path) => 'is a directory',
            file_exists($path) && !is_file($path) => 'is not a regular file',
            is_file($path) && !is_readable($path) => 'exists but is not readable, so it may not be a snapshot',
            default => null,
        };
        if ($why !== null) {
            throw new Failure(ExitCode::CannotCreate, "$path: $why");
        }
        if (is_file($path) && filesize($path) > 0
            && @file_get_contents($path, length: strlen(self::MAGIC)) !== self::MAGIC) {
            throw new Failure(ExitCode::Usage, "PLACE $path: exists and is not a snapshot, so it is not replaced: choose another name, or delete the file");
        }
        return $path;
    }

    /** Returns what restore() takes. Fails if the file is missing. */
    public function source(string $name): string|Store
    {
        if ($this->store !== null) {
            return $this->store;
        }
        $path = $this->pathOf($name);
        if (!is_file($path) || !is_readable($path)) {
            throw new Failure(ExitCode::NoInput, "$path: is not a readable file");
        }
        return $path;
    }

    /** Returns where the snapshot of a filter is, for messages. */
    public function describe(string $name): string
    {
        return $this->store !== null ? Text::withoutPasswords($this->path) : $this->pathOf($name);
    }

    private function pathOf(string $name): string
    {
        // The names Tags and tags must not share a file.
        $file = ($this->isWindows ? System::portableName($name) : $name) . self::SUFFIX;
        return $this->isDirectory ? System::join($this->path, $file, $this->isWindows) : $this->path;
    }
}
