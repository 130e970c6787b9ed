--TEST--
Overwriting any word of a mapped on-demand filter or its control page cannot crash the process
--DESCRIPTION--
fault: live-damaged
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-ondemand_damaged_words
bloom.lock_timeout=0.01
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/ondemand.inc';
use Bloom\Blob;
use Bloom\BloomException;
use Bloom\Builder;
use Bloom\Filter;

const PATTERNS = [0, 1, 4, -1, 1 << 46, 0x7FF8000000000000];

function ribbon(array $keys): Blob
{
    $builder = new Builder(count($keys), layout: new Bloom\Layout(shardBytes: 1024, chunkBytes: 1024), seed: 1, scheme: Bloom\Scheme::Ribbon);
    $builder->addMany($keys);
    return $builder->build();
}

/** Calls every method that reads the file. Typed exceptions are allowed. */
function use_all(Filter $filter, array $keys): void
{
    foreach ([fn () => $filter->mightContain('k1'), fn () => $filter->candidates($keys), fn () => $filter->info()] as $call) {
        try {
            $call();
        } catch (BloomException) {
        }
    }
}

$keys = keys('k', 2000);
$asked = array_slice($keys, 0, 40);
$number = 0;
foreach ([chunked($keys), ribbon($keys)] as $blob) {
    $filter = null;
    foreach (['0000000000000001.bloom' => 4096 + head_bytes($blob) + 8 * $blob->info()->chunks + 32, 'control' => 696] as $name => $bytes) {
        for ($at = 0; $at < $bytes; $at += 8) {
            $path = in_segment("large$number");
            $filter ??= Filter::attach("large$number", store_of($blob, "large$number"), memory_for($blob, 2));
            $file = fopen("$path/$name", 'r+');
            stream_set_write_buffer($file, 0);
            fseek($file, $at);
            $good = fread($file, 8);
            foreach (PATTERNS as $pattern) {
                fseek($file, $at);
                fwrite($file, pack('q', $pattern));
                use_all($filter, $asked);
            }
            fseek($file, $at);
            fwrite($file, $good);
            fclose($file);
            // If a filter does not recover after the right word is restored, create it again.
            try {
                $ok = $filter->candidates($asked) === $asked && $filter->info()->generation === 1;
            } catch (BloomException) {
                $ok = false;
            }
            if (!$ok) {
                remove_tree($path);
                $filter = null;
                $number++;
            }
        }
    }
    $number++;
}
echo "ok\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
ok
