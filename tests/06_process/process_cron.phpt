--TEST--
A running process sees what a command-line process loaded at its next lookup
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-process_cron
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
use Bloom\Filter;

$cron = fn (string $key) => run('Bloom\Filter::load("booth", blob_of([' . var_export($key, true) . ']));');
check(Filter::find('booth') === null, 'not yet');
echo $cron('monday');
$booth = Filter::open('booth');
check($booth->mightContain('monday'), 'the first');
echo $cron('tuesday');
check($booth->mightContain('tuesday') && !$booth->mightContain('monday'), 'at the next lookup');
check($booth->candidates(['monday', 'tuesday']) === [1 => 'tuesday'], 'and batch');
echo run('Bloom\Filter::drop("booth");');
echo thrown(fn () => $booth->mightContain('tuesday')), "\n";
echo $cron('wednesday');
check($booth->mightContain('wednesday'), 'dropped and loaded again');

// Someone clears the directory by hand: what is mapped is served, a load makes it anew, and whoever
// opens it in a new request sees that.
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
check($booth->mightContain('wednesday'), 'this process has it mapped');
echo $cron('thursday');
check(str_contains(run('var_dump(Bloom\Filter::open("booth")->mightContain("thursday"));'), 'true'), 'new processes see it');
Filter::load('booth', blob_of(['friday']));
check($booth->mightContain('friday'), 'and a load of its own heals its handles');

// No descriptor reaches a program that the process starts.
check(!str_contains((string) shell_exec('ls -l /proc/self/fd'), segment_path()), 'no descriptor is inherited');
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
Bloom\NotFoundException: booth: the filter was dropped
bool(true)
bool(false)
Bloom\NotFoundException
