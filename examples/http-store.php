<?php
/* A store that uses HTTP. The server can be any that stores a value with PUT, such as Kyoto Tycoon, an object store, or nginx
 * with WebDAV. It must answer 404 if a key does not exist, and send an ETag that changes with every change of a value.
 *
 * Journals, and publishers that run at the same time, need a server with conditional requests: it must answer 412 to a PUT
 * whose If-Match or If-None-Match does not hold. Many object stores do; nginx with WebDAV does not, so publish from one
 * place at a time there. This class checks the server when it creates a journal. A journal is a single value, which each append sends again. So
 * use it for up to a few thousand keys between two builds; otherwise use Redis or a directory.
 *
 *     runuser -u www-data -- php examples/http-store.php http://127.0.0.1:1978
 *
 * Run it as the user of the PHP-FPM pool. It needs no extension. It requests one value at a time, each over its own
 * connection. If that is too slow, use curl_multi_exec(), which requests many values at once over persistent connections.
 */

use Bloom\{Blob, Builder, Filter, JournalStore};

final class HttpStore implements JournalStore
{
    private const TRIES = 100;

    /** The size of a journal's head: the epoch, the offset of the first record, and the CHECK at that offset. */
    private const HEAD_BYTES = 24;

    /** @var array<string, array{string, string}> the entity tag and the bytes of each journal when it was last read */
    private array $journals = [];

    /** @param float $timeout seconds without data from the server */
    public function __construct(private string $url, private float $timeout = 5)
    {
    }

    public function getMultiple(array $keys): array
    {
        $values = [];
        foreach ($keys as $key) {
            $values[$key] = $this->ask('GET', $key); // null: the key does not exist
        }
        return $values;
    }

    public function missing(array $keys): array
    {
        return array_values(array_filter($keys, fn (string $key): bool => $this->ask('HEAD', $key) === null));
    }

    public function set(string $key, string $value): void
    {
        if ($this->ask('PUT', $key, $value) === null) {
            throw new RuntimeException("PUT $key: 404");
        }
    }

    public function replace(string $key, ?string $expected, string $value): bool
    {
        [$status, $present, $tag] = $this->request('GET', $key);
        if (($status === 404 ? null : $present) !== $expected) {
            return false;
        }
        if ($expected !== null && !self::isStrong($tag)) {
            throw new RuntimeException("GET $key: no strong ETag, so the server cannot compare values");
        }
        return $this->put($key, $expected === null ? 'If-None-Match: *' : "If-Match: $tag", $value);
    }

    public function deleteMultiple(array $keys): void
    {
        foreach ($keys as $key) {
            $this->ask('DELETE', $key);
        }
    }

    public function append(string $journal, array $records, ?string $after = null): ?string
    {
        for ($try = 0; $try < self::TRIES; $try++) {
            $known = $this->fetch($journal);
            if ($after !== null && ($known === null || $this->position($known[1], strlen($known[1])) !== $after)) {
                return null;
            }
            // Keys are refused before a journal begins and after it has ended: see Bloom\JournalStore.
            $last = $known === null ? '' : substr($known[1], $this->before($known[1], strlen($known[1])));
            $isOpen = $last !== '' && $this->number('V', $last, 8) !== 4;
            if (!$isOpen && in_array($this->number('V', $records[0], 8), [1, 2, 3], true)) {
                return null;
            }
            [$tag, $bytes] = $known ?? $this->create($journal);
            $bytes .= implode('', $records);
            if ($this->putJournal($journal, $tag, $bytes)) {
                return $this->position($bytes, strlen($bytes));
            }
            usleep(random_int(0, 1000 * min($try, 50))); // another writer was faster
        }
        throw new RuntimeException("PUT $journal: another writer was faster " . self::TRIES . ' times');
    }

    public function last(string $journal): array
    {
        [, $bytes] = $this->fetch($journal) ?? $this->create($journal);
        $end = strlen($bytes);
        return [$this->position($bytes, $end), substr($bytes, $this->before($bytes, $end))];
    }

