<?php

namespace Bloom\Cli;

use Bloom\Filter;
use Bloom\FormatException;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Store → served filter of this host. */
final class SyncCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('sync')
            ->setDescription('Loads what a store has published, if it is another version')
            ->addArgument('name', InputArgument::REQUIRED, 'The filter: 1 to 128 of A-Z a-z 0-9 . _ -')
            ->addArgument('store', InputArgument::REQUIRED, 'A directory or a URL')
            ->addOption(
                'ttl',
                null,
                InputOption::VALUE_REQUIRED,
                'Seconds after a successful look during which not to look again; 0: always look',
                '0'
            )
            ->addOption('force', null, InputOption::VALUE_NONE, 'Load it even if it is older than the served version')
            ->addTimeout()
            ->addFormat()
            ->addProgress()
            ->setManual(
                <<<'HELP'
                Only the chunks that are not served already are fetched. When this fails, what was served stays
                served. As the user of the PHP-FPM pool; in a crontab with the full path:

                  <info>bloom sync booth_tags /srv/bloom</info>
                  <info>/usr/local/bin/bloom sync --quiet booth_tags redis://cache.example:6379</info>

                The exit code is 0 when it has switched to another version, and also when the one that is
                served was up to date, or another process is looking this very moment. The JSON tells by
                "switched"; the other fields are those of Filter::info().


                HELP . PublishCommand::STORES,
                [ExitCode::Data, ExitCode::CannotCreate, ExitCode::TryAgain]
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $name = $input->getArgument('name');
        $ttl = Values::number($input, 'ttl');
        $store = StoreUrl::parse($input->getArgument('store'))->open(Timeout::of($input));
        try {
            $switched = Filter::sync($name, $store, $ttl, $input->getOption('force'), $progress->stage('syncing'));
        } catch (FormatException $thrown) {
            throw Failure::at(ExitCode::Data, "$name in the store", $thrown);
        }
        // Another process may have been at it before there was a first version.
        $info = Filter::find($name)?->info() ?? throw new Failure(
            ExitCode::TryAgain,
            "$name: nothing is loaded yet; another process is syncing it, or the last try failed a moment ago"
        );
        $report->result(['switched' => $switched] + $info, static fn (): array => [
            "$name: " . ($switched ? 'switched to' : 'no change, still') . ' generation '
                . Text::count($info['generation']) . ', ' . Describe::briefly($info),
        ]);
        return ExitCode::Ok;
    }
}
