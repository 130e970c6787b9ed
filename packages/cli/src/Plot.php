<?php

namespace Bloom\Cli;

use Bloom\Kit\Paths;
use Bloom\Status\Page;

/** Draws a filter with the charts of the status page. */
final class Plot
{
    /** Writes a page or an SVG file, depending on the end of the path. An existing file is replaced. */
    public static function write(string $name, string $path): void
    {
        $type = strtolower(pathinfo($path, PATHINFO_EXTENSION));
        if (!in_array($type, ['html', 'svg'], true) || Paths::isUrl($path)) {
            throw Failure::usage("--plot: \"$path\" " . (Paths::isUrl($path) ? 'is a URL; give the path of a file' : 'does not end in .html or .svg'));
        }
        $page = __DIR__ . '/../status.php'; // Composer's package has a copy of the page, which scripts/release puts there
        require_once is_file($page) ? $page : __DIR__ . '/../../../examples/status/index.php';
        $drawn = Page::plot($name, $type === 'svg');
        if (file_exists($path) && !is_file($path)) {
            throw new Failure(ExitCode::CannotCreate, "$path: is " . (is_dir($path) ? 'a directory' : 'not a regular file'));
        }
        Signals::deferred(static fn () => OutputFile::replace($path, $drawn));
    }
}
