--TEST--
After a rotation, old filters are still served, and new filters use the new secret
--DESCRIPTION--
fault: rotation
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-secret_rotation
bloom.secret_file={TMP}/bloom-secret_rotation.d/secrets
--SKIPIF--
<?php
require __DIR__ . '/../lib/secrets.inc';
skip_without_sodium();
?>
--FILE--
<?php
require __DIR__ . '/../lib/secrets.inc';

use Bloom\{Builder, Filter, LiveFilter};

/** Code for a new process: prints each filter's name, the name of its secret, and how many of its keys are found. */
const SEE = '
    foreach (Bloom\Filter::list() as $name) {
        try {
            $filter = Bloom\Filter::open($name);
            echo "$name ", array_search($filter->info()->keyedBy, names()), " ",
                count($filter->candidates(range(1, 100))), "\n";
        } catch (Bloom\SecretException) {
            echo "$name refused\n";
        }
    }';

function names(): array
{
    $names = [];
    foreach (['one', 'two'] as $name) {
        $names[$name] = (new Builder(1, secret: secret($name)))->info()->keyedBy;
    }
    return $names;
}

function in_new_process(string $code): void
{
    $names = var_export(names(), true);
    echo run('require ' . var_export(dirname(__DIR__) . '/lib/secrets.inc', true)
        . "; function names() { return $names; } $code"), "\n";
}

const MAKE = '
    $builder = new Bloom\Builder(100, seed: 1, keyed: true);
    $builder->addMany(range(1, 100));
    Bloom\Filter::load(NAME, $builder->build());
    Bloom\LiveFilter::create("live", 100, keyed: true)->addMany(range(1, 100));';

ring('secrets', 'one');
in_new_process(str_replace('NAME', '"first"', MAKE) . SEE);
echo "-- the new one is known everywhere before it is used\n";
ring('secrets', 'one', 'two');
in_new_process(SEE);
echo "-- it becomes the current one\n";
ring('secrets', 'two', 'one');
in_new_process(str_replace('NAME', '"second"', MAKE) . SEE);
echo "-- the old one goes\n";
ring('secrets', 'two');
in_new_process(SEE);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/secrets.inc';
clean();
?>
--EXPECT--
first one 100
live one 100
-- the new one is known everywhere before it is used
first one 100
live one 100
-- it becomes the current one
first one 100
live one 100
second two 100
-- the old one goes
first refused
live refused
second two 100
