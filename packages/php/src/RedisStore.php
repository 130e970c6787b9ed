<?php

namespace Bloom;

use Bloom\Internal\Arguments;

/**
 * A store in Redis or Valkey, with your own client. Each operation is a script, which returns the random number of its
 * request and does nothing unless `sum`, the SHA-1 of all other parts of the request, is right:
 *
 *     EVAL script n key… nonce sum database argument…   ──►  {nonce, result, nonce}
 */
final class RedisStore extends BuiltInJournalStore
{
    use Internal\Client;

    private const KEYS_MAX = 1000;
    private const BEFORE = <<<'LUA'
        local nonce = ARGV[1]
        local request = nonce .. '\n' .. table.concat(KEYS, '\n') .. '\n' .. table.concat(ARGV, '\n', 3)
        if redis.sha1hex(request) ~= ARGV[2] then
          return redis.error_reply('ERR the request was damaged on its way to the server')
        end
        local function run()
          if tonumber(ARGV[3]) then redis.call('SELECT', ARGV[3]) end

        LUA;
    private const AFTER = <<<'LUA'

        end
        local ok, result = pcall(run)
        if type(result) == 'table' and result.err then ok, result = false, result.err end
        if ok then return {nonce, result, nonce} end
        return {nonce, false, nonce, result}
        LUA;
    /** Arguments: the SHA-1 of the expected value, or an empty string if the key must not exist; the new value. */
    private const REPLACE = <<<'LUA'
        local v, expected = redis.call('GET', KEYS[1]), ARGV[4]
        if expected == '' and v or expected ~= '' and (not v or redis.sha1hex(v) ~= expected) then return 0 end
        redis.call('SET', KEYS[1], ARGV[5])
        return 1
        LUA;
    private const EXISTS = <<<'LUA'
        local found = {}
        for i = 1, #KEYS do found[i] = redis.call('EXISTS', KEYS[i]) end
        return found
        LUA;

    /** Functions of the scripts for journals: a journal is a stream, as docs/dev/journal.md describes it. */
    private const JOURNAL = <<<'LUA'
        local key = KEYS[1]
        local function record(e) if e[2][1] == 'r' then return e[2][2] end return '' end
        local function position(e)
          local r = record(e)
          local function hex(c) return string.format('%02x', string.byte(c)) end
          return e[1] .. '-' .. (r == '' and '0000000000000000' or (string.gsub(string.sub(r, -8), '.', hex)))
        end
        local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
        local function open()
          if last then return end
          if redis.replicate_commands then redis.replicate_commands() end
          local t = redis.call('TIME')
          redis.call('XADD', key, string.format('%.0f', t[1] * 1000000 + t[2]) .. '-0', 'anchor', '')
          last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
        end

