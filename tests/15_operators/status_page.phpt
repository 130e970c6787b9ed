--TEST--
The status page shows every filter, escapes names and errors, and explains damage in a sentence
--EXTENSIONS--
bloom
dom
--INI--
bloom.path={TMP}/bloom-status_page
--FILE--
<?php
require __DIR__ . '/status.inc';

use Bloom\Filter;

status_filters();
Filter::drop('copy');
$hash = password_hash('open sesame', PASSWORD_BCRYPT, ['cost' => 4]);
$server = new StatusServer(status_page(), ['BLOOM_STATUS_PASSWORD_HASH' => $hash, 'BLOOM_STATUS_STORE' => own_file('store')]);
$login = 'Authorization: Basic ' . base64_encode('anyone:open sesame');

// Access over HTTP.
$closed = $server->get();
check($closed->status === 401 && str_starts_with((string) $closed->header('WWW-Authenticate'), 'Basic '), 'the password is asked for');
check(!str_contains($closed->body, 'healthy'), 'without the password, no filter is shown');
check($server->get('', 'Authorization: Basic ' . base64_encode('anyone:wrong'))->status === 401, 'a wrong password');
check($server->get('', $login, 'POST')->status === 405, 'the page has no actions');

// Headers: no other site can frame the page, no cache keeps it, and only its own style and script run.
$answer = $server->get('', $login);
$html = $answer->body;
check($answer->status === 200, 'the page is open');
check($answer->header('X-Frame-Options') === 'DENY' && $answer->header('Cache-Control') === 'no-store', 'headers');
preg_match("/script-src 'nonce-([^']+)'/", (string) $answer->header('Content-Security-Policy'), $nonce);
check(str_starts_with((string) $answer->header('Content-Security-Policy'), "default-src 'none'; style-src 'nonce-"), 'the policy');
check(substr_count($html, "nonce=\"$nonce[1]\"") === 2 && preg_match_all('/<(script|style)[ >]/', $html) === 2, 'one style and one script');
check($server->get('', $login)->header('Content-Security-Policy') !== $answer->header('Content-Security-Policy'), 'a nonce is used once');
check(!preg_match('~(src|href)="(?!#|data:,)|url\(|@import|style="|\bon\w+="~', $html), 'no requests to other addresses, no inline handlers');

// Contents, which need no JavaScript.
$document = new DOMDocument();
check($document->loadHTML($html, LIBXML_NOERROR), 'the page is HTML');
$path = new DOMXPath($document);
$text = static fn (string $query): string => trim(preg_replace('/\s+/', ' ', $path->evaluate("string($query)")));
foreach (['failing', 'healthy', 'overfull', 'uneven'] as $name) {
    echo "$name: ", $text("//section[@id='f-$name']//span[contains(@class,'badge')]"), "\n";
}
check(str_contains($text("//section[@id='f-overfull']//ul"), 'the false-positive rate is '), 'the reason: ' . $text("//section[@id='f-overfull']//ul"));
$fact = static fn (string $name, string $label): string => $text("//section[@id='f-$name']//dt[.='$label']/following-sibling::dd");
check(str_starts_with($fact('healthy', 'Generation'), '1'), 'the generation');
check($fact('healthy', 'Lookups') !== '' && str_starts_with($fact('healthy', 'Lookups'), '1,000'), 'lookups: ' . $fact('healthy', 'Lookups'));
check((int) strtr($fact('healthy', 'Saved lookups'), [',' => '']) >= 850, 'saved lookups: ' . $fact('healthy', 'Saved lookups'));
check($fact('healthy', 'Checked answers') === '9all were right', 'checked: ' . $fact('healthy', 'Checked answers'));
check($fact('failing', 'Checked answers') === '302 denied a key that exists', 'denied: ' . $fact('failing', 'Checked answers'));
check($fact('overfull', 'Checked answers') === '', 'no answer was checked');
check(str_contains($text("//section[@id='f-failing']//ul"), 'lookups denied keys that exist: 2 of 30'), 'the reason: ' . $text("//section[@id='f-failing']//ul"));
check(str_contains($fact('failing', 'Last sync'), '1 done, 4 failed'), 'failed syncs: ' . $fact('failing', 'Last sync'));
check(str_contains($text("//section[@id='f-healthy']//details[contains(@id,'history')]//tbody"), 'UTC'), 'the history');
check($path->query("//table//thead/tr/th[not(@scope='col')]|//tbody//th[not(@scope='row')]")->length === 0, 'headings have a scope');
check($path->query("//svg[not(@role='img' and string-length(@aria-label) > 10) and not(ancestor::svg)]")->length === 0, 'charts are described');
echo preg_replace('/\d\S* %/', 'N %', $text("//section[@id='f-uneven']//p[@class='shards']")), "\n";
check($path->query("//section[@id='f-uneven']//svg/path[@class='bad']")->length === 2, 'one red cell, and one mark');
check($path->query("//section[@id='f-healthy']//path[@class='bad']")->length === 0, 'no mark');
check(str_contains($text("//section[@id='f-failing']//p[@class='error']"), HostileStatusStore::MESSAGE), 'the error is shown as text');
check($path->query('//img')->length === 0 && $path->query('//script')->length === 1, 'the error is not markup');

// Damage to a control page, and to the segment.
file_put_contents(in_segment('overfull/control'), str_repeat('?', 4096));
$damaged = $server->get('', $login);
preg_match('~<section[^>]* id="f-overfull".*?</section>~s', $damaged->body, $section);
echo $damaged->status, ' ', trim(preg_replace(['/<[^>]+>/', '/\s+/'], ' ', $section[0] ?? '')), "\n";
check(str_contains($damaged->body, 'id="f-healthy"'), 'other filters are still shown');
chmod(segment_path(), 0755);
$refused = $server->get('', $login);
preg_match('~<p class="notice">(.*?)</p>~', $refused->body, $sentence);
echo $refused->status, ' ', strtr($sentence[1] ?? '', [segment_path() => '{segment}']), "\n";
foreach ([$html, $damaged->body, $refused->body] as $body) {
    check(!preg_match('~Stack trace|#0 |\.php|<b>Warning|Fatal error~', $body), 'no trace and no name of a file');
}
chmod(segment_path(), 0700);
check(!is_file(own_file('log')), 'nothing unexpected was logged: ' . @file_get_contents(own_file('log')));

// An exception that is not the extension's, such as one of an application's own store, is only logged.
file_put_contents(own_file('site.php'), '<?php require ' . var_export(status_page(), true) . '; require ' . var_export(__DIR__ . '/status.inc', true) . ';
    Bloom\Status\Page::serve(true, new HostileStatusStore());');
unset($server);
$server = new StatusServer(own_file('site.php'));
$own = $server->get();
check($own->status === 200 && !str_contains($own->body, '<script>document'), 'an application serves the page with its own store');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
failing: ✕ Critical
healthy: ✓ OK
overfull: ✕ Critical
uneven: ▲ Warning
▼ Shard 3: fill N %, rate N %
200 overfull ✕ Critical overfull: the filter cannot currently be mapped into this process
500 {segment} (mode 0755): refused: group or others may access it (directories must be 0700, files 0600)
