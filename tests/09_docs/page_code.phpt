--TEST--
The page code in the README and in integrating.md looks up every key if the filter is missing or damaged
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-page_code
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

use Bloom\{BloomException, Builder, Filter};

$root = dirname(__DIR__, 2);
preg_match('/^try \{\n.*?^}\n(?=echo)/ms', file_get_contents("$root/README.md"), $readme);
preg_match('/^## Looking up\n.*?```php\n(.*?)```/ms', file_get_contents("$root/docs/integrating.md"), $integrating);
$pages = ['README' => $readme[0], 'integrating' => $integrating[1]];
$show = function (string $when) use ($pages): void {
    foreach ($pages as $page => $code) {
        $tags = ['ねこ', 'いぬ', 'no such tag'];
        unset($maybe);
        eval($code);
        echo "$when, $page: ", implode(' ', $maybe), "\n";
    }
};

$show('not there');
mkdir(in_segment('tags'), 0700, true);
chmod(segment_path(), 0700);
file_put_contents(in_segment('tags/control'), str_repeat('?', 4096));
chmod(in_segment('tags/control'), 0600);
try {
    Filter::find('tags');
    echo "no exception\n";
} catch (BloomException $thrown) {
    echo get_class($thrown), "\n";
}
$show('damaged');
unlink(in_segment('tags/control'));
$builder = new Builder(1000, seed: 1);
$builder->add('ねこ');
Filter::load('tags', $builder->build());
$show('loaded');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
not there, README: ねこ いぬ no such tag
not there, integrating: ねこ いぬ no such tag
Bloom\SegmentException
damaged, README: ねこ いぬ no such tag
damaged, integrating: ねこ いぬ no such tag
loaded, README: ねこ
loaded, integrating: ねこ
