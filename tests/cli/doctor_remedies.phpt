--TEST--
For each reason of health and each failure of a store, doctor prints a command or a line of a configuration file
--EXTENSIONS--
bloom
posix
--INI--
bloom.path={TMP}/bloom-doctor_remedies
bloom.memory_limit=100M
bloom.secret_file=/etc/bloom/secret
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
$root = dirname(__DIR__, 2);
spl_autoload_register(static fn (string $class) => require "$root/packages/cli/src/" . basename(strtr($class, '\\', '/')) . '.php');
use Bloom\{Builder, DirectoryStore, Filter, Journal};
use Bloom\Cli\Remedy;

$remedy = new Remedy('www-data', '/srv/bloom');
$shown = static fn (string $text): string => preg_replace('/^(?:docker run|mount) .*/', '{more room}', str_replace(segment_path(), '{segment}', $text));

// The rules of health, with the first sentence that each of them can give.
$code = file_get_contents("$root/src/php/report/health_rules.c");
preg_match_all('/^\t\{"\w+", (\w+)\},$/m', $code, $rules);
foreach ($rules[1] as $rule) {
    preg_match("/^static zend_string \\*$rule\\(.*?^}/ms", $code, $function);
    $text = preg_replace('/(?<!\\\\)"\s*"/', '', $function[0]);
    preg_match_all('/(?:strpprintf\(\s*0,|[?:])\s*"((?:\\\\.|[^"\\\\])+)"|(?:too_old|excessive|fetch_failures)\(/', $text, $found);
    $reason = match ($rule) {
        'cannot_open' => 'too short to be a blob',
        'build_too_old' => 'built 3 d ago (at most 26 h)',
        'sync_too_old' => 'last synced 3 h ago (at most 15 min)',
        'rate_too_high' => 'the false-positive rate is 4.7 % (at most 1.5 %, requested 1 %)',
        'journal_rate_too_high' => "the journal keys' false-positive rate is 6.07 % (at most 1.5 %, requested 1 %)",
        'fetches_fail', 'fetch_failed' => '4 fetches failed in a row: Connection refused',
        'keys_unfollowed' => $found[1][array_key_last(array_filter($found[1]))],
        'has_foreign_files' => '1 foreign file in its directory: notes',
        'cannot_grow' => "the file system has too little free space",
        'lacks_space' => 'the next reload needs 628736 bytes, but only 63072 are free',
        default => array_values(array_filter($found[1]))[0],
    };
    echo "$rule: ", $shown($remedy->ofReason(stripslashes($reason), null)), "\n";
}

echo "\nsyncs, segments and secrets\n";
foreach (['no such filter is loaded', "the journal does not continue from the blob's mark", '5 syncs failed in a row: this server is a replica', 'the blob is not signed, but signing keys are configured',
    'the filter is keyed with a secret that is not configured', 'the secret file must be a regular file owned by this user', 'the secret file must have 1 to 8 different lines', 'the secret file cannot be read',
    'a different version of this extension has a live filter with that name', 'this build cannot read this live filter', 'this build cannot read this on-demand filter',
    'this build reads only blobs of format version 2', 'this build does not know the kind of a journal record', "the store's version is older than the one served", 'refused: it belongs to another user',
    'refused: group or others may access it', 'refused: it is on a network file system', 'the segment would exceed its memory limit', 'the file system has too little free space', "the shard's checksum does not match"] as $reason) {
    check(in_array($reason, ['5 syncs failed in a row: this server is a replica'], true) || str_contains(preg_replace('/"\s*"/', '', file_get_contents("$root/src/filter/status.h")), $reason), $reason);
    echo "$reason: ", $shown($remedy->ofReason($reason, null)), "\n";
}

// Who has a directory or a file decides who may take it.
echo "\nowners\n";
$secret = own_file('secrets');
mkdir(segment_path(), 0700);
touch($secret);
foreach (posix_geteuid() === 0 ? [segment_path(), $secret] : [] as $path) {
    chown($path, 1);
}
$owner = Bloom\Cli\Pools::userName(fileowner($secret));
$reasons = [segment_path() . ' (owned by user 1): refused: it belongs to another user (run as that user, or use a path of your own)',
    "2 syncs failed in a row: $secret: owned by user 1: the secret file must be a regular file owned by this user or root, inaccessible to others and not group-writable"];
