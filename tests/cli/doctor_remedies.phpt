--TEST--
For each reason of health and each failure of a store, doctor prints a command or a line of a configuration file
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-doctor_remedies
bloom.memory_limit=100M
bloom.secret_file=/etc/bloom/secret
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
$root = dirname(__DIR__, 2);
spl_autoload_register(static fn (string $class) => require "$root/packages/cli/src/" . basename(strtr($class, '\\', '/')) . '.php');
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
    'that name is taken by a filter of a different kind', 'the filter is keyed with a secret that is not configured', 'the secret file must be a regular file owned by this user',
    'a different version of this extension has a live filter with that name', 'this build reads only blobs of format version 2', 'refused: it belongs to another user',
    'refused: group or others may access it', 'the segment would exceed its memory limit', "the shard's checksum does not match"] as $reason) {
    check(in_array($reason, ['5 syncs failed in a row: this server is a replica'], true) || str_contains(preg_replace('/"\s*"/', '', file_get_contents("$root/src/filter/status.h")), $reason), $reason);
    echo "$reason: ", $shown($remedy->ofReason($reason, null)), "\n";
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
cannot_open: bloom sync --force NAME /srv/bloom
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
build_too_old: bloom sync --force NAME /srv/bloom
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
was_damaged: bloom sync --force NAME /srv/bloom
has_foreign_files: ls -laR {segment}
store_failed: bloom list /srv/bloom

syncs, segments and secrets
no such filter is loaded: bloom sync NAME /srv/bloom
the journal does not continue from the blob's mark: bloom mark NAME /srv/bloom    # then run your nightly job
5 syncs failed in a row: this server is a replica: bloom sync NAME STORE    # the address of the master
the blob is not signed, but signing keys are configured: bloom sign NAME BLOB SIGNED    # where you build; then publish SIGNED
that name is taken by a filter of a different kind: bloom drop NAME && bloom sync NAME /srv/bloom    # with the --on-demand of your pages
the filter is keyed with a secret that is not configured: bloom.secret_file = /etc/bloom/secret    ; in php.ini, also that of PHP-FPM
the secret file must be a regular file owned by this user: ls -l /etc/bloom/secret && chown www-data /etc/bloom/secret && chmod 400 /etc/bloom/secret
a different version of this extension has a live filter with that name: bloom drop NAME    # deletes its keys; to keep them, see docs/install.md
this build reads only blobs of format version 2: bloom nightly NAME /srv/bloom KEYS    # with this version of bloom
refused: it belongs to another user: chown -R www-data {segment}    # as root
refused: group or others may access it: chmod -R u=rwX,go= {segment}
the segment would exceed its memory limit: bloom.memory_limit = 200M    ; in php.ini, also that of PHP-FPM
the shard's checksum does not match: bloom sync --force NAME /srv/bloom

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
