<?php

declare(strict_types=1);

namespace Bloom\Laravel\Rules;

use Bloom\Laravel\Facades\BloomFilter;
use Closure;
use Illuminate\Contracts\Validation\ValidationRule;

/**
 * Fails if a value is definitely not in a filter. A value that passes may still not exist, so put the rule before one
 * that asks the database:
 *
 *     'tag' => ['bail', 'string', new MightContain('tags'), 'exists:tags,name']
 *
 * Values that are neither string nor int pass: other rules decide about them.
 */
final readonly class MightContain implements ValidationRule
{
    /**
     * @param string $filter a name of config/bloom.php
     * @param (Closure(string|int): (string|int))|null $key turns a value into the key under which the filter has it. If
     *        the database only compares in another way than bytes, set the filter's fold instead
     */
    public function __construct(private string $filter, private ?Closure $key = null)
    {
    }

    public function validate(string $attribute, mixed $value, Closure $fail): void
    {
        if (!self::may($this->filter, $this->key, $value)) {
            $fail('validation.exists')->translate();
        }
    }

    /** @param (Closure(string|int): (string|int))|null $key */
    public static function may(string $filter, ?Closure $key, mixed $value): bool
    {
        if (!is_string($value) && !is_int($value)) {
            return true;
        }
        return BloomFilter::get($filter)->mightContain($key === null ? $value : $key($value));
    }
}