foreach (['www-data', 'root', $owner] as $user) {
    foreach ($reasons as $reason) {
        echo str_replace([$secret, $owner, segment_path()], ['{secrets}', '{owner}', '{segment}'], "$user: " . (new Remedy($user, null))->ofReason($reason, null)), "\n";
    }
}
echo $remedy->ofReason("$secret, line 1: not 64 hexadecimal digits: the secret file must have 1 to 8 different lines", null) === "ls -l $secret    # it must equal that of your other hosts" ? '' : "another file\n";
foreach ([0700 => 'tags', 01777 => 'tags@5'] as $mode => $entry) {
    mkdir(segment_path() . "/$entry");
    chmod(segment_path(), $mode);
    foreach (['refused: it belongs to another user', 'refused: group or others may access it'] as $reason) {
        echo "$entry: ", $remedy->ofReason($reason, null), "\n";
    }
    rmdir(segment_path() . "/$entry");
}
rmdir(segment_path());

// Each row looks for something that a test makes the core say: another one, or this one. No test has a network file system, a
// server with a password, or no client of Redis at all.
run('Bloom\LiveFilter::create("live", 100);');
file_put_contents(glob(segment_path() . '/live@*/*.bloom')[0], 'x');
$store = new DirectoryStore(own_file());
$mark = (new Journal('tags', $store))->mark();
Filter::load('tags', (new Builder(100))->build());
(new Builder(100))->build(mark: $mark)->publish($store, 'tags');
(new Journal('tags', $store))->add('new');
$said = [...Filter::health('live')->reasons, ...Filter::health('tags', store: $store)->reasons];
foreach (array_diff(glob("$root/tests/*/*.phpt"), [__FILE__, dirname(__DIR__) . '/cli/doctor_remedies.phpt']) as $file) {
    $said[] = preg_split('/^--EXPECTF?--$/m', file_get_contents($file))[1] ?? '';
}
foreach (['OF_REASONS', 'OF_STORES'] as $table) {
    foreach (array_keys((new ReflectionClassConstant(Remedy::class, $table))->getValue()) as $pattern) {
        check(preg_grep("/$pattern/m", $said) !== [] || preg_match('/network|NOAUTH|extension redis/', $pattern) === 1, "a test expects $pattern");
    }
}

echo "\nstores\n";
foreach (['redis://127.0.0.1' => 'Connection refused', 'memcached:///run/memcached.sock' => 'HOST LOOKUP FAILURE', 'rediss://cache.example?prefix=shop:' => 'Connection timed out',
    'redis://cache.example/2' => 'NOAUTH Authentication required.', 'redis://cache.example' => "NOPERM this user has no permissions to run the 'evalsha' command",
    'redis-cluster://cache.example' => 'a Redis store needs the PHP extension redis or Predis', 'memcached://cache' => 'a Memcached store needs the PHP extension memcached',
    './store' => 'the store ./store does not exist: create the directory', '/srv' => 'tags:journal: cannot be opened: Permission denied', 'dir:a' => 'a chunk: missing from the store',
    'dir:b' => 'the store has no such filter'] as $store => $failure) {
    echo "$failure: ", (new Remedy('www-data', $store))->ofStore($failure, 'tags'), "\n";
}

echo "\nservices\n";
mkdir(own_file('root/run/systemd/system'), 0700, true);
mkdir(own_file('root/etc/bloom'), 0700, true);
echo $remedy->service(['tags', 'users'], root: own_file('root')), "\n";
touch(own_file('root/etc/bloom/www-data.conf'));
echo $remedy->service(['tags', 'users'], root: own_file('root')), "\n", (new Remedy(null, null))->service([], true, own_file('root')), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
cannot_open: bloom sync NAME /srv/bloom
syncs_fail: bloom list /srv/bloom
sync_too_old: bloom sync --every 1s NAME /srv/bloom
journal_lost: bloom nightly NAME /srv/bloom KEYS    # your nightly job
journal_behind: bloom sync --every 1s NAME /srv/bloom
loads_fail: bloom list /srv/bloom
keys_unfollowed: bloom mark NAME /srv/bloom    # then run your nightly job
keys_denied: bloom check --served NAME KEYS    # a file with all keys of your database
rate_too_high: bloom nightly NAME /srv/bloom KEYS    # it chooses a larger capacity
journal_rate_too_high: bloom nightly NAME /srv/bloom KEYS    # it chooses a larger capacity
is_full: bloom nightly NAME /srv/bloom KEYS    # it chooses a larger capacity
build_too_old: bloom nightly NAME /srv/bloom KEYS    # your nightly job
fetches_fail: bloom list /srv/bloom
far_behind: bloom sync NAME /srv/bloom
journal_lost_elsewhere: bloom nightly NAME /srv/bloom KEYS    # your nightly job
one_behind: bloom sync NAME /srv/bloom
ahead: bloom nightly NAME /srv/bloom KEYS    # your nightly job
not_obeyed: bloom sync NAME /srv/bloom
store_lacks: bloom list /srv/bloom
fetch_failed: bloom list /srv/bloom
journal_lags: bloom sync --every 1s NAME /srv/bloom
is_filling: bloom nightly NAME /srv/bloom KEYS    # it chooses a larger capacity
cannot_grow: {more room}
lacks_space: {more room}
was_damaged: dmesg | grep -i "hardware error"    # is the memory faulty, or what else writes to {segment}?
has_foreign_files: ls -laR {segment}
store_failed: bloom list /srv/bloom

