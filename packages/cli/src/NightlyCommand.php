<?php

namespace Bloom\Cli;

use Bloom\FormatException;
use Bloom\Kit\ImplausibleKeys;
use Bloom\Kit\NightlyBuild;
use Bloom\Status;
use Bloom\StoreException;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Builds, checks and publishes the next version of a filter. */
final class NightlyCommand extends Command
{
    private const FIRST_BYTES = 1 << 16;
    private const WAIT_US = 10_000;
    /** The exit code of a shell for a command that is not found, and of PHP's child process if it cannot execute the command. */
    private const NOT_FOUND = 127;

    protected function configure(): void
    {
        $value = InputOption::VALUE_REQUIRED;
        $this->setName('nightly')
            ->setDescription('Builds, checks and publishes the next version of a filter')
            ->addName()
            ->addStore()
            ->addArgument('keys', InputArgument::REQUIRED | InputArgument::IS_ARRAY, 'A file with one key per line; or, after --, a '
                . 'command that prints one key per line, with its arguments')
            ->addOption('settle', null, $value, 'How long to wait between the mark and the command, if the filter has a '
                . 'journal: the longest transaction, plus the lag of the replica that the command reads: 60s, 5m, or 0', '60')
            ->addOption('max-fall', null, $value, 'Refuse the keys if their number fell by more than this share since the '
                . 'published version: 0 to 1, or a percentage; with 100%, even no keys are accepted', '20%')
            ->addOption('rate', null, $value, 'False-positive rate at capacity, 0.000000001 to 0.5, or a percentage (default: that of '
                . 'the published version, at first 0.01)')
            ->addOption('keyed', null, InputOption::VALUE_NONE, 'Key the filter with the current secret of bloom.secret_file '
                . '(default: if the published version is keyed)')
            ->addLineKeys()
            ->addFold('as the published version')
            ->addOption('fresh', null, InputOption::VALUE_NONE, 'Do not read the published version, which may be damaged: begin as on '
                . 'the first night')
            ->addOption('force', null, InputOption::VALUE_NONE, 'Use the lines even if they are compressed or in UTF-16')
            ->addOption('retain', null, $value, 'How many versions the store keeps, this one included: 1 to 100', '3')
            ->addTimeout()
            ->addFormat()
            ->addProgress()
            ->setManual(
                <<<'HELP'
                The command builds the next version of a filter from all its keys, checks it and publishes it. The keys come
                from a program, which is started without a shell and prints one key per line, or from a file:

                  bloom nightly tags redis://cache.example:6379 -- mysql --default-character-set=utf8mb4 --quick --raw -Ne 'SELECT tag FROM tags' shop
                  bloom nightly tags /srv/bloom tags.txt

                On the first night, the filter is sized for a quarter more distinct keys than there are. Later nights keep
                the seed, the rate and the layout of the published version, so that hosts transfer only the changed chunks.
                If the keys have outgrown the capacity, the filter is sized in this way again, and hosts transfer it
                completely once. The keys are read twice on the first night and when the filter grows, so your program must
                be able to run twice, and a file must be a regular one.

                If keys can be added to the filter's journal, the command takes a mark, waits for `--settle` and only
                then starts your program. It refuses a file, because that may lack keys from before the mark. Without a
                journal there is no mark and no wait, and hosts deny the keys that you add during the day until the next
                night. The command never begins a journal. To begin one, run `bloom mark`.

                Nothing is published if the program fails, if there are no keys or far fewer than in the published version,
                or if the new version lacks one of a thousand keys that are looked up. A shell reports only the failure of
                the last command in a pipeline unless you set `pipefail`:

                  bloom nightly tags /srv/bloom -- bash -o pipefail -c 'mysql ... | sort -u'

                While another publisher has the lock, the command waits as `bloom publish` does. The version is signed if
                `bloom.signing_key_file` is set. If you want another scheme or other sizes, publish the first version with
                `bloom build` and `bloom publish`. The command needs memory for the filter and 16 MiB more. `--digests` is
                refused.

                With `--format=json`, the fields are `name`, those of `Blob::info()`, `chunksWritten`, `bytesWritten` and
                `warning`.
                HELP,
                [
                    66 => 'there are no keys or far fewer than before, or the program was not found',
                    73 => 'the filter has a journal, so a file is refused',
                    74 => 'the program failed or was killed',
                    75 => 'another publisher published a version whose keys were read later, or the store failed',
                ],
                ['[options] NAME STORE FILE', '[options] NAME STORE -- COMMAND...']
            );
    }