    public function read(array $positions, int $limit): array
    {
        $answers = [];
        foreach ($positions as $journal => $position) {
            $bytes = $this->fetch($journal)[1] ?? '';
            $at = $this->find($bytes, $position);
            $answers[$journal] = $at === null ? null : $this->records($bytes, $at, $limit);
        }
        return $answers;
    }

    /** @return array<string, string> the records from a place on, about $limit bytes of them, by the position after each */
    private function records(string $bytes, int $at, int $limit): array
    {
        $records = [];
        for ($end = min($at + $limit, strlen($bytes)); $at < $end; $at += $length) {
            $length = $this->length($bytes, $at);
            $records[$this->position($bytes, $at + $length)] = substr($bytes, $at, $length);
        }
        return $records;
    }

    public function trim(string $journal, string $position): void
    {
        for ($try = 0; $try < self::TRIES; $try++) {
            [$tag, $bytes] = $this->fetch($journal) ?? ['', ''];
            $at = $this->find($bytes, $position);
            $first = $at === null ? self::HEAD_BYTES : $this->before($bytes, $at); // the record at the position is kept
            if ($first === self::HEAD_BYTES) {
                return;
            }
            [$epoch, $base] = $this->head($bytes);
            $kept = pack('PP', $epoch, $base + $first - self::HEAD_BYTES) . substr($bytes, $first - 8);
            if ($this->putJournal($journal, $tag, $kept)) {
                return;
            }
        }
    }

    /** @return array{string, string}|null a journal's tag and bytes, or null if it does not exist */
    private function fetch(string $journal): ?array
    {
        [$tag, $bytes] = $this->journals[$journal] ?? ['', ''];
        [$status, $value, $newTag] = $this->request('GET', $journal, '', $tag === '' ? [] : ["If-None-Match: $tag"]);
        if ($status === 304) {
            return [$tag, $bytes];
        }
        unset($this->journals[$journal]);
        if ($status === 404) {
            return null;
        }
        if (!self::isStrong($newTag) || strlen($value) < self::HEAD_BYTES) {
            throw new RuntimeException("GET $journal: not a journal, or no strong ETag");
        }
        return $this->journals[$journal] = [$newTag, $value];
    }

    /**
     * Creates a journal, unless another process is faster.
     *
     * @return array{string, string} its tag and bytes
     */
    private function create(string $journal): array
    {
        $bytes = pack('PP', random_int(1, PHP_INT_MAX), 0) . str_repeat("\0", 8);
        $this->request('PUT', $journal, $bytes, ['If-None-Match: *']);
        $found = $this->fetch($journal) ?? throw new RuntimeException("PUT $journal: 404");
        // A server that ignores the conditions would lose records. Neither of these requests may change the journal.
        foreach (['If-None-Match: *', 'If-Match: "no such tag"'] as $condition) {
            if ($this->request('PUT', $journal, $found[1], [$condition])[0] !== 412) {
                $this->deleteMultiple([$journal]); // so that the next call checks the server again
                throw new RuntimeException("PUT $journal: the server ignores $condition, so it cannot keep journals");
            }
        }
        return $found;
    }

    /** Replaces a journal if it still has this tag. Returns false if another writer was faster. */
    private function putJournal(string $journal, string $tag, string $bytes): bool
    {
        unset($this->journals[$journal]);
        return $this->put($journal, "If-Match: $tag", $bytes);
    }

    /** Stores a value under a condition. Returns false if the condition does not hold. */
    private function put(string $key, string $condition, string $value): bool
    {
        [$status] = $this->request('PUT', $key, $value, [$condition]);
        return $status !== 412 && $status !== 404; // some servers answer 404 if the value has been deleted
    }

    private static function isStrong(string $tag): bool
    {
        return $tag !== '' && !str_starts_with($tag, 'W/');
    }

    /** Returns the position after the record that ends at a place in a journal's bytes. */
    private function position(string $bytes, int $at): string
    {
        [$epoch, $base] = $this->head($bytes);
        return "$epoch-" . ($base + $at - self::HEAD_BYTES) . '-' . bin2hex(substr($bytes, $at - 8, 8));
    }

    /** @return array{int, int} a journal's epoch, and the offset of its first record */
    private function head(string $bytes): array
    {
        return [$this->number('P', $bytes, 0), $this->number('P', $bytes, 8)];
    }

