--TEST--
After setlocale(), messages, warnings, reasons and metrics still have decimal points
--EXTENSIONS--
bloom
--SKIPIF--
<?php
if (shell_exec('command -v localedef') === null) {
    die('skip localedef is not installed');
}
if (!is_file('/usr/share/i18n/locales/ps_AF')) {
    die('skip the sources of locales are not installed');
}
?>
--INI--
bloom.path={TMP}/bloom-filter_locale
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\{Builder, Filter, LiveFilter};

/** Returns every text with a number in it. */
function texts(): array
{
    $live = LiveFilter::create('live', 1000, 0.0125, 1);
    $full = new Builder(1000, 0.01, seed: 1);
    $full->addMany(range(1, 3000));
    ob_start();
    phpinfo(INFO_MODULES);
    preg_match_all('/ => \d+ => .*%.*$/m', ob_get_clean(), $rows);
    return [
        thrown(fn () => $full->build()),
        thrown(fn () => LiveFilter::create('live', 1000, 0.0123)),
        $live->info()->warning,
        ...Filter::health('live')->reasons,
        ...Filter::health('live', maxRate: 0.0025)->reasons,
        ...$rows[0],
        preg_replace('/^(?!bloom_filter_(requested|measured)).*\n/m', '', Filter::metrics()),
    ];
}

LiveFilter::create('live', 1000, 0.0125, 1)->addMany(range(1, 2000));
$plain = texts();
echo preg_replace('/\d+(?=\d* (distinct|keys))/', 'N', implode("\n", array_slice($plain, 0, 6))), "\n";
// The decimal separator is a comma in German. In Pashto, it has two bytes.
mkdir(own_file('locales'), 0700);
putenv('LOCPATH=' . own_file('locales'));
foreach (['de_DE' => ',', 'ps_AF' => "\u{066B}"] as $name => $separator) {
    shell_exec("localedef -i $name -f UTF-8 " . escapeshellarg(own_file("locales/$name.UTF-8")) . ' 2>&1');
    check(setlocale(LC_ALL, "$name.UTF-8") !== false && localeconv()['decimal_point'] === $separator, "$name is in force");
    foreach (texts() as $i => $text) {
        check($text === $plain[$i], "$name: $text");
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\RateException: measured 7.68 %, limit 1.5 %, with about N distinct keys in a filter sized for 1000: the measured false-positive rate is over the limit
Bloom\KindException: live: its false-positive rate is 0.0125, but 0.0123 was requested: a filter with that name already exists (drop it first, or use it as it is)
the false-positive rate is 3 %, over the requested 1.25 %
the false-positive rate is 3 % (at most 1.88 %, requested 1.25 %)
it has about N keys and a capacity of 1000
the false-positive rate of a lookup is 3 % (at most 0.25 %)
