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
                  <info>bloom drop booth_tags</info>

                Processes that use the filter notice at their next lookup; the last one frees the memory. The version in
                the store and snapshots are not deleted. The keys of a live filter are lost unless it was saved or
                exported. The record of failed syncs is also deleted.

                If a filter cannot be dropped, the command continues with the other names, and the exit code is that
                of the failure. If there is no such failure but a name has no filter, the exit code is 1.
                HELP,
                [ExitCode::No, ExitCode::CannotCreate, ExitCode::TryAgain]
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
                $reason = Names::reason($name, $thrown);
                $answers['failed'][] = ['name' => $name, 'error' => $reason];
                $report->failure("bloom: $reason");
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
