<?php

namespace MediaWiki\Extension\BloomLinks;

use Closure;
use ReflectionClass;

/** Copies an object of MediaWiki into an object of a subclass, without the constructor, which differs between versions of MediaWiki. */
final class Copy
{
    /**
     * Returns an object of the subclass with the properties of $original.
     *
     * @template T of object
     * @param object $original an object of exactly the class $parent
     * @param class-string $parent
     * @param class-string<T> $subclass
     *
     * @return T
     */
    public static function of(object $original, string $parent, string $subclass): object
    {
        $copy = (new ReflectionClass($subclass))->newInstanceWithoutConstructor();
        // Private properties are accessible only in the scope of their class.
        Closure::bind(static function () use ($original, $copy): void {
            foreach (get_object_vars($original) as $name => $value) {
                $copy->$name = $value;
            }
        }, null, $parent)();
        return $copy;
    }
}
