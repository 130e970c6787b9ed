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
        A place is one of:
          - an existing directory, dir:path or file:///path: one file NAME.snapshot for each filter
          - another path: the file of a single filter
          - redis://, rediss://, unix://, redis-cluster:// or memcached://, as for <info>bloom publish</info>. Live filters
            differ between hosts, so each host needs its own ?prefix=
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
                Saves live, counting, scalable and sliding filters and live reverse indexes as they are. Processes may
                continue to add keys: each key whose add() returned before the command is in the snapshot.

                  <info>bloom snapshot visitors stock /var/lib/bloom</info>
                  <info>bloom snapshot --all /var/lib/bloom</info>

                An earlier snapshot stays until the new one is complete. With --all, filters of other kinds are skipped.
                If a filter cannot be saved, the command continues with the others, and the exit code is that of the
                failure. The snapshot of a filter that was dropped stays: delete it, or "restore --all" restores it.

                Run the command as the user of the PHP-FPM pool.


                HELP . self::PLACES,
                [ExitCode::NoInput, ExitCode::CannotCreate, ExitCode::TryAgain, ExitCode::Secret]
            );
    }

    public function getSynopsis(bool $short = false): string
    {
        return preg_replace('/<names>\.\.\.$/', '[<name>...] <place>', parent::getSynopsis($short));
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        [$names, $place] = Arguments::namesAndStore($input->getArgument('names'), $this);
        $all = $input->getOption('all');
        if ($all === ($names !== [])) {
            throw Failure::usage($all
                ? 'give either names or --all'
                : (Arguments::isStore($place) ? 'NAME or --all' : 'PLACE') . " is missing: write {$this->usage()}");
        }
        $place = SnapshotPlace::parse($place, Timeout::of($input));
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
                $reason = Names::reason($name, $thrown);
                $failed[] = ['name' => $name, 'error' => $reason];
                $report->failure("bloom: $reason");
            }
        }
        $report->result(['saved' => $saved, 'failed' => $failed], static fn (): array => $lines);
        return $codes === [] ? ExitCode::Ok : ExitCode::worst($codes);
    }
}
