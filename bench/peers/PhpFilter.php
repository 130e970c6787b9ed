<?php
namespace BloomBench;

/** A typical Bloom filter in PHP, with one string of bits and double hashing. Each request reads the filter's file. */
final class PhpFilter extends Peer
{
    private const PROBES = 7;
    private string $file;
    private string $string;

    public function __construct(string $directory)
    {
        parent::__construct('Bloom filter in PHP', exact: false);
        $this->file = "$directory/php-filter";
    }

    public function load(array $keys): void
    {
        $string = str_repeat("\0", intdiv(count($keys) * 10, 8) + 1);
        $bits = 8 * strlen($string);
        foreach ($keys as $key) {
            [, $at, $step] = \unpack('V2', \hash('xxh64', $key, true));
            for ($i = 0; $i < self::PROBES; $i++, $at += $step) {
                $bit = $at % $bits;
                $string[$bit >> 3] = \chr(\ord($string[$bit >> 3]) | 1 << ($bit & 7));
            }
        }
        file_put_contents("$this->file.new", $string);
        rename("$this->file.new", $this->file);
    }

    public function open(): void
    {
        $this->string = file_get_contents($this->file);
    }

    public function singles(): array
    {
        return ['in PHP' => function (array $keys): int {
            $found = 0;
            foreach ($keys as $key) {
                $found += $this->probe($key);
            }
            return $found;
        }];
    }

    public function pages(): array
    {
        return ['in PHP' => function (array $pages): int {
            $found = 0;
            foreach ($pages as $page) {
                foreach ($page as $key) {
                    $found += $this->probe($key);
                }
            }
            return $found;
        }];
    }

    public function bytes(): array
    {
        return [strlen($this->string), strlen($this->string)];
    }

    private function probe(string $key): int
    {
        $bits = 8 * \strlen($this->string);
        [, $at, $step] = \unpack('V2', \hash('xxh64', $key, true));
        for ($i = 0; $i < self::PROBES; $i++, $at += $step) {
            $bit = $at % $bits;
            if (!(\ord($this->string[$bit >> 3]) & 1 << ($bit & 7))) {
                return 0;
            }
        }
        return 1;
    }
}
