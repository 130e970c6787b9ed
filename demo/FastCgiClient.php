<?php

/**
 * Sends requests to PHP-FPM over its unix socket, several at a time, a connection each as a web server
 * does without keep-alive. Only what the demo needs of FastCGI 1.0: the responder role, and records
 * small enough that one write takes them.
 */

namespace Demo;

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

    public function __construct(
        private string $socket,
        private string $script,
        private int $connections
    ) {
    }

    /**
     * Sends every request that $requests yields and hands each answer over as it comes.
     *
     * @param iterable $requests of array{action: string, body: string, …}, with a `socket` when it goes to
     *        another one; the rest is the caller's
     * @param callable $answered as $answered(array $request, ?array $answer, string $problem, float
     *        $sentAt); the answer is what the page's JSON says, null when the request failed
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

    /** Sends one request and waits for its answer. */
    public function ask(string $action, string $body = ''): array
    {
        $got = null;
        $this->send(
            [['action' => $action, 'body' => $body]],
            function (array $request, ?array $answer, string $problem) use (&$got, $action): void {
                $got = $answer ?? throw new \RuntimeException("request \"$action\": $problem");
            }
        );
        return $got;
    }

    private function start(array $request, callable $answered): void
    {
        $socket = $request['socket'] ?? $this->socket;
        $stream = @stream_socket_client("unix://$socket", $errno, $message, 5);
        if ($stream === false) {
            $answered($request, null, "cannot connect: $message", microtime(true));
            return;
        }
        $bytes = $this->encode($request['action'], $request['body']);
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
        $answer = $this->decode($received, $problem);
        $answered($request, $answer, $problem, $sentAt);
    }

    private function encode(string $action, string $body): string
    {
        $params = '';
        foreach (
            [
                'SCRIPT_FILENAME' => $this->script,
                'REQUEST_METHOD' => 'POST',
                'CONTENT_TYPE' => 'application/octet-stream',
                'CONTENT_LENGTH' => (string) strlen($body),
                'DEMO_ACTION' => $action,
            ] as $name => $value
        ) {
            $params .= chr(strlen($name)) . pack('N', strlen($value) | 0x80000000) . $name . $value;
        }
        return self::record(self::BEGIN_REQUEST, "\0\x01\0\0\0\0\0\0") .
            self::record(self::PARAMS, $params) . self::record(self::PARAMS, '') .
            ($body === '' ? '' : self::record(self::STDIN, $body)) . self::record(self::STDIN, '');
    }

    private static function record(int $type, string $content): string
    {
        return pack('CCnnxx', 1, $type, 1, strlen($content)) . $content;
    }

    /** What the page answered; null, and why, for anything but a whole answer of status 200. */
    private function decode(string $received, string &$problem): ?array
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
        /* Exit status and protocol status; the three bytes after them mean nothing. */
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
