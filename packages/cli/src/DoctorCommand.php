<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Filter;
use Bloom\Health;
use Bloom\HealthStatus;
use Bloom\LoadedInfo;
use Composer\InstalledVersions;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;

/** Looks for the cause if something is wrong, from PHP to the store. Machine has the checks that need no extension. */
final class DoctorCommand extends Command
{
    /** A sync by cron may run once a night. */
    private const UNSYNCED_SECONDS = 26 * 3600;

    /** @param string $root the directory that contains etc, proc and usr, for tests */
    public function __construct(private readonly string $root = '')
    {
        parent::__construct();
    }

    protected function configure(): void
    {
        $this->setName('doctor')
            ->setDescription('Finds out what is wrong, and says what to do')
            ->addArgument('names', InputArgument::IS_ARRAY, 'Names of the filters (default: all that are loaded). If the last argument is '
                . 'a directory or a URL, it is a store, which is checked as well')
            ->addTimeout()
            ->addFormat()
            ->setManual(
                <<<'HELP'
                If something is wrong, run this command first. It checks that the command line and PHP-FPM load the
                extension, that you are the user whose filters your pages use, that there is room for filters, that the
                store works if you pass one, that the filters are being synced, and then each filter as `bloom health`
                does:

                  bloom doctor
                  runuser -u www-data -- bloom doctor tags redis://cache.example:6379

                Each line is `ok`, `warn` or `fail`. Below each problem, you see a command or a line for a configuration
                file that solves it. Replace words in capital letters, such as STORE, before you run it. Solve the first
                problem first, because it may be the cause of the others, and then run the command again. The command
                itself changes nothing.

                As root, the command sees more of PHP-FPM's processes, and whether the users of its pools can read a
                directory store. As the user of a pool, it sees the filters.

                Without the extension or symfony/console, the command makes only the checks that do not need them.

                With `--format=json`, the result is a list of objects with `level`, `about`, `text` and `remedy` (null if
                the level is `ok`).
                HELP,
                [
                    0 => 'nothing is wrong',
                    1 => 'there is a warning',
                    2 => 'something is broken',
                ],
                ['[options] [NAME...] [STORE]']
            );
    }

    public function getSynopsis(bool $short = false): string
    {
        return preg_replace('/\[<names>\.\.\.\]$/', '[<name>...] [<store>]', parent::getSynopsis($short));
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $given = $input->getArgument('names');
        $hasStore = array_filter($given, static fn (string $text): bool => Arguments::isStore($text) || is_dir($text)) !== [];
        [$names, $store] = $hasStore
            ? Arguments::namesAndStore($given, $this, onlyReads: true)
            : [Arguments::names($given, $this), null];
        $url = $store === null ? null : StoreUrl::parse($store);
        $findings = [self::versions(), ...Machine::findings($_SERVER['argv'], $this->root), Machine::room(Segment::path())];
        $isOwnUser = !in_array(['user', 'warn'], array_map(static fn (Finding $one): array => [$one->about, $one->level], $findings), true);
        $findings = [...$findings, ...$this->filters($names, $url, Timeout::of($input), $isOwnUser)];
        $report->result($findings, static fn (): array => Finding::lines($findings, Layout::width()));
        return ExitCode::from(Finding::exitCode($findings));
    }

    private static function versions(): Finding
    {
        ob_start();
        (new \ReflectionExtension('bloom'))->info();
        preg_match_all('/^(blob format|segment layout|xxHash|libsodium)(?: version)? => (.*)$/m', (string) ob_get_clean(), $rows, PREG_SET_ORDER);
        $clients = array_filter(['redis' => phpversion('redis'), 'memcached' => phpversion('memcached'),
            'Predis' => class_exists(\Predis\Client::class) ? \Predis\Client::VERSION : false]);
        return Finding::ok('versions', implode(', ', [
            'bloom ' . phpversion('bloom'),
            'PHP ' . PHP_VERSION . (PHP_ZTS ? ' ZTS' : ''),
            ...self::packages(),
            ...array_map(static fn (array $row): string => "$row[1] $row[2]", $rows),
            ...array_map(static fn (string $version, string $name): string => "$name $version", $clients, array_keys($clients)),
        ]));
    }

