<?php
/* Other ways to get the value of a key. Each function fills one with the keys and values of each_part(), and returns its size and
 * functions that look up lists and pages of keys. */

namespace BloomBench;

/** @return array<string, callable(): array{bytes: int, value: callable, one: callable, page: callable}> */
function ways(string $directory, int $count): array
{
    return [
        'array in opcache' => fn () => opcache($directory, $count),
        'LMDB' => fn () => lmdb($directory, $count),
        'SQLite' => fn () => sqlite($directory, $count),
        'Redis' => fn () => redis($directory, $count),
        'APCu' => fn () => apcu($count),
    ];
}

function opcache(string $directory, int $count): array
{
    $used = static function (): int {
        $status = opcache_get_status(false);
        $status['cache_full'] && throw new \RuntimeException('opcache is full: a higher opcache.memory_consumption is needed');
        return $status['memory_usage']['used_memory'] + $status['interned_strings_usage']['used_memory'];
    };
    $file = fopen($path = "$directory/array.php", 'w');
    fwrite($file, "<?php return [\n");
    each_part($count, function (array $values) use ($file): void {
        foreach ($values as $key => $value) {
            fwrite($file, "'$key'=>$value,\n");
        }
    });
    fwrite($file, "];\n");
    fclose($file);
    $before = $used();
    $array = include $path;
    $array = include $path; // the first one compiles the file, and its array may not be the shared one
    return [
        'bytes' => $used() - $before,
        'value' => static fn (string $key): ?int => $array[$key] ?? null,
        'one' => static function (array $keys) use ($array): int {
            $found = 0;
            foreach ($keys as $key) {
                $found += ($array[$key] ?? null) !== null ? 1 : 0;
            }
            return $found;
        },
        'page' => static function (array $pages) use ($array): int {
            $found = 0;
            foreach ($pages as $page) {
                $values = [];
                foreach ($page as $key) {
                    if (isset($array[$key])) {
                        $values[$key] = $array[$key];
                    }
                }
                $found += count($values);
            }
            return $found;
        },
    ];
}

function apcu(int $count): array
{
    apcu_clear_cache();
    $before = apcu_sma_info(true)['avail_mem'];
    each_part($count, function (array $values): void {
        apcu_store($values) === [] || throw new \RuntimeException('APCu is full: a higher apc.shm_size is needed');
    });
    return [
        'bytes' => (int) ($before - apcu_sma_info(true)['avail_mem']),
        'value' => apcu_fetch(...),
        'one' => static function (array $keys): int {
            $found = 0;
            foreach ($keys as $key) {
                $found += \apcu_fetch($key) !== false ? 1 : 0;
            }
            return $found;
        },
        'page' => static function (array $pages): int {
            $found = 0;
            foreach ($pages as $page) {
                $found += count(\apcu_fetch($page));
            }
            return $found;
        },
    ];
}

/** An LMDB file in tmpfs, used through PHP's dba extension. */
function lmdb(string $directory, int $count): array
{
    $new = dba_open($path = "$directory/values.lmdb", 'n', 'lmdb', 0644, 64 * $count + 1_000_000);
    each_part($count, function (array $values) use ($new): void {
        foreach ($values as $key => $value) {
            dba_insert($key, (string) $value, $new);
        }
    });
    dba_close($new);
    $handle = dba_open($path, 'r', 'lmdb');
    return [
        'bytes' => stat($path)['blocks'] * 512,
        'value' => static fn (string $key): string|false => dba_fetch($key, $handle),
        'one' => static function (array $keys) use ($handle): int {
            $found = 0;
            foreach ($keys as $key) {
                $found += \dba_fetch($key, $handle) !== false ? 1 : 0;
            }
            return $found;
        },
        'page' => static function (array $pages) use ($handle): int {
            $found = 0;
            foreach ($pages as $page) {
                $values = [];
                foreach ($page as $key) {
                    $value = \dba_fetch($key, $handle);
                    if ($value !== false) {
                        $values[$key] = $value;
                    }
                }
                $found += count($values);
            }
            return $found;
        },
    ];
}

/** A read-only SQLite table in tmpfs, memory-mapped. */
function sqlite(string $directory, int $count): array
{
    $new = new \PDO("sqlite:$directory/values.sqlite");
    $new->exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
    $new->exec('CREATE TABLE items (name TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID');
    $new->beginTransaction();
    $insert = $new->prepare('INSERT INTO items VALUES (?, ?)');
    each_part($count, function (array $values) use ($insert): void {
        foreach ($values as $key => $value) {
            $insert->execute([$key, $value]);
        }
    });
    $new->commit();
    $pdo = new \PDO("sqlite:$directory/values.sqlite", null, null, [\PDO::SQLITE_ATTR_OPEN_FLAGS => \PDO::SQLITE_OPEN_READONLY]);
    $pdo->exec('PRAGMA mmap_size = 1073741824; PRAGMA locking_mode = EXCLUSIVE');
    $one = $pdo->prepare('SELECT value FROM items WHERE name = ?');
    $in = $pdo->prepare('SELECT name, value FROM items WHERE name IN (?' . str_repeat(', ?', PAGE - 1) . ')');
    $value = static function (string $key) use ($one): mixed {
        $one->execute([$key]);
        $value = $one->fetchColumn();
        $one->closeCursor();
        return $value;
    };
    return [
        'bytes' => filesize("$directory/values.sqlite"),
        'value' => $value,
        'one' => static function (array $keys) use ($value): int {
            $found = 0;
            foreach ($keys as $key) {
                $found += $value($key) !== false ? 1 : 0;
            }
            return $found;
        },
        'page' => static function (array $pages) use ($in): int {
            $found = 0;
            foreach ($pages as $page) {
                $in->execute($page);
                $found += count($in->fetchAll(\PDO::FETCH_KEY_PAIR));
            }
            return $found;
        },
    ];
}

/** A hash in a Redis on a Unix socket. A network would add its round trip. */
function redis(string $directory, int $count): array
{
    $redis = start_redis("$directory/redis");
    $before = $redis->info('memory')['used_memory'];
    each_part($count, fn (array $values) => $redis->hMSet('values', $values));
    return [
        'bytes' => $redis->info('memory')['used_memory'] - $before,
        'value' => static fn (string $key): string|false => $redis->hGet('values', $key),
        'one' => static function (array $keys) use ($redis): int {
            $found = 0;
            foreach ($keys as $key) {
                $found += $redis->hGet('values', $key) !== false ? 1 : 0;
            }
            return $found;
        },
        'page' => static function (array $pages) use ($redis): int {
            $found = 0;
            foreach ($pages as $page) {
                foreach ($redis->hMGet('values', $page) as $value) {
                    $found += $value !== false ? 1 : 0;
                }
            }
            return $found;
        },
    ];
}

/** Removes what the ways have stored, except in the servers, which end with this process. */
function forget(string $directory, int $count): void
{
    apcu_clear_cache();
    array_map(unlink(...), glob("$directory/$count/values.*"));
    array_map(\Bloom\Filter::drop(...), ['ribbon', 'map-20-checked', 'map-32-checked', 'map-20-unchecked']);
}
