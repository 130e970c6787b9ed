--TEST--
The status page is closed until a setting opens it for addresses or with a password
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-status_access
--FILE--
<?php
require __DIR__ . '/status.inc';
require status_page();

use Bloom\Status\Access;

$hash = password_hash('open sesame', PASSWORD_BCRYPT, ['cost' => 4]);
ini_set('error_log', own_file('log'));
$ask = static function (string $address, string $allow = '', string $hash = '', ?string $password = null): string {
    putenv("BLOOM_STATUS_ALLOW=$allow");
    putenv("BLOOM_STATUS_PASSWORD_HASH=$hash");
    $_SERVER['REMOTE_ADDR'] = $address;
    unset($_SERVER['PHP_AUTH_PW']);
    if ($password !== null) {
        $_SERVER['PHP_AUTH_PW'] = $password;
    }
    [$status, $why] = Access::refusal() ?? [200, ''];
    return trim("$status $why");
};

echo $ask('127.0.0.1'), "\n";
echo $ask('192.0.2.1', '127.0.0.1, ::1'), "\n";
echo $ask('192.0.2.1', hash: $hash), "\n";
echo $ask('192.0.2.1', hash: $hash, password: ''), "\n";
echo $ask('192.0.2.1', hash: $hash, password: 'open sesame'), "\n";

$cases = [
    ['10.0.0.1', '10.0.0.1', true], ['10.0.0.2', '10.0.0.1', false], ['10.9.8.7', '10.0.0.0/8', true], ['11.0.0.1', '10.0.0.0/8', false],
    ['192.0.2.127', '192.0.2.64/26', true], ['192.0.2.128', '192.0.2.64/26', false], ['198.51.100.1', '0.0.0.0/0', true],
    ['::1', '0.0.0.0/0', false], ['127.0.0.1', '::/0', false], ['::ffff:10.0.0.1', '10.0.0.0/8', true],
    ['2001:db8::5', '2001:db8::/32', true], ['2001:db9::5', '2001:db8::/32', false], ['::1', "127.0.0.1\n ::1", true],
    ['', '127.0.0.1', false], ['', '0.0.0.0/0 ::/0', false], ['unix:', '::1', false],
];
foreach ($cases as [$address, $allow, $isAllowed]) {
    check(str_starts_with($ask($address, $allow), '200') === $isAllowed, "$address in $allow");
}
// With both settings, both must match.
check(str_starts_with($ask('10.0.0.1', '10.0.0.1', $hash), '401'), 'the password is missing');
check(str_starts_with($ask('10.0.0.2', '10.0.0.1', $hash, 'open sesame'), '403'), 'the address is wrong');
check($ask('10.0.0.1', '10.0.0.1', $hash, 'open sesame') === '200', 'both match');
// The hash can be in a file. If the file is missing or has no hash, the page stays closed.
file_put_contents(own_file('hash'), "$hash\n");
check($ask('10.0.0.1', hash: own_file('hash'), password: 'open sesame') === '200', 'the hash of a file');
check(str_starts_with($ask('10.0.0.1', hash: own_file('hash'), password: 'wrong'), '401'), 'a wrong password');
// A path of Windows, which is also the name of a file elsewhere.
chdir(own_file());
file_put_contents('C:\hash', "$hash\n");
check($ask('10.0.0.1', hash: 'C:\hash', password: 'open sesame') === '200', 'the hash of a file on Windows');
file_put_contents(own_file('empty'), "\n");
foreach ([own_file('missing'), own_file('empty')] as $file) {
    check(str_starts_with($ask('10.0.0.1', '10.0.0.1', $file, ''), '403'), basename($file));
}
// A mistake in a setting opens nothing. Only the log shows the value.
foreach (['localhost', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '10.0.0/8', '::1/129', '127.0.0.1 x'] as $allow) {
    $answer = $ask('127.0.0.1', $allow);
    check(str_starts_with($answer, '403') && !str_contains($answer, $allow), $allow);
}
echo $ask('127.0.0.1', '127.0.0.1', 'open sesame', 'open sesame'), "\n";
echo preg_replace('/^\[.*?\] /m', '', implode(array_slice(file(own_file('log')), -2)));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
403 This status page is closed. To open it, set BLOOM_STATUS_PASSWORD_HASH to a hash of password_hash() or a file that contains one, or BLOOM_STATUS_ALLOW to the addresses that may see it.
403 This status page is not open to 192.0.2.1. BLOOM_STATUS_ALLOW lists the addresses that may see it.
401 This status page needs a password. Any user name is accepted.
401 This status page needs a password. Any user name is accepted.
200
403 This status page is closed, because one of its settings is invalid. PHP's error log names it.
bloom status page: BLOOM_STATUS_ALLOW: "x" is neither an address nor a network such as 10.0.0.0/8
bloom status page: BLOOM_STATUS_PASSWORD_HASH is not a hash of password_hash()
