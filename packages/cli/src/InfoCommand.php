<?php

namespace Bloom\Cli;

use Bloom\Filter;
use Bloom\Kit\Paths;
use Bloom\Version;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Shows the head of a blob or the state of a filter. */
final class InfoCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('info')
            ->setDescription('Shows a blob, a filter on this host, or the versions of a filter in a store')
            ->addArgument('name', InputArgument::OPTIONAL, 'A blob; - is standard input. If there is no such file, the filter '
                . 'with this name on this host. With STORE: the name of a filter in the store')
            ->addArgument('store', InputArgument::OPTIONAL, 'Show the versions of the filter in this store: a directory or a URL')
            ->addOption('verify', null, InputOption::VALUE_NONE, 'Fetch and check all chunks of the versions in the store')
            ->addOption('filter', 'f', InputOption::VALUE_REQUIRED, 'Show the filter with this name on this host instead of a blob')
            ->addOption('plot', null, InputOption::VALUE_REQUIRED, 'Also draw the filter: write its shards, rates and lookups to this '
                . 'file, which must end in .html or .svg')
            ->addTimeout()
            ->addFormat()
            ->addProgress()
            ->setManual(
                <<<'HELP'
                For a blob, the command verifies the whole file before it prints anything. For a filter on this host, it
                prints what `Filter::info()` knows. `--filter` is needed only if there is a file with the name of the
                filter:

                  bloom info tags.bloom
                  bloom info booth_tags
                  bloom info --format=json tags.bloom

                With NAME and STORE, the command lists the versions of the filter in a store. A `*` marks the version that
                hosts serve, and SHARED counts the chunks that another version also has. `--verify` fetches all chunks and
                lists those that are missing or damaged:

                  bloom info booth_tags redis://cache.example:6379
                  bloom info --verify booth_tags /srv/bloom

                `--plot` also draws the charts of the [status page](docs/monitoring.md#status-page) into a file, which is
                replaced if it exists:

                  bloom info --plot=booth_tags.html booth_tags

                With `--format=json`, the fields are those of `Blob::info()` or `Filter::info()`. For a store, they are
                `name`, `versions` (as `Blob::versions()` returns them), `here` (the checksum of the version that this host
                serves, or null), `behind` and `error`. `behind` counts the versions that this host is behind. It is
                negative if the host has a newer version, and null if the filter is not loaded or its version is not in the
                store.
                HELP,
                [
                    1 => '`--verify` found missing or damaged chunks',
                ],
                ['[options] BLOB', '[options] [--filter] NAME', '[options] [--verify] NAME STORE']
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $blob = $input->getArgument('name');
        $filter = Values::name($input, 'filter');
        $plot = Values::text($input, 'plot');
        if ($input->getArgument('store') !== null) {
            return match (true) {
                $plot !== null => throw Failure::usage('--plot draws a filter on this host, so give no STORE'),
                $filter !== null => throw Failure::usage('--filter shows a filter on this host, so give no NAME and STORE'),
                default => $this->stored($input, $report),
            };
        }
        if (($blob === null) === ($filter === null)) {
            throw Failure::usage('give either a BLOB, or the NAME of a filter on this host');
        }
        if ($input->getOption('verify')) {
            throw Failure::usage('--verify needs NAME and STORE; a blob is always verified');
        }
        $filter ??= self::filterInstead($blob);
        if ($plot !== null && $filter === null) {
            throw Failure::usage("--plot draws a filter on this host, but $blob is a blob: load it first");
        }
        if ($filter !== null) {
            $info = Filter::open($filter)->info();
            if ($plot !== null) {
                Plot::write($filter, $plot);
            }
            $report->result($info->jsonSerialize(), static fn (): array => Describe::filter($info));
        } else {
            $info = Blobs::read($blob, $progress)->info();
            $report->result($info->jsonSerialize(), static fn (): array => Describe::blob($info));
        }
        return ExitCode::Ok;
    }

    /** Shows the versions in a store. The exit code is 1 if a chunk is missing or damaged. */
    private function stored(InputInterface $input, Report $report): ExitCode
    {
        [$name, $store] = Arguments::nameAndStore($input, $this, onlyReads: true);
        $verify = $input->getOption('verify');
        $url = StoreUrl::parse($store);
        $stored = Stored::find($url->open(Timeout::of($input)), $url->shown, $name, $verify);
        $report->result($stored->json(), $stored->lines(...));
        if ($stored->error !== null) {
            $report->failure("bloom: $name: " . Text::line($stored->error));
        }
        $bad = array_merge(...array_map(static fn (Version $one): array => $one->badChunks, $stored->versions));
        return $stored->code ?? ($bad === [] ? ExitCode::Ok : ExitCode::No);
    }

    /** Returns the argument if it is not a file but the name of a filter on this host. */
    private static function filterInstead(string $blob): ?string
    {
        if (Arguments::isExistingStore($blob) || !Paths::isUrl($blob) && is_dir($blob)) {
            throw Failure::usage("NAME is missing: \"$blob\" is a store; write bloom info NAME STORE, or bloom list STORE");
        }
        if (!preg_match(Names::PATTERN, $blob) || file_exists($blob)) {
            return null;
        }
        if (!in_array($blob, Filter::list(), true)) {
            throw new Failure(ExitCode::NoInput, "$blob: neither a file nor a filter on this host");
        }
        return $blob;
    }
}
