--TEST--
Settings that are out of range are refused, and valid settings are fixed by the first use of the segment
--DESCRIPTION--
fault: setting-invalid
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_ini_limits
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

$values = fn () => print(ini_get('bloom.memory_limit') . ' ' . ini_get('bloom.lock_timeout') . "\n");
$values();
// These are system-level settings, which a script cannot change.
var_dump(ini_set('bloom.path', '/elsewhere'), ini_set('bloom.memory_limit', '1'), ini_set('bloom.lock_timeout', '1'));
foreach (['bloom.memory_limit' => ['0', '1M', '-1', '8589934592'], 'bloom.lock_timeout' => ['0', '0.5', '3600', '3601', '-1', 'nan', 'inf', '1e9', '', 'soon', '5s']] as $name => $texts) {
    foreach ($texts as $text) {
        echo "$name=$text: ", run("echo ini_get('$name');", [$name => $text]), "\n";
    }
}
Filter::load('booth', blob_of(['a']));
var_dump(ini_set('bloom.path', '/elsewhere'), Filter::open('booth')->info()->segment === segment_path());

// phpinfo() shows the effective values.
$shown = function () {
    ob_start();
    phpinfo(INFO_MODULES);
    preg_match('/^segment in force => (.*)$/m', ob_get_clean(), $match);
    return $match[1];
};
check($shown() === segment_path(), 'phpinfo() shows the segment: ' . $shown());
echo run('ob_start(); phpinfo(INFO_MODULES); preg_match("/^segment in force => (.*)$/m", ob_get_clean(), $match); echo $match[1];'), "\n";
preg_match_all('/^(?:version|blob format version|xxHash|bloom\.\w+) => .*$/m', run('phpinfo(INFO_MODULES);'), $rows);
echo preg_replace(['/\d+\.\d+\.\d+/', '#(/\S+)+#'], ['N', '{path}'], implode("\n", $rows[0])), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
0 5
bool(false)
bool(false)
bool(false)
bloom.memory_limit=0: 0
bloom.memory_limit=1M: 1M
bloom.memory_limit=-1: 
Warning: bloom.memory_limit must be 0 or more bytes; the previous value remains in effect in Unknown on line 0
0
bloom.memory_limit=8589934592: 8589934592
bloom.lock_timeout=0: 0
bloom.lock_timeout=0.5: 0.5
bloom.lock_timeout=3600: 3600
bloom.lock_timeout=3601: 
Warning: bloom.lock_timeout must be between 0 and 3600 seconds; the previous value remains in effect in Unknown on line 0
5
bloom.lock_timeout=-1: 
Warning: bloom.lock_timeout must be between 0 and 3600 seconds; the previous value remains in effect in Unknown on line 0
5
bloom.lock_timeout=nan: 
Warning: bloom.lock_timeout must be between 0 and 3600 seconds; the previous value remains in effect in Unknown on line 0
5
bloom.lock_timeout=inf: 
Warning: bloom.lock_timeout must be between 0 and 3600 seconds; the previous value remains in effect in Unknown on line 0
5
bloom.lock_timeout=1e9: 
Warning: bloom.lock_timeout must be between 0 and 3600 seconds; the previous value remains in effect in Unknown on line 0
5
bloom.lock_timeout=: 
Warning: bloom.lock_timeout must be between 0 and 3600 seconds; the previous value remains in effect in Unknown on line 0
5
bloom.lock_timeout=soon: 
Warning: bloom.lock_timeout must be between 0 and 3600 seconds; the previous value remains in effect in Unknown on line 0
5
bloom.lock_timeout=5s: 
Warning: bloom.lock_timeout must be between 0 and 3600 seconds; the previous value remains in effect in Unknown on line 0
5
bool(false)
bool(true)
none used yet
version => N
blob format version => 2
xxHash => N
bloom.lock_timeout => 5 => 5
bloom.memory_limit => 0 => 0
bloom.path => {path} => {path}
bloom.secret_file => no value => no value
bloom.signing_key_file => no value => no value
