<?php

namespace Bloom\Reference;

/** The pages, their addresses and what surrounds their text. */
final class Site
{
    public const API = 'stubs/bloom.stub.php';

    /** @var array<string, string> the file of each page in this tree => its address below the directory */
    private array $addresses = [];
    /** @var array<string, true> files in this tree that pages show */
    private array $pictures = [];
    /** @var array<string, string> file => title, in the order of the navigation */
    private array $titles = [];

    public function __construct(
        public readonly string $root,
        private readonly string $directory,
        private readonly string $examples
    ) {
        $pages = ['README.md', 'CHANGELOG.md', 'SECURITY.md'];
        foreach (['docs', 'docs/reference', 'docs/dev'] as $folder) {
            foreach (glob("$root/$folder/*.md") as $file) {
                $pages[] = substr($file, strlen("$root/"));
            }
        }
        foreach (array_filter($pages, fn (string $page): bool => is_file("$root/$page")) as $page) {
            $this->addresses[$page] = $page === 'README.md' ? 'index.html' : substr($page, 0, -2) . 'html';
        }
        $this->addresses[self::API] = 'api.html';
    }

    public function write(): void
    {
        $this->titles = $this->sorted();
        $markdown = new Markdown($this);
        foreach ($this->addresses as $file => $address) {
            if ($file !== self::API) {
                $text = file_get_contents("$this->root/$file");
                $this->save($address, $this->page($file, $markdown->page($file, $text)));
            }
        }
        $api = new Api($this, $markdown);
        $this->save($this->addresses[self::API], $this->page(self::API, $api->html(), $api->contents()));
        $this->save('style.css', file_get_contents(__DIR__ . '/style.css'));
        foreach (array_keys($this->pictures) as $file) {
            $this->save($file, file_get_contents("$this->root/$file"));
        }
    }

    /** Returns the address of a link in a page, as seen from that page, or null if its target is not among what is written. */
    public function link(string $from, string $link): ?string
    {
        if (preg_match('~^([a-z]+:|#)~', $link) === 1) {
            return $link;
        }
        [$path, $anchor] = explode('#', $link, 2) + [1 => null];
        $target = self::resolved(dirname($from) . "/$path");
        $fragment = $anchor === null ? '' : "#$anchor";
        if (isset($this->addresses[$target])) {
            return $this->relative($from, $this->addresses[$target]) . $fragment;
        }
        if ($this->examples !== '' && preg_match('~^examples(/.*)?$~', $target, $found) === 1) {
            return $this->relative($from, $this->examples . ($found[1] ?? '')) . $fragment;
        }
        return null;
    }

    /** Returns the address of a picture, which is copied. */
    public function picture(string $from, string $link): string
    {
        if (str_contains($link, '://')) {
            throw new \Exception("$from: the picture $link is on another server");
        }
        $target = self::resolved(dirname($from) . "/$link");
        if (!is_file("$this->root/$target")) {
            throw new \Exception("$from: the picture $link does not exist");
        }
        $this->pictures[$target] = true;
        return $this->relative($from, $target);
    }

    /** Returns the address of something below the directory, as seen from a page. */
    private function relative(string $from, string $address): string
    {
        $levels = substr_count($this->addresses[$from], '/');
        // README.md and README.html are in the same folder, so only folders that both have are removed.
        $own = explode('/', dirname($this->addresses[$from]));
        $other = explode('/', $address);
        while ($levels > 0 && count($other) > 1 && $own !== [] && $own[0] === $other[0]) {
            array_shift($own);
            array_shift($other);
            $levels--;
        }
        return str_repeat('../', $levels) . implode('/', $other);
    }

    /** Returns the path without "." and "..". */
    private static function resolved(string $path): string
    {
        $parts = [];
        foreach (explode('/', $path) as $part) {
            if ($part === '..') {
                array_pop($parts);
            } elseif ($part !== '.' && $part !== '') {
                $parts[] = $part;
            }
        }
        return implode('/', $parts);
    }

    /** Returns the titles of the pages, first of those that README lists as documentation, in its order. */
    private function sorted(): array
    {
        $titles = [];
        $next = ['README.md', ...array_keys($this->addresses)];
        for ($i = 0; $i < count($next); $i++) {
            $file = $next[$i];
            if (isset($titles[$file]) || $file === self::API) {
                continue;
            }
            $text = file_get_contents("$this->root/$file");
            $titles[$file] = preg_match('/^# (.+)$/m', $text, $found) === 1 ? trim($found[1], '# ') : basename($file, '.md');
            preg_match_all('/\]\(([^)#\s]+\.md)/', strstr($text, "\n## Documentation\n") ?: $text, $links);
            $found = array_map(fn (string $link): string => self::resolved(dirname($file) . "/$link"), $links[1]);
            array_splice($next, $i + 1, 0, $file === 'README.md' ? array_filter($found, fn ($link) => isset($this->addresses[$link])) : []);
        }
        return ['README.md' => 'Overview'] + $titles;
    }

    /** Returns the navigation, with the group of the page open. */
    private function navigation(string $page): string
    {
        $groups = ['Guide' => '~^(README\.md$|docs/[^/]+$)~', 'Reference' => '~^docs/reference/~', 'Development' => '~^docs/dev/~',
            'Project' => '~^[A-Z]+\.md$~'];
        $html = '';
        $shown = [];
        foreach ($groups as $group => $pattern) {
            $files = array_diff(preg_grep($pattern, array_keys($this->titles)), $shown);
            array_push($shown, ...$files);
            $list = $group === 'Reference' ? [self::API => 'Classes and methods'] : [];
            foreach ($files as $file) {
                $list[$file] = $this->titles[$file];
            }
            $html .= $list === [] ? '' : "<h2>$group</h2>\n<ul>\n";
            foreach ($list as $file => $title) {
                $current = $file === $page ? ' aria-current="page"' : '';
                $href = $this->relative($page, $this->addresses[$file]);
                $html .= "<li><a href=\"$href\"$current>" . self::escaped(str_replace('`', '', $title)) . "</a></li>\n";
            }
            $html .= $list === [] ? '' : "</ul>\n";
        }
        return $html;
    }

    private function page(string $file, string $html, string $contents = ''): string
    {
        preg_match('/^#define PHP_BLOOM_VERSION "(.*)"/m', file_get_contents("$this->root/php_bloom.h"), $version);
        preg_match('~<h1\b[^>]*>(.*?)</h1>~s', $html, $title);
        $title = trim(strip_tags($title[1] ?? $file));
        $title = $title === 'bloom' ? 'bloom' : "$title – bloom";
        $style = $this->relative($file, 'style.css');
        $home = $this->relative($file, 'index.html');
        return <<<HTML
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>$title</title>
            <link rel="stylesheet" href="$style">
            </head>
            <body>
            <header><a href="$home">bloom</a> <span>$version[1]</span> <a class="skip" href="#pages">Pages</a></header>
            <main>
            $html
            </main>
            <nav id="pages" aria-label="Pages">
            $contents{$this->navigation($file)}</nav>
            </body>
            </html>

            HTML;
    }

    private function save(string $address, string $bytes): void
    {
        $file = "$this->directory/$address";
        if (!is_dir(dirname($file)) && !mkdir(dirname($file), 0777, true)) {
            throw new \Exception("cannot create the directory of $file");
        }
        if (file_put_contents($file, $bytes) !== strlen($bytes)) {
            throw new \Exception("cannot write $file");
        }
    }

    public static function escaped(string $text): string
    {
        return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE | ENT_HTML5);
    }
}
