<?php
namespace BloomBench;

/** A read-only SQLite table in tmpfs, memory-mapped. */
final class Sqlite extends Peer
{
    private const PAGE = 20;
    private string $file;
    private \PDOStatement $one;
    private \PDOStatement $page;

    public function __construct(string $directory)
    {
        parent::__construct('SQLite');
        $this->file = "$directory/keys.sqlite";
    }

    public function load(array $keys): void
    {
        $new = new \PDO("sqlite:$this->file.new");
        $new->exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
        $new->exec('CREATE TABLE keys (key TEXT PRIMARY KEY) WITHOUT ROWID');
        $new->beginTransaction();
        $insert = $new->prepare('INSERT INTO keys VALUES (?)');
        foreach ($keys as $key) {
            $insert->execute([$key]);
        }
        $new->commit();
        rename("$this->file.new", $this->file);
        $this->open();
    }

    public function open(): void
    {
        $pdo = new \PDO("sqlite:$this->file", null, null, [\PDO::SQLITE_ATTR_OPEN_FLAGS => \PDO::SQLITE_OPEN_READONLY]);
        $pdo->exec('PRAGMA mmap_size = 1073741824; PRAGMA locking_mode = EXCLUSIVE');
        $this->one = $pdo->prepare('SELECT 1 FROM keys WHERE key = ?');
        $this->page = $pdo->prepare('SELECT key FROM keys WHERE key IN (?' . str_repeat(',?', self::PAGE - 1) . ')');
    }

    public function singles(): array
    {
        return ['SELECT … = ?' => function (array $keys): int {
            $one = $this->one;
            $found = 0;
            foreach ($keys as $key) {
                $one->execute([$key]);
                $found += $one->fetchColumn() ? 1 : 0;
                $one->closeCursor();
            }
            return $found;
        }];
    }

    public function pages(): array
    {
        return ['SELECT … IN (…)' => function (array $pages): int {
            $statement = $this->page;
            $found = 0;
            foreach ($pages as $page) {
                $statement->execute($page);
                $found += count($statement->fetchAll(\PDO::FETCH_COLUMN));
            }
            return $found;
        }];
    }

    public function bytes(): array
    {
        clearstatcache();
        return [filesize($this->file), 0];
    }
}
