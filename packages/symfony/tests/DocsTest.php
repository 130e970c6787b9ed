<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests;

use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\Kit\Tests\CodeOfPage;
use PHPUnit\Framework\Attributes\CoversNothing;
use Symfony\Component\Filesystem\Filesystem;

/**
 * Builds an application from the code blocks of docs/symfony.md and runs it. A block's first line names its file.
 * tests/run runs the commands of the installation.
 */
#[CoversNothing]
final class DocsTest extends AppTestCase
{
    use CodeOfPage;

    private const PAGE = __DIR__ . '/../symfony.md';

    private const FRAMEWORK = <<<'YAML'
        framework:
            secret: test
            http_method_override: false
            handle_all_throwables: true
            php_errors: { log: true }
            validation: { email_validation_mode: html5 }
        when@test:
            framework: { test: true }
        YAML;

    private const SERVICES = <<<'YAML'
        services:
            _defaults: { autowire: true, autoconfigure: true }
            App\:
                resource: '../src/'
                exclude: '../src/{Entity,Kernel.php}'
                public: true
        YAML;

    public function testTheConfigurationAndTheCommand(): void
    {
        $this->createApplication();
        $this->publish(['cat', 'bird']);
        [$status, $output] = $this->php(['bin/console', 'bloom:sync'], 'prod');
        self::assertSame(0, $status, $output);
        self::assertConsole($output);
    }

    public function testTheFakeInATest(): void
    {
        $this->createApplication();
        [$status, $output] = $this->php([dirname(__DIR__) . '/vendor/bin/phpunit', '--no-configuration',
            '--do-not-cache-result', '--bootstrap', 'bootstrap.php', 'tests'], 'test');
        self::assertSame(0, $status, $output);
        self::assertStringContainsString('OK (1 test, 1 assertion)', $output);
    }

    public function testTheLookupsOfAFilterThatIsNotLoaded(): void
    {
        $this->createApplication();
        file_put_contents("$this->directory/ask.php", <<<'PHP'
            <?php
            require 'bootstrap.php';
            $kernel = new App\Kernel('prod', false);
            $kernel->boot();
            echo json_encode($kernel->getContainer()->get(App\TagSearch::class)->worthAsking(['cat', 'dog']));
            PHP);
        [$status, $output] = $this->php(['ask.php'], 'prod');
        self::assertSame([0, '["cat","dog"]'], [$status, trim((string) strrchr("\n$output", "\n"))]);
    }

    public function testTheConfigurationWithRedisAndAJournal(): void
    {
        $this->createApplication(redis: true);
        [$status, $output] = $this->php(['bin/console', 'debug:autowiring', '--all', 'Bloom'], 'prod');
        self::assertSame(0, $status, $output);
        self::assertStringContainsString('Bloom\Membership $tagsFilter', $output);
        self::assertStringContainsString('Bloom\Journal $tagsJournal', $output);
        [$status, $output] = $this->php(['bin/console', 'lint:container'], 'prod');
        self::assertSame(0, $status, $output);
    }

    public function testTheEntity(): void
    {
        $this->createApplication();
        file_put_contents("$this->directory/entity.php", <<<'PHP'
            <?php
            require 'bootstrap.php';
            $name = new ReflectionProperty(App\Entity\Tag::class, 'name');
            echo $name->getAttributes(Bloom\Symfony\Doctrine\AddToFilter::class)[0]->newInstance()->filter, ' ',
                $name->getAttributes(Doctrine\ORM\Mapping\Column::class)[0]->newInstance()->unique;
            PHP);
        self::assertSame([0, 'tags 1'], $this->php(['entity.php'], 'prod'));
    }

    public function testTheBreachedPasswords(): void
    {
        $this->createApplication(passwords: true);
        file_put_contents("$this->directory/src/Passwords.php", '<?php namespace App; final class Passwords { public function __construct('
            . 'public \Symfony\Component\Validator\Validator\ValidatorInterface $validator) {} }');
        file_put_contents("$this->directory/ask.php", <<<'PHP'
            <?php
            require 'bootstrap.php';
            $kernel = new App\Kernel('prod', false);
            $kernel->boot();
            $validator = $kernel->getContainer()->get(App\Passwords::class)->validator;
            foreach (['password', 'Tr0ub4dor&3'] as $password) {
                echo ' ', count($validator->validate($password, [new Symfony\Component\Validator\Constraints\NotCompromisedPassword()]));
            }
            PHP);
        [$status, $output] = $this->php(['ask.php'], 'prod');
        self::assertSame([0, ' 0 0'], [$status, substr($output, -4)], $output); // after the warning
        $this->publish([strtoupper(sha1('password'))], 'breached');
        Filter::sync('breached', new DirectoryStore("$this->directory/store"));
        self::assertSame([0, ' 1 0'], $this->php(['ask.php'], 'prod'));
    }

