--TEST--
All answers are the same under opcache's JIT, which calls methods differently
--DESCRIPTION--
fault: odd-phases
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
if (opcache_settings() === null) {
    echo 'skip opcache is not installed';
} elseif (trim((string) shell_exec(php_command(opcache_settings()) . ' -r "var_dump(ini_get(\'opcache.jit\'));"')) === 'bool(false)') {
    echo 'skip opcache was built without its JIT';
}
?>
--INI--
bloom.path={TMP}/bloom-engine_jit
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';

$script = own_file('script.php');
file_put_contents($script, "<?php\n" . prelude() . 'require ' . var_export(dirname(__DIR__) . '/lib/live.inc', true) . ';' . <<<'PHP'
    mt_srand(20261121);
    array_map(Bloom\Filter::drop(...), Bloom\Filter::list());
    $filters = array_map(fn ($kind) => made($kind), KINDS);
    $filters[] = Bloom\Filter::load('loaded', blob_of(keys('k', 500)));
    $answers = '';
    function look(Bloom\Filter $filter, string|int $key): string
    {
        return $filter->mightContain($key) ? '1' : '0';
    }
    for ($i = 0; $i < 20000; $i++) {
        $filter = $filters[$i % count($filters)];
        $key = $i % 3 ? 'k' . mt_rand(0, 999) : mt_rand(0, 999);
        if ($i % 7 === 0 && !$filter instanceof Bloom\LoadedFilter) {
            $answers .= put($filter, $key) ? 'n' : 'o';
        }
        $answers .= look($filter, $key);
        if ($i % 500 === 0) {
            $answers .= count($filter->candidates(keys('k', 200)));
        }
        if ($i % 97 === 0) {
            try {
                $filter->mightContain([]);
            } catch (TypeError $error) {
                $answers .= 'e';
            }
        }
    }
    $status = function_exists('opcache_get_status') ? opcache_get_status(false) : false;
    echo md5($answers), ' ', strlen($answers), ' ', ($status['jit']['on'] ?? false) ? 'JIT' : 'none';
    PHP);
$said = [];
foreach (['none' => [], 'tracing' => ['opcache.jit' => 'tracing'], 'function' => ['opcache.jit' => 'function'], 'on all' => ['opcache.jit' => '1215']] as $what => $settings) {
    $settings = $settings ? opcache_settings() + ['opcache.enable_cli' => 1, 'opcache.jit_buffer_size' => '16M'] + $settings : [];
    [$answers, $count, $jit] = explode(' ', shell_exec(php_command($settings) . ' ' . escapeshellarg($script)) . '   ');
    $said["$answers $count"] = true;
    check($jit === ($settings ? 'JIT' : 'none'), "$what: $jit");
}
check(count($said) === 1 && (int) explode(' ', key($said))[1] > 20000, 'all say the same: ' . implode(', ', array_keys($said)));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
