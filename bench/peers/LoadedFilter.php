<?php
namespace BloomBench;

use Bloom\Builder;
use Bloom\Filter;

/** This extension: one process builds and loads the filter for all processes. */
final class LoadedFilter extends Peer
{
    private Filter $filter;

    public function __construct(string $name, private string $scheme)
    {
        parent::__construct($name, exact: false);
    }

    public function load(array $keys): void
    {
        $builder = new Builder(count($keys), 0.01, seed: SEED, scheme: $this->scheme);
        $builder->addMany($keys);
        Filter::load($this->scheme, $builder->build());
    }

    public function open(): void
    {
        $this->filter = Filter::open($this->scheme);
    }

    public function singles(): array
    {
        return ['mightContain()' => function (array $keys): int {
            $filter = $this->filter;
            $found = 0;
            foreach ($keys as $key) {
                $found += $filter->mightContain($key) ? 1 : 0;
            }
            return $found;
        }];
    }

    public function pages(): array
    {
        return ['candidates()' => function (array $pages): int {
            $filter = $this->filter;
            $found = 0;
            foreach ($pages as $page) {
                $found += count($filter->candidates($page));
            }
            return $found;
        }];
    }

    public function bytes(): array
    {
        return [$this->filter->info()->bytes, 0];
    }
}
