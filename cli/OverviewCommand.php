<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Command\ListCommand as ConsoleListCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\BufferedOutput;
use Symfony\Component\Console\Output\OutputInterface;

/** The output of "bloom" and "bloom --help": symfony/console's list of commands, and the exit codes. */
final class OverviewCommand extends ConsoleListCommand
{
    public const NAME = 'commands';

    protected function configure(): void
    {
        parent::configure();
        // The name "list" belongs to ListCommand.
        $this->setName(self::NAME)->setHidden(true);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $shown = new BufferedOutput($output->getVerbosity(), $output->isDecorated(), $output->getFormatter());
        $code = parent::execute($input, $shown);
        // symfony/console prints "command [options] [arguments]".
        $usage = preg_replace('/^  command \[/m', '  bloom COMMAND [', $shown->fetch(), 1);
        $output->write($usage, false, OutputInterface::OUTPUT_RAW);
        $output->writeln(['', '<comment>Exit codes:</comment>', ExitCode::table(ExitCode::cases())]);
        return $code;
    }
}
