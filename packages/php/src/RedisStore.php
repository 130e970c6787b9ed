<?php

namespace Bloom;

use Bloom\Internal\JournalWriter;
use Bloom\Internal\Keys;

/** A store in Redis or Valkey. It uses your own client. */
final class RedisStore implements JournalStore
{
    use Internal\Client;

    /** Arguments: the SHA-1 of the expected value, or an empty string if the key must not exist; the new value. */
    private const REPLACE = "local v, expected = redis.call('GET', KEYS[1]), ARGV[4] "
        . "if expected == '' and v or expected ~= '' and (not v or redis.sha1hex(v) ~= expected) "
        . "then return 0 end redis.call('SET', KEYS[1], ARGV[5]) return 1";
    private const EXISTS = "local found = {} for i = 1, #KEYS do found[i] = redis.call('EXISTS', KEYS[i]) end return found";

    /** The last entry of a stream, or nothing. The record of an entry "EPOCH-0" is empty, and its field is not "r". */
    private const JOURNALS_MAX = 64;

    /** Functions of the scripts for journals: a journal is a stream, as section 11.3 of docs/format.md describes it. */
    private const JOURNAL = "local key = KEYS[1] "
        . "local function record(e) if e[2][1] == 'r' then return e[2][2] end return '' end "
        . "local function check(e) local r = record(e) if r == '' then return '0000000000000000' end "
        . "  return (string.gsub(string.sub(r, -8), '.', function(c) return string.format('%02x', string.byte(c)) end)) end "
        . "local function position(e) return e[1] .. '-' .. check(e) end "
        . "local function newest() return redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1] end "
        . "local function split(p) return string.match(p, '^(%d+)%-(%d+)') end "
        . "local function hold(p) local id = string.match(p, '^%d+%-%d+') local e = redis.call('XRANGE', key, id, id)[1] "
        . "  if e and position(e) == p then return e end end "
        . "local last = newest() "
        . "local function open() if last then return end "
        . "  if redis.replicate_commands then redis.replicate_commands() end "
        . "  local t = redis.call('TIME') "
        . "  redis.call('XADD', key, string.format('%.0f', t[1] * 1000000 + t[2]) .. '-0', 'anchor', '') last = newest() end ";
    private const LAST = self::JOURNAL . "open() return {position(last), record(last)}";
    private const APPEND = self::JOURNAL
        . "if ARGV[4] ~= '' and (not last or position(last) ~= ARGV[4]) then return false end "
        . "local function kind(r) return (struct.unpack('<I4', r, 9)) end "
        . "local before, first = last and record(last) or '', kind(ARGV[5]) "
        . "if first >= 1 and first < 4 and (before == '' or kind(before) == 4) then return false end open() "
        . "local epoch, offset = split(last[1]) "
        . "for i = 5, #ARGV do offset = string.format('%.0f', offset + 1) redis.call('XADD', key, epoch .. '-' .. offset, 'r', ARGV[i]) end "
        . "return epoch .. '-' .. offset";
    private const TRIM = self::JOURNAL . "if not hold(ARGV[4]) then return 0 end local _, from = split(ARGV[4]) "
        . "local _, to = split(last[1]) return redis.call('XTRIM', key, 'MAXLEN', string.format('%.0f', to - from + 1))";
    /** A replica, or a master without a replica that it should have, may lack the newest records. */
    private const READ = self::JOURNAL . "local info = redis.call('INFO', 'replication') "
        . "if string.find(info, 'role:slave', 1, true) then return redis.error_reply('ERR this server is a replica, which may lack the newest '"
        . "    .. 'records: read journals from the master') end "
        . "if string.find(info, 'min_slaves_good_slaves:0', 1, true) then return redis.error_reply('ERR this server has no replicas, although '"
        . "    .. 'min-replicas-to-write is set, so another server may be the master') end "
        . "local limit = tonumber(ARGV[4]) "
        . "local function read(from) if not hold(from) then return false end "
        . "  local epoch, offset = split(from) local found, bytes, count, largest = {}, 0, 2, 1 "
        . "  local function id(o) return epoch .. '-' .. string.format('%.0f', o) end "
        . "  while bytes < limit do "
        . "    local some = redis.call('XRANGE', key, id(offset + 1), '+', 'COUNT', count) local n = #some "
        . "    if n > 0 and some[n][1] ~= id(offset + n) then return false end "
        . "    for i = 1, n do if bytes < limit then local r = some[i][2][2] found[#found + 1] = r bytes = bytes + #r "
        . "      largest = math.max(largest, #r) end end "
        . "    if n < count then break end offset = offset + n "
        . "    count = math.min(100, 2 * count, math.floor((limit - bytes) / largest) + 1) end "
        . "  return found end "
        . "local all = {} for i = 1, #KEYS do key = KEYS[i] all[i] = read(ARGV[4 + i]) end return all";

