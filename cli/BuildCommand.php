<?php

namespace Bloom\Cli;

use Bloom\Blob;
use Bloom\Builder;
use Bloom\FormatException;
use Bloom\RateException;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Key files → blob. */
final class BuildCommand extends Command
{
    protected function configure(): void
    {
        $value = InputOption::VALUE_REQUIRED;
        $this->setName('build')
            ->setDescription('Builds a blob from files of keys')
            ->addArgument('output', InputArgument::REQUIRED, 'The blob to write; - for standard output')
            ->addArgument('keys', InputArgument::IS_ARRAY, 'Files with a key a line; none, or - for standard input')
            ->addOption('capacity', null, $value, 'Distinct keys to size it for (default: as many as there are '
                . 'lines, if all files are plain files)')
            ->addOption('rate', null, $value, 'False-positive rate at capacity, 0.000000001 to 0.5 '
                . '(default: 0.01)')
            ->addOption('max-rate', null, $value, 'Highest measured rate to accept (default: '
                . 'none within capacity, 1.5 times --rate beyond)')
            ->addOption('like', null, $value, 'An earlier blob to take the seed, the capacity, the rate, the '
                . 'layout and the source from')
            ->addOption('seed', null, $value, 'Of the hash: decimal, or all 64 bits as 0x… (default: random)')
            ->addOption('bits-per-key', null, $value, 'Fixes the size at capacity, 1 to 1024, instead of --rate')
            ->addOption('shard-bytes', null, $value, 'Power of two, 1K to 64K (default: 8K, less for small filters)')
            ->addOption('block-bytes', null, $value, 'Power of two from 8 to the shard bytes (default: 64)')
            ->addOption('probes', null, $value, 'Bits tested per key, 1 to 32 (default: the best)')
            ->addOption('chunk-bytes', null, $value, 'Size of the pieces it is published in (default: 64K)')
            ->addOption('scheme', null, $value, 'bloom; ribbon, which is a quarter smaller and slower to ask; or '
                . 'auto, the smaller one (default: bloom)')
            ->addOption('source', null, $value, 'What the keys are, for people; kept in the blob')
            ->addOption('keyed', null, InputOption::VALUE_NONE, 'Make the digests with the current secret of '
                . 'bloom.secret_file; --like a keyed blob does so, too')
            ->addOption('sign', null, $value, 'Sign it for this filter name, with the current key of '
                . 'bloom.signing_key_file')
            ->addOption('allow-empty', null, InputOption::VALUE_NONE, 'Build a blob without any key')
            ->addOption('jobs', null, $value, 'Threads to read and build with, 1 to 64; the blob has the same bits '
                . '(default: 1)')
            ->addFormat()
            ->addProgress()
            ->setManual(
                <<<'HELP'
                A line ends with LF or CR LF; the last one need not. An empty line is the empty key.

                  <info>bloom build tags.bloom tags.txt</info>
                  <info>zcat tags.gz | bloom build --capacity 80000 tags.bloom</info>
                  <info>bloom build --like tags.bloom tags.bloom tags.txt</info>

                The last one rebuilds a blob in its place. Where the keys have not changed, neither do the
                bytes, so publishing and syncing carry only the rest. The capacity stays what it was: when the
                keys outgrow it (exit code 78), give a larger --capacity once.

                A build without any key is refused unless --allow-empty says that it is meant: where nothing is
                in a filter, every answer is a certain no, and an empty pipe is more often an accident.

                Memory: the blob itself, once (10 bits a key at 1 %); with --scheme=ribbon also 16 bytes a line. With
                --jobs also 12 MB for each, of keys of 8 bytes; up to 71 MB where the lines are empty.

                The file is written beside its place and renamed: it is there as a whole or not at all. A file that
                is there and is no blob is not replaced, and a blob is no file of keys: so arguments in the wrong
                order do no harm. Byte sizes take K, M and G.
                HELP,
                [ExitCode::Data, ExitCode::NoInput, ExitCode::CannotCreate, ExitCode::Secret, ExitCode::TooManyKeys]
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $output = $input->getArgument('output');
        $keys = KeyFiles::at($input->getArgument('keys') ?: ['-']);
        $like = Values::text($input, 'like');
        if ($output === '-' && $report->isJson) {
            throw Failure::usage('standard output cannot take both the blob and --format=json');
        }
        if ($like !== null && (new InputFile($like))->isStdin() && $keys->haveStdin()) {
            throw Failure::usage('standard input (-) can be read only once');
        }
        Blobs::checkOutput($output, $report->stdout);

        $builder = $this->builder($input, $like, $keys, $progress);
        $lines = $keys->addTo(
            $builder,
            $progress,
            static fn (string $line) => $report->failure('bloom: warning: ' . Text::line($line))
        );
        if ($lines === 0 && !$input->getOption('allow-empty')) {
            throw new Failure(ExitCode::NoInput, 'no keys at all (--allow-empty builds it all the same)');
        }
        $blob = $this->finish($builder, Values::number($input, 'max-rate'));
        $name = Values::text($input, 'sign');
        if ($name !== null) {
            $blob = $blob->sign($name);
        }
        Blobs::write($blob, $output, $report->stdout);
        if ($output !== '-') {
            $info = $blob->info();
            $report->result(
                ['output' => $output, 'lines' => $lines] + $info,
                static fn (): array => [
                    Text::line($output) . ': ' . Describe::briefly($info) . ', ' . Text::counted($lines, 'line') . ' added',
                ]
            );
        }
        return ExitCode::Ok;
    }

    private function builder(InputInterface $input, ?string $like, KeyFiles $keys, Progress $progress): Builder
    {
        $given = array_filter([
            'capacity' => Values::integer($input, 'capacity'),
            'falsePositiveRate' => Values::number($input, 'rate'),
            'seed' => Values::integer($input, 'seed'),
            'shardBytes' => Values::bytes($input, 'shard-bytes'),
            'blockBytes' => Values::bytes($input, 'block-bytes'),
            'probes' => Values::integer($input, 'probes'),
            'bitsPerKey' => Values::number($input, 'bits-per-key'),
            'chunkBytes' => Values::bytes($input, 'chunk-bytes'),
            'source' => Values::text($input, 'source'),
            'scheme' => Values::text($input, 'scheme'),
            'keyed' => $input->getOption('keyed') ?: null,
            'jobs' => Values::integer($input, 'jobs'),
        ], static fn (mixed $value): bool => $value !== null);
        if ($like !== null) {
            $previous = Blobs::read($like, $progress);
            if (isset($previous->info()['groups'])) {
                throw Failure::usage('--like: the blob is a reverse index, which only ReverseIndexBuilder of PHP builds');
            }
            return Builder::like($previous, ...$given);
        }
        $given['capacity'] ??= max(1, $keys->countLines($progress)
            ?? throw Failure::usage('--capacity is needed: only lines of plain files are counted beforehand'));
        return new Builder(...$given);
    }

    /** What build() refuses, it refuses for one reason: too many keys. */
    private function finish(Builder $builder, ?float $maxRate): Blob
    {
        try {
            return $builder->build($maxRate);
        } catch (RateException | FormatException $thrown) {
            throw new Failure(
                ExitCode::TooManyKeys,
                $thrown->getMessage() . '; give a larger --capacity',
                $thrown
            );
        }
    }
}
