<?php

namespace Bloom\Cli;

use Bloom\Blob;
use Bloom\Builder;
use Bloom\FormatException;
use Bloom\Kit\Fold;
use Bloom\Kit\Paths;
use Bloom\MapBuilder;
use Bloom\RateException;
use Bloom\Scheme;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Builds a blob from key files. */
final class BuildCommand extends Command
{
    /** If fewer than this share of the lines are distinct keys, the filter is sized for the distinct keys. */
    private const REPEATED_SHARE = 0.9;

    /** Added to the estimated number of distinct keys: more than five of its standard errors if there are at least 10,000. */
    private const ESTIMATE_MARGIN = 0.02;

    protected function configure(): void
    {
        $value = InputOption::VALUE_REQUIRED;
        $this->setName('build')
            ->setDescription('Builds a blob from key files')
            ->addArgument('output', InputArgument::REQUIRED, 'The blob to write; - is standard output')
            ->addArgument('keys', InputArgument::IS_ARRAY, 'Files with one key per line; - or no file is standard input')
            ->addOption('capacity', null, $value, 'Distinct keys to size the filter for: 80000, 80k (default: the number of '
                . 'lines, or of distinct keys if many lines are repeated; needs regular files)')
            ->addOption('rate', null, $value, 'False-positive rate at capacity, 0.000000001 to 0.5, or a percentage: 1%; for a '
                . 'map also 1, if only its keys are looked up (default: 0.01)')
            ->addOption('max-rate', null, $value, 'Highest measured rate to accept (default: '
                . 'no limit up to the capacity, 1.5 times --rate above it)')
            ->addOption('like', null, $value, 'An earlier blob to copy the seed, capacity, rate, layout and '
                . 'source from')
            ->addOption('seed', null, $value, 'Seed of the hash: decimal, or 64 bits as 0x... (default: random)')
            ->addOption('bits-per-key', null, $value, 'Size at capacity, 1 to 1024; instead of --rate')
            ->addOption('shard-bytes', null, $value, 'Power of two, 1K to 64K (default: 8K, less for small filters; for '
                . 'ribbon, the size that needs the fewest bytes)')
            ->addOption('block-bytes', null, $value, 'Power of two, 8 to --shard-bytes (default: 64, or 256 for rates up to 0.001)')
            ->addOption('probes', null, $value, 'Bits tested per key, 1 to 32 (default: the best for the rate)')
            ->addOption('chunk-bytes', null, $value, 'Size of the pieces that are published (default: 64K)')
            ->addOption('scheme', null, $value, 'bloom; ribbon, which is a third smaller but has slower '
                . 'lookups; auto, the smaller of the two; or redisbloom or valkeyprob, the filter of that system, for bloom export '
                . '(default: bloom)')
            ->addOption('map', null, InputOption::VALUE_NONE, 'Build a map: each line is a key, a tab and a whole number, its value')
            ->addOption('value-bits', null, $value, 'With --map: the bits of a value, 1 to 64; with 64, values have a sign (default: as --like)')
            ->addOption('on-duplicate', null, $value, 'With --map, if a key has several values: refuse fails, last keeps the last one '
                . '(default: refuse)')
            ->addOption('source', null, $value, 'A description of the keys, which the blob stores: up to 128 bytes')
            ->addOption('keyed', null, InputOption::VALUE_NONE, 'Key the filter with the current secret of '
                . 'bloom.secret_file; implied by --like with a keyed blob')
            ->addOption('mark', null, $value, 'The mark that bloom mark printed a while before the keys were read; hosts '
                . 'then also find the keys that were added to the journal after it')
            ->addOption('built-at', null, $value, 'The time when the keys were read: Unix seconds or a date, '
                . 'which is in your time zone unless it contains one (default: now)')
            ->addOption('sign', null, $value, 'Sign the blob for this filter name with the current key '
                . 'of bloom.signing_key_file')
            ->addOption('allow-empty', null, InputOption::VALUE_NONE, 'Allow a blob without keys')
            ->addOption('force', null, InputOption::VALUE_NONE, 'Read key files that are compressed or in UTF-16 as they are')
            ->addLineKeys()
            ->addFold('as --like')
            ->addOption('jobs', null, $value, 'Number of threads, 1 to 64; it does not affect the bits of the blob '
                . '(default: 1)')
            ->addFormat()
            ->addProgress()
            ->setManual(
                <<<'HELP'
                The keys come from files or from standard input, one per line. A pipe cannot be read twice, so you have to
                say how many keys it has:

                  bloom build tags.bloom tags.txt
                  gzip -dc tags.gz | bloom build --capacity 80000 tags.bloom

                A key file that is compressed or in UTF-16 is refused, because the filter would deny nearly every real key.
                The message contains the command that converts the file. You only get a warning if the file has a byte order
                mark, very long lines, lines that end with CR only, or zero bytes. The command examines the first 64 KiB for
                this, and also warns if each line has a tab, or a hash and a count, because the whole line would become the
                key. Use `--field` for such lines, as for [breached passwords](docs/passwords.md):

                  bloom build --field=1 --delimiter=: breached.bloom pwned-passwords.txt

                A build without keys fails unless you pass `--allow-empty`, because an empty pipe is usually a mistake and
                an empty filter answers "definitely not" to everything.

                ## The next version

                With `--like`, the new blob has the seed and the layout of an earlier one, so most chunks stay the same and
                hosts transfer only the changed ones. OUTPUT can be that same file:

                  bloom build --like tags.bloom tags.bloom tags.txt

                The capacity stays the same too. If the keys outgrow it, the build fails with exit code 78, and you should
                pass a larger `--capacity` once. [`bloom nightly`](docs/operations.md#nightly-job) does all of this for you.

                If keys are added to a [journal](docs/filters.md#with-a-journal) between two builds, take a mark and wait
                before you read the keys, as `bloom help mark` explains:

                  bloom build --mark "$mark" --like tags.bloom tags.bloom tags.txt

                ## Folds and digests

                If your database ignores case and accents, fold the keys here and [where you look them
                up](docs/integrating.md#keys-that-your-database-treats-as-equal). The name of the fold becomes part of the
                source:

                  bloom build --fold=mysql emails.bloom emails.txt

                With `--digests`, each line is the [digest of a key](docs/cli.md#digests-instead-of-keys), and your
                application looks up the keys themselves. The seed is then 0, so `--keyed` and another `--seed` are refused.

                ## Maps

                With `--map`, the blob is a [map](docs/filters.md#loadedmap), which gives each key a value. Each line is a
                key, a tab and the value in decimal digits. Only the last tab of a line counts, so a key can contain others:

                  bloom build --map --value-bits=20 counts.bloom counts.tsv

                Choose `--value-bits` for your largest value, because a line whose value does not fit is refused. With
                64 bits, values have a sign. If a key has two different values, the build fails and prints the numbers
                of both lines, or the digest of the key if it cannot read the keys again or the map is keyed. Pass
                `--on-duplicate=last` if later lines should win.

                If you look up only keys that are in the map, pass `--rate=1`, which makes it as small as possible,
                because it then spends no bits on telling which keys it has. Nearly every other key gets some value.
                `--scheme`, `--bits-per-key`, `--block-bytes`, `--probes`, `--max-rate`, `--mark`, `--field` and
                `--delimiter` do not apply to maps and are refused.

                ## Filters for other servers

                With `--scheme=redisbloom` or `--scheme=valkeyprob`, the blob is the filter that this system would create.
                You can load it like any other blob, or move it to a server with `bloom export`:

                  bloom build --scheme=redisbloom tags.bloom tags.txt

                ## Speed and memory

                One core adds about 20 million lines per second, but only 1.5 million with `--digests` and a million
                with `--fold`. The build needs memory for one copy of the blob, which has about 10 bits per key at 1 %.
                For a ribbon blob, it also needs 8 bytes per line. Each thread of `--jobs` needs 8 MB for keys of 8
                bytes, or at most 38 MB if all lines are empty. One thread reads the input, which is enough for about a
                dozen threads.

                The number of keys that the command prints is estimated from the bits and does not include repeated lines.
                With `--format=json`, the fields are `output`, `lines` (including repeated ones) and those of
                `Blob::info()`.
                HELP,
                [
                    65 => 'a key file is compressed, in UTF-16 or has a line of more than 1 MiB, a line has fewer fields than `--field`, or a line of a map has no value that fits',
                    66 => 'there are no keys',
                    78 => 'there are too many keys for the capacity',
                ]
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $output = $input->getArgument('output');
        self::checkOutput($output, $report);
        $name = Values::name($input, 'sign');
        $isQuiet = false; // after the first pass
        $warn = static function (string $line) use (&$isQuiet, $report): void {
            if (!$isQuiet) {
                $report->failure('bloom: warning: ' . Text::line($line));
            }
        };
        MapBuild::check($input);
        $isMap = $input->getOption('map');
        $lines = $isMap ? LineKeys::of($input)->withValues() : LineKeys::of($input);
        $pipe = 'bloom build --capacity N ' . ($isMap ? '--map --value-bits N ' : '') . 'OUTPUT';
        $keys = KeyFiles::at($input->getArgument('keys') ?: ['-'], $pipe, $lines, $input->getOption('force'), $warn);
        $like = Values::text($input, 'like');
        self::checkOptions($input, $lines);
        if ($output === '-' && $report->isJson) {
            throw Failure::usage('standard output cannot contain both the blob and the output of --format=json');
        }
        if ($like !== null && (new InputFile($like))->isStdin() && $keys->haveStdin()) {
            throw Failure::usage('standard input (-) can be read only once');
        }
        $lines = $keys->countLinesIf($like === null && $input->getOption('capacity') === null, $progress);
        [$blob, $added] = $this->build($input, $like, $lines, $keys, $progress);
        // The capacity was the number of lines. If many of them are repeated, the filter would be too large.
        $likely = Describe::likelyKeys($blob->info());
        $distinct = $isMap ? max(1, $likely) : (int) ceil($likely * (1 + self::ESTIMATE_MARGIN)) + 1; // a map counts its keys
        if ($lines !== null && $distinct < $lines * self::REPEATED_SHARE) {
            $warn(Text::counted($lines, 'line') . ($isMap ? ' have ' : ' have about ') . Text::counted($likely, 'distinct key')
                . ', so the capacity is ' . Text::count($distinct) . ' (use --capacity to choose a different one)');
            $isQuiet = true;
            [$blob, $added] = $this->build($input, $like, $distinct, $keys, $progress);
        }
        if ($name !== null) {
            $blob = $blob->sign($name);
        }
        Blobs::write($blob, $output, $report->stdout);
        if ($output !== '-') {
            $info = $blob->info();
            $report->result(
                ['output' => $output, 'lines' => $added] + $info->jsonSerialize(),
                static fn (): array => [
                    Text::line($output) . ': ' . Describe::briefly($info) . ', ' . Text::counted($added, 'line') . ' added',
                ]
            );
        }
        return ExitCode::Ok;
    }

    /** Fails before any work is done if options contradict each other. */
    private static function checkOptions(InputInterface $input, LineKeys $lines): void
    {
        if ($lines->areDigests && (!in_array(Values::integer($input, 'seed'), [null, 0], true) || $input->getOption('keyed'))) {
            throw Failure::usage('--digests: the digests of the keys have seed 0 and no secret, so leave out --seed and --keyed');
        }
        if ($lines->areDigests && Folds::option($input) !== null) {
            throw Failure::usage('--fold: a digest cannot be folded, so leave out --digests');
        }
        if (Fold::nameIn(Values::text($input, 'source') ?? '') !== null) {
            throw Failure::usage('--source: "fold=" names the fold of the keys: write --fold=mysql instead, which also folds them');
        }
        self::checkForeign($input);
        if ($input->getOption('rate') !== null && $input->getOption('bits-per-key') !== null) {
            throw Failure::usage('give either --rate or --bits-per-key: each of them determines the size');
        }
        // These options are used after the keys are read, but a wrong value is reported before.
        Values::rate($input, 'max-rate');
        Values::time($input, 'built-at');
    }

    /** Refuses options that mean nothing for a filter of another system, which has only a capacity and a rate. */
    private static function checkForeign(InputInterface $input): void
    {
        if (!isset(Values::scheme($input)['format'])) {
            return;
        }
        foreach (['seed', 'keyed', 'bits-per-key', 'block-bytes', 'probes', 'like', 'digests', 'mark'] as $option) {
            if ($input->getOption($option) !== null && $input->getOption($option) !== false) {
                throw Failure::usage('--scheme: a filter of ' . Values::text($input, 'scheme') . " has only a capacity and a rate, so leave out --$option");
            }
        }
    }

    /** Fails if the output cannot be written. If it is a file with something else, it is probably the key file. */
    private static function checkOutput(string $output, Report $report): void
    {
        try {
            Blobs::checkOutput($output, $report->stdout);
        } catch (Failure $failure) {
            throw $failure->exitCode === ExitCode::Usage && $output !== '-' && !Paths::isUrl($output)
                ? Failure::usage("OUTPUT comes first: $output exists and is not a blob, so it is not replaced; write "
                    . 'bloom build OUTPUT [KEYS...], such as bloom build ' . pathinfo($output, PATHINFO_FILENAME) . ".bloom $output")
                : $failure;
        }
    }

    /**
     * @param int|null $capacity if neither --capacity nor --like is given
     *
     * @return array{Blob, int} the blob and the number of lines added
     */
    private function build(
        InputInterface $input,
        ?string $like,
        ?int $capacity,
        KeyFiles $keys,
        Progress $progress
    ): array {
        $builder = $this->builder($input, $like, $capacity, $progress);
        $fold = Folds::ofSource($builder->info()->source, 'the source');
        try {
            $added = $keys->addTo($builder, $fold, $progress);
        } catch (Failure $failure) {
            throw self::clearer($failure, $builder);
        }
        if ($added === 0 && !$input->getOption('allow-empty')) {
            throw new Failure(ExitCode::NoInput, 'no keys (use --allow-empty to build an empty filter)');
        }
        $builtAt = Values::time($input, 'built-at');
        return [$builder instanceof MapBuilder
            ? MapBuild::finish($builder, $builtAt, $keys, $fold, $progress)
            : $this->finish($builder, Values::rate($input, 'max-rate'), $builtAt, Values::text($input, 'mark')), $added];
    }

    /** Says how much memory a filter needs if this machine has less. */
    private static function clearer(Failure $failure, Builder|MapBuilder $builder): Failure
    {
        return preg_match('/needs (\d+) bytes, but this machine has only (\d+)/', $failure->getMessage(), $parts)
            ? new Failure(ExitCode::System, 'a filter for ' . Text::counted($builder->info()->capacity, 'key') . ' needs '
                . Text::size((int) $parts[1]) . ', but this machine has only ' . Text::size((int) $parts[2])
                . ' of memory: give a smaller --capacity or a higher --rate', $failure)
            : $failure;
    }

    private function builder(InputInterface $input, ?string $like, ?int $capacity, Progress $progress): Builder|MapBuilder
    {
        $previous = $like === null ? null : Blobs::read($like, $progress);
        $source = Values::text($input, 'source') ?? ($previous === null ? null : Fold::unmarked($previous->info()->source));
        $fold = Folds::option($input) ?? ($previous === null ? null : Folds::ofSource($previous->info()->source, "--like: $like"));
        if ($fold !== null && $input->getOption('digests')) {
            throw Failure::usage("--like: the keys of $like are folded, but digests cannot be: leave out --digests");
        }
        if ($previous !== null) {
            self::checkLike($input, $previous, $like);
        }
        if ($input->getOption('map')) {
            return MapBuild::builder($input, $previous, $capacity, $fold, $source);
        }
        $given = array_filter([
            'capacity' => Values::count($input, 'capacity') ?? $capacity,
            'falsePositiveRate' => Values::rate($input, 'rate', 0.5),
            'seed' => Values::integer($input, 'seed') ?? ($input->getOption('digests') ? 0 : null),
            'layout' => new \Bloom\Layout(Values::bytes($input, 'shard-bytes'), Values::bytes($input, 'block-bytes'),
                Values::integer($input, 'probes'), Values::bytes($input, 'chunk-bytes')),
            'bitsPerKey' => Values::number($input, 'bits-per-key'),
            'source' => $fold?->mark($source ?? '') ?? $source,
            'keyed' => $input->getOption('keyed') ?: null,
            'jobs' => Values::integer($input, 'jobs'),
        ], static fn (mixed $value): bool => $value !== null) + Values::scheme($input);
        return $previous === null ? new Builder(...$given) : Builder::like($previous, ...$given);
    }

    /** Fails if a blob has nothing that the new one could copy. */
    private static function checkLike(InputInterface $input, Blob $previous, string $like): void
    {
        $info = $previous->info();
        if (isset($info->groups)) {
            throw Failure::usage('--like: the blob is a reverse index; build it with ReverseIndexBuilder in PHP');
        }
        if ($info->scheme === Scheme::Foreign) {
            throw Failure::usage("--like: $like is a {$info->format->value} filter, which has no layout to copy: build a new filter with "
                . '--capacity and --rate, and --scheme if it is for RedisBloom or valkeyprob');
        }
        if ($input->getOption('digests') && !LineKeys::haveDigests($info)) {
            throw Failure::usage("--like: $like has another seed, or is keyed, but --digests needs seed 0 and no secret");
        }
        MapBuild::checkLike($input, $previous, $like);
    }

    /** Builds the blob. At this point, the builder refuses only if it has too many keys. */
    private function finish(Builder $builder, ?float $maxRate, ?float $builtAt, ?string $mark): Blob
    {
        try {
            return $builder->build($maxRate, $builtAt, $mark);
        } catch (RateException | FormatException $thrown) {
            throw new Failure(
                ExitCode::TooManyKeys,
                $thrown->getMessage() . '; give a larger --capacity',
                $thrown
            );
        }
    }
}
