--TEST--
A load under tight process limits fails with a reason, and the process survives
--DESCRIPTION--
fault: process-limit
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_resource_limits
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

$booth = Filter::load('booth', blob_of(['a']));
blob_of(keys('b', 20000), 20000)->save(own_file('blob'));
$load = 'echo preg_replace("/\d{5,}/", "N", thrown(fn () => Bloom\Filter::load("booth", Bloom\Blob::open(own_file("blob"))))), "\n";';
echo 'file size: ', run($load, [], 'ulimit -f 8;'), "\n";
echo 'descriptors: ', run('$blob = Bloom\Blob::open(own_file("blob")); $booth = Bloom\Filter::open("booth");
    for ($held = []; ($file = @fopen("/dev/null", "r"));) { $held[] = $file; }
    echo preg_replace("/\d{5,}/", "N", thrown(fn () => Bloom\Filter::load("booth", $blob))), "\n";
    check($booth->mightContain("a"), "lookups need no descriptor");
    check(Bloom\Filter::open("booth")->mightContain("a"), "nor does opening what is mapped");', [], 'ulimit -n 64;'), "\n";
check($booth->mightContain('a') && !$booth->mightContain('b1'), 'the old one is served');
check(count(tree(segment_path())) === 3, 'nothing is left: ' . implode(' ', tree(segment_path())));

// A reader that cannot map the new generation answers "maybe", never "no".
$reader = new Child('
    $booth = Bloom\Filter::open("booth");
    echo "ready\n";
    fgets(STDIN);
    for ($held = []; ($file = @fopen("/dev/null", "r"));) { $held[] = $file; }
    var_dump($booth->mightContain("b1"), $booth->mightContain("surely absent"), $booth->candidates(["x", "y"]) === ["x", "y"]);
    echo thrown(fn () => $booth->info()), "\n";
    $held = null;
    check($booth->info()->mapFailures >= 3, "counted");
    var_dump($booth->mightContain("b1"), $booth->mightContain("surely absent"));
', [], [], 'ulimit -n 64;');
$reader->hear();
Filter::load('booth', Bloom\Blob::open(own_file('blob')));
$reader->say('go');
echo $reader->end(), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
file size: Bloom\SegmentException: booth: the file would exceed the process's file size limit (RLIMIT_FSIZE)
descriptors: Bloom\SegmentException: {segment}: the operating system refused the operation: Too many open files
bool(true)
bool(true)
bool(true)
Bloom\SegmentException: booth: the filter cannot currently be mapped into this process
bool(true)
bool(false)
