<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Filter;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Saves live filters. */
final class SnapshotCommand extends Command
{
    /** The places, for the help texts of this command and of "restore". */
    public const PLACES = <<<'HELP'
        PLACE is one of these:

        - an existing directory, `dir:path`, `file:///path` :: one file `NAME.snapshot` for each filter
        - another path :: the file of a single filter
        - the URL of a server :: keys that begin with `NAME:snapshot`, as in a
          [store](docs/reference/commands.md#stores). Live filters differ between hosts, so each host needs its own
          `?prefix=`.
        HELP;

    protected function configure(): void
    {
        $this->setName('snapshot')
            ->setDescription('Saves live filters, to be restored after a reboot')
            ->addArgument(
                'names',
                InputArgument::REQUIRED | InputArgument::IS_ARRAY,
                'The filters, each 1 to 128 characters of A-Z a-z 0-9 . _ -; the last argument is the place'
            )
            ->addOption('all', null, InputOption::VALUE_NONE, 'Save all live filters of this host')
            ->addTimeout()
            ->addFormat()
            ->setManual(
                <<<'HELP'
                The command saves live, counting, scalable and sliding filters and live reverse indexes with their counters,
                layers and times, so that `bloom restore` can create them again after a reboot. The snapshot contains every
                key whose `add()` finished before the save began, and processes can add keys meanwhile. Run it as [the user
                of the PHP-FPM pool](docs/operations.md#settings):

                  bloom snapshot visitors stock /var/lib/bloom
                  bloom snapshot --all /var/lib/bloom

                An earlier snapshot stays until the new one is complete, and a file that is not a snapshot is never
                replaced. With `--all`, filters of other kinds are skipped. If a filter cannot be saved, the others still
                are, and the exit code is that of the failure. Dropping a filter does not delete its snapshot. Delete it
                yourself, or `bloom restore --all` will bring the filter back.


                HELP . self::PLACES . <<<'HELP'


                With `--format=json`, the fields are `saved` (a list of names) and `failed` (a list with `name` and
                `error`).
                HELP,
                [
                    64 => 'the file exists and is not a snapshot',
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
        $all = $names === [];
        $names = $all ? Filter::list() : $names;
        $place->checkHolds($all ? 2 : count($names));
        $saved = $failed = $lines = $codes = [];
        foreach ($names as $name) {
            try {
                $filter = Filter::open($name);
                $info = $filter->info();
                $isLive = method_exists($filter, 'save') && $info->kind->value !== 'loaded';
                if (!$isLive && $all) {
                    continue;
                }
                if (!$isLive) {
                    throw new Failure(ExitCode::CannotCreate, "$name: a filter of the kind {$info->kind->value} cannot be saved: "
                        . 'after a reboot, load or sync it again');
                }
                $target = $place->target($name);
                Signals::deferred(static fn () => $filter->save($target));
                $saved[] = $name;
                $lines[] = "$name: saved to " . Text::line($place->describe($name)) . ', ' . Describe::briefly($info);
            } catch (BloomException|Failure $thrown) {
                $codes[] = ExitCode::of($thrown);
                $failed[] = Names::failed($name, $thrown, $report);
            }
        }
        $report->result(['saved' => $saved, 'failed' => $failed], static fn (): array => $lines);
        return $codes === [] ? ExitCode::Ok : ExitCode::worst($codes);
    }
}
