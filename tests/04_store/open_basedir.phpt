--TEST--
open_basedir applies to every path that a script passes, but not to the segment, which the administrator sets
--DESCRIPTION--
fault: open-basedir
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-open_basedir
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\DirectoryStore;

// In the inner store, a chunk, a head and a chunk directory are replaced by links to identical files outside.
foreach (['inside', 'outside'] as $where) {
    mkdir(own_file($where), 0700);
    $blob = chunked(keys('k', 3000), builtAt: 1);
    $blob->save(own_file("$where/blob"));
    file_put_contents(own_file("$where/keys"), "a\nb\n");
    foreach (['plain', 'head', 'chunks', 'dir'] as $name) {
        $blob->publish(new DirectoryStore(own_file($where)), $name);
    }
}
[$in, $out] = [own_file('inside'), own_file('outside')];
$chunk = fn (string $in, string $name) => glob("$in/$name:chunks/*/*")[0];
$lead_out = function (string $path) use ($in, $out): void {
    remove_tree($path);
    symlink(str_replace($in, $out, $path), $path);
};
$lead_out("$in/head");
$lead_out($chunk($in, 'chunks'));
$lead_out("$in/dir:chunks");
symlink("$out/made", "$in/link");
mkdir("$out/empty");
symlink("$out/empty", "$in/made:chunks");
(new DirectoryStore($out))->last('out:journal');
symlink("$out/out:journal", "$in/out:journal");
$before = [tree($out), array_map(fn ($name) => is_file("$out/$name") ? md5_file("$out/$name") : '', tree($out))];
[$digest, $other] = [basename($chunk($in, 'plain')), str_repeat('0', 32)];

$code = '[$in, $out, $early] = [$argv[1], $argv[2], new Bloom\DirectoryStore($argv[2])];
    $inner = new Bloom\DirectoryStore($in);
    $blob = Bloom\Blob::open("$in/blob");
    ini_set("open_basedir", $in);
    set_error_handler(fn (int $level, string $text) => (bool) (print str_contains($text, "open_basedir restriction") ? "W " : "$text "));
    $try = function (string $what, callable $call) use ($in, $out) {
        try {
            $answer = json_encode($call());
        } catch (Throwable $error) {
            $answer = $error::class . ": " . strtr($error->getMessage(), [$in => "{in}", $out => "{out}"]);
        }
        echo preg_replace("/\b[0-9a-f]{32}\b|(?<=\/)[0-9a-f]{2}(?=\/)/", "…", "$what: $answer"), "\n";
    };
    ' . <<<CODE
    \$try('open', fn () => Bloom\\Blob::open("\$out/blob"));
    \$try('open by a link', fn () => Bloom\\Blob::open("\$in/head"));
    \$try('save', fn () => \$blob->save("\$out/made"));
    \$try('save over', fn () => \$blob->save("\$out/blob"));
    \$try('save over a directory', fn () => \$blob->save(\$out));
    \$try('save to where nothing can be', fn () => \$blob->save("\$out/no/thing"));
    \$try('save by dots', fn () => \$blob->save("\$in/../outside/made"));
    \$try('save by a link', fn () => \$blob->save("\$in/head"));
    \$try('addFile', fn () => (new Bloom\\Builder(10))->addFile("\$out/keys"));
    \$try('a store', fn () => (new Bloom\\DirectoryStore(\$out))->getMultiple(['plain']));
    foreach (['getMultiple', 'missing', 'deleteMultiple'] as \$method) {
        \$try("a store made before: \$method", fn () => \$early->\$method(['plain']));
        \$try("a head that leads out: \$method", fn () => \$inner->\$method(['head']));
        \$try("a chunk that leads out: \$method", fn () => \$inner->\$method(['chunks:$digest']));
        \$try("a directory that leads out: \$method", fn () => \$inner->\$method(['dir:$digest']));
        \$try("and what is not there: \$method", fn () => \$inner->\$method(['dir:$other']));
    }
    foreach ([[\$early, 'new:journal', 'a store made before'], [\$inner, 'out:journal', 'a journal that leads out']] as [\$store, \$journal, \$what]) {
        \$try("\$what: append", fn () => \$store->append(\$journal, ['BLJ2' . pack('V', 48) . str_repeat('x', 40)]));
        \$try("\$what: last", fn () => \$store->last(\$journal));
        \$try("\$what: read", fn () => \$store->read([\$journal => '1-0-0000000000000000'], 1));
        \$try("\$what: trim", fn () => \$store->trim(\$journal, '1-0-0000000000000000'));
    }
    \$try('a store made before: set', fn () => \$early->set('made', 'x'));
    \$try('a directory that leads out: set', fn () => \$inner->set('made:$digest', 'x'));
    \$try('fetch', fn () => Bloom\\Blob::fetch(\$inner, 'head'));
    \$try('publish', fn () => \$blob->publish(\$early, 'made'));
    CODE . '
    // Files inside the allowed directory may be used, and so may the segment.
    $try("inside", fn () => [Bloom\Blob::open("$in/blob")->info()->keys, $blob->save("$in/made"), (new Bloom\Builder(10))->addFile("$in/keys"), array_keys($inner->getMultiple(["plain"])), $inner->missing(["plain", "none"])]);
    $try("publish inside", fn () => [$blob->publish($inner, "new") > 0, Bloom\Blob::fetch($inner, "new")->info()->keys]);
    $try("the segment", fn () => [Bloom\Filter::load("booth", Bloom\Blob::fetch($inner, "plain"))->name(), Bloom\Filter::list()]);
    $try("the segment by load", fn () => Bloom\Filter::load("booth", $blob)->mightContain("k1"));
