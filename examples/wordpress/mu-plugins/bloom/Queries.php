<?php

namespace Bloom\WordPress;

use Bloom\Journal;
use Bloom\Kit\Fold;
use Bloom\Kit\FoldedJournal;
use Bloom\Kit\HostFilter;
use Bloom\Kit\ShadowFilter;
use Bloom\Kit\StoreUrl;
use Bloom\SegmentException;
use Bloom\Store;
use RuntimeException;
use Throwable;
use wpdb;

/**
 * Sees every SQL statement of WordPress before the database does.
 *
 *   SELECT          if the filter denies each value that it asks for, the result is empty without a query
 *   INSERT, UPDATE  the values that such a SELECT could ask for are added to the journal before the database has them
 *
 * Only a SELECT whose whole text is known is answered, so what other plugins or other versions of WordPress ask reaches the
 * database. The keys are the name of the table, a colon and the value. For posts, there are also keys for the first 8, 16, …
 * characters of the slug, because WordPress guesses the slug that a visitor meant from its beginning.
 */
final class Queries
{
    /** The columns that are asked. */
    private const COLUMNS = ['posts' => ['post_name'], 'postmeta' => ['meta_value'], 'users' => ['user_login', 'user_email', 'user_nicename']];
    private const META_KEYS = ['_wp_attached_file', '_wp_old_slug'];
    private const COLLATIONS = '/^utf8(mb[34])?_(bin|(general|unicode|unicode_520|0900_ai|uca1400_ai)_ci)$/D';
    private const STEP = 8;
    /** Other values are neither added nor looked up. */
    private const VALUE = '/^[^\r\n]{1,1024}$/D';
    /** The option with keys that wait until they can be added to the journal. While it exists, every host asks the database. */
    private const WAITING = 'bloom_waiting';
    private const WRITE = '~^(?:\s|/\*.*?\*/)*+(?:INSERT|REPLACE|UPDATE)(?:\s+(?:LOW_PRIORITY|DELAYED|HIGH_PRIORITY|IGNORE|INTO))*\s+(?:`?\w+`?\.)?`?(\w+)~is';
    private const TOKEN = '~`(\w+)`|\'([^\'\\\\]*+(?:(?:\\\\.|\'\')[^\'\\\\]*+)*+)\'|"([^"\\\\]*+(?:(?:\\\\.|"")[^"\\\\]*+)*+)"|\b(?:NULL|\d[\d.]*+)\b~s';
    private const ESCAPES = ["\\'" => "'", '\\"' => '"', '\\\\' => '\\', '\\n' => "\n", '\\r' => "\r", '\\0' => "\0", '\\Z' => "\x1A", "''" => "'"];

    /**
     * The SELECTs that have no result if no row has the value in the last parentheses: the table, whether WordPress caches the result,
     * and the text.
     */
    private const SELECTS = [
        // get_page_by_path()
        ['posts', true, 'SELECT ID, post_name, post_parent, post_type FROM {posts} WHERE post_name IN \(({values})\) AND post_type IN \({values}\)'],
        // WP_Query
        ['posts', true, 'SELECT {posts}\.(?:\*|ID) FROM {posts} WHERE 1=1(?: AND \( ?\( ?[^()\']*(?:\([^()\']*\)[^()\']*)*\) ?\))?'
            . ' AND {posts}\.post_name = ({value})(?: AND {posts}\.post_type = {value})?(?: AND \(\([^()]*\)\))?'
            . ' ORDER BY {posts}\.post_date DESC(?: LIMIT \d+, ?\d+)?'],
        // redirect_guess_404_permalink()
        ['posts', false, 'SELECT ID FROM {posts} WHERE post_name (?:= ({value})|LIKE ({like}))(?: AND post_type = {value}| AND post_type IN \({values}\))'
            . '{date} AND post_status IN \({values}\)'],
        // wp_old_slug_redirect(): the slug, the date, and both
        ['postmeta', true, 'SELECT post_id FROM {postmeta}, {posts} WHERE ID = post_id AND post_type = {value} AND meta_key = \'_wp_old_slug\''
            . ' AND meta_value = ({value}){date}'],
        ['posts', true, 'SELECT post_id FROM {postmeta} AS pm_date, {posts} WHERE ID = post_id AND post_type = {value} AND meta_key = \'_wp_old_date\''
            . ' AND post_name = ({value}){date}'],
        ['postmeta', true, 'SELECT ID FROM {posts}, {postmeta} AS pm_slug, {postmeta} AS pm_date WHERE ID = pm_slug\.post_id AND ID = pm_date\.post_id'
            . ' AND post_type = {value} AND pm_slug\.meta_key = \'_wp_old_slug\' AND pm_slug\.meta_value = ({value})'
            . ' AND pm_date\.meta_key = \'_wp_old_date\'{date}'],
        // attachment_url_to_postid()
        ['postmeta', false, 'SELECT post_id, meta_value FROM {postmeta} WHERE meta_key = \'_wp_attached_file\' AND meta_value = ({value})'],
        // get_user_by(): logging in, username_exists(), email_exists(), archives of authors
        ['users', false, 'SELECT \* FROM {users} WHERE (?:user_login|user_email|user_nicename) = ({value}) LIMIT 1'],
    ];

