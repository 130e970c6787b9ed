<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Blob → store. */
final class PublishCommand extends Command
{
    /** For sync, too. */
    public const STORES = <<<'HELP'
        STORE is one of

          <info>/path</info>, <info>./path</info>, <info>dir:path</info>, <info>file:///path</info>   a directory
          <info>redis://host:port</info>, <info>rediss://host:port</info>   Redis or Valkey; rediss is TLS
          <info>redis:///path</info>, <info>unix:///path</info>             the same by a socket
          <info>redis-cluster://host:port,host:port</info>      a cluster, by some of its servers
          <info>memcached://host:port</info>, <info>memcached:///path</info>

        The Redis ones may have user:password@ or :password@ before the host. All but directories take
        ?prefix=TEXT (default bloom:), single Redis servers ?db=NUMBER as well. What is special in a URL stands
        percent-encoded. The environment variable REDISCLI_AUTH keeps a password out of the arguments, which all
        users of the host can see; user@ before the host is the user then, and without it the password.
        HELP;

    protected function configure(): void
    {
        $this->setName('publish')
            ->setDescription('Puts a blob into a store, under a name')
            ->addArgument('name', InputArgument::REQUIRED, 'The filter: 1 to 128 of A-Z a-z 0-9 . _ -')
            ->addArgument('blob', InputArgument::REQUIRED, 'A blob; - for standard input')
            ->addArgument('store', InputArgument::REQUIRED, 'A directory or a URL')
            ->addOption('force', null, InputOption::VALUE_NONE, 'Write all chunks, also those that the store says it has')
            ->addTimeout()
            ->addFormat()
            ->addProgress()
            ->setManual(
                <<<'HELP'
                First the chunks that the store does not have, then the head, which makes the version visible
                at once to every sync. Chunks that got damaged in the store count as there: --force writes them anew.
                Old chunks that cannot be deleted are a warning; the next publish tries again. While another
                publisher deletes old chunks this one waits, and says so: up to a minute, or a second if that
                publisher was killed on this host.

                  <info>bloom publish booth_tags tags.bloom /srv/bloom</info>
                  <info>bloom publish booth_tags tags.bloom redis://cache.example:6379</info>


                HELP . self::STORES,
                [ExitCode::Data, ExitCode::NoInput, ExitCode::TryAgain, ExitCode::Secret]
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $name = $input->getArgument('name');
        $url = StoreUrl::parse($input->getArgument('store'));
        $timeout = Timeout::of($input);
        $blob = Blobs::read($input->getArgument('blob'), $progress);
        $store = $url->open($timeout);
        $force = $input->getOption('force');
        $show = $progress->stage('publishing');
        $said = false;
        $done = Signals::deferred(static fn (callable $checkpoint): array => $blob->publish(
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
            $force
        ));
        $report->result(['name' => $name] + $done, static fn (): array => [
            "$name: published, " . Text::count($done['chunksWritten']) . ' of '
                . Text::counted($done['chunks'], 'chunk') . ' written, ' . Text::size($done['bytesWritten']),
        ]);
        if ($done['warning'] !== null) {
            $report->failure('bloom: warning: ' . Text::line($done['warning']));
        }
        return ExitCode::Ok;
    }
}