';
echo (new Child($code, [], [$in, $out]))->end(), "\n";
check([tree($out), array_map(fn ($name) => is_file("$out/$name") ? md5_file("$out/$name") : '', tree($out))] === $before,
    'nothing outside has changed');

// A script cannot change the path of the segment, with or without open_basedir.
echo run('var_dump(ini_set("bloom.path", "/tmp"));', ['open_basedir' => dirname(__DIR__) . ':' . sys_get_temp_dir()]), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
W open: Bloom\BloomException: {out}/blob: cannot be opened: Operation not permitted
W open by a link: Bloom\BloomException: {in}/head: cannot be opened: Operation not permitted
W save: Bloom\BloomException: {out}/made: cannot be written: Operation not permitted
W save over: Bloom\BloomException: {out}/blob: cannot be written: Operation not permitted
W save over a directory: Bloom\BloomException: {out}: cannot be written: Operation not permitted
W save to where nothing can be: Bloom\BloomException: {out}/no/thing: cannot be written: Operation not permitted
W save by dots: Bloom\BloomException: {in}/../outside/made: cannot be written: Operation not permitted
W save by a link: Bloom\BloomException: {in}/head: cannot be written: Operation not permitted
W addFile: Bloom\BloomException: {out}/keys: cannot be opened: Operation not permitted
W a store: Bloom\StoreException: {out}/plain: cannot be read: open_basedir does not allow it
W a store made before: getMultiple: Bloom\StoreException: {out}/plain: cannot be read: open_basedir does not allow it
W a head that leads out: getMultiple: Bloom\StoreException: {in}/head: cannot be read: open_basedir does not allow it
W a chunk that leads out: getMultiple: Bloom\StoreException: {in}/chunks:chunks/…/…: cannot be read: open_basedir does not allow it
W a directory that leads out: getMultiple: Bloom\StoreException: {in}/dir:chunks/…/…: cannot be read: open_basedir does not allow it
W and what is not there: getMultiple: Bloom\StoreException: {in}/dir:chunks/…/…: cannot be read: open_basedir does not allow it
W a store made before: missing: Bloom\StoreException: {out}/plain: cannot be checked: open_basedir does not allow it
W a head that leads out: missing: Bloom\StoreException: {in}/head: cannot be checked: open_basedir does not allow it
W a chunk that leads out: missing: Bloom\StoreException: {in}/chunks:chunks/…/…: cannot be checked: open_basedir does not allow it
W a directory that leads out: missing: Bloom\StoreException: {in}/dir:chunks/…/…: cannot be checked: open_basedir does not allow it
W and what is not there: missing: Bloom\StoreException: {in}/dir:chunks/…/…: cannot be checked: open_basedir does not allow it
W a store made before: deleteMultiple: Bloom\StoreException: {out}/plain: cannot be deleted: open_basedir does not allow it
W a head that leads out: deleteMultiple: Bloom\StoreException: {in}/head: cannot be deleted: open_basedir does not allow it
W a chunk that leads out: deleteMultiple: Bloom\StoreException: {in}/chunks:chunks/…/…: cannot be deleted: open_basedir does not allow it
W a directory that leads out: deleteMultiple: Bloom\StoreException: {in}/dir:chunks/…/…: cannot be deleted: open_basedir does not allow it
W and what is not there: deleteMultiple: Bloom\StoreException: {in}/dir:chunks/…/…: cannot be deleted: open_basedir does not allow it
W a store made before: append: Bloom\StoreException: {out}/new:journal: cannot be opened: open_basedir does not allow it
W a store made before: last: Bloom\StoreException: {out}/new:journal: cannot be opened: open_basedir does not allow it
W a store made before: read: Bloom\StoreException: {out}/new:journal: cannot be opened: open_basedir does not allow it
W a store made before: trim: Bloom\StoreException: {out}/new:journal: cannot be opened: open_basedir does not allow it
W a journal that leads out: append: Bloom\StoreException: {in}/out:journal: cannot be opened: open_basedir does not allow it
W a journal that leads out: last: Bloom\StoreException: {in}/out:journal: cannot be opened: open_basedir does not allow it
W a journal that leads out: read: Bloom\StoreException: {in}/out:journal: cannot be opened: open_basedir does not allow it
W a journal that leads out: trim: Bloom\StoreException: {in}/out:journal: cannot be opened: open_basedir does not allow it
W a store made before: set: Bloom\StoreException: {out}/made: cannot be written: Operation not permitted
W a directory that leads out: set: Bloom\StoreException: {in}/made:chunks/…/…: cannot be written: Operation not permitted
W fetch: Bloom\StoreException: {in}/head: cannot be read: open_basedir does not allow it
W publish: Bloom\StoreException: {out}/made: cannot be read: open_basedir does not allow it
inside: [3000,null,2,["plain"],["none"]]
publish inside: [true,3000]
the segment: ["booth",["booth"]]
the segment by load: true
bool(false)
