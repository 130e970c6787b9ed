<?php

declare(strict_types=1);

namespace Pleo\BloomFilter\Tests;

use Pleo\BloomFilter\BitArray;
use Pleo\BloomFilter\BloomFilter;
use Pleo\BloomFilter\HasherList;

/** What the classes store, answer and declare. golden.json contains what those of pleonasm/bloom-filter 1.0.4 do. */
final class Golden
{
    /** @return array<string, array<string, mixed>> */
    public static function filters(): array
    {
        return [
            'init' => self::filter(BloomFilter::init(100, 0.001), 60),
            'a rate of 50 %' => self::filter(BloomFilter::init(100, 0.5), 100),
            'SHA-256' => self::filter(new BloomFilter(BitArray::init(999), new HasherList('sha256', 5, 999)), 60),
            'a part of the bits' => self::filter(new BloomFilter(BitArray::init(100), new HasherList('md5', 2, 77)), 20),
        ];
    }

    /** Returns which of 500 keys a filter finds, as digits. */
    public static function answers(BloomFilter $filter): string
    {
        return implode('', array_map(fn (int $i): string => $filter->exists("key $i") ? '1' : '0', range(1, 500)));
    }

    /** @return list<string> public methods and constants */
    public static function api(): array
    {
        $api = [];
        foreach ([BitArray::class, BloomFilter::class, HasherList::class] as $name) {
            $class = new \ReflectionClass($name);
            foreach ($class->getMethods(\ReflectionMethod::IS_PUBLIC) as $method) {
                $parameters = array_map(fn (\ReflectionParameter $one): string => "{$one->getType()} \${$one->getName()}", $method->getParameters());
                $api[] = ($method->isStatic() ? 'static ' : '') . "$name::{$method->getName()}(" . implode(', ', $parameters) . "): {$method->getReturnType()}";
            }
            foreach ($class->getReflectionConstants() as $constant) {
                $api[] = "$name::{$constant->getName()} = " . var_export($constant->getValue(), true);
            }
        }
        return $api;
    }

    /** @return array<string, mixed> */
    private static function filter(BloomFilter $filter, int $keys): array
    {
        for ($i = 1; $i <= $keys; $i++) {
            $filter->add("key $i");
        }
        array_map($filter->add(...), ['', "\xff\0", 'José']);
        return [
            'keys' => $keys,
            'json' => json_encode($filter, JSON_THROW_ON_ERROR),
            'serialized' => base64_encode(serialize($filter)),
            'answers' => self::answers($filter),
        ];
    }
}
