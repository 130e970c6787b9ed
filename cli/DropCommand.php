<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Filter;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;

/** Away with filters. */
final class DropCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('drop')
            ->setDescription('Drops filters of this host')
            ->addArgument('names', InputArgument::REQUIRED | InputArgument::IS_ARRAY, 'Their names')
            ->addFormat()
            ->setManual(
                <<<'HELP'
                  <info>bloom drop booth_tags</info>

                Processes that use it find out at their next lookup; the memory comes back when the last of them
                has. What a store has published stays published; what a live filter held is gone unless it was exported.
                The record of syncs that failed goes as well.

                No name stops the others. The exit code is 1 when nothing was loaded under one of them, and that of the
                failure when one could not be dropped.
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
            ...array_map(static fn (string $name): string => "$name: nothing was loaded under that name", $answers['missing']),
        ]);
        return match (true) {
            $codes !== [] => ExitCode::worst($codes),
            $answers['missing'] !== [] => ExitCode::No,
            default => ExitCode::Ok,
        };
    }
}