    private HostFilter|ShadowFilter|null $filter = null;
    private ?FoldedJournal $journal = null;
    private bool $asksDatabase = false;
    private bool $storeFails = false;
    /** @var array{string, list<string>}|null a statement that is sent to the database, and its keys */
    private ?array $checked = null;
    /** @var list<array{string, bool, string}> SELECTS with regular expressions */
    private readonly array $selects;

    /** @param float $shadow the share of the "no" answers that are compared with the database, from 0 to 1 */
    public function __construct(
        private readonly wpdb $database,
        private readonly string $name,
        private readonly string $store,
        float $shadow = 0.0
    ) {
        // A long process would not notice that another one sets the option. asked() and written() need the usual charset and escapes.
        $isKnown = str_starts_with($database->charset, 'utf8') && $database->_real_escape("'") === "\\'";
        if (extension_loaded('bloom') && PHP_SAPI !== 'cli' && $isKnown) {
            $filter = new HostFilter($name, fold: Fold::mysql());
            $this->filter = $shadow > 0 ? new ShadowFilter($name, $filter, share: $shadow, journal: $this->open(...)) : $filter;
        }
        $value = "'[^'\\\\]*+'";
        $words = [' ?' => '\s*', ' ' => '\s+', '{posts}' => $database->posts, '{postmeta}' => $database->postmeta,
            '{users}' => $database->users, '{value}' => $value, '{values}' => "$value(?:,\\s*$value)*+", '{like}' => "'[^'\\\\%_]*+%'",
            '{date}' => '(?:\s+AND\s+(?:YEAR|MONTH|DAYOFMONTH)\((?:\w+\.)?\w+\)\s+=\s+\d+)*+'];
        $this->selects = array_map(static fn (array $select): array => [$select[0], $select[1], '~^\s*' . strtr($select[2], $words) . '\s*$~D'], self::SELECTS);
    }

    public function register(): void
    {
        add_filter('query', $this->query(...), PHP_INT_MAX);
        // wp_insert_user() checks that a login and an e-mail address are free after this filter.
        add_filter('pre_user_login', $this->askDatabase(...));
        add_filter('bloom_ask_database', $this->askDatabase(...));
        add_action('shutdown', $this->check(...), PHP_INT_MAX);
    }

    /** From now on, this request asks the database, because it is about to write what it finds missing. */
    public function askDatabase(mixed $value = null): mixed
    {
        $this->asksDatabase = true;
        return $value;
    }

