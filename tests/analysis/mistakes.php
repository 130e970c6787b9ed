<?php
/* Mistakes in code that uses the API. The comments say which tools must find them: a tool that finds fewer does not know the
 * API. */

use Bloom\{Builder, DirectoryStore, Filter, Kind, LiveFilter};

$store = new DirectoryStore('/srv/bloom');
$tags = Filter::open('tags');

$tags->add('red');                                   // phpstan psalm intelephense: only some kinds have add()
Filter::find('tags')->mightContain('red');           // phpstan psalm: find() may return null
$tags->mightContain(1.5);                            // phpstan psalm: a key is a string or an int
$tags->candidates([null]);                           // phpstan psalm: so are the keys of a list
echo $tags->info()->keyz;                            // phpstan psalm intelephense: no such property
echo LiveFilter::open('live')->info()->builtAt;      // phpstan psalm intelephense: a live filter is not built
if (Filter::sync('tags', $store) === true) {         // phpstan psalm: sync() returns an enum
    echo 'switched';
}
if ($tags->info()->kind === 'live') {                // phpstan psalm: the kind is an enum
    echo Kind::Lively->name;                         // phpstan psalm intelephense: no such case
}
(new Builder(1000, 0.01))->addMany('red');           // phpstan psalm intelephense: not iterable
echo strlen($tags->candidates(['a' => 'x'])['b']);   // phpstan psalm: the result has the keys of the argument
