<?php

namespace Bloom\Cli;

use Bloom\ForeignFormat;
use Bloom\StoreException;
use Symfony\Component\Console\Input\InputInterface;

/** The filter of another system under a key of a Redis or Valkey server. */
final class ServerValue
{
    /** What type() of the extension redis returns. Predis returns the names. */
    private const TYPES = [1 => 'string', 2 => 'set', 3 => 'list', 4 => 'zset', 5 => 'hash', 6 => 'stream'];

    /** The key that is read. */
    private string $key;

    /** @param list<string> $keys the filter is at the first of them that exists */
    private function __construct(
        private readonly StoreUrl $url,
        private readonly array $keys,
        private readonly string $command,
        private readonly float $timeout
    ) {
        $this->key = $keys[0];
    }

    /** @return self|null null: --key is not given */
    public static function of(InputInterface $input, string $url, ?ForeignFormat $format): ?self
    {
        $key = Values::text($input, 'key');
        $isScan = $input->getOption('scandump');
        $isString = $format === ForeignFormat::ValkeyProb || $format === ForeignFormat::Guava;
        if ($key === null) {
            return !$isScan ? null : throw Failure::usage('--scandump needs --key, the key of the filter on the server');
        }
        $server = StoreUrl::isOfServer($url) ? StoreUrl::parse($url) : null;
        if ($server === null || !$server->isRedis()) {
            throw Failure::usage("--key: INPUT $url is not the URL of a Redis or Valkey server, such as redis://cache.example:6379");
        }
        if ($isScan && $format !== ForeignFormat::RedisBloom) {
            throw Failure::usage('--scandump is only for --from=redisbloom, because only RedisBloom has the command BF.SCANDUMP');
        }
        $command = $isScan ? 'BF.SCANDUMP' : ($isString ? 'GET' : 'DUMP');
        // The clients of valkeyprob put the name of a filter into braces. A copy under another key may have none.
        $keys = $format === ForeignFormat::ValkeyProb ? array_values(array_unique([RedisCommands::inBraces($key), $key])) : [$key];
        return new self($server, $keys, $command, Timeout::of($input));
    }

    public function label(): string
    {
        return "the key $this->key in {$this->url->shown}";
    }

    public function read(): string
    {
        $client = $this->url->client($this->timeout);
        foreach ($this->keys as $this->key) {
            $value = $this->command === 'BF.SCANDUMP' ? $this->scan($client) : $this->ask($client, $this->command, $this->key);
            if (is_string($value)) {
                return $value;
            }
        }
        $this->key = implode(' or ', $this->keys);
        throw new Failure(ExitCode::NoInput, "{$this->label()} does not exist: it may be in another database (?db=NUMBER), or was evicted or has expired");
    }

    /** Returns the type of a value that was read with DUMP; null if it is a module's or cannot be determined. */
    public function type(): ?string
    {
        if ($this->command !== 'DUMP') {
            return null;
        }
        try {
            $type = $this->ask($this->url->client($this->timeout), 'TYPE', $this->key);
        } catch (Failure) {
            return null;
        }
        $name = is_int($type) ? self::TYPES[$type] ?? '' : (string) $type;
        return in_array($name, self::TYPES, true) ? $name : null;
    }

    /** Returns the header and the chunks in their order. */
    private function scan(object $client): ?string
    {
        $parts = [];
        $position = 0;
        do {
            $reply = $this->scanFrom($client, (int) $position);
            if ($reply === null) {
                return null;
            }
            [$position, $parts[]] = $reply;
        } while ((int) $position !== 0);
        // The chunks come from several requests, so they may belong to a filter that was deleted and filled again since. A filter
        // in use only gains keys. The number of its keys is at the beginning of the header.
        $header = $this->scanFrom($client, 0)[1] ?? '';
        if (strlen($header) !== strlen($parts[0]) || self::number($header) < self::number($parts[0])) {
            throw new Failure(ExitCode::TryAgain, "{$this->label()} was deleted, filled again or given another layer while it was read: "
                . 'run the command again');
        }
        return implode('', $parts);
    }

    /** @return array{int|string, string}|null the next position and the bytes */
    private function scanFrom(object $client, int $position): ?array
    {
        $reply = $this->ask($client, 'BF.SCANDUMP', $this->key, (string) $position);
        return is_array($reply) && count($reply) === 2 ? array_values($reply) : null;
    }

    private static function number(string $header): int
    {
        return strlen($header) < 8 ? 0 : unpack('P', $header)[1];
    }

    /** Returns null or false if the key does not exist. */
    private function ask(object $client, string ...$command): mixed
    {
        try {
            return TimedStore::ask($this->url->shown, $this->timeout, fn (): mixed => $this->send($client, $command));
        } catch (\RedisException | \RedisClusterException | \Predis\PredisException | StoreException $thrown) {
            if (str_starts_with($thrown->getMessage(), 'WRONGTYPE')) {
                throw new Failure(ExitCode::Data, "{$this->label()} is not " . ($command[0] === 'GET' ? 'a string, as a filter of valkeyprob is'
                    : 'a filter of RedisBloom'), $thrown);
            }
            if (str_starts_with($thrown->getMessage(), 'ERR unknown command')) {
                throw new Failure(ExitCode::Data, "{$this->url->shown} does not know the command $command[0], so it has no RedisBloom", $thrown);
            }
            if ($command[0] === 'BF.SCANDUMP' && $thrown->getMessage() === 'ERR not found') {
                return null;
            }
            throw new Failure(ExitCode::TryAgain, "{$this->label()}: $command[0]: {$thrown->getMessage()}" . ($command[0] !== 'DUMP' ? ''
                : ' (if the filter has more than 512 MiB, use --scandump with RedisBloom)'), $thrown);
        }
    }

    /** @param list<string> $command */
    private function send(object $client, array $command): mixed
    {
        $hasLastError = $client instanceof \Redis || $client instanceof \RedisCluster;
        if ($hasLastError) {
            $client->clearLastError();
        }
        $reply = match (true) {
            $command[0] === 'GET' => $client->get($this->key),
            $command[0] === 'DUMP' => $client->dump($this->key),
            $command[0] === 'TYPE' => $client->type($this->key),
            $client instanceof \RedisCluster => $client->rawCommand($this->key, ...$command),
            $hasLastError => $client->rawCommand(...$command),
            default => $client->executeRaw($command, $isError),
        };
        $error = $hasLastError ? $client->getLastError() : (($isError ?? false) ? (string) $reply : null);
        return $error === null ? $reply : throw new StoreException(rtrim($error, "\0"));
    }
}
