<?php

namespace Bloom\Cli;

use Bloom\ForeignFormat;
use Bloom\StoreException;
use Symfony\Component\Console\Input\InputInterface;

/** The filter of another system under a key of a Redis or Valkey server. */
final class ServerValue
{
    private function __construct(
        private readonly StoreUrl $url,
        private readonly string $key,
        private readonly string $command,
        private readonly float $timeout
    ) {
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
        return new self($server, $key, $command, Timeout::of($input));
    }

    public function label(): string
    {
        return "the key $this->key in {$this->url->shown}";
    }

    public function read(): string
    {
        $client = $this->url->client($this->timeout);
        $value = $this->command === 'BF.SCANDUMP' ? $this->scan($client) : $this->ask($client, $this->command, $this->key);
        if (!is_string($value)) {
            throw new Failure(ExitCode::NoInput, "{$this->label()} does not exist: it may be in another database (?db=NUMBER), or was evicted or "
                . 'has expired' . ($this->command === 'GET' && !str_contains($this->key, '{') ? "; valkeyprob writes to the key {{$this->key}}" : ''));
        }
        return $value;
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
            $client instanceof \RedisCluster => $client->rawCommand($this->key, ...$command),
            $hasLastError => $client->rawCommand(...$command),
            default => $client->executeRaw($command, $isError),
        };
        $error = $hasLastError ? $client->getLastError() : (($isError ?? false) ? (string) $reply : null);
        return $error === null ? $reply : throw new StoreException(rtrim($error, "\0"));
    }
}
