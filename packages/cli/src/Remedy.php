<?php

namespace Bloom\Cli;

use Bloom\Health;
use Bloom\LiveInfo;
use Bloom\LoadedInfo;

/**
 * Knows what to do about each reason of Filter::health(), and about each failure of a store. Somebody may copy a remedy at night
 * without thinking, so none may make things worse: it loads no older version, takes no directory or secret away from the user who
 * has it, and drops only filters that nobody can read.
 */
final class Remedy
{
    private const NIGHTLY = 'bloom nightly {name} {store} KEYS    # your nightly job';

    /** What a reason contains → the remedy. The first row that matches counts, so what syncs quote comes first. */
    private const OF_REASONS = [
        'no such filter is loaded' => 'bloom sync {name} {store}',
        'does not continue from the blob\'s mark' => 'bloom mark {name} {store}    # then run your nightly job',
        'this server is a replica' => 'bloom sync {name} STORE    # the address of the master',
        'is not signed, but signing keys' => 'bloom sign {name} BLOB SIGNED    # where you build; then publish SIGNED',
        'secret that is not configured|no secret is configured' => 'bloom.secret_file = /etc/bloom/secrets    ; in php.ini, also that of PHP-FPM',
        'the secret file must be' => '{rights}',
        'the secret file' => 'ls -l {secret}    # it must equal that of your other hosts',
        'a different version of this extension' => 'bloom export {name} BLOB    # with that version; docs/install.md says how to go on',
        'cannot read this live filter' => 'bloom drop {name} && bloom restore {name} PLACE    # deletes the keys that PLACE does not have',
        'cannot read this on-demand filter' => 'bloom drop {name} && bloom sync --on-demand BYTES {name} {store}',
        'build reads only|build does not know' => 'bloom nightly {name} {store} KEYS    # with this version of bloom',
        'refused: it belongs to another user' => '{owner}',
        'refused: group or others may access it' => '{access}',
        'refused: it is on a network file system' => '{path}',
        'refused the operation: ' => 'ls -laR {segment}',
        'exceed its memory limit' => 'bloom.memory_limit = {limit}    ; in php.ini, also that of PHP-FPM',
        'too little free space|the next (?:reload|layer) needs|no layer could be added' => '{room}',
        'has lost journal records|older than the (?:one|version) served|so syncs refuse it|^built ' => self::NIGHTLY,
        'does not follow it' => '{follow}',
        'behind the journal for|last synced|never synced' => '{service}',
        'lookups denied keys' => 'bloom check --served {name} KEYS    # a file with all keys of your database',
        'false-positive rate' => '{larger}',
        'refuses new ones|and a capacity of' => '{larger}',
        'fail(?:ed|s) in a row|version is unknown|the store failed' => '{failure}',
        'the store has a newer version|does not serve it yet' => 'bloom sync {name} {store}',
        'the store does not have the filter' => 'bloom list {store}',
        'damage was found and replaced' => 'dmesg | grep -i "hardware error"    # is the memory faulty, or what else writes to {segment}?',
        'foreign files? in its directory' => 'ls -laR {segment}',
        'cannot currently be mapped' => 'rlimit_files = 65536    ; in the configuration of the pool',
    ];

    /** Damage of any kind. A sync replaces what it finds damaged, but refuses to replace a live filter. */
    private const OTHERWISE = 'bloom sync {name} {store}';

    /** What a failure of a store contains → the remedy. */
    private const OF_STORES = [
        'does not exist: create' => 'mkdir -p {store}    # or mount the file system that contains it',
        'NOAUTH|WRONGPASS|invalid password' => 'REDISCLI_AUTH=PASSWORD bloom doctor {store}',
        'NOPERM|can\'t run this command|has no permissions' => 'redis-cli ACL SETUSER USER ~bloom:* +evalsha +eval +mget +exists +xrange +xrevrange +info +scan',
        'needs the PHP extension memcached' => 'apt-get install php-memcached',
        'needs the PHP extension redis' => 'apt-get install php-redis',
        'ermission denied|EACCES' => 'chown -R {user} {store}    # as root',
        'missing from the store|does not match' => 'bloom publish --force {name} BLOB {store}',
        'no such filter' => 'bloom list {store}',
    ];

    /** @param string|null $store as the user wrote it, or null */
    public function __construct(private readonly ?string $user, private readonly ?string $store)
    {
    }

    public function ofReason(string $reason, ?Health $health): string
    {
        foreach (self::OF_REASONS as $pattern => $remedy) {
            if (preg_match("/$pattern/", $reason)) {
                return $this->fill($remedy, $health, $reason);
            }
        }
        return $this->fill(self::OTHERWISE, $health, $reason);
    }

    public function ofStore(string $failure, string $name = 'NAME'): string
    {
        $store = $this->store ?? 'STORE';
        foreach (self::OF_STORES as $pattern => $remedy) {
            if (preg_match("/$pattern/", $failure)) {
                return strtr($remedy, ['{store}' => $store, '{name}' => $name, '{user}' => $this->user ?? 'USER']);
            }
        }
        return match (true) {
            preg_match('~^(redis|memcached)://(?:[^/@]*@)?(?:localhost|127\.|\[::1\]|/)~', $store, $parts) === 1
                => 'service ' . ($parts[1] === 'redis' ? 'redis-server' : 'memcached') . ' start',
            preg_match('~^rediss?:~', $store) === 1 => 'redis-cli -u ' . preg_replace('/\?.*/', '', $store) . ' ping',
            default => "bloom list $store",
        };
    }

