<?php

namespace Bloom\Cli;

use Bloom\Filter;
use Bloom\LoadedInfo;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Writes a live filter as a blob. */
final class ExportCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('export')
            ->setDescription('Writes a live filter as a blob')
            ->addArgument('name', InputArgument::REQUIRED, 'The filter: 1 to 128 characters of A-Z a-z 0-9 . _ -')
            ->addArgument('output', InputArgument::REQUIRED, 'The blob to write; - is standard output')
            ->addOption('source', null, InputOption::VALUE_REQUIRED, 'A description of the keys, stored in the blob')
            ->addFormat()
            ->setManual(
                <<<'HELP'
                The blob contains every key whose add() has returned. Processes may continue to add keys during the
                export.

                  <info>bloom export visitors visitors.bloom</info>
                  <info>bloom export visitors - | bloom load visitors_yesterday -</info>

                Live, counting and sliding filters and live reverse indexes can be exported. The blob of a counting
                filter has no counters. The blob of a sliding filter contains the keys that lookups find at that
                time. Scalable filters cannot be stored as blobs, and loaded filters already come from a blob.

                The output is written to a temporary file and renamed, so it is complete or not written at all.
                HELP,
                [ExitCode::Data, ExitCode::NoInput, ExitCode::CannotCreate, ExitCode::TryAgain, ExitCode::Secret]
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $name = $input->getArgument('name');
        $output = $input->getArgument('output');
        if ($output === '-' && $report->isJson) {
            throw Failure::usage('standard output cannot contain both the blob and the output of --format=json');
        }
        Arguments::checkOutputOf($name, $output, $this);
        Blobs::checkOutput($output, $report->stdout);
        $filter = Filter::open($name);
        $info = $filter->info();
        // Reverse indexes always have export(), but a loaded reverse index is identical to its blob.
        if (!method_exists($filter, 'export') || $info->kind->value === 'loaded') {
            throw new Failure(ExitCode::CannotCreate, "$name: filters of the kind {$info->kind->value} cannot be exported: "
                . ($info instanceof LoadedInfo ? 'keep the blob that it was loaded from' : 'bloom snapshot saves it'));
        }
        $blob = $filter->export(Values::text($input, 'source') ?? '');
        Blobs::write($blob, $output, $report->stdout);
        if ($output !== '-') {
            $info = $blob->info();
            $report->result(['name' => $name, 'output' => $output] + $info->jsonSerialize(), static fn (): array => [
                Text::line($output) . ': ' . Describe::briefly($info) . ", of $name",
            ]);
        }
        return ExitCode::Ok;
    }
}
