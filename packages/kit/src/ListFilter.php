<?php

declare(strict_types=1);

namespace Bloom\Kit;

/**
 * A list whose keys are rejected, such as breached passwords or blocked senders. If the filter is not loaded, "maybe" would
 * reject every key, so there is a third answer.
 */
final readonly class ListFilter
{
    public function __construct(private HostMembership $filter)
    {
    }

    /**
     * @param string|int $key any other type throws TypeError
     *
     * @return bool|null false: the key is definitely not listed. true: it is listed, or one of the few false positives.
     *         null: unknown, because the filter is not loaded or cannot be trusted now, which is logged once per request.
     *         With `?? false`, you accept keys then, and with `?? true`, you reject them
     */
    public function mayList(mixed $key): ?bool
    {
        if (!$this->filter->mightContain($key)) {
            return false;
        }
        // A filter that cannot answer says "maybe" to every key, so only a "maybe" between two checks counts. The few keys that are
        // listed are therefore looked up twice, because a check before each lookup would cost all the others a third more time.
        if (!$this->filter->isComplete()) {
            return null;
        }
        if (!$this->filter->mightContain($key)) {
            return false;
        }
        return $this->filter->isComplete() ? true : null;
    }

    /**
     * Like mayList(), for a list of breached passwords whose keys are SHA-1 hashes of 40 uppercase hexadecimal digits, as in the
     * files of Pwned Passwords.
     */
    public function mayListPassword(#[\SensitiveParameter] string $password): ?bool
    {
        return $this->mayList(strtoupper(sha1($password)));
    }
}
