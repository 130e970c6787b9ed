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
    public const STORES = <<<'HELP'
        STORE is one of

          <info>/path</info>, <info>./path</info>, <info>dir:path</info>, <info>file:///path</info>   a directory
          <info>C:\path</info>, <info>file:///C:/path</info>                   the same on Windows
          <info>redis://host:port</info>, <info>rediss://host:port</info>   Redis or Valkey; rediss is TLS
          <info>redis:///path</info>, <info>unix:///path</info>             the same over a Unix socket
          <info>redis-cluster://host:port,host:port</info>      Redis Cluster; list some of its servers
          <info>memcached://host:port</info>, <info>memcached:///path</info>

        Redis URLs may have user:password@ or :password@ before the host. Server URLs accept ?prefix=TEXT (default
        bloom:), and URLs of single Redis servers also accept ?db=NUMBER. Percent-encode special characters.
        All users of a host can see arguments, so put the password into the environment variable REDISCLI_AUTH. If
        it is set, user@ names the user; otherwise text before the @ without a colon is the password.
        HELP;

    protected function configure(): void
    {
        $this->setName('publish')
            ->setDescription('Publishes a blob to a store')
            ->addArgument('name', InputArgument::REQUIRED, 'The filter: 1 to 128 characters of A-Z a-z 0-9 . _ -')
            ->addArgument('blob', InputArgument::REQUIRED, 'A blob; - is standard input')
            ->addArgument('store', InputArgument::REQUIRED, 'A directory or a URL')
            ->addOption('force', null, InputOption::VALUE_NONE, 'Write all chunks, even those that the store reports as present')
            ->addOption('end-journal', null, InputOption::VALUE_NONE, 'End the journal of the filter, because this blob and the next ones have no mark')
            ->addOption('retain', null, InputOption::VALUE_REQUIRED, 'How many versions the store keeps, this one included: 1 to 100', '3')
            ->addTimeout()
            ->addFormat()
            ->addProgress()
            ->setManual(
                <<<'HELP'
                Writes the chunks that the store lacks, then the head, which makes the version visible to all syncs.
                A damaged chunk in the store counts as present; --force rewrites it. Then the chunks of versions before
                the last --retain ones are deleted. If this fails, the command prints a warning, and the next publish
                tries again. While another publisher has the lock, the command prints a message and waits: until it has
                given no sign of life for a minute, or for one second if it was killed on this host.

                If keys can be added to the journal of the filter, the blob needs a mark (bloom mark --help). To go back to
                builds without marks, stop adding keys, build without --mark and publish once with --end-journal. If the
                command then says that the blob lacks keys, read the keys again, build and publish. bloom add fails from then on.

                  <info>bloom publish booth_tags tags.bloom /srv/bloom</info>
                  <info>bloom publish booth_tags tags.bloom redis://cache.example:6379</info>


                HELP . self::STORES,
                [ExitCode::Data, ExitCode::NoInput, ExitCode::CannotCreate, ExitCode::TryAgain, ExitCode::Secret]
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
