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
        Keys::checked([$key]);
        $wasComplete = $this->filter->isComplete();
        if ($wasComplete && !$this->filter->mightContain($key)) {
            return false;
        }
        // The filter may have become incomplete in the meantime.
        return $wasComplete && $this->filter->isComplete() ? true : null;
    }
}