    /** @return mixed the statement, or an empty string: it is not sent to the database */
    public function query(mixed $sql): mixed
    {
        $this->check();
        if (!is_string($sql)) {
            return $sql;
        }
        if (preg_match(self::WRITE, $sql, $found) === 1) {
            $keys = $this->written($sql, ...$found);
            $keys === [] || $this->announce($keys);
            return $sql;
        }
        // After an empty statement, wpdb sets $insert_id to 0. Somebody may still need it.
        if ($this->filter === null || $this->asksDatabase || $this->database->insert_id) {
            return $sql;
        }
        $keys = $this->asked($sql);
        if ($keys === [] || self::waiting() !== '') {
            return $sql;
        }
        if ($this->filter->candidates($keys) !== []) {
            $this->checked = [$sql, $keys];
            return $sql;
        }
        $this->database->flush(); // the result is empty
        $this->checksText(true);
        return '';
    }

    /** Tells a ShadowFilter what the database has found. */
    private function check(): void
    {
        if ($this->checked !== null && $this->filter instanceof ShadowFilter && $this->database->last_query === $this->checked[0]) {
            $isFound = $this->database->last_result !== [];
            // If one of several values is found, the rows of the statement need not have its column.
            if (!$isFound || count($this->checked[1]) === 1) {
                $this->filter->confirm($this->checked[1], $isFound ? $this->checked[1] : []);
            }
        }
        $this->checked = null;
    }

    private function open(): Store
    {
        return StoreUrl::parse($this->store)->open();
    }

    /**
     * @return iterable<string> the keys of all rows
     *
     * @throws RuntimeException if the database fails, or calls values equal that Fold::mysql() calls different
     */
    public function all(): iterable
    {
        $this->announce([]);
        foreach (self::COLUMNS as $table => $columns) {
            foreach ($this->database->get_results("SHOW FULL COLUMNS FROM {$this->database->$table}") as $column) {
                if (in_array($column->Field, $columns, true) && preg_match(self::COLLATIONS, $column->Collation) !== 1) {
                    throw new RuntimeException("$table.$column->Field has the collation $column->Collation: convert it to utf8mb4_unicode_520_ci");
                }
            }
            $id = $table === 'postmeta' ? 'meta_id' : 'ID';
            $where = $table === 'postmeta' ? "AND meta_key IN ('" . implode("', '", self::META_KEYS) . "')" : '';
            for ($last = 0;;) {
                $rows = $this->database->get_results("SELECT $id, " . implode(', ', $columns) . " FROM {$this->database->$table}"
                    . " WHERE $id > $last $where ORDER BY $id LIMIT 10000", ARRAY_N);
                if ($this->database->last_error !== '') {
                    throw new RuntimeException($this->database->last_error);
                } elseif ($rows === []) {
                    break;
                }
                foreach ($rows as $values) {
                    $last = array_shift($values);
                    foreach ($values as $value) {
                        yield from self::keys($table, (string) $value);
                    }
                }
            }
        }
    }

    /** @return list<string> the keys of a value in a table */
    private static function keys(string $table, string $value): array
    {
        if (preg_match(self::VALUE, $value) !== 1) {
            return [];
        }
        $values = [$value];
        for ($i = self::STEP; $table === 'posts' && $i < mb_strlen($value, 'UTF-8'); $i += self::STEP) {
            $values[] = mb_substr($value, 0, $i, 'UTF-8');
        }
        return array_map(static fn (string $value): string => "$table:$value", $values);
    }

    /**
     * Adds keys to the journal, before the database has their rows. If that fails, they wait in an option, which the hosts read at
     * the beginning of each request. The next call tries to add them, too.
     *
     * @param list<string> $keys
     */
    private function announce(array $keys): void
    {
        $waiting = self::waiting();
        // After a failure, an import must not wait for a timeout at each row.
        if (!$this->storeFails && ($keys !== [] || $waiting !== '')) {
            try {
                $this->journal ??= new FoldedJournal(new Journal($this->name, $this->open()), Fold::mysql());
                $this->journal->add([...array_map(rawurldecode(...), preg_split('/\n/', $waiting, -1, PREG_SPLIT_NO_EMPTY)), ...$keys]);
            } catch (SegmentException $error) {
                error_log("bloom: this host finds new rows only after its next sync: {$error->getMessage()}");
            } catch (Throwable $error) {
                $this->storeFails = true;
                error_log("bloom: every host asks the database until new rows can be added to the journal: {$error->getMessage()}");
            }
        }
        if ($this->storeFails && $keys !== []) {
            $this->change("INSERT INTO %s (option_name, option_value, autoload) VALUES (%%s, %%s, 'yes')"
                . ' ON DUPLICATE KEY UPDATE option_value = CONCAT(option_value, VALUES(option_value))', implode("\n", array_map(rawurlencode(...), $keys)) . "\n");
        } elseif (!$this->storeFails && $waiting !== '') {
            // Another process may have appended keys in the meantime.
            $this->change('DELETE FROM %s WHERE option_name = %%s AND option_value = %%s', $waiting);
        }
    }

