--TEST--
Blobs and journals of an earlier format are refused, and building the filter again helps
--DESCRIPTION--
fault: earlier-format
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-blob_earlier
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

use Bloom\{Blob, Builder, DirectoryStore, Filter, Journal, Status};

// A development build wrote these files before the formats got their current versions. Its blobs contain the keys red, green and
// blue, and its journal contains a record with green.
$earlier = __DIR__ . '/../vectors/earlier/';
$store = new DirectoryStore(own_file());

function refused(string $what, Status $as, callable $call): void
{
    try {
        $call();
        echo "$what: not refused\n";
    } catch (Bloom\BloomException $error) {
        check($error->getCode() === $as->value, "$what: {$error->getMessage()}");
        echo "$what: ", preg_replace('~^/.*: (?=format)|: version 1(?=: this)| after [0-9a-f-]+~', '', $error->getMessage()), "\n";
    }
}

foreach (['bloom', 'ribbon', 'reverse'] as $scheme) {
    refused($scheme, Status::Version, fn () => Blob::open("$earlier$scheme.bloom"));
}

// The published version is an earlier one.
file_put_contents(own_file('colours'), substr(file_get_contents("{$earlier}bloom.bloom"), 0, 4096));
refused('published', Status::Version, fn () => Filter::sync('colours', $store, 0.0));

// A blob can be built here with an earlier mark.
$build = function (string $mark, string ...$keys) use ($store): void {
    $builder = new Builder(10, seed: 1);
    $builder->addMany($keys);
    $builder->build(mark: $mark)->publish($store, 'colours');
};
copy("{$earlier}journal", own_file('colours:journal'));
$build('4741737193222768375-48-3cf006102a43614b', 'red');
refused('journal', Status::RecordVersion, fn () => Filter::sync('colours', $store, 0.0));
check(Filter::find('colours') === null, 'nothing is served');

// The remedy
$build((new Journal('colours', $store))->mark(), 'red', 'green');
(new Journal('colours', $store))->add('blue');
Filter::sync('colours', $store, 0.0);
$filter = Filter::open('colours');
check($filter->candidates(['red', 'green', 'blue']) === ['red', 'green', 'blue'], 'no key is missing');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
bloom: format version 1: this build reads only blobs of format version 2 (build the blob again with this version of the extension, or upgrade the extension if the blob's format version is higher)
ribbon: format version 1: this build reads only blobs of format version 2 (build the blob again with this version of the extension, or upgrade the extension if the blob's format version is higher)
reverse: format version 1: this build reads only blobs of format version 2 (build the blob again with this version of the extension, or upgrade the extension if the blob's format version is higher)
published: format version 1: this build reads only blobs of format version 2 (build the blob again with this version of the extension, or upgrade the extension if the blob's format version is higher)
journal: colours:journal: this build reads only records of version 2 in journals (build and publish the filter with a new mark, or upgrade the extension here if the record's version is higher)
