<?php

namespace Bloom\Cli;

use Bloom\Journal;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Prints the position of a journal's end. */
final class MarkCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('mark')
            ->setDescription('Prints a mark for the next build: where the journal of a filter ends')
            ->addArgument('name', InputArgument::REQUIRED, 'The filter: 1 to 128 characters of A-Z a-z 0-9 . _ -')
            ->addArgument('store', InputArgument::REQUIRED, 'A directory or URL')
            ->addOption('existing', null, InputOption::VALUE_NONE, 'Print nothing if no key can be added to the journal, instead of beginning it')
            ->addTimeout()
            ->addFormat()
            ->setManual(
                <<<'HELP'
                Take the mark before you read the keys from your database. Hosts that load the blob then also find every
                key that is added to the journal after the mark. If the journal is missing or has ended, the command begins
                it, so that keys can be added from then on. With --existing, it does not, and prints nothing.

                  <info>mark=$(bloom mark booth_tags redis://cache.example:6379)</info>
                  <info>mysql --batch --raw --skip-column-names --quick -e 'SELECT tag FROM tags' > tags.txt</info>
                  <info>bloom build --mark "$mark" tags.bloom tags.txt</info>
                  <info>bloom publish booth_tags tags.bloom redis://cache.example:6379</info>

                A script for filters with and without a journal:

                  <info>mark=$(bloom mark --existing "$name" "$store")</info>
                  <info>bloom build ${mark:+--mark "$mark"} tags.bloom tags.txt</info>


                HELP . PublishCommand::STORES,
                [ExitCode::Data, ExitCode::NoInput, ExitCode::TryAgain, ExitCode::Secret]
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        [$name, $url] = Arguments::nameAndStore($input, $this);
        $store = new LazyStore(StoreUrl::parse($url), Timeout::of($input));
        $mark = $input->getOption('existing') && !LazyStore::clearly(static fn (): bool => $store->isOpen("$name:journal"))
            ? null
            : LazyStore::clearly(static fn (): string => (new Journal($name, $store))->mark());
        $report->result(['name' => $name, 'mark' => $mark], static fn (): array => $mark === null ? [] : [$mark]);
        return ExitCode::Ok;
    }
}
