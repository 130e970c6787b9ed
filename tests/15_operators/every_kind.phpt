--TEST--
Every page and every command shows every kind of filter, in every state
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-every_kind
bloom.secret_file={TMP}/bloom-every_kind.d/secrets
bloom.signing_key_file={TMP}/bloom-every_kind.d/signing
--SKIPIF--
<?php
require __DIR__ . '/../lib/secrets.inc';
require __DIR__ . '/../cli/cli.inc';
has_sodium() ? skip_without_console() : skip_without_sodium();
?>
--FILE--
<?php
require __DIR__ . '/../lib/secrets.inc';
require __DIR__ . '/status.inc';
require __DIR__ . '/../cli/cli.inc';

use Bloom\{Blob, Builder, CountingFilter, DirectoryStore, Filter, Journal, LiveFilter, ReverseIndex, ReverseIndexBuilder, ScalableFilter, Scheme,
    SlidingFilter};

ring('secrets', 'secret');
ring('signing', 'key');
mkdir(own_file('store'), 0700);
$store = new DirectoryStore(own_file('store'));
/** Publishes a version and returns a call that loads it. */
$published = function (string $name, ?string $mark = null, mixed ...$parameters) use ($store): Closure {
    $builder = new Builder(1000, 0.01, ...laid_out(['seed' => 5, 'shardBytes' => 1024, 'chunkBytes' => 1024] + $parameters));
    $builder->addMany(range(1, 900));
    $builder->build(builtAt: 1.7e9, mark: $mark)->sign($name)->publish($store, $name);
    return fn (mixed ...$options) => Filter::sync($name, $store, 0, ...$options);
};
$published('loaded')();
$published('ribbon', scheme: Scheme::Ribbon)();
$published('keyed', keyed: true, seed: 6)();
$journal = new Journal('with-journal', $store);
$published('with-journal', $journal->mark())();
$journal->add(['a', 'b']);
$published('behind-journal', (new Journal('behind-journal', $store))->mark())(maxLag: 0.001);
$published('unavailable')();
array_map(unlink(...), glob(in_segment('unavailable/*.bloom')));
$published('on-demand');
Filter::attach('on-demand', $store, 16384);
$published('on-demand-used');
Filter::attach('on-demand-used', $store, 16384)->candidates(range(1, 200));
$builder = new ReverseIndexBuilder(300, 1000, seed: 5);
$builder->add(7, 'value');
$builder->build(builtAt: 1.7e9)->sign('index')->publish($store, 'index');
Filter::sync('index', $store, 0);
LiveFilter::create('live', 100, seed: 1)->add('x');
LiveFilter::create('empty', 100, seed: 1);
LiveFilter::create('full', 5, seed: 1, bounded: true)->addMany(range(1, 5));
LiveFilter::create('expired', 100, seed: 1, ttl: 0.01); // a busy machine may need longer for an add()
LiveFilter::create('expiring', 100, seed: 1, ttl: 3600.0)->add('x');
CountingFilter::create('counting', 100, seed: 1)->add('x');
ScalableFilter::create('scalable', 100, seed: 1)->addMany(range(1, 1000));
SlidingFilter::create('sliding', 100, 0.01, 60.0, seed: 1)->add('x');
ReverseIndex::create('reverse', 300, 1000, seed: 5)->add(7, 'value');
usleep(20_000); // 'expired' ends, and the lookups of 'behind-journal' become "maybe"

$names = Filter::list();
echo implode(' ', $names), "\n";

// A process without the secret of the keyed filters cannot open them, but shows that they are there. This one also has no
// signing key.
ring('other', 'other');
foreach (['secrets', 'other'] as $ring) {
    $settings = '-d bloom.path=' . segment_path() . ' -d bloom.secret_file=' . own_file($ring)
        . ($ring === 'secrets' ? ' -d bloom.signing_key_file=' . own_file('signing') : '');
    $cli = new Cli(settings: $settings);
    // Each command ends with one of its documented codes, and never with that of a bug.
    $run = function (array $arguments, int ...$codes) use ($cli, $ring): string {
        $result = $cli->run($arguments);
        check(in_array($result->code, $codes, true), "$ring: bloom " . implode(' ', $arguments) . ": $result->code $result->output $result->errors");
        check(!preg_match('/Warning|Notice|Deprecated|TypeError/', $result->output . $result->errors), "$ring: bloom " . implode(' ', $arguments) . ": $result->errors");
        return $result->output;
    };
    $listed = $run(['list'], 0);
    $all = json_decode($run(['list', '--format=json'], 0), true);
    check(array_column($all, 'name') === $names, "$ring: list --format=json");
    foreach ($ring === 'other' ? ['keyed', 'loaded'] : $names as $name) {
        $hidden = $name === 'unavailable' || $ring === 'other' && $name === 'keyed';
        check((bool) preg_match("/^$name /m", $listed), "$ring: list shows $name");
        $codes = $hidden ? [73, 77] : [0];
        $run(['info', $name], ...$codes);
        $json = $run(['info', '--format=json', $name], ...$codes);
        check($hidden || json_decode($json)->name === $name, "$ring: info --format=json $name");
        foreach (['html', 'svg'] as $type) {
            $run(['info', $name, "--plot=$name.$type"], ...$codes);
            check($hidden || str_contains(file_get_contents("$cli->files/$name.$type"), 'Lookups in the last hour'), "$ring: $name.$type");
        }
        $run(['health', $name], 0, 1, 2, 3);
        $run(['health', '--format=json', $name, '--store=' . own_file('store')], 0, 1, 2, 3);
        $run(['diff', own_file('store'), $name], 0, 1, 65, 66, 73, 77);
    }
    $run(['health'], 0, 1, 2, 3);
    $run(['list', own_file('store')], 0, 65, 77);
    $metrics = $run(['metrics'], 0);
    check(str_ends_with($metrics, "# EOF\n"), "$ring: metrics");
}

foreach (['metrics' => [dirname(__DIR__, 2) . '/examples/metrics.php', ['BLOOM_METRICS_ALLOW' => '127.0.0.1']],
    'status page' => [status_page(), ['BLOOM_STATUS_ALLOW' => '127.0.0.1', 'BLOOM_STATUS_STORE' => own_file('store')]]] as $page => [$script, $environment]) {
    $answer = (new StatusServer($script, $environment))->get();
    check($answer->status === 200, "$page: status $answer->status " . substr(strip_tags($answer->body), -300));
    foreach ($names as $name) {
        check(str_contains($answer->body, $name), "$page: $name");
    }
}
preg_match('~id="f-on-demand".*?</section>~s', $answer->body, $section);
preg_match('~This host keeps[^<]*~', $section[0] ?? '', $note);
echo $note[0] ?? 'no note', "\n";
ob_start();
phpinfo(INFO_MODULES);
$page = ob_get_clean();
foreach ($names as $name) {
    check(str_contains($page, $name), "phpinfo(): $name");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
behind-journal counting empty expiring full index keyed live loaded on-demand on-demand-used reverse ribbon scalable sliding unavailable with-journal
This host keeps 0 chunks and has room for 2, so the fill of the shards is not known here.
