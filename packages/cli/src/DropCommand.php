<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Filter;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;

/** Drops filters. */
final class DropCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('drop')
            ->setDescription('Drops filters on this host')
            ->addArgument('names', InputArgument::REQUIRED | InputArgument::IS_ARRAY, 'Names of the filters')
            ->addFormat()
            ->setManual(
                <<<'HELP'
                Processes that use the filter notice this at their next lookup, and the last one frees the memory. Neither
                the versions in the store nor the snapshots are deleted. The keys of a live filter are lost unless you saved
                or exported it.

                  bloom drop booth_tags

                If one name fails, the others are still dropped, and the exit code is that of the failure.

                With `--format=json`, the fields are `dropped` and `missing` (lists of names) and `failed` (a list with
                `name` and `error`).
                HELP,
                [
                    1 => 'a name had no filter',
                    75 => 'another process holds the lock of a filter',
                ]
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $answers = ['dropped' => [], 'missing' => [], 'failed' => []];
        $codes = [];
        foreach (Arguments::names($input->getArgument('names'), $this) as $name) {
            try {
                $answers[Filter::drop($name) ? 'dropped' : 'missing'][] = $name;
            } catch (BloomException $thrown) {
                $codes[] = ExitCode::of($thrown);
                $answers['failed'][] = Names::failed($name, $thrown, $report);
            }
        }
        $report->result($answers, static fn (): array => [
            ...array_map(static fn (string $name): string => "$name: dropped", $answers['dropped']),
            ...array_map(static fn (string $name): string => "$name: no filter of that name was loaded", $answers['missing']),
        ]);
        return match (true) {
            $codes !== [] => ExitCode::worst($codes),
            $answers['missing'] !== [] => ExitCode::No,
            default => ExitCode::Ok,
        };
    }
}
