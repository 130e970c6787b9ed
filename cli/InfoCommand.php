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
            ->addArgument('blob', InputArgument::OPTIONAL, 'A blob; - is standard input. If there is no such file, the filter '
                . 'with this name on this host')
            ->addOption('filter', 'f', InputOption::VALUE_REQUIRED, 'Show the filter with this name on this host instead of a blob')
            ->addFormat()
            ->addProgress()
            ->setManual(
                <<<'HELP'
                The whole blob is verified before anything is printed.

                  <info>bloom info tags.bloom</info>
                  <info>bloom info booth_tags</info>
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
        $filter ??= self::filterInstead($blob);
        if ($filter !== null) {
            $info = Filter::open($filter)->info();
            $report->result($info->jsonSerialize(), static fn (): array => Describe::filter($info));
        } else {
            $info = Blobs::read($blob, $progress)->info();
            $report->result($info->jsonSerialize(), static fn (): array => Describe::blob($info));
        }
        return ExitCode::Ok;
    }

    /** Returns the argument if it is not a file but the name of a filter on this host. */
    private static function filterInstead(string $blob): ?string
    {
        if (!preg_match('/^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/', $blob) || file_exists($blob)) {
            return null;
        }
        if (!in_array($blob, Filter::list(), true)) {
            throw new Failure(ExitCode::NoInput, "$blob: neither a file nor a filter on this host");
        }
        return $blob;
    }
}
