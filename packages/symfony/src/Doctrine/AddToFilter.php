<?php

declare(strict_types=1);

namespace Bloom\Symfony\Doctrine;

/**
 * Adds keys to a filter when Doctrine's ORM inserts or updates the row of an entity.
 *
 * - On a property, its value is the key: a string or an int. Null is no key. An update adds the new value if it has changed.
 * - On a method without parameters, the key or keys that it returns are added, at every insert and every update.
 */
#[\Attribute(\Attribute::TARGET_PROPERTY | \Attribute::TARGET_METHOD | \Attribute::IS_REPEATABLE)]
final readonly class AddToFilter
{
    /** @param string $filter a filter in the bundle's configuration that has a journal */
    public function __construct(public string $filter)
    {
    }
}
