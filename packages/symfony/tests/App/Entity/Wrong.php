<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests\App\Entity;

use Bloom\Symfony\Doctrine\AddToFilter;
use Doctrine\ORM\Mapping as ORM;

/** Its key has a wrong type, or its filter has no journal. */
#[ORM\Entity]
class Wrong
{
    #[ORM\Id, ORM\GeneratedValue, ORM\Column]
    public ?int $id = null;

    #[ORM\Column(nullable: true)]
    #[AddToFilter('tags')]
    public ?float $price = null;

    #[ORM\Column(nullable: true)]
    #[AddToFilter('unknown')]
    public ?string $name = null;
}
