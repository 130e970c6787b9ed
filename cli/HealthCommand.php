<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Filter;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Are the filters of this host there, and do they come fresh? For monitoring. */
final class HealthCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('health')
            ->setDescription('Tells whether filters are loaded and their syncs succeed')
            ->addArgument('names', InputArgument::REQUIRED | InputArgument::IS_ARRAY, 'Their names')
            ->addOption(
                'max-age',
                null,
                InputOption::VALUE_REQUIRED,
                'The last successful sync is at most so old: 30s, 10m, 1h, or seconds'
            )
            ->addOption(
                'max-failures',
                null,
                InputOption::VALUE_REQUIRED,
                'So many syncs in a row may have failed',
                '2'
            )
            ->addFormat()
            ->setManual(
                <<<'HELP'
                  <info>bloom health --max-age 10m booth_tags shop_tags</info>

                A filter is not healthy when none is loaded under its name, or it cannot be opened (its secret is not
                here, its file was found damaged and no sync could replace it), when more than --max-failures syncs in a row have failed, or, with --max-age, when none succeeded for that long. A sync that found
                nothing new succeeded. One on demand is not healthy either while the store fails its lookups, from
                the first failure to the next chunk that comes. Of filters that take keys it only tells that they
                are there.

                Damage that a sync found and replaced is shown, and is no reason to be not healthy. The JSON says
                when all of the served file was last verified.

                Exits with 1 when any of them is not healthy. No store is asked. The JSON is a list.
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
        Filter::list(); // a segment that is refused is no filter's fault
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
            $info = [];
            $problems[] = $thrown->getMessage();
        }
        $age = $info['syncedSecondsAgo'] ?? null;
        $failures = $info['syncFailuresInRow'] ?? null;
        if ($failures > $maxFailures) {
            $problems[] = Text::counted($failures, 'sync') . " failed in a row: {$info['lastError']}";
        }
        if (($info['fetchFailuresInRow'] ?? 0) > 0) {
            $problems[] = self::fetchProblem($info);
        }
        // Only what comes from a store can grow old.
        if ($maxAge !== null && array_key_exists('syncedSecondsAgo', $info) && ($age === null || $age > $maxAge)) {
            $problems[] = $age === null ? 'never synced' : 'last synced ' . Text::duration($age) . ' ago';
        }
        return [
            'name' => $name,
            'healthy' => $problems === [],
            'problems' => $problems,
            'kind' => $info['kind'] ?? null,
            'generation' => $info['generation'] ?? null,
            'builtAt' => $info['builtAt'] ?? null,
            'syncedSecondsAgo' => $age,
            'syncFailuresInRow' => $failures,
            'fetchFailures' => $info['fetchFailures'] ?? null,
            'fetchFailuresInRow' => $info['fetchFailuresInRow'] ?? null,
            'fetchPause' => $info['fetchPause'] ?? null,
            'lastError' => $info['lastError'] ?? null,
            'verifiedAt' => $info['verifiedAt'] ?? null,
            'verifyProgress' => $info['verifyProgress'] ?? null,
            'damages' => $info['damages'] ?? null,
            'damagedAt' => $info['damagedAt'] ?? null,
        ];
    }

    /** Of an on-demand filter, whose lookups the store fails. */
    private static function fetchProblem(array $info): string
    {
        return 'fetching failed ' . Text::counted($info['fetchFailuresInRow'], 'time') . ' in a row, '
            . Text::count($info['fetchFailures']) . ' in all'
            . ($info['fetchPause'] > 0 ? sprintf(', the store is left alone for %.1f s', $info['fetchPause']) : '')
            . ($info['lastError'] === null ? '' : ": {$info['lastError']}");
    }

    private static function describe(array $one): string
    {
        if (!$one['healthy']) {
            return "{$one['name']}: NOT healthy: " . Text::line(implode('; ', $one['problems']));
        }
        return "{$one['name']}: healthy, {$one['kind']}, generation " . Text::count($one['generation'])
            . ($one['syncedSecondsAgo'] === null ? '' : ', synced ' . Text::duration($one['syncedSecondsAgo']) . ' ago')
            . (($one['damages'] ?? 0) === 0 ? '' : ', ' . Describe::damages($one));
    }
}
