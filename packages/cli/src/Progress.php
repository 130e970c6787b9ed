<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Helper\ProgressBar;
use Symfony\Component\Console\Output\OutputInterface;

/**
 * A progress bar on standard error. Each stage of a command requests a callback and passes it to the extension. By default
 * the bar appears only on a terminal, and only after half a second.
 */
final class Progress
{
    private const PATIENCE_SECONDS = 0.5;
    private const FORMAT_KNOWN = '%message% %percent:3s%% [%bar%] %size% %elapsed:6s%/%estimated:-6s%';
    private const FORMAT_UNKNOWN = '%message% [%bar%] %size% %elapsed:6s%';

    private ?ProgressBar $bar = null;
    private float $startedAt = 0;
    private string $message = '';
    private bool $isTime = false;

    public function __construct(
        private readonly OutputInterface $errors,
        private readonly bool $shown,
        private readonly bool $atOnce
    ) {
    }

    /** Returns a copy that shows nothing, for commands that print their result on the same terminal. */
    public function muted(): self
    {
        return new self($this->errors, false, false);
    }

    /** Returns a copy that shows nothing unless --progress is given, for commands that run until they are stopped. */
    public function ifAsked(): self
    {
        return $this->atOnce ? $this : $this->muted();
    }

    /**
     * Begins a stage and returns its callback, which takes (bytes, total). Returns null if nothing is shown.
     *
     * @param bool $isTime the callback takes seconds instead of bytes
     *
     * @return (callable(int, int): void)|null
     */
    public function stage(string $message, bool $isTime = false): ?callable
    {
        $this->begin($message);
        $this->isTime = $isTime;
        return $this->shown ? $this->show(...) : null;
    }

    /**
     * Begins a part of a stage, for instance one of several files. Its bytes are added to `$before`.
     *
     * @param int|null $total of the stage; null if unknown
     *
     * @return (callable(int): void)|null
     */
    public function part(string $message, int $before, ?int $total): ?callable
    {
        if ($message !== $this->message) {
            $this->begin($message);
        }
        return $this->shown ? fn (int $bytes) => $this->show($before + $bytes, $total ?? 0) : null;
    }

    /** Ends the stage and its output line. */
    public function close(): void
    {
        if ($this->bar !== null) {
            $this->bar->display();
            $this->errors->writeln('');
            $this->bar = null;
        }
        $this->message = '';
    }

    private function begin(string $message): void
    {
        $this->close();
        $this->message = $message;
        $this->isTime = false;
        $this->startedAt = microtime(true);
    }

    private function show(int $bytes, int $total): void
    {
        if ($this->bar === null) {
            if (!$this->atOnce && microtime(true) - $this->startedAt < self::PATIENCE_SECONDS) {
                return;
            }
            $this->bar = $this->newBar($total);
        }
        $this->bar->setProgress($bytes);
    }

    private function newBar(int $total): ProgressBar
    {
        ProgressBar::setPlaceholderFormatterDefinition('size', static function (ProgressBar $bar): string {
            $done = Text::size($bar->getProgress());
            return $bar->getMaxSteps() > 0 ? "$done of " . Text::size($bar->getMaxSteps()) : $done;
        });
        $bar = new ProgressBar($this->errors, $total);
        $bar->setFormat(strtr($total > 0 ? self::FORMAT_KNOWN : self::FORMAT_UNKNOWN, $this->isTime ? ['%size% ' => ''] : []));
        $bar->setMessage($this->message);
        $bar->start();
        return $bar;
    }
}
