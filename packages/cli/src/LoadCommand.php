<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Filter;
use Bloom\LoadedInfo;
use Bloom\Status;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Loads a blob as a filter on this host. */
final class LoadCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('load')
            ->setDescription('Loads a blob as a filter on this host')
            ->addName()
            ->addArgument('blob', InputArgument::REQUIRED, 'A blob; - is standard input')
            ->addOption('journal', null, InputOption::VALUE_REQUIRED, 'The store with the filter\'s journal; required '
                . 'if and only if the blob has a mark')
            ->addMaxLag()
            ->addTimeout()
            ->addFormat()
            ->addProgress()
            ->setManual(
                <<<'HELP'
                All processes that share the segment switch to the blob at the same instant. Until then, and if anything
                fails, they keep using the previous version. A live filter is never replaced. The segment belongs to one
                user, so you should run the command as [the user of the PHP-FPM pool](docs/operations.md#settings):

                  bloom load booth_tags tags.bloom

                If the blob has a mark, pass the store as `--journal`, so that the load also adds all keys that were
                added to the [journal](docs/filters.md#with-a-journal) after it. From then on, `bloom sync --every 1s`
                should follow the journal:

                  bloom load --journal redis://cache.example:6379 booth_tags tags.bloom

                With `--format=json`, the fields are those of `Filter::info()`.
                HELP,
                [
                    73 => 'a live filter has that name, or the segment is full or refused',
                ]
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $name = $input->getArgument('name');
        Arguments::checkBlob($name, $input->getArgument('blob'), $this);
        $url = Values::text($input, 'journal');
        $journal = $url === null ? null : new LazyStore(StoreUrl::parse($url), Timeout::of($input));
        $maxLag = Values::durationOrZero($input, 'max-lag');
        $blob = Blobs::read($input->getArgument('blob'), $progress);
        if ($journal !== null && MapValues::isMap($blob->info())) {
            throw Failure::usage('--journal: the blob is a map, which follows no journal, so leave it out');
        }
        $show = $progress->stage('loading');
        try {
            $info = LazyStore::clearly(static fn (): LoadedInfo
                => Filter::load($name, $blob, $show, $journal, $maxLag)->info());
        } catch (BloomException $thrown) {
            throw $thrown->getCode() !== Status::NoJournal->value ? $thrown : Failure::usage("--journal is missing: the blob has a mark, so "
                . 'the load needs the store with the journal; write bloom load --journal=STORE NAME BLOB');
        }
        Segment::warnOfOthers($name, $report);
        $report->result($info->jsonSerialize(), static fn (): array => [
            "$name: loaded generation " . Text::count($info->generation) . ', ' . Describe::briefly($info)
                . ', in ' . Text::line($info->segment),
        ]);
        return ExitCode::Ok;
    }
}
