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
    /** What stands for the values of options in the help, if it is not the name of the option. */
    private const VALUES = [
        'bandwidth' => 'BITS', 'bits-per-key' => 'X', 'block-bytes' => 'BYTES', 'built-at' => 'TIME', 'capacity' => 'N', 'changed' => 'N',
        'check' => 'FILE', 'chunk-bytes' => 'BYTES', 'delimiter' => 'BYTE', 'every' => 'DURATION', 'field' => 'N', 'file' => 'BLOB',
        'filter' => 'NAME', 'fold' => 'NAME', 'format' => 'text|json', 'from' => 'FORMAT', 'jobs' => 'N', 'journal' => 'STORE',
        'keys' => 'N', 'like' => 'BLOB', 'limit' => 'N', 'log-format' => 'text|json', 'mask' => 'BITS', 'max-build-age' => 'DURATION',
        'max-fall' => 'P', 'max-failures' => 'N', 'max-lag' => 'DURATION', 'max-rate' => 'P', 'max-sync-age' => 'DURATION',
        'memory' => 'BYTES', 'on-demand' => 'BYTES', 'on-duplicate' => 'WORD', 'output' => 'FILE', 'plot' => 'FILE', 'print' => 'WORD',
        'probes' => 'N', 'rate' => 'P', 'repair' => 'STORE', 'retain' => 'N', 'scheme' => 'NAME', 'seed' => 'N', 'settle' => 'DURATION',
        'shard-bytes' => 'BYTES', 'sign' => 'NAME', 'source' => 'TEXT', 'table' => 'NAME', 'timeout' => 'DURATION', 'to' => 'redis',
        'ttl' => 'DURATION', 'value-bits' => 'N',
    ];

    private ?ConsoleCommand $shown = null;

    public function setCommand(ConsoleCommand $command): void
    {
        $this->shown = $command;
        parent::setCommand($command);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $topic = $this->shown === null ? HelpTopic::tryFrom($input->getArgument('command_name')) : null;
        if ($topic !== null) {
            $output->writeln(Manual::parse($topic->text())->lines(Layout::width(), ''));
            return 0;
        }
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
            '<comment>Usage:</comment>'];
        foreach ($command->forms() as $form) {
            $lines = [...$lines, ...Layout::wrap($form, $width, '  ', '      ')];
        }
        $lines[] = '';
        if ($arguments !== []) {
            $lines[] = '<comment>Arguments:</comment>';
            $names = array_map(self::argument(...), array_keys($arguments));
            $column = max(array_map(strlen(...), $names)) + 4;
            foreach (array_combine($names, $arguments) as $name => $argument) {
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
        return [...$lines, ...$command->manual()->lines($width, '  ')];
    }

    /** Returns the name that an argument has in the usage line. */
    public static function argument(string $name): string
    {
        return $name === 'names' ? 'NAME' : strtoupper($name);
    }

    /** Returns what stands for an option's value in the help: "=DURATION", or "" if the option has none. */
    public static function value(InputOption $option): string
    {
        return $option->acceptValue() ? '=' . (self::VALUES[$option->getName()] ?? strtoupper($option->getName())) : '';
    }

    /** Returns an option's description and default. */
    public static function meaning(InputOption $option): string
    {
        $default = $option->getDefault();
        return $option->getDescription() . ($option->acceptValue() && is_string($default) ? " (default: $default)" : '');
    }

    /** @return list<string> */
    private static function option(InputOption $option, int $width): array
    {
        $name = $option->getName();
        $start = $option->getShortcut() === null ? '      ' : "  -{$option->getShortcut()}, ";
        $value = self::value($option);
        $also = $option->isNegatable() ? "|--no-$name" : '';
        return [
            "$start<info>--$name$also$value</info>",
            ...Layout::wrap(OutputFormatter::escape(self::meaning($option)), $width, '          ', '          '),
        ];
    }
}
