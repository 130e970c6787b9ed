--TEST--
A stream wrapper or filter cannot close its own stream during a read, and the stream can be closed afterwards
--DESCRIPTION--
fault: closing-stream
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-engine_streams
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Blob;
use Bloom\Builder;

final class Closing
{
    public static string $bytes = '';
    public static mixed $stream = null;
    public static string $closes_in = '';
    public static int $refused = 0;
    public $context;
    private int $at = 0;

    public static function open(string $bytes, string $closes_in): mixed
    {
        [self::$bytes, self::$closes_in, self::$stream] = [$bytes, '', null];
        self::$stream = fopen('closing://', 'r');
        self::$closes_in = $closes_in;
        return self::$stream;
    }

    public static function close(string $where): void
    {
        // The stream has already returned its first bytes, so PHP has a buffer that could be lost.
        if ($where === self::$closes_in && self::$stream !== null) {
            self::$refused += @fclose(self::$stream) ? 0 : 1;
        }
    }

    public function stream_open(): bool
    {
        return true;
    }

    public function stream_read(int $count): string
    {
        if ($this->at > 0) {
            self::close('read');
        }
        $bytes = substr(self::$bytes, $this->at, 4096);
        $this->at += strlen($bytes);
        return $bytes;
    }

    public function stream_eof(): bool
    {
        self::close('eof');
        return $this->at === strlen(self::$bytes);
    }

    public function stream_stat(): array
    {
        self::close('stat');
        return [];
    }

    public function stream_set_option(): bool
    {
        self::close('option');
        return false;
    }
}
stream_wrapper_register('closing', Closing::class);

final class ClosingFilter extends php_user_filter
{
    public function filter($in, $out, &$consumed, bool $closing): int
    {
        Closing::close('filter');
        while ($bucket = stream_bucket_make_writeable($in)) {
            $consumed += $bucket->datalen;
            stream_bucket_append($out, $bucket);
        }
        return PSFS_PASS_ON;
    }
}
stream_filter_register('closing', ClosingFilter::class);

$blob = blob_of(keys('k', 5000), 5000)->toString();
$lines = implode("\n", keys('line', 5000));
foreach (['read', 'eof', 'stat', 'option', 'filter'] as $where) {
    foreach (['open', 'addFile'] as $method) {
        $stream = Closing::open($method === 'open' ? $blob : $lines, $where);
        if ($where === 'filter') {
            stream_filter_append($stream, 'closing', STREAM_FILTER_READ);
        }
        if ($method === 'open') {
            check(Blob::open($stream)->toString() === $blob, "$where: the blob was read");
        } else {
            check((new Builder(5000))->addFile($stream) === 5000, "$where: the lines were read");
        }
        Closing::$closes_in = '';
        check(is_resource($stream) && fclose($stream), "$where, $method: it can be closed now");
    }
}
check(Closing::$refused > 0, 'the wrapper has tried');
echo "done\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
done
