<?php

declare(strict_types=1);

namespace Bloom\Laravel\Rules;

use Closure;
use Illuminate\Contracts\Validation\ValidationRule;
use Illuminate\Support\Facades\Validator;
use Illuminate\Support\Str;

/**
 * Applies other rules only if a value may be in a filter. For values that definitely are not, it saves their queries:
 *
 *     'email' => ['bail', 'email', new SkipIfAbsent('emails', 'unique:users,email')]
 *
 * The filter must have every value that the rules could find. So it must have a journal, and a fold if the database
 * ignores case, or it must be a live filter. As with "unique" alone, only an index of the database prevents two equal
 * values that are inserted at the same time.
 */
final readonly class SkipIfAbsent implements ValidationRule
{
    /**
     * @param string $filter a name of config/bloom.php
     * @param mixed $rules a rule, or a list of rules
     * @param (Closure(string|int): (string|int))|null $key as in MightContain
     */
    public function __construct(private string $filter, private mixed $rules, private ?Closure $key = null)
    {
    }

    public function validate(string $attribute, mixed $value, Closure $fail): void
    {
        if (!MightContain::may($this->filter, $this->key, $value)) {
            return;
        }
        // A rule without a column, such as unique:users, takes the name of the attribute.
        $name = Str::afterLast($attribute, '.');
        $validator = Validator::make([$name => $value], [$name => $this->rules]);
        /** @var string $message */
        foreach ($validator->errors()->all() as $message) {
            $fail($message);
        }
    }
}
