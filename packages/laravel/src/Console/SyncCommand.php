<?php

declare(strict_types=1);

namespace Bloom\Laravel\Console;

use Bloom\Filter;
use Bloom\Laravel\FilterManager;
use Bloom\LoadedInfo;
use Bloom\SyncResult;
use Illuminate\Console\Command;

/** @psalm-suppress PropertyNotSetInConstructor Laravel sets the properties that it declares */
final class SyncCommand extends Command
{
    protected $signature = 'bloom:sync
        {filters?* : The filters; by default, all filters that have a store}
        {--force : Load the published version even if it is older, and verify the whole served file}';

    protected $description = 'Load new versions of Bloom filters from their stores';

    protected $help = <<<'HELP'
        Asks the store even if the interval of a filter has not passed. If a sync fails, the host keeps serving its
        version, and the other filters are still synced.

        Filters belong to a user. Run the command as the user of the PHP-FPM pool.

        The exit code is 0 if all filters are up to date, 1 if a sync failed or a filter is not loaded yet, and 2 if a
        name is unknown.
        HELP;

    public function handle(FilterManager $filters): int
    {
        $known = $filters->synced();
        /** @var list<string> $names */
        $names = $this->argument('filters');
        $unknown = array_diff($names, $known);
        if ($unknown !== []) {
            $this->components->error('No filter "' . implode('", "', $unknown) . '" with a store is configured. '
                . 'The filters with a store are: ' . (implode(', ', $known) ?: 'none'));
            return self::INVALID;
        }
        if ($known === []) {
            $this->components->warn('No filter with a store is configured.');
        }
        $failures = 0;
        foreach ($names === [] ? $known : $names as $name) {
            try {
                $result = $filters->sync($name, 0.0, (bool) $this->option('force'));
                $this->components->twoColumnDetail($name, self::described($name, $result));
            } catch (\Throwable $failure) { // the application's own store may throw anything
                $this->components->error("$name: " . self::reason($failure));
                $failures++;
            }
        }
        return $failures === 0 ? self::SUCCESS : self::FAILURE;
    }

    /** Returns the reason of a failure without the passwords of URLs, and without bytes that a terminal would obey. */
    private static function reason(\Throwable $failure): string
    {
        $shown = (string) preg_replace('/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u', '?', mb_scrub($failure->getMessage(), 'UTF-8'));
        return (string) preg_replace('~://\K[^\s"\'/?#]*@~', '', $shown);
    }

    private static function described(string $name, SyncResult $result): string
    {
        $info = Filter::find($name)?->info()
            ?? throw new \RuntimeException('no version is loaded yet; another process is loading the first one');
        return ($result === SyncResult::Busy ? 'another process is syncing' : $result->value)
            . ", generation $info->generation, " . number_format($info->keys) . ' keys'
            . ($info instanceof LoadedInfo ? ', built ' . date('Y-m-d H:i:s', (int) $info->builtAt) : '');
    }
}
