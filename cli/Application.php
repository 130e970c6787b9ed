<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Application as Console;
use Symfony\Component\Console\Command\HelpCommand;
use Symfony\Component\Console\Input\ArgvInput;
use Symfony\Component\Console\Input\InputDefinition;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\ConsoleOutput;
use Symfony\Component\Console\Output\OutputInterface;

/** All commands, and the one place where what they throw becomes a line and an exit code. */
final class Application extends Console
{
    public function __construct()
    {
        parent::__construct('bloom', (string) phpversion('bloom'));
        $this->setAutoExit(false);
        $this->setCatchExceptions(false);
        $this->setDefaultCommand(OverviewCommand::NAME);
        $this->addCommands([
            new PlanCommand(),
            new BuildCommand(),
            new InfoCommand(),
            new CheckCommand(),
            new SignCommand(),
            new LoadCommand(),
            new PublishCommand(),
            new SyncCommand(),
            new HealthCommand(),
            new ListCommand(),
            new ExportCommand(),
            new DropCommand(),
        ]);
    }

    /**
     * Runs the process.
     *
     * @param list<string> $arguments argv
     *
     * @return int the exit code
     */
    public function main(array $arguments): int
    {
        $this->prepareProcess();
        $output = new ConsoleOutput();
        $input = new ArgvInput($arguments);
        $input->setInteractive(false);
        try {
            return $this->run($input, $output);
        } catch (\Throwable $thrown) {
            return $this->report(self::clearer($thrown, $arguments), $output->getErrorOutput())->value;
        }
    }

    public function getHelp(): string
    {
        return "<info>bloom</info> {$this->getVersion()}: builds Bloom filters, publishes them to a store, and "
            . "loads them into the\nmemory that all PHP processes of a user share.";
    }

    public function doRun(InputInterface $input, OutputInterface $output): int
    {
        // Without a command, --help is about all of them.
        if ($input->hasParameterOption(['--help', '-h'], true) && $this->getCommandName($input) === null) {
            $input = new ArgvInput(['bloom', OverviewCommand::NAME]);
        }
        return parent::doRun($input, $output);
    }

    protected function getDefaultCommands(): array
    {
        return [new HelpCommand(), new OverviewCommand()];
    }

    protected function getDefaultInputDefinition(): InputDefinition
    {
        $all = parent::getDefaultInputDefinition();
        // Nothing here ever asks a question.
        $options = array_filter(
            $all->getOptions(),
            static fn ($option): bool => $option->getName() !== 'no-interaction'
        );
        return new InputDefinition([...array_values($all->getArguments()), ...array_values($options)]);
    }

    /** A filter is as large as it is, and a PHP warning is a failure like any other. */
    private function prepareProcess(): void
    {
        ini_set('display_errors', 'stderr');
        ini_set('memory_limit', '-1');
        error_reporting(E_ALL); // whatever php.ini leaves out: keys could be lost without a word
        set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
            if ($level === E_DEPRECATED || $level === E_USER_DEPRECATED) {
                return true;
            }
            if ((error_reporting() & $level) === 0) {
                return false;
            }
            throw new \ErrorException($message, 0, $level, $file, $line);
        });
    }

    /**
     * A value that begins with "-" is taken for an option, and the one before it for one without its value.
     *
     * @param list<string> $arguments
     */
    private static function clearer(\Throwable $thrown, array $arguments): \Throwable
    {
        $isLacking = preg_match('/^The "(--[\w-]+)" option requires a value\.$/', $thrown->getMessage(), $parts);
        $at = $isLacking ? array_search($parts[1], $arguments, true) : false;
        $value = $at === false ? '' : $arguments[$at + 1] ?? '';
        return preg_match('/^-\.?\d/', $value)
            ? Failure::usage("{$thrown->getMessage()} A value that begins with - is written {$parts[1]}=$value")
            : $thrown;
    }

    /** One line; with -v what was thrown, and where, too. */
    private function report(\Throwable $thrown, OutputInterface $errors): ExitCode
    {
        $code = ExitCode::of($thrown);
        if ($code === ExitCode::BrokenPipe) {
            return $code;
        }
        $message = Text::line(ApiArgument::message($thrown));
        if ($code === ExitCode::Internal) {
            $message = get_debug_type($thrown) . ": $message (a bug; -v shows where)";
        }
        $flags = OutputInterface::OUTPUT_RAW | OutputInterface::VERBOSITY_QUIET;
        $errors->writeln("bloom: $message", $flags);
        if ($errors->isVerbose()) {
            $errors->writeln((string) $thrown, $flags);
        }
        return $code;
    }
}
