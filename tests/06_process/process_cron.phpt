--TEST--
At its next lookup, a running process sees the filter that a command-line process has loaded
--DESCRIPTION--
fault: fpm-restart
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-process_cron
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

$cron = fn (string $key) => run('Bloom\Filter::load("booth", blob_of([' . var_export($key, true) . ']));');
check(Filter::find('booth') === null, 'find() returns null before the first load');
echo $cron('monday');
$booth = Filter::open('booth');
check($booth->mightContain('monday'), 'the first load is served');
echo $cron('tuesday');
check($booth->mightContain('tuesday') && !$booth->mightContain('monday'), 'the next lookup uses the new load');
check($booth->candidates(['monday', 'tuesday']) === [1 => 'tuesday'], 'candidates() uses the new load');
echo run('Bloom\Filter::drop("booth");');
echo thrown(fn () => $booth->mightContain('tuesday')), "\n";
echo $cron('wednesday');
check($booth->mightContain('wednesday'), 'the handle works after a drop and a load');

// An administrator clears the directory by hand. Mapped filters are still served, and a load creates the directory
// again. New requests that open the filter see that load.
$other = new Child('
    $booth = Bloom\Filter::open("booth");
    echo "ready\n";
    fgets(STDIN);
    var_dump($booth->mightContain("wednesday"), $booth->mightContain("monday"));
');
$other->hear();
remove_tree(segment_path());
$other->say('go');
echo $other->end(), "\n";
echo run('echo thrown(fn () => Bloom\Filter::open("booth"), true);'), "\n";
check($booth->mightContain('wednesday'), 'this process serves the filter that it has mapped');
echo $cron('thursday');
check(str_contains(run('var_dump(Bloom\Filter::open("booth")->mightContain("thursday"));'), 'true'),
    'new processes see the new load');
Filter::load('booth', blob_of(['friday']));
check($booth->mightContain('friday'), 'handles of this process follow its own load');

// Programs that the process starts inherit no descriptor.
check(!str_contains((string) shell_exec('ls -l /proc/self/fd'), segment_path()), 'no descriptor is inherited');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\NotFoundException: booth: the filter was dropped
bool(true)
bool(false)
Bloom\NotFoundException
