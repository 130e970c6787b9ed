--TEST--
The examples in docs/integrating.md work in the order of the page, and what they promise holds
--EXTENSIONS--
bloom
pdo
pdo_sqlite
--INI--
bloom.path={TMP}/bloom-integrating_examples
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

$root = dirname(__DIR__, 2);
spl_autoload_register(static fn (string $class) => str_starts_with($class, 'Bloom\\Kit\\') && require "$root/packages/kit/src/" . substr($class, 10) . '.php');
mkdir(own_file('shop'));
mkdir(own_file('shop/store'));
$rows = new PDO('sqlite:' . own_file('shop/articles.db'));
$rows->exec("CREATE TABLE article (tag TEXT PRIMARY KEY COLLATE NOCASE); INSERT INTO article VALUES ('Red'), ('green')");

$page = file_get_contents("$root/docs/integrating.md");
preg_match_all('/^```php\n(.*?)^```$/ms', $page, $blocks);
[$folding, , $looking, $adding, $night, $shadow] = $blocks[1]; // page_code.phpt runs the one that is left out
check(preg_match('/^```php\n(<\?php\n.*?)^```\n\n```text\n(.*?)^```$/ms', $page, $shown) === 1 && $shown[1] === $folding, 'the output');
ob_start();
// The page uses a random seed. Here it is fixed, so that no key is a false positive by chance.
eval('?>' . str_replace('new Builder(1000, ', 'new Builder(1000, seed: 1, ', $folding));
$printed = ob_get_clean();
check($printed === $shown[2], "the fold prints $printed");
$uses = '';
/** Runs a block with the variables of the blocks before it, and returns all of them. */
$run = function (string $block, array $variables) use (&$uses): array {
    preg_match_all('/^use .*;$/m', $block, $found);
    $uses .= implode('', $found[0]);
    $code = strtr(preg_replace('/^use .*;$/m', '', $block), ['/srv/shop' => own_file('shop'), 'settle: 60.0' => 'settle: 0.0']);
    return (static function (): array {
        extract(func_get_arg(1));
        eval(func_get_arg(0));
        return get_defined_vars();
    })("$uses $code", $variables);
};

$all = $run($looking, []);
check($all['candidates'] === ['red', 'green', 'blue'], 'a filter that is not loaded answers maybe');
check($all['linked'] === ['Red', 'green'] || $all['linked'] === ['green', 'Red'], 'the database decides');
$all = $run($adding, $all);
ob_start();
$all = $run($night, $all);
echo preg_replace('/[\d,]+(?= bytes)|[\d.e-]+(?= % false)/', 'N', ob_get_clean());
Filter::sync('tags', $all['store'], 0);
$fold = $all['fold'];
check($all['filter']->candidates(['RED', 'blue ', 'grey']) === ['RED', 'blue '], 'the published version is served');
$all['journal']->add('Grün');
Filter::sync('tags', $all['store'], 0);
check($all['filter']->candidates(['grun', 'grey']) === ['grun'], 'an added key is found under an equal one');

// The shadow answers "maybe" and finds what only the database has.
$all['database']->exec("INSERT INTO article VALUES ('grey')");
$all = $run($shadow, $all);
check($all['candidates'] === ['red', 'green', 'blue', 'grey'] && count($all['linked']) === 4, 'all keys are looked up');
$counters = Filter::open('tags')->info()->counters;
echo "denied: $counters->denied\n";

check(substr_count($page, '```php') === 6, 'all examples run');
check(preg_match_all('/^\d+\. /m', strstr($page, '## Checklist')) === 12, 'twelve lines');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
tags: published about 3 keys in N bytes, sized for 1,000, N % false positives, with its journal, 1 of 1 chunks written
denied: 1
