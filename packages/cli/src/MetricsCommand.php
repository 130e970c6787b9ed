<?php

namespace Bloom\Cli;

use Bloom\Filter;
use Bloom\Kit\Paths;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Prints the metrics of all filters of the segment. */
final class MetricsCommand extends Command
{
    /** How a file of this command begins. */
    private const BEGINNING = '# TYPE bloom_filter_up ';

    protected function configure(): void
    {
        $this->setName('metrics')
            ->setDescription('Prints metrics of all filters on this host, for Prometheus')
            ->addOption('output', 'o', InputOption::VALUE_REQUIRED, 'Output file, which is replaced; - is standard output', '-')
            ->setManual(
                <<<'HELP'
                The output is in the OpenMetrics text format, which [Prometheus](docs/monitoring.md#prometheus) and the
                textfile collector of node_exporter read. [Metrics](docs/reference/metrics.md) lists all metrics. A
                filter that is damaged or cannot be opened has only the metric `bloom_filter_up`, which is 0.

                  bloom metrics
                  bloom metrics --output /var/lib/bloom-metrics/bloom.prom

                The file is written under a temporary name and renamed, so its readers never see a part of it, and every
                user can read it. An existing file is replaced only if it is empty or contains such metrics.
                HELP
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $path = (string) Values::text($input, 'output');
        if ($path !== '-') {
            self::check($path);
        }
        $text = Filter::metrics();
        if ($path === '-') {
            $report->write($text);
        } else {
            Signals::deferred(static fn () => OutputFile::replace($path, $text, 0644));
        }
        return ExitCode::Ok;
    }

    private static function check(string $path): void
    {
        if (Paths::isUrl($path)) {
            throw Failure::usage("--output: \"$path\" is a URL; give the path of a file, or - for standard output");
        }
        $why = match (true) {
            is_dir($path) => 'is a directory',
            System::isDevice($path, System::isWindows()) || (file_exists($path) || is_link($path)) && !is_file($path)
                => 'is not a regular file',
            !is_dir(dirname($path)) => 'its directory does not exist or is not accessible',
            !is_writable(dirname($path)) => 'its directory is not writable',
            is_file($path) && !in_array(@file_get_contents($path, length: strlen(self::BEGINNING)), ['', self::BEGINNING], true)
                => 'exists and does not contain metrics, so it is not replaced: choose another name, or delete the file',
            default => null,
        };
        if ($why !== null) {
            throw new Failure(ExitCode::CannotCreate, "$path: $why");
        }
    }
}
