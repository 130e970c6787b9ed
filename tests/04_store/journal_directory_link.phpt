--TEST--
An add() returns only after its record is where the link to the store's directory leads, even if an operator switches the link during the call
--DESCRIPTION--
fault: store-link-switched
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
echo shell_exec('command -v ' . compiler()) ? '' : 'skip no C compiler is installed';
?>
--INI--
bloom.path={TMP}/bloom-journal_directory_link
realpath_cache_size=4M
realpath_cache_ttl=3600
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/journals.inc';
use Bloom\{Builder, DirectoryStore, Filter, Journal};

// The library is built beside the tests, because many containers mount the temporary directory with noexec.
$shim = __DIR__ . '/journal_directory_link.so';
compile_library(__DIR__ . '/journal_directory_link.c', $shim);
$link = own_file('current');
mkdir(own_file('old'));
symlink('old', $link);

// A process that has used the store for a while.
$store = new DirectoryStore($link);
$journal = new Journal('tags', $store);
$builder = new Builder(100);
$builder->add('built');
$builder->build(mark: $journal->mark())->publish($store, 'tags');
Filter::sync('tags', $store, 0);
$journal->add('before');
shell_exec('cd ' . escapeshellarg(own_file()) . ' && cp -a old new && ln -s new next && mv -T next current');
echo run('(new Bloom\Journal("tags", new Bloom\DirectoryStore(' . var_export(own_file('new'), true) . ')))->add("elsewhere");', ['bloom.path' => own_file('host')]);
$tags = Filter::open('tags');
check(!$tags->mightContain('elsewhere'), 'not yet read');
Filter::sync('tags', $store, 0);
check($tags->mightContain('elsewhere') && $tags->mightContain('before'), 'the sync reads the journal of the new directory');
$size = filesize(own_file('old/tags:journal'));
$journal->add('after');
clearstatcache();
check(filesize(own_file('old/tags:journal')) === $size, 'nothing is appended in the old directory');

// The link is switched at a step of the append: by the next directory, or by a link of the file itself.
$records = static function (string $directory): int {
    $store = new DirectoryStore(own_file($directory));
    return substr_count(implode('', $store->read(['tags:journal' => $GLOBALS['start']], 1 << 30)['tags:journal']), 'the key');
};
foreach (['directory', 'file'] as $what) {
    foreach (['lock', 'write', 'sync'] as $step) {
        foreach (['one', 'two'] as $directory) {
            remove_tree(own_file($directory));
        }
        mkdir(own_file('one'));
        $start = (new DirectoryStore(own_file('one')))->last('tags:journal')[0];
        shell_exec('cd ' . escapeshellarg(own_file()) . ' && cp -a one two && rm -rf current current.next store && '
            . ($what === 'directory' ? 'ln -s one current && ln -s two current.next'
                : 'mkdir store && ln -s ../one/tags:journal store && ln -s ../two/tags:journal store/tags:journal.next && ln -s store current'));
        $switched = $what === 'directory' ? own_file('current') : own_file('store/tags:journal');
        $said = run('require ' . var_export(dirname(__DIR__) . '/lib/journals.inc', true) . ';
            $store = new Bloom\DirectoryStore(own_file("current"));
            echo $store->append("tags:journal", [record("the key")]);', [],
            'LD_PRELOAD=' . escapeshellarg(rtrim("$shim:" . getenv('LD_PRELOAD'), ':')) . ' BLOOM_TEST_LINK=' . escapeshellarg($switched) . " BLOOM_TEST_STEP=$step");
        check(!file_exists("$switched.next") && !is_link("$switched.next"), "$what, $step: the link was switched");
        check(preg_match('/^\d+-\d+-[0-9a-f]{16}$/', $said) === 1, "$what, $step: $said");
        check($records('two') === 1, "$what, $step: the key is where the link leads");
    }
}

// A trim replaces the file to which the link leads now.
remove_tree(own_file('store'));
mkdir(own_file('store'));
unlink($link);
symlink('store', $link);
foreach (['one', 'two'] as $directory) {
    $file = own_file("$directory/tags:journal");
    @unlink($file);
    $end = (new DirectoryStore(own_file($directory)))->append('tags:journal', [record("1 $directory"), record("2 $directory")]);
    @unlink(own_file('store/tags:journal'));
    symlink("../$directory/tags:journal", own_file('store/tags:journal'));
    $size = filesize($file);
    $store->trim('tags:journal', $end);
    clearstatcache();
    check(filesize($file) < $size && is_link(own_file('store/tags:journal')), "$directory: trimmed");
}
echo "done\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
@unlink(__DIR__ . '/journal_directory_link.so');
clean();
?>
--EXPECT--
done
