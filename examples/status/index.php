<?php

/*
 * A status page of the filters on this host, in one file without dependencies. It only reads: it has no action, so there is
 * nothing that a forged request could trigger.
 *
 * Serve this file, or a copy, with the PHP-FPM pool that uses the filters, because each user has their own segment. The page is
 * closed until one of these settings opens it. Set them below, or as environment variables, for example in the pool:
 *
 *     env[BLOOM_STATUS_PASSWORD_HASH] = /etc/bloom/status   ; a file with a hash of password_hash(). Asks for the password
 *     env[BLOOM_STATUS_ALLOW] = "192.0.2.10 192.0.2.64/26"  ; addresses and networks. With both settings, both must match.
 *                                                           ; Behind a proxy, all clients have its address: use a password
 *     env[BLOOM_STATUS_STORE] = /srv/bloom                  ; optional: shows the versions in this store: a directory, or
 *                                                           ; redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE]
 *
 * An application can also include the file and call Bloom\Status\Page::serve() behind its own login. docs/monitoring.md
 * describes the page.
 */

namespace Bloom\Status;

use Bloom\Blob;
use Bloom\BloomException;
use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\FilterInfo;
use Bloom\Kind;
use Bloom\LoadedInfo;
use Bloom\OnDemandInfo;
use Bloom\RedisStore;
use Bloom\Store;
use Bloom\Version;

/**
 * The settings. An environment variable, such as BLOOM_STATUS_ALLOW for `allow`, takes precedence. `password_hash` may also
 * contain the hash itself.
 */
const SETTINGS = [
    'password_hash' => '',
    'allow' => '',
    'store' => '',
];

/** Decides who may see a page: this one, or the metrics of ../metrics.php. */
final class Access
{
    /** Returns the setting, or an empty string. FPM passes env[] to getenv(). */
    public static function setting(string $name, string $page = 'status'): string
    {
        $value = getenv(self::variableOf($name, $page));
        return trim($value === false ? ($page === 'status' ? SETTINGS[$name] : '') : $value);
    }

    /**
     * Returns the HTTP status of the refusal and its text, or null if the client may see the page.
     *
     * No header of the request is taken into account except the password, because a proxy on this host may forward requests
     * without a sign that they come from elsewhere.
     *
     * @param string $page 'status', or 'metrics': the page with the settings BLOOM_METRICS_…
     *
     * @return array{int, string}|null
     */
    public static function refusal(string $page = 'status'): ?array
    {
        $hash = self::setting('password_hash', $page);
        $networks = preg_split('/[\s,]+/', self::setting('allow', $page), -1, PREG_SPLIT_NO_EMPTY) ?: [];
        [$hashVariable, $allowVariable] = [self::variableOf('password_hash', $page), self::variableOf('allow', $page)];
        // FPM replaces values that begin with "$", as every hash does, so the setting can name a file.
        $file = preg_match('~^(?:[A-Za-z]:)?[/\\\\]~', $hash) === 1 ? $hash : null;
        $hash = $file === null ? $hash : trim((string) @file_get_contents($file));
        if ($file === null && $hash === '' && $networks === []) {
            return [403, "This $page page is closed. To open it, set $hashVariable to a hash of "
                . "password_hash() or a file that contains one, or $allowVariable to the addresses that may see it."];
        }
        foreach ($networks as $network) {
            if (self::isIn('::', $network) === null) {
                return self::invalid($page, "$allowVariable: \"$network\" is neither an address nor a network such as 10.0.0.0/8");
            }
        }
        if (($hash !== '' || $file !== null) && password_get_info($hash)['algo'] === null) {
            return self::invalid($page, "$hashVariable is not a hash of password_hash()"
                . ($file === null ? '' : ", or $file cannot be read"));
        }
        $address = self::variable('REMOTE_ADDR');
        if ($networks !== [] && !in_array(true, array_map(static fn (string $one): ?bool => self::isIn($address, $one), $networks), true)) {
            return [403, "This $page page is not open to $address. $allowVariable lists the addresses that may see it."];
        }
        if ($hash !== '' && !password_verify(self::variable('PHP_AUTH_PW'), $hash)) {
            return [401, "This $page page needs a password. Any user name is accepted."];
        }
        return null;
    }

    /** Returns a variable of the request. */
    public static function variable(string $name): string
    {
        $value = $_SERVER[$name] ?? '';
        return is_string($value) ? $value : '';
    }

    /** Returns null if the network is invalid. An IPv4 address that arrives as ::ffff:192.0.2.1 is an IPv4 address. */
    private static function isIn(string $address, string $network): ?bool
    {
        [$base, $length] = explode('/', $network, 2) + [1 => null];
        $base = @inet_pton((string) $base);
        if ($base === false || $length !== null && (!preg_match('/^\d{1,3}$/D', $length) || (int) $length > 8 * strlen($base))) {
            return null;
        }
        $bytes = @inet_pton((string) preg_replace('/^::ffff:(?=\d+\.)/i', '', $address));
        if ($bytes === false || strlen($bytes) !== strlen($base)) {
            return false;
        }
        $bits = $length === null ? 8 * strlen($base) : (int) $length;
        $mask = str_pad(str_repeat("\xff", intdiv($bits, 8)) . ($bits % 8 ? chr(0xff << 8 - $bits % 8 & 0xff) : ''), strlen($base), "\0");
        return ($bytes & $mask) === ($base & $mask);
    }

    /**
     * The visitor may be anyone, so only the log names the setting's value.
     *
     * @return array{int, string}
     */
    private static function invalid(string $page, string $why): array
    {
        error_log("bloom $page page: $why");
        return [403, "This $page page is closed, because one of its settings is invalid. PHP's error log names it."];
    }

    private static function variableOf(string $setting, string $page): string
    {
        return strtoupper("BLOOM_{$page}_$setting");
    }
}

/** Formats values. Every method returns plain text; html() escapes it. */
final class Text
{
    /** Makes untrusted bytes safe in HTML and XML text and attributes: invalid UTF-8 and control characters are replaced. */
    public static function html(string $bytes): string
    {
        $text = htmlspecialchars($bytes, ENT_QUOTES | ENT_SUBSTITUTE | ENT_XML1, 'UTF-8');
        return (string) preg_replace('/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u', "\u{FFFD}", $text);
    }

    public static function count(float $number): string
    {
        return number_format($number);
    }

    public static function counted(int $number, string $noun): string
    {
        return self::count($number) . " $noun" . ($number === 1 ? '' : 's');
    }

    /** 102912 → "100.5 KiB" */
    public static function size(float $bytes): string
    {
        $units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
        for ($unit = 0; $bytes >= 1024 && $unit < 4; $unit++) {
            $bytes /= 1024;
        }
        return number_format($bytes, $unit === 0 || fmod($bytes, 1) === 0.0 ? 0 : 1) . " $units[$unit]";
    }

