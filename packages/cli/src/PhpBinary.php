<?php

namespace Bloom\Cli;

/** A PHP on this host, and why it does not load the extension. Needs neither the extension nor symfony/console. */
final class PhpBinary
{
    public const INSTALL = 'pie install bloom/bloom    # or as docs/install.md describes';

    /**
     * @param string|null $bloom the version of the extension; null: it is not loaded
     * @param string $path bloom.path
     * @param string|null $problem why PHP could not load the extension's file, although php.ini names it
     */
    private function __construct(
        public readonly string $name,
        public readonly string $version,
        public readonly ?string $bloom,
        public readonly string $path,
        private readonly string $scanned,
        private readonly string $ini,
        private readonly string $extensions,
        private readonly ?string $problem,
        private readonly ?string $service
    ) {
    }

    /** The PHP that runs this command. */
    public static function own(): self
    {
        ob_start();
        phpinfo(INFO_GENERAL | INFO_CONFIGURATION | INFO_MODULES);
        $info = (string) ob_get_clean();
        // PHP reports a file that it cannot load only when it starts.
        $warnings = extension_loaded('bloom') ? [] : preg_grep('/bloom.*: Unable|: Unable.*bloom/', explode("\n", implode("\n", self::output([PHP_BINARY, '-i']))));
        return self::parse('PHP ' . PHP_VERSION, implode("\n", [$info, ...$warnings]));
    }

    /**
     * The php-fpm of each version that is installed. Only paths that belong to root are run, because root may run this.
     *
     * @return list<self>
     */
    public static function fpms(string $root = ''): array
    {
        $found = [];
        foreach (["$root/usr/sbin", "$root/usr/local/sbin", ...($root === '' ? [dirname(PHP_BINDIR) . '/sbin'] : [])] as $directory) {
            foreach (preg_grep('~/php-fpm[\d.]*$~D', glob("$directory/php-fpm*") ?: []) as $file) {
                $found[(string) realpath($file)] = $file;
            }
        }
        $all = [];
        foreach ($found as $real => $file) {
            [$info, $errors] = self::output([$file, '-i']);
            if (preg_match('/^PHP Version => (\d+\.\d+)/m', $info, $parts)) {
                $service = preg_match('~^php-fpm\d+\.\d+$~D', basename($real)) ? "php$parts[1]-fpm" : null;
                $all[] = self::parse("PHP-FPM $parts[1]", "$info\n$errors", $service);
            }
        }
        return $all;
    }

    /** @param string $info the text of phpinfo(), and the warnings when PHP started */
    public static function parse(string $name, string $info, ?string $service = null): self
    {
        $value = static fn (string $label): string => preg_match('/^' . preg_quote($label, '/') . ' => (.*?)(?: => .*)?$/m', $info, $parts)
            && !in_array($parts[1], ['(none)', 'no value'], true) ? $parts[1] : '';
        $isLoaded = preg_match('/^bloom => enabled\nversion => (\S+)/m', $info, $loaded) === 1;
        $problem = match (true) {
            $isLoaded => null,
            preg_match("~Unable to load dynamic library '[^']*\\bbloom\\b[^']*' \\(tried: (.*)~", $info, $parts) === 1 => self::reason($parts[1]),
            str_contains($info, 'bloom: Unable to initialize module') => 'it was built for another version of PHP',
            default => null,
        };
        return new self($name, $value('PHP Version'), $loaded[1] ?? null, $value('bloom.path'), $value('Scan this dir for additional .ini files'),
            $value('Loaded Configuration File') ?: rtrim($value('Configuration File (php.ini) Path'), '/') . '/php.ini', $value('extension_dir'), $problem, $service);
    }

    /** Returns why one of the files that PHP tried could not be loaded, if it exists. */
    private static function reason(string $tried): ?string
    {
        preg_match_all('~ \((\S+: [^()]*)\)~', $tried, $reasons);
        $reasons = preg_grep('~^/.*: No such file~', $reasons[1], PREG_GREP_INVERT);
        return $reasons === [] ? null : preg_replace('~^/\S+: ~', '', reset($reasons));
    }

    public function finding(string $root = ''): Finding
    {
        $file = "$this->extensions/bloom.so";
        return match (true) {
            $this->bloom !== null => Finding::ok($this->name, "loads the extension $this->bloom"),
            !is_file($root . $file) => Finding::fail($this->name, "the extension is not installed, because there is no $file", self::INSTALL),
            $this->problem !== null => Finding::fail($this->name, "$file cannot be loaded: $this->problem", self::INSTALL),
            default => Finding::fail($this->name, 'the extension is installed, but php.ini does not load it', $this->enable($root)),
        };
    }

    /** Returns the command that enables the extension, and restarts PHP-FPM. */
    private function enable(string $root): string
    {
        $isDebian = preg_match('~^/etc/php/([\d.]+)/\w+/conf\.d$~', $this->scanned, $parts) === 1;
        $available = $isDebian ? "/etc/php/$parts[1]/mods-available/bloom.ini" : '';
        return match (true) {
            $isDebian => (is_file($root . $available) ? '' : "echo extension=bloom > $available && ") . "phpenmod -v $parts[1] bloom",
            str_starts_with($this->scanned, '/usr/local/etc/php/') => 'docker-php-ext-enable bloom',
            $this->scanned !== '' => "echo extension=bloom > $this->scanned/bloom.ini",
            default => "echo extension=bloom >> $this->ini",
        } . ($this->service === null ? '' : " && service $this->service restart");
    }

    /**
     * Runs a program.
     *
     * @param list<string> $command
     *
     * @return array{string, string} its output and its errors; empty if it cannot be run
     */
    private static function output(array $command): array
    {
        $errors = tmpfile();
        $process = $errors === false || !function_exists('proc_open') ? false : @proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], $errors], $pipes);
        if ($process === false) {
            return ['', ''];
        }
        $output = (string) stream_get_contents($pipes[1]);
        proc_close($process);
        rewind($errors);
        return [$output, (string) stream_get_contents($errors)];
    }
}
