<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Command\Command as ConsoleCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** What the commands have in common: their shared options, and the frame that each runs in. */
abstract class Command extends ConsoleCommand
{
    private const FORMATS = ['text', 'json'];

    /** Does it, with what it needs to be heard. */
    abstract protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode;

    final protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $json = $input->hasOption('format') && Values::choice($input, 'format', self::FORMATS) === 'json';
        $errors = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        $report = new Report(new Stdout(), $json, $output->isQuiet(), $errors);
        $progress = $this->progress($input, $errors);
        try {
            $code = $this->act($input, $report, $progress);
            $progress->close();
            $report->flush();
        } finally {
            $progress->close();
        }
        return $code->value;
    }

    /**
     * Sets the help text: what is said, then the exit codes it can end with besides those of them all.
     *
     * @param list<ExitCode> $codes
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
            'A progress bar on standard error (default: when that is a terminal)'
        );
    }

    final protected function addTimeout(): static
    {
        return $this->addOption(
            'timeout',
            null,
            InputOption::VALUE_REQUIRED,
            'Seconds that connecting to a store, and each of its answers, may take',
            '5'
        );
    }

    final protected function addOverlay(): static
    {
        return $this->addOption(
            'overlay-window',
            null,
            InputOption::VALUE_REQUIRED,
            'Make an overlay, in which keys that pages add are found for so long: 30m, 2d, or seconds'
        )->addOption(
            'overlay-capacity',
            null,
            InputOption::VALUE_REQUIRED,
            'Keys that pages add to the overlay in that time'
        );
    }

    /** As it is typed. */
    public function getSynopsis(bool $short = false): string
    {
        return 'bloom ' . parent::getSynopsis($short);
    }

    private function progress(InputInterface $input, OutputInterface $errors): Progress
    {
        $wish = $input->hasOption('progress') ? $input->getOption('progress') : false;
        $terminal = is_resource(STDERR) && stream_isatty(STDERR);
        return new Progress($errors, ($wish ?? $terminal) && !$errors->isQuiet(), $wish === true);
    }
}
