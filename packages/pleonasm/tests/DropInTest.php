<?php

declare(strict_types=1);

namespace Pleo\BloomFilter\Tests;

use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Pleo\BloomFilter\BitArray;
use Pleo\BloomFilter\BloomFilter;
use Pleo\BloomFilter\HasherList;

#[CoversClass(BitArray::class)]
#[CoversClass(BloomFilter::class)]
#[CoversClass(HasherList::class)]
final class DropInTest extends TestCase
{
    public function testFiltersAreStoredAsTheOriginalStoresThem(): void
    {
        self::assertSame(self::golden()['filters'], Golden::filters());
    }

    public function testThePublicMethodsAndConstantsAreThoseOfTheOriginal(): void
    {
        self::assertSame(['Pleo\BloomFilter\HasherList::each(string $value): Generator'], array_values(array_diff(Golden::api(), self::golden()['api'])));
        self::assertSame([], array_diff(self::golden()['api'], Golden::api()));
    }

    /** @param array{keys: int, json: string, serialized: string, answers: string} $stored */
    #[DataProvider('storedFilters')]
    public function testAStoredFilterAnswersAsTheOriginalDid(array $stored): void
    {
        $read = [BloomFilter::initFromJson(json_decode($stored['json'], true)), unserialize(base64_decode($stored['serialized']))];
        foreach ($read as $filter) {
            self::assertSame($stored['answers'], Golden::answers($filter));
            self::assertStringStartsWith(str_repeat('1', $stored['keys']), Golden::answers($filter));
            self::assertTrue($filter->exists('') && $filter->exists("\xff\0") && $filter->exists('José'));
            $filter->add('later');
            self::assertTrue(BloomFilter::initFromJson(json_decode(json_encode($filter), true))->exists('later'));
        }
    }

    public static function storedFilters(): array
    {
        return array_map(fn (array $stored): array => [$stored], self::golden()['filters']);
    }

    public function testASubclassKeepsItsAlgorithmAndItsNumbers(): void
    {
        $filter = new class(BitArray::init(8), new HasherList('md5', 1, 8)) extends BloomFilter {
            public const HASH_ALGO = 'sha256';
        };
        self::assertSame('sha256', $filter::init(10, 0.1)->jsonSerialize()['hashers']->jsonSerialize()['algo']);
        $last = new class('md5', 1, 8) extends HasherList {
            public function hash(string $value): array
            {
                return [7];
            }
        };
        $filter = new BloomFilter($bits = BitArray::init(8), $last);
        $filter->add('any');
        self::assertSame(['len' => 8, 'arr' => base64_encode("\x80")], $bits->jsonSerialize());
        self::assertTrue($filter->exists('other'));
    }

    public function testBitsCanBeClearedAndOthersAreRefused(): void
    {
        $bits = new BitArray("\xff\xff", 12);
        unset($bits[9]);
        $bits[3] = false;
        self::assertSame(['len' => 12, 'arr' => base64_encode("\xf7\xfd")], $bits->jsonSerialize());
        self::assertSame([12, 2], [count($bits), $bits->byteLength()]);
        self::assertSame([false, true, true, false, false], array_map(fn (mixed $bit): bool => isset($bits[$bit]), [-1, 0, 11, 12, '1']));
        foreach ([[-1, \RangeException::class], [12, \RangeException::class], ['1', \UnexpectedValueException::class]] as [$bit, $class]) {
            foreach ([fn () => $bits[$bit], fn () => $bits[$bit] = true] as $call) {
                try {
                    $call();
                    self::fail("$bit");
                } catch (\RuntimeException $exception) {
                    self::assertInstanceOf($class, $exception);
                }
            }
        }
        $this->expectException(\RangeException::class);
        BitArray::init(-1);
    }

    #[DataProvider('brokenData')]
    public function testDamagedDataIsRefused(array $change, string $message): void
    {
        $data = array_replace_recursive(json_decode(json_encode(BloomFilter::init(100, 0.01)), true), $change);
        $this->expectException(\UnexpectedValueException::class);
        $this->expectExceptionMessage($message);
        BloomFilter::initFromJson($data);
    }

    public static function brokenData(): array
    {
        return [
            'bits that were cut off' => [['bit_array' => ['arr' => base64_encode(str_repeat("\xff", 119))]], 'must have at least 120 bytes for 959 bits, 119 given'],
            'bits that are not Base64' => [['bit_array' => ['arr' => '????']], '"arr", a string in Base64'],
            'bits without a length' => [['bit_array' => ['len' => null]], 'must have "len", an integer'],
            'no algorithm' => [['hashers' => ['algo' => null]], 'must have "algo", one of hash_hmac_algos()'],
            'an algorithm that is not for HMACs' => [['hashers' => ['algo' => 'crc32']], 'must have "algo", one of hash_hmac_algos()'],
            'hashes without end' => [['hashers' => ['count' => PHP_INT_MAX]], '"count", an integer of at most 10,000'],
            'more bits than any memory has' => [['bit_array' => ['len' => PHP_INT_MAX]], 'for 9223372036854775807 bits, 120 given'],
            'no bits' => [['bit_array' => null], 'the arrays "bit_array" and "hashers"'],
        ];
    }

    public function testNumbersThatWereStoredAsStringsAreAccepted(): void
    {
        $data = json_decode(json_encode($filter = BloomFilter::init(100, 0.01)), true);
        $data = ['bit_array' => ['len' => '959'] + $data['bit_array'], 'hashers' => ['count' => '7', 'max' => '959'] + $data['hashers']];
        self::assertEquals($filter, BloomFilter::initFromJson($data));
    }

    public function testAnImpossibleFilterIsRefused(): void
    {
        foreach ([[0, 0.01], [-1, 0.01], [100, 0.0], [100, 1.0], [100, 0.75], [100, -1.0], [100, NAN]] as [$size, $rate]) {
            try {
                BloomFilter::init($size, $rate);
                self::fail("$size keys, $rate");
            } catch (\RangeException $exception) {
                self::assertStringContainsString("between 0 and 0.7, $size and $rate given", $exception->getMessage());
            }
        }
    }

    /** @return array{filters: array<string, array<string, mixed>>, api: list<string>} */
    private static function golden(): array
    {
        return json_decode(file_get_contents(__DIR__ . '/golden.json'), true, 512, JSON_THROW_ON_ERROR);
    }
}
