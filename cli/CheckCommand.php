<?php

namespace Bloom\Cli;

use Bloom\Blob;
use Bloom\BlobInfo;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Verifies a blob and reports which keys it might contain. */
final class CheckCommand extends Command
{
    private const PRINT = ['candidates', 'absent', 'each'];

    /** Seconds by which a build time may be ahead of the clock, as in BLOOM_BUILT_AHEAD_MS_MAX. */
    private const AHEAD_MAX = 86400;

    protected function configure(): void
    {
        $this->setName('check')
            ->setDescription('Verifies a blob and tests which keys it might contain')
            ->addArgument('blob', InputArgument::REQUIRED, 'A blob; - is standard input')
            ->addArgument('keys', InputArgument::IS_ARRAY, 'Files with one key per line; - is standard input')
            ->addOption(
                'print',
                'p',
                InputOption::VALUE_REQUIRED,
                'Print the lines whose keys might be contained (candidates), the lines whose keys are certainly '
                    . 'absent (absent), or each line with its answer (each)'
            )
            ->addOption('force', null, InputOption::VALUE_NONE, 'Read key files that are compressed or in UTF-16 as they are')
            ->addFormat()
            ->addProgress()
            ->setManual(
                <<<'HELP'
                Without keys, the command verifies the blob: its head, its layout, and the checksum and bits of each shard.

                  <info>bloom check tags.bloom</info>

                With keys, it also counts the keys that might be contained. It exits with 1 if any key is certainly
                absent. Checking a blob against the keys that it was built from proves that no key was lost:

                  <info>bloom check tags.bloom tags.txt</info>

                With --print, the command works as a filter in a pipe. This example keeps the keys that are worth looking up:

                  <info>bloom check --print=candidates tags.bloom - | lookup</info>

                --print=each prints "maybe" or "absent", a tab, and the line. The rules for lines are those of build.
                HELP,
                [ExitCode::No, ExitCode::Data, ExitCode::NoInput, ExitCode::Secret]
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $path = $input->getArgument('blob');
        $warn = static fn (string $line) => $report->failure('bloom: warning: ' . Text::line($line));
        try {
            $keys = KeyFiles::at($input->getArgument('keys'), 'bloom check BLOB -', $input->getOption('force'), $warn);
        } catch (Failure $failure) {
            throw !str_ends_with($failure->getMessage(), ': no such file') ? $failure : new Failure(
                $failure->exitCode,
                $failure->getMessage() . ' (KEYS are files with one key per line; to test one key, write echo KEY | bloom check BLOB -)',
                $failure
            );
        }
        $print = Values::choice($input, 'print', self::PRINT);
        $hasKeys = $input->getArgument('keys') !== [];
        if ((new InputFile($path))->isStdin() && $keys->haveStdin()) {
            throw Failure::usage('standard input (-) can be read only once');
        }
        if ($print !== null && (!$hasKeys || $report->isJson)) {
            throw Failure::usage('--print requires keys and excludes --format=json');
        }
        $blob = Blobs::read($path, $progress);
        if ($print !== null && $report->stdout->isTerminal()) {
            $progress = $progress->muted();
        }
        $counts = $hasKeys ? $this->test($blob, $keys, $print, $report, $progress) : [];
        if ($print === null) {
            $this->reportCounts($path, $blob->info(), $counts, $report);
        }
        return ($counts['absent'] ?? 0) > 0 ? ExitCode::No : ExitCode::Ok;
    }

    /** @return array{checked: int, candidates: int, absent: int} */
    private function test(Blob $blob, KeyFiles $keys, ?string $print, Report $report, Progress $progress): array
    {
        $counts = [0, 0];
        $prefixes = [
            $print === 'absent' ? '' : ($print === 'each' ? "absent\t" : null),
            $print === 'candidates' ? '' : ($print === 'each' ? "maybe\t" : null),
        ];
        $isTerminal = $report->stdout->isTerminal();
        $keys->eachLine(
            static function (string $line, string $key) use ($blob, $report, $prefixes, $isTerminal, &$counts): void {
                $answer = (int) $blob->mightContain($key);
                $counts[$answer]++;
                if ($prefixes[$answer] !== null) {
                    $shown = $isTerminal ? Text::escaped($key) . "\n" : $line;
                    $report->write($prefixes[$answer] . $shown . (str_ends_with($shown, "\n") ? '' : "\n"));
                }
            },
            $progress
        );
        return ['checked' => array_sum($counts), 'candidates' => $counts[1], 'absent' => $counts[0]];
    }

    private function reportCounts(string $path, BlobInfo $info, array $counts, Report $report): void
    {
        $report->result(['valid' => true] + $counts + $info->jsonSerialize(), static fn (): array => [
            Text::line((new InputFile($path))->label()) . ': valid, ' . Describe::briefly($info),
            ...($counts === [] ? [] : [
                Text::count($counts['candidates']) . ' of ' . Text::counted($counts['checked'], 'key')
                    . ' might be contained, ' . Text::count($counts['absent'])
                    . ($counts['absent'] === 1 ? ' is' : ' are') . ' certainly absent',
            ]),
        ]);
        // The bytes are valid, but hosts whose clock agrees with this one refuse the blob.
        if ($info->builtAt > microtime(true) + self::AHEAD_MAX) {
            $report->failure('bloom: warning: ' . Text::line((new InputFile($path))->label()) . ': build time '
                . Text::time($info->builtAt) . ' is more than a day ahead of this host\'s clock: hosts refuse to load it');
        }
    }
}
