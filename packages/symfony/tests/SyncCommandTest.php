<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests;

use Symfony\Bundle\FrameworkBundle\Console\Application;
use Symfony\Component\Console\Tester\CommandTester;

final class SyncCommandTest extends AppTestCase
{
    public function testTheConsoleSyncsTheFiltersThatHaveAStore(): void
    {
        $this->publish(['cat']);
        $config = $this->config();
        $config['filters']['local'] = null;
        $command = new CommandTester((new Application($this->boot($config)))->find('bloom:sync'));
        self::assertSame(0, $command->execute([]));
        self::assertMatchesRegularExpression('/ tags +switched +1 +1 +20\d\d-/', $command->getDisplay());
        self::assertStringNotContainsString('local', $command->getDisplay());
    }
}
