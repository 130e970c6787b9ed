<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

use Bloom\Kit\Fold;
use Bloom\Kit\MysqlEquality;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

#[CoversClass(Fold::class)]
final class FoldTest extends TestCase
{
    /** Texts in several scripts. No collation calls two of a line different, and no two lines are equal. */
    private const EQUAL = [
        ['José', 'jose', 'JOSE', "jose\u{301}", "jo\u{AD}se", 'jose  ', "jose\u{A0}", "jose \u{301} \u{0}", "j\0ose", 'ｊｏｓｅ', 'ⓙⓞⓢⓔ'],
        ['Straße', 'strasse', 'STRASE', 'straſſe', 'ｓtraẞe'],
        ['Hess', 'hes', 'heß'],
        ['がく', 'カク', 'ｶﾞｸ', 'かく'],
        ['Ærø', 'aero', 'AERØ'],
        ['ﬃ', 'ffi', 'FFI'],
        ['㎏', 'kg', 'K' . 'g', "\u{212A}G"],
        ['½', '1⁄2', '１⁄２'],
        ['각', "\u{1100}\u{1161}\u{11A8}", "\u{3131}\u{1161}\u{11A8}"],
        ['가', "\u{1100}\u{1161}"],
        ['เก', 'กเ', "เ\u{0}ก", "เ\u{E48}ก"],
        ['ﷺ', 'صلى الله عليه وسلم', 'صلى الله'],
        ['豈', '豈'],
        ['', ' ', '   ', "\u{301}", "\0", "\u{200B} "],
        [42, '42', '42 ', '４２', '٤٢'],
        ['a b', "a\u{3000}b"],
        ['ab'],
        ['ffj'],
        ['k.g'],
        ['东京'],
        ['東京'],
        ['a-b'],
    ];

    public function testEqualTextsHaveOneKeyAndDifferentTextsHaveAnother(): void
    {
        $fold = Fold::mysql();
        $lines = [];
        foreach (self::EQUAL as $texts) {
            $keys = [];
            foreach ($texts as $text) {
                $keys[$fold->key($text)] = true;
                self::assertSame($fold->key($text), $fold->lookup($text));
            }
            self::assertCount(1, $keys, implode(', ', $texts));
            $lines += $keys;
        }
        self::assertCount(count(self::EQUAL), $lines);
    }

    #[TestWith(['😀'])]
    #[TestWith(["a\u{FFFD}"])]
    #[TestWith(["a\u{20000}b"])]
    public function testOnlyTheDatabaseAnswersForCharactersThatSomeCollationsCallEqualToAllOthers(string $text): void
    {
        self::assertNull(Fold::mysql()->lookup($text));
    }

    public function testARowWithSuchCharactersIsFoundWhereACollationDistinguishesThem(): void
    {
        self::assertSame(Fold::mysql()->lookup('ab'), Fold::mysql()->key('𝐀b'));
        self::assertNotSame(Fold::mysql()->key('😀'), Fold::mysql()->key('😁'));
    }

    /** A client without a character set prints latin1 or truncates, and a filter of such keys would deny their rows. */
    #[TestWith(["Caf\xE9 "])]
    #[TestWith(["\xC3\xA9\xE9"])]
    #[TestWith(["\xF8\x88\x80\x80\x80"])]
    #[TestWith(["\xED\xA0\x80 \xED\xA0"])]
    public function testKeysThatAreNotUtf8AreNotAddedButMayBeLookedUp(string $key): void
    {
        self::assertNull(Fold::mysql()->lookup($key));
        $this->expectException(\ValueError::class);
        $this->expectExceptionMessage('is not UTF-8, so it cannot be folded: read it on a connection, or with a client, whose character set is utf8mb4');
        Fold::mysql()->key($key);
    }

    /** MySQL and MariaDB accept them in utf8mb4, but they are not UTF-8, so nothing else in such a key is folded. */
    #[TestWith(["Jose\xED\xA0\x80"])]
    #[TestWith(["\xED\xBF\xBFJosé"])]
    public function testOnlyTheDatabaseAnswersForSurrogates(string $text): void
    {
        self::assertNull(Fold::mysql()->lookup($text));
        self::assertNotSame('', Fold::mysql()->key($text));
        self::assertNotNull(Fold::mysql()->lookup("Jos\u{D7FF}\u{E000}"));
    }

