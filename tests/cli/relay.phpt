--TEST--
relay moves the keys of an outbox to journals, leaves those of unknown filters, and with --every reports a failure once
--DESCRIPTION--
fault: outbox
--EXTENSIONS--
bloom
pdo
pdo_sqlite
--SKIPIF--
<?php
require __DIR__ . '/sync_every.inc';
skip_without_console();
skip_without_pcntl();
?>
--FILE--
<?php
require __DIR__ . '/sync_every.inc';
spl_autoload_register(static fn (string $class) => require dirname(__DIR__, 2) . '/packages/kit/src/' . basename(strtr($class, '\\', '/')) . '.php');

/** Runs `bloom relay` in the background. */
final class Relaying
{
    private $process;

    public function __construct(private readonly Cli $cli, string ...$arguments)
    {
        $this->process = $cli->start(["$cli->directory/bin/bloom", 'relay', ...$arguments], '');
        register_shutdown_function(fn () => is_resource($this->process) && proc_terminate($this->process, SIGKILL));
    }

    public function log(): string
    {
        $log = file_get_contents("{$this->cli->directory}/output") . file_get_contents("{$this->cli->directory}/errors");
        return preg_replace('/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/m', '{time}', strtr($log, [$this->cli->files => '{files}']));
    }

    public function end(): int
    {
        proc_terminate($this->process);
        return $this->cli->wait($this->process)->code;
    }
}

$cli = new Cli(['pdo', 'pdo_sqlite']);
$store = new Bloom\DirectoryStore("$cli->files/store");
mkdir("$cli->files/store");
$cli->write('none', '');
foreach (['tags', 'colors'] as $name) {
    $mark = (new Bloom\Journal($name, $store))->mark();
    (new Bloom\Builder(1000, 1e-9, seed: 1))->build(mark: $mark)->publish($store, $name);
}
$cli->installPhp();
$cli->write('find.php', '<?php echo implode(" ", Bloom\Filter::open($argv[1])->candidates(array_slice($argv, 2)));');
$dsn = "sqlite:$cli->files/shop.db";
$cli->show(['relay', $dsn, 'store']);
$pdo = new PDO($dsn);
$cli->show(['relay', $dsn, 'store']);
$outbox = new Bloom\Kit\PdoOutbox($pdo);
$outbox->createTable();
$left = fn (): string => implode(' ', $pdo->query('SELECT key_bytes FROM bloom_outbox ORDER BY id')->fetchAll(PDO::FETCH_COLUMN));

$outbox->add('tags', ['red', 'blue']);
$outbox->add('tagz', 'misspelled');
$outbox->add('colors', 'pink');
$cli->show(['relay', $dsn, './missing']);
echo "left: {$left()}\n";
$cli->show(['relay', $dsn, 'store']);
echo "left: {$left()}\n";
$cli->show(['relay', 'store', $dsn, '--format=json']);
$pdo->exec("UPDATE bloom_outbox SET filter_name = 'tags'");
$cli->show(['relay', $dsn, 'store']);
echo "left: {$left()}\n";

$cli->show(['relay', 'mysql:host=db;Password=secret', 'store']);
$cli->show(['relay', 'mssql:host=db', 'store']);
$cli->show(['relay', 'redis://u:secret@host', 'store']);
$cli->show(['relay', '--table=x y', $dsn, 'store']);
$cli->show(['relay', '--table=other', $dsn, 'store']);
$cli->install('no-driver', "-d bloom.path=$cli->segment", ['bloom']);
echo $cli->shell("no-driver relay mysql:host=db store")->errors;

