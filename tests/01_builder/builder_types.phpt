--TEST--
A key is a string or an int; any other type throws a TypeError, except a Stringable object in loose mode
--DESCRIPTION--
fault: key-types
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

enum Suit: string
{
    case Hearts = 'H';
}
$text = new class {
    public function __toString(): string
    {
        return 'from an object';
    }
};
$builder = new Bloom\Builder(100, seed: 7);
$loose = fn ($key) => $builder->add($key);
$strict = (static function () use ($builder) {
    $file = own_file('strict.php');
    file_put_contents($file, '<?php declare(strict_types=1); return fn ($b, $key) => $b->add($key);');
    $call = require $file;
    return fn ($key) => $call($builder, $key);
})();
foreach (['1.0' => 1.0, '1.5' => 1.5, 'true' => true, 'null' => null, 'array' => [], 'object' => new stdClass,
    'Stringable' => $text, 'enum' => Suit::Hearts, 'resource' => STDIN] as $name => $value) {
    echo "$name\n  loose: ", thrown(fn () => @$loose($value)), "\n  strict: ", thrown(fn () => $strict($value)), "\n";
}
$blob = $builder->build();
check(!$blob->mightContain(1), 'nothing was added as the int 1');
check($blob->mightContain('from an object'), 'a Stringable is its text');

$builder = new Bloom\Builder(100, seed: 7);
$builds = new class($builder) {
    public function __construct(private Bloom\Builder $builder)
    {
    }

    public function __toString(): string
    {
        $this->builder->build();
        return 'late';
    }
};
echo thrown(fn () => $builder->add($builds)), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
1.0
  loose: TypeError: Bloom\Builder::add(): Argument #1 ($key) must be of type string|int, float given
  strict: TypeError: Bloom\Builder::add(): Argument #1 ($key) must be of type string|int, float given
1.5
  loose: TypeError: Bloom\Builder::add(): Argument #1 ($key) must be of type string|int, float given
  strict: TypeError: Bloom\Builder::add(): Argument #1 ($key) must be of type string|int, float given
true
  loose: TypeError: Bloom\Builder::add(): Argument #1 ($key) must be of type string|int, bool given
  strict: TypeError: Bloom\Builder::add(): Argument #1 ($key) must be of type string|int, bool given
null
  loose: TypeError: Bloom\Builder::add(): Argument #1 ($key) must be of type string|int, null given
  strict: TypeError: Bloom\Builder::add(): Argument #1 ($key) must be of type string|int, null given
array
  loose: TypeError: Bloom\Builder::add(): Argument #1 ($key) must be of type string|int, array given
  strict: TypeError: Bloom\Builder::add(): Argument #1 ($key) must be of type string|int, array given
object
  loose: TypeError: Bloom\Builder::add(): Argument #1 ($key) must be of type string|int, stdClass given
  strict: TypeError: Bloom\Builder::add(): Argument #1 ($key) must be of type string|int, stdClass given
Stringable
  loose: nothing
  strict: TypeError: Bloom\Builder::add(): Argument #1 ($key) must be of type string|int, class@anonymous given
enum
  loose: TypeError: Bloom\Builder::add(): Argument #1 ($key) must be of type string|int, Suit given
  strict: TypeError: Bloom\Builder::add(): Argument #1 ($key) must be of type string|int, Suit given
resource
  loose: TypeError: Bloom\Builder::add(): Argument #1 ($key) must be of type string|int, resource given
  strict: TypeError: Bloom\Builder::add(): Argument #1 ($key) must be of type string|int, resource given
Bloom\BloomException: This builder has already built its blob: create a new one
