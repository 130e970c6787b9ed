<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests\App\Entity;

use Bloom\Symfony\Doctrine\AddToFilter;
use Doctrine\ORM\Mapping as ORM;

#[ORM\Entity]
class Tag extends Named
{
    #[ORM\Id, ORM\GeneratedValue, ORM\Column]
    #[AddToFilter('2024')]
    public ?int $id = null;

    #[ORM\Column(nullable: true)]
    public ?string $note = null;

    /** @return list<string> */
    #[AddToFilter('2024')]
    public function aliases(): array
    {
        return $this->note === null ? [] : ["note $this->note"];
    }
}
