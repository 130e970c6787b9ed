<?php

namespace Bloom\Cli;

use Bloom\NotFoundException;
use Symfony\Component\Console\Application as Console;
use Symfony\Component\Console\CommandLoader\FactoryCommandLoader;
use Symfony\Component\Console\Input\ArgvInput;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\ConsoleOutput;
use Symfony\Component\Console\Output\OutputInterface;

/** Registers all commands and turns every exception into one line on standard error and an exit code. */
final class Application extends Console
{
    private const COMMANDS = [
        'plan' => PlanCommand::class,
        'build' => BuildCommand::class,
        'import' => ImportCommand::class,
        'info' => InfoCommand::class,
        'check' => CheckCommand::class,
        'get' => GetCommand::class,
        'sign' => SignCommand::class,
        'load' => LoadCommand::class,
        'publish' => PublishCommand::class,
        'nightly' => NightlyCommand::class,
        'mark' => MarkCommand::class,
        'add' => AddCommand::class,
        'relay' => RelayCommand::class,
        'sync' => SyncCommand::class,
        'diff' => DiffCommand::class,
        'rollback' => RollbackCommand::class,
        'pin' => PinCommand::class,
        'unpin' => UnpinCommand::class,
        'doctor' => DoctorCommand::class,
        'health' => HealthCommand::class,
        'list' => ListCommand::class,
        'metrics' => MetricsCommand::class,
        'export' => ExportCommand::class,
        'snapshot' => SnapshotCommand::class,
        'restore' => RestoreCommand::class,
        'drop' => DropCommand::class,
        'completion' => CompletionCommand::class,
    ];

    public function __construct()
    {
        parent::__construct('bloom', (string) phpversion('bloom'));
        $this->setAutoExit(false);
        $this->setCatchExceptions(false);
        $this->setDefaultCommand(OverviewCommand::NAME);
        // A process creates only the command that it runs.
        $this->setCommandLoader(new FactoryCommandLoader(array_map(
            static fn (string $class): \Closure => static fn (): Command => new $class(),
            self::COMMANDS
        )));
    }

    /**
     * Runs the command line.
     *
     * @param list<string> $arguments argv
     *
     * @return int the exit code
     */
    public function main(array $arguments): int
    {
        self::setTerminalSize();
        $output = new ConsoleOutput();
        $input = new ArgvInput($arguments);
        $input->setInteractive(false);
        try {
            $this->prepareProcess();
            return $this->run($input, $output);
        } catch (\Throwable $thrown) {
            return $this->report(Usage::clearer($thrown, $this, $arguments), $output->getErrorOutput())->value;
        }
    }

    public function getHelp(): string
    {
        return "<info>bloom</info> {$this->getVersion()}: builds Bloom filters, publishes them to a store, and "
            . "loads them into memory that all PHP processes of a user share.";
    }

    public function doRun(InputInterface $input, OutputInterface $output): int
    {
        // symfony/console would print the overview and succeed.
        if ($input->getFirstArgument() === '') {
            throw Failure::usage('COMMAND is empty: bloom --help lists the commands (is a shell variable not set?)');
        }
        // Without a command, --help shows the overview.
        if ($input->hasParameterOption(['--help', '-h'], true) && $this->getCommandName($input) === null) {
            $input = new ArgvInput(['bloom', OverviewCommand::NAME]);
        }
        return parent::doRun($input, $output);
    }

    protected function getDefaultCommands(): array
    {
        return [new HelpCommand(), new OverviewCommand()];
    }

    /**
     * Sets the size that symfony/console uses if standard input is no terminal. Otherwise it would start six processes, which
     * take as long as the rest of a short command, and would find no other size.
     */
    private static function setTerminalSize(): void
    {
        if (is_resource(STDIN) && stream_isatty(STDIN)) {
            return;
        }
        foreach (['COLUMNS' => 80, 'LINES' => 50] as $name => $size) {
            if (getenv($name) === false) {
                putenv("$name=$size");
            }
        }
    }

    /** Lifts the memory limit, because a filter may have any size, and turns PHP warnings into exceptions. */
    private function prepareProcess(): void
    {
        ini_set('display_errors', 'stderr');
        ini_set('memory_limit', '-1');
        ini_set('zend.exception_ignore_args', '1'); // the trace that -v prints could show the beginning of a password
        error_reporting(E_ALL); // a warning hidden by php.ini could mean that keys were lost
        set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
            if ($level === E_DEPRECATED || $level === E_USER_DEPRECATED) {
                return true;
            }
            if ((error_reporting() & $level) === 0) {
                return false;
            }
            if (preg_match('/open_basedir restriction in effect\. File\((.*)\) is not within the allowed path\(s\): \((.*)\)$/s', $message, $parts)) {
                throw new Failure(ExitCode::NoInput, "$parts[1]: open_basedir of php.ini allows only $parts[2]: run php -d open_basedir= "
                    . $_SERVER['argv'][0]);
            }
            throw new \ErrorException($message, 0, $level, $file, $line);
        });
    }

    /** Prints one line, and with -v also prints the exception and its trace. */
    private function report(\Throwable $thrown, OutputInterface $errors): ExitCode
    {
        $code = ExitCode::of($thrown);
        if ($code === ExitCode::BrokenPipe) {
            return $code;
        }
        $message = Text::line(ApiArgument::message($thrown));
        if ($thrown instanceof NotFoundException) {
            $message .= ' (bloom list shows those that are)';
        }
        if ($code === ExitCode::Internal) {
            $message = get_debug_type($thrown) . ": $message (a bug; -v shows where)";
        }
        $flags = OutputInterface::OUTPUT_RAW | OutputInterface::VERBOSITY_QUIET;
        $errors->writeln("bloom: $message", $flags);
        if ($errors->isVerbose()) {
            $trace = array_map([Text::class, 'escaped'], explode("\n", (string) $thrown));
            $errors->writeln($trace, $flags);
        }
        return $code;
    }
}
