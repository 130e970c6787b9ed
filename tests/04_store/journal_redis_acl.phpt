--TEST--
The access rules of docs/stores.md let readers follow, adders add and publishers publish a filter with a journal
--DESCRIPTION--
fault: redis-acl
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
skip_without_redis();
if (!preg_match('/ v=(\d+)/', (string) shell_exec('redis-server --version'), $found) || $found[1] < 6) {
    echo 'skip this redis-server has no ACL';
}
?>
--INI--
bloom.path={TMP}/bloom-journal_redis_acl
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/journals.inc';
with_redis_extension();
use Bloom\{Builder, Filter, Journal, RedisStore};

$server = new RedisServer;
$admin = redis_client($server);
preg_match_all('/^ACL SETUSER (\S+) (.*)$/m', file_get_contents(__DIR__ . '/../../docs/stores.md'), $rules, PREG_SET_ORDER);
foreach ($rules as [, $user, $rights]) {
    $admin->rawCommand('ACL', 'SETUSER', $user, ...explode(' ', $rights)) || check(false, "$user $rights: " . $admin->getLastError());
}
$as = function (string $user, string $password) use ($server): RedisStore {
    $client = redis_client($server);
    check($client->auth([$user, $password]), "$user logs in");
    return new RedisStore($client);
};
$reader = $as('bloom-reader', 'READ');
$adder = $as('bloom-adder', 'ADD');
$writer = $as('bloom-writer', 'WRITE');

/** Returns whether the server refuses a call. The message differs between versions of Redis. */
function is_refused(callable $call): bool
{
    return preg_match('/NOPERM|no permissions|can.t run this command/', thrown($call)) === 1;
}

// The publisher creates the journal, which takes a mark, a notice and a trim for each version. An adder may create it, too.
(new Journal('others', $adder))->add('first');
foreach ([1, 2, 3] as $version) {
    $mark = (new Journal('tags', $writer))->mark();
    $builder = new Builder(1000, seed: 1);
    $builder->add("of version $version");
    check($builder->build(builtAt: 1e9 + $version, mark: $mark)->publish($writer, 'tags', retain: 2)['warning'] === null, "version $version is published");
    (new Journal('tags', $adder))->add("after version $version");
    Filter::sync('tags', $reader, 0);
    check(Filter::open('tags')->candidates(["of version $version", "after version $version", 'absent']) === ["of version $version", "after version $version"], "version $version");
}
check(Journal::pull($reader, ['tags']) === [], 'the reader pulls');
$ids = array_keys($admin->xRange('bloom:tags:journal', '-', '+'));
check(preg_replace('/.*-/', '', $ids) === ['3', '4', '5', '6', '7'], 'the records before the mark of version 2 are trimmed: ' . implode(' ', $ids));

// The server knows the scripts or not.
foreach ([false, true] as $forgets) {
    $before = $admin->xRange('bloom:tags:journal', '-', '+');
    foreach ([
        fn () => $reader->append('tags:journal', [record('x')]),
        fn () => $reader->trim('tags:journal', $mark),
        fn () => $adder->read(['tags:journal' => $mark], 1),
        fn () => $adder->trim('tags:journal', $mark),
        fn () => $adder->set('tags', 'x'),
        fn () => (new Journal('tags', $reader))->add('x'),
    ] as $i => $call) {
        $forgets && $admin->script('flush');
        check(is_refused($call), "call $i is refused");
    }
    check($admin->xRange('bloom:tags:journal', '-', '+') === $before, 'a refused call changes nothing');
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