syncs, segments and secrets
no such filter is loaded: bloom sync NAME /srv/bloom
the journal does not continue from the blob's mark: bloom mark NAME /srv/bloom    # then run your nightly job
5 syncs failed in a row: this server is a replica: bloom sync NAME STORE    # the address of the master
the blob is not signed, but signing keys are configured: bloom sign NAME BLOB SIGNED    # where you build; then publish SIGNED
the filter is keyed with a secret that is not configured: bloom.secret_file = /etc/bloom/secrets    ; in php.ini, also that of PHP-FPM
the secret file must be a regular file owned by this user: chown www-data /etc/bloom/secret && chmod 0400 /etc/bloom/secret    # as root
the secret file must have 1 to 8 different lines: ls -l /etc/bloom/secret    # it must equal that of your other hosts
the secret file cannot be read: ls -l /etc/bloom/secret    # it must equal that of your other hosts
a different version of this extension has a live filter with that name: bloom export NAME BLOB    # with that version; docs/install.md says how to go on
this build cannot read this live filter: bloom drop NAME && bloom restore NAME PLACE    # deletes the keys that PLACE does not have
this build cannot read this on-demand filter: bloom drop NAME && bloom sync --on-demand BYTES NAME /srv/bloom
this build reads only blobs of format version 2: bloom nightly NAME /srv/bloom KEYS    # with this version of bloom
this build does not know the kind of a journal record: bloom nightly NAME /srv/bloom KEYS    # with this version of bloom
the store's version is older than the one served: bloom nightly NAME /srv/bloom KEYS    # your nightly job
refused: it belongs to another user: chown -R www-data {segment}    # as root
refused: group or others may access it: chmod -R u=rwX,go= {segment}
refused: it is on a network file system: bloom.path = /dev/shm/bloom-www-data    ; in php.ini, also that of PHP-FPM
the segment would exceed its memory limit: bloom.memory_limit = 200M    ; in php.ini, also that of PHP-FPM
the file system has too little free space: {more room}
the shard's checksum does not match: bloom sync NAME /srv/bloom

owners
www-data: sudo -u {owner} -- bloom doctor
www-data: sudo -u {owner} -- bloom doctor
root: runuser -u {owner} -- bloom doctor
root: runuser -u {owner} -- bloom doctor
{owner}: chown -R {owner} {segment}    # as root
{owner}: chown {owner} {secrets} && chmod 0400 {secrets}    # as root
tags: bloom.path = /dev/shm/bloom-www-data    ; in php.ini, also that of PHP-FPM
tags: bloom.path = /dev/shm/bloom-www-data    ; in php.ini, also that of PHP-FPM
tags@5: bloom.path = /dev/shm/bloom-www-data    ; in php.ini, also that of PHP-FPM
tags@5: bloom.path = /dev/shm/bloom-www-data    ; in php.ini, also that of PHP-FPM

stores
Connection refused: service redis-server start
HOST LOOKUP FAILURE: service memcached start
Connection timed out: redis-cli -u rediss://cache.example ping
NOAUTH Authentication required.: REDISCLI_AUTH=PASSWORD bloom doctor redis://cache.example/2
NOPERM this user has no permissions to run the 'evalsha' command: redis-cli ACL SETUSER USER ~bloom:* +evalsha +eval +mget +exists +xrange +xrevrange +info +scan
a Redis store needs the PHP extension redis or Predis: apt-get install php-redis
a Memcached store needs the PHP extension memcached: apt-get install php-memcached
the store ./store does not exist: create the directory: mkdir -p ./store    # or mount the file system that contains it
tags:journal: cannot be opened: Permission denied: chown -R www-data /srv    # as root
a chunk: missing from the store: bloom publish --force tags BLOB dir:a
the store has no such filter: bloom list dir:b

services
bloom sync --every 30s tags users /srv/bloom
systemctl enable --now bloom-sync@www-data && journalctl -n 20 -u bloom-sync@www-data
bloom sync --every 1s NAME STORE
