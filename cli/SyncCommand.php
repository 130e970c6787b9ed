<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Filter;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Store → served filters of this host. */
final class SyncCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('sync')
            ->setDescription('Loads what a store has published, if it is another version')
            ->addArgument(
                'names',
                InputArgument::REQUIRED | InputArgument::IS_ARRAY,
                'The filters, 1 to 128 of A-Z a-z 0-9 . _ - each; last the store, a directory or a URL'
            )
            ->addOption('once', null, InputOption::VALUE_NONE, 'Look once and end: what it does without --every')
            ->addOption(
                'every',
                null,
                InputOption::VALUE_REQUIRED,
                'Stay, and look again after so long, 10 % more or less: 30s, 5m, 1h, or seconds'
            )
            ->addOption(
                'ttl',
                null,
                InputOption::VALUE_REQUIRED,
                'Seconds after a successful look during which not to look again; 0: always look',
                '0'
            )
            ->addOption('force', null, InputOption::VALUE_NONE, 'Load it even if it is older than the served version, or the same and that got damaged')
            ->addOption(
                'on-demand',
                null,
                InputOption::VALUE_REQUIRED,
                'Where nothing is loaded yet, attach with so many bytes of memory, with K, M or G, as Filter::attach() '
                    . 'does, instead of loading the whole filter'
            )
            ->addOverlay()
            ->addTimeout()
            ->addFormat()
            ->addProgress()
            ->setManual(
                <<<'HELP'
                Only the chunks that are not served already are fetched. When this fails, what was served stays
                served. As the user of the PHP-FPM pool; in a crontab with the full path:

                  <info>bloom sync booth_tags /srv/bloom</info>
                  <info>/usr/local/bin/bloom sync --quiet booth_tags shop_tags redis://cache.example:6379</info>
                  <info>bloom sync --every 30s booth_tags shop_tags redis://cache.example:6379</info>

                The exit code is 0 when it has switched to another version, and also when the one that is
                served was up to date, or another process is looking this very moment. The JSON tells by
                "switched"; the other fields are those of Filter::info(). Of several names none stops the
                others. The JSON is then a list, and the exit code the worst: 75 only if all that failed
                may heal by itself, else the highest of the others.

                With --every it stays, for systemd or beside a pool, and prints a line when a filter has switched,
                when it begins to fail or for another reason, and when it has healed; with the time, unless
                systemd's journal has it anyway. SIGTERM and SIGINT end it, with 0; SIGHUP makes it look at
                once. That needs the PHP extension pcntl.

                A filter that pages attach() to wants --on-demand with the same memory, each time: after a reboot
                or a drop the whole filter would be loaded otherwise, and every attach() refused. One that pages
                add keys to wants --overlay-window and --overlay-capacity. Both only make what is not there yet.

                  <info>bloom sync --on-demand 64M customers /srv/bloom</info>
                  <info>bloom sync --overlay-window 2d --overlay-capacity 10000 booth_tags /srv/bloom</info>


                HELP . PublishCommand::STORES,
                [ExitCode::Data, ExitCode::CannotCreate, ExitCode::TryAgain, ExitCode::Secret]
            );
    }

    public function getSynopsis(bool $short = false): string
    {
        return preg_replace('/<names>\.\.\.$/', '<name>... <store>', parent::getSynopsis($short));
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $names = $input->getArgument('names');
        $url = array_pop($names);
        if ($names === []) {
            throw Failure::usage('Not enough arguments (missing: "store").');
        }
        $every = Values::duration($input, 'every');
        if ($every !== null && $input->getOption('once')) {
            throw Failure::usage('give either --once or --every');
        }
        $store = new LazyStore(StoreUrl::parse($url), Timeout::of($input));
        $names = Names::checked($names);
        $onDemand = Values::bytes($input, 'on-demand');
        $overlay = Overlay::of($input);
        if ($onDemand !== null && ($overlay !== null || $onDemand < 1)) {
            throw Failure::usage($onDemand < 1
                ? '--on-demand must be at least 1 byte'
                : 'a filter on demand has no overlay: give either --on-demand or --overlay-window');
        }
        self::tellOfOthers($names, $onDemand, $overlay, $report);
        $ttl = Values::number($input, 'ttl');
        $force = $input->getOption('force');
        $make = static fn (?callable $progress): Syncer
            => new Syncer($store, $ttl, $force, $progress, $onDemand, $overlay);
        if ($every !== null) {
            $this->stay($names, $every, $report, $progress, $make);
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
        $report->result($synced, static fn (): array => [Syncer::describe($synced)]);
        return ExitCode::Ok;
    }

    /** @param list<string> $names */
    private function syncAll(Syncer $syncer, array $names, Report $report, Progress $progress): ExitCode
    {
        $all = $codes = [];
        foreach ($names as $name) {
            try {
                $all[] = $syncer->sync($name);
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
        $report->result($all, static fn (): array => array_map(
            Syncer::describe(...),
            array_values(array_filter($all, static fn (array $one): bool => !isset($one['error'])))
        ));
        return ExitCode::worst($codes);
    }

    /**
     * @param list<string> $names
     * @param callable(callable|null): Syncer $make
     */
    private function stay(array $names, float $every, Report $report, Progress $progress, callable $make): void
    {
        $signals = new SignalQueue();
        $show = $progress->stage('syncing');
        $checkpoint = static function (int $bytes, int $total) use ($signals, $show): void {
            $signal = $signals->stop();
            if ($signal !== null) {
                throw new Failure(ExitCode::Ok, "ended by $signal");
            }
            if ($show !== null) {
                $show($bytes, $total);
            }
        };
        (new SyncLoop($make($checkpoint), $names, $every, $report, $signals))->run();
    }

    /**
     * What is there already is left as it is, even where it is not what the options ask for.
     *
     * @param list<string> $names
     */
    private static function tellOfOthers(array $names, ?int $onDemand, ?Overlay $overlay, Report $report): void
    {
        foreach ($onDemand === null && $overlay === null ? [] : $names as $name) {
            try {
                $info = Filter::find($name)?->info();
            } catch (BloomException) {
                continue; // syncing will say so
            }
            $there = $info === null ? null : ($onDemand === null
                ? $overlay->otherThan($info)
                : self::otherMemory($info, $onDemand));
            if ($there !== null) {
                $report->failure("bloom: $name: $there stays; drop it to have what was asked for");
            }
        }
    }

    /** @param array $info Filter::info() */
    private static function otherMemory(array $info, int $memory): ?string
    {
        return match (true) {
            $info['kind'] !== 'on-demand' => "the {$info['kind']} filter",
            $info['memoryAsked'] !== $memory => 'the memory of ' . Text::exactSize($info['memoryAsked']),
            default => null,
        };
    }
}
