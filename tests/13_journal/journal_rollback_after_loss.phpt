--TEST--
After a rollback to a version that lacks lost keys, no host denies these keys
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_rollback_after_loss
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/secrets.inc';
require __DIR__ . '/../lib/journals.inc';
require __DIR__ . '/../lib/journal_host.inc';

$directory = own_file('store');
mkdir($directory);
$store = 'new Bloom\DirectoryStore(' . var_export($directory, true) . ')';
[$adds, $serves, $other] = array_map(fn (string $name) => new Host(own_file($name), $store), ['adds', 'serves', 'other']);
$old = keys('old ', 100);
check($adds->publish($old, $adds->mark(), 1e9 + 1) === null && $serves->sync() && $other->sync(), 'version 1 lacks the key');
copy("$directory/tags:journal", "$directory/saved");
$adds->add(['lost']);
$serves->sync();
check($adds->publish([...$old, 'lost'], $adds->mark(), 1e9 + 2) === null && $serves->sync(), 'version 2 has it');
$adds->kill();
// The journal loses the key's record, which version 1 and its additions would need.
rename("$directory/saved", "$directory/tags:journal");
Bloom\Blob::rollback(new Bloom\DirectoryStore($directory), 'tags');
foreach (['serves' => $serves, 'other' => $other] as $name => $host) {
    $host->sync();
    check($host->absent(['lost']) === [], "the host that $name must not deny the key");
}
check($serves->journal()['mayLackKeys'] && $serves->health()[0] === 'critical', 'it says why');
foreach ([$serves, $other] as $host) {
    check($host->end() === '', 'a host ends');
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
