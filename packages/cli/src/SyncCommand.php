<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Filter;
use Bloom\FilterInfo;
use Bloom\OnDemandInfo;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Updates filters on this host from a store. */
final class SyncCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('sync')
            ->setDescription('Loads new versions from a store')
            ->addArgument(
                'names',
                InputArgument::REQUIRED | InputArgument::IS_ARRAY,
                'The filters, each 1 to 128 characters of A-Z a-z 0-9 . _ -; the last argument is the store, a directory or a URL'
            )
            ->addOption(
                'every',
                null,
                InputOption::VALUE_REQUIRED,
                'Keep running and sync at this interval, plus or minus 10 %: 30s, 5m, 1h, or seconds'
            )
            ->addOption(
                'log-format',
                null,
                InputOption::VALUE_REQUIRED,
                'With --every: text, or json, which prints one object for each event',
                'text'
            )
            ->addOption(
                'ttl',
                null,
                InputOption::VALUE_REQUIRED,
                'Do not contact the store for this long after a successful sync: 30s, 5m, or seconds; 0 always contacts it',
                '0'
            )
            ->addOption('force', null, InputOption::VALUE_NONE, 'Load the published version even if it is older than the served one; verify the whole served file')
            ->addOption(
                'on-demand',
                null,
                InputOption::VALUE_REQUIRED,
                'If no filter is loaded, attach with this many bytes of memory (K, M or G), as Filter::attach() '
                    . 'does, instead of loading the whole filter'
            )
            ->addMaxLag()
            ->addTimeout()
            ->addFormat()
            ->addProgress()
            ->setManual(
                <<<'HELP'
                If the store has another version than this host serves, the command fetches the chunks that the host does
                not have yet and switches to that version. If a sync fails, the host keeps serving its version. Run the
                command as [the user of the PHP-FPM pool](docs/operations.md#settings):

                  bloom sync booth_tags /srv/bloom
                  bloom sync --quiet booth_tags shop_tags redis://cache.example:6379

                If one of several names fails, the others are still synced.

                If the published blob has a mark, the filter follows its [journal](docs/filters.md#with-a-journal), so each
                sync also adds the keys that were added to it since the last one. If the host has been behind the journal
                for `--max-lag`, every lookup answers "maybe". All processes of the host share one limit, which is the
                shortest that any of them asked for in the last hour, so a longer limit takes effect one to two hours after
                the last request for a shorter one.

                If your pages `attach()` to an [on-demand filter](docs/filters.md#ondemandfilter), always pass `--on-demand`
                with the same memory. Otherwise a sync after a reboot loads the whole filter, and every `attach()` fails.
                The option never changes an existing filter:

                  bloom sync --on-demand 64M customers /srv/bloom

                ## Running as a service

                With `--every`, the command keeps running, as under [systemd](docs/operations.md#service) or beside a pool.
                The first sync starts at once, and the waits vary by up to 10 %. With a journal, one round trip serves all
                names, so you can sync often:

                  bloom sync --every 30s booth_tags shop_tags redis://cache.example:6379
                  bloom sync --every 1s booth_tags shop_tags redis://cache.example:6379

                The command prints a line when a filter switches, begins to fail, fails for another reason or recovers.
                Failures go to standard error, and lines begin with the time unless they go to systemd's log. A version that
                cannot be loaded does not stop the served version from following its journal. It is tried again after 1, 2,
                4 and so on up to 300 seconds, and another version is tried at once.

                SIGTERM and SIGINT end the command with exit code 0, and SIGHUP starts a sync and tries every version again.
                The command reacts between two answers of the store, that is, within `--timeout`. On Windows, Ctrl+C and
                Ctrl+Break end it.

                Without the PHP extension `pcntl`, which the official PHP images lack, a signal kills the command at once.
                This harms no filter. Process 1 of a container ignores signals that it does not handle, so run the command
                under an init process there (`docker run --init`).

                With `--log-format=json`, every line is an object with `time` (UTC), `level` (of PSR-3), `event` and
                `filter`, so that a log collector can read it. `--format` then has no effect:

                  bloom sync --every 30s --log-format=json booth_tags redis://cache.example:6379

                - `switched` :: (info) has `generation`, `from` (the replaced generation), `keys`, `bytesFetched` and
                  `seconds`, of which the last two are null if another process switched.
                - `failed` :: (error) has `status` (a case of [`Bloom\Status`](docs/reference/errors.md)), `failures` (in a
                  row) and `error`.
                - `recovered` :: (notice) has `generation` and `failures` (attempts of this command).
                - `lost` :: (error, or critical if this host may lack keys) has `mayLackKeys`: the [store has lost
                  records](docs/operations.md#if-the-store-loses-journal-records) of the journal.
                - `warning` :: (warning) has `message`, without `filter`.

                An error that ends the command, such as an invalid option, is still printed as text.

                With `--format=json`, the fields are `switched` (true also if the sync attached a filter) and those of
                `Filter::info()`. Several names give a list, in which a failed name has only `switched` (false), `name` and
                `error`. With `--every`, each switch and recovery is one object.
                HELP,
                [
                    0 => 'the filter switched, it was up to date, or another process is syncing it',
                    73 => 'a live filter has that name, or the memory of `--on-demand` is too small',
                    75 => 'the store failed or does not have the filter, or its version is older than the served one; for several names, all failures are temporary, and otherwise the code is the highest of the others',
                ]
            );
    }

    public function getSynopsis(bool $short = false): string
    {
        return preg_replace('/<names>\.\.\.$/', '<name>... <store>', parent::getSynopsis($short));
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        [$names, $url] = Arguments::namesAndStore($input->getArgument('names'), $this, onlyReads: true);
        if ($names === []) {
            throw Failure::usage((Arguments::isStore($url) ? 'NAME' : 'STORE') . " is missing: write {$this->usage()}");
        }
        $every = Values::duration($input, 'every');
        $report->logsJson = Values::choice($input, 'log-format', ['text', 'json']) === 'json';
        if ($report->logsJson && $every === null) {
            throw Failure::usage('--log-format needs --every');
        }
        $store = new LazyStore(StoreUrl::parse($url), Timeout::of($input));
        $onDemand = Values::bytes($input, 'on-demand');
        if ($onDemand !== null && $onDemand < 1) {
            throw Failure::usage('--on-demand must be at least 1 byte');
        }
        $ttl = Values::durationOrZero($input, 'ttl');
        $force = $input->getOption('force');
        $maxLag = Values::durationOrZero($input, 'max-lag');
        self::warnOfOthers($names, $onDemand, $report);
        foreach ($names as $name) {
            Segment::warnOfOthers($name, $report);
        }
        $make = static fn (?callable $progress): Syncer
            => new Syncer($store, $ttl, $force, $progress, $maxLag, $onDemand, $every === null);
        if ($every !== null) {
            $this->keepSyncing($names, $every, $report, $progress->ifAsked(), $make, $store, $maxLag);
            return ExitCode::Ok;
        }
        $syncer = $make($progress->stage('syncing'));
        return count($names) === 1
            ? $this->syncOne($syncer, $names[0], $report)
            : $this->syncAll($syncer, $names, $report, $progress);
    }

    private function syncOne(Syncer $syncer, string $name, Report $report): ExitCode
    {
        $synced = $syncer->sync($name);
        $report->result($synced->fields(), static fn (): array => [$synced->describe()]);
        return ExitCode::Ok;
    }

    /** @param list<string> $names */
    private function syncAll(Syncer $syncer, array $names, Report $report, Progress $progress): ExitCode
    {
        $all = $lines = $codes = [];
        foreach ($names as $name) {
            try {
                $synced = $syncer->sync($name);
                $all[] = $synced->fields();
                $lines[] = $synced->describe();
                $progress->close();
            } catch (\Throwable $thrown) {
                $progress->close();
                if (!Syncer::isOfItsName($thrown)) {
                    throw $thrown;
                }
                $codes[] = ExitCode::of($thrown);
                $all[] = ['switched' => false] + Names::failed($name, $thrown, $report);
            }
        }
        $report->result($all, static fn (): array => $lines);
        return ExitCode::worst($codes);
    }

    /**
     * @param list<string> $names
     * @param callable(callable|null): Syncer $make
     */
    private function keepSyncing(
        array $names,
        float $every,
        Report $report,
        Progress $progress,
        callable $make,
        LazyStore $store,
        ?float $maxLag
    ): void {
        $signals = new SignalQueue();
        $show = $progress->stage('syncing');
        $followed = microtime(true);
        $checkpoint = static function (int $bytes, int $total) use ($signals, $show, $store, $names, $every, $maxLag, &$followed): void {
            $signal = $signals->stop();
            if ($signal !== null) {
                throw new Failure(ExitCode::Ok, "ended by $signal");
            }
            // A fetch may take minutes. In the meantime, the served versions must follow their journals.
            if (microtime(true) - $followed > $every) {
                Syncer::followMeanwhile($store, $names, $maxLag);
                $followed = microtime(true);
            }
            if ($show !== null) {
                $show($bytes, $total);
            }
        };
        (new SyncLoop($make($checkpoint), $names, $every, $report, $signals))->run();
    }

    /**
     * Warns about existing filters that differ from --on-demand. A sync never converts them.
     *
     * @param list<string> $names
     */
    private static function warnOfOthers(array $names, ?int $onDemand, Report $report): void
    {
        foreach ($onDemand === null ? [] : $names as $name) {
            try {
                $info = Filter::find($name)?->info();
            } catch (BloomException) {
                continue; // the sync will report it
            }
            $there = $info === null ? null : self::otherMemory($info, $onDemand);
            if ($there !== null) {
                $report->failure("bloom: $name: $there is kept; drop the filter to apply --on-demand");
            }
        }
    }

    private static function otherMemory(FilterInfo $info, int $memory): ?string
    {
        return match (true) {
            !$info instanceof OnDemandInfo => "the {$info->kind->value} filter",
            $info->memoryAsked !== $memory => 'the memory of ' . Text::exactSize($info->memoryAsked),
            default => null,
        };
    }
}
