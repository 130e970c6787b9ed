<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests\App;

use Symfony\Component\Validator\Constraints as Assert;

/** What a visitor enters to sign up. */
final readonly class Account
{
    public function __construct(#[Assert\NotCompromisedPassword] public mixed $password)
    {
    }
}
