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
            ->setDescription('Drops filters of this host')
            ->addArgument('names', InputArgument::REQUIRED | InputArgument::IS_ARRAY, 'Names of the filters')
            ->addFormat()
            ->setManual(
                <<<'HELP'
                  <info>bloom drop booth_tags</info>

                Processes that use the filter notice at their next lookup; the last one frees the memory. The version in
                the store is not deleted. The keys of a live filter are lost unless it was exported. The record of
                failed syncs is deleted, too.

                A failure does not stop the other names. The exit code is 1 if there was no filter of one of the names. If a
                filter could not be dropped, the exit code is that of the failure.
                HELP,
                [ExitCode::No, ExitCode::CannotCreate, ExitCode::TryAgain]
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $answers = ['dropped' => [], 'missing' => [], 'failed' => []];
        $codes = [];
        foreach (Names::checked($input->getArgument('names')) as $name) {
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
