--TEST--
addFile() adds the lines that it can read and never causes SIGBUS if the file is truncated, overwritten, hole-punched or extended during the read
--DESCRIPTION--
fault: file-changed-while-read
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

// The file is 12 MB long and has lines of 12 bytes. The progress callback runs every few MB, so it can change the file in
// the middle of the read. Each case runs in its own process, so that a crash is reported.
$lines = 1_000_000;
$whole = fopen(own_file('whole'), 'w');
for ($i = 0; $i < $lines; $i += 1000) {
    fwrite($whole, implode('', array_map(fn (int $i) => sprintf("k%010d\n", $i), range($i, $i + 999))));
}
fclose($whole);

function added(string $change): string
{
    copy(own_file('whole'), own_file('keys'));
    return run('
        $file = own_file("keys");
        $builder = new Bloom\Builder(1_100_000, seed: 1);
        $changed_at = 0;
        $count = $builder->addFile($file, function (int $read) use ($file, &$changed_at) {
            if ($changed_at === 0) { $changed_at = $read; ' . $change . ' }
        });
        $blob = $builder->build(1.0);
        // All lines before the change have been added.
        $before = intdiv($changed_at, 12);
        check($changed_at > 0 && $before < ' . $GLOBALS['lines'] . ', "it was changed in the middle: at $changed_at");
        for ($i = 0; $i < $before; $i += 97) {
            check($blob->mightContain(sprintf("k%010d", $i)), "line $i");
        }
        check($count >= $before, "$count of at least $before");
        echo $count <=> ' . $GLOBALS['lines'] . ', $blob->mightContain("end") ? " with the end" : "";
    ') . "\n";
}

echo 'cut: ', added('ftruncate(fopen($file, "r+"), $read + 100);');
echo 'cut to nothing: ', added('ftruncate(fopen($file, "r+"), 0);');
echo 'made longer: ', added('file_put_contents($file, "end\n", FILE_APPEND);');
echo 'overwritten: ', added('$f = fopen($file, "r+"); fseek($f, -1200, SEEK_END); fwrite($f, str_repeat("\xff\0", 598) . "\nend");');
echo 'cut, and as long again, with a hole: ', added('$f = fopen($file, "r+"); ftruncate($f, 11_500_000); ftruncate($f, 12_000_000); fseek($f, -4, SEEK_END); fwrite($f, "\nend");');
echo 'deleted: ', added('unlink($file);');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
cut: -1
cut to nothing: -1
made longer: 1 with the end
overwritten: -1 with the end
cut, and as long again, with a hole: -1 with the end
deleted: 0
