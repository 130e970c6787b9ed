--TEST--
info --plot draws a filter as a page or as an SVG file, and refuses blobs and other types of files
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli();
$cli->writeKeys('tags.txt', 1, 4000);
$cli->run(['build', '--capacity=4000', '--seed=1', 'tags.bloom', 'tags.txt']);
$cli->run(['load', 'tags', 'tags.bloom']);

$text = $cli->run(['info', 'tags'])->output;
foreach (['html', 'svg'] as $type) {
    $result = $cli->run(['info', 'tags', "--plot=tags.$type"]);
    $same = preg_replace('/ago|[\d.]+ %.*of the next pass/', '', $result->output) === preg_replace('/ago|[\d.]+ %.*of the next pass/', '', $text);
    check($result->code === 0 && $same, "the output is the same as without --plot: $result->errors");
    $drawn = file_get_contents("$cli->files/tags.$type");
    foreach (['Fill of the shards', 'False-positive rate', 'Lookups in the last hour', 'requested', '5 shards, filled from'] as $part) {
        check(str_contains($drawn, $part), "$type: $part");
    }
    check(!preg_match('~<script|url\(|@import|(src|href)="(?!#|data:,)~', $drawn), "$type: no scripts and no other files");
}
// The file for other programs is well-formed.
check(str_starts_with($drawn, '<svg xmlns="http://www.w3.org/2000/svg" width="800"'), 'an SVG file');
if (function_exists('xml_parser_create')) {
    $parser = xml_parser_create();
    check(xml_parse($parser, $drawn, true) === 1, 'the SVG file is well-formed: ' . xml_error_string(xml_get_error_code($parser)));
}

$cli->show(['info', 'tags', '--plot=tags.png']);
$cli->show(['info', 'tags.bloom', '--plot=tags.svg']);
$cli->show(['info', 'tags', '--plot=missing/tags.svg']);
$cli->show(['info', 'lost', '--plot=lost.svg']);
echo $cli->names(), "\n";
?>
--EXPECT--
$ bloom info tags --plot=tags.png
bloom: --plot: "tags.png" does not end in .html or .svg
exit 64
$ bloom info tags.bloom --plot=tags.svg
bloom: --plot draws a filter on this host, but tags.bloom is a blob: load it first
exit 64
$ bloom info tags --plot=missing/tags.svg
bloom: missing/tags.svg: cannot be written: No such file or directory
exit 73
$ bloom info lost --plot=lost.svg
bloom: lost: neither a file nor a filter on this host
exit 66
tags.bloom tags.html tags.svg tags.txt
