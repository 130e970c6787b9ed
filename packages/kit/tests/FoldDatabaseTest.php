<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

use Bloom\Kit\Fold;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;

require_once __DIR__ . '/lib/DatabaseServer.php';

/** Compares the fold with a real MariaDB, and with the weights of MySQL's 0900 collations. */
#[CoversClass(Fold::class)]
#[Group('mariadb')]
final class FoldDatabaseTest extends TestCase
{
    private const COLLATIONS = ['utf8mb4_general_ci', 'utf8mb4_unicode_ci', 'utf8mb4_unicode_520_ci', 'utf8mb4_uca1400_ai_ci'];
    private const SEED = 1;

    private static string $directory;
    private static ?\DatabaseServer $server = null;
    private static ?\PDO $database = null;

    /** @var array<int, array<string, list<string>>> by collation and weights: the characters that have them */
    private static array $classes = [];

    public static function setUpBeforeClass(): void
    {
        self::$directory = sys_get_temp_dir() . '/bloom-' . bin2hex(random_bytes(4));
        self::$server = \DatabaseServer::start('mariadb', self::$directory);
        self::$database = self::$server->connect();
        self::$database->setAttribute(\PDO::MYSQL_ATTR_USE_BUFFERED_QUERY, false);
    }

    public static function tearDownAfterClass(): void
    {
        self::$database = null;
        self::$server?->stop();
        if (self::$server !== null) {
            exec('rm -rf ' . escapeshellarg(self::$directory));
        }
        self::$server = null;
        self::$classes = [];
    }

    public function testEveryCharacterHasTheKeyOfAllThatACollationCallsEqual(): void
    {
        foreach (self::classes() as $number => $classes) {
            $checked = 0;
            foreach ($classes as $characters) {
                if (count($characters) > 1) {
                    $checked += self::check(self::COLLATIONS[$number], $characters);
                }
            }
            self::assertGreaterThan(1400, $checked);
        }
    }

    public function testEveryExpansionHasTheKeyOfItsParts(): void
    {
        foreach (self::classes() as $number => $classes) {
            $checked = 0;
            foreach ($classes as $weights => $characters) {
                $parts = array_map(static fn (string $weight): ?string => $classes[$weight][0] ?? null, self::parts((string) $weights));
                if (count($parts) > 1 && !in_array(null, $parts, true)) {
                    self::check(self::COLLATIONS[$number], [$characters[0], implode('', $parts)]);
                    $checked++;
                }
            }
            self::assertSame($number > 0, $checked > 400, "$checked expansions");
        }
    }

    /** Two texts that differ in characters, expansions, ignorable characters, contractions and spaces at the end. */
    public function testTextsThatTheServerCallsEqualHaveOneKey(): void
    {
        $random = new \Random\Randomizer(new \Random\Engine\Mt19937(self::SEED));
        $classes = self::classes();
        $rare = array_values(array_filter(array_merge(...array_values($classes[2])), static fn (string $text): bool => $text !== ''));
        $common = array_merge(mb_str_split('aeiosSßlL·.éüñøæŒ ΑάιИйЙكءاوىแเกขໜເກがカ각ㄱ'), ["\u{306}", "\u{301}", "\u{345}", "\u{A0}", "\0", "\u{1100}", "\u{1161}"]);
        $database = self::database();
        $database->exec('CREATE TEMPORARY TABLE pairs (id INT, a VARBINARY(400), b VARBINARY(400)) ENGINE=MyISAM');
        $pairs = [];
        $endings = ['', ' ', '   ', "\u{301}", " \u{301}", "\u{A0}", "\0", "\u{200B} "];
        for ($i = 0; $i < 24_000; $i++) {
            $collation = $i % count(self::COLLATIONS);
            [$a, $b] = ['', ''];
            for ($length = $random->getInt(1, 5); $length > 0; $length--) {
                $from = $random->getInt(0, 3) > 0 ? $common : $rare;
                $character = $from[$random->getInt(0, count($from) - 1)];
                $a .= $character;
                $b .= self::equal($random, $collation, $character);
            }
            if ($i % 5 === 0) { // other order, other text
                $b = implode('', $random->shuffleArray(mb_str_split($b)));
            }
            $pairs[] = [$a . $endings[$random->getInt(0, 7)], $b . $endings[$random->getInt(0, 7)]];
        }
        foreach (array_chunk($pairs, 1000, true) as $chunk) {
            $rows = [];
            foreach ($chunk as $id => [$a, $b]) {
                $rows[] = sprintf("(%d, x'%s', x'%s')", $id, bin2hex($a), bin2hex($b));
            }
            $database->exec('INSERT INTO pairs VALUES ' . implode(', ', $rows));
        }
        foreach ([...self::COLLATIONS, ...(array) preg_replace('/(_ai)?_ci$/', '_nopad$1_ci', self::COLLATIONS)] as $name) {
            $query = "SELECT id FROM pairs WHERE CONVERT(a USING utf8mb4) COLLATE $name = CONVERT(b USING utf8mb4) COLLATE $name";
            $equal = self::rows($query)->fetchAll();
            foreach ($equal as [$id]) {
                self::check($name, $pairs[(int) $id]);
            }
            self::assertGreaterThan(1000, count($equal), "$name (seed " . self::SEED . ')');
            self::assertLessThan(23_000, count($equal), $name);
        }
    }

