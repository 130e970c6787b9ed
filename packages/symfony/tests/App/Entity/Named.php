<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests\App\Entity;

use Bloom\Symfony\Doctrine\AddToFilter;
use Doctrine\ORM\Mapping as ORM;

#[ORM\MappedSuperclass]
abstract class Named
{
    #[ORM\Column(nullable: true)]
    #[AddToFilter('tags')]
    private ?string $name;

    public function __construct(?string $name)
    {
        $this->name = $name;
    }

    public function rename(?string $name): void
    {
        $this->name = $name;
    }
}
