<?php

namespace Bloom\Cli;

use Bloom\Blob;
use Bloom\BloomException;
use Bloom\ForeignFormat;
use Bloom\FormatException;
use Bloom\Kit\Fold;
use Bloom\Status;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Makes a blob from a filter that another system wrote. */
final class ImportCommand extends Command
{
    protected function configure(): void
    {
        $value = InputOption::VALUE_REQUIRED;
        $this->setName('import')
            ->setDescription('Makes a blob from a filter of RedisBloom, valkey-bloom, valkeyprob or Guava')
            ->addArgument('input', InputArgument::REQUIRED, 'What the other system wrote: a file; - is standard input. With --key, the URL of a '
                . 'Redis or Valkey server')
            ->addArgument('output', InputArgument::REQUIRED, 'The blob to write; - is standard output')
            ->addOption('from', null, $value, 'The system that wrote the filter: redisbloom, valkey-bloom, valkeyprob or guava (default: '
                . 'recognize it, which works only for the payload of DUMP). rueidisprob is another name of valkeyprob')
            ->addOption('key', null, $value, 'The key of the filter on the server. For valkeyprob, you can leave out the braces that its '
                . 'clients add')
            ->addOption('scandump', null, InputOption::VALUE_NONE, 'Read the filter with BF.SCANDUMP, in parts of at most 16 MiB, instead of with '
                . 'DUMP; for filters of RedisBloom above 512 MiB')
            ->addOption('capacity', null, $value, 'Number of keys for which the filter was made: 80000, 80k; required for valkeyprob')
            ->addOption('rate', null, $value, 'False-positive rate for which the filter was made: 0.01, 1%; required for valkeyprob')
            ->addOption('check', null, $value, 'A file with keys that were added to the filter, one per line; if the blob denies one of '
                . 'them, nothing is written')
            ->addOption('force', null, InputOption::VALUE_NONE, 'Write the blob of a filter of valkeyprob without --check')
            ->addOption('source', null, $value, 'A description of the keys, which the blob stores: up to 128 bytes')
            ->addOption('built-at', null, $value, 'The time when the input was read from the server: Unix seconds or a date, '
                . 'which is in your time zone unless it contains one (default: now)')
            ->addOption('sign', null, $value, 'Sign the blob for this filter name with the current key '
                . 'of bloom.signing_key_file')
            ->addTimeout()
            ->addFormat()
            ->addProgress()
            ->setManual(
                <<<'HELP'
                The bits and the hash function of the filter stay as they are, so the blob gives the same answers as the
                other system. You can publish, sync, load and sign it like any other blob, but you cannot pass it to
                `bloom build --like`. [Coming from another Bloom filter](docs/coming-from.md) says what carries over.

                With `--key`, the command reads the filter from a Redis or Valkey server, with GET for `valkeyprob` and
                `guava` and with DUMP for the others. The URL is written like that of a
                [store](docs/reference/commands.md#stores), but KEY is the whole key, so `?prefix=` has no effect:

                  bloom import --key=tags --check=some-tags.txt redis://cache.example:6379 tags.bloom
                  bloom import --from=valkeyprob --key='{tags}' --capacity=1M --rate=0.01 --check=some-tags.txt redis:///run/redis.sock tags.bloom

                Without `--key`, INPUT is what DUMP or GET returned, all data of BF.SCANDUMP (the header and then the chunks
                in their order), or what `BloomFilter.writeTo()` of Guava wrote. `redis-cli` appends a line feed to its
                output unless you pass `-D ''`, and such a file is refused:

                  redis-cli -D '' DUMP tags > tags.dump
                  bloom import tags.dump tags.bloom

                You should always pass `--check` with a few hundred keys that are in the filter. If the blob denies one of
                them, nothing is written, and the command prints the key and its line. This matters most for `valkeyprob`,
                whose string does not contain the capacity and the rate, and for Guava, whose output does not say how keys
                become bytes. Therefore `valkeyprob` requires `--check` or `--force`.

                Nothing should be added to the filter while `--scandump` reads it, because its parts are not read at the
                same instant. Keys that are added on the server after the import are missing until you import and publish
                again, for example by cron:

                  bloom import --key=tags redis://cache.example tags.bloom && bloom publish tags tags.bloom /srv/bloom

                With `--format=json`, the fields are `output`, `checked` (the number of keys in `--check`, or null) and
                those of `Blob::info()`.
                HELP,
                [
                    65 => 'the input is not a filter of that system, or the blob denies a key of `--check`',
                    66 => 'the server does not have the key',
                ],
                ['[options] INPUT OUTPUT', '[options] --key=KEY SERVER OUTPUT']
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        [$path, $output] = [$input->getArgument('input'), $input->getArgument('output')];
        $format = Values::foreignFormat($input, 'from');
        $name = Values::name($input, 'sign');
        $source = Values::text($input, 'source') ?? '';
        $capacity = Values::count($input, 'capacity');
        $rate = Values::rate($input, 'rate');
        $builtAt = Values::time($input, 'built-at');
        self::checkSize($format, $capacity, $rate);
        self::checkForce($input, $format);
        if ($output === '-' && $report->isJson) {
            throw Failure::usage('standard output cannot contain both the blob and the output of --format=json');
        }
        if (Fold::nameIn($source) !== null) {
            throw Failure::usage('--source: "fold=" would make lookups fold their keys, but the keys of an imported filter are as its '
                . 'writer hashed them');
        }
        Blobs::checkOutput($output, $report->stdout);
        $server = ServerValue::of($input, $path, $format);
        $keys = self::keys($input, $path, $server, $report);

        $bytes = $server?->read() ?? self::readFile($path);
        try {
            $blob = Blob::import($bytes, $format, $capacity, $rate, $source, $builtAt);
        } catch (FormatException $thrown) {
            if (str_starts_with($bytes, Blobs::MAGIC)) {
                throw Failure::usage("INPUT: $path is a blob of bloom already, so it needs no import");
            }
            $where = $server?->label() ?? (new InputFile($path))->label();
            $type = $server?->type();
            $why = match (true) {
                $type === 'string' => ' is a string, as filters of valkeyprob and Guava are: name the format with --from=valkeyprob or --from=guava',
                $type !== null => " is a $type, but filters are strings or values of a module",
                $server === null && self::hasLineFeed($bytes, $format, $capacity, $rate)
                    => ": the input ends with a line feed that redis-cli added: use redis-cli -D ''",
                $thrown->getCode() === Status::ForeignFormat->value => ": {$thrown->getMessage()} with --from=redisbloom, valkey-bloom, valkeyprob or guava",
                default => ": {$thrown->getMessage()}",
            };
            throw new Failure(ExitCode::Data, $where . $why, $thrown);
        }
        unset($bytes);
        $checked = $keys === null ? null : self::check($blob, $keys, $blob->info()->format, $progress);
        if ($name !== null) {
            $blob = $blob->sign($name);
        }
        Blobs::write($blob, $output, $report->stdout);
        if ($checked === null) {
            $report->failure('bloom: warning: ' . self::unverified($blob->info()->format));
        }
        if ($output !== '-') {
            $info = $blob->info();
            $report->result(['output' => $output, 'checked' => $checked] + $info->jsonSerialize(), static fn (): array => [
                Text::line($output) . ': ' . Describe::briefly($info)
                    . ($checked === null ? '' : ', ' . Text::counted($checked, 'key') . ' of --check found'),
            ]);
        }
        return ExitCode::Ok;
    }

    private static function checkSize(?ForeignFormat $format, ?int $capacity, ?float $rate): void
    {
        $isRequired = $format === ForeignFormat::ValkeyProb;
        foreach (['capacity' => $capacity, 'rate' => $rate] as $option => $given) {
            if ($isRequired && $given === null) {
                throw Failure::usage("--$option is required for --from=valkeyprob, because the string does not contain it: look up the "
                    . 'arguments of NewBloomFilter() in the program that writes it');
            }
            if (!$isRequired && $given !== null) {
                throw Failure::usage("--$option is only for --from=valkeyprob: "
                    . ($format === null ? 'name the system that wrote the filter' : 'filters of other systems contain their size'));
            }
        }
    }

    /** A wrong size denies nearly all keys, so a filter of valkeyprob is not written unverified by default. */
    private static function checkForce(InputInterface $input, ?ForeignFormat $format): void
    {
        [$hasCheck, $isForced] = [$input->getOption('check') !== null, $input->getOption('force')];
        if ($isForced && ($hasCheck || $format !== ForeignFormat::ValkeyProb)) {
            throw Failure::usage('--force is only for --from=valkeyprob without --check');
        }
        if (!$isForced && !$hasCheck && $format === ForeignFormat::ValkeyProb) {
            throw Failure::usage('--check is required for --from=valkeyprob, because a wrong --capacity or --rate denies nearly all keys that are in '
                . 'the filter: give a file of keys that were added, or --force to write the blob unverified');
        }
    }

    /** Returns whether the bytes are a filter apart from the line feed at their end. */
    private static function hasLineFeed(string $bytes, ?ForeignFormat $format, ?int $capacity, ?float $rate): bool
    {
        if (!str_ends_with($bytes, "\n")) {
            return false;
        }
        try {
            Blob::import(substr($bytes, 0, -1), $format, $capacity, $rate);
            return true;
        } catch (FormatException) {
            return false;
        }
    }

    private static function keys(InputInterface $input, string $path, ?ServerValue $server, Report $report): ?KeyFiles
    {
        $file = Values::text($input, 'check');
        if ($file === null) {
            return null;
        }
        if ($server === null && (new InputFile($path))->isStdin() && (new InputFile($file))->isStdin()) {
            throw Failure::usage('--check: standard input (-) can be read only once');
        }
        $warn = static fn (string $line) => $report->failure('bloom: warning: ' . Text::line($line));
        return KeyFiles::at([$file], 'bloom import --check=- INPUT OUTPUT', LineKeys::whole(), false, $warn);
    }

    private static function readFile(string $path): string
    {
        if (StoreUrl::isOfServer($path)) {
            throw Failure::usage("--key is missing: INPUT $path is a server, so give the key of the filter");
        }
        return (new InputFile($path))->read(static fn ($stream): string => (string) stream_get_contents($stream));
    }

    /** Fails if the blob denies a key. Returns the number of keys. */
    private static function check(Blob $blob, KeyFiles $keys, ForeignFormat $format, Progress $progress): int
    {
        $count = $absent = 0;
        $first = null;
        $keys->eachBatch(static function (array $lines, array $keys, string $label) use ($blob, &$count, &$absent, &$first): void {
            $denied = array_diff_key($keys, $blob->candidates($keys));
            if ($denied !== []) {
                $absent += count($denied);
                $i = array_key_first($denied);
                $first ??= "$label, line " . ($count + $i + 1) . ': ' . Text::key((string) $denied[$i]);
            }
            $count += count($keys);
        }, 'checking', $progress);
        if ($count === 0) {
            throw new Failure(ExitCode::NoInput, '--check: the file has no keys, so nothing was checked');
        }
        if ($first !== null) {
            throw new Failure(ExitCode::Data, "$first is denied (" . Text::count($absent) . ' of ' . Text::counted($count, 'key')
                . ($absent === 1 ? ' is' : ' are') . '), so nothing was written: ' . self::likelyCause($absent * 2 < $count ? null : $format));
        }
        return $count;
    }

    /** @param ForeignFormat|null $format null: most keys are found, so neither the size nor the funnel is wrong */
    private static function likelyCause(?ForeignFormat $format): string
    {
        return match ($format) {
            ForeignFormat::ValkeyProb => '--capacity or --rate is probably not the one with which the writer made the filter',
            ForeignFormat::Guava => 'the funnel of the writer probably turns keys into other bytes, such as putLong() or '
                . 'putUnencodedChars() instead of putString() with UTF-8',
            default => 'the keys were probably not added, were added after the input was read, or are written differently, such as in '
                . 'another encoding',
        };
    }

    /** Says what may be wrong with a blob, because no keys were looked up in it. */
    private static function unverified(ForeignFormat $format): string
    {
        return match ($format) {
            ForeignFormat::ValkeyProb => '--capacity and --rate are not verified: if the writer used other ones, the blob denies keys that '
                . 'are in the filter',
            ForeignFormat::Guava => 'it is not verified how the writer turns keys into bytes: unless it writes them as UTF-8, the blob denies '
                . 'keys that are in the filter',
            default => 'it is not verified that your application writes keys in the same way',
        } . '; use --check with a file of keys that were added';
    }
}
