--TEST--
In user namespaces a segment belongs to its user under any mapped uid, and to no other user
--DESCRIPTION--
fault: user-namespace
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
exec('setpriv --reuid=65534 --regid=65534 --clear-groups unshare -U true 2>&1', $output, $status);
if (user_id() !== 0 || $status !== 0) {
    echo 'skip root and user namespaces are needed';
}
?>
--INI--
bloom.path={TMP}/bloom-process_user_namespaces
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';

const USER = 12345, STRANGER = 12346;
mkdir(segment_path(), 0700);
chown(segment_path(), USER);
$as = fn (int $user, string $namespace) => "exec setpriv --reuid=$user --regid=$user --clear-groups $namespace";
$code = 'require ' . var_export(dirname(__DIR__) . '/lib/live.inc', true) . ';
    $said = [];
    foreach (KINDS as $kind) {
        $said[] = thrown(function () use ($kind, $argv) {
            $filter = made($kind);
            put($filter, $argv[1]);
            foreach (explode(",", $argv[2]) as $key) {
                check($key === "" || held($filter, $key), "$kind $key");
            }
        }, true);
    }
    echo user_id(), ": ", implode(", ", array_unique($said)), "\n";';
$added = [];
foreach ([
    'as he is' => [USER, ''],
    'as root of a namespace' => [USER, 'unshare -U --map-root-user'],
    'as himself in one' => [USER, 'unshare -U --map-current-user'],
    'as one whom it does not know' => [USER, 'unshare -U'],
    'a stranger' => [STRANGER, ''],
    'a stranger as root of a namespace' => [STRANGER, 'unshare -U --map-root-user'],
    'a stranger whom it does not know' => [STRANGER, 'unshare -U'],
] as $who => [$user, $namespace]) {
    echo "$who: ", (new Child($code, [], [strtr($who, ' ', '-'), implode(',', $added)], $as($user, $namespace)))->end(), "\n";
    if ($user === USER) {
        $added[] = strtr($who, ' ', '-');
    }
}
foreach (tree(segment_path()) as $path) {
    $found = lstat(in_segment($path));
    check($found['uid'] === USER && ($found['mode'] & 0077) === 0, "only the user can access $path");
}
check(count(tree(segment_path())) === 3 * count(KINDS),
    'the segment has no other file: ' . implode(' ', tree(segment_path())));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
as he is: 12345: nothing
as root of a namespace: 0: nothing
as himself in one: 12345: nothing
as one whom it does not know: 65534: nothing
a stranger: 12346: Bloom\SegmentException
a stranger as root of a namespace: 0: Bloom\SegmentException
a stranger whom it does not know: 65534: Bloom\SegmentException
