--TEST--
A stopped loader blocks no readers and, before it commits, no other loaders
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-process_stopped_loader
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
use Bloom\Filter;

$booth = Filter::load('booth', blob_of(['old']));
$child = new Child('Bloom\Filter::load("booth", blob_of(["late"]), function () { echo "staged\n"; fgets(STDIN); }); echo "loaded";');
$child->hear();
$child->kill('STOP');
check($booth->mightContain('old'), 'readers go on');
check(Filter::load('booth', blob_of(['between']))->mightContain('between'), 'loaders too');
$child->kill('CONT');
$child->say('go');
echo $child->end(), "\n";
check($booth->mightContain('late'), 'the late one is served');
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
loaded
