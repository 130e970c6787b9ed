<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Command\ListCommand as ConsoleListCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** The output of "bloom" and "bloom --help": an example, the commands, and the options that all of them have. */
final class OverviewCommand extends ConsoleListCommand
{
    public const NAME = 'commands';

    private const EXAMPLE = [
        'bloom build tags.bloom tags.txt' => 'a blob from one key per line',
        'bloom publish tags tags.bloom /srv/bloom' => 'writes it to a store',
        'bloom sync tags /srv/bloom' => 'on each web host, as the user of its PHP processes',
    ];

    public const OPTIONS = [
        '-h, --help' => 'Show the help of a command',
        '-q, --quiet' => 'Print only failures',
        '-v, --verbose' => 'Print the exception and its trace after a failure',
        '-V, --version' => 'Print the version',
        '-n, --no-interaction' => 'Accepted, although no command asks questions',
        '--ansi, --no-ansi' => 'Print colors, or none (default: only on a terminal)',
    ];

    protected function configure(): void
    {
        parent::configure();
        // The name "list" belongs to ListCommand.
        $this->setName(self::NAME)->setHidden(true);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        if ($input->getOption('format') !== 'txt' || $input->getOption('raw')) {
            return parent::execute($input, $output);
        }
        $width = Layout::width();
        $commands = [];
        foreach ($this->getApplication()?->all() ?? [] as $name => $command) {
            $commands += $command->isHidden() ? [] : [$name => $command->getDescription()];
        }
        ksort($commands);
        $output->writeln([
            ...Layout::wrap((string) $this->getApplication()?->getHelp(), $width),
            '',
            '<comment>Example:</comment>',
            ...self::list(self::EXAMPLE, $width),
            '',
            '<comment>Usage:</comment>',
            '  bloom COMMAND [options] [arguments]',
            '  bloom help COMMAND',
            '',
            '<comment>Commands:</comment>',
            ...self::list($commands, $width),
            '',
            '<comment>Options:</comment>',
            ...self::list(self::OPTIONS, $width),
            '',
            '<comment>More help:</comment>',
            ...self::list(HelpTopic::descriptions(), $width),
        ]);
        return 0;
    }

    /**
     * @param array<string, string> $entries
     *
     * @return list<string>
     */
    private static function list(array $entries, int $width): array
    {
        $column = max(array_map(strlen(...), array_keys($entries))) + 4;
        $isNarrow = $column > $width * 0.6;
        $lines = [];
        foreach ($entries as $term => $text) {
            $start = '  <info>' . ($isNarrow ? "$term</info>" : str_pad("$term</info>", $column - 2 + 7));
            $lines = [...$lines, ...($isNarrow ? [$start] : []), ...($isNarrow
                ? Layout::wrap($text, $width, '      ', '      ')
                : Layout::wrap($text, $width, $start, str_repeat(' ', $column)))];
        }
        return $lines;
    }
}
