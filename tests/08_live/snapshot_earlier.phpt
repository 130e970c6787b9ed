--TEST--
A snapshot of an earlier format is refused, and the filter can be created again
--DESCRIPTION--
fault: earlier-format
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-snapshot_earlier
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

use Bloom\{Filter, LiveFilter};

$restore = fn () => Filter::restore('colours', __DIR__ . '/../vectors/earlier/live.snapshot');
echo preg_replace('~: /.*: (?=version)~', ': ', thrown($restore)), "\n";
check(Filter::find('colours') === null, 'nothing was restored');
$filter = LiveFilter::create('colours', 3, 0.01);
$filter->add('red');
check($filter->mightContain('red'), 'the filter is there again');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\FormatException: version 2 instead of 3: this build cannot read the snapshot, because another extension version or another kind of machine saved it (restore it where it was saved, or create the filter again and add its keys)
