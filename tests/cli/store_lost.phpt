--TEST--
After a store has lost everything, hosts keep serving; a mark and the nightly job recover a filter with a journal, and a saved blob one without
--DESCRIPTION--
fault: no-mark, mark-trimmed
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';
use Bloom\{Blob, DirectoryStore};

$cli = new Cli();
$store = "$cli->files/store";
mkdir($store);
$cli->writeKeys('keys', 1, 1_000);
$run = static function (string $line) use ($cli): void {
    // On a busy machine, this test takes longer than a host may be behind its journal.
    $result = $cli->shell(str_replace('bloom sync', 'bloom sync --max-lag=1d', $line));
    $said = preg_replace('/^bloom: tags: |[ (:]+\(.*|: build and.*/s', '', trim($result->errors));
    echo "$line: $result->code", $result->code === 0 ? '' : " $said", "\n";
};
/** Loses the store, runs what docs/stores.md says, and checks that hosts are up to date. */
$lose = static function (string $what, string ...$lines) use ($run, $store): void {
    echo "-- $what\n";
    exec('rm -rf ' . escapeshellarg($store) . '/*');
    $run('bloom sync tags ./store');
    $run('bloom health tags');
    array_map($run, $lines);
};

// Without a journal. The example in docs/stores.md saves the blob.
preg_match('/^Bloom\\\\Blob::fetch\(.*$/m', file_get_contents(dirname(__DIR__, 2) . '/docs/stores.md'), $example);
$save = static function (string $name) use ($example, $cli, $store): void {
    $code = preg_replace("~'/var/backups.*'~", var_export("$cli->files/$name", true), $example[0], -1, $count);
    check($count === 1, $code);
    (static fn (DirectoryStore $store) => eval($code))(new DirectoryStore($store));
};
$run('bloom nightly tags ./store keys');
$run('bloom sync tags ./store');
$save('saved.bloom');
$lose('without a journal: a saved blob', 'bloom publish tags saved.bloom ./store', 'bloom sync tags ./store');
$lose('without a journal: the nightly job', 'bloom nightly tags ./store keys', 'bloom sync tags ./store');

// With a journal.
$night = 'bloom nightly --settle=0 tags ./store -- cat keys';
$run('bloom mark --quiet tags ./store');
$run($night);
$run('bloom add tags ./store new');
$run('bloom sync tags ./store');
$save('marked.bloom');
$lose('with a journal: a saved blob', 'bloom publish tags marked.bloom ./store');
$lose('with a journal: no mark', $night, 'bloom add tags ./store newer');
$run('bloom mark --quiet tags ./store');
$run($night);
$lose('with a journal: first the mark', 'bloom mark --quiet tags ./store', $night, 'bloom add tags ./store newer', 'bloom sync tags ./store', 'bloom health tags');
echo "-- only the journal is lost\n";
unlink("$store/tags:journal");
$run($night);
$run('bloom mark --quiet tags ./store');
$run($night);
$run('bloom sync tags ./store');
$run('bloom add tags ./store newest');
?>
--EXPECT--
bloom nightly tags ./store keys: 0
bloom sync tags ./store: 0
-- without a journal: a saved blob
bloom sync tags ./store: 75 missing from the store
bloom health tags: 0
bloom publish tags saved.bloom ./store: 0
bloom sync tags ./store: 0
-- without a journal: the nightly job
bloom sync tags ./store: 75 missing from the store
bloom health tags: 0
bloom nightly tags ./store keys: 0
bloom sync tags ./store: 0
bloom mark --quiet tags ./store: 0
bloom nightly --settle=0 tags ./store -- cat keys: 0
bloom add tags ./store new: 0
bloom sync tags ./store: 0
-- with a journal: a saved blob
bloom sync tags ./store: 75 missing from the store
bloom health tags: 0
bloom publish tags marked.bloom ./store: 75 the journal does not continue from the blob's mark
-- with a journal: no mark
bloom sync tags ./store: 75 missing from the store
bloom health tags: 0
bloom nightly --settle=0 tags ./store -- cat keys: 0
bloom add tags ./store newer: 73 the published version does not follow the journal, so no host would find the keys
bloom mark --quiet tags ./store: 0
bloom nightly --settle=0 tags ./store -- cat keys: 0
-- with a journal: first the mark
bloom sync tags ./store: 75 missing from the store
bloom health tags: 0
bloom mark --quiet tags ./store: 0
bloom nightly --settle=0 tags ./store -- cat keys: 0
bloom add tags ./store newer: 0
bloom sync tags ./store: 0
bloom health tags: 0
-- only the journal is lost
bloom nightly --settle=0 tags ./store -- cat keys: 73 the filter has a journal, but the blob has no mark, so no host would find the keys that are added
bloom mark --quiet tags ./store: 0
bloom nightly --settle=0 tags ./store -- cat keys: 0
bloom sync tags ./store: 0
bloom add tags ./store newest: 0
