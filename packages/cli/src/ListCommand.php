<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Filter;
use Bloom\FilterInfo;
use Bloom\LiveInfo;
use Bloom\LoadedInfo;
use Bloom\OnDemandInfo;
use Bloom\SecretException;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;

/** Lists the filters of the segment. */
final class ListCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('list')
            ->setDescription('Lists the filters on this host, or in a store')
            ->addArgument('names', InputArgument::IS_ARRAY, 'List the filters in a store: the last argument, a directory or a URL. '
                . 'Names before it select some of its filters')
            ->addTimeout()
            ->addFormat()
            ->setManual(
                <<<'HELP'
                The command lists the filters that are loaded on this host. BUILT is when the blob was built or the live
                filter was created, and AGE is the time since then. FILL is the share of bits that are set, which for a
                sliding filter refers to the slot that lookups use. KEYS counts each value of a reverse index once per
                level.

                  bloom list
                  bloom list --format=json | jq -r '.[].name'

                If nothing is loaded, standard output is empty, and a line on standard error shows the segment. Standard
                error also reports filters whose false-positive rate exceeds the requested one, and filters that cannot
                be opened because their secret is missing or their file is damaged. The exit code remains 0.

                With a store as the last argument, the command lists the filters in that store, the versions that hosts
                serve, whether a filter is pinned or rolled back, and whether this host is up to date. Memcached and
                clusters of Predis cannot list their keys, so name the filters:

                  bloom list /srv/bloom
                  bloom list booth_tags memcached://cache.example

                If the store fails for one filter or has damaged data, the others are still listed, and the exit code is 75
                or 65.

                With `--format=json`, the result is a list of the objects that `bloom info` prints, sorted by name. A filter
                that cannot be opened has only `name`, `keyedBy` (the fingerprint of the missing secret, or null) and
                `error`.
                HELP,
                [],
                ['[options]', '[options] [NAME...] STORE']
            );
    }

    public function getSynopsis(bool $short = false): string
    {
        return preg_replace('/\[<names>\.\.\.\]$/', '[[<name>...] <store>]', parent::getSynopsis($short));
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        if ($input->getArgument('names') !== []) {
            return $this->listStore($input, $report);
        }
        // A filter may be dropped between list() and find().
        $filters = array_values(array_filter(array_map(self::look(...), Filter::list())));
        if ($filters === []) {
            Segment::check();
            $report->note('no filters in ' . Text::line(Segment::path()));
        }
        $report->result($filters, static fn (): array => self::table($filters));
        Segment::noteOthers($report);
        Segment::noteOtherVersions($report);
        foreach ($filters as $one) {
            if (is_array($one)) {
                $report->note(Text::line($one['error']));
            } elseif ($one->warning !== null) {
                $report->note("$one->name: $one->warning");
            }
        }
        return ExitCode::Ok;
    }

    private function listStore(InputInterface $input, Report $report): ExitCode
    {
        [$names, $store] = Arguments::namesAndStore($input->getArgument('names'), $this, onlyReads: true);
        if ($names === [] && !Arguments::isStore($store) && !file_exists($store)) {
            throw Failure::usage("STORE: \"$store\" is not a directory; write {$this->usage()} (bloom info shows one filter on this host)");
        }
        $url = StoreUrl::parse($store);
        $timeout = Timeout::of($input);
        $names = $names ?: $url->names($timeout);
        $store = $url->open($timeout);
        $found = array_map(static fn (string $name): Stored => Stored::find($store, $url->shown, $name), $names);
        if ($found === []) {
            $report->note('no filters in the store');
        }
        $report->result(
            array_map(static fn (Stored $one): array => $one->json(), $found),
            static fn (): array => self::storeTable($found)
        );
        foreach ($found as $one) {
            if ($one->error !== null) {
                $report->failure("bloom: $one->name: " . Text::line($one->error));
            }
        }
        return ExitCode::worst(array_values(array_filter(array_map(static fn (Stored $one): ?ExitCode => $one->code, $found))));
    }

    /**
     * @param list<Stored> $found
     *
     * @return list<string>
     */
    private static function storeTable(array $found): array
    {
        $rows = [['NAME', 'VERSION', 'BUILT', 'KEYS', 'SIZE', 'HOSTS SERVE', 'THIS HOST']];
        foreach ($found as $one) {
            $served = $one->served();
            $rows[] = [$one->name, ...($served === null ? ['?', '?', '?', '?'] : [$served->checksum, Text::time($served->builtAt),
                Text::count($served->keys), Text::size($served->bytes)]), $one->state(), $one->host()];
        }
        return $found === [] ? [] : Layout::table($rows, ['VERSION', 'SIZE', 'KEYS', 'BUILT']);
    }

    /** Returns a filter's info(), or why the filter cannot be opened. A missing secret's fingerprint comes from the message. */
    private static function look(string $name): FilterInfo|array|null
    {
        try {
            return Filter::find($name)?->info();
        } catch (BloomException $thrown) {
            $message = $thrown->getMessage();
            $isKeyed = $thrown instanceof SecretException
                && preg_match('/\bfingerprint ([0-9a-f]{16}):/', $message, $parts) === 1;
            return ['name' => $name, 'keyedBy' => $isKeyed ? $parts[1] : null, 'error' => $message];
        }
    }

    /** @return list<string> */
    private static function table(array $filters): array
    {
        if ($filters === []) {
            return [];
        }
        $rows = array_map(static fn (FilterInfo|array $one): array => is_array($one) ? [
            $one['name'],
            ...array_fill(0, 8, '?'),
        ] : [
            $one->name,
            Describe::kind($one),
            Text::count($one->generation),
            Text::count(Describe::likelyKeys($one)),
            Text::size($one instanceof OnDemandInfo ? $one->memory : $one->bytes),
            Text::percent($one->fill),
            Text::percent($one instanceof LoadedInfo ? $one->lookupFalsePositiveRate : $one->measuredFalsePositiveRate),
            Text::time(self::madeAt($one)),
            Text::age(max(0.0, microtime(true) - self::madeAt($one))),
        ], $filters);
        array_unshift($rows, ['NAME', 'KIND', 'GENERATION', 'KEYS', 'SIZE', 'FILL', 'FALSE POSITIVES', 'BUILT', 'AGE']);
        return Layout::table($rows, ['BUILT', 'GENERATION', 'FILL', 'SIZE', 'AGE'], ['NAME', 'KIND', 'BUILT', 'AGE']);
    }

    /** Returns when the blob was built, or when the live filter was created. */
    private static function madeAt(FilterInfo $info): float
    {
        return $info instanceof LiveInfo ? $info->created : $info->builtAt;
    }
}
