<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests;

use Bloom\Kit\Tests\FpmTests;
use PHPUnit\Framework\Attributes\CoversNothing;

#[CoversNothing]
final class FpmTest extends AppTestCase
{
    use FpmTests;

    private const INDEX = __DIR__ . '/App/index.php';
}
