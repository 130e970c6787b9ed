<?php

declare(strict_types=1);

namespace Bloom\Laravel\Tests;

use Bloom\Kit\Tests\FpmTests;
use PHPUnit\Framework\Attributes\CoversNothing;

#[CoversNothing]
final class FpmTest extends SiteTestCase
{
    use FpmTests;

    private const INDEX = __DIR__ . '/App/index.php';
}