    public function testTheTableOfTheOutbox(): void
    {
        self::assertSame(1, preg_match('/`\$this->addSql\((Bloom.Kit.PdoOutbox::schema\(.mysql.\))\);`/', self::page(), $found));
        self::assertStringStartsWith("CREATE TABLE IF NOT EXISTS bloom_outbox (\n", eval("return $found[1];"));
    }

    public function testEachBlockOfCodeIsUsed(): void
    {
        self::assertNumberOfBlocks(['sh' => 1, 'php' => 3, 'yaml' => 3, 'console' => 1]);
    }

    /**
     * @param bool $redis whether the store is Redis, as on the page, or a directory
     * @param bool $passwords whether there is a filter of breached passwords
     */
    private function createApplication(bool $redis = false, bool $passwords = false): void
    {
        $files = new Filesystem();
        $files->dumpFile("$this->directory/config/packages/framework.yaml", self::FRAMEWORK);
        $files->dumpFile("$this->directory/config/services.yaml", self::SERVICES);
        $files->dumpFile("$this->directory/src/Kernel.php", '<?php namespace App; final class Kernel extends '
            . '\Symfony\Component\HttpKernel\Kernel { use \Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait; '
            . 'public function getProjectDir(): string { return dirname(__DIR__); } }');
        $loader = var_export(dirname(__DIR__) . '/vendor/autoload.php', true);
        $files->dumpFile("$this->directory/bootstrap.php", "<?php (require $loader)->addPsr4('App\\\\', __DIR__ . '/src');");
        $files->dumpFile("$this->directory/bin/console", '<?php require dirname(__DIR__) . "/bootstrap.php"; '
            . '(new Symfony\Bundle\FrameworkBundle\Console\Application(new App\Kernel(getenv("APP_ENV"), false)))->run();');
        self::assertSame(1, preg_match('/`(Bloom.+ => .+),`\s+to\s+`config.bundles\.php`/', self::page(), $bundle));
        $files->dumpFile("$this->directory/config/bundles.php",
            "<?php return [Symfony\\Bundle\\FrameworkBundle\\FrameworkBundle::class => ['all' => true], $bundle[1]];");
        foreach ([...self::blocks('yaml'), ...self::blocks('php')] as $block) {
            self::assertSame(1, preg_match('~^(?:#|//) (\S+)\n~', $block, $found), "the block does not name its file: $block");
            if (!$redis && $found[1] === 'config/packages/bloom.yaml') {
                $block = str_replace('redis: app.redis', "directory: '%env(BLOOM_DIRECTORY)%'", $block);
            }
            if (!$passwords && $found[1] === 'config/packages/breached_passwords.yaml') {
                continue;
            }
            $files->dumpFile("$this->directory/$found[1]", (str_ends_with($found[1], '.php') ? "<?php\n" : '') . $block);
        }
    }

    /**
     * @param list<string> $arguments of PHP
     *
     * @return array{int, string} the exit status and the output
     */
    private function php(array $arguments, string $environment): array
    {
        $settings = ['-d', 'extension=' . getenv('BLOOM_EXTENSION'), '-d', 'bloom.path=' . self::segment()];
        $command = [PHP_BINARY, ...$settings, ...$arguments];
        $variables = [
            'APP_ENV' => $environment,
            'APP_DEBUG' => '0',
            'BLOOM_DIRECTORY' => "$this->directory/store",
            'COLUMNS' => '120',
            'KERNEL_CLASS' => 'App\Kernel',
            'REDIS_HOST' => 'localhost',
            'SHELL_VERBOSITY' => '0',
        ] + getenv();
        $process = proc_open($command, [1 => ['pipe', 'w'], 2 => ['redirect', 1]], $pipes, $this->directory, $variables);
        \assert(is_resource($process));
        $output = (string) stream_get_contents($pipes[1]);
        return [proc_close($process), $output];
    }
}
