--TEST--
A handle follows every reload, in its own process and in others
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_reload
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

$booth = Filter::load('booth', blob_of(['v0']));
$opened = Filter::open('booth');
$other = new Child('
    $booth = Bloom\Filter::open("booth");
    while (($key = fgets(STDIN)) !== false) {
        echo json_encode([$booth->mightContain(trim($key)), $booth->info()->generation]), "\n";
    }
');
for ($i = 0; $i < 20; $i++) {
    $other->say("v$i");
    [$there, $generation] = json_decode($other->hear());
    check($there && $generation === $i + 1, "generation $generation has v$i in the other process");
    check($booth->mightContain("v$i") && $opened->mightContain("v$i"), "and v$i here");
    check($booth->info()->loads === $i + 1, 'loads are counted');
    Filter::load('booth', blob_of(['v' . $i + 1]));
    check(!$booth->mightContain("v$i"), "v$i is gone");
}
check(tree(segment_path()) === ['booth', 'booth/' . sprintf('%016x', 21) . '.bloom', 'booth/control'], 'only the served one is kept: ' . implode(' ', tree(segment_path())));

// Another process loads a filter with a different size and geometry, and this process sees it.
echo run('Bloom\Filter::load("booth", blob_of(keys("x", 30000), 30000));'), "";
check($booth->candidates(keys('x', 30000)) === keys('x', 30000), 'a larger one');
echo run('var_dump(Bloom\Filter::drop("booth"));'), "\n";
echo thrown(fn () => $booth->mightContain('x1')), "\n";
$other->say('x1');
$other->hear();
echo preg_match('/NotFoundException/', $other->hear() . $other->end()), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
bool(true)
Bloom\NotFoundException: booth: the filter was dropped
1
