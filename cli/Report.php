<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Output\OutputInterface;

/** A command's result on standard output: text for people, or one JSON value on a line. */
final class Report
{
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
     * @param array $value of the JSON, under the names that the API's info() gives
     * @param callable(): list<string> $lines of the text, made only when it is wanted
     */
    public function result(array $value, callable $lines): void
    {
        if ($this->isJson) {
            $this->write(json_encode($value, self::JSON_FLAGS) . "\n");
            return;
        }
        foreach ($lines() as $line) {
            $this->write("$line\n");
        }
    }

    /** A line on standard error, for people only. */
    public function note(string $line): void
    {
        if (!$this->isJson) {
            $this->errors->writeln($line, OutputInterface::OUTPUT_RAW);
        }
    }

    /** A line on standard error about what failed, for people and logs: always. */
    public function failure(string $line): void
    {
        $this->errors->writeln($line, OutputInterface::OUTPUT_RAW | OutputInterface::VERBOSITY_QUIET);
    }

    /** Bytes of the result as they are. */
    public function write(string $bytes): void
    {
        if (!$this->isQuiet) {
            $this->stdout->write($bytes);
        }
    }

    public function flush(): void
    {
        $this->stdout->flush();
    }
}
