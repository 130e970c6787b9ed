--TEST--
phpinfo() shows the files of secrets, and the secrets only as fingerprints
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-secret_settings
bloom.secret_file={TMP}/bloom-secret_settings.d/secrets
bloom.signing_key_file={TMP}/bloom-secret_settings.d/signing-keys
--SKIPIF--
<?php
require __DIR__ . '/../lib/secrets.inc';
skip_without_sodium();
?>
--FILE--
<?php
require __DIR__ . '/../lib/secrets.inc';

use Bloom\Builder;

ring('secrets', 'a', 'b');
ring('signing-keys', 'c');

/** Returns the lines of phpinfo() about rings. */
function shown(): string
{
    ob_start();
    (new ReflectionExtension('bloom'))->info();
    $text = ob_get_clean();
    foreach (['a', 'b', 'c'] as $name) {
        check(!str_contains($text, secret($name)) && !str_contains($text, bin2hex(secret($name))), "no secret $name");
    }
    preg_match_all('/^(?:secrets|signing|bloom\.s).*$/m', str_replace(own_file(), '{own}', $text), $lines);
    return implode("\n", $lines[0]) . "\n";
}

$before = shown();
echo $before;
check(ini_set('bloom.secret_file', '/nowhere') === false, 'a script cannot change it');
$one = (new Builder(1, keyed: true))->info()->keyedBy;
$two = (new Builder(1, secret: secret('b')))->info()->keyedBy;
$three = (new Builder(1, secret: secret('c')))->info()->keyedBy;
echo strtr(shown(), [$one => '<a>', $two => '<b>', $three => '<c>']);
check(count(array_unique([$one, $two, $three])) === 3, 'three fingerprints');

// The file is read once. Later changes apply to new processes.
ring('secrets', 'd');
check((new Builder(1, keyed: true))->info()->keyedBy === $one, 'the one that was read');
check(run('echo (new Bloom\Builder(1, keyed: true))->info()->keyedBy;') !== $one, 'the new one');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/secrets.inc';
clean();
?>
--EXPECT--
secrets in force, by fingerprint => none used yet
signing keys in force, by fingerprint => none used yet
bloom.secret_file => {own}/secrets => {own}/secrets
bloom.signing_key_file => {own}/signing-keys => {own}/signing-keys
secrets in force, by fingerprint => 2: <a>, <b>
signing keys in force, by fingerprint => 1: <c>
bloom.secret_file => {own}/secrets => {own}/secrets
bloom.signing_key_file => {own}/signing-keys => {own}/signing-keys
