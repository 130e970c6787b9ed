<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

use Bloom\Builder;
use Bloom\DirectoryStore;
use Bloom\Filter;
use PHPUnit\Framework\TestCase;

/** Gives each test a directory, an empty store in it, and an empty segment. */
abstract class HostTestCase extends TestCase
{
    protected string $directory;

    protected function setUp(): void
    {
        $this->directory = sys_get_temp_dir() . '/bloom-' . bin2hex(random_bytes(8));
        self::clear(self::segment());
        mkdir("$this->directory/store", 0777, true);
    }

    protected function tearDown(): void
    {
        self::clear(self::segment(), $this->directory);
    }

    private static function clear(string ...$directories): void
    {
        // This process may have filters in use. Without the drop, a sync of one would not be due in the next test.
        array_map([Filter::class, 'drop'], is_dir(self::segment()) ? Filter::list() : []);
        exec('rm -rf ' . implode(' ', array_map(escapeshellarg(...), $directories)));
    }

    /** Refuses to run with the default segment, because the tests delete it. */
    protected static function segment(): string
    {
        $path = (string) ini_get('bloom.path');
        return $path !== '' ? $path : throw new \LogicException('set bloom.path to a directory of this test');
    }

    /** @param list<string|int> $keys */
    protected function publish(array $keys, string $name = 'tags', string $source = '', ?string $mark = null): void
    {
        $builder = new Builder(capacity: 1000, falsePositiveRate: 1e-9, seed: 1, source: $source);
        $builder->addMany($keys);
        $builder->build(mark: $mark)->publish(new DirectoryStore("$this->directory/store"), $name);
    }
}