    /**
     * Returns what loads filters.
     *
     * @param list<string> $names
     */
    public function load(array $names): string
    {
        $sync = 'bloom sync ' . implode(' ', $names ?: ['NAME']) . ' ' . ($this->store ?? 'STORE');
        return $names === [] && $this->store === null ? "$sync    # or bloom load NAME BLOB, if you have a file" : $sync;
    }

    public function unpin(string $name): string
    {
        return "bloom unpin $name " . ($this->store ?? 'STORE') . ' && ' . $this->load([$name]) . '    # is the published version good?';
    }

    /**
     * Returns what keeps filters up to date.
     *
     * @param list<string> $names
     */
    public function service(array $names, bool $isOften = false, string $root = ''): string
    {
        return $this->user !== null && is_dir("$root/run/systemd/system") && is_file("$root/etc/bloom/$this->user.conf")
            ? "systemctl enable --now bloom-sync@$this->user && journalctl -n 20 -u bloom-sync@$this->user"
            : 'bloom sync --every ' . ($isOften ? '1s ' : '30s ') . implode(' ', $names ?: ['NAME']) . ' ' . ($this->store ?? 'STORE');
    }

    private function fill(string $remedy, ?Health $health, string $reason): string
    {
        $info = $health?->info;
        $name = $health->name ?? 'NAME';
        $isLive = $info instanceof LiveInfo;
        return preg_replace_callback('/\{(\w+)\}/', fn (array $found): string => match ($found[1]) {
            'name' => $name,
            'store' => $this->store ?? 'STORE',
            'user' => $this->user ?? 'USER',
            'segment' => Segment::path(),
            'secret' => self::secret($reason),
            'rights' => $this->rights(self::secret($reason)),
            'path' => $this->path(),
            'owner' => $this->take('chown -R ' . ($this->user ?? 'USER') . ' {segment}    # as root', $this->asOwner(Segment::path())),
            'access' => $this->take('chmod -R u=rwX,go= {segment}'),
            'limit' => self::megabytes(2 * (self::limit() + ($health->reloadBytes ?? 0))),
            'room' => self::room($health),
            'follow' => $info instanceof LoadedInfo && ($info->pinnedSince ?? $info->rolledBackAt) !== null
                ? $this->unpin($name)
                : $this->fill('bloom mark {name} {store}    # then run your nightly job', $health, $reason),
            'service' => $this->service([$name], isOften: true),
            'larger' => $isLive ? 'bloom plan --keys=' . 2 * max(1, $info->estimatedKeys) . '    # then create the filter with this capacity'
                : $this->fill('bloom nightly {name} {store} KEYS    # it chooses a larger capacity', $health, $reason),
            'failure' => $this->store === null ? "bloom doctor $name STORE" : $this->ofStore($reason, $name),
        }, $remedy);
    }

    /** Returns the command that changes who may use the segment, unless other users or programs use that directory. */
    private function take(string $command, ?string $asOwner = null): string
    {
        $segment = Segment::path();
        // Such as /dev/shm itself, if bloom.path names it by mistake.
        $isShared = (@fileperms($segment) & 0o002) !== 0 || preg_grep('/@\d+$|^\.(?:\.?|bloom)$/D', @scandir($segment) ?: [], PREG_GREP_INVERT) !== [];
        return $isShared ? $this->path() : $asOwner ?? strtr($command, ['{segment}' => $segment]);
    }

    private function path(): string
    {
        return 'bloom.path = /dev/shm/bloom-' . ($this->user ?? 'USER') . '    ; in php.ini, also that of PHP-FPM';
    }

    /** Returns what lets this user, or the group of a pool, read a file of secrets. */
    private function rights(string $file): string
    {
        return $this->asOwner($file) ?? ($this->user === 'root' ? "chgrp GROUP $file && chmod 0640 $file    # the group of the pool's user"
            : 'chown ' . ($this->user ?? 'USER') . " $file && chmod 0400 $file    # as root");
    }

    /** Returns the command for the user who has a file; null: it is this user, or root, who has made it by mistake. */
    private function asOwner(string $path): ?string
    {
        $id = @fileowner($path);
        $owner = $id === false ? null : Pools::userName($id);
        return $owner === null || in_array($owner, [$this->user, 'root'], true) ? null : Machine::as($this->user, $owner) . ' bloom doctor';
    }

    /** Returns the path before the sentence about a file of secrets. */
    private static function secret(string $reason): string
    {
        return preg_match('~(/[^:]+?)(?:, line \d+)?: (?:[^:]*: )?the secret file~', $reason, $parts) ? $parts[1] : (string) ini_get('bloom.secret_file');
    }

    /** Returns how the next file of a filter gets room: a higher bloom.memory_limit, or a larger file system. */
    private static function room(?Health $health): string
    {
        $segment = Segment::path();
        [$free, $all] = Machine::space(is_dir($segment) ? $segment : dirname($segment));
        $needed = $health->reloadBytes ?? 0;
        return ($health->freeBytes ?? $free) < $free
            ? 'bloom.memory_limit = ' . self::megabytes(2 * (self::limit() + $needed)) . '    ; in php.ini, also that of PHP-FPM'
            : Machine::moreRoom(is_dir($segment) ? $segment : dirname($segment), $all, $needed);
    }

    private static function limit(): int
    {
        return ini_parse_quantity((string) ini_get('bloom.memory_limit'));
    }

    private static function megabytes(int $bytes): string
    {
        return max(1, (int) ceil($bytes / (1 << 20))) . 'M';
    }
}
