<?php
/* A custom store: any class with these five methods. This class keeps filters in an SQLite table. If a method throws, the
 * publish or sync fails with the exception as the reason, and hosts keep serving their version.
 *
 *     runuser -u www-data -- php examples/custom-store.php sqlite:/srv/bloom/pets.db
 *
 * Run it as the user of the PHP-FPM pool. This user must be able to write to the directory:
 *
 *     install -d -o www-data /srv/bloom
 *
 * In a different database, compare keys by their bytes (MySQL: VARBINARY) and use a type that is large enough for the values
 * (MEDIUMBLOB).
 */

use Bloom\{Blob, Builder, Filter, Store};

final class SqlStore implements Store
{
    public function __construct(private PDO $database)
    {
        $database->exec('CREATE TABLE IF NOT EXISTS bloom (id TEXT PRIMARY KEY, value BLOB NOT NULL)');
    }

    public function getMultiple(array $keys): array
    {
        /** @var array<string, string> $values */
        $values = $this->ask('SELECT id, value FROM bloom WHERE id IN', $keys)->fetchAll(PDO::FETCH_KEY_PAIR);
        return $values;
    }

    public function missing(array $keys): array
    {
        /** @var list<string> $found */
        $found = $this->ask('SELECT id FROM bloom WHERE id IN', $keys)->fetchAll(PDO::FETCH_COLUMN);
        return array_values(array_diff($keys, $found));
    }

    public function set(string $key, string $value): void
    {
        $this->ask('REPLACE INTO bloom (id, value) VALUES', [$key, $value]); // a single statement is atomic
    }

    public function replace(string $key, ?string $expected, string $value): bool
    {
        $change = $expected === null
            ? $this->database->prepare('INSERT INTO bloom (value, id) SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM bloom WHERE id = ?)')
            : $this->database->prepare('UPDATE bloom SET value = ? WHERE id = ? AND value = ?');
        $change->execute([$value, $key, $expected ?? $key]);
        return $change->rowCount() === 1; // MySQL counts a row only if the value changes: PDO::MYSQL_ATTR_FOUND_ROWS
    }

    public function deleteMultiple(array $keys): void
    {
        foreach (array_chunk($keys, 1000) as $some) { // only this method may get too many keys for one statement
            $this->ask('DELETE FROM bloom WHERE id IN', $some);
        }
    }

    /** @param array<string> $values */
    private function ask(string $sql, array $values): PDOStatement
    {
        $statement = $this->database->prepare("$sql (" . implode(', ', array_fill(0, count($values), '?')) . ')');
        $statement->execute($values);
        return $statement;
    }
}

$store = new SqlStore(new PDO($argv[1] ?? 'sqlite::memory:'));

// The nightly job. It reuses the seed and layout of the previous night, so that only changes are transferred.
$previous = Blob::find($store, 'pets');
$builder = $previous ? Builder::like($previous) : new Builder(capacity: 1000, falsePositiveRate: 0.01);
$builder->addMany(['cat', 'bird']);
$builder->build()->publish($store, 'pets');

// The sync on each host.
Filter::sync('pets', $store, ttl: 0);
echo implode(' ', Filter::open('pets')->candidates(['cat', 'dog', 'bird'])), "\n";
