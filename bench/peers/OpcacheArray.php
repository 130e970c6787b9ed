<?php
namespace BloomBench;

/** An exact array in opcache's shared memory. */
final class OpcacheArray extends Peer
{
    private string $file;
    private array $array;
    private int $bytes;

    public function __construct(string $directory)
    {
        parent::__construct('array in opcache');
        $this->file = "$directory/array.php";
    }

    public function load(array $keys): void
    {
        $before = $this->used();
        $lines = '';
        foreach ($keys as $key) {
            $lines .= "'$key'=>1,\n";
        }
        file_put_contents("$this->file.new", "<?php return [$lines];\n");
        rename("$this->file.new", $this->file);
        opcache_invalidate($this->file, true);
        $this->open();
        $this->bytes ??= $this->used() - $before; // a replaced array stays allocated until opcache restarts
    }

    public function open(): void
    {
        $this->array = include $this->file;
    }

    public function singles(): array
    {
        return ['isset' => function (array $keys): int {
            $array = $this->array;
            $found = 0;
            foreach ($keys as $key) {
                $found += isset($array[$key]) ? 1 : 0;
            }
            return $found;
        }];
    }

    public function pages(): array
    {
        return ['isset' => function (array $pages): int {
            $array = $this->array;
            $found = 0;
            foreach ($pages as $page) {
                foreach ($page as $key) {
                    $found += isset($array[$key]) ? 1 : 0;
                }
            }
            return $found;
        }];
    }

    public function bytes(): array
    {
        return [$this->bytes, 0];
    }

    private function used(): int
    {
        $status = opcache_get_status(false);
        if ($status['cache_full']) {
            throw new \RuntimeException('opcache is full: a higher opcache.memory_consumption is needed');
        }
        // The used memory includes the buffer of interned strings from the start.
        return $status['memory_usage']['used_memory'] + $status['interned_strings_usage']['used_memory'];
    }
}
