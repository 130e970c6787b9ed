--TEST--
FastCGI parameters change no setting of a new worker, and the pool's own values apply
--DESCRIPTION--
fault: setting-ignored
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/fpm.inc';
require __DIR__ . '/../lib/secrets.inc';
skip_without_fpm();
skip_without_sodium();
?>
--INI--
bloom.path={TMP}/bloom-fpm_settings_fresh
--FILE--
<?php
require __DIR__ . '/../lib/secrets.inc';
require __DIR__ . '/../lib/fpm.inc';

use Bloom\Builder;

chmod(own_file(), 0755);
foreach (['mine', 'other'] as $directory) {
    mkdir(own_file($directory), 0700);
    give(own_file($directory), 'www-data');
}
foreach (['secrets', 'signers', 'theirs'] as $ring) {
    give(ring($ring, $ring), 'www-data');
}
$settings = [
    'bloom.path' => own_file('mine'),
    'bloom.memory_limit' => '1000000',
    'bloom.lock_timeout' => '7',
    'bloom.secret_file' => own_file('secrets'),
    'bloom.signing_key_file' => own_file('signers'),
];
$page = <<<'PHP'
    $blob = (new Bloom\Builder(10, seed: 1, keyed: true))->build(builtAt: 1.0);
    try {
        Bloom\Filter::load('booth', $blob);
        $unsigned = 'loaded';
    } catch (Bloom\SignatureException) {
        $unsigned = 'refused';
    }
    $info = Bloom\Filter::load('booth', $blob->sign('booth'))->info();
    $all = ini_get_all('bloom', false);
    ksort($all);
    return ['segment' => $info->segment, 'limit' => $info->memoryLimit, 'secret' => $info->keyedBy, 'signer' => $info->signedBy, 'unsigned' => $unsigned, 'shown' => $all];
    PHP;
// One pool starts a new worker for each request.
$fpm = new FpmServer(['fresh' => 'www-data', 'kept' => 'www-data'], $page, ['fresh' => $settings + ['pm.max_requests' => '1'], 'kept' => $settings]);
$fingerprint = fn (string $name) => (new Builder(1, secret: secret($name)))->info()->keyedBy;
$say = function (array $answer) use ($fingerprint): string {
    unset($answer['pid']);
    return strtr(json_encode($answer, JSON_UNESCAPED_SLASHES), [own_file() => '{own}', $fingerprint('secrets') => '{secrets}', $fingerprint('signers') => '{signers}']);
};

echo $right = $say($fpm->ask('fresh')), "\n";
$other = [
    'bloom.path' => own_file('other'),
    'bloom.memory_limit' => '2000000',
    'bloom.lock_timeout' => '8',
    'bloom.secret_file' => own_file('theirs'),
    'bloom.signing_key_file' => '',
];
foreach (['PHP_VALUE', 'PHP_ADMIN_VALUE'] as $parameter) {
    foreach ($other as $name => $value) {
        $said = $say($fpm->ask('fresh', parameters: [$parameter => "$name=\"$value\""]));
        check($said === $right, "$parameter $name: $said");
    }
}

// The first requests of workers that keep running.
$all = implode("\n", array_map(fn (string $name, string $value) => "$name=\"$value\"", array_keys($other), $other));
$pids = [];
for ($i = 0; $i < 200 && count($pids) < 4; $i++) {
    $answer = $fpm->ask('kept', parameters: [$i % 2 ? 'PHP_VALUE' : 'PHP_ADMIN_VALUE' => $all]);
    $pids[$answer['pid']] = true;
    check($say($answer) === $right, 'kept: ' . $say($answer));
}
foreach ($fpm->ask_each('kept') as $answer) {
    check($say($answer) === $right, 'later: ' . $say($answer));
}
check(tree(own_file('other')) === [], 'no file was created in the other segment');
$fpm->stop();
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
{"segment":"{own}/mine","limit":1000000,"secret":"{secrets}","signer":"{signers}","unsigned":"refused","shown":{"bloom.lock_timeout":"7","bloom.memory_limit":"1000000","bloom.path":"{own}/mine","bloom.secret_file":"{own}/secrets","bloom.signing_key_file":"{own}/signers"}}