// A new key is found by a host that syncs. A failure of the store and one of the database are reported once.
$relaying = new Relaying($cli, '--every=0.01', $dsn, "$cli->files/store");
$outbox->add('tags', 'new');
check(comes_true(fn (): bool => $left() === ''), 'new');
rename("$cli->files/store", "$cli->files/away");
$outbox->add('tags', 'late');
check(comes_true(fn (): bool => str_contains($relaying->log(), 'tags: the store')), 'away');
$outbox->add('colors', 'blue');
check(comes_true(fn (): bool => str_contains($relaying->log(), 'colors: the store')), 'at least the second round that fails');
rename("$cli->files/away", "$cli->files/store");
check(comes_true(fn (): bool => $left() === '' && str_contains($relaying->log(), 'tags: recovered') && str_contains($relaying->log(), 'colors: recovered')), 'back');
$pdo->exec('ALTER TABLE bloom_outbox RENAME TO renamed');
check(comes_true(fn (): bool => str_contains($relaying->log(), 'no such table')), 'renamed');
$pdo->exec('ALTER TABLE renamed RENAME TO bloom_outbox');
$outbox->add('colors', 'green');
check(comes_true(fn (): bool => $left() === '' && str_contains($relaying->log(), 'database: recovered')), 'renamed back');
echo 'exit ', $relaying->end(), "\n";
$lines = explode("\n", rtrim($relaying->log()));
sort($lines);
echo implode("\n", $lines), "\n";

foreach (['tags' => ['red', 'blue', 'misspelled', 'new', 'late'], 'colors' => ['pink', 'blue', 'green']] as $name => $keys) {
    $cli->run(['sync', $name, 'store']);
    echo "$name: ", $cli->shell("php find.php $name other " . implode(' ', $keys))->output, "\n";
}
?>
--EXPECT--
$ bloom relay sqlite:{dir}/files/shop.db store
bloom: the database sqlite:{dir}/files/shop.db does not exist
exit 66
$ bloom relay sqlite:{dir}/files/shop.db store
bloom: the database sqlite:{dir}/files/shop.db: SQLSTATE[HY000]: General error: 1 no such table: bloom_outbox (Bloom\Kit\PdoOutbox::createTable() creates the table bloom_outbox)
exit 75
$ bloom relay sqlite:{dir}/files/shop.db ./missing
0 keys moved
bloom: tags: the store ./missing does not exist: create the directory, or mount the file system that contains it
bloom: tagz: the store ./missing does not exist: create the directory, or mount the file system that contains it
bloom: colors: the store ./missing does not exist: create the directory, or mount the file system that contains it
exit 66
left: red blue misspelled pink
$ bloom relay sqlite:{dir}/files/shop.db store
3 keys moved
bloom: tagz: the store has no such filter: correct the column filter_name if it is misspelled, otherwise publish a version with a mark
exit 75
left: misspelled
$ bloom relay store sqlite:{dir}/files/shop.db --format=json
{"moved":0,"failures":{"tagz":"tagz: the store has no such filter: correct the column filter_name if it is misspelled, otherwise publish a version with a mark"}}
bloom: tagz: the store has no such filter: correct the column filter_name if it is misspelled, otherwise publish a version with a mark
exit 75
$ bloom relay sqlite:{dir}/files/shop.db store
1 key moved
exit 0
left: 
$ bloom relay mysql:host=db;Password=secret store
bloom: DSN: other users can read the password in the arguments; put it into BLOOM_DATABASE_PASSWORD
exit 64
$ bloom relay mssql:host=db store
bloom: DSN: "mssql:host=db" does not begin with mysql:, pgsql: or sqlite:, as in "mysql:host=db.example;dbname=shop"
exit 64
$ bloom relay redis://u:secret@host store
bloom: DSN: "redis://host" does not begin with mysql:, pgsql: or sqlite:, as in "mysql:host=db.example;dbname=shop"
exit 64
$ bloom relay --table=x y sqlite:{dir}/files/shop.db store
bloom: --table: "x y" is not the name of a table such as bloom_outbox or app.bloom_outbox
exit 64
$ bloom relay --table=other sqlite:{dir}/files/shop.db store
bloom: the database sqlite:{dir}/files/shop.db: SQLSTATE[HY000]: General error: 1 no such table: other (Bloom\Kit\PdoOutbox::createTable() creates the table other)
exit 75
bloom: the PHP extension pdo_mysql is not loaded: the package php-mysql of Debian contains it
exit 0
{time} bloom: colors: the store {files}/store does not exist: create the directory, or mount the file system that contains it
{time} bloom: tags: the store {files}/store does not exist: create the directory, or mount the file system that contains it
{time} bloom: the database sqlite:{files}/shop.db: SQLSTATE[HY000]: General error: 1 no such table: bloom_outbox (Bloom\Kit\PdoOutbox::createTable() creates the table bloom_outbox)
{time} colors: recovered
{time} tags: recovered
{time} the database: recovered
tags: red blue misspelled new late
colors: pink blue green
