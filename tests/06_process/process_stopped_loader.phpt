--TEST--
A stopped loader blocks no readers and, before it commits, no other loaders
--DESCRIPTION--
fault: lock-held
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-process_stopped_loader
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

$booth = Filter::load('booth', blob_of(['old']));
$child = new Child('Bloom\Filter::load("booth", blob_of(["late"]), function () { echo "staged\n"; fgets(STDIN); }); echo "loaded";');
$child->hear();
$child->kill('STOP');
check($booth->mightContain('old'), 'lookups do not wait for the stopped loader');
check(Filter::load('booth', blob_of(['between']))->mightContain('between'), 'loads do not wait for the stopped loader');
$child->kill('CONT');
$child->say('go');
echo $child->end(), "\n";
check($booth->mightContain('late'), 'the load completes once its process continues');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
loaded
