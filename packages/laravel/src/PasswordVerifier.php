<?php

declare(strict_types=1);

namespace Bloom\Laravel;

use Bloom\Kit\PasswordFallback;
use Illuminate\Contracts\Validation\UncompromisedVerifier;

/** Answers for Password::uncompromised() from the filter in bloom.breached_passwords, without HTTP. */
final readonly class PasswordVerifier implements UncompromisedVerifier
{
    /** @param UncompromisedVerifier $http the framework's own */
    public function __construct(
        private FilterManager $filters,
        private string $filter,
        private PasswordFallback $fallback,
        private UncompromisedVerifier $http,
    ) {
    }

    /**
     * @param array{value: string|null, threshold: int} $data
     * @psalm-suppress MoreSpecificImplementedParamType the interface does not say what is in the array
     *
     * @throws \InvalidArgumentException if the threshold is above 0, because a filter has no counts
     */
    public function verify(#[\SensitiveParameter] $data): bool
    {
        if ($data['threshold'] > 0) {
            throw new \InvalidArgumentException(
                "Password::uncompromised(): the threshold must be 0 with bloom.breached_passwords, {$data['threshold']} given, because a"
                    . ' filter does not know how often a password was breached; build the filter without rare passwords instead'
            );
        }
        $password = (string) $data['value'];
        if ($password === '') {
            return false;
        }
        $isListed = $this->filters->list($this->filter)->mayListPassword($password);
        if ($isListed !== null) {
            return !$isListed;
        }
        return match ($this->fallback) {
            PasswordFallback::Accept => true,
            PasswordFallback::Reject => false,
            PasswordFallback::Http => $this->http->verify($data),
        };
    }
}
