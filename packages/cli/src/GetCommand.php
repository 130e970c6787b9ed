<?php

namespace Bloom\Cli;

use Bloom\Kit\Fold;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Prints the values of keys in a map. */
final class GetCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('get')
            ->setDescription('Prints the values of keys in a map')
            ->addArgument('name', InputArgument::OPTIONAL, 'The map on this host: 1 to 128 characters of A-Z a-z 0-9 . _ -; '
                . 'with --file, the first key')
            ->addArgument('keys', InputArgument::IS_ARRAY, 'The keys; - or none: one key per line of standard input')
            ->addOption('file', null, InputOption::VALUE_REQUIRED, 'Look the keys up in this blob instead of a map on this host')
            ->addOption('mask', null, InputOption::VALUE_REQUIRED, 'Print only keys whose value has one of these bits: 5, 0x5 or 0b101')
            ->addFormat()
            ->addProgress()
            ->setManual(
                <<<'HELP'
                The command looks keys up in a [map](docs/filters.md#loadedmap) that this host serves, or in a blob. For
                each key that has a value, it prints the key, a tab and the value, in the order of the keys. Without keys,
                it reads them from standard input, one per line, and `-` among the keys does the same at its place:

                  bloom get counts php mysql
                  bloom get counts < tags.txt
                  bloom get --file=counts.bloom php

                If the values are sets of flags, `--mask` prints only the keys that have at least one of these flags:

                  bloom get --mask=0b101 flags < users.txt

                The value of a key that was set is exact. However, a key that was never set gets some value at the map's
                false-positive rate, so choose a low rate if a wrong value would do harm. If this host cannot use the
                map now, the command fails and prints no further value. If the map's source contains a fold, the keys
                are folded, and a key for which only the database can answer, such as one with an emoji, is refused with
                exit code 65. The keys `-` and "" can only be lines.

                With `--format=json`, the fields are `name` (of the map, or the path of the blob), `values` (a list with
                `key` and `value`) and `absent` (the keys that were not printed). Many programs keep only 53 bits of a
                number, so print larger values as text.
                HELP,
                [
                    1 => 'a key was not printed, because it is definitely not in the map or its value has none of the bits',
                ],
                ['[options] NAME [KEYS...]', '[options] --file=BLOB [KEYS...]']
            );
    }

    public function getSynopsis(bool $short = false): string
    {
        return 'bloom get [options] (<name> | --file=<blob>) [<keys>...]';
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $file = Values::text($input, 'file');
        $mask = Values::mask($input, 'mask');
        $words = [...array_filter([$input->getArgument('name')], is_string(...)), ...$input->getArgument('keys')];
        if ($file === null && $words === []) {
            throw Failure::usage('NAME is missing: write bloom get NAME [KEYS...], or bloom get --file=BLOB [KEYS...]');
        }
        $name = $file ?? array_shift($words);
        if ($file === null) {
            Arguments::checkName($name, $this);
        } elseif ((new InputFile($file))->isStdin() && ($words === [] || in_array('-', $words, true))) {
            throw Failure::usage('--file: standard input (-) can be read only once: give the keys as arguments, or the blob as a file');
        }
        if (count(array_keys($words, '-', true)) > 1) {
            throw Failure::usage('KEYS: standard input (-) can be read only once');
        }
        $map = $file === null ? new ServedFilter($name, mustBeMap: true) : Blobs::read($file, $progress);
        $values = MapValues::in($map, $name);
        $fold = Folds::ofSource($file === null ? $map->source() : $map->info()->source, $name);
        $found = $absent = [];
        $visit = static function (array $keys) use ($values, $fold, $mask, $report, &$found, &$absent): void {
            [$here, $rest] = self::look($values, $fold, $keys, $mask);
            if ($report->isJson) {
                array_push($found, ...$here);
                array_push($absent, ...$rest);
            } else {
                self::print($here, $report);
                $absent = $absent ?: $rest;
            }
        };
        self::each($words ?: ['-'], $visit, $report, $progress);
        if ($report->isJson) {
            $report->result(['name' => $name, 'values' => $found, 'absent' => $absent], static fn (): array => []);
        }
        return $absent === [] ? ExitCode::Ok : ExitCode::No;
    }

    /**
     * Calls $visit with parts of the keys.
     *
     * @param list<string> $words the keys; - is standard input
     * @param callable(list<string>): void $visit
     */
    private static function each(array $words, callable $visit, Report $report, Progress $progress): void
    {
        $warn = static fn (string $line) => $report->failure('bloom: warning: ' . Text::line($line));
        $shown = $report->stdout->isTerminal() ? $progress->muted() : $progress;
        foreach ($words as $word) {
            if ($word !== '-') {
                $visit([$word]);
                continue;
            }
            KeyFiles::at(['-'], 'bloom get NAME', LineKeys::whole(), false, $warn)
                ->eachBatch(static fn (array $lines, array $keys) => $visit($keys), 'looking up', $shown);
        }
    }

    /**
     * @param list<string> $keys
     *
     * @return array{list<array{key: string, value: int}>, list<string>} the keys that are to be printed, and the other ones
     */
    private static function look(MapValues $values, ?Fold $fold, array $keys, ?int $mask): array
    {
        $asked = $fold === null ? $keys : array_map(static fn (string $key): string => self::folded($fold, $key), $keys);
        $found = [];
        foreach ($values->of($asked) as $i => $value) {
            if ($mask === null || ($value & $mask) !== 0) {
                $found[$i] = ['key' => $keys[$i], 'value' => $value];
            }
        }
        return [array_values($found), array_values(array_diff_key($keys, $found))];
    }

    private static function folded(Fold $fold, string $key): string
    {
        KeyFiles::checkFolded($fold, [$key], 'KEYS');
        return $fold->lookup($key) ?? throw new Failure(ExitCode::Data, 'KEYS: ' . Text::key($key)
            . " may have several rows with the fold $fold->name, so only the database has its value");
    }

    /** @param list<array{key: string, value: int}> $found */
    private static function print(array $found, Report $report): void
    {
        $isTerminal = $report->stdout->isTerminal();
        foreach ($found as ['key' => $key, 'value' => $value]) {
            $report->write(($isTerminal ? Text::escaped($key) : $key) . "\t$value\n");
        }
    }
}
