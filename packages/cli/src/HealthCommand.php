<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Filter;
use Bloom\Health;
use Bloom\HealthStatus;
use Bloom\LiveInfo;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Checks filters with Filter::health(), for Nagios-style checks and readiness probes. */
final class HealthCommand extends Command
{
    /** The options that --ready ignores, so they exclude it. */
    private const LIMITS = ['max-build-age', 'max-sync-age', 'max-rate', 'max-failures', 'store'];

    protected function configure(): void
    {
        $this->setName('health')
            ->setDescription('Checks filters: their age, syncs, false positives and files')
            ->addArgument('names', InputArgument::IS_ARRAY, 'Names of the filters (default: all that are loaded)')
            ->addOption('max-build-age', null, InputOption::VALUE_REQUIRED, 'Longest allowed time since the build of a blob: 26h, 2d')
            ->addOption(
                'max-sync-age',
                null,
                InputOption::VALUE_REQUIRED,
                'Longest allowed time since the last successful sync: 90s, 15m. A sync that finds nothing new is a success'
            )
            ->addOption(
                'max-rate',
                null,
                InputOption::VALUE_REQUIRED,
                'Highest allowed false-positive rate of a lookup: 2% (default: 1.5 times the requested rate)'
            )
            ->addOption('max-failures', null, InputOption::VALUE_REQUIRED, 'Largest allowed number of failed syncs or fetches in a row', '3')
            ->addOption('store', null, InputOption::VALUE_REQUIRED, 'Also compare the served versions with this store: a directory or a URL')
            ->addOption('ready', null, InputOption::VALUE_NONE, 'Only check that the filters are loaded and lookups can use them')
            ->addFormat()
            ->addTimeout()
            ->setManual(
                <<<'HELP'
                The command prints one line per filter with all reasons, the worst filter first. You can use it as a check
                of a monitoring system, because its exit codes are those of Nagios plugins:

                  bloom health --max-build-age=26h --max-sync-age=15m tags shop_tags

                It also works as a readiness probe. With `--ready`, it checks only that the filters are loaded and that
                lookups can use them, so ages, rates and warnings do not count:

                  bloom health --ready tags shop_tags

                A named filter that is not loaded is critical, and without names it is critical if no filter is loaded. Ages
                count only if you give a limit. With `--store`, the served versions are compared with that store, which
                takes one or two requests per filter. [Health](docs/monitoring.md#health) lists all rules and remedies.

                With `--format=json`, the result is a list of the objects that `Filter::health()` returns, in the order of
                the names.
                HELP,
                [
                    0 => 'all filters are OK, or ready',
                    1 => 'there is a warning',
                    2 => 'a filter is critical or not ready, or no filter is loaded',
                    3 => 'the store could not be read, and nothing worse was found',
                ]
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $isProbe = $input->getOption('ready');
        foreach ($isProbe ? self::LIMITS : [] as $option) {
            if ($input->hasParameterOption("--$option", true)) {
                throw Failure::usage("--ready excludes --$option");
            }
        }
        $url = Values::text($input, 'store');
        $names = Arguments::names($input->getArgument('names'), $this);
        $limits = [
            'maxBuildAge' => Values::durationOrZero($input, 'max-build-age'),
            'maxSyncAge' => Values::durationOrZero($input, 'max-sync-age'),
            'maxRate' => Values::rate($input, 'max-rate'),
            'maxFailures' => Values::integer($input, 'max-failures'),
            'store' => $url === null ? null : new LazyStore(StoreUrl::parse($url), Timeout::of($input)),
        ];
        try {
            $names = $names ?: Filter::list();
            $all = array_map(static fn (string $name): Health => Filter::health($name, ...$limits), $names);
        } catch (BloomException $thrown) {
            $report->failure('bloom: ' . Text::line($thrown->getMessage()));
            return ExitCode::Critical;
        }
        $report->result($all, static fn (): array => self::lines($all, $isProbe));
        if (!in_array(true, array_column($all, 'isReady'), true)) {
            self::explainNone($all, $report);
        }
        return self::exitCode($all, $isProbe);
    }

    /**
     * Adds what the results of filters do not say if no filter can be used.
     *
     * @param list<Health> $all
     */
    private static function explainNone(array $all, Report $report): void
    {
        try {
            Segment::check();
            if ($all === []) {
                $report->note('no filters in ' . Text::line(Segment::path()));
                Segment::noteOthers($report);
            }
        } catch (Failure $failure) {
            $report->failure('bloom: ' . Text::line($failure->getMessage()));
        }
    }

    /** @param list<Health> $all */
    private static function exitCode(array $all, bool $isProbe): ExitCode
    {
        if ($isProbe) {
            return $all !== [] && !in_array(false, array_column($all, 'isReady'), true) ? ExitCode::Ok : ExitCode::Critical;
        }
        $worst = $all === [] ? 3 : max(array_map(self::rank(...), $all));
        return [ExitCode::Ok, ExitCode::Unknown, ExitCode::No, ExitCode::Critical][$worst];
    }

    private static function rank(Health $one): int
    {
        return match ($one->status) {
            HealthStatus::Ok => 0,
            HealthStatus::Unknown => 1,
            HealthStatus::Warning => 2,
            HealthStatus::Critical => 3,
        };
    }

    /**
     * @param list<Health> $all
     *
     * @return list<string>
     */
    private static function lines(array $all, bool $isProbe): array
    {
        usort($all, static fn (Health $one, Health $other): int => $isProbe
            ? $one->isReady <=> $other->isReady
            : self::rank($other) <=> self::rank($one));
        return array_map($isProbe ? self::readiness(...) : self::line(...), $all);
    }

    private static function readiness(Health $one): string
    {
        return "$one->name: " . ($one->isReady ? 'ready' : 'NOT ready: ' . Text::line($one->reasons[0]));
    }

    /** Monitoring systems show the first line, so the reasons, or the most important figures, are on it. */
    private static function line(Health $one): string
    {
        $start = "$one->name: " . strtoupper($one->status->value);
        if ($one->reasons !== []) {
            return "$start: " . Text::line(implode('; ', [...$one->reasons, ...$one->notes]));
        }
        return "$start: " . implode(', ', self::figures($one));
    }

    /**
     * Returns the most important figures of a filter that is OK.
     *
     * @return array<string>
     */
    public static function figures(Health $one): array
    {
        $age = $one->buildAge === null ? null : 'built ' . Text::age($one->buildAge) . ' ago';
        return array_filter([
            Describe::kind($one->info),
            'generation ' . Text::count($one->info->generation),
            $one->info instanceof LiveInfo ? Text::percent($one->info->measuredFalsePositiveRate) . ' false positives' : $age,
            $one->syncAge === null ? null : 'synced ' . Text::age($one->syncAge) . ' ago',
            ...$one->notes,
        ]);
    }
}
