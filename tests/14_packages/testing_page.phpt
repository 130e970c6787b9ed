--TEST--
The examples in docs/testing.md run, and the first one prints the output that the page shows
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-testing_page
--FILE--
<?php
namespace PHPUnit\Framework {
    /** The page's second example is a part of a test. */
    final class Assert
    {
        public static function assertSame(mixed $expected, mixed $actual, string $message): void
        {
            echo $expected === $actual ? "as expected\n" : "$message\n";
        }
    }
}

namespace {
    require __DIR__ . '/../lib/bloom.inc';
    spl_autoload_register(function (string $class): void {
        require __DIR__ . '/../../packages/kit/src/' . strtr(substr($class, strlen('Bloom\Kit\\')), '\\', '/') . '.php';
    });

    $page = file_get_contents(__DIR__ . '/../../docs/testing.md');
    check(preg_match('/^```php\n(.*?)^```\n\n```text\n(.*?)^```\n.*?^```php\n(.*?)^```$/ms', $page, $parts) === 1, 'two examples');
    ob_start();
    eval($parts[1]);
    $shown = ob_get_clean();
    check($shown === $parts[2], "the example prints\n$shown");
    eval($parts[3]);
    echo 'on this host: ', json_encode(Bloom\Filter::list()), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
["red","pink"]
as expected
as expected
on this host: []
