--TEST--
Each link between documents leads to an existing file, and each anchor to a heading in that file
--EXTENSIONS--
bloom
--FILE--
<?php
$root = dirname(__DIR__, 2);
/** Returns the anchors of a page: the ones that GitHub derives from headings, and explicit ones. */
$anchors = static function (string $file): array {
    $text = preg_replace('/^```.*?^```/ms', '', file_get_contents($file));
    preg_match_all('/^#+ (.*)$/m', $text, $headings);
    preg_match_all('/<a id="([^"]+)">/', $text, $written);
    $slug = static fn (string $heading): string => strtr(
        preg_replace('/[^\w\- ]/u', '', strtolower(preg_replace('/\]\([^)]*\)/', ']', $heading))),
        ' ',
        '-'
    );
    return [...array_map($slug, $headings[1]), ...$written[1]];
};
$count = 0;
foreach ([...glob("$root/*.md"), ...glob("$root/docs/{,*/}*.md", GLOB_BRACE)] as $file) {
    preg_match_all('/\]\(([^)\s]+)\)/', preg_replace('/^```.*?^```/ms', '', file_get_contents($file)), $links);
    foreach ($links[1] as $link) {
        if (str_contains($link, '://')) {
            continue;
        }
        [$path, $anchor] = explode('#', $link, 2) + [1 => null];
        $target = $path === '' ? $file : dirname($file) . "/$path";
        $count++;
        if (!file_exists($target)) {
            echo basename($file), ": no file for $link\n";
        } elseif ($anchor !== null && !in_array($anchor, $anchors($target), true)) {
            echo basename($file), ": no heading for $link\n";
        }
    }
}
echo $count >= 50 ? "links found\n" : "$count links\n";
?>
--EXPECT--
links found
