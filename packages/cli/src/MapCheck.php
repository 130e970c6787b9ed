<?php

namespace Bloom\Cli;

use Bloom\Kit\Fold;

/** Compares a map with lines of a key, a tab and the value that the key should have. */
final class MapCheck
{
    private int $checked = 0;
    private int $absent = 0;
    private int $wrong = 0;
    /** @var list<string> the first absent keys */
    private array $missing = [];
    /** @var list<array{key: string, expected: int, found: int}> the first keys with another value */
    private array $different = [];

    /** @param int $limit how many keys of each kind are kept */
    public function __construct(
        private readonly MapValues $map,
        private readonly ?Fold $fold,
        private readonly ?string $print,
        private readonly int $limit,
        private readonly Report $report
    ) {
    }

    public function run(KeyFiles $keys, Progress $progress): void
    {
        $isTerminal = $this->report->stdout->isTerminal();
        $keys->withValues()->eachBatch(function (array $lines, array $keys, string $label, int $before) use ($isTerminal): void {
            KeyFiles::checkFolded($this->fold, $keys, $label);
            $expected = MapLines::values($lines, $label, $before);
            $found = $this->map->of($this->fold?->keys($keys) ?? $keys);
            foreach ($lines as $i => $line) {
                $line = $isTerminal ? Text::escaped(rtrim($line, "\r")) : $line;
                $this->judge($line, $keys[$i], $expected[$i], $found[$i] ?? null);
            }
        }, 'checking', $progress);
    }

    /** Returns whether lines were printed instead of a result. */
    public function prints(): bool
    {
        return $this->print !== null;
    }

    public function exitCode(): ExitCode
    {
        return $this->absent + $this->wrong > 0 ? ExitCode::No : ExitCode::Ok;
    }

    /** @return array<string, mixed> for JSON */
    public function json(): array
    {
        return ['checked' => $this->checked, 'candidates' => $this->checked - $this->absent, 'absent' => $this->absent, 'wrong' => $this->wrong,
            'missing' => $this->missing, 'different' => $this->different];
    }

    /** @return list<string> */
    public function lines(): array
    {
        $more = $this->absent + $this->wrong - count($this->missing) - count($this->different);
        return [
            Text::count($this->checked - $this->absent - $this->wrong) . ' of ' . Text::counted($this->checked, 'key') . ' have their value, '
                . Text::count($this->wrong) . ($this->wrong === 1 ? ' has' : ' have') . ' another one, '
                . Text::count($this->absent) . ($this->absent === 1 ? ' is' : ' are') . ' definitely absent',
            ...array_map(static fn (array $one): string => "wrong: $one[key]: expected $one[expected], found $one[found]", $this->different),
            ...array_map(static fn (string $key): string => "missing: $key", $this->missing),
            ...($more > 0 ? [Text::count($more) . ' more (--print=absent prints all lines)'] : []),
        ];
    }

    private function judge(string $line, string $key, int $expected, ?int $found): void
    {
        $this->checked++;
        $answer = match ($found) {
            $expected => 'maybe',
            null => 'absent',
            default => 'wrong',
        };
        if ($answer === 'absent' && $this->absent++ < $this->limit) {
            $this->missing[] = $key;
        } elseif ($answer === 'wrong' && $this->wrong++ < $this->limit) {
            $this->different[] = ['key' => $key, 'expected' => $expected, 'found' => $found];
        }
        if ($this->print === 'each') {
            $this->report->write("$answer\t$line\n");
        } elseif ($this->print !== null && ($this->print === 'candidates') === ($answer === 'maybe')) {
            $this->report->write("$line\n");
        }
    }
}
