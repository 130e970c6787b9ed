<?php

namespace Bloom\Internal;

use Bloom\Status;
use Bloom\StoreException;

/**
 * One script that a RedisStore sends. It returns the random number of its request, and does nothing unless `sum`, the
 * SHA-1 of all other parts of the request, is right:
 *
 *     EVALSHA digest n key… nonce sum mode argument…   ──►  {nonce, result, nonce}
 *
 * See src/php/store/redis_script.h in the extension, which sends the same scripts.
 */
final class RedisRequest
{
    private const SCRIPT = [
        "local nonce, mode = ARGV[1], ARGV[3] "
        . "local keys, sent = table.concat(KEYS, '\\n'), table.concat(ARGV, '\\n', 3) "
        . "if redis.sha1hex(nonce .. '\\n' .. keys .. '\\n' .. sent) ~= ARGV[2] then "
        . "  return redis.error_reply('ERR the request was damaged on its way to the server') "
        . "end "
        . "if mode == '~' then "
        . "  local bytes = {['\\128'] = '\\0', ['\\138'] = '\\n', ['\\141'] = '\\r', ['\\254'] = '~'} "
        . "  for i = 4, #ARGV do "
        . "    ARGV[i] = string.gsub(string.sub(ARGV[i], 1, -3), '~(.)', bytes) "
        . "  end "
        . "end "
        . "local function run() "
        . "  if tonumber(mode) then redis.call('SELECT', mode) end ",
        " end "
        . "local ok, result = pcall(run) "
        . "if type(result) == 'table' and result.err then ok, result = false, result.err end "
        . "if ok then return {nonce, result, nonce} end "
        . "return {nonce, false, nonce, result}",
    ];
    private const CLUSTER_PREFIX = 2; // RedisCluster's OPT_PREFIX, which old versions define only for Redis

    private string $nonce = '';
    private bool $isCluster;
    private bool $isPredis;

    /**
     * @param string $command what the script does, for messages
     * @param string $body in Lua. Its first argument is ARGV[4]
     * @param list<string> $keys
     * @param list<string> $arguments
     */
    public function __construct(
        private object $client,
        private string $command,
        private string $body,
        private array $keys,
        private array $arguments
    ) {
        $this->isCluster = self::isA($client, 'RedisCluster');
        $this->isPredis = self::isA($client, 'Predis\ClientInterface');
    }

    /** @throws StoreException if the answer is not proven, or is an error: after a failover, another server may be the right one */
    public function run(): mixed
    {
        $script = self::SCRIPT[0] . $this->body . self::SCRIPT[1];
        $mode = $this->isCluster ? '~' : (string) ($this->database() ?: '');
        $answer = null;
        try {
            /** @var mixed $answer */
            $answer = $this->send('EVALSHA', sha1($script), $mode);
            $isUnknown = str_starts_with($this->error($answer) ?? '', 'NOSCRIPT');
        } catch (\Exception $thrown) {
            $isUnknown = str_starts_with($thrown->getMessage(), 'NOSCRIPT') ? true : throw $thrown;
        }
        if ($isUnknown) {
            /** @var mixed $answer */
            $answer = $this->send('EVAL', $script, $mode);
        }
        if (!is_array($answer) || ($answer[0] ?? null) !== $this->nonce || !array_key_exists(1, $answer)
            || ($answer[2] ?? null) !== $this->nonce) {
            throw $this->unproven($answer);
        }
        return !isset($answer[3]) ? $answer[1] : throw new StoreException('the store failed: Redis answered ' . $this->command
            . ' with ' . (is_string($answer[3]) ? $answer[3] : 'an error'), Status::Store->value);
    }

    /** ext-redis 5 keeps the number of the selected database, but connects again without selecting it. */
    private function database(): int
    {
        if (!self::isA($this->client, 'Redis')) {
            return 0;
        }
        $number = $this->call('getDbNum');
        if (!is_int($number)) {
            $this->call('ping'); // connects, or throws with the reason
            $number = $this->call('getDbNum');
        }
        return is_int($number) ? $number : throw $this->unproven($number);
    }

    /** Sends the script, or its digest. */
    private function send(string $method, string $script, string $mode): mixed
    {
        if (!$this->isPredis) {
            $this->call('clearLastError');
        }
        $this->nonce = bin2hex(random_bytes(16));
        $tail = [$mode, ...($this->isCluster ? array_map(self::escaped(...), $this->arguments) : $this->arguments)];
        $sum = sha1(implode("\n", [$this->nonce, ...$this->keys, ...$tail]));
        $parts = [...$this->keys, $this->nonce, $sum, ...$tail];
        $count = count($this->keys);
        if ($this->isCluster) {
            return $this->withoutPrefix(fn (): mixed => $this->call(strtolower($method), $script, $parts, $count));
        }
        if (!$this->isPredis) {
            return $this->call('rawCommand', $method, $script, $count, ...$parts);
        }
        $create = ['Predis\Command\RawCommand', 'create'];
        return is_callable($create) ? $this->call('executeCommand', $create($method, $script, $count, ...$parts)) : null;
    }

    /** @param callable(): mixed $call */
    private function withoutPrefix(callable $call): mixed
    {
        $before = $this->call('getOption', self::CLUSTER_PREFIX);
        if (!is_string($before) || $before === '') {
            return $call();
        }
        $this->call('setOption', self::CLUSTER_PREFIX, '');
        try {
            return $call();
        } finally {
            $this->call('setOption', self::CLUSTER_PREFIX, $before);
        }
    }

    /**
     * Escapes an argument so that no end of it is a command: RedisCluster may send a request by half, and then all of it
     * again on the same connection. See escape() in the extension.
     */
    private static function escaped(string $raw): string
    {
        return strtr($raw, ["\0" => "~\x80", "\n" => "~\x8a", "\r" => "~\x8d", '~' => "~\xfe"]) . '"x';
    }

    /** Returns the error of the server: ext-redis keeps the last one and returns false, and Predis may return an object. */
    private function error(mixed $answer): ?string
    {
        if ($answer instanceof \Stringable && self::isA($answer, 'Predis\Response\ErrorInterface')) {
            return (string) $answer;
        }
        $error = $answer === false && !$this->isPredis ? $this->call('getLastError') : null;
        // The text ends at the first null byte.
        return is_string($error) ? explode("\0", $error, 2)[0] : null;
    }

    private function unproven(mixed $answer): StoreException
    {
        $error = $this->error($answer);
        if ($error !== null) {
            return new StoreException("the store failed: Redis answered $this->command with $error", Status::Store->value);
        }
        if ($answer === false) {
            $bytes = array_sum(array_map(strlen(...), [...$this->keys, ...$this->arguments]));
            return new StoreException("the store failed: Redis did not answer $this->command of $bytes bytes (the client's time-out "
                . 'expired, the server closed the connection, or the value is longer than its proto-max-bulk-len)', Status::Store->value);
        }
        $type = is_object($answer) ? $answer::class : Keys::type($answer);
        return new StoreException("Redis answered $this->command with $type that does not belong to this request (a late answer to "
            . 'another one, or not the answer of a script)', Status::StoreType->value);
    }

    /** Calls a method of the client, whose class may not be installed here. */
    private function call(string $method, mixed ...$arguments): mixed
    {
        /** @psalm-suppress MixedMethodCall */
        return $this->client->$method(...$arguments); // @phpstan-ignore method.dynamicName
    }

    /** Returns whether a value is an object of a class, which may not be installed here. */
    private static function isA(mixed $value, string $class): bool
    {
        return $value instanceof $class;
    }
}
