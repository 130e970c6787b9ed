<?php

namespace Bloom\Cli;

use Bloom\Blob;
use Bloom\Filter;
use Bloom\KindException;
use Bloom\LoadedInfo;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Writes a live filter as a blob, or a blob as commands for a server. */
final class ExportCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('export')
            ->setDescription('Writes a live filter as a blob, or a blob as commands for Redis')
            ->addArgument('name', InputArgument::REQUIRED, 'The filter: 1 to 128 characters of A-Z a-z 0-9 . _ -; with --to, a blob instead: a path, or - for standard input')
            ->addArgument('output', InputArgument::REQUIRED, 'The blob to write, or with --to the commands; - is standard output')
            ->addOption('source', null, InputOption::VALUE_REQUIRED, 'A description of the keys, which the blob stores: up to 128 bytes')
            ->addOption('to', null, InputOption::VALUE_REQUIRED, 'redis: write the commands that store a blob in a Redis or Valkey server. The '
                . 'blob must have the format of RedisBloom or valkeyprob')
            ->addOption('key', null, InputOption::VALUE_REQUIRED, 'With --to: the key of the filter. For valkeyprob, you can '
                . 'leave out the braces that its clients add')
            ->addFormat()
            ->addProgress()
            ->setManual(
                <<<'HELP'
                The blob contains every key whose `add()` had returned when the export began. Processes can add keys during
                the export:

                  bloom export visitors visitors.bloom
                  bloom export visitors - | bloom load visitors_yesterday -

                You can export live, counting and sliding filters and live reverse indexes. The blob of a counting
                filter has no counters, and that of a sliding filter contains the keys that lookups find at that time.
                Scalable filters cannot be exported, and loaded filters come from a blob anyway. The number of keys in
                the blob is estimated from its bits.

                ## To a Redis or Valkey server

                With `--to=redis`, the command takes a blob instead of a name and writes commands in the protocol of Redis,
                which `redis-cli --pipe` sends. The bits of a filter cannot be converted, so the blob must already have the
                format of RedisBloom or valkeyprob, because you imported it or built it with `--scheme`:

                  bloom build --scheme=redisbloom tags.bloom tags.txt
                  bloom export --to=redis --key=tags:new tags.bloom - | redis-cli --pipe
                  redis-cli RENAME tags:new tags

                For RedisBloom, the commands are `BF.LOADCHUNK`, with one for every 16 MiB of bits, and the key must not
                exist. If it does, the server refuses the first command, but the others overwrite bits of the filter
                that is there. Therefore you should write to a new key, check that `redis-cli --pipe` reports no errors,
                and switch with RENAME, which is atomic. Lookups of the new key miss keys until the last command has
                arrived. In a cluster, `redis-cli --pipe` must be connected to the node of the key, and both keys need
                the same `{hash tag}`. A filter that was built here cannot grow, just like a filter that
                `BF.RESERVE ... NONSCALING` creates, but an imported filter grows if it did before.

                For valkeyprob, the command is `MSET {KEY} BITMAP {KEY}:c COUNT`, which replaces an existing filter at once.

                With `--format=json`, the fields are `name`, `output` and those of `Blob::info()`, or with `--to` they are
                `key`, `output`, `commands` and `bytes`.
                HELP,
                [
                    73 => 'the filter is scalable or not live',
                ],
                ['[options] NAME OUTPUT', '[options] --to=redis --key=KEY BLOB OUTPUT']
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        if ($input->getOption('to') !== null) {
            return self::toRedis($input, $report, $progress);
        }
        if ($input->getOption('key') !== null) {
            throw Failure::usage('--key needs --to=redis');
        }
        $name = $input->getArgument('name');
        $output = $input->getArgument('output');
        if ($output === '-' && $report->isJson) {
            throw Failure::usage('standard output cannot contain both the blob and the output of --format=json');
        }
        Arguments::checkOutputOf($name, $output, $this);
        Blobs::checkOutput($output, $report->stdout);
        $filter = Filter::open($name);
        $info = $filter->info();
        // Reverse indexes always have export(), but a loaded reverse index is identical to its blob.
        if (!method_exists($filter, 'export') || $info->kind->value === 'loaded') {
            throw new Failure(ExitCode::CannotCreate, "$name: filters of the kind {$info->kind->value} cannot be exported: "
                . ($info instanceof LoadedInfo ? 'keep the blob that it was loaded from' : 'bloom snapshot saves it'));
        }
        $blob = $filter->export(Values::text($input, 'source') ?? '');
        Blobs::write($blob, $output, $report->stdout);
        if ($output !== '-') {
            $info = $blob->info();
            $report->result(['name' => $name, 'output' => $output] + $info->jsonSerialize(), static fn (): array => [
                Text::line($output) . ': ' . Describe::briefly($info) . ", of $name",
            ]);
        }
        return ExitCode::Ok;
    }

    private static function toRedis(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        [$path, $output] = [$input->getArgument('name'), $input->getArgument('output')];
        $key = Values::text($input, 'key');
        if (Values::text($input, 'to') !== 'redis') {
            throw Failure::usage('--to: "' . Values::text($input, 'to') . '" is not redis');
        }
        if ($key === null) {
            throw Failure::usage('--to: give the key of the filter as well: --key=KEY');
        }
        if ($input->getOption('source') !== null) {
            throw Failure::usage('--source is part of a blob, but --to writes none');
        }
        if ($output === '-' && $report->isJson) {
            throw Failure::usage('standard output cannot contain both the commands and the output of --format=json');
        }
        Blobs::checkPlace($output, $report->stdout, 'the output');
        // Every command of the protocol begins with the number of its words.
        if ($output !== '-' && is_file($output) && filesize($output) > 0 && @file_get_contents($output, length: 1) !== '*') {
            throw Failure::usage("OUTPUT $output: exists and has no commands of Redis, so it is not replaced: choose another name, or delete the file");
        }
        $commands = self::commands(Blobs::read($path, $progress), $path, $key);
        $parts = static function () use ($commands): iterable {
            foreach ($commands as $command) {
                yield from RedisCommands::protocol($command);
            }
        };
        if ($output !== '-') {
            Signals::deferred(static fn () => OutputFile::replace($output, $parts()));
            $report->result(['key' => $key, 'output' => $output, 'commands' => count($commands), 'bytes' => filesize($output)], static fn (): array => [
                Text::line($output) . ': ' . Text::counted(count($commands), 'command') . ', ' . Text::size(filesize($output))
                    . '; send them with redis-cli --pipe',
            ]);
            return ExitCode::Ok;
        }
        foreach ($parts() as $part) {
            $report->stdout->write($part);
        }
        $report->stdout->flush();
        return ExitCode::Ok;
    }

    /** @return list<list<string>> */
    private static function commands(Blob $blob, string $path, string $key): array
    {
        try {
            return RedisCommands::of($blob, $key);
        } catch (KindException $thrown) {
            throw Failure::at(ExitCode::Data, (new InputFile($path))->label(), $thrown);
        }
    }
}