    /** @return list<string> those that Composer installed */
    private static function packages(): array
    {
        $packages = class_exists(InstalledVersions::class) ? array_filter(['bloom/cli', 'symfony/console'], InstalledVersions::isInstalled(...)) : [];
        return array_values(array_map(static fn (string $name): string => "$name " . InstalledVersions::getPrettyVersion($name), $packages));
    }

    /**
     * Checks what needs the segment: the store, the sync and each filter.
     *
     * @param list<string> $names
     *
     * @return list<Finding>
     */
    private function filters(array $names, ?StoreUrl $url, float $timeout, bool $isOwnUser): array
    {
        $remedy = new Remedy(Machine::user(), $url?->shown);
        try {
            $loaded = Filter::list();
        } catch (BloomException $thrown) {
            return [Finding::fail('segment', Text::line($thrown->getMessage()), $remedy->ofReason($thrown->getMessage(), null))];
        }
        $check = $url === null ? null : StoreCheck::of($url, $timeout, $names ?: $loaded, $names === [], $remedy, Machine::readers($this->root));
        $all = array_map(static fn (string $name): Health => Filter::health($name, maxFailures: 0, store: $check?->store), $names ?: $loaded);
        return [
            ...($check->findings ?? []),
            ...$this->sync($all, $remedy),
            ...($all === [] && $isOwnUser ? [self::none($check->names ?? [], $remedy)] : []),
            ...array_merge(...array_map(static fn (Health $one): array => self::filter($one, $remedy, $url !== null), $all)),
        ];
    }

    /** @param list<string> $names of the filters in the store */
    private static function none(array $names, Remedy $remedy): Finding
    {
        $none = 'none is loaded in ' . Segment::path();
        $others = Segment::others('*');
        if ($others === []) {
            return Finding::warn('filters', $none, $remedy->load($names));
        }
        [$segment, $user] = $others[0];
        return Finding::warn('filters', "$none, but user $user has filters in $segment", Machine::as(Machine::user(), $user) . ' bloom doctor');
    }

    /**
     * @param list<Health> $all
     *
     * @return list<Finding>
     */
    private function sync(array $all, Remedy $remedy): array
    {
        $ages = [];
        $isOften = false;
        foreach ($all as $one) {
            if ($one->info instanceof LoadedInfo && $one->syncAge !== null) {
                $ages[$one->name] = $one->syncAge;
                $isOften = $isOften || isset($one->info->journal);
            }
        }
        if ($ages === []) {
            return [];
        }
        arsort($ages);
        $last = 'the last sync of ' . array_key_first($ages) . ' was ' . Text::age(reset($ages)) . ' ago';
        $process = Pools::syncing(Machine::user() ?? '', $this->root);
        return [match (true) {
            $process !== null => Finding::ok('sync', "process $process runs bloom sync --every; $last"),
            reset($ages) > self::UNSYNCED_SECONDS => Finding::warn(
                'sync',
                "$last, and no bloom sync --every is running",
                $remedy->service(array_keys($ages), $isOften, $this->root)
            ),
            default => Finding::ok('sync', $last),
        }];
    }

    /**
     * @param bool $hasStore whether StoreCheck reports what the store failed to do
     *
     * @return list<Finding>
     */
    private static function filter(Health $one, Remedy $remedy, bool $hasStore): array
    {
        $ofStore = "/^the store(?:'s version is unknown| does not have the filter)/";
        $reasons = $hasStore ? preg_grep($ofStore, $one->reasons, PREG_GREP_INVERT) : $one->reasons;
        $find = $one->status === HealthStatus::Critical ? Finding::fail(...) : Finding::warn(...);
        return $reasons === []
            ? [Finding::ok($one->name, implode(', ', HealthCommand::figures($one)))]
            : array_values(array_map(static fn (string $reason): Finding
                => $find($one->name, Text::line($reason), $remedy->ofReason($reason, $one)), $reasons));
    }
}