    /** 0.00987 → "0.987 %", with three significant digits */
    public static function percent(?float $share): string
    {
        if ($share === null) {
            return 'not known';
        }
        $percent = 100 * $share;
        $digits = $percent > 0 ? 2 - (int) floor(log10($percent)) : 0;
        return $percent > 0 && $percent < 0.0001 ? sprintf('%.2e %%', $percent) : number_format($percent, max(0, $digits)) . ' %';
    }

    public static function time(float $seconds): string
    {
        return gmdate('Y-m-d H:i:s', (int) $seconds) . ' UTC';
    }

    /** 90061 → "1 d 1 h" */
    public static function duration(float $seconds): string
    {
        $whole = max(0, (int) $seconds);
        return match (true) {
            $whole < 60 => "$whole s",
            $whole < 3600 => intdiv($whole, 60) . ' min',
            $whole < 86400 => sprintf('%d h %d min', intdiv($whole, 3600), intdiv($whole % 3600, 60)),
            default => sprintf('%d d %d h', intdiv($whole, 86400), intdiv($whole % 86400, 3600)),
        };
    }

    /** 0.0123 → "12.3 ms" */
    public static function brief(float $seconds): string
    {
        return match (true) {
            $seconds < 0.001 => number_format(1e6 * $seconds) . ' µs',
            $seconds < 1 => number_format(1000 * $seconds, $seconds < 0.1 ? 1 : 0) . ' ms',
            default => number_format($seconds, 1) . ' s',
        };
    }
}

/**
 * A drawing in SVG. Horizontal positions are percentages, so a chart fills any width without scaling its text. The status
 * page, `bloom info --plot` and the report of the demo use this class.
 */
final class Chart
{
    /** Cells of a heat strip. If a filter has more shards, a cell stands for several of them. */
    private const CELLS = 160;
    /** Colors of a heat strip, from empty to full. */
    private const LEVELS = 20;