    private static function clients(): array
    {
        return ['Redis', 'RedisCluster', 'Predis\ClientInterface'];
    }

    public function __construct(object $client, string $prefix = 'bloom:')
    {
        $this->connect($client, $prefix, 'RedisStore');
    }

    /** Sends one script for up to 1,000 keys; on a cluster, sends one script per key. */
    public function getMultiple(array $keys): array
    {
        $found = [];
        foreach ($this->forKeys($keys, 'getMultiple', 'MGET', "return redis.call('MGET', unpack(KEYS))") as [$key, $value]) {
            if (is_string($value)) {
                $found[$key] = $value;
            } elseif ($value !== null && $value !== false) {
                throw self::wrongType('MGET', $value);
            }
        }
        return $found;
    }

    /**
     * Sends one script for up to 1,000 keys; on a cluster, sends one script per key, which takes 0.1 s for 2,000 keys if
     * a round trip takes 0.05 ms.
     */
    public function missing(array $keys): array
    {
        $missing = [];
        foreach ($this->forKeys($keys, 'missing', 'EXISTS', self::EXISTS) as [$key, $exists]) {
            if (!is_int($exists)) {
                throw self::wrongType('EXISTS', $exists);
            }
            if ($exists === 0) {
                $missing[] = $key;
            }
        }
        return $missing;
    }

    /** The value may have as many bytes as the server's `proto-max-bulk-len` allows, by default 512 MB. */
    public function set(string $key, string $value): void
    {
        $this->forKey($key, "redis.call('SET', KEYS[1], ARGV[4]) return 1", [$value]);
    }

    /** Sends one script. */
    public function replace(string $key, ?string $expected, string $value): bool
    {
        return $this->forKey($key, self::REPLACE, [$expected === null ? '' : sha1($expected), $value]) === 1;
    }

    /** Sends one script for up to 1,000 keys; on a cluster, sends one script per key. */
    public function deleteMultiple(array $keys): void
    {
        if ($keys === []) {
            return;
        }
        $names = $this->names(self::strings($keys, 'deleteMultiple'));
        foreach (array_chunk($names, $this->keysPerScript()) as $some) {
            $answer = $this->run('DEL', "return redis.call('DEL', unpack(KEYS))", $some, []);
            if (!is_int($answer)) {
                throw self::wrongType('DEL', $answer);
            }
        }
    }

    /** Appends to a stream with one script, which checks the digest of all records first. */
    public function append(string $journal, array $records, ?string $after = null): ?string
    {
        $records = JournalWriter::check($records, $after, 'RedisStore');
        $id = $this->run('XADD', self::APPEND, [$this->prefix() . $journal], [(string) $after, ...$records]);
        if ($id === null || $id === false) {
            return null;
        }
        return is_string($id) ? "$id-" . bin2hex(substr(end($records), -8)) : throw self::wrongType('XADD', $id);
    }

    public function last(string $journal): array
    {
        $answer = $this->run('XREVRANGE', self::LAST, [$this->prefix() . $journal], []);
        [$position, $record] = is_array($answer) ? $answer + [null, null] : [null, null];
        return is_string($position) && is_string($record) ? [$position, $record] : throw self::wrongType('XREVRANGE', $answer);
    }

