--TEST--
In Chromium, the status page refreshes itself, obeys its own policy, and fits a phone and a desktop
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-status_browser
--SKIPIF--
<?php
require __DIR__ . '/status.inc';
if (chromium() === null) {
    echo 'skip Chromium is not installed';
}
?>
--FILE--
<?php
require __DIR__ . '/status.inc';

use Bloom\Filter;
use Bloom\LiveFilter;

status_filters();
Filter::drop('copy');
// The second request finds one filter more. /frames shows the page in the sizes of a phone and of a desktop, and measures it.
file_put_contents(own_file('site.php'), strtr(<<<'PHP'
    <?php
    require PAGE;
    if ($_SERVER['REQUEST_URI'] === '/frames') {
        $page = preg_replace('~<script.*</script>~s', '', Bloom\Status\Page::html(array_map(
            static fn (string $name): Bloom\Status\Entry => new Bloom\Status\Entry($name),
            Bloom\Filter::list()
        )));
        foreach ([390, 1440] as $width) {
            echo "<iframe width=$width height=900 style='border:0' srcdoc=\"", htmlspecialchars(strtr($page, ['<details' => '<details open'])), '"></iframe>';
        }
        echo '<script>addEventListener("load", () => { for (const frame of document.querySelectorAll("iframe")) {
            const root = frame.contentDocument.documentElement, wide = [...root.querySelectorAll("main *")].filter(
                (one) => one.getBoundingClientRect().right > frame.width - 5 && !one.closest("caption"));
            document.body.append(`[${frame.width}: ${root.clientWidth} ${root.scrollWidth} ${wide.length} `
                + `${frame.contentDocument.querySelectorAll("section.filter").length}]`);
        } });</script>';
        return;
    }
    if (is_file(FLAG) && Bloom\Filter::find('second') === null) {
        Bloom\LiveFilter::create('second', 1000, 0.01);
    }
    touch(FLAG);
    Bloom\Status\Page::serve(true);
    PHP, ['PAGE' => var_export(status_page(), true), 'FLAG' => var_export(own_file('flag'), true)]));
$server = new StatusServer(own_file('site.php'));

[$dom, $console] = browse($server->url, 8);
check(preg_match('/<body data-refreshes="[12]"/', $dom) === 1, 'the page has refreshed itself: ' . substr($dom, 0, 200));
check(str_contains($dom, 'id="f-second"'), 'the refresh shows a new filter');
check(str_contains($dom, '<button id="pause" type="button">Pause</button>'), 'the refresh can be paused');
check(str_contains($dom, '&lt;script&gt;document.title = "owned"') && !str_contains($dom, '<title>owned'), 'the hostile error is text');
check($console === [], 'the console says: ' . implode($console));

[$dom] = browse($server->url . 'frames', 1);
preg_match_all('/\[(\d+): (\d+) (\d+) (\d+) (\d+)\]/', $dom, $frames, PREG_SET_ORDER);
foreach ($frames as [, $width, $client, $scroll, $wide, $filters]) {
    echo "$width: ", $client === $scroll ? 'no overflow' : "overflow, $client $scroll", ", $wide elements beyond the edge, $filters filters\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
390: no overflow, 0 elements beyond the edge, 5 filters
1440: no overflow, 0 elements beyond the edge, 5 filters