    /** Colors and classes, with a dark variant. A page with charts contains them once, and an SVG file has its own. */
    public const CSS = <<<'CSS'
        :root{--page:#f4f5f7;--card:#fff;--text:#1b2330;--muted:#596372;--line:#dde1e7;--track:#e8ebf0;--accent:#2461c4;--soft:#a9c3ec;
        --ok:#19774a;--warn:#8a5700;--bad:#c01f2c}
        @media(prefers-color-scheme:dark){:root{--page:#0f1319;--card:#181e27;--text:#e6eaf0;--muted:#9da8b7;--line:#2b3441;
        --track:#28313d;--accent:#6ba6ff;--soft:#365587;--ok:#4fc78d;--warn:#e6b24e;--bad:#ff7d7a}}
        svg text{font:12px system-ui,sans-serif;fill:var(--text)}svg .m{fill:var(--muted)}svg .t{font-weight:600}
        .track{fill:var(--track)}.accent{fill:var(--accent)}.soft{fill:var(--soft)}.muted{fill:var(--muted)}.ok{fill:var(--ok)}
        .warn{fill:var(--warn)}.bad{fill:var(--bad)}.grid{stroke:var(--line)}.mark{stroke:var(--text);stroke-dasharray:3 2}
        .axis{stroke:var(--muted)}
        CSS;

    private function __construct(
        public readonly string $title,
        private readonly string $says,
        private readonly int $height,
        private readonly string $body
    ) {
    }

    /** Returns an element for an HTML page. Screen readers read the title and a summary of the figures. */
    public function html(): string
    {
        return sprintf(
            '<svg class="chart" role="img" aria-label="%s" width="100%%" height="%d">%s</svg>',
            Text::html("$this->title: $this->says"),
            $this->height,
            $this->body
        );
    }

    /** Returns an SVG file with a heading and charts below each other. */
    public static function file(string $heading, self ...$charts): string
    {
        $top = 56;
        $body = '';
        foreach ($charts as $chart) {
            $body .= sprintf(
                "<text class=\"t\" x=\"24\" y=\"%d\">%s</text>\n<svg x=\"24\" y=\"%d\" width=\"752\" height=\"%d\"><title>%s</title>%s</svg>\n",
                $top + 14,
                Text::html($chart->title),
                $top + 24,
                $chart->height,
                Text::html($chart->says),
                $chart->body
            );
            $top += $chart->height + 52;
        }
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"800\" height=\"$top\" viewBox=\"0 0 800 $top\">\n<style>" . self::CSS
            . "\nsvg .h{font-size:18px;font-weight:600}</style>\n<rect width=\"800\" height=\"$top\" fill=\"var(--card)\"/>\n"
            . '<text class="h" x="24" y="36">' . Text::html($heading) . "</text>\n$body</svg>\n";
    }

    /**
     * Horizontal bars with their labels above them.
     *
     * @param list<array{string, float|null, string, string}> $rows label, value, the value as text, class
     * @param float|null $mark draws a line at this value
     * @param bool $isLog a bar ten times as long as another one would be too long, so each decade has the same length
     */
    public static function bars(string $title, array $rows, ?float $mark = null, bool $isLog = false): self
    {
        $values = array_filter([...array_column($rows, 1), $mark], static fn (?float $value): bool => $value !== null && $value > 0);
        $most = $values === [] ? 1.0 : max($values) * ($isLog ? 1 : 1.08);
        $least = $values === [] ? 1.0 : 10 ** floor(log10(min($values)) - 0.001);
        $place = static fn (float $value): float => $isLog
            ? 100 * log10(max($value, $least) / $least) / max(0.001, log10($most / $least))
            : 100 * $value / $most;
        $body = '';
        $says = [];
        foreach ($rows as $number => [$label, $value, $text, $class]) {
            $y = 36 * $number;
            $says[] = "$label $text";
            $body .= '<text class="m" y="' . ($y + 13) . '">' . Text::html($label) . '</text>'
                . '<text x="100%" y="' . ($y + 13) . '" text-anchor="end">' . Text::html($text) . '</text>'
                . '<rect class="track" y="' . ($y + 19) . '" width="100%" height="9" rx="3"/>'
                . ($value === null ? '' : "<rect class=\"$class\" y=\"" . ($y + 19) . '" width="' . self::percent($place($value))
                    . '" height="9" rx="3"/>');
            if ($mark !== null) {
                $x = self::percent($place($mark));
                $body .= "<line class=\"mark\" x1=\"$x\" x2=\"$x\" y1=\"" . ($y + 16) . '" y2="' . ($y + 31) . '"/>';
            }
        }
        return new self($title, implode('; ', $says), 36 * count($rows), $body);
    }

    /**
     * A strip with a cell for each shard. Its color is the fill. A bad shard is red, and a triangle points to it.
     *
     * @param list<float> $fills 0 to 1
     * @param list<int> $bad positions of bad shards
     */
    public static function heat(string $title, array $fills, array $bad): self
    {
        $count = max(1, count($fills));
        $group = (int) ceil($count / self::CELLS);
        $cells = (int) ceil($count / $group);
        $isBad = array_fill_keys(array_map(static fn (int $one): int => intdiv($one, $group), $bad), true);
        $top = $bad === [] ? 0 : 11;
        $width = round(1 - min(0.1, 0.002 * $cells), 3);
        $paths = array_fill_keys(range(0, self::LEVELS - 1), '') + ['bad' => ''];
        $marks = '';
        for ($cell = 0; $cell < $cells; $cell++) {
            $fill = max([0.0, ...array_slice($fills, $cell * $group, $group)]);
            $paths[isset($isBad[$cell]) ? 'bad' : min(self::LEVELS - 1, (int) (self::LEVELS * $fill))] .= "M$cell 0h{$width}v1h-{$width}z";
            if (isset($isBad[$cell])) {
                $marks .= '<svg x="' . self::percent(100 * ($cell + $width / 2) / $cells) . '" overflow="visible">'
                    . '<path class="bad" d="M-5 0h10l-5 9z"/></svg>';
            }
        }
        $body = "$marks<svg y=\"$top\" width=\"100%\" height=\"28\" viewBox=\"0 0 $cells 1\" preserveAspectRatio=\"none\">"
            . "<path class=\"track\" d=\"M0 0h{$cells}v1h-{$cells}z\"/>";
        foreach (array_filter($paths) as $level => $path) {
            $body .= '<path ' . (is_int($level) ? self::heatColor($level) : 'class="bad"') . " d=\"$path\"/>";
        }
        $y = $top + 43;
        $body .= "</svg><text class=\"m\" y=\"$y\">shard 1</text>"
            . "<text class=\"m\" x=\"100%\" y=\"$y\" text-anchor=\"end\">" . Text::count($count) . '</text>'
            . '<svg x="50%" y="' . ($y - 9) . '" overflow="visible"><text class="m" x="-56" y="9" text-anchor="end">0 %</text>';
        for ($level = 0; $level < self::LEVELS; $level += 2) {
            $body .= '<rect ' . self::heatColor($level) . ' x="' . ($level * 5 - 50) . '" width="10" height="10"/>';
        }
        $body .= '<text class="m" x="56" y="9">100 %</text></svg>'
            . ($group > 1 ? '<text class="m" y="' . ($y + 18) . "\">Each cell shows the fullest of $group shards.</text>" : '');
        $says = $fills === [] ? 'no shards' : sprintf('%s, filled from %s to %s, %s', Text::counted($count, 'shard'),
            Text::percent(min($fills)), Text::percent(max($fills)), $bad === [] ? 'none bad' : count($bad) . ' bad');
        return new self($title, $says, $y + ($group > 1 ? 24 : 6), $body);
    }

    /**
     * Columns over time, each stacked from several series.
     *
     * @param list<list<float>> $columns the values of the series, for each column
     * @param array<string, string> $series label → class, from the bottom to the top
     * @param string $unit of the highest column
     * @param list<array{float, string}> $marks labeled lines: the number of columns to their left, and the label
     */
    public static function columns(string $title, array $columns, array $series, string $unit, string $from, string $to, array $marks = []): self
    {
        $sums = array_map(array_sum(...), $columns) ?: [0];
        $most = max(1, max($sums));
        $count = max(1, count($columns));
        $paths = array_fill(0, count($series), '');
        foreach ($columns as $x => $values) {
            $y = 100.0;
            foreach ($values as $number => $value) {
                $height = round(100 * $value / $most, 2);
                $y -= $height;
                $paths[$number] .= $value > 0 ? 'M' . $x . ' ' . round($y, 2) . "h.86v{$height}h-.86z" : '';
            }
        }
        $body = self::legend($series) . '<text class="m" x="100%" y="11" text-anchor="end">peak ' . Text::count(max($sums)) . " $unit</text>"
            . self::frame() . "<svg y=\"20\" width=\"100%\" height=\"90\" viewBox=\"0 0 $count 100\" preserveAspectRatio=\"none\">";
        $totals = [];
        foreach (array_keys($series) as $number => $label) {
            $body .= "<path class=\"{$series[$label]}\" d=\"{$paths[$number]}\"/>";
            $totals[] = Text::count(array_sum(array_column($columns, $number))) . " $label";
        }
        $body .= '</svg>' . self::ends($from, $to);
        foreach ($marks as [$at, $label]) {
            $x = self::percent(100 * $at / $count);
            $body .= "<line class=\"mark\" x1=\"$x\" x2=\"$x\" y1=\"20\" y2=\"111\"/><text x=\"$x\" y=\"125\" text-anchor=\"middle\">"
                . Text::html($label) . '</text>';
            $totals[] = "$label after " . round(100 * $at / $count) . ' % of the time';
        }
        return new self($title, implode(', ', $totals) . ', peak ' . Text::count(max($sums)) . " $unit", 128, $body);
    }

    /**
     * One bar of parts.
     *
     * @param list<array{string, float, string, string}> $parts label, value, the value as text, class
     */
    public static function meter(string $title, array $parts): self
    {
        $sum = max(1, array_sum(array_column($parts, 1)));
        $body = '<rect class="track" width="100%" height="12" rx="3"/>';
        $x = 0.0;
        foreach ($parts as [, $value, , $class]) {
            $width = 100 * $value / $sum;
            $body .= $class === 'track' || $value <= 0 ? '' : "<rect class=\"$class\" x=\"" . self::percent($x) . '" width="'
                . self::percent(max($width, 0.4)) . '" height="12" rx="2"/>';
            $x += $width;
        }
        return new self($title, implode(', ', array_map(static fn (array $part): string => "$part[0] $part[2]", $parts)), 12, $body);
    }

    /** The opacity is an attribute, because a strict content security policy allows no style attributes. */
    private static function heatColor(int $level): string
    {
        return 'class="accent" fill-opacity="' . round(0.05 + 0.95 * $level / (self::LEVELS - 1), 2) . '"';
    }

    private static function percent(float $share): string
    {
        return round(max(0, min(100, $share)), 2) . '%';
    }

    private static function frame(): string
    {
        return '<line class="grid" x2="100%" y1="20.5" y2="20.5"/><line class="grid" x2="100%" y1="65.5" y2="65.5"/>'
            . '<line class="axis" x2="100%" y1="110.5" y2="110.5"/>';
    }

    private static function ends(string $from, string $to): string
    {
        return '<text class="m" y="125">' . Text::html($from) . '</text><text class="m" x="100%" y="125" text-anchor="end">'
            . Text::html($to) . '</text>';
    }

    /** @param array<string, string> $series label → class */
    private static function legend(array $series): string
    {
        $x = 0;
        $body = '';
        foreach ($series as $label => $class) {
            $body .= "<rect class=\"$class\" x=\"$x\" y=\"2\" width=\"10\" height=\"10\" rx=\"2\"/><text x=\"" . ($x + 15) . '" y="11">'
                . Text::html($label) . '</text>';
            $x += 31 + (int) (6.6 * strlen($label));
        }
        return $body;
    }
}

/** What the page shows of one filter. */
final class Entry
{
    /** null: the filter cannot be opened, and $reasons says why */
    public ?FilterInfo $info = null;
    /** ok, warning, critical or unknown */
    public string $status = 'ok';
    /** @var list<string> why the status is not ok */
    public array $reasons = [];
    /** @var list<string> whether hosts are pinned or were rolled back */
    public array $notes = [];
    /** @var list<float>|null null: too many shards, or an on-demand filter, which has only some of them */
    public ?array $fills = null;
    /** @var array<int, string> the position of each bad shard, and what is wrong */
    public array $bad = [];
    /**
     * @var list<array{generation: int, loadedAt: float, builtAt: float|null, keys: int, bytes: int, seconds: float,
     *      switchSeconds: float, bytesFetched: int}>
     */
    public array $history = [];
    /** @var list<array{at: int, lookups: int, absent: int}> */
    public array $activity = [];
    /** @var list<Version>|string|null the versions in the store, or why they cannot be read */
    public array|string|null $versions = null;

    /** @param int $maxShards do not read the shards if there are more */
    public function __construct(public readonly string $name, ?Store $store = null, int $maxShards = PHP_INT_MAX)
    {
        try {
            $filter = Filter::open($name);
            $this->info = $info = $filter->info();
            $this->history = $filter->history();
            $this->activity = $filter->activity();
            if ($info->shards <= $maxShards && !$info instanceof OnDemandInfo) {
                $this->examine($info, $filter->shards());
            }
            $this->judge($info);
        } catch (\Throwable $thrown) {
            $this->status = 'critical';
            $this->reasons[] = Page::sentence($thrown);
        }
        if ($store !== null && $this->info instanceof LoadedInfo) {
            $this->versions = self::versions($store, $name);
        }
    }

    /**
     * Finds shards that are much fuller than the others, and empty shards of a filter that was built as a whole.
     *
     * @param list<array{setBits: int|null, fill: float, estimatedKeys: float, measuredFalsePositiveRate: float}> $shards
     */
    private function examine(FilterInfo $info, array $shards): void
    {
        $this->fills = array_column($shards, 'fill');
        $mean = $info->keys / max(1, count($shards));
        // Random keys give no shard as many as this. At low rates, chance alone gives shards several times the requested rate.
        $usual = array_sum(array_column($shards, 'estimatedKeys')) / max(1, count($shards));
        $usual += 6 * sqrt($usual);
        foreach ($shards as $number => $shard) {
            $rate = $shard['measuredFalsePositiveRate'];
            if ($rate > 2 * $info->falsePositiveRate && $shard['estimatedKeys'] > $usual) {
                $this->bad[$number] = 'fill ' . Text::percent($shard['fill']) . ', rate ' . Text::percent($rate);
            } elseif ($shard['fill'] <= 0 && $mean > 50 && $info instanceof LoadedInfo) {
                $this->bad[$number] = 'empty, although shards have ' . Text::count($mean) . ' keys on average';
            }
        }
    }

    private function judge(FilterInfo $info): void
    {
        $health = Filter::health($this->name);
        $this->status = $health->status->value;
        $this->reasons = $health->reasons;
        $this->notes = $health->notes;
        if ($this->bad !== [] && $info->warning === null) {
            $this->status = $this->status === 'ok' ? 'warning' : $this->status;
            $this->reasons[] = Text::counted(count($this->bad), 'bad shard');
        }
    }

    /** @return list<Version>|string */
    private static function versions(Store $store, string $name): array|string
    {
        try {
            return Blob::versions($store, $name);
        } catch (\Throwable $thrown) {
            return Page::sentence($thrown);
        }
    }
}

/** The page. */
final class Page
{
    private const REFRESH_SECONDS = 5;
    private const STORE_SECONDS = 1.0;
    /** Shards of all filters together. Reading this many takes 0.3 s if each has 8 KiB. */
    private const MAX_SHARDS = 65536;
    private const WORDS = ['ok' => 'OK', 'warning' => 'Warning', 'critical' => 'Critical', 'unknown' => 'Unknown'];
    private const SIGNS = ['ok' => '✓', 'warning' => '▲', 'critical' => '✕', 'unknown' => '?'];
    private const MINUTES = 60;

    /** Answers the request. Without $isAllowed, the settings decide who may see the page. */
    public static function serve(bool $isAllowed = false, ?Store $store = null): void
    {
        ini_set('display_errors', '0'); // PHP's own messages contain paths and traces
        $nonce = base64_encode(random_bytes(18));
        try {
            [$status, $html] = self::answer($isAllowed, $store, $nonce);
        } catch (\Throwable $thrown) {
            [$status, $html] = [500, self::notice(self::sentence($thrown), $nonce, true)];
        }
        http_response_code($status);
        header_remove('X-Powered-By');
        header('Content-Type: text/html; charset=utf-8');
        header("Content-Security-Policy: default-src 'none'; style-src 'nonce-$nonce'; script-src 'nonce-$nonce'; connect-src 'self'; "
            . "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
        header('X-Frame-Options: DENY');
        header('X-Content-Type-Options: nosniff');
        header('Referrer-Policy: no-referrer');
        header('Cache-Control: no-store');
        header('X-Robots-Tag: noindex');
        if ($status === 401) {
            header('WWW-Authenticate: Basic realm="bloom status", charset="UTF-8"');
        }
        if ($status === 405) {
            header('Allow: GET, HEAD');
        }
        echo $html;
    }

    /** @return array{int, string} */
    private static function answer(bool $isAllowed, ?Store $store, string $nonce): array
    {
        $refusal = $isAllowed ? null : Access::refusal();
        if ($refusal === null && !in_array(Access::variable('REQUEST_METHOD'), ['GET', 'HEAD'], true)) {
            $refusal = [405, 'This page accepts only GET and HEAD requests.'];
        }
        return $refusal === null ? [200, self::read($store, $nonce)] : [$refusal[0], self::notice($refusal[1], $nonce)];
    }

    /** Returns what may be shown of an exception. Only messages of this extension are meant for readers; others are logged. */
    public static function sentence(\Throwable $thrown): string
    {
        if ($thrown instanceof BloomException) {
            return $thrown->getMessage();
        }
        error_log('bloom status page: ' . get_class($thrown) . ': ' . $thrown->getMessage() . " in {$thrown->getFile()}:{$thrown->getLine()}");
        return extension_loaded('bloom') || !str_contains($thrown->getMessage(), 'Bloom\\')
            ? 'The page failed. PHP\'s error log has the reason.'
            : 'The PHP extension "bloom" is not loaded. Put extension=bloom into php.ini.';
    }

    /** Reads all filters and returns the complete page. */
    private static function read(?Store $store, string $nonce): string
    {
        $problem = null;
        if ($store === null && Access::setting('store') !== '') {
            try {
                $store = self::store(Access::setting('store'));
            } catch (\Throwable $thrown) {
                $problem = 'The store cannot be used: ' . self::sentence($thrown);
            }
        }
        $start = hrtime(true);
        $entries = [];
        $shards = self::MAX_SHARDS;
        foreach (Filter::list() as $name) {
            $entries[] = $entry = new Entry($name, $store, $shards);
            $shards -= count($entry->fills ?? []);
        }
        return self::html($entries, $nonce, $problem, (hrtime(true) - $start) / 1e9);
    }

    /** @param list<Entry> $entries */
    public static function html(array $entries, string $nonce = '', ?string $problem = null, float $seconds = 0.0): string
    {
        $main = self::header($entries) . ($problem === null ? '' : '<p class="error">' . Text::html($problem) . '</p>')
            . self::overview($entries) . implode('', array_map(self::section(...), $entries));
        $bad = count(array_filter($entries, static fn (Entry $entry): bool => $entry->status !== 'ok'));
        $footer = '<footer>Read in ' . Text::brief($seconds) . ' by PHP ' . PHP_VERSION . ' with bloom '
            . Text::html((string) phpversion('bloom')) . '. All times are in UTC.</footer>';
        $title = ($bad > 0 ? "($bad) " : '') . 'Bloom filters on ' . gethostname();
        return self::document($title, "<main>$main$footer</main>", $nonce, true);
    }

    /** Returns a page or an SVG file of one filter, for `bloom info --plot`. */
    public static function plot(string $name, bool $isSvg): string
    {
        $info = Filter::open($name)->info(); // throws if the filter cannot be used
        $entry = new Entry($name);
        if (!$isSvg) {
            return self::document($name, '<main><h1>' . Text::html($name) . ' <small>' . Text::time(microtime(true)) . '</small></h1>'
                . self::section($entry) . '</main>', '', false);
        }
        return Chart::file("$name, " . Text::time(microtime(true)), ...array_filter([
            self::heat($entry), self::rates($info), self::activity($entry),
        ]));
    }

    /** Returns a page with these parts, which must be HTML already. The report of the demo uses it, too. */
    public static function document(string $title, string $body, string $nonce = '', bool $isLive = false): string
    {
        $attribute = $nonce === '' ? '' : " nonce=\"$nonce\"";
        return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" . Text::html($title) . '</title>'
            . '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">'
            . "<link rel=\"icon\" href=\"data:,\"><style$attribute>" . Chart::CSS . "\n" . self::CSS . "</style></head>\n<body>$body"
            . ($isLive ? "<script$attribute>" . strtr(self::SCRIPT, ['SECONDS' => self::REFRESH_SECONDS]) . '</script>' : '') . "</body></html>\n";
    }

    private static function notice(string $sentence, string $nonce, bool $isLive = false): string
    {
        return self::document('Bloom filters', '<main><header><h1>Bloom filters</h1><p class="state"><span id="state">As of '
            . Text::time(microtime(true)) . '</span></p></header><p class="notice">' . Text::html($sentence) . '</p></main>', $nonce, $isLive);
    }

    /** The client connects when the first version is read. An application passes any other store to serve(). */
    private static function store(string $address): Store
    {
        if (!str_contains($address, '://')) {
            return new DirectoryStore($address);
        }
        $parts = parse_url($address);
        if (($parts['scheme'] ?? '') !== 'redis' || !isset($parts['host'])) {
            throw new BloomException('BLOOM_STATUS_STORE must be a directory or redis://HOST');
        }
        return new RedisStore(static function () use ($parts): \Redis {
            $redis = new \Redis();
            $redis->connect(trim($parts['host'], '[]'), $parts['port'] ?? 6379, self::STORE_SECONDS, null, 0, self::STORE_SECONDS);
            if (isset($parts['pass'])) {
                $user = rawurldecode($parts['user'] ?? '');
                $redis->auth($user === '' ? rawurldecode($parts['pass']) : [$user, rawurldecode($parts['pass'])]);
            }
            $redis->select((int) trim($parts['path'] ?? '', '/'));
            return $redis;
        });
    }

    // ---- the head of the page ----

    /** @param list<Entry> $entries */
    private static function header(array $entries): string
    {
        $counts = array_count_values(array_column($entries, 'status'));
        $states = '';
        foreach (self::WORDS as $status => $word) {
            $states .= isset($counts[$status]) ? self::badge($status, "$counts[$status] " . strtolower($word)) . ' ' : '';
        }
        $minutes = array_merge(...array_column($entries, 'activity'));
        $lookups = array_sum(array_column($minutes, 'lookups'));
        $saved = array_sum(array_column($minutes, 'absent'));
        return '<header><h1>Bloom filters <small>' . Text::html((string) gethostname()) . '</small></h1>'
            . '<p class="state"><span id="state">As of ' . Text::time(microtime(true)) . '</span>'
            . '<button id="pause" type="button" hidden>Pause</button></p></header><div class="tiles">'
            . self::tile('Filters', Text::count(count($entries)), $states === '' ? 'none is loaded' : $states)
            . self::tile('Lookups in the last hour', Text::count($lookups), Text::count($lookups / self::MINUTES) . ' a minute')
            . self::tile('Saved lookups', $lookups > 0 ? Text::percent($saved / $lookups) : '–',
                Text::count($saved) . ' keys were definitely absent')
            . self::memory($entries) . '</div>';
    }

    /**
     * A reload needs space for both versions, so the largest filter decides.
     *
     * @param list<Entry> $entries
     */
    private static function memory(array $entries): string
    {
        $infos = [];
        foreach ($entries as $entry) {
            if ($entry->info !== null) {
                $infos[] = $entry->info;
            }
        }
        if ($infos === []) {
            return self::tile('Memory', '0 bytes', 'no filter can be opened');
        }
        $used = (float) $infos[0]->segmentBytes;
        $free = @disk_free_space($infos[0]->segment);
        $left = max(0.0, $infos[0]->memoryLimit - $used);
        $isLimited = $infos[0]->memoryLimit > 0 && ($free === false || $left < $free);
        if ($isLimited) {
            $free = $left;
        } elseif ($free === false) {
            return self::tile('Memory', Text::size($used), 'The free space is not known.');
        }
        $reload = (float) max(array_map(
            static fn (FilterInfo $info): int => $info instanceof LoadedInfo ? self::bytes($info) : 0,
            $infos
        ));
        $fits = $reload <= $free;
        $chart = Chart::meter('Memory of the segment', [
            ['used', $used, Text::size($used), 'accent'],
            ['needed by the next reload', min($reload, $free), Text::size($reload), $fits ? 'soft' : 'bad'],
            ['free', max(0.0, $free - $reload), Text::size($free), 'track'],
        ]);
        return self::tile('Memory', Text::size($used), $chart->html() . Text::html(Text::size($free) . ' free'
            . ($isLimited ? ' of the limit' : '') . ', ' . ($reload === 0.0 ? 'no filter reloads'
            : 'the largest reload needs ' . Text::size($reload))) . ($fits ? '' : ' ' . self::badge('critical', 'too little room')));
    }

    private static function tile(string $label, string $value, string $html): string
    {
        return "<div class=\"tile\"><h2>$label</h2><p class=\"figure\">$value</p><p>$html</p></div>";
    }

    private static function badge(string $status, ?string $text = null): string
    {
        return "<span class=\"badge $status\"><span aria-hidden=\"true\">" . self::SIGNS[$status] . '</span> '
            . ($text ?? self::WORDS[$status]) . '</span>';
    }

    /** @param list<Entry> $entries */
    private static function overview(array $entries): string
    {
        if ($entries === []) {
            return '<p class="notice">No filter is loaded for the user that runs this page. Each user has their own segment.</p>';
        }
        $rows = array_map(static function (Entry $entry): array {
            $info = $entry->info;
            // Long names may break after these characters.
            $name = '<a href="#f-' . rawurlencode($entry->name) . '">'
                . preg_replace('/[_.-]+/', '$0<wbr>', Text::html($entry->name)) . '</a>';
            return $info === null ? [$name, self::badge($entry->status), ...array_fill(0, 8, '–')] : [
                $name,
                self::badge($entry->status) . self::held($info),
                $info->kind->value,
                Text::count($info->generation),
                self::age($info instanceof LoadedInfo ? $info->builtAt : null),
                Text::count(self::keys($info)),
                Text::size(self::bytes($info)),
                Text::percent($info->falsePositiveRate),
                Text::percent(self::estimatedRate($info)),
                self::observed($info),
            ];
        }, $entries);
        return '<section class="card"><h2>Overview</h2>' . self::table(
            'All filters',
            ['Name', 'Status', '-Kind', '-#Generation', '-#Build age', '-#Keys', '-#Size', '-#Rate requested', '#Rate estimated',
                '-#Rate observed'],
            $rows
        ) . '</section>';
    }

    private static function held(FilterInfo $info): string
    {
        return match (true) {
            !$info instanceof LoadedInfo => '',
            $info->pinnedSince !== null => ' <small>pinned</small>',
            $info->rolledBackAt !== null => ' <small>rolled back</small>',
            default => '',
        };
    }

    /** A filter that loses keys has no lower limit for their number. */
    private static function keys(FilterInfo $info): int
    {
        $losesKeys = in_array($info->kind, [Kind::Counting, Kind::Sliding], true);
        return $losesKeys ? $info->estimatedKeys : max($info->keys, $info->estimatedKeys);
    }

    private static function bytes(FilterInfo $info): int
    {
        return $info instanceof OnDemandInfo ? $info->memory : $info->bytes;
    }

    private static function estimatedRate(FilterInfo $info): float
    {
        return $info instanceof LoadedInfo ? $info->lookupFalsePositiveRate : $info->measuredFalsePositiveRate;
    }

    private static function age(?float $time): string
    {
        return $time === null ? '–' : Text::duration(microtime(true) - $time);
    }

    private static function observed(FilterInfo $info): string
    {
        $rate = $info->counters->observedFalsePositiveRate;
        return $rate === null ? '–' : Text::percent($rate);
    }

    /**
     * The first column has the heads of the rows.
     *
     * @param list<string> $heads "#" before a head aligns its column to the right; "-" hides it on phones
     * @param list<array<int, string>> $rows HTML
     */
    private static function table(string $caption, array $heads, array $rows): string
    {
        $classes = array_map(
            static fn (string $head): string => trim((str_contains($head, '#') ? 'n' : '') . ($head[0] === '-' ? ' wide' : '')),
            $heads
        );
        $html = "<table><caption>$caption</caption><thead><tr>";
        foreach ($heads as $column => $head) {
            $html .= "<th scope=\"col\" class=\"$classes[$column]\">" . ltrim($head, '-#') . '</th>';
        }
        $html .= '</tr></thead><tbody>';
        foreach ($rows as $row) {
            $html .= '<tr>';
            foreach ($row as $column => $cell) {
                $html .= $column === 0 ? "<th scope=\"row\">$cell</th>" : '<td class="' . ($classes[$column] ?? '') . "\">$cell</td>";
            }
            $html .= '</tr>';
        }
        return "$html</tbody></table>";
    }

    // ---- one filter ----

    private static function section(Entry $entry): string
    {
        $info = $entry->info;
        $id = 'f-' . rawurlencode($entry->name);
        $head = "<section class=\"card filter $entry->status\" id=\"$id\" aria-labelledby=\"$id-h\">"
            . "<h2 id=\"$id-h\">" . Text::html($entry->name)
            . ($info === null ? '' : " <span class=\"kind\">{$info->kind->value}</span>") . ' ' . self::badge($entry->status) . '</h2>';
        if ($entry->reasons !== []) {
            $head .= '<ul class="reasons">' . implode('', array_map(
                static fn (string $reason): string => '<li>' . Text::html($reason) . '</li>',
                $entry->reasons
            )) . '</ul>';
        }
        foreach ($entry->notes as $note) {
            $head .= '<p class="held">' . Text::html(ucfirst($note)) . '</p>';
        }
        if ($info === null) {
            return "$head</section>";
        }
        $charts = '';
        foreach ([self::rates($info), self::activity($entry)] as $chart) {
            $charts .= "<figure><figcaption>$chart->title</figcaption>{$chart->html()}</figure>";
        }
        return $head . self::facts($info) . "<div class=\"charts\">$charts</div>" . self::shards($entry, $info)
            . self::history($entry) . self::storeVersions($entry, $info) . '</section>';
    }

    private static function facts(FilterInfo $info): string
    {
        $now = microtime(true);
        $counters = $info->counters;
        $loaded = $info instanceof LoadedInfo ? $info : null;
        $facts = [
            'Generation' => Text::count($info->generation) . '<small>loaded ' . Text::duration($now - $info->loadedAt) . ' ago</small>',
            'Build age' => $loaded === null ? null : self::age($loaded->builtAt) . '<small>' . Text::time($loaded->builtAt) . '</small>',
            'Keys' => Text::count(self::keys($info)) . '<small>' . Text::percent($info->capacity > 0 ? self::keys($info) / $info->capacity : null)
                . ' of ' . Text::count($info->capacity) . '</small>',
            'Size' => Text::size(self::bytes($info)) . '<small>' . number_format($info->bitsPerKey, 1) . ' bits per key</small>',
            'Lookups' => Text::count($counters->lookups) . '<small>in ' . Text::duration($now - $counters->since) . '</small>',
            'Saved lookups' => Text::count($counters->absent) . '<small>'
                . ($counters->lookups > 0 ? Text::percent($counters->absent / $counters->lookups) . ' of all' : 'no lookup yet') . '</small>',
            'Checked answers' => $counters->checked === 0 ? null : Text::count($counters->checked) . '<small>'
                . ($counters->denied === 0 ? 'all were right' : Text::count($counters->denied) . ' denied a key that exists') . '</small>',
            'Last sync' => $loaded === null ? null
                : ($loaded->syncedSecondsAgo === null ? 'never' : Text::duration($loaded->syncedSecondsAgo) . ' ago') . '<small>' . Text::count($loaded->syncs) . ' done, ' . Text::count($loaded->syncFailures) . ' failed</small>',
            'Bytes fetched' => $loaded === null ? null : Text::size($counters->bytesFetched) . '<small>'
                . Text::size($counters->bytesSaved) . ' reused</small>',
        ];
        $html = '';
        foreach (array_filter($facts) as $label => $value) {
            $html .= "<div><dt>$label</dt><dd>$value</dd></div>";
        }
        $failures = [];
        foreach ($counters->failures as $case => $times) {
            $failures[] = Text::html($case) . ' × ' . Text::count($times);
        }
        return "<dl>$html</dl>"
            . ($loaded === null || $loaded->lastError === null ? '' : '<p class="error"><strong>Last error</strong>, '
                . Text::time($loaded->lastErrorAt ?? 0.0) . ': ' . Text::html($loaded->lastError) . '</p>')
            . ($failures === [] ? '' : '<p class="note">Failures so far: ' . implode(', ', $failures) . '</p>');
    }

    private static function rates(FilterInfo $info): Chart
    {
        $asked = $info->falsePositiveRate;
        $estimated = self::estimatedRate($info);
        $observed = $info->counters->observedFalsePositiveRate;
        $class = static fn (float $rate): string => $rate > 1.5 * $asked ? 'bad' : 'accent';
        return Chart::bars('False-positive rate', [
            ['requested', $asked, Text::percent($asked), 'muted'],
            ['estimated from the set bits', $estimated, Text::percent($estimated) . ($estimated > 1.5 * $asked ? ' ▲' : ''), $class($estimated)],
            ['observed by the application', $observed, $observed === null ? 'nothing was reported'
                : Text::percent($observed) . ($observed > 1.5 * $asked ? ' ▲' : ''), $class((float) $observed)],
        ], $asked);
    }

    private static function activity(Entry $entry): Chart
    {
        $now = intdiv(time(), 60);
        $columns = array_fill(0, self::MINUTES, [0, 0]);
        foreach ($entry->activity as ['at' => $at, 'lookups' => $lookups, 'absent' => $absent]) {
            $column = self::MINUTES - 1 - ($now - intdiv($at, 60));
            if (isset($columns[$column])) {
                $columns[$column] = [$absent, $lookups - $absent];
            }
        }
        return Chart::columns('Lookups in the last hour', $columns, ['saved' => 'accent', 'maybe' => 'soft'], 'a minute',
            gmdate('H:i', 60 * ($now - self::MINUTES + 1)), gmdate('H:i', 60 * $now));
    }

    private static function heat(Entry $entry): ?Chart
    {
        return $entry->fills === null ? null : Chart::heat('Fill of the shards', $entry->fills, array_keys($entry->bad));
    }

    private static function shards(Entry $entry, FilterInfo $info): string
    {
        $chart = self::heat($entry);
        if ($info instanceof OnDemandInfo) {
            return '<p class="note">This host keeps ' . Text::counted($info->chunksHere, 'chunk') . ' and has room for '
                . Text::count($info->chunksRoom) . ', so the fill of the shards is not known here.</p>';
        }
        if ($chart === null) {
            return '<p class="note">The filter has ' . Text::counted($info->shards, 'shard') . ', too many to read them at each refresh. '
                . '<code>bloom info --plot</code> draws them.</p>';
        }
        $bad = array_map(
            static fn (int $number, string $what): string => '<strong>Shard ' . Text::count($number + 1) . "</strong>: $what",
            array_slice(array_keys($entry->bad), 0, 5),
            array_slice($entry->bad, 0, 5)
        );
        $more = count($entry->bad) - count($bad);
        $fills = $entry->fills ?? [];
        return "<figure><figcaption>$chart->title <small>"
            . ($fills === [] ? '' : Text::percent(min($fills)) . ' to ' . Text::percent(max($fills)))
            . "</small></figcaption>{$chart->html()}</figure>" . ($bad === [] ? '' : '<p class="shards"><span aria-hidden="true">▼</span> '
            . implode('; ', $bad) . ($more > 0 ? '; and ' . Text::count($more) . ' more' : '') . '</p>');
    }

    private static function history(Entry $entry): string
    {
        if ($entry->history === []) {
            return '';
        }
        $rows = array_map(static fn (array $row): array => [
            Text::count($row['generation']),
            Text::time($row['loadedAt']),
            $row['builtAt'] === null ? '–' : Text::time($row['builtAt']),
            Text::count($row['keys']),
            Text::size($row['bytes']),
            Text::size($row['bytesFetched']),
            Text::brief($row['seconds']),
            Text::brief($row['switchSeconds']),
        ], $entry->history);
        return self::details($entry, 'history', 'History', Text::counted(count($rows), 'generation'), self::table(
            'Generations, newest first',
            ['Generation', 'Loaded', '-Built', '#Keys', '-#Size', '-#Fetched', '#Load', '-#Switch'],
            $rows
        ));
    }

    private static function storeVersions(Entry $entry, FilterInfo $info): string
    {
        if ($entry->versions === null) {
            return '';
        }
        if (is_string($entry->versions)) {
            return '<p class="error"><strong>Versions in the store</strong>: ' . Text::html($entry->versions) . '</p>';
        }
        $served = $info instanceof LoadedInfo ? $info->checksum : null;
        $held = '';
        foreach ($entry->versions as $version) {
            $held = match (true) {
                $version->pinnedSince !== null => ', pinned since ' . Text::time($version->pinnedSince),
                $version->rolledBackAt !== null => ', rolled back at ' . Text::time($version->rolledBackAt),
                default => $held,
            };
        }
        $rows = array_map(static fn (Version $version): array => [
            Text::html($version->label ?? 'pinned') . ' <small>' . implode(', ', array_filter([
                $version->isServed ? 'for all hosts' : '', $version->checksum === $served ? 'on this host' : '',
            ])) . '</small>',
            $version->error === null ? Text::time($version->builtAt) : Text::html($version->error),
            '<code>' . Text::html($version->checksum) . '</code>',
            Text::count($version->keys),
            Text::size($version->bytes),
            Text::count($version->sharedChunks) . ' of ' . Text::count($version->chunks),
        ], $entry->versions);
        return self::details($entry, 'versions', 'Versions in the store', Text::count(count($rows)) . $held, self::table(
            'Versions in the store',
            ['Version', 'Built', '-Checksum', '#Keys', '-#Size', '-#Shared chunks'],
            $rows
        ));
    }

    private static function details(Entry $entry, string $what, string $label, string $note, string $html): string
    {
        return '<details id="f-' . rawurlencode($entry->name) . "-$what\"><summary>$label <small>$note</small></summary>$html</details>";
    }

    private const CSS = <<<'CSS'
        *{box-sizing:border-box}
        body{margin:0;background:var(--page);color:var(--text);font:15px/1.45 system-ui,-apple-system,"Segoe UI",sans-serif}
        main{max-width:1160px;margin:0 auto;padding:20px 24px 32px}
        header{display:flex;flex-wrap:wrap;gap:4px 16px;align-items:baseline;justify-content:space-between;margin-bottom:14px}
        h1{font-size:22px;margin:0}h2{font-size:17px;margin:0 0 10px}p{margin:0}
        h1 small,small,figcaption small{font-weight:400;color:var(--muted);font-size:13px}h1 small{font-size:15px;margin-left:4px}
        a{color:var(--accent);text-decoration:none}a:hover,a:focus{text-decoration:underline}
        .state{display:flex;gap:10px;align-items:center;color:var(--muted);font-size:13px;font-variant-numeric:tabular-nums}
        .stale .state{color:var(--bad);font-weight:600}
        button{font:inherit;color:var(--text);background:var(--card);border:1px solid var(--line);border-radius:6px;padding:3px 12px;cursor:pointer}
        .tiles{display:grid;grid-template-columns:repeat(4,1fr);gap:14px;margin-bottom:14px}
        .tile,.card,.notice{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:14px 18px}
        .card{margin-bottom:14px}.card h2,th a,code,dd small{overflow-wrap:anywhere}
        .tile h2{font-size:13px;font-weight:500;color:var(--muted);margin:0}.tile p{color:var(--muted);font-size:13px}
        .tile .figure{font-size:24px;font-weight:600;color:var(--text);line-height:1.35;font-variant-numeric:tabular-nums}
        .tile .chart{margin:1px 0 5px}.tile .badge{margin:2px 0}
        .badge{display:inline-block;font-size:12px;font-weight:600;line-height:1;padding:4px 8px;border-radius:20px;border:1px solid;white-space:nowrap}
        .badge.ok{color:var(--ok)}.badge.warning{color:var(--warn)}.badge.critical,.badge.unknown{color:var(--bad)}
        .badge.critical{background:var(--bad);border-color:var(--bad);color:var(--card)}
        .filter h2{display:flex;flex-wrap:wrap;gap:6px 10px;align-items:center}
        .kind{font-weight:400;font-size:13px;color:var(--muted)}
        .reasons{margin:0 0 12px;padding:9px 12px 9px 30px;border-left:3px solid var(--warn);background:var(--page);border-radius:0 6px 6px 0}
        .critical .reasons{border-color:var(--bad)}
        dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(112px,1fr));gap:12px 16px;margin:0 0 16px}
        dt{font-size:13px;color:var(--muted)}dd{margin:0;font-size:17px;font-weight:600;font-variant-numeric:tabular-nums}dd small{display:block}
        .error{border-left:3px solid var(--bad);background:var(--page);border-radius:0 6px 6px 0;padding:9px 12px;margin-bottom:14px;overflow-wrap:anywhere}
        .note{color:var(--muted);font-size:13px;margin-bottom:14px}
        .held{border-left:3px solid var(--accent);background:var(--page);border-radius:0 6px 6px 0;padding:9px 12px;margin-bottom:12px;overflow-wrap:anywhere}
        .charts{display:grid;grid-template-columns:2fr 3fr;gap:16px 32px;margin-bottom:14px}
        figure{margin:0;min-width:0}figure+figure,figure+table{margin-top:16px}.charts figure{margin-top:0}figcaption{font-weight:600;font-size:14px;margin-bottom:6px}
        .chart{display:block;overflow:visible}
        .shards{color:var(--bad);font-size:13px;margin-top:4px}
        details{margin-top:10px;border-top:1px solid var(--line);padding-top:10px}summary{cursor:pointer;font-weight:600;font-size:14px}
        details table{margin-top:8px}
        table{border-collapse:collapse;width:100%;font-size:14px;font-variant-numeric:tabular-nums}
        caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
        th,td{padding:6px 10px 6px 0;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}
        thead th{color:var(--muted);font-weight:500;font-size:12.5px}tbody tr:last-child>*{border-bottom:0}
        tbody th{font-weight:600;min-width:7em}.n{text-align:right}td.n{white-space:nowrap}td:last-child,th:last-child{padding-right:0}
        code{font-size:12.5px}footer{color:var(--muted);font-size:13px;padding-top:4px}
        @media(max-width:880px){.tiles{grid-template-columns:1fr 1fr}.charts{grid-template-columns:1fr}}
        @media(max-width:640px){main{padding:14px 12px 24px}.wide{display:none}.tile,.card{padding:12px 14px}.tiles{gap:10px}
        .tile .figure{font-size:20px}dl{grid-template-columns:1fr 1fr;gap:10px 14px}}
        @media print{button{display:none}.card{break-inside:avoid}}
        CSS;

    /** Fetches the page again and replaces its main element. Open details, the focus and a selection stay. */
    private const SCRIPT = <<<'JS'
        (() => {
            let paused = false;
            const by = (id) => document.getElementById(id);
            const label = () => {
                if (!by('pause')) return;
                by('pause').hidden = false;
                by('pause').textContent = paused ? 'Resume' : 'Pause';
            };
            document.addEventListener('click', (event) => {
                if (event.target.id === 'pause') { paused = !paused; label(); }
            });
            async function refresh() {
                if (paused || document.hidden || !getSelection().isCollapsed) return;
                const answer = await fetch(location.href, {cache: 'no-store', credentials: 'same-origin'});
                const page = new DOMParser().parseFromString((await answer.text()).replace(/<style[^]*?<\/style>/, ''), 'text/html');
                const next = page.querySelector('main');
                if (!next) throw new Error('the server answered ' + answer.status);
                const focus = document.activeElement.id || (document.activeElement.parentElement || {}).id;
                for (const open of document.querySelectorAll('details[open]')) {
                    const same = next.querySelector('#' + CSS.escape(open.id));
                    if (same) same.open = true;
                }
                document.querySelector('main').replaceWith(next);
                document.title = page.title;
                label();
                if (focus && by(focus)) (by(focus).querySelector('summary') || by(focus)).focus({preventScroll: true});
                document.body.classList.remove('stale');
                document.body.dataset.refreshes = 1 + Number(document.body.dataset.refreshes || 0);
            }
            async function run() {
                try { await refresh(); } catch (error) {
                    if (!document.body.classList.contains('stale')) by('state').textContent += ' – the refresh failed: ' + error.message;
                    document.body.classList.add('stale');
                }
                setTimeout(run, 1000 * SECONDS);
            }
            label();
            setTimeout(run, 1000 * SECONDS);
        })();
        JS;
}

if (realpath(Access::variable('SCRIPT_FILENAME')) === __FILE__) {
    Page::serve();
}