    /** Sends one script for up to 64 journals; on a cluster, sends one script per journal. */
    public function read(array $positions, int $limit): array
    {
        JournalWriter::checkPositions($positions, 'RedisStore::read');
        $found = [];
        foreach (array_chunk($positions, min(self::JOURNALS_MAX, $this->keysPerScript()), true) as $some) {
            $names = $this->names(array_map(strval(...), array_keys($some)));
            $answer = $this->run('XRANGE', self::READ, $names, [(string) max(1, $limit), ...array_values($some)]);
            foreach (array_keys($some) as $at => $journal) {
                $one = is_array($answer) && array_key_exists($at, $answer) ? $answer[$at] : throw self::wrongType('XRANGE', $answer);
                $found[$journal] = $one === false || $one === null ? null : self::records($one, $some[$journal]);
            }
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

    public function trim(string $journal, string $position): void
    {
        JournalWriter::checkPosition($position, 'RedisStore::trim', 2, 'position');
        $answer = $this->run('XTRIM', self::TRIM, [$this->prefix() . $journal], [$position]);
        if (!is_int($answer)) {
            throw self::wrongType('XTRIM', $answer);
        }
    }

    /** @param list<string> $arguments */
    private function forKey(string $key, string $body, array $arguments): int
    {
        $answer = $this->run('SET', $body, [$this->prefix() . $key], $arguments);
        return is_int($answer) ? $answer : throw self::wrongType('SET', $answer);
    }

    /**
     * Runs a script for all keys, in as few parts as the client allows.
     *
     * @param array<mixed> $keys
     *
     * @return iterable<array{string, mixed}> the keys, each with its result
     */
    private function forKeys(array $keys, string $method, string $command, string $body): iterable
    {
        if ($keys === []) {
            return [];
        }
        $pairs = [];
        $keys = self::strings($keys, $method);
        foreach (array_chunk($keys, $this->keysPerScript()) as $some) {
            $answer = $this->run($command, $body, $this->names($some), []);
            if (!is_array($answer) || !array_is_list($answer) || count($answer) !== count($some)) {
                throw self::wrongType($command, $answer);
            }
            foreach ($some as $at => $key) {
                $pairs[] = [$key, $answer[$at]];
            }
        }
        return $pairs;
    }

    /** @return positive-int how many keys a script may have; 1: they are on several servers */
    private function keysPerScript(): int
    {
        // With a hash tag in the prefix, all keys are on one server.
        if (preg_match('/\A[^{]*\{[^}]+\}/', $this->prefix()) === 1) {
            return Internal\CheckedStore::KEYS_MAX;
        }
        $client = $this->client();
        $isSpread = self::isA($client, 'RedisCluster') || (self::isA($client, 'Predis\ClientInterface') && self::isPredisCluster($client));
        return $isSpread ? 1 : Internal\CheckedStore::KEYS_MAX;
    }

    private static function isPredisCluster(object $client): bool
    {
        $connection = self::invoke($client, 'getConnection');
        return self::isA($connection, 'Predis\Connection\Aggregate\ClusterInterface')
            || self::isA($connection, 'Predis\Connection\Cluster\ClusterInterface');
    }

    /** Returns whether a value is an object of a class, which may not be installed here. */
    private static function isA(mixed $value, string $class): bool
    {
        return $value instanceof $class;
    }

    private function close(object $client): void
    {
        // ext-redis 5 connects again without selecting the database.
        $database = self::isA($client, 'Redis') ? self::ask($client, 'getDbNum') : 0;
        self::ask($client, self::isA($client, 'Predis\ClientInterface') ? 'disconnect' : 'close');
        if (is_int($database) && $database !== 0) {
            self::ask($client, 'select', $database);
        }
    }

    /**
     * Runs a script, and proves that the answer is the answer: see Internal\RedisRequest.
     *
     * @param list<string> $keys
     * @param list<string> $arguments
     */
    private function run(string $command, string $body, array $keys, array $arguments): mixed
    {
        return $this->using(function (object $client) use ($command, $body, $keys, $arguments): mixed {
            $mode = self::isA($client, 'Predis\ClientInterface') ? 0 : self::ask($client, 'getMode');
            if ($mode === 1 || $mode === 2) {
                return self::unusable('it is inside ' . ($mode === 1 ? 'MULTI' : 'PIPELINE')
                    . ' (call exec() or discard() first, or pass a client of its own)');
            }
            return (new Internal\RedisRequest($client, $command, $body, $keys, $arguments))->run();
        });
    }

    private static function wrongType(string $command, mixed $answer): StoreException
    {
        $type = $answer === false ? 'bool' : Keys::type($answer);
        return new StoreException("Redis answered $command with $type (is the key of another program?)", Status::StoreType->value);
    }
}
