--TEST--
Keys chosen to be false positives of an unkeyed filter pass a keyed filter only at its nominal rate
--DESCRIPTION--
fault: chosen-keys
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-hostile_keys
bloom.secret_file={TMP}/bloom-hostile_keys.d/secrets
--SKIPIF--
<?php
require __DIR__ . '/../lib/secrets.inc';
skip_without_sodium();
?>
--FILE--
<?php
require __DIR__ . '/../lib/secrets.inc';

use Bloom\{Blob, Builder};

ring('secrets', 'the host\'s');

function built(array $keys, int $seed, bool $keyed): Blob
{
    $builder = new Builder(count($keys), 0.01, $seed, keyed: $keyed);
    $builder->addMany($keys);
    return $builder->build(1.0);
}

/** Returns whether $hits false positives in $draws keys are within 4 sigma of the blob's rate. */
function nominal(Blob $blob, int $hits, int $draws): bool
{
    $rate = $blob->info()->measuredFalsePositiveRate;
    return abs($hits - $draws * $rate) <= 4 * sqrt($draws * $rate * (1 - $rate));
}

function passing(Blob $blob, array $keys): int
{
    return count(array_filter($keys, fn ($key) => $blob->mightContain($key)));
}

// An attacker with the blob knows its seed, geometry and bits, and can collect keys that pass.
$keys = keys('member', 20_000);
$plain = built($keys, 42, false);
$keyed = built($keys, 42, true);
$chosen = array_values(array_filter(keys('guess', 200_000), fn ($key) => $plain->mightContain($key)));
check(nominal($plain, count($chosen), 200_000), 'guesses pass at the nominal rate');
check(passing($plain, $chosen) === count($chosen), 'every one of the keys that he kept passes the unkeyed filter');
check(nominal($keyed, passing($keyed, $chosen), count($chosen)), 'the keyed one at the nominal rate');

// An attacker has the keyed blob, but not the secret. The attacker changes the head, so that lookups test the same
// bits with unkeyed digests.
$bytes = $keyed->toString();
$head_bytes = unpack('P', $bytes, 16)[1];
$unmasked = substr_replace($bytes, pack('V', 1), 56, 4);
$unmasked = substr_replace($unmasked, pack('P', 0), 272, 8);
$unmasked = substr_replace($unmasked, strrev(hash('xxh3', substr($unmasked, 0, $head_bytes - 8), true)), $head_bytes - 8, 8);
$unmasked = Blob::fromString($unmasked);
$chosen = array_values(array_filter(keys('guess', 200_000), fn ($key) => $unmasked->mightContain($key)));
check(count($chosen) > 1000, 'there are such keys');
check(nominal($keyed, passing($keyed, $chosen), count($chosen)), 'they pass the keyed filter at the nominal rate');

// These keys of 32 bytes are constructed to collide. For keys of 17 to 32 bytes, XXH3-64 multiplies a function of bytes
// 0 to 7 by a function of bytes 8 to 15. An attacker who knows the seed makes the first factor 0 by choosing bytes 0 to 7
// as the sum of the seed and the first 8 bytes of xxHash's default secret. Bytes 8 to 15 then have no effect.
$seed = 42;
$begin = pack('P', unpack('P', hex2bin('b8fe6c3923a44bbe'))[1] + $seed);
$members = $twins = [];
for ($n = 0; $n < 5000; $n++) {
    $hash = hash('sha256', "end$n", true);
    $members[] = $begin . substr($hash, 0, 8) . substr($hash, 16);
    $twins[] = $begin . substr($hash, 8, 8) . substr($hash, 16);
}

$plain = built($members, $seed, false);
$keyed = built($members, $seed, true);
check(passing($plain, $twins) === 5000, 'all twins pass the unkeyed filter');
check(nominal($keyed, passing($keyed, $twins), 5000), 'and the keyed one at the nominal rate');
check(passing($keyed, $members) === 5000, 'which has all its keys');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/secrets.inc';
clean();
?>
--EXPECT--
