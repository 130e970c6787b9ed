<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Filter;
use Bloom\LoadedInfo;
use Bloom\OnDemandInfo;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Reports whether filters are loaded and in sync, for monitoring. */
final class HealthCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('health')
            ->setDescription('Reports whether filters are loaded and in sync')
            ->addArgument('names', InputArgument::REQUIRED | InputArgument::IS_ARRAY, 'Names of the filters')
            ->addOption(
                'max-age',
                null,
                InputOption::VALUE_REQUIRED,
                'Longest time since the last successful sync of a healthy filter: 30s, 10m, 1h, or seconds'
            )
            ->addOption(
                'max-failures',
                null,
                InputOption::VALUE_REQUIRED,
                'Largest number of failed syncs in a row of a healthy filter',
                '2'
            )
            ->addFormat()
            ->setManual(
                <<<'HELP'
                  <info>bloom health --max-age 10m booth_tags shop_tags</info>

                A filter is unhealthy in these cases:

                  - No filter of that name is loaded.
                  - It cannot be opened: its secret is missing, or a sync found its file damaged and could not replace it.
                  - More than --max-failures syncs in a row have failed.
                  - With --max-age: no sync has succeeded for that long. A sync that finds nothing new is a success.
                  - It is an on-demand filter and its last fetch of chunks from the store failed.

                For a live filter, the command only reports that it exists. If a sync has replaced a damaged file, the
                command reports the damage, but the filter is healthy. The JSON output is a list, which also contains
                the time at which the whole file was last verified.

                The exit code is 1 if any filter is unhealthy. The command does not contact the store.
                HELP,
                [ExitCode::No, ExitCode::CannotCreate]
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $maxAge = Values::duration($input, 'max-age');
        $maxFailures = Values::integer($input, 'max-failures');
        if ($maxFailures < 0) {
            throw Failure::usage('--max-failures must be 0 or more');
        }
        // Both fail before any name is examined.
        Filter::list();
        Segment::check();
        $all = array_map(
            static fn (string $name): array => self::examine($name, $maxAge, $maxFailures),
            array_values(array_unique($input->getArgument('names')))
        );
        $report->result($all, static fn (): array => array_map(self::describe(...), $all));
        return in_array(false, array_column($all, 'healthy'), true) ? ExitCode::No : ExitCode::Ok;
    }

    private static function examine(string $name, ?float $maxAge, int $maxFailures): array
    {
        $problems = [];
        try {
            $info = Filter::open($name)->info();
        } catch (BloomException $thrown) {
            $info = null;
            $problems[] = $thrown->getMessage();
        }
        $loaded = $info instanceof LoadedInfo ? $info : null;
        $demanded = $info instanceof OnDemandInfo ? $info : null;
        $age = $loaded?->syncedSecondsAgo;
        if ($loaded?->syncFailuresInRow > $maxFailures) {
            $problems[] = Text::counted($loaded->syncFailuresInRow, 'sync') . " failed in a row: $loaded->lastError";
        }
        if ($demanded?->fetchFailuresInRow > 0) {
            $problems[] = self::fetchProblem($demanded);
        }
        $journal = $loaded?->journal;
        if ($journal?->isComplete === false) {
            $problems[] = Describe::behind($journal);
        }
        // Only filters that come from a store have an age.
        if ($maxAge !== null && $loaded !== null && ($age === null || $age > $maxAge)) {
            $problems[] = $age === null ? 'never synced' : 'last synced ' . Text::duration($age) . ' ago';
        }
        return [
            'name' => $name,
            'healthy' => $problems === [],
            'problems' => $problems,
            'kind' => $info?->kind->value,
            'generation' => $info?->generation,
            'builtAt' => $loaded?->builtAt,
            'syncedSecondsAgo' => $age,
            'syncFailuresInRow' => $loaded?->syncFailuresInRow,
            'fetchFailures' => $demanded?->fetchFailures,
            'fetchFailuresInRow' => $demanded?->fetchFailuresInRow,
            'fetchPause' => $demanded?->fetchPause,
            'journalLag' => $journal?->lag,
            'journalRecords' => $journal?->records,
            'lastError' => $loaded?->lastError,
            'verifiedAt' => $loaded?->verifiedAt,
            'verifyProgress' => $loaded?->verifyProgress,
            'damages' => $loaded?->damages,
            'damagedAt' => $loaded?->damagedAt,
        ];
    }

    /** Describes the problem of an on-demand filter whose store fails. */
    private static function fetchProblem(OnDemandInfo $info): string
    {
        return 'fetching failed ' . Text::counted($info->fetchFailuresInRow, 'time') . ' in a row, '
            . Text::count($info->fetchFailures) . ' in all'
            . ($info->fetchPause > 0 ? sprintf(', the store is paused for %.1f s', $info->fetchPause) : '')
            . ($info->lastError === null ? '' : ": {$info->lastError}");
    }

    private static function describe(array $one): string
    {
        if (!$one['healthy']) {
            return "{$one['name']}: NOT healthy: " . Text::line(implode('; ', $one['problems']));
        }
        return "{$one['name']}: healthy, {$one['kind']}, generation " . Text::count($one['generation'])
            . ($one['syncedSecondsAgo'] === null ? '' : ', synced ' . Text::duration($one['syncedSecondsAgo']) . ' ago')
            . (($one['damages'] ?? 0) === 0 ? '' : ', ' . Describe::damages($one['damages'], $one['damagedAt']));
    }
}
