<?php

declare(strict_types=1);

namespace Bloom\Kit;

use Bloom\Filter;
use Bloom\FilterInfo;
use Bloom\LoadedInfo;
use Bloom\SyncResult;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use Symfony\Component\Console\Style\SymfonyStyle;

#[AsCommand('bloom:sync', 'Loads new versions of Bloom filters from their stores')]
final class SyncCommand extends Command
{
    /** @param iterable<FilterSync> $syncs of all filters that have a store */
    public function __construct(private readonly iterable $syncs)
    {
        parent::__construct();
    }

    protected function configure(): void
    {
        $this->addArgument(
            'names',
            InputArgument::IS_ARRAY,
            'The filters; by default, all filters that have a store',
            null,
            fn (): array => array_map(strval(...), array_keys($this->syncsByName())),
        );
        $this->addOption(
            'force',
            null,
            InputOption::VALUE_NONE,
            'Load the published version even if it is older than the served one, and verify the whole served file',
        );
        $this->setHelp(
            <<<'HELP'
                Asks the store even if the interval of a filter has not passed. If a sync fails, the host keeps
                serving its version, and the other filters are still synced.

                Filters belong to a user. Run the command as the user of the PHP-FPM pool:

                  <info>runuser -u www-data -- %command.full_name%</info>

                The exit code is 0 if all filters are up to date, 1 if a sync failed or a filter is not loaded
                yet, and 2 if a name is unknown.
                HELP
        );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $io = new SymfonyStyle($input, $output);
        $syncs = $this->syncsByName();
        /** @var list<string> $names */
        $names = $input->getArgument('names');
        $unknown = array_diff($names, array_keys($syncs));
        if ($unknown !== []) {
            $io->getErrorStyle()->error(sprintf(
                'No filter "%s" with a store is configured; the filters with a store are: %s',
                implode('", "', $unknown),
                implode(', ', array_keys($syncs)) ?: 'none',
            ));
            return Command::INVALID;
        }
        $failures = [];
        $rows = [];
        foreach ($names === [] ? $syncs : array_intersect_key($syncs, array_flip($names)) as $name => $sync) {
            try {
                $result = $sync->sync(0.0, (bool) $input->getOption('force'));
                $info = Filter::find((string) $name)?->info() ?? throw new \RuntimeException(
                    'no version is loaded yet; another process is loading the first one'
                );
                $rows[] = self::row($result, $info);
            } catch (\Throwable $failure) {
                $failures[] = "$name: " . self::reason($failure);
            }
        }
        if ($rows !== []) {
            $io->table(['Filter', 'Result', 'Generation', 'Keys', 'Built'], $rows);
        } elseif ($failures === []) {
            $io->warning('No filter with a store is configured.');
        }
        foreach ($failures as $failure) {
            $io->getErrorStyle()->error($failure);
        }
        return $failures === [] ? Command::SUCCESS : Command::FAILURE;
    }

    /** Returns the reason of a failure without the passwords of URLs, and without bytes that a terminal would obey. */
    private static function reason(\Throwable $failure): string
    {
        $shown = (string) preg_replace('/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u', '?', mb_scrub($failure->getMessage(), 'UTF-8'));
        return StoreUrl::withoutPasswords($shown);
    }

    /** @return array<FilterSync> by the name of the filter */
    private function syncsByName(): array
    {
        $byName = [];
        foreach ($this->syncs as $sync) {
            $byName[$sync->filter] = $sync;
        }
        return $byName;
    }

    /** @return list<string> */
    private static function row(SyncResult $result, FilterInfo $info): array
    {
        return [
            $info->name,
            match ($result) {
                SyncResult::Switched => '<info>switched</info>',
                SyncResult::Busy => '<comment>another process is syncing</comment>',
                default => $result->value,
            },
            (string) $info->generation,
            number_format($info->keys),
            $info instanceof LoadedInfo ? date('Y-m-d H:i:s', (int) $info->builtAt) : '',
        ];
    }
}
