<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Command\Command as ConsoleCommand;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** Base class of the commands. It contains their common options, and the setup and cleanup around each run. */
abstract class Command extends ConsoleCommand
{
    private const FORMATS = ['text', 'json'];

    private string $manual = '';

    /** Runs the command. Results are written to $report, and progress is shown by $progress. */
    abstract protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode;

    final protected function execute(InputInterface $input, OutputInterface $output): int
    {
        Arguments::refuseEmpty($input, $this);
        $json = $input->hasOption('format') && Values::choice($input, 'format', self::FORMATS) === 'json';
        $errors = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        $report = new Report(new Stdout(), $json, $output->isQuiet(), $errors);
        $progress = $this->progress($input, $errors);
        try {
            $code = $this->act($input, $report, $progress);
            $progress->close();
            $report->flush();
        } catch (\ValueError $error) {
            throw ApiArgument::isBlamedBy($error) ? ApiArgument::withValue($error, $input) : $error;
        } finally {
            $progress->close();
        }
        return $code->value;
    }

    /**
     * Sets the help text.
     *
     * @param array<int, string> $codes the exit codes that have a meaning of their own for this command
     * @param list<string> $forms how the command is called, if one line does not say it: '[options] NAME --served KEYS...'
     */
    final protected function setManual(string $text, array $codes = [], array $forms = []): static
    {
        foreach ($forms as $form) {
            $this->addUsage($form);
        }
        $lines = array_map(static fn (int $code, string $meaning): string => "- $code :: $meaning", array_keys($codes), $codes);
        $this->manual = $text . ($codes === [] ? '' : "\n\n## Exit codes\n\n" . implode("\n", $lines));
        return $this->setHelp(Manual::plain($this->manual));
    }

    final public function manual(): Manual
    {
        return Manual::parse($this->manual);
    }

    /**
     * Returns how the command is called: "bloom publish [options] NAME BLOB STORE".
     *
     * @return non-empty-list<string>
     */
    final public function forms(): array
    {
        return array_map(static fn (string $usage): string => "bloom $usage", $this->getUsages()) ?: [self::inCapitals($this->getSynopsis(true))];
    }

    final protected function addName(): static
    {
        return $this->addArgument('name', InputArgument::REQUIRED, 'The filter: 1 to 128 characters of A-Z a-z 0-9 . _ -');
    }

    final protected function addStore(): static
    {
        return $this->addArgument('store', InputArgument::REQUIRED, 'A directory or URL (bloom help stores)');
    }

    final protected function addFormat(): static
    {
        return $this->addOption('format', null, InputOption::VALUE_REQUIRED, 'How to print results', 'text');
    }

    final protected function addProgress(): static
    {
        return $this->addOption(
            'progress',
            null,
            InputOption::VALUE_NEGATABLE,
            'Show a progress bar on standard error (default: only if it is a terminal)'
        );
    }

    /** Adds the options of LineKeys. */
    final protected function addLineKeys(): static
    {
        return $this
            ->addOption('field', null, InputOption::VALUE_REQUIRED, 'The number of the field that is the key, from 1, as for cut(1) (default: the whole line)')
            ->addOption('delimiter', null, InputOption::VALUE_REQUIRED, 'The byte that separates the fields (default: tab, or \t)')
            ->addOption('digests', null, InputOption::VALUE_NONE, 'The lines are the XXH3-64 digests of the keys with seed 0, as numbers');
    }

    final protected function addFold(string $default): static
    {
        return $this->addOption('fold', null, InputOption::VALUE_REQUIRED, "Fold keys that the database treats as equal into one: mysql (default: $default)");
    }

    final protected function addTimeout(): static
    {
        return $this->addOption(
            'timeout',
            null,
            InputOption::VALUE_REQUIRED,
            'How long to wait for the connection to the store and for each of its replies: 5s, or seconds',
            '5'
        );
    }

    final protected function addMaxLag(): static
    {
        return $this->addOption(
            'max-lag',
            null,
            InputOption::VALUE_REQUIRED,
            'Lookups answer maybe if this host has been behind the journal for this time: 60s, 5m; 0: they never do. The '
                . 'shortest time that any process of the host asked for in the last hour applies. Default: keep it; at first 60s'
        );
    }

    /** Returns the usage line, including the name of the program. */
    public function getSynopsis(bool $short = false): string
    {
        return 'bloom ' . parent::getSynopsis($short);
    }

    /** Returns how the command is called: "bloom publish NAME BLOB STORE". */
    final public function usage(): string
    {
        return self::inCapitals(strtr($this->getSynopsis(true), [' [options]' => '']));
    }

    private static function inCapitals(string $synopsis): string
    {
        return preg_replace_callback('/<(\w+)>/', static fn (array $found): string
            => HelpCommand::argument($found[1]), str_replace(' [--]', '', $synopsis));
    }

    private function progress(InputInterface $input, OutputInterface $errors): Progress
    {
        $option = $input->hasOption('progress') ? $input->getOption('progress') : false;
        $terminal = is_resource(STDERR) && stream_isatty(STDERR);
        return new Progress($errors, ($option ?? $terminal) && !$errors->isQuiet(), $option === true);
    }
}
