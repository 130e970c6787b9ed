--TEST--
DirectoryStore does what every store must do, also with names that Windows accepts
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-store_directory
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/suite.inc';

foreach (['plain', 'portable'] as $name) {
    mkdir(own_file($name));
    if ($name === 'portable') {
        touch(own_file('portable/.portable'));
    }
    try_store(new Bloom\DirectoryStore(own_file($name)));
    array_map(Bloom\Filter::drop(...), Bloom\Filter::list());
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
