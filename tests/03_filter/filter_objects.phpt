--TEST--
A handle cannot be copied, serialized or constructed, and attempts to do so do not crash
--DESCRIPTION--
fault: odd-objects
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_objects
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

$booth = Filter::load('booth', blob_of(['a']));
final class Mine extends Filter
{
    public function __construct()
    {
    }
}
$mine = new Mine;
foreach ([
    'new Filter' => fn () => new Filter,
    'new LoadedFilter' => fn () => new Bloom\LoadedFilter,
    'without constructor' => fn () => (new ReflectionClass($booth))->newInstanceWithoutConstructor(),
    'clone' => fn () => clone $booth,
    'serialize' => fn () => serialize($booth),
    'unserialize' => fn () => unserialize('O:18:"Bloom\LoadedFilter":0:{}'),
    'property' => fn () => $booth->other = 1,
    'mine: name' => fn () => $mine->name(),
    'mine: mightContain' => fn () => $mine->mightContain('a'),
    'mine: candidates' => fn () => $mine->candidates(['a']),
    'mine: info' => fn () => $mine->info(),
    'mine: clone' => fn () => clone $mine,
    'mine: without constructor' => fn () => (new ReflectionClass($mine))->newInstanceWithoutConstructor()->name(),
    'mine: serialize' => fn () => serialize($mine),
    'mine: unserialize' => fn () => unserialize('O:4:"Mine":0:{}'),
] as $name => $call) {
    echo "$name: ", thrown($call), "\n";
}
echo thrown(fn () => Mine::open('booth')), "\n";
var_dump($booth == Filter::open('booth'), json_encode($booth), (array) $booth);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
new Filter: Error: Cannot instantiate abstract class Bloom\Filter
new LoadedFilter: Error: Call to private Bloom\Filter::__construct() from global scope
without constructor: ReflectionException: Class Bloom\LoadedFilter is an internal class marked as final that cannot be instantiated without invoking its constructor
clone: Error: Trying to clone an uncloneable object of class Bloom\LoadedFilter
serialize: Exception: Serialization of 'Bloom\LoadedFilter' is not allowed
unserialize: Exception: Unserialization of 'Bloom\LoadedFilter' is not allowed
property: Error: Cannot create dynamic property Bloom\LoadedFilter::$other
mine: name: Bloom\BloomException: This filter was never opened
mine: mightContain: Bloom\BloomException: This filter was never opened
mine: candidates: Bloom\BloomException: This filter was never opened
mine: info: Bloom\BloomException: This filter was never opened
mine: clone: Error: Trying to clone an uncloneable object of class Mine
mine: without constructor: Bloom\BloomException: This filter was never opened
mine: serialize: Exception: Serialization of 'Mine' is not allowed
mine: unserialize: Exception: Unserialization of 'Mine' is not allowed
Bloom\KindException: Mine is a class that you define, and no filter is of such a class (call Bloom\Filter::open())
bool(true)
string(2) "{}"
array(0) {
}
