<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Command\Command as ConsoleCommand;
use Symfony\Component\Console\Command\HelpCommand as ConsoleHelpCommand;
use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/** Prints the help of a command in lines that fit the terminal, which symfony/console's own layout does not. */
final class HelpCommand extends ConsoleHelpCommand
{
    private ?ConsoleCommand $shown = null;

    public function setCommand(ConsoleCommand $command): void
    {
        $this->shown = $command;
        parent::setCommand($command);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $shown = $this->shown ?? $this->getApplication()?->find($input->getArgument('command_name'));
        if (!$shown instanceof Command || $input->getOption('format') !== 'txt') {
            return parent::execute($input, $output);
        }
        $this->shown = null;
        $output->writeln(self::page($shown, Layout::width()));
        return 0;
    }

    /** @return list<string> */
    private static function page(Command $command, int $width): array
    {
        $definition = $command->getNativeDefinition();
        $arguments = $definition->getArguments();
        $lines = ['<comment>Description:</comment>', ...Layout::wrap($command->getDescription(), $width, '  ', '  '), '',
            '<comment>Usage:</comment>', ...Layout::wrap(OutputFormatter::escape($command->getSynopsis(true)), $width, '  ', '      '), ''];
        if ($arguments !== []) {
            $lines[] = '<comment>Arguments:</comment>';
            $column = max(array_map(strlen(...), array_keys($arguments))) + 4;
            foreach ($arguments as $name => $argument) {
                $lines = [...$lines, ...Layout::wrap(
                    OutputFormatter::escape($argument->getDescription()),
                    $width,
                    '  <info>' . str_pad($name . '</info>', $column + 5),
                    str_repeat(' ', $column)
                )];
            }
            $lines[] = '';
        }
        $lines[] = '<comment>Options:</comment>';
        foreach ($definition->getOptions() as $option) {
            $lines = [...$lines, ...self::option($option, $width)];
        }
        $lines = [...$lines, '  -h, -q, -v, -V, -n, --ansi: see <info>bloom --help</info>', '', '<comment>Help:</comment>'];
        return [...$lines, ...Layout::manual($command->getProcessedHelp(), $width, '  ')];
    }

    /** @return list<string> */
    private static function option(InputOption $option, int $width): array
    {
        $name = $option->getName();
        $start = $option->getShortcut() === null ? '      ' : "  -{$option->getShortcut()}, ";
        $value = $option->acceptValue() ? '=' . strtoupper($name) : '';
        $also = $option->isNegatable() ? "|--no-$name" : '';
        $default = $option->acceptValue() && is_string($option->getDefault()) ? " (default: {$option->getDefault()})" : '';
        return [
            "$start<info>--$name$also$value</info>",
            ...Layout::wrap(OutputFormatter::escape($option->getDescription() . $default), $width, '          ', '          '),
        ];
    }
}