    /** Returns the number at a place: 'P' for 8 bytes, 'V' for 4. */
    private function number(string $format, string $bytes, int $at): int
    {
        /** @var int|null $number */
        $number = unpack($format, $bytes, $at)[1] ?? null;
        return $number ?? throw new RuntimeException('the journal is too short');
    }

    /** Returns the place of a position in a journal's bytes, or null if the journal does not have it. */
    private function find(string $bytes, string $position): ?int
    {
        if (!preg_match('/^\d+-(\d+)-[0-9a-f]{16}/', $position, $found)) {
            throw new ValueError("\"$position\" is not a position");
        }
        $at = $bytes === '' ? -1 : (int) $found[1] - $this->head($bytes)[1] + self::HEAD_BYTES;
        return $at >= self::HEAD_BYTES && $at <= strlen($bytes) && $this->position($bytes, $at) === $found[0] ? $at : null;
    }

    /** Returns the place where the record begins that ends at $end. */
    private function before(string $bytes, int $end): int
    {
        for ($at = self::HEAD_BYTES; $at < $end && $at + $this->length($bytes, $at) < $end;) {
            $at += $this->length($bytes, $at);
        }
        return $at;
    }

    /** Returns the length of a record. */
    private function length(string $bytes, int $at): int
    {
        $length = strlen($bytes) - $at >= 48 ? $this->number('V', $bytes, $at + 4) : 0;
        return $length >= 48 && $length <= strlen($bytes) - $at ? $length : throw new RuntimeException('a record has a wrong length');
    }

    /** Returns the response's body, or null for 404. */
    private function ask(string $method, string $key, string $body = ''): ?string
    {
        [$status, $value] = $this->request($method, $key, $body);
        return $status === 404 ? null : $value;
    }

    /**
     * Returns the status, the body and the entity tag of the response. The status is 2xx or 404, or the answer to a
     * condition. Any other status must throw, or else a failed store would look empty.
     *
     * @param list<string> $conditions header lines
     *
     * @return array{int, string, string}
     */
    private function request(string $method, string $key, string $body = '', array $conditions = []): array
    {
        $context = stream_context_create(['http' => [
            'method' => $method,
            'content' => $body,
            'header' => ['Content-Type: application/octet-stream', 'Connection: close', ...$conditions],
            'timeout' => $this->timeout,
            'follow_location' => 0,
            'ignore_errors' => true, // the status is checked below
        ]]);
        $answer = @fopen("$this->url/" . rawurlencode($key), 'r', false, $context)
            // PHP's message would repeat the URL, which may contain a password.
            ?: throw new RuntimeException("$method $key: " . (string) preg_replace('/^.*\): /s', '', error_get_last()['message'] ?? 'no answer'));
        $value = stream_get_contents($answer);
        $about = stream_get_meta_data($answer);
        /** @var list<string> $headers */
        $headers = $about['wrapper_data'] ?? [];
        $status = preg_match('~^HTTP/\S+ (\d+)~', $headers[0] ?? '', $found) ? (int) $found[1] : 0;
        $tags = preg_filter('~^etag:\s*~i', '', $headers);
        return match (true) {
            $about['timed_out'] || $value === false => throw new RuntimeException("$method $key: timed out"),
            $status >= 200 && $status < 300, $status === 404, $conditions !== [] && in_array($status, [304, 412], true)
                => [$status, $value, trim(end($tags) ?: '')],
            default => throw new RuntimeException("$method $key: status $status"),
        };
    }
}

$store = new HttpStore($argv[1] ?? 'http://127.0.0.1:1978');

// The nightly job. It reuses the seed and layout of the previous night, so that only changes are transferred.
$previous = Blob::find($store, 'pets');
$builder = $previous ? Builder::like($previous) : new Builder(capacity: 1000, falsePositiveRate: 0.01);
$builder->addMany(['cat', 'bird']);
$builder->build()->publish($store, 'pets');

// The sync on each host.
Filter::sync('pets', $store, ttl: 0);
echo implode(' ', Filter::open('pets')->candidates(['cat', 'dog', 'bird'])), "\n";
