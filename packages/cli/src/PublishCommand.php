<?php

namespace Bloom\Cli;

use Bloom\Blob;
use Bloom\KindException;
use Bloom\Status;
use Bloom\Store;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Publishes a blob to a store. */
final class PublishCommand extends Command
{
    /** Help on STORE, also used by sync. */
    protected function configure(): void
    {
        $this->setName('publish')
            ->setDescription('Publishes a blob to a store')
            ->addName()
            ->addArgument('blob', InputArgument::REQUIRED, 'A blob; - is standard input')
            ->addStore()
            ->addOption('force', null, InputOption::VALUE_NONE, 'Write all chunks, even those that the store reports as present')
            ->addOption('end-journal', null, InputOption::VALUE_NONE, 'End the journal of the filter, because this blob and the next ones have no mark')
            ->addOption('retain', null, InputOption::VALUE_REQUIRED, 'How many versions the store keeps, this one included: 1 to 100', '3')
            ->addTimeout()
            ->addFormat()
            ->addProgress()
            ->setManual(
                <<<'HELP'
                The command writes the chunks that the store lacks and then the head, which makes the version visible to all
                syncs. After that, it deletes the chunks that only versions before the last `--retain` ones use. If the
                deletion fails, you get a warning, and the next publish tries again.

                  bloom publish booth_tags tags.bloom /srv/bloom
                  bloom publish booth_tags tags.bloom redis://cache.example:6379

                A damaged chunk in the store counts as present, so use `--force` to write it again. If another publisher has
                the lock, the command says so and waits until that publisher has given no sign of life for a minute, or for
                one second if it was killed on this host.

                While keys can be added to the filter's journal, a [blob without a
                mark](docs/operations.md#a-build-without-a-mark) is refused. If you want to go back to builds without marks,
                stop adding keys, build without `--mark` and publish once with `--end-journal`. If the command then says
                that the blob lacks keys, read the keys again, build and publish. From then on, `bloom add` fails.

                With `--format=json`, the fields are `name`, `chunks`, `chunksWritten`, `bytesWritten` and `warning` (null,
                or what could not be deleted).
                HELP,
                [
                    73 => 'the blob needs a mark, because keys can be added to the filter\'s journal',
                ]
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $given = [$input->getArgument('name'), $input->getArgument('blob'), $input->getArgument('store')];
        [$name, $blob, $store] = Arguments::ordered($given, 2, $this, hasBlob: true);
        Arguments::checkBlob($name, $blob, $this);
        $url = StoreUrl::parse($store);
        $timeout = Timeout::of($input);
        $blob = Blobs::read($blob, $progress);
        $store = $url->open($timeout);
        $force = $input->getOption('force');
        $endJournal = $input->getOption('end-journal');
        $retain = Values::integer($input, 'retain') ?? 3;
        $done = self::publish($blob, $name, $store, $report, $progress, $force, $endJournal, $retain);
        $report->result(['name' => $name] + $done, static fn (): array => ["$name: " . self::describe($done)]);
        return ExitCode::Ok;
    }

    /**
     * Publishes a blob. Says once that it waits for another publisher, and warns of what could not be deleted.
     *
     * @return array{chunks: int, chunksWritten: int, bytesWritten: int, warning: ?string}
     */
    public static function publish(
        Blob $blob,
        string $name,
        Store $store,
        Report $report,
        Progress $progress,
        bool $force = false,
        bool $endJournal = false,
        int $retain = 3
    ): array {
        $show = $progress->stage('publishing');
        $said = false;
        $publish = static fn (): array => Signals::deferred(static fn (callable $checkpoint): array => $blob->publish(
            $store,
            $name,
            static function (int $bytes, int $total, string $waiting = '') use ($show, $checkpoint, $report, $progress, &$said): void {
                $checkpoint();
                if ($waiting !== '') {
                    if (!$said) {
                        $progress->close();
                        $report->failure("bloom: $waiting");
                    }
                    $said = true;
                } elseif ($show !== null) {
                    $show($bytes, $total);
                }
            },
            $force,
            $endJournal,
            $retain
        ));
        try {
            $done = $publish();
        } catch (KindException $thrown) {
            throw $thrown->getCode() === Status::MarkRequired->value && MapValues::isMap($blob->info())
                ? new Failure(ExitCode::CannotCreate, "$name: the filter in the store has a journal, but a map follows none: publish the map under "
                    . 'another name, or stop adding keys and publish once with --end-journal', $thrown)
                : $thrown;
        }
        $progress->close();
        if ($done['warning'] !== null) {
            $report->failure('bloom: warning: ' . Text::line($done['warning']));
        }
        return $done;
    }

    /** @param array{chunks: int, chunksWritten: int, bytesWritten: int, warning: ?string} $done */
    public static function describe(array $done): string
    {
        return 'published, ' . Text::count($done['chunksWritten']) . ' of ' . Text::counted($done['chunks'], 'chunk') . ' written, '
            . Text::size($done['bytesWritten']);
    }
}
