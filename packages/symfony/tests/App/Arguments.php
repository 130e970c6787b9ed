<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests\App;

use Bloom\Journal;
use Bloom\Kit\ListFilter;
use Bloom\Kit\ShadowFilter;
use Bloom\Membership;
use Symfony\Component\DependencyInjection\Attribute\Autowire;
use Symfony\Component\DependencyInjection\Attribute\Target;

/** A service with every kind of argument that the bundle injects. */
final readonly class Arguments
{
    public function __construct(
        public Journal $tagsJournal,
        public Membership $boothTagsFilter,
        public ShadowFilter $tagsFilter,
        public ListFilter $tagsList,
        #[Target('tagsFilter')]
        public Membership $other,
        #[Autowire(service: 'bloom.filter.2024')]
        public Membership $ofYear,
    ) {
    }
}
