<?php

namespace Bloom\Cli;

/**
 * Passes the first bytes of a stream to a callback without consuming them. A regular file is rewound. A pipe cannot be
 * rewound, so a stream filter copies its bytes as they are read.
 */
final class FirstBytes extends \php_user_filter
{
    private const NAME = 'bloom.first-bytes';
    private const COUNT = 1 << 16;
    /** Equal to the capacity of a pipe, so that PHP calls the filter as rarely as possible. */
    private const READ_BYTES = 1 << 16;

    private string $first = '';
    private bool $isDone = false;

    /**
     * @param resource $stream
     * @param bool $isRegular whether the stream is a regular file
     * @param callable(string, bool): void $tell receives the first 64 KiB, or fewer if the stream is shorter. A pipe may deliver
     *     them in parts. Then it is called after each part with all bytes so far, and the last time with true.
     */
    public static function watch($stream, bool $isRegular, callable $tell): void
    {
        if ($isRegular && stream_get_meta_data($stream)['seekable']) {
            $tell((string) fread($stream, self::COUNT), true);
            if (!rewind($stream)) {
                throw new \ErrorException('cannot be rewound');
            }
            return;
        }
        if (!in_array(self::NAME, stream_get_filters(), true)) {
            stream_filter_register(self::NAME, self::class);
        }
        stream_set_chunk_size($stream, self::READ_BYTES);
        stream_filter_append($stream, self::NAME, STREAM_FILTER_READ, $tell);
    }

    /**
     * @param resource $in
     * @param resource $out
     * @param int $consumed
     */
    public function filter($in, $out, &$consumed, bool $closing): int
    {
        while ($bucket = stream_bucket_make_writeable($in)) {
            if (!$this->isDone) {
                $this->first .= substr($bucket->data, 0, self::COUNT - strlen($this->first));
            }
            $consumed += $bucket->datalen;
            stream_bucket_append($out, $bucket);
        }
        if (!$this->isDone) {
            $this->isDone = $closing || strlen($this->first) === self::COUNT;
            ($this->params)($this->first, $this->isDone);
        }
        return PSFS_PASS_ON;
    }
}