    public function testALongKeyIsFoldedToItsEnd(): void
    {
        self::assertSame(Fold::mysql()->key('صلى الله'), Fold::mysql()->key('صلى الله' . str_repeat(' عليه وسلم', 50_000)));
        self::assertSame('s', Fold::mysql()->key(str_repeat('ß', 500_000)));
    }

    public function testASourceNamesItsFold(): void
    {
        self::assertSame('mysql/1', Fold::mysql()->name);
        self::assertSame('fold=mysql/1', Fold::mysql()->mark());
        self::assertSame('fold=mysql/1 users.email', Fold::mysql()->mark('users.email'));
        self::assertNull(Fold::nameIn(''));
        self::assertNull(Fold::nameIn('unfold=mysql/1 fold'));
        self::assertSame('mysql/1', Fold::nameIn(Fold::mysql()->mark('users.email')));
        self::assertSame('mysql/2', Fold::nameIn("users\tfold=mysql/2"));
        self::assertSame('mysql/1 mysql/2', Fold::nameIn('fold=mysql/1 fold=mysql/2'));
        self::assertSame('', Fold::nameIn('fold='));
    }

    public function testASourceIsMarkedOnlyOnce(): void
    {
        $this->expectException(\ValueError::class);
        $this->expectExceptionMessage('The source "a fold=mysql/2" already names a fold');
        Fold::mysql()->mark('a fold=mysql/2');
    }

    public function testAConfigurationNamesAFold(): void
    {
        self::assertEquals(Fold::mysql(), Fold::named('mysql'));
        self::assertEquals(Fold::mysql(), Fold::named('mysql/1'));
        $this->expectException(\ValueError::class);
        $this->expectExceptionMessage('There is no fold "mysql/2", only "mysql"');
        Fold::named('mysql/2');
    }

    public function testAnotherTableHasAnotherName(): void
    {
        $table = [MysqlEquality::ORDERS, MysqlEquality::ENDINGS, MysqlEquality::CHARACTERS];
        self::assertSame(['mysql/1', '2f76128aae08385c'], [Fold::mysql()->name, hash('xxh3', serialize($table))]);
    }

    /** bloom add may fold a key that the application has folded. */
    public function testAKeyIsItsOwnKey(): void
    {
        $fold = Fold::mysql();
        for ($character = 0; $character < 0x110000; $character++) {
            if ($character < 0xD800 || $character >= 0xE000) {
                $key = $fold->key('.' . mb_chr($character) . '.');
                if ($fold->key($key) !== $key) {
                    self::fail(sprintf('U+%04X', $character));
                }
            }
        }
        foreach (self::EQUAL as [$text]) {
            self::assertSame($fold->key($text), $fold->key($fold->key($text)));
        }
    }

    /** Otherwise texts with equal keys could become different when the same text is added to both. */
    public function testKeysStayEqualWhenTextIsAddedToThem(): void
    {
        $random = new \Random\Randomizer(new \Random\Engine\Mt19937(1));
        $parts = array_map(strval(...), array_merge(...self::EQUAL));
        array_push($parts, 'ء', 'ا', 'و', 'ۇ', 'ى', ' ', 's', 'ß', 'l·', "\u{301}", ' عليه وسلم', 'เ', 'แ', 'ก', 'ข', 'ເ', 'ກ', 'ໜ', 'ꪵ', 'ꪀ', 'x');
        $pick = static fn (): string => $parts[$random->getInt(0, count($parts) - 1)];
        $words = [];
        for ($i = 0; $i < 20_000; $i++) {
            $word = $pick() . $pick() . $pick();
            // Without the full stop, spaces at the end would not count.
            $words[Fold::mysql()->key("$word.")][$word] = $word;
        }
        $checked = 0;
        foreach ($words as $texts) {
            $first = array_shift($texts);
            foreach ($texts as $text) {
                $before = $pick();
                $after = $pick();
                self::assertSame(Fold::mysql()->key($before . $first . $after), Fold::mysql()->key($before . $text . $after));
                $checked++;
            }
        }
        self::assertGreaterThan(1000, $checked);
    }
}
