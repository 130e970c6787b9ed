<?php

namespace Bloom\Cli;

/**
 * Looks at how a stream begins. Where nothing can be read twice, as in a pipe, it is a filter, through which all of
 * it passes.
 */
final class FirstBytes extends \php_user_filter
{
    private const NAME = 'bloom.first-bytes';
    private const COUNT = 8;
    /** As much as a pipe gives at once: so the filter is called less often. */
    private const READ_BYTES = 1 << 16;

    private string $first = '';
    private bool $isTold = false;

    /**
     * @param resource $stream
     * @param bool $isPlain whether it is a plain file
     * @param callable(string): void $tell gets the first eight bytes, or as many as there are
     */
    public static function watch($stream, bool $isPlain, callable $tell): void
    {
        if ($isPlain && stream_get_meta_data($stream)['seekable']) {
            $tell((string) fread($stream, self::COUNT));
            if (!rewind($stream)) {
                throw new \ErrorException('it cannot be read from its beginning');
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
            if (strlen($this->first) < self::COUNT) {
                $this->first .= substr($bucket->data, 0, self::COUNT - strlen($this->first));
            }
            $consumed += $bucket->datalen;
            stream_bucket_append($out, $bucket);
        }
        if (!$this->isTold && (strlen($this->first) === self::COUNT || $closing)) {
            $this->isTold = true;
            ($this->params)($this->first);
        }
        return PSFS_PASS_ON;
    }
}
