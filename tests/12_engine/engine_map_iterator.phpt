--TEST--
setMany() reads a value before it asks for the key, so a key() that advances the iterator cannot free it
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\MapBuilder;

/** Two elements, of which the first has two children. The key() of the first child skips the children. */
class Skipping implements RecursiveIterator
{
    public static ?RecursiveIteratorIterator $whole = null;
    private int $at = 0;

    public function __construct(private int $depth)
    {
    }

    public function current(): int
    {
        return 10 * ($this->depth + 1) + $this->at;
    }

    public function key(): string
    {
        $key = "$this->depth-$this->at";
        if ($this->depth === 1 && self::$whole !== null) {
            [$whole, self::$whole] = [self::$whole, null];
            // The second step frees this object's iterator, and with it the current value.
            $whole->next();
            $whole->next();
        }
        return $key;
    }

    public function next(): void
    {
        $this->at++;
    }

    public function rewind(): void
    {
        $this->at = 0;
    }

    public function valid(): bool
    {
        return $this->at < 2;
    }

    public function hasChildren(): bool
    {
        return $this->depth === 0 && $this->at === 0;
    }

    public function getChildren(): Skipping
    {
        return new Skipping(1);
    }
}

Skipping::$whole = $whole = new RecursiveIteratorIterator(new Skipping(0));
$builder = new MapBuilder(10, 8);
check($builder->setMany($whole) === 1 && Skipping::$whole === null, 'one pair');
check($builder->build()->get('1-0') === 20, 'with the value that was current before key()');
?>
--EXPECT--
