<?php

namespace Bloom\Cli;

use Bloom\Filter;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Shows the head of a blob or the state of a filter. */
final class InfoCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('info')
            ->setDescription('Shows a blob or a filter on this host')
            ->addArgument('blob', InputArgument::OPTIONAL, 'A blob; - is standard input')
            ->addOption('filter', 'f', InputOption::VALUE_REQUIRED, 'Show the filter with this name on this host instead of a blob')
            ->addFormat()
            ->addProgress()
            ->setManual(
                <<<'HELP'
                The whole blob is verified before anything is printed.

                  <info>bloom info tags.bloom</info>
                  <info>bloom info --filter booth_tags</info>
                  <info>bloom info --format=json tags.bloom</info>

                The JSON output is one object with the fields of Blob::info() or Filter::info().
                HELP,
                [ExitCode::Data, ExitCode::NoInput, ExitCode::CannotCreate, ExitCode::Secret]
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $blob = $input->getArgument('blob');
        $filter = Values::text($input, 'filter');
        if (($blob === null) === ($filter === null)) {
            throw Failure::usage('give either a BLOB or --filter NAME');
        }
        if ($filter !== null) {
            $info = Filter::open($filter)->info();
            $report->result($info->jsonSerialize(), static fn (): array => Describe::filter($info));
        } else {
            $info = Blobs::read($blob, $progress)->info();
            $report->result($info->jsonSerialize(), static fn (): array => Describe::blob($info));
        }
        return ExitCode::Ok;
    }
}
