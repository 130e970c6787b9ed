--TEST--
A filter of each kind that was saved, dropped and restored gives the same answers and counts
--DESCRIPTION--
fault: restore-existing
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-snapshot_kinds
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\{CountingFilter, DirectoryStore, Filter, LiveFilter, ReverseIndex};

mkdir(own_file('store'), 0700);
$store = new DirectoryStore(own_file('store'));
$keys = keys('key', 3000);
$absent = keys('absent', 20000);

/** Everything that info() reports, except the time of the load, and the counters, which begin anew. */
function told(Filter $filter): array
{
    $info = json_decode(json_encode($filter->info()), true);
    unset($info['loadedAt'], $info['rotatesAt'], $info['counters']);
    return $info;
}

foreach (KINDS as $kind) {
    $filter = made($kind, 2000);
    foreach ($keys as $key) {
        put($filter, $key);
    }
    $filter instanceof CountingFilter && $filter->addMany(array_slice($keys, 0, 100));
    $before = told($filter);
    $answers = $filter->candidates([...$keys, ...$absent]);
    $counts = $filter instanceof CountingFilter ? array_map($filter->count(...), $keys) : null;
    $filter->save(own_file('saved'));
    $filter->save($store);
    foreach ([own_file('saved'), $store] as $source) {
        Filter::drop($kind);
        check(thrown(fn () => $filter->save(own_file('saved')), class: true) === Bloom\NotFoundException::class, 'a dropped filter');
        $again = Filter::restore($kind, $source);
        check($again::class === $filter::class, "$kind: {$again->info()->kind->value}");
        check(told($again) === $before, "$kind: info() " . json_encode(array_diff_assoc(array_map(json_encode(...), told($again)), array_map(json_encode(...), $before))));
        check($again->candidates([...$keys, ...$absent]) === $answers, "$kind: the answers are equal");
        check_held($again, $keys, $kind);
        if ($again instanceof CountingFilter) {
            check(array_map($again->count(...), $keys) === $counts, 'the counts are equal');
            check($again->count('key5') === 2 && $again->remove('key5') && $again->count('key5') === 1, 'a key is removed once');
        }
        check(put($again, 'new one') && held($again, 'new one'), "$kind: the filter accepts keys");
        if ($again instanceof CountingFilter) {
            $again->add('key5');
            $again->remove('new one');
        }
        // The same parameters open the restored filter.
        check(made($kind, 2000)->info()->loadedAt === $again->info()->loadedAt, "$kind: create() opens the restored filter");
        check(
            str_contains(thrown(fn () => $filter::restore($kind, $source)), 'a filter with that name already exists (drop it first'),
            "$kind: an existing filter is not replaced"
        );
    }
    // The first handle follows its name.
    check(held($filter, 'key1'), "$kind: an earlier handle");
    if ($filter instanceof LiveFilter) {
        check(LiveFilter::restore('second', own_file('saved'))->name() === 'second', 'another name');
        check(str_contains(
            thrown(fn () => CountingFilter::restore('third', own_file('saved'))),
            'third: expected a counting filter, found a live filter: the snapshot contains a filter of a different kind'
        ), 'another class');
        check(Bloom\WritableFilter::restore('writable', own_file('saved')) instanceof LiveFilter, 'any class with keys');
        check(thrown(fn () => Bloom\LoadedFilter::restore('third', $store), class: true) === Bloom\StoreException::class, 'no such snapshot');
        check(thrown(fn () => Bloom\LoadedFilter::restore('live', $store), class: true) === Bloom\KindException::class, 'not a live class');
    }
    Filter::drop($kind);
}
Filter::drop('second');
Filter::drop('writable');

// Filters that are not live.
$builder = new Bloom\ReverseIndexBuilder(10, 100);
$builder->add(1, 'x');
$index = Filter::load('index', $builder->build());
check(str_contains(thrown(fn () => $index->save(own_file('saved'))), 'index: found a loaded reverse index: only live filters can be saved'), 'a loaded index');
check(!method_exists(Bloom\LoadedFilter::class, 'save'), 'a loaded filter has no save()');
Filter::drop('index');

// Arguments.
$live = LiveFilter::create('live', 100);
foreach (['', "a\0b", '/no/such/directory/file', own_file()] as $path) {
    echo str_replace('{segment}.d', '{own}', thrown(fn () => $live->save($path))), "\n";
    echo str_replace('{segment}.d', '{own}', thrown(fn () => Filter::restore('other', $path))), "\n";
}
echo thrown(fn () => Filter::restore('.', own_file('saved'))), "\n";
check(fileperms(own_file('saved')) === 0100600, 'only the owner can read a snapshot');
check(preg_grep('/tmp$|saving$/', tree(own_file())) === [], 'nothing temporary is left');
check(tree(segment_path()) === ['live', 'live/0000000000000001.bloom', 'live/control'], implode(' ', tree(segment_path())));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
ValueError: Bloom\WritableFilter::save(): Argument #1 ($target) must be a path without null bytes
ValueError: Bloom\Filter::restore(): Argument #2 ($source) must be a path without null bytes
ValueError: Bloom\WritableFilter::save(): Argument #1 ($target) must be a path without null bytes
ValueError: Bloom\Filter::restore(): Argument #2 ($source) must be a path without null bytes
Bloom\BloomException: /no/such/directory/file: the file cannot be read or written: No such file or directory
Bloom\BloomException: /no/such/directory/file: the file cannot be read or written: No such file or directory
Bloom\BloomException: {own}: the file cannot be read or written: Is a directory
Bloom\BloomException: {own}: the file cannot be read or written: Is a directory
ValueError: Bloom\Filter::restore(): Argument #1 ($name) must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -
