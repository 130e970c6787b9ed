<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Command\Command as ConsoleCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** Base class of the commands. It contains their common options, and the setup and cleanup around each run. */
abstract class Command extends ConsoleCommand
{
    private const FORMATS = ['text', 'json'];

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
     * Sets the help text, followed by a table of exit codes.
     *
     * @param list<ExitCode> $codes in addition to those that every command has
     */
    final protected function setManual(string $text, array $codes): static
    {
        $all = [ExitCode::Ok, ...$codes, ExitCode::Usage, ExitCode::Unavailable, ExitCode::Internal,
            ExitCode::System, ExitCode::Io, ExitCode::BrokenPipe];
        $all = array_filter(ExitCode::cases(), static fn (ExitCode $code): bool => in_array($code, $all, true));
        return $this->setHelp("$text\n\n<comment>Exit codes:</comment>\n" . ExitCode::table($all));
    }

    final protected function addFormat(): static
    {
        return $this->addOption('format', null, InputOption::VALUE_REQUIRED, 'text or json', 'text');
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
        return $this->addOption('fold', null, InputOption::VALUE_REQUIRED, "Fold keys that the database calls equal into one: mysql (default: $default)");
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
        $synopsis = strtr($this->getSynopsis(true), [' [options]' => '', ' [--]' => '']);
        return preg_replace_callback('/<(\w+)>/', static fn (array $found): string
            => $found[1] === 'names' ? 'NAME' : strtoupper($found[1]), $synopsis);
    }

    private function progress(InputInterface $input, OutputInterface $errors): Progress
    {
        $option = $input->hasOption('progress') ? $input->getOption('progress') : false;
        $terminal = is_resource(STDERR) && stream_isatty(STDERR);
        return new Progress($errors, ($option ?? $terminal) && !$errors->isQuiet(), $option === true);
    }
}
