<?php

namespace Bloom\Cli;

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
                Exits with 1 when nothing was loaded under some
                name; the others are dropped all the same. The record of syncs that failed goes as well.
                HELP,
                [ExitCode::No, ExitCode::CannotCreate, ExitCode::TryAgain]
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $answers = ['dropped' => [], 'missing' => []];
        foreach (array_unique($input->getArgument('names')) as $name) {
            $answers[Filter::drop($name) ? 'dropped' : 'missing'][] = $name;
        }
        $report->result($answers, static fn (): array => [
            ...array_map(static fn (string $name): string => "$name: dropped", $answers['dropped']),
            ...array_map(static fn (string $name): string => "$name: nothing was loaded under that name", $answers['missing']),
        ]);
        return $answers['missing'] === [] ? ExitCode::Ok : ExitCode::No;
    }
}