    public function getSynopsis(bool $short = false): string
    {
        return 'bloom nightly [options] <name> <store> (<file> | -- <command>...)';
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        [$name, $url] = Arguments::nameAndStore($input, $this);
        $keys = $input->getArgument('keys');
        $isCommand = $input->hasParameterOption('--');
        if (!$isCommand && count($keys) > 1) {
            throw Failure::usage('KEYS: give one file, or a command after --: write ' . $this->usage());
        }
        $settle = Values::durationOrZero($input, 'settle') ?? 0.0;
        if ($settle > NightlyBuild::SETTLE_MAX) {
            throw Failure::usage('--settle must be between 0 and ' . Text::count((int) NightlyBuild::SETTLE_MAX) . " seconds, not \"{$input->getOption('settle')}\"");
        }
        $maxFall = Values::rate($input, 'max-fall') ?? 0.0;
        if ($maxFall < 0) {
            throw Failure::usage("--max-fall must be between 0 and 1, not \"{$input->getOption('max-fall')}\"");
        }
        $retain = Values::integer($input, 'retain') ?? 3;
        $isForced = $input->getOption('force');
        $lines = LineKeys::of($input);
        if ($lines->areDigests) {
            throw Failure::usage('--digests: nightly keeps the seed of the published version, and digests have seed 0: write bloom build --digests');
        }
        $said = []; // the keys may be read twice
        $warn = static function (string $line) use ($report, &$said): void {
            if (!isset($said[$line])) {
                $said[$line] = true;
                $report->failure('bloom: warning: ' . Text::line($line));
            }
        };
        if (!$isCommand) {
            self::checkFile($keys[0], $lines, $isForced, $warn);
        }
        $url = StoreUrl::parse($url);
        $timeout = Timeout::of($input);
        $store = new LazyStore($url, $timeout);
        $night = new NightlyBuild(
            $name,
            $store,
            $isCommand ? $settle : null,
            $maxFall,
            Values::rate($input, 'rate', 0.5),
            keyed: $input->getOption('keyed') ?: null,
            fold: Folds::option($input) ?? Folds::ofPublished(Published::of($store, $name), $name),
            isFresh: $input->getOption('fresh'),
        );
        if (!$isCommand && LazyStore::clearly(static fn (): ?string => NightlyBuild::mark($name, $store)) !== null) {
            throw new Failure(ExitCode::CannotCreate, "$name: the filter has a journal, so its keys must be read after the mark: write "
                . "bloom nightly $name STORE -- COMMAND");
        }
        $blob = self::clearly($name, static fn () => $night->build(static function () use ($keys, $isCommand, $lines, $isForced, $warn, $progress, $store): iterable {
            yield from $isCommand
                ? self::keysOfCommand($keys, $lines, $isForced, $warn, $progress)
                : self::keysOfFile($keys[0], $lines, $isForced, $warn, $progress);
            $store->reset(); // the server may have closed the connection while the keys were read
        }, $progress->stage('settling', isTime: true)));
        $info = $blob->info();
        $done = PublishCommand::publish($blob, $name, $url->open($timeout), $report, $progress, retain: $retain);
        $report->result(['name' => $name] + $info->jsonSerialize() + $done, static fn (): array => [
            "$name: " . Describe::briefly($info) . ', sized for ' . Text::counted($info->capacity, 'key') . '; '
                . PublishCommand::describe($done),
        ]);
        return ExitCode::Ok;
    }

    private static function checkFile(string $path, LineKeys $lines, bool $isForced, callable $warn): void
    {
        KeyFiles::at([$path], 'bloom nightly NAME STORE', $lines, $isForced, $warn);
        if ((new InputFile($path))->plainBytes() === null) {
            throw Failure::usage('KEYS: ' . (new InputFile($path))->label() . ' is not a regular file, and the keys may have to be '
                . 'read twice: write bloom nightly NAME STORE -- COMMAND');
        }
    }

