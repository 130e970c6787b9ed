<?php

namespace Bloom\Internal;

use Bloom\Blob;

/** What other classes of this package see of an object besides its public methods. */
final class Access
{
    public static function head(Blob $blob): Head
    {
        /** @var Head */
        return self::property('head')->getValue($blob);
    }

    public static function body(Blob $blob): string
    {
        /** @var string */
        return self::property('body')->getValue($blob);
    }

    /** Makes a blob of verified bytes. */
    public static function blob(Head $head, string $body, ?Answers $answers = null): Blob
    {
        $blob = (new \ReflectionClass(Blob::class))->newInstanceWithoutConstructor();
        self::property('head')->setValue($blob, $head);
        self::property('body')->setValue($blob, $body);
        self::property('answers')->setValue($blob, $answers);
        return $blob;
    }

    private static function property(string $name): \ReflectionProperty
    {
        return new \ReflectionProperty(Blob::class, $name);
    }
}
