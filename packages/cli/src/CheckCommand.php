<?php

namespace Bloom\Cli;

use Bloom\Blob;
use Bloom\BlobInfo;
use Bloom\FilterInfo;
use Bloom\Kit\Fold;
use Bloom\Membership;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Verifies a blob, and reports which keys it or a served filter might contain, or whether the keys of a map have their values. */
final class CheckCommand extends Command
{
    private const PRINT = ['candidates', 'absent', 'each'];

    /** How many missing keys are printed by default. */
    private const LIMIT = 100;

    /** Seconds by which a build time may be ahead of the clock, as in BLOOM_BUILT_AHEAD_MS_MAX. */
    private const AHEAD_MAX = 86400;

    protected function configure(): void
    {
        $value = InputOption::VALUE_REQUIRED;
        $this->setName('check')
            ->setDescription('Verifies a blob, or compares a blob or a served filter with keys')
            ->addArgument('blob', InputArgument::REQUIRED, 'A blob; - is standard input. With --served, the name of a filter')
            ->addArgument('keys', InputArgument::IS_ARRAY, 'Files with one key per line; - is standard input')
            ->addOption(
                'print',
                'p',
                $value,
                'Print the lines whose keys might be contained (candidates) or definitely are not (absent), or each '
                    . 'line with its answer (each)'
            )
            ->addOption('served', null, InputOption::VALUE_NONE, 'Look the keys up in the filter that this host serves, and print the missing ones')
            ->addOption('limit', null, $value, 'How many missing keys --served prints without --print (default: ' . self::LIMIT . ')')
            ->addOption('repair', null, $value, 'Add the missing keys to the journal in this store, a directory or URL')
            ->addTimeout()
            ->addOption('force', null, InputOption::VALUE_NONE, 'Read key files that are compressed or in UTF-16 as they are')
            ->addLineKeys()
            ->addFormat()
            ->addProgress()
            ->setManual(
                <<<'HELP'
                Without keys, the command verifies a blob completely: its head and layout, the checksum and bits of each
                shard, and the digest of each chunk. It warns if the blob was built more than a day in the future, because
                hosts refuse such a blob.

                  bloom check tags.bloom

                With keys, it also counts those that might be contained. If you check a blob against the keys that it was
                built from, you know that no key was lost:

                  bloom check tags.bloom tags.txt

                With `--print`, the command works as a filter in a pipe. `candidates` prints the lines that might be
                contained, `absent` prints the lines that are definitely not contained, and `each` prints every line
                after the word `maybe` or `absent` and a tab. This example keeps the keys that are worth a query:

                  bloom check --print=candidates tags.bloom - | lookup

                Lines follow the rules of `bloom build`. If the source of the filter contains a fold, the keys are folded as
                in your application's lookups, and a blob with a fold that this version does not know is refused.

                For a [map](docs/filters.md#loadedmap), each line is a key, a tab and the value that the key should have. A
                key with another value counts like an absent one, and the command prints the first 100 of each kind.
                `--print=each` prints `wrong` for such a key. If you built the map with `--on-duplicate=last`, the earlier
                lines of a key are wrong.

                ## A served filter

                With `--served`, the command looks up each key in the filter that this host serves and prints the missing
                ones. You should do this from time to time, because nothing else notices a key that your application never
                added, for example because a process was killed between the database and the filter:

                  bloom check booth_tags --served tags.txt

                `--repair` adds the missing keys to the filter's journal. This host finds them at once and the others after
                their next sync. Run the comparison without `--repair` first, because a wrong key file would add all of its
                lines:

                  bloom check booth_tags --served --repair=redis://cache.example:6379 tags.txt

                If the store fails meanwhile, the command finishes the comparison and prints the keys of the failed request.
                This host finds those keys now although the journal may lack them, so another check would not report them.
                Add them with `bloom add`.

                With a rate of 1 %, about one missing key in a hundred goes unnoticed, because the filter answers "maybe" to
                it by chance. Your application gets the same answer, so this does no harm until the next version. One core
                compares about 15 million keys per second. A map has no journal, so `--repair` is refused; build and publish
                the map again instead.

                ## JSON

                With `--format=json`, the fields for a blob are `valid` (true), those of `Blob::info()` and, with keys,
                `checked`, `candidates` and `absent`. A map adds `wrong` (a number), `missing` (the first 100 keys) and
                `different` (the first 100, with `key`, `expected` and `found`). An invalid blob prints nothing. With
                `--served`, the fields are `name`, `checked`, `candidates`, `absent`, `missing` (at most `--limit` lines),
                `repaired` (a number or null), `again` (the keys of the failed request) and those of `Filter::info()`. For a
                map, `wrong` and `different` replace `repaired` and `again`.
                HELP,
                [
                    0 => 'the blob is valid, and all keys might be contained or were repaired',
                    1 => 'a key is definitely not contained, or has another value',
                    65 => 'the blob is damaged',
                    66 => 'no filter of that name is loaded',
                    73 => 'the filter is on demand, so it cannot be compared; or with `--repair`, it follows no journal or the journal of another store',
                    75 => 'every answer is "maybe", another version was loaded during the comparison, or the store failed',
                ],
                ['[options] BLOB [KEYS...]', '[options] NAME --served KEYS...']
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $path = $input->getArgument('blob');
        $isServed = $input->getOption('served');
        $hasKeys = $input->getArgument('keys') !== [];
        $lines = LineKeys::of($input);
        $keys = $this->keys($input, $lines, $report);
        $print = Values::choice($input, 'print', self::PRINT);
        $limit = Values::integer($input, 'limit');
        $repair = Values::text($input, 'repair');
        if (!$isServed && ($limit !== null || $repair !== null)) {
            throw Failure::usage('--limit and --repair need --served, which compares the filter that this host serves with the keys');
        }
        if ($limit !== null && $limit < 0) {
            throw Failure::usage("--limit must be 0 or more, not $limit");
        }
        if ($isServed && !$hasKeys) {
            throw Failure::usage('KEYS are missing: --served compares a filter with files that have one key per line, or with - for standard input');
        }
        if (!$isServed && (new InputFile($path))->isStdin() && $keys->haveStdin()) {
            throw Failure::usage('standard input (-) can be read only once');
        }
        if ($print !== null && (!$hasKeys || $report->isJson)) {
            throw Failure::usage('--print requires keys and excludes --format=json');
        }
        if ($repair !== null && $print === 'candidates') {
            throw Failure::usage('--repair excludes --print=candidates, because you need the missing lines if the store fails');
        }
        if ($repair !== null && $lines->areDigests) {
            throw Failure::usage('--repair: a journal has keys, because the next version of the filter may have another seed: leave out --digests');
        }
        $url = $repair === null ? null : StoreUrl::parse($repair);
        if ($print !== null && $report->stdout->isTerminal()) {
            $progress = $progress->muted();
        }
        if ($isServed) {
            Arguments::checkName($path, $this);
            return $this->audit($path, $keys, $lines, $print, $limit ?? self::LIMIT, $url, Timeout::of($input), $report, $progress);
        }
        $blob = Blobs::read($path, $progress);
        self::checkDigests($lines, $blob->info(), $path);
        $fold = $hasKeys ? self::fold($blob->info()->source, $path, $lines) : null;
        if ($hasKeys && MapValues::isMap($blob->info())) {
            $check = new MapCheck(MapValues::in($blob, $path), $fold, $print, self::LIMIT, $report);
            $check->run($keys, $progress);
            if ($print === null) {
                $this->reportCounts($path, $blob->info(), $check->json(), $check->lines(...), $report);
            }
            return $check->exitCode();
        }
        $counts = $hasKeys ? self::test($blob, $fold, $keys, $print, static fn () => null, $report, $progress) : [];
        if ($print === null) {
            $this->reportCounts($path, $blob->info(), $counts, static fn (): array => self::counted($counts), $report);
        }
        return ($counts['absent'] ?? 0) > 0 ? ExitCode::No : ExitCode::Ok;
    }

    private function keys(InputInterface $input, LineKeys $lines, Report $report): KeyFiles
    {
        $warn = static fn (string $line) => $report->failure('bloom: warning: ' . Text::line($line));
        try {
            return KeyFiles::at($input->getArgument('keys'), 'bloom check BLOB -', $lines, $input->getOption('force'), $warn);
        } catch (Failure $failure) {
            throw !str_ends_with($failure->getMessage(), ': no such file') ? $failure : new Failure(
                $failure->exitCode,
                $failure->getMessage() . ' (KEYS are files with one key per line; to test one key, write echo KEY | bloom check BLOB -)',
                $failure
            );
        }
    }

    private static function checkDigests(LineKeys $lines, BlobInfo|FilterInfo $info, string $name): void
    {
        if ($lines->areDigests && !LineKeys::haveDigests($info)) {
            throw Failure::usage("--digests: $name has another seed than 0, is keyed or was imported, so its digests differ: give the keys themselves");
        }
    }

    /** Returns the fold that lookups in a filter apply to keys, according to its source. */
    private static function fold(?string $source, string $name, LineKeys $lines): ?Fold
    {
        $fold = Folds::ofSource($source, $name);
        if ($fold !== null && $lines->areDigests) {
            throw Failure::usage("--digests: $name has folded keys (fold=$fold->name), so its digests differ: give the keys themselves");
        }
        return $fold;
    }

    /** Compares what this host serves with the keys. */
    private function audit(
        string $name,
        KeyFiles $keys,
        LineKeys $lines,
        ?string $print,
        int $limit,
        ?StoreUrl $url,
        float $timeout,
        Report $report,
        Progress $progress
    ): ExitCode {
        $served = new ServedFilter($name);
        self::checkDigests($lines, $served->info(), $name);
        $repair = $url === null ? null : new Repair($name, $served, $url, $timeout);
        if (MapValues::isMap($served->info())) {
            $fold = self::fold($served->source(), $name, $lines);
            return self::auditMap($name, $served, new MapCheck(MapValues::in($served, $name), $fold, $print, $limit, $report), $keys, $report, $progress);
        }
        $missing = [];
        $visit = static function (array $absent, array $rows) use ($limit, $repair, &$missing): void {
            array_push($missing, ...array_slice($rows, 0, $limit - count($missing)));
            $repair?->add($absent);
        };
        try {
            $counts = self::test($served, self::fold($served->source(), $name, $lines), $keys, $print, $visit, $report, $progress);
        } catch (Failure $failure) {
            self::printAgain($name, $repair, $report);
            throw ($repair?->count() ?? 0) === 0 ? $failure : new Failure($failure->exitCode, $failure->getMessage() . '; until then, '
                . $repair->describe(), $failure);
        }
        $progress->close();
        if ($print === null) {
            $report->result(
                ['name' => $name] + $counts + ['missing' => $missing, 'repaired' => $repair?->count(), 'again' => $repair?->again() ?? []]
                    + $served->info()->jsonSerialize(),
                static fn (): array => self::describe($name, $served->info(), $counts, $missing)
            );
        }
        if ($repair?->describe() !== null) {
            $report->note("$name: " . $repair->describe());
        }
        $report->flush();
        self::printAgain($name, $repair, $report);
        $repair?->finish();
        $served->verifyGeneration();
        return $counts['absent'] > 0 && $repair === null ? ExitCode::No : ExitCode::Ok;
    }

    private static function auditMap(string $name, ServedFilter $served, MapCheck $check, KeyFiles $keys, Report $report, Progress $progress): ExitCode
    {
        $check->run($keys, $progress);
        $progress->close();
        if (!$check->prints()) {
            $report->result(['name' => $name] + $check->json() + $served->info()->jsonSerialize(), static fn (): array => [
                self::served($name, $served->info()),
                ...$check->lines(),
            ]);
        }
        $report->flush();
        $served->verifyGeneration();
        return $check->exitCode();
    }

    private static function served(string $name, FilterInfo $info): string
    {
        return "$name: generation " . Text::count($info->generation) . ', ' . Describe::briefly($info);
    }

    private static function printAgain(string $name, ?Repair $repair, Report $report): void
    {
        foreach ($repair?->again() ?? [] as $key) {
            $report->failure("$name: not repaired: $key");
        }
    }

    /**
     * @param array{checked: int, candidates: int, absent: int} $counts
     * @param list<string> $missing
     *
     * @return list<string>
     */
    private static function describe(string $name, FilterInfo $info, array $counts, array $missing): array
    {
        $more = $counts['absent'] - count($missing);
        return [
            self::served($name, $info),
            Text::count($counts['candidates']) . ' of ' . Text::counted($counts['checked'], 'key') . ' might be contained, '
                . Text::count($counts['absent']) . ($counts['absent'] === 1 ? ' is' : ' are') . ' missing',
            ...array_map(static fn (string $line): string => "missing: $line", $missing),
            ...($more > 0 ? [Text::count($more) . ' more (--limit prints them, and --print=absent prints only the lines)'] : []),
        ];
    }

    /**
     * @param callable(list<string>, list<string>): void $missing receives keys that are absent, as the filter would have
     *        them, and their lines
     *
     * @return array{checked: int, candidates: int, absent: int}
     */
    private static function test(
        Membership $set,
        ?Fold $fold,
        KeyFiles $keys,
        ?string $print,
        callable $missing,
        Report $report,
        Progress $progress
    ): array {
        $checked = $absent = 0;
        $isTerminal = $report->stdout->isTerminal();
        $keys->eachBatch(static function (array $lines, array $keys, string $label) use ($set, $fold, $print, $missing, $isTerminal, $report, &$checked, &$absent): void {
            // A key without a folded form is "maybe" in every lookup. If it is not even UTF-8, it is no row.
            $asked = $fold === null ? $keys : array_filter(array_map($fold->lookup(...), $keys), is_string(...));
            KeyFiles::checkFolded($fold, array_diff_key($keys, $asked), $label);
            if ($set instanceof ServedFilter && $print !== 'candidates') {
                // The lines are rows. Another text may find a row whose own lookup is always "maybe", so the row needs its key.
                $asked = $fold?->keys($keys) ?? $keys;
            }
            $found = $set->candidates($asked);
            $denied = count($found) < count($asked) ? array_diff_key($asked, $found) : [];
            $checked += count($keys);
            $absent += count($denied);
            foreach ($print === null ? [] : $lines as $i => $line) {
                if ($print === 'each' || ($print === 'absent') === isset($denied[$i])) {
                    $report->write(($print === 'each' ? (isset($denied[$i]) ? "absent\t" : "maybe\t") : '')
                        . ($isTerminal ? Text::escaped(rtrim($line, "\r")) : $line) . "\n");
                }
            }
            if ($denied !== []) {
                $rows = array_map(static fn (string $line): string => rtrim($line, "\r"), array_intersect_key($lines, $denied));
                $missing(array_values($denied), array_values($rows));
            }
        }, 'checking', $progress);
        return ['checked' => $checked, 'candidates' => $checked - $absent, 'absent' => $absent];
    }

    /**
     * @param array{}|array{checked: int, candidates: int, absent: int} $counts
     *
     * @return list<string>
     */
    private static function counted(array $counts): array
    {
        return $counts === [] ? [] : [
            Text::count($counts['candidates']) . ' of ' . Text::counted($counts['checked'], 'key')
                . ' might be contained, ' . Text::count($counts['absent'])
                . ($counts['absent'] === 1 ? ' is' : ' are') . ' definitely absent',
        ];
    }

    /** @param callable(): list<string> $lines */
    private function reportCounts(string $path, BlobInfo $info, array $counts, callable $lines, Report $report): void
    {
        $report->result(['valid' => true] + $counts + $info->jsonSerialize(), static fn (): array => [
            Text::line((new InputFile($path))->label()) . ': valid, ' . Describe::briefly($info),
            ...$lines(),
        ]);
        // The bytes are valid, but hosts whose clock agrees with this one refuse the blob.
        if ($info->builtAt > microtime(true) + self::AHEAD_MAX) {
            $report->failure('bloom: warning: ' . Text::line((new InputFile($path))->label()) . ': build time '
                . Text::time($info->builtAt) . ' is more than a day ahead of this host\'s clock: hosts refuse to load it');
        }
    }
}
