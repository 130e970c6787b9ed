<?php
/* Writes README, docs, CHANGELOG, SECURITY and the API as HTML.
 *     php html.php DIRECTORY [EXAMPLES]
 * EXAMPLES is the address of the directory examples/, as seen from DIRECTORY. */

namespace Bloom\Reference;

use League\CommonMark\MarkdownConverter;

// Composer's package, if this checkout has it, or Debian's.
foreach ([__DIR__ . '/../../../vendor/autoload.php', '/usr/share/php/League/CommonMark/autoload.php'] as $file) {
    if (is_file($file)) {
        require_once $file;
    }
}
if (!class_exists(MarkdownConverter::class)) {
    fwrite(STDERR, "scripts/reference: --html needs league/commonmark: install php-league-commonmark\n");
    exit(69);
}
require __DIR__ . '/html/Site.php';
require __DIR__ . '/html/Markdown.php';
require __DIR__ . '/html/Comment.php';
require __DIR__ . '/html/Api.php';

(new Site(dirname(__DIR__, 3), $argv[1], $argv[2] ?? ''))->write();