    /** Writes the option of keys that wait, although wpdb is in the middle of another statement. */
    private function change(string $sql, string $value): void
    {
        [$checks, $id] = [$this->checksText(), $this->database->insert_id];
        $this->database->query($this->database->prepare(sprintf($sql, $this->database->options), self::WAITING, $value));
        $this->database->insert_id = $id;
        $this->checksText($checks);
        wp_cache_delete('alloptions', 'options');
    }

    /** @return string the encoded keys that wait */
    private static function waiting(): string
    {
        return (string) (wp_load_alloptions()[self::WAITING] ?? '');
    }

    /** Returns, and sets, whether wpdb looks for invalid characters in the next statement. An empty statement must not change this. */
    private function checksText(?bool $value = null): bool
    {
        return (function () use ($value): bool {
            return $this->check_current_query = $value ?? $this->check_current_query;
        })->call($this->database);
    }

    /** @return list<string> the keys that a SELECT asks for; []: it must reach the database */
    private function asked(string $sql): array
    {
        foreach ($this->selects as [$table, $isCached, $pattern]) {
            if (preg_match($pattern, $sql, $found) !== 1) {
                continue;
            }
            // What this host misses before its next sync must not get into a cache that other requests use.
            if ($isCached && wp_using_ext_object_cache()) {
                return [];
            }
            preg_match_all("/'([^']*)'/", end($found), $values);
            $keys = [];
            foreach ($values[1] as $value) {
                if ($table === 'posts' && str_ends_with($value, '%')) {
                    // Of "name%", the longest beginning that has a key.
                    $value = substr($value, 0, -1);
                    $value = mb_substr($value, 0, intdiv(mb_strlen($value, 'UTF-8'), self::STEP) * self::STEP, 'UTF-8');
                }
                if (preg_match(self::VALUE, $value) !== 1) {
                    return [];
                }
                $keys[] = "$table:$value";
            }
            return $keys;
        }
        return [];
    }

    /**
     * Returns the keys of the values that a statement writes. wpdb writes each name in backticks, so that names and values have the
     * same order. In other statements, every string could be the value of a column that is asked.
     *
     * @return list<string>
     */
    private function written(string $sql, string $head, string $name): array
    {
        $table = array_search($name, array_intersect_key(get_object_vars($this->database), self::COLUMNS), true);
        if ($table === false) {
            return [];
        }
        $limit = ini_set('pcre.backtrack_limit', '4294967295'); // a long text may have many quotes
        preg_match_all(self::TOKEN, $sql, $tokens, PREG_SET_ORDER);
        ini_set('pcre.backtrack_limit', $limit);
        $names = $values = [];
        foreach (array_slice($tokens, intdiv(substr_count($head, '`') + 1, 2)) as $token) {
            if (($token[1] ?? '') !== '') {
                $names[] = $token[1];
            } else {
                $values[] = strtr($token[3] ?? $token[2] ?? $token[0], self::ESCAPES);
            }
        }
        if (count($names) !== count($values)) {
            $names = array_fill(0, count($values), self::COLUMNS[$table][0]);
        } elseif ($table === 'postmeta' && in_array('meta_key', $names, true)) {
            $names = array_intersect(self::META_KEYS, $values) === [] ? [] : $names;
        }
        $keys = [];
        foreach (array_intersect($names, self::COLUMNS[$table]) as $i => $name) {
            array_push($keys, ...self::keys($table, $values[$i]));
        }
        return array_values(array_unique($keys));
    }
}
