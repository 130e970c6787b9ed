--TEST--
After a fork during addFile(), the parent continues and the child's call throws, so no line is lost silently
--EXTENSIONS--
bloom
pcntl
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

$lines = 2_000_000;
file_put_contents(own_file('keys'), implode("\n", range(1, $lines)));
foreach ([1, 2] as $jobs) {
    $builder = new Bloom\Builder($lines, jobs: $jobs);
    $parent = getmypid();
    $child = null;
    try {
        $count = $builder->addFile(own_file('keys'), function () use (&$child) {
            $child ??= pcntl_fork();
        });
    } catch (Bloom\BloomException $thrown) {
        if (getmypid() !== $parent) {
            file_put_contents(own_file('said'), $thrown->getMessage());
            exit(0);
        }
        throw $thrown;
    }
    if (getmypid() !== $parent) {
        file_put_contents(own_file('said'), "read $count lines");
        exit(1);
    }
    pcntl_waitpid($child, $status);
    echo file_get_contents(own_file('said')), "\n";
    check($status === 0, 'the call throws in the child');
    check($count === $lines, "$count lines");
    $blob = $builder->build(1.0);
    for ($i = 1; $i <= $lines; $i += 7) {
        $blob->mightContain((string) $i) || check(false, "line $i");
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
This process was forked during the call, which the parent process continues
This process was forked during the call, which the parent process continues
