--TEST--
The page of phpinfo() shows the filters in a table, escapes all texts, and fixes no setting of the worker
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/fpm.inc';
skip_without_fpm();
?>
--INI--
bloom.path={TMP}/bloom-phpinfo_page
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/fpm.inc';

$page = <<<'PHP'
    if ($action === 'add') {
        Bloom\LiveFilter::create('tags', 100, seed: 1)->add('a');
    }
    ob_start();
    phpinfo(INFO_MODULES);
    $page = ob_get_clean();
    preg_match('~<tr><td class="e">segment in force </td><td class="v">(.*?) </td></tr>~', $page, $segment);
    preg_match('~<table>\s*<tr[^>]*><th>filter<.*?</table>|<tr><td class="e">filters? ?</td>.*?</tr>~s', $page, $table);
    return ['segment' => $segment[1], 'table' => $table[0]];
    PHP;
chmod(own_file(), 0755);
foreach (['served' => 0700, 'a<b>&' => 0755] as $directory => $mode) {
    mkdir(own_file($directory));
    chmod(own_file($directory), $mode);
    give(own_file($directory), 'www-data');
}
$fpm = new FpmServer(['served' => 'www-data', 'refused' => 'www-data'], $page, [
    'served' => ['bloom.path' => own_file('served')],
    'refused' => ['bloom.path' => '"' . own_file('a<b>&') . '"'],
]);
foreach ([['refused', ''], ['served', ''], ['served', 'add']] as [$pool, $action]) {
    $answer = $fpm->ask($pool, $action);
    echo str_replace(own_file(), '{own}', "$answer[segment]: $answer[table]\n");
}
$fpm->stop();
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
none used yet: <tr><td class="e">filters </td><td class="v">{own}/a&lt;b&gt;&amp; (mode 0755): refused: group or others may access it (directories must be 0700, files 0600) </td></tr>
none used yet: <table>
<tr class="h"><th>filter</th><th>kind</th><th>generation</th><th>keys</th><th>estimated rate</th><th>requested rate</th></tr>
<tr><td class="e">filters </td><td class="v">none </td></tr>
</table>
{own}/served: <table>
<tr class="h"><th>filter</th><th>kind</th><th>generation</th><th>keys</th><th>estimated rate</th><th>requested rate</th></tr>
<tr><td class="e">tags </td><td class="v">live </td><td class="v">1 </td><td class="v">1 </td><td class="v">9.54e-05 % </td><td class="v">1 % </td></tr>
</table>
