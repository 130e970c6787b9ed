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
                Fetches only the chunks that are not served already. If a sync fails, the served version remains in
                service. Run the command as the user of the PHP-FPM pool:

                  <info>bloom sync booth_tags /srv/bloom</info>
                  <info>bloom sync --quiet booth_tags shop_tags redis://cache.example:6379</info>
                  <info>bloom sync --every 30s booth_tags shop_tags redis://cache.example:6379</info>

                The exit code is 0 if the filter switched to a different version, if it was up to date, or if another
                process is syncing it right now. The JSON output has "switched" and the fields of Filter::info(). If
                several names are given, a failure does not stop the syncs of the other names, and the JSON output is a
                list. The exit code is then 75 if all failures are temporary, otherwise the highest of the other codes.

                With --every, the command keeps running, under systemd or beside a pool. It prints a line when a filter
                switches, starts to fail, fails for a different reason, or recovers. Lines begin with the time unless they
                go to systemd's journal. SIGTERM and SIGINT end the command with exit code 0; SIGHUP starts a sync
                immediately. --every needs the pcntl PHP extension. On Windows, Ctrl+C and Ctrl+Break end the command.

                With --log-format=json, each line is an object for log collectors, with "time", "level" (of PSR-3), "event"
                (switched, failed, recovered, lost or warning), "filter" and the event's figures:

                  <info>bloom sync --every 30s --log-format=json booth_tags redis://cache.example:6379</info>

                If the published blob has a mark, the filter follows its journal. Each sync adds the keys that were added
                to the journal since the last one. With --every, this takes one round trip for all names, so sync often:

                  <info>bloom sync --every 1s booth_tags shop_tags redis://cache.example:6379</info>

                If the host has been behind the journal for --max-lag, every lookup answers "maybe". All processes of the host
                share one limit: the shortest that any of them has asked for in the last hour. It is 60 seconds until one
                of them asks. A longer one takes effect one to two hours after the last request for a shorter one.

                A version that cannot be loaded does not stop the served version from following its journal. With --every,
                it is tried again after 1, 2, 4 and so on up to 300 seconds, and at SIGHUP. Another version is tried at once.

                If pages attach() to a filter, always pass --on-demand with the same memory. Otherwise a sync after a
                reboot or a drop loads the whole filter, and every attach() fails. The option never changes an existing
                filter.

                  <info>bloom sync --on-demand 64M customers /srv/bloom</info>


                HELP . PublishCommand::STORES,
                [ExitCode::Data, ExitCode::NoInput, ExitCode::CannotCreate, ExitCode::TryAgain, ExitCode::Secret]
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
                $reason = Names::reason($name, $thrown);
                $all[] = ['switched' => false, 'name' => $name, 'error' => $reason];
                $report->failure("bloom: $reason");
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
