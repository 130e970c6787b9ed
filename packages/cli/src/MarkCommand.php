<?php

namespace Bloom\Cli;

use Bloom\Journal;
use Symfony\Component\Console\Input\InputInterface;

/** Prints the position of a journal's end. */
final class MarkCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('mark')
            ->setDescription('Prints a mark for the next build: where the journal of a filter ends')
            ->addName()
            ->addStore()
            ->addTimeout()
            ->addFormat()
            ->setManual(
                <<<'HELP'
                A mark is the position at which the [journal](docs/filters.md#with-a-journal) of a filter ends. Hosts that
                load a blob with this mark also find every key that is added to the journal after it. If the journal is
                missing or has ended, the command begins it, so you can add keys from then on.

                Applications add a key before they commit it. Therefore you should wait between the mark and the query for
                as long as your longest transaction takes, plus the lag of the replica that you read:

                  mark=$(bloom mark booth_tags redis://cache.example:6379)
                  sleep 60
                  mysql --default-character-set=utf8mb4 --batch --raw --skip-column-names --quick -e 'SELECT tag FROM tags' shop > tags.txt
                  bloom build --mark "$mark" tags.bloom tags.txt
                  bloom publish booth_tags tags.bloom redis://cache.example:6379

                `bloom nightly` does all of this. With `--format=json`, the fields are `name` and `mark`.
                HELP
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        [$name, $url] = Arguments::nameAndStore($input, $this);
        $store = new LazyStore(StoreUrl::parse($url), Timeout::of($input));
        Published::of($store, $name)->refuseMap();
        $mark = LazyStore::clearly(static fn (): string => (new Journal($name, $store))->mark());
        $report->result(['name' => $name, 'mark' => $mark], static fn (): array => [$mark]);
        return ExitCode::Ok;
    }
}
