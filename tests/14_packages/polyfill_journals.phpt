--TEST--
The package in pure PHP and the extension find the keys that the other one adds to a journal
--DESCRIPTION--
fault: no-mark
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/secrets.inc';
skip_without_sodium();
?>
--FILE--
<?php
require __DIR__ . '/twin.inc';
$base = sys_get_temp_dir() . '/bloom-polyfill_journals';
mkdir($base, 0700);
file_put_contents("$base/key", str_repeat('0123456789abcdef', 4) . "\n");
chmod("$base/key", 0600);

/** Runs a step with the extension or the package. */
$run = function (string $how, string $step, string $settings) use ($base): string {
    $load = $how === 'package' ? '-n -d auto_prepend_file=' . escapeshellarg(dirname(__DIR__, 2) . '/packages/php/tests/prepend.php')
        : getenv('TEST_PHP_EXTRA_ARGS');
    return str_pad($how, 10) . shell_exec(PHP_BINARY . " $load -d bloom.path=" . escapeshellarg("$base/$how") . " $settings "
        . escapeshellarg(__DIR__ . '/polyfill_journals.inc') . ' ' . escapeshellarg($step) . ' ' . escapeshellarg("$base/store") . ' 2>&1');
};
$steps = ['package publish', 'package unmarked', 'extension add one', 'package sync', 'extension sync', 'package add two', 'package sync', 'extension sync',
    'package without its journal', 'extension publish again', 'package add four', 'package sync', 'extension sync', 'package load', 'package no lag'];
foreach (['' => 'not signed', "-d bloom.signing_key_file=$base/key" => 'signed'] as $settings => $title) {
    mkdir("$base/store");
    echo "--- $title\n";
    foreach ($settings === '' ? $steps : ['extension publish', 'package add two', 'package sync', 'package load', 'extension sync'] as $step) {
        [$how, $step] = explode(' ', $step, 2);
        $line = str_replace($base, '{base}', preg_replace('/ #\d+$/m', '', $run($how, $step, $settings)));
        echo strlen($line) > 200 ? substr($line, 0, 110) . "…\n" : $line;
    }
    exec("rm -rf $base/store $base/package $base/extension");
}
exec('rm -rf ' . escapeshellarg($base));
?>
--EXPECT--
--- not signed
package   publish: null
package   unmarked: Bloom\KindException: tags: the filter has a journal, but the blob has no mark, so no host …
extension add one: 1
package   sync: "switched" "built one"
extension sync: "switched" "built one"
package   add two: 2
package   sync: "current" "built one two three"
extension sync: "current" "built one two three"
package   without its journal: Bloom\KindException: other: the blob has a mark, so it can only be loaded together with its journal (pass a store that implements JournalStore)
extension publish again: null
package   add four: 1
package   sync: "switched" "four built again"
extension sync: "switched" "four built again"
package   load: Bloom\LoadedFilter "four built again"
package   no lag: "current" "built one two three four never built again"
--- signed
extension publish: null
package   add two: Bloom\BloomException: bloom.signing_key_file needs the extension bloom
package   sync: Bloom\BloomException: bloom.signing_key_file needs the extension bloom #0 Bloom\NotFoundException: {base}/package/tags: no such filter is loaded
package   load: Bloom\BloomException: bloom.signing_key_file needs the extension bloom #0 Bloom\NotFoundException: {base}/package/tags: no such filter is loaded
extension sync: "switched" "built"
