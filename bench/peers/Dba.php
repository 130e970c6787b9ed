<?php
namespace BloomBench;

/** An LMDB or cdb file in tmpfs, used through PHP's dba extension. */
final class Dba extends Peer
{
    private string $file;
    private mixed $handle = null;

    public function __construct(string $directory, private string $handler)
    {
        parent::__construct(($handler === 'lmdb' ? 'LMDB' : $handler) . ', via dba');
        $this->file = "$directory/keys.$handler";
    }

    public function load(array $keys): void
    {
        $this->handle = null;
        $new = $this->handler === 'cdb'
            ? dba_open("$this->file.new", 'n-', 'cdb')
            : dba_open("$this->file.new", 'n', 'lmdb', 0644, 64 * count($keys) + 1_000_000);
        foreach ($keys as $key) {
            dba_insert($key, '1', $new);
        }
        dba_close($new);
        rename("$this->file.new", $this->file);
        @unlink("$this->file.new-lock");
        $this->open();
    }

    public function open(): void
    {
        $this->handle = null; // LMDB allows one handle per process
        $this->handle = dba_open($this->file, $this->handler === 'cdb' ? 'r-' : 'r', $this->handler);
    }

    public function singles(): array
    {
        return ['dba_exists()' => function (array $keys): int {
            $handle = $this->handle;
            $found = 0;
            foreach ($keys as $key) {
                $found += \dba_exists($key, $handle) ? 1 : 0;
            }
            return $found;
        }];
    }

    public function pages(): array
    {
        return ['dba_exists()' => function (array $pages): int {
            $handle = $this->handle;
            $found = 0;
            foreach ($pages as $page) {
                foreach ($page as $key) {
                    $found += \dba_exists($key, $handle) ? 1 : 0;
                }
            }
            return $found;
        }];
    }

    public function bytes(): array
    {
        clearstatcache();
        return [stat($this->file)['blocks'] * 512, 0];
    }
}
