<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Output\OutputInterface;

/** Prints the result of a command as text, or as one JSON value on one line. */
final class Report
{
    /** Whether warnings and events are JSON objects on one line each, for log collectors. */
    public bool $logsJson = false;

    private const JSON_FLAGS = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE
        | JSON_PRESERVE_ZERO_FRACTION | JSON_INVALID_UTF8_SUBSTITUTE;

    public function __construct(
        public readonly Stdout $stdout,
        public readonly bool $isJson,
        private readonly bool $isQuiet,
        private readonly OutputInterface $errors
    ) {
    }

    /**
     * @param array $value for JSON, with the field names of the API's info()
     * @param callable(): list<string> $lines returns the text; called only if text is printed
     */
    public function result(array $value, callable $lines): void
    {
        if ($this->isJson) {
            $this->write(self::json($value) . "\n");
            return;
        }
        foreach ($lines() as $line) {
            $this->write(Text::escaped($line) . "\n");
        }
    }

    /** Prints a line on standard error, except with --format=json. */
    public function note(string $line): void
    {
        if (!$this->isJson) {
            $this->errors->writeln(Text::escaped($line), OutputInterface::OUTPUT_RAW);
        }
    }

    /** Prints a line on standard error about a failure, even with --quiet. */
    public function failure(string $line): void
    {
        if ($this->logsJson) {
            $this->event('warning', 'warning', ['message' => preg_replace('/^bloom: (warning: )?/', '', $line)], true);
            return;
        }
        $this->errors->writeln(Text::escaped($line), OutputInterface::OUTPUT_RAW | OutputInterface::VERBOSITY_QUIET);
    }

    /**
     * Prints an event as a JSON object on one line.
     *
     * @param string $level of PSR-3
     * @param array<string, mixed> $fields
     */
    public function event(string $level, string $event, array $fields, bool $isFailure = false): void
    {
        $time = (new \DateTimeImmutable('now', new \DateTimeZone('UTC')))->format('Y-m-d\TH:i:s.v\Z');
        $line = self::json(['time' => $time, 'level' => $level, 'event' => $event] + $fields);
        if ($isFailure) {
            $this->errors->writeln($line, OutputInterface::OUTPUT_RAW | OutputInterface::VERBOSITY_QUIET);
        } else {
            $this->write("$line\n");
        }
    }

    /** Writes bytes of the result unchanged. */
    public function write(string $bytes): void
    {
        if (!$this->isQuiet) {
            $this->stdout->write($bytes);
        }
    }

    private static function json(array $value): string
    {
        return Text::escapedJson(json_encode($value, self::JSON_FLAGS));
    }

    public function flush(): void
    {
        $this->stdout->flush();
    }
}
