--TEST--
NAME comes before STORE in every command; the other order is accepted if it is clear, and otherwise explained
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli();
$cli->writeKeys('keys', 1, 100);
mkdir("$cli->files/store");
$show = static function (string ...$commands) use ($cli): void {
    foreach ($commands as $command) {
        $result = $cli->shell("bloom $command");
        echo "$ bloom $command\n$result->output$result->errors", "exit $result->code\n";
    }
};
/** Checks that calls print the same, and succeed. */
$same = static function (string ...$commands) use ($cli): void {
    $results = array_map(static fn (string $command): Result => $cli->shell("bloom $command"), $commands);
    foreach ($results as $i => $result) {
        check($result->code === 0 && $result->output === $results[0]->output, "$commands[$i]: exit $result->code $result->output$result->errors");
    }
};
$cli->run(['build', '--seed=1', '--built-at=1000', 'a.bloom', 'keys']);
$cli->run(['publish', 'tags', 'a.bloom', './store']);

// A path with a slash, or a URL, is never a name.
$same('publish --force tags a.bloom ./store', 'publish --force ./store tags a.bloom', 'publish --force tags ./store a.bloom',
    'publish --force tags ./a.bloom ./store', 'publish --force ./store tags ./a.bloom', 'publish --force tags ./a.bloom store',
    'publish --force tags a.bloom file://$PWD/store');
$same('mark tags ./store', 'mark ./store tags', 'mark tags dir:store', 'mark dir:store tags', 'mark DIR:store tags');
$same('add tags ./store key', 'add ./store tags key', 'add tags store http://key/', 'add tags store ./key');
$same('sync --quiet tags tags ./store', 'sync --quiet ./store tags', 'sync --quiet tags ./store tags');
$same('pin tags ./store current | cut -c 1-60', 'pin ./store tags current | cut -c 1-60', 'pin tags current ./store | cut -c 1-60');
$same('unpin tags ./store', 'unpin ./store tags');
// A command that only reads from the store also accepts a directory without a slash.
$same('info tags ./store', 'info ./store tags', 'info tags store', 'info store tags');
$same('diff tags ./store', 'diff ./store tags', 'diff tags store', 'diff store tags');
$same('list --format=json tags ./store', 'list --format=json ./store tags', 'list --format=json store tags', 'list --format=json store');
$same('sync --quiet tags store', 'sync --quiet store tags');

// Otherwise, the message says what belongs where. The directory "other" may also be the name of a filter.
mkdir("$cli->files/other");
$show('publish store tags a.bloom', 'publish a.bloom tags store', 'publish other a.bloom missing', 'mark store tags', 'add store tags key', 'add tags key store',
    'rollback store tags', 'pin store tags current', 'pin tags current store', 'unpin store tags', 'snapshot store tags', 'restore store tags');
$show('load a.bloom tags', 'load ./a.bloom tags', 'sign a.bloom tags', 'export out.bloom tags', 'build keys', 'build keys out.bloom', 'check keys a.bloom');
$show('publish redis://localhost redis://localhost a.bloom', 'rollback ./store', 'rollback tags', 'sync ./store', 'sync tags', 'info ./store',
    'info redis://localhost', 'list tags', 'health ./store');
echo $cli->names(), ' ', implode(' ', array_diff(scandir("$cli->files/other"), ['.', '..'])), "\n";
?>
--EXPECT--
$ bloom publish store tags a.bloom
bloom: NAME comes first: "a.bloom" is not a directory, but "store" is; write bloom publish NAME BLOB STORE
exit 64
$ bloom publish a.bloom tags store
bloom: NAME comes first: "tags" is not a file, but "a.bloom" is; write bloom publish NAME BLOB STORE
exit 64
$ bloom publish other a.bloom missing
bloom: NAME comes first: "missing" is not a directory, but "other" is; write bloom publish NAME BLOB STORE
exit 64
$ bloom mark store tags
bloom: NAME comes first: "tags" is not a directory, but "store" is; write bloom mark NAME STORE
exit 64
$ bloom add store tags key
bloom: NAME comes first: "tags" is not a directory, but "store" is; write bloom add NAME STORE [KEYS...]
exit 64
$ bloom add tags key store
bloom: STORE comes before the keys: "key" is not a directory, but "store" is a store; write bloom add NAME STORE [KEYS...]
exit 64
$ bloom rollback store tags
bloom: NAME comes first: "tags" is not a directory, but "store" is; write bloom rollback NAME STORE [VERSION]
exit 64
$ bloom pin store tags current
bloom: NAME comes first: "tags" is not a directory, but "store" is; write bloom pin NAME STORE [VERSION]
exit 64
$ bloom pin tags current store
bloom: STORE: "current" is not a directory, but "store" is; write bloom pin NAME STORE [VERSION]
exit 64
$ bloom unpin store tags
bloom: NAME comes first: "tags" is not a directory, but "store" is; write bloom unpin NAME STORE
exit 64
$ bloom snapshot store tags
bloom: NAME comes first: "tags" is not a directory, but "store" is; write bloom snapshot [NAME...] PLACE
exit 64
$ bloom restore store tags
bloom: NAME comes first: "tags" is not a directory, but "store" is; write bloom restore [NAME...] PLACE
exit 64
$ bloom load a.bloom tags
bloom: NAME comes first: "tags" is not a file, but "a.bloom" is; write bloom load NAME BLOB
exit 64
$ bloom load ./a.bloom tags
bloom: NAME comes first: "tags" is not a file, but "./a.bloom" is; write bloom load NAME BLOB
exit 64
$ bloom sign a.bloom tags
bloom: NAME comes first: "tags" is not a file, but "a.bloom" is; write bloom sign NAME BLOB [OUTPUT]
exit 64
$ bloom export out.bloom tags
bloom: NAME comes first: "out.bloom" is not a filter on this host, but "tags" is; write bloom export NAME OUTPUT
exit 64
$ bloom build keys
bloom: OUTPUT comes first: keys exists and is not a blob, so it is not replaced; write bloom build OUTPUT [KEYS...], such as bloom build keys.bloom keys
exit 64
$ bloom build keys out.bloom
bloom: OUTPUT comes first: keys exists and is not a blob, so it is not replaced; write bloom build OUTPUT [KEYS...], such as bloom build keys.bloom keys
exit 64
$ bloom check keys a.bloom
bloom: KEYS: a.bloom is a blob, not a key file (the first argument is the blob)
exit 64
$ bloom publish redis://localhost redis://localhost a.bloom
bloom: NAME comes first: "redis://localhost" must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -; write bloom publish NAME BLOB STORE
exit 64
$ bloom rollback ./store
bloom: NAME is missing: write bloom rollback NAME STORE [VERSION]
exit 64
$ bloom rollback tags
bloom: STORE is missing: write bloom rollback NAME STORE [VERSION]
exit 64
$ bloom sync ./store
bloom: NAME is missing: write bloom sync NAME... STORE
exit 64
$ bloom sync tags
bloom: STORE is missing: write bloom sync NAME... STORE
exit 64
$ bloom info ./store
bloom: NAME is missing: "./store" is a store; write bloom info NAME STORE, or bloom list STORE
exit 64
$ bloom info redis://localhost
bloom: NAME is missing: "redis://localhost" is a store; write bloom info NAME STORE, or bloom list STORE
exit 64
$ bloom list tags
bloom: STORE: "tags" is not a directory; write bloom list [[NAME...] STORE] (bloom info shows one filter on this host)
exit 64
$ bloom health ./store
bloom: NAME: "./store" must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -; write bloom health [NAME...]
exit 64
a.bloom keys other store
