<?php

/**
 * Sends requests to PHP-FPM over its unix socket. Tests, demo and benchmarks use it.
 *
 * Like a web server without keep-alive, it opens a connection per request, several at a time. It
 * implements only the responder role of FastCGI 1.0, and requests that fit into one record and one write.
 */
final class FastCgiClient
{
    private const BEGIN_REQUEST = 1;
    private const END_REQUEST = 3;
    private const PARAMS = 4;
    private const STDIN = 5;
    private const STDOUT = 6;
    private const STDERR = 7;

    private const TIMEOUT_SECONDS = 60;

    /** @var array<int, array{stream: resource, received: string, request: array, sentAt: float}> */
    private array $open = [];

    /**
     * @param string $script path of the page, as PHP-FPM sees it
     * @param int $connections maximum number of requests at the same time
     */
    public function __construct(
        private string $socket,
        private string $script,
        private int $connections
    ) {
    }

    /**
     * Sends all requests, and passes on each answer when it arrives.
     *
     * @param iterable $requests of array{action: string, body: string, parameters?: array<string, string>,
     *        socket?: string}. The page finds the action in $_SERVER['ACTION']. `parameters` are added to
     *        the FastCGI parameters or replace them. `socket` is that of another pool. Other elements are
     *        for $answered
     * @param callable $answered called as $answered(array $request, ?array $answer, string $problem, float
     *        $sentAt). The answer is the page's decoded JSON, or null if the request failed; then $problem
     *        gives the reason
     * @param callable|null $tick called between answers, at least every 10 ms
     */
    public function send(iterable $requests, callable $answered, ?callable $tick = null): void
    {
        $queue = (fn () => yield from $requests)();
        do {
            while (count($this->open) < $this->connections && $queue->valid()) {
                $this->start($queue->current(), $answered);
                $queue->next();
            }
            $this->receive($answered);
            if ($tick !== null) {
                $tick();
            }
        } while ($this->open !== [] || $queue->valid());
    }

    /**
     * Sends one request and returns its answer.
     *
     * @param array<string, string> $parameters as in send()
     * @param string|null $socket as in send()
     *
     * @throws RuntimeException if the request fails
     */
    public function ask(string $action, string $body = '', array $parameters = [], ?string $socket = null): array
    {
        $got = null;
        $this->send(
            [['action' => $action, 'body' => $body, 'parameters' => $parameters, 'socket' => $socket ?? $this->socket]],
            function (array $request, ?array $answer, string $problem) use (&$got, $action): void {
                $got = $answer ?? throw new RuntimeException("request \"$action\": $problem");
            }
        );
        return $got;
    }

    private function start(array $request, callable $answered): void
    {
        $stream = @stream_socket_client('unix://' . ($request['socket'] ?? $this->socket), $errno, $message, 5);
        if ($stream === false) {
            $answered($request, null, "cannot connect: $message", microtime(true));
            return;
        }
        $bytes = $this->encode($request);
        $sentAt = microtime(true);
        if (@fwrite($stream, $bytes) !== strlen($bytes)) {
            $answered($request, null, 'cannot send', $sentAt);
            return;
        }
        stream_set_blocking($stream, false);
        $this->open[(int) $stream] =
            ['stream' => $stream, 'received' => '', 'request' => $request, 'sentAt' => $sentAt];
    }

    private function receive(callable $answered): void
    {
        $readable = array_column($this->open, 'stream');
        $write = $except = null;
        if ($readable === [] || @stream_select($readable, $write, $except, 0, 10_000) === false) {
            return;
        }
        foreach ($readable as $stream) {
            $this->open[(int) $stream]['received'] .= (string) fread($stream, 65536);
            if (feof($stream)) {
                $this->finish((int) $stream, $answered);
            }
        }
        foreach ($this->open as $id => $one) {
            if (microtime(true) - $one['sentAt'] > self::TIMEOUT_SECONDS) {
                $this->finish($id, $answered);
            }
        }
    }

    private function finish(int $id, callable $answered): void
    {
        ['stream' => $stream, 'received' => $received, 'request' => $request, 'sentAt' => $sentAt] =
            $this->open[$id];
        unset($this->open[$id]);
        fclose($stream);
        $problem = '';
        $answer = self::decode($received, $problem);
        $answered($request, $answer, $problem, $sentAt);
    }

    private function encode(array $request): string
    {
        $parameters = ($request['parameters'] ?? []) + [
            'SCRIPT_FILENAME' => $this->script,
            'REQUEST_METHOD' => 'POST',
            'CONTENT_TYPE' => 'application/octet-stream',
            'CONTENT_LENGTH' => (string) strlen($request['body']),
            'ACTION' => $request['action'],
        ];
        $encoded = '';
        foreach ($parameters as $name => $value) {
            $encoded .= chr(strlen($name)) . pack('N', strlen($value) | 0x80000000) . $name . $value;
        }
        return self::record(self::BEGIN_REQUEST, "\0\x01\0\0\0\0\0\0") .
            self::record(self::PARAMS, $encoded) . self::record(self::PARAMS, '') .
            ($request['body'] === '' ? '' : self::record(self::STDIN, $request['body'])) . self::record(self::STDIN, '');
    }

    private static function record(int $type, string $content): string
    {
        return pack('CCnnxx', 1, $type, 1, strlen($content)) . $content;
    }

    /** Returns the page's answer; null and the reason, unless it is complete, has status 200 and is JSON. */
    private static function decode(string $received, string &$problem): ?array
    {
        $text = [self::STDOUT => '', self::STDERR => '', self::END_REQUEST => ''];
        for ($at = 0; $at + 8 <= strlen($received);) {
            $head = unpack('Cversion/Ctype/nid/nlength/Cpadding', $received, $at);
            if (isset($text[$head['type']])) {
                $text[$head['type']] .= substr($received, $at + 8, $head['length']);
            }
            $at += 8 + $head['length'] + $head['padding'];
        }
        [$headers, $body] = explode("\r\n\r\n", $text[self::STDOUT], 2) + ['', ''];
        $answer = json_decode($body, true);
        /* The exit status and the protocol status. The three bytes after them are reserved. */
        if (
            substr($text[self::END_REQUEST], 0, 5) === "\0\0\0\0\0" && $text[self::STDERR] === '' &&
            stripos($headers, 'Status:') === false && is_array($answer)
        ) {
            return $answer;
        }
        $problem = $received === '' ? 'the connection ended without an answer'
            : trim($text[self::STDERR] . ' ' . strtok($headers, "\r\n") . ' ' . substr($body, 0, 200));
        return null;
    }
}
