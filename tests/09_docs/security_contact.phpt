--TEST--
SECURITY.md names an address that package.xml has too, or says that there is none yet; the demo's next steps name pages that exist
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
$root = dirname(__DIR__, 2);
$policy = preg_replace('/\s+/', ' ', file_get_contents("$root/SECURITY.md"));

// Whoever reports must be able to do what the page says, so an address is listed in both places or in neither.
$lead = preg_match('~<lead>.*?<email>([^<]+)</email>~s', file_get_contents("$root/package.xml"), $found) ? trim($found[1]) : '';
preg_match_all('/[\w.+-]+@[\w-]+\.[\w.]+|https?:\/\/\S+/', $policy, $addresses);
$says_none = str_contains($policy, 'there is no address for reports');
if ($lead === '') {
    check($says_none && str_contains($policy, 'tell whoever gave you this copy of the source'), 'where to report until there is an address');
    check($addresses[0] === [], 'an address that package.xml lacks: ' . implode(' ', $addresses[0]));
} else {
    check(!$says_none && in_array($lead, $addresses[0], true), "SECURITY.md names $lead");
}
check(str_contains($policy, 'Only the newest release') && str_contains($policy, '](docs/security.md)'), 'which versions, and the threat model');

preg_match_all('~\bdocs/[\w./-]*\w~', file_get_contents("$root/demo/Report.php"), $paths);
check($paths[0] !== [], 'the demo names pages');
foreach ($paths[0] as $path) {
    check(file_exists("$root/$path"), "demo/Report.php: $path");
}
echo "done\n";
?>
--EXPECT--
done
