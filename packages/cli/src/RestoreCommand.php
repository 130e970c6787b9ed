<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Filter;
use Bloom\KindException;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Restores live filters from their snapshots. */
final class RestoreCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('restore')
            ->setDescription('Restores live filters that were saved')
            ->addArgument(
                'names',
                InputArgument::REQUIRED | InputArgument::IS_ARRAY,
                'The filters, each 1 to 128 characters of A-Z a-z 0-9 . _ -; the last argument is the place'
            )
            ->addOption('all', null, InputOption::VALUE_NONE, 'Restore all snapshots in the directory')
            ->addTimeout()
            ->addFormat()
            ->setManual(
                <<<'HELP'
                The command creates the filters that `bloom snapshot` has saved, with the same kind, parameters, counters
                and times. Each snapshot is verified completely before its filter exists. A filter that already exists is
                skipped and not changed, so you can run the command again:

                  bloom restore visitors stock /var/lib/bloom
                  bloom restore --all /var/lib/bloom

                Run it at boot before the processes that create the filters, as [the user of the PHP-FPM
                pool](docs/operations.md#settings). `--all` restores each `NAME.snapshot` in a directory and does nothing if
                there is none. If a filter cannot be restored, the others still are, and the exit code is that of the
                failure.


                HELP . SnapshotCommand::PLACES . <<<'HELP'


                With `--format=json`, the fields are `restored` and `existing` (lists of names) and `failed` (a list with
                `name` and `error`).
                HELP,
                [
                    65 => 'a snapshot is damaged',
                    66 => 'the file does not exist',
                    75 => 'the store failed or does not have the snapshot',
                ],
                ['[options] NAME... PLACE', '[options] --all PLACE']
            );
    }

    public function getSynopsis(bool $short = false): string
    {
        return preg_replace('/<names>\.\.\.$/', '[<name>...] <place>', parent::getSynopsis($short));
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        [$names, $place] = SnapshotPlace::given($input, $this);
        $names = $names ?: $place->names();
        $place->checkHolds(count($names));
        $answers = ['restored' => [], 'existing' => [], 'failed' => []];
        $lines = $codes = [];
        foreach ($names as $name) {
            Segment::warnOfOthers($name, $report);
            try {
                if (self::exists($name)) {
                    $answers['existing'][] = $name;
                    $lines[] = "$name: exists already, not restored";
                    continue;
                }
                $info = Filter::restore($name, $place->source($name))->info();
                $answers['restored'][] = $name;
                $lines[] = "$name: restored, " . Describe::briefly($info);
            } catch (BloomException|Failure $thrown) {
                if ($thrown instanceof KindException && self::exists($name)) {
                    // Another process has created the filter since the check.
                    $answers['existing'][] = $name;
                    $lines[] = "$name: exists already, not restored";
                    continue;
                }
                $codes[] = ExitCode::of($thrown);
                $answers['failed'][] = Names::failed($name, $thrown, $report);
            }
        }
        $report->result($answers, static fn (): array => $lines);
        return $codes === [] ? ExitCode::Ok : ExitCode::worst($codes);
    }

    /** Returns whether a filter of any kind has the name, even if this process cannot open it. */
    private static function exists(string $name): bool
    {
        return in_array($name, Filter::list(), true);
    }
}