    /**
     * Adds the remedy to failures of the build.
     *
     * @template T
     * @param callable(): T $build
     * @return T
     */
    private static function clearly(string $name, callable $build): mixed
    {
        try {
            return LazyStore::clearly($build);
        } catch (ImplausibleKeys $thrown) {
            throw new Failure(ExitCode::NoInput, "{$thrown->getMessage()} (--max-fall)", $thrown);
        } catch (\ValueError $thrown) { // of the fold
            throw new Failure(ExitCode::Data, "$name: {$thrown->getMessage()}", $thrown);
        } catch (\OverflowException $thrown) {
            throw new Failure(ExitCode::TooManyKeys, "$name: {$thrown->getMessage()}", $thrown);
        } catch (FormatException | StoreException $thrown) {
            $isOfStore = $thrown instanceof StoreException && $thrown->getCode() !== Status::StoreMissing->value;
            throw $isOfStore ? $thrown : new Failure(ExitCode::of($thrown), "{$thrown->getMessage()}; if the published version is "
                . 'damaged, --fresh builds without it', $thrown);
        }
    }

    /** @return iterable<string> the keys */
    private static function keysOfFile(string $path, LineKeys $lines, bool $isForced, callable $warn, Progress $progress): iterable
    {
        $file = new InputFile($path);
        $file->check();
        $stream = fopen($path, 'rb');
        try {
            yield from self::keys($stream, $path, $lines, $isForced, $warn, $progress->part('reading', 0, $file->plainBytes()));
        } finally {
            fclose($stream);
        }
    }

    /**
     * Yields the keys that a command prints. It fails if the command does, because its list may then be short.
     *
     * @param list<string> $command
     *
     * @return iterable<string>
     */
    private static function keysOfCommand(array $command, LineKeys $lines, bool $isForced, callable $warn, Progress $progress): iterable
    {
        try {
            $process = proc_open($command, [['null'], ['pipe', 'w']], $pipes);
        } catch (\ErrorException $thrown) { // PHP 8.2 does not notice that the command cannot be executed: its child process exits
            $why = preg_replace('/^.*: /s', '', $thrown->getMessage());
            throw new Failure(ExitCode::NoInput, "COMMAND: $command[0] cannot be started: $why, so nothing is published", $thrown);
        }
        $isRead = false;
        try {
            yield from self::keys($pipes[1], 'the output of COMMAND', $lines, $isForced, $warn, $progress->part('reading', 0, null));
            $isRead = true;
        } finally {
            if (!$isRead) { // the rest of the list is not needed
                proc_terminate($process);
            }
        }
        // proc_close() does not tell whether a signal ended the process.
        while (($ended = proc_get_status($process))['running']) {
            usleep(self::WAIT_US);
        }
        if ($ended['signaled'] || $ended['exitcode'] !== 0) {
            $isMissing = $ended['exitcode'] === self::NOT_FOUND;
            throw new Failure($isMissing ? ExitCode::NoInput : ExitCode::Io, "COMMAND: $command[0] " . match (true) {
                $ended['signaled'] => "was killed by signal $ended[termsig]",
                $isMissing => 'cannot be started, or a program that it starts was not found (exit code ' . self::NOT_FOUND . ')',
                default => "failed with exit code $ended[exitcode]",
            } . ', so nothing is published');
        }
    }

    /**
     * @param resource $stream
     *
     * @return iterable<string>
     */
    private static function keys($stream, string $label, LineKeys $lines, bool $isForced, callable $warn, ?callable $show): iterable
    {
        $count = $bytes = 0;
        try {
            foreach (KeyFiles::linesOf($stream, $label) as $text) {
                if ($count === 0) {
                    self::judge(substr($text, 0, self::FIRST_BYTES), $label, $lines, $isForced, $warn);
                }
                $keys = $lines->in($text, $label, $count);
                $count += count($keys);
                yield from $keys;
                $bytes += strlen($text) + 1;
                if ($show !== null) {
                    $show($bytes);
                }
            }
        } catch (\ErrorException $thrown) {
            throw Failure::at(ExitCode::Io, $label, $thrown);
        }
    }

    /** Warns about a list that looks odd, and throws if it cannot be a list of keys. */
    private static function judge(string $first, string $label, LineKeys $lines, bool $isForced, callable $warn): void
    {
        $refusal = $isForced ? null : KeyEncoding::refusal($first);
        if ($refusal !== null) {
            throw new Failure(ExitCode::Data, "$label $refusal[0], so its lines are not keys: pipe it through "
                . "$refusal[1] (--force reads it as it is)");
        }
        foreach ([...KeyEncoding::oddities($first), ...$lines->oddities($first)] as [$what, $converter]) {
            $warn("$label $what: " . (str_starts_with($converter, '--') ? 'use' : 'pipe it through') . " $converter");
        }
    }
}
