<?php

namespace Bloom\Cli;

use Bloom\Filter;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Live filter → blob. */
final class ExportCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('export')
            ->setDescription('Writes a live filter as a blob')
            ->addArgument('name', InputArgument::REQUIRED, 'The filter: 1 to 128 of A-Z a-z 0-9 . _ -')
            ->addArgument('output', InputArgument::REQUIRED, 'The blob to write; - for standard output')
            ->addOption('source', null, InputOption::VALUE_REQUIRED, 'What the keys are, for people; kept in the blob')
            ->addFormat()
            ->setManual(
                <<<'HELP'
                The blob has all keys whose adding has ended. Processes may go on adding meanwhile.

                  <info>bloom export visitors visitors.bloom</info>
                  <info>bloom export visitors - | bloom load visitors_of_yesterday -</info>

                A live, counting or sliding filter and a live reverse index can be exported: a counting one without
                its counters, a sliding one with what lookups find now. A scalable filter has no blob, and a loaded
                one came from one.

                The file is written beside its place and renamed: it is there as a whole or not at all.
                HELP,
                [ExitCode::Data, ExitCode::NoInput, ExitCode::CannotCreate, ExitCode::TryAgain, ExitCode::Secret]
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $name = $input->getArgument('name');
        $output = $input->getArgument('output');
        if ($output === '-' && $report->isJson) {
            throw Failure::usage('standard output cannot take both the blob and --format=json');
        }
        Blobs::checkOutput($output, $report->stdout);
        $filter = Filter::open($name);
        $info = $filter->info();
        // A reverse index has the method, but a loaded one nothing that it could add to its blob.
        if (!method_exists($filter, 'export') || $info['kind'] === 'loaded') {
            throw new Failure(ExitCode::CannotCreate, "$name: its kind is {$info['kind']}, which cannot be exported");
        }
        $blob = $filter->export(Values::text($input, 'source') ?? '');
        Blobs::write($blob, $output, $report->stdout);
        if ($output !== '-') {
            $info = $blob->info();
            $report->result(['name' => $name, 'output' => $output] + $info, static fn (): array => [
                Text::line($output) . ': ' . Describe::briefly($info) . ", of $name",
            ]);
        }
        return ExitCode::Ok;
    }
}
