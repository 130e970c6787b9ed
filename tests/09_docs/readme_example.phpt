--TEST--
The README's page prints the output that the README shows
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-readme_example
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

use Bloom\{Builder, Filter};

$readme = file_get_contents(__DIR__ . '/../../README.md');
check(preg_match('/^```php\n(.*?)^```\n\n```text\n(.*?)^```$/ms', $readme, $page) === 1, 'the page and its output');
check(preg_match("/^printf '%s\\\\n' (.*) > tags\\.txt$/m", $readme, $keys) === 1, 'the keys');
// The README's commands choose a random seed. Here it is fixed, so that no key is a false positive by chance.
$builder = new Builder(80_000, seed: 1);
$builder->addMany(explode(' ', $keys[1]));
Filter::load('tags', $builder->build());

// The reader saves the page as a file.
check(substr_count($page[1], "\n") === 9, 'eight lines after the opening tag');
file_put_contents(own_file('page.php'), $page[1]);
ob_start();
require own_file('page.php');
$shown = ob_get_clean();
check($shown === $page[2], "$shown(instead of)\n$page[2]");
echo $shown;
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
ねこ