    /** MySQL's 0900 collations have the weights of UCA 9.0.0; Perl has a later version, which contains its equalities. */
    public function testTextsWithEqualWeightsInTheUnicodeCollationAlgorithmHaveOneKey(): void
    {
        $file = exec("perl -e 'for (@INC) { print qq(\$_/Unicode/Collate/allkeys.txt\\n) if -e qq(\$_/Unicode/Collate/allkeys.txt) }'");
        if ($file === false || $file === '') {
            self::markTestSkipped('perl has no allkeys.txt');
        }
        $texts = [];
        foreach (file($file) ?: [] as $line) {
            if (preg_match('/^([0-9A-F ]+?) *; *((?:\[[^]]+\])+)/', $line, $found) === 1) {
                $text = implode('', array_map(static fn (string $hex): string => (string) mb_chr((int) hexdec($hex)), explode(' ', $found[1])));
                preg_match_all('/\[[.*](?!0000)([0-9A-F]{4})/', $found[2], $primary);
                $texts[implode('', $primary[1])][] = $text;
            }
        }
        self::assertGreaterThan(20_000, count($texts));
        foreach ($texts as $weights => $equal) {
            $parts = array_map(static fn (string $weight): ?string => $texts[$weight][0] ?? null, self::parts((string) $weights));
            self::check('the Unicode Collation Algorithm', in_array(null, $parts, true) ? $equal : [...$equal, implode('', $parts)]);
        }
    }

    /** citext treats texts as equal if lower() makes them equal. */
    #[Group('postgresql')]
    public function testPostgresqlsLowerKeepsTheKeyOfEveryCharacter(): void
    {
        $directory = sys_get_temp_dir() . '/bloom-' . bin2hex(random_bytes(4));
        $server = \DatabaseServer::start('postgresql', $directory);
        try {
            $lower = implode(', ', array_map(static fn (string $name): string => "lower(c COLLATE \"$name\")", ['C.utf8', 'und-x-icu', 'tr-x-icu']));
            $rows = $server->connect()->query("SELECT c, $lower FROM (SELECT chr(i) AS c FROM generate_series(1, 1114111) AS i
                WHERE i NOT BETWEEN 55296 AND 57343) AS characters", \PDO::FETCH_NUM);
            self::assertNotFalse($rows);
            $changed = [0, 0, 0, 0];
            foreach ($rows as $texts) {
                foreach ($texts as $number => $text) {
                    if ($text !== $texts[0]) {
                        self::assertSame(Fold::mysql()->key($texts[0]), Fold::mysql()->key($text));
                        $changed[$number]++;
                    }
                }
            }
            self::assertGreaterThan(1300, min(array_slice($changed, 1)));
        } finally {
            $rows = null;
            $server->stop();
            exec('rm -rf ' . escapeshellarg($directory));
        }
    }

    /**
     * Asserts that a row of each text is found by each text.
     *
     * @param array<string> $texts
     *
     * @return int the number of lookups
     */
    private static function check(string $collation, array $texts): int
    {
        $fold = Fold::mysql();
        $lookups = array_filter(array_map($fold->lookup(...), $texts), is_string(...));
        $keys = $lookups === [] ? [] : array_map($fold->key(...), $texts);
        if (count(array_unique([...$lookups, ...$keys])) > 1) {
            self::fail("$collation treats these as equal: " . implode(', ', array_map(static fn (string $text): string => $text . ' ' . bin2hex($text), array_slice($texts, 0, 20))));
        }
        return count($lookups);
    }

    /** Returns a text that the collation treats as equal to the character. */
    private static function equal(\Random\Randomizer $random, int $collation, string $character): string
    {
        static $weights = [];
        if ($weights === []) {
            foreach (self::classes() as $number => $classes) {
                foreach ($classes as $key => $characters) {
                    foreach ($characters as $one) {
                        $weights[$number][$one] = (string) $key;
                    }
                }
            }
        }
        $classes = self::classes()[$collation];
        $parts = self::parts($weights[$collation][$character] ?? '');
        $parts = count($parts) > 1 && $random->getInt(0, 1) === 1 ? $parts : [implode('', $parts)];
        $text = '';
        foreach ($parts as $part) {
            $equal = $classes[$part] ?? null;
            if ($equal === null) {
                return $character;
            }
            $text .= $equal[$random->getInt(0, count($equal) - 1)];
        }
        return $text;
    }

    /** @return list<string> weights; two that stand for one character form a pair */
    private static function parts(string $weights): array
    {
        preg_match_all('/F[B-E][0-9A-F]{2}[89A-F][0-9A-F]{3}|[0-9A-F]{4}/', $weights, $found);
        return $found[0];
    }

    /** @return array<int, array<string, list<string>>> */
    private static function classes(): array
    {
        if (self::$classes === []) {
            $columns = implode(', ', array_map(static fn (string $name): string => "HEX(WEIGHT_STRING(c COLLATE $name))", self::COLLATIONS));
            $rows = self::rows("SELECT c, $columns FROM (SELECT CONVERT(CHAR(seq USING utf32) USING utf8mb4) AS c FROM seq_0_to_1114111
                WHERE seq NOT BETWEEN 55296 AND 57343) AS characters");
            foreach ($rows as $row) {
                foreach (self::COLLATIONS as $number => $name) {
                    self::$classes[$number][(string) $row[$number + 1]][] = (string) $row[0];
                }
            }
        }
        return self::$classes;
    }

    /** @return \PDOStatement the rows, which are read one by one */
    private static function rows(string $query): \PDOStatement
    {
        $statement = self::database()->query($query, \PDO::FETCH_NUM);
        self::assertNotFalse($statement);
        return $statement;
    }

    private static function database(): \PDO
    {
        return self::$database ?? throw new \LogicException('the server is stopped');
    }
}
