--TEST--
like() of a keyed blob returns a builder keyed with the current secret, or with the secret that is passed
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-secret_like
bloom.secret_file={TMP}/bloom-secret_like.d/secrets
--SKIPIF--
<?php
require __DIR__ . '/../lib/secrets.inc';
skip_without_sodium();
?>
--FILE--
<?php
require __DIR__ . '/../lib/secrets.inc';
use Bloom\{Builder, ReverseIndexBuilder};

ring('secrets', 'current', 'before');
$names = [];
foreach (['current', 'before', 'own'] as $name) {
    $names[(new Builder(1, secret: secret($name)))->info()->keyedBy] = $name;
}
$keyedBy = fn (Builder|ReverseIndexBuilder $builder): string => $names[$builder->info()->keyedBy ?? ''] ?? 'nothing';

$plain = blob_of(['a']);
$kinds = ['current' => ['keyed' => true], 'before' => ['secret' => secret('before')], 'own' => ['secret' => secret('own')]];
foreach ($kinds as $name => $arguments) {
    $blob = blob_of($keys = keys('key', 500), 1000, ...$arguments);
    $index = (new ReverseIndexBuilder(100, 1000, ...$arguments))->build();
    echo "$name: ";
    foreach ([[], ['keyed' => true], ['keyed' => false], ['secret' => secret('own')], ['keyed' => false, 'secret' => secret('own')]] as $given) {
        $builder = Builder::like($blob, ...$given);
        $of = $keyedBy($builder);
        check($of === $keyedBy(ReverseIndexBuilder::like($index, ...$given)), 'a reverse index likewise');
        check($builder->info()->shards === $blob->info()->shards && $builder->info()->seed === 1, 'all else is kept');
        $builder->addMany($keys);
        $built = $builder->build(builtAt: $blob->info()->builtAt);
        check(($built->toString() === $blob->toString()) === ($of === $name), 'the same bytes with the same secret');
        check($of === 'nothing' || $built->mightContain('key1') || $of === 'own', 'found');
        echo $of, ' ';
    }
    echo "\n";
}
echo 'unkeyed: ', $keyedBy(Builder::like($plain)), ' ', $keyedBy(Builder::like($plain, keyed: true)), ' ',
    $keyedBy(Builder::like($plain, secret: secret('own'))), "\n";
$blob = blob_of(['a'], keyed: true);
echo thrown(fn () => Builder::like($blob, secret: 'short')), "\n";
$bytes = var_export(base64_encode($blob->toString()), true);
echo run("\$blob = Bloom\\Blob::fromString(base64_decode($bytes)); echo thrown(fn () => Bloom\\Builder::like(\$blob));",
    ['bloom.secret_file' => '']), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
current: current current nothing own own 
before: current current nothing own own 
own: current current nothing own own 
unkeyed: nothing current own
ValueError: Bloom\Builder::like(): Argument #9 ($secret) must be 32 bytes
Bloom\SecretException: no secret is configured (set bloom.secret_file; openssl rand -hex 32 makes a secret)
