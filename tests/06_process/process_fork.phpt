--TEST--
A forked child uses its parent's filters, and its exit releases nothing that the parent uses
--DESCRIPTION--
fault: fork, store-forks
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-process_fork
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

$blob = blob_of(keys('k', 1000));
$booth = Filter::load('booth', $blob);
$builder = new Bloom\Builder(100);
$builder->add('before');
$child = function (callable $inside): string {
    [$one, $two] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $pid = pcntl_fork();
    if ($pid === 0) {
        fwrite($two, $inside() ?? '');
        exit;
    }
    fclose($two);
    $text = stream_get_contents($one);
    pcntl_waitpid($pid, $status);
    return $text . ($status === 0 ? '' : " (status $status)");
};
echo $child(function () use ($booth, $blob, $builder) {
    check($booth->candidates(keys('k', 1000)) === keys('k', 1000), 'lookups work in the child');
    check(Filter::open('booth')->mightContain('k1'), 'open');
    check($blob->mightContain('k1'), 'the blob');
    check(!$builder->add('before') && $builder->add('in the child'), 'the builder');
    Filter::load('booth', blob_of(['from the child']));
    check($booth->mightContain('from the child'), 'load');
    Filter::load('second', blob_of(['x']));
    check(ini_set('bloom.path', '/elsewhere') === false, 'the setting cannot be changed');
    return "child\n";
});
check($booth->mightContain('from the child') && !$booth->mightContain('k1'), 'the parent sees the load of the child');
check($builder->add('in the child'), 'the parent has its own copy of the builder');
check(Filter::open('second')->mightContain('x'), 'the second filter outlives the process that created it');
echo $child(function () {
    Filter::drop('second');
    return "dropped\n";
});
echo thrown(fn () => Filter::open('second'), true), "\n";

// A fork in the middle of a load or a sync. Only the parent commits, and the exit of the child aborts nothing.
Filter::load('booth', blob_of(['old'], builtAt: 1));
$said = '';
Filter::load('booth', blob_of(['new'], builtAt: 2), function () use ($child, $booth, &$said) {
    $said = $child(fn () => json_encode($booth->mightContain('old')));
});
echo $said, "\n";
check($booth->mightContain('new'), 'the load completes');
require __DIR__ . '/../lib/stores.inc';
$store = new ScriptedStore;
chunked(keys('s', 3000))->publish($store, 'booth');
$store->script = function (string $called, array $keys) use ($child, $booth, &$said) {
    $said = $child(fn () => json_encode($booth->mightContain('new')));
};
var_dump(switched(Filter::sync('booth', $store, 0)));
echo $said, "\n";
check($booth->mightContain('s1'), 'the sync completes');
check(count(tree(segment_path())) === 3, 'no other file is left: ' . implode(' ', tree(segment_path())));

// If a child returns into its parent's call instead of exiting, the call throws in the child.
foreach (['load', 'sync'] as $call) {
    [$one, $two] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $parent = getmypid();
    $fork = function () use (&$forked) {
        $forked ??= pcntl_fork();
    };
    $forked = null;
    $text = thrown(function () use ($call, $fork) {
        if ($call === 'load') {
            Filter::load('booth', blob_of(['forked load']), $fork);
        } else {
            $store = new ScriptedStore;
            chunked(['forked sync'])->publish($store, 'booth');
            $store->script = fn (string $called, array $keys) => end($keys) === 'booth' ? null : $fork();
            Filter::sync('booth', $store, 0);
        }
    });
    if (getmypid() !== $parent) {
        fwrite($two, $text);
        exit;
    }
    fclose($two);
    pcntl_waitpid($forked, $status);
    echo "$call: parent: $text, child: ", stream_get_contents($one), "\n";
    check($booth->mightContain("forked $call"), "the parent's $call completes");
}
Filter::load('booth', blob_of(['s1']));
check(count(tree(segment_path())) === 3, 'no other file is left: ' . implode(' ', tree(segment_path())));

// Many children at the same time.
$pids = [];
for ($i = 0; $i < 8; $i++) {
    $pids[] = $pid = pcntl_fork();
    if ($pid === 0) {
        $fine = $booth->mightContain('s1');
        for ($j = 0; $j < 10; $j++) {
            Filter::load("own$i", blob_of(["k$j"]));
            $fine = $fine && Filter::open("own$i")->mightContain("k$j");
        }
        exit($fine ? 0 : 1);
    }
}
foreach ($pids as $pid) {
    pcntl_waitpid($pid, $status);
    check($status === 0, "child $pid");
}
check(count(Filter::list()) === 9, implode(' ', Filter::list()));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
child
dropped
Bloom\NotFoundException
true
bool(true)
true
load: parent: nothing, child: Bloom\BloomException: This process was forked during the call, which the parent process continues
sync: parent: nothing, child: Bloom\BloomException: This process was forked during the call, which the parent process continues