        LUA;
    private const LAST = self::JOURNAL . 'open() return {position(last), record(last)}';
    private const APPEND = self::JOURNAL . <<<'LUA'
        if ARGV[4] ~= '' and (not last or position(last) ~= ARGV[4]) then return false end
        local function kind(r) return (struct.unpack('<I4', r, 9)) end
        local before, first = last and record(last) or '', kind(ARGV[5])
        if first >= 1 and first < 4 and (before == '' or kind(before) == 4) then return false end
        open()
        local epoch, offset = string.match(last[1], '^(%d+)%-(%d+)')
        for i = 5, #ARGV do
          offset = string.format('%.0f', offset + 1)
          redis.call('XADD', key, epoch .. '-' .. offset, 'r', ARGV[i])
        end
        return epoch .. '-' .. offset
        LUA;
    private const TRIM = self::JOURNAL . <<<'LUA'
        local id = string.match(ARGV[4], '^%d+%-%d+')
        local e = redis.call('XRANGE', key, id, id)[1]
        if not e or position(e) ~= ARGV[4] then return 0 end
        local from, to = string.match(id, '%d+$'), string.match(last[1], '%d+$')
        return redis.call('XTRIM', key, 'MAXLEN', string.format('%.0f', to - from + 1))
        LUA;
    /** A replica, or a master without a replica that it should have, may lack the newest records. */
    private const READ = self::JOURNAL . <<<'LUA'
        local info = redis.call('INFO', 'replication')
        if string.find(info, 'role:slave', 1, true) then
          return redis.error_reply('ERR this server is a replica, which may lack the newest '
            .. 'records: read journals from the master')
        end
        if string.find(info, 'min_slaves_good_slaves:0', 1, true) then
          return redis.error_reply('ERR this server has no replicas, although '
            .. 'min-replicas-to-write is set, so another server may be the master')
        end
        local limit = tonumber(ARGV[4])
        local from = string.match(ARGV[5], '^%d+%-%d+')
        local e = redis.call('XRANGE', key, from, from)[1]
        if not e or position(e) ~= ARGV[5] then return false end
        local epoch, offset = string.match(from, '^(%d+)%-(%d+)')
        local function id(o) return epoch .. '-' .. string.format('%.0f', o) end
        local found, bytes, count, largest = {}, 0, 2, 1
        while bytes < limit do
          local some = redis.call('XRANGE', key, id(offset + 1), '+', 'COUNT', count)
          local n = #some
          if n > 0 and some[n][1] ~= id(offset + n) then return false end
          for i = 1, n do
            if bytes < limit then
              local r = some[i][2][2]
              found[#found + 1] = r
              bytes = bytes + #r
              largest = math.max(largest, #r)
            end
          end
          if n < count then break end
          offset = offset + n
          count = math.min(100, 2 * count, math.floor((limit - bytes) / largest) + 1)
        end
        return found
        LUA;

    public function __construct(object $client, string $prefix = 'bloom:')
    {
        /** @psalm-suppress ArgumentTypeCoercion ext-redis may not be installed */
        if (is_a($client, 'RedisCluster')) {
            throw Internal\Failure::needsExtension('RedisCluster');
        }
        $this->connect($client, $prefix);
    }

    protected function requirement(string $key): ?string
    {
        return null;
    }

    protected function values(array $keys): array
    {
        $found = [];
        foreach ($this->forKeys($keys, 'MGET', "return redis.call('MGET', unpack(KEYS))") as $key => $value) {
            if (is_string($value)) {
                $found[$key] = $value;
            } elseif ($value !== null && $value !== false) {
                throw self::wrongType('MGET', $value);
            }
        }
        /** @var array<string, string> */
        return $found;
    }

    protected function absent(array $keys): array
    {
        $found = $this->forKeys($keys, 'EXISTS', self::EXISTS);
        return array_map(strval(...),
            array_keys(array_filter($found, static fn (mixed $exists): bool => $exists !== 1)));
    }

    protected function put(string $key, string $value): void
    {
        $this->run('SET', "redis.call('SET', KEYS[1], ARGV[4]) return 1", [$key], [$value]);
    }

    protected function exchange(string $key, ?string $expected, string $value): bool
    {
        return $this->run('SET', self::REPLACE, [$key], [$expected === null ? '' : sha1($expected), $value]) === 1;
    }

    protected function delete(array $keys): void
    {
        foreach (array_chunk($keys, self::KEYS_MAX) as $some) {
            $this->run('DEL', "return redis.call('DEL', unpack(KEYS))", $some, []);
        }
    }

    protected function appendRecords(string $journal, array $records, ?string $after): ?string
    {
        $id = $this->run('XADD', self::APPEND, [$journal], [(string) $after, ...$records]);
        if ($id === null || $id === false) {
            return null;
        }
        return is_string($id) ? "$id-" . bin2hex(substr(end($records), -8)) : throw self::wrongType('XADD', $id);
    }

    protected function lastRecord(string $journal): array
    {
        $answer = $this->run('XREVRANGE', self::LAST, [$journal], []);
        [$position, $record] = is_array($answer) ? $answer + [null, null] : [null, null];
        return is_string($position) && is_string($record) ? [$position, $record]
            : throw self::wrongType('XREVRANGE', $answer);
    }

    protected function readRecords(array $positions, int $limit): array
    {
        $found = [];
        foreach ($positions as $journal => $position) {
            $answer = $this->run('XRANGE', self::READ, [$journal], [(string) $limit, $position]);
            $found[$journal] = $answer === false || $answer === null ? null : self::records($answer, $position);
        }
        return $found;
    }

    /** @return array<string, string> the records after a position, by position */
    private static function records(mixed $answer, string $position): array
    {
        [$epoch, $offset] = explode('-', $position);
        $found = [];
        foreach (is_array($answer) ? $answer : throw self::wrongType('XRANGE', $answer) as $record) {
            if (!is_string($record) || strlen($record) < 8) {
                throw self::wrongType('XRANGE', $record);
            }
            $offset = (string) ((int) $offset + 1);
            $found["$epoch-$offset-" . bin2hex(substr($record, -8))] = $record;
        }
        return $found;
    }

    protected function trimRecords(string $journal, string $position): void
    {
        $this->run('XTRIM', self::TRIM, [$journal], [$position]);
    }

    /**
     * Runs a script for all keys, 1,000 at a time.
     *
     * @param list<string> $keys
     *
     * @return array<array-key, mixed> the results by key
     */
    private function forKeys(array $keys, string $command, string $body): array
    {
        $results = [];
        foreach (array_chunk($keys, self::KEYS_MAX) as $some) {
            $answer = $this->run($command, $body, $some, []);
            if (!is_array($answer) || !array_is_list($answer) || count($answer) !== count($some)) {
                throw self::wrongType($command, $answer);
            }
            $results += array_combine($some, $answer);
        }
        return $results;
    }

    private static function clients(): array
    {
        return ['Redis', 'Predis\ClientInterface'];
    }

    private function close(object $client): void
    {
        // ext-redis 5 connects again without selecting the database.
        $database = $client instanceof \Redis ? self::ask($client, 'getDbNum') : 0;
        self::ask($client, $client instanceof \Redis ? 'close' : 'disconnect');
        if (is_int($database) && $database !== 0) {
            self::ask($client, 'select', $database);
        }
    }

    /**
     * Runs a script, and proves that the answer is its answer.
     *
     * @param string $command what the script does, for messages
     * @param string $body in Lua. Its first argument is ARGV[4]
     * @param list<string> $keys without the prefix
     * @param list<string> $arguments
     */
    private function run(string $command, string $body, array $keys, array $arguments): mixed
    {
        $keys = array_map(fn (string $key): string => $this->prefix . $key, $keys);
        return $this->using(static function (object $client) use ($command, $body, $keys, $arguments): mixed {
            $mode = $client instanceof \Redis ? self::ask($client, 'getMode') : 0;
            if ($mode === 1 || $mode === 2) {
                throw self::unusable('it is inside ' . ($mode === 1 ? 'MULTI' : 'PIPELINE')
                    . ' (call exec() or discard() first, or pass a client of its own)');
            }
            $answer = self::send($client, self::BEFORE . $body . self::AFTER, $keys, $arguments);
            $error = is_array($answer) ? $answer[3] ?? null : self::error($client, $answer);
            if (is_array($answer) && $error === null) {
                return $answer[1];
            }
            throw new StoreException('the store failed: Redis ' . (is_string($error) && $error !== ''
                ? "answered $command with $error"
                : "did not answer $command (the client's time-out expired, or the server closed the connection)"),
                Status::Store->value);
        });
    }

    /**
     * Sends a script.
     *
     * @param list<string> $keys
     * @param list<string> $arguments
     */
    private static function send(object $client, string $script, array $keys, array $arguments): mixed
    {
        // ext-redis 5 keeps the number of the selected database, but connects again without selecting it.
        $database = $client instanceof \Redis ? self::invoke($client, 'getDbNum') : 0;
        $nonce = bin2hex(random_bytes(16));
        $tail = [is_int($database) && $database !== 0 ? (string) $database : '', ...$arguments];
        $sum = sha1(implode("\n", [$nonce, ...$keys, ...$tail]));
        $parts = ['EVAL', $script, count($keys), ...$keys, $nonce, $sum, ...$tail];
        if ($client instanceof \Redis) {
            self::invoke($client, 'clearLastError');
            $answer = self::invoke($client, 'rawCommand', ...$parts);
        } else {
            $create = ['Predis\Command\RawCommand', 'create'];
            $answer = is_callable($create) ? self::invoke($client, 'executeCommand', $create(...$parts)) : null;
        }
        if (is_array($answer)
            && (($answer[0] ?? null) !== $nonce || !array_key_exists(1, $answer) || ($answer[2] ?? null) !== $nonce)) {
            throw new StoreException('Redis answered EVAL with a value that does not belong to this request (a late answer to '
                . 'another one, or not the answer of a script)', Status::StoreType->value);
        }
        return $answer;
    }

    /** Returns the error of the server: ext-redis keeps the last one and returns false, and Predis may return an object. */
    private static function error(object $client, mixed $answer): string
    {
        $error = $answer instanceof \Stringable ? (string) $answer : '';
        if ($answer === false && $client instanceof \Redis) {
            $error = self::invoke($client, 'getLastError');
        }
        return is_string($error) ? explode("\0", $error, 2)[0] : ''; // The text ends at the first null byte.
    }

    private static function wrongType(string $command, mixed $answer): StoreException
    {
        $type = $answer === false ? 'bool' : Arguments::type($answer);
        return new StoreException("Redis answered $command with $type (is the key of another program?)",
            Status::StoreType->value);
    }
}
