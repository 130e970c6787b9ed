--TEST--
Overwriting any word of a mapped live file or control page cannot crash the process
--DESCRIPTION--
fault: live-damaged
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-live_damaged_words
bloom.lock_timeout=0.01
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\CountingFilter;
use Bloom\BloomException;
use Bloom\Filter;

const PATTERNS = [0, 1, 4, -1, 1 << 46, 0x7FF8000000000000];

/** Calls every method that reads the page. Typed exceptions are allowed. */
function use_all(Filter $filter): void
{
    $calls = [
        fn () => held($filter, 'k1'),
        fn () => $filter->candidates(['k1', 'absent']),
        fn () => $filter->info(),
        fn () => $filter->shards(),
        fn () => put($filter, 'new' . mt_rand()),
        fn () => $filter instanceof CountingFilter && $filter->remove('k1') && $filter->count('k2') && $filter->add('k1'),
        fn () => method_exists($filter, 'export') && $filter->export(),
    ];
    foreach ($calls as $call) {
        try {
            $call();
        } catch (BloomException) {
        }
    }
}

function filled(string $kind): Filter
{
    $filter = made($kind, 100, name: 'x');
    foreach (keys('k', 20) as $key) {
        put($filter, $key);
    }
    return $filter;
}

seeded(1);
foreach (KINDS as $kind) {
    // A counting filter has intents after its head.
    $live = ['0000000000000001.bloom', $kind === 'counting' ? 4096 + 3 * 256 : 4096];
    foreach ([$live, ['control', 696]] as [$name, $bytes]) {
        $filter = null;
        for ($at = 0; $at < $bytes; $at += 8) {
            $filter ??= filled($kind);
            $file = fopen(in_segment("x/$name"), 'r+');
            stream_set_write_buffer($file, 0);
            fseek($file, $at);
            $good = fread($file, 8);
            foreach (PATTERNS as $pattern) {
                fseek($file, $at);
                fwrite($file, pack('q', $pattern));
                use_all($filter);
            }
            fseek($file, $at);
            fwrite($file, $good);
            fclose($file);
            // If a filter does not recover after the original word has been restored, create it again.
            try {
                $ok = held($filter, 'k1') && !$filter->mightContain('definitely absent') && $filter->info()->keys < 1000;
            } catch (BloomException) {
                $ok = false;
            }
            if (!$ok) {
                remove_tree(in_segment('x'));
                $filter = null;
            }
        }
        remove_tree(in_segment('x'));
    }
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
