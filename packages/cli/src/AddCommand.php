<?php

namespace Bloom\Cli;

use Bloom\Journal;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Adds keys to a filter's journal. */
final class AddCommand extends Command
{
    /** Keys from standard input are added in batches of at least this many, so that they need little memory. */
    private const BATCH = 10_000;

    protected function configure(): void
    {
        $this->setName('add')
            ->setDescription('Adds keys to the journal of a filter')
            ->addName()
            ->addStore()
            ->addArgument('keys', InputArgument::IS_ARRAY, 'The keys; - or none: one key per line of standard input')
            ->addFold('as the published version')
            ->addOption('force', null, InputOption::VALUE_NONE, 'Add the lines of compressed data or UTF-16 as they are')
            ->addLineKeys()
            ->addTimeout()
            ->addFormat()
            ->setManual(
                <<<'HELP'
                The command adds keys to the [journal](docs/filters.md#with-a-journal) of a filter, and hosts find them
                after their next sync. If this host serves the filter to the user that runs the command, it finds them
                at once. The filter does not have to be loaded here, so you can add keys on every host that can write to
                the store:

                  bloom add booth_tags redis://cache.example:6379 new-tag
                  bloom add booth_tags /srv/bloom < new-tags.txt

                You should [add a key before your database commits it](docs/integrating.md#adding). If the command fails,
                run it again, because adding a key twice does no harm. The keys are folded like those of the published
                version, and the keys `-` and "" can only be lines of standard input. `--digests` is refused, because a
                journal contains keys.

                You get a warning if a key is the name of a file, because only the name is added, and if nothing is
                published under that name yet, because no host finds the keys until you publish a version with a mark.

                With `--format=json`, the fields are `name` and `added`.
                HELP,
                [
                    65 => 'the lines are compressed or in UTF-16, or the published version has a fold that this version does not know',
                    73 => 'the published version does not follow the journal, so nothing was added',
                ]
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        [$name, $url] = Arguments::nameAndStore($input, $this);
        Arguments::checkLast($url, $input->getArgument('keys'), $this);
        $store = new LazyStore(StoreUrl::parse($url), Timeout::of($input));
        $journal = new Journal($name, $store);
        $published = Published::of($store, $name);
        $published->refuseMap();
        $fold = Folds::option($input) ?? Folds::ofPublished($published, $name);
        $given = $input->getArgument('keys');
        $keys = array_values(array_diff($given, ['-']));
        $added = 0;
        $warn = static fn (string $line) => $report->failure('bloom: warning: ' . Text::line($line));
        $lines = LineKeys::of($input);
        if ($lines->areDigests) {
            throw Failure::usage('--digests: a journal has keys, because the next version of the filter may have another seed: add the keys');
        }
        $files = KeyFiles::at(['-'], 'bloom add NAME STORE', $lines, $input->getOption('force'), $warn);
        foreach (array_filter($keys, Arguments::isFile(...)) as $key) {
            $warn("KEYS: \"$key\" is a file, but only its name is added; add its lines with bloom add NAME STORE < FILE");
        }
        $add = static function (array $batch) use ($journal, $fold, &$added): void {
            KeyFiles::checkFolded($fold, $batch, 'KEYS');
            $added += $batch === [] ? 0 : LazyStore::clearly(static fn (): int => $journal->add($fold?->keys($batch) ?? $batch));
        };
        if ($keys !== $given || $keys === []) {
            $batch = [];
            $files->eachBatch(static function (array $lines, array $found) use ($add, &$batch): void {
                array_push($batch, ...$found);
                if (count($batch) >= self::BATCH) {
                    $add($batch);
                    $batch = [];
                }
            }, 'adding', $progress);
            $add($batch);
        }
        $add($keys);
        if ($added === 0) {
            throw new Failure(ExitCode::NoInput, 'no keys: give them as arguments, or one per line on standard input');
        }
        $state = self::state($store, $name);
        if ($state !== null) {
            $warn("$name: $state (is NAME misspelled?)");
        }
        $report->result(
            ['name' => $name, 'added' => $added],
            static fn (): array => ["$name: added " . Text::counted($added, 'key') . ' to its journal']
        );
        return ExitCode::Ok;
    }

    /**
     * Says why no host finds the keys yet. This is no failure: a site may add keys before its first build, and while the next
     * version is built. Returns null if hosts find the keys, or if the store cannot tell.
     */
    private static function state(LazyStore $store, string $name): ?string
    {
        try {
            if ($store->missing([$name]) !== []) {
                return 'nothing is published under this name yet, so no host finds the keys until a version with a mark is published';
            }
        } catch (\Throwable) { // also one of a client
        }
        return null;
    }
}
