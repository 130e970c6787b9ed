<?php
/* A store that uses HTTP. The server can be any that stores a value with PUT, such as Kyoto Tycoon, an object store, or nginx
 * with WebDAV. It must answer 404 if a key does not exist.
 *
 *     runuser -u www-data -- php examples/http-store.php http://127.0.0.1:1978
 *
 * Run it as the user of the PHP-FPM pool. It needs no extension. It requests one value at a time, each over its own
 * connection. If that is too slow, use curl_multi_exec(), which requests many values at once over persistent connections.
 */

use Bloom\{Blob, Builder, Filter, Store};

final class HttpStore implements Store
{
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

    public function deleteMultiple(array $keys): void
    {
        foreach ($keys as $key) {
            $this->ask('DELETE', $key);
        }
    }

    /** Returns the response's body, or null for 404. Any other error must throw, or else a failed store would look empty. */
    private function ask(string $method, string $key, string $body = ''): ?string
    {
        $context = stream_context_create(['http' => [
            'method' => $method,
            'content' => $body,
            'header' => "Content-Type: application/octet-stream\r\nConnection: close",
            'timeout' => $this->timeout,
            'follow_location' => 0,
            'ignore_errors' => true, // the status is checked below
        ]]);
        $answer = @fopen("$this->url/" . rawurlencode($key), 'r', false, $context)
            ?: throw new RuntimeException("$method $key: " . (error_get_last()['message'] ?? 'no answer'));
        $value = stream_get_contents($answer);
        $about = stream_get_meta_data($answer);
        $status = preg_match('~^HTTP/\S+ (\d+)~', $about['wrapper_data'][0] ?? '', $found) ? (int) $found[1] : 0;
        return match (true) {
            $about['timed_out'] || $value === false => throw new RuntimeException("$method $key: timed out"),
            $status === 404 => null,
            $status >= 200 && $status < 300 => $value,
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
var_dump(Filter::open('pets')->candidates(['cat', 'dog', 'bird']));
