<?php

declare(strict_types=1);

namespace Bloom\Laravel;

use Illuminate\Container\Container;
use Illuminate\Database\Eloquent\Builder;
use Illuminate\Database\Eloquent\Model;

/**
 * Adds the keys of a model to filters, in the transaction that writes its row and after all events before that. If there is no
 * transaction, one is begun, so that a key is added before its row is committed. If the transaction is rolled back, a key that is
 * already in a journal stays there, which costs a false positive at most.
 *
 * Only save() and what calls it adds keys, also without events. Statements of the query builder do not, such as insert(), upsert()
 * and update().
 */
trait AddsToFilters // @phpstan-ignore trait.unused (models of applications use it)
{
    /**
     * Returns the keys that a build would read from the model's row, by the name of their filter. A row that the build leaves out,
     * for example because it is trashed, has no keys.
     *
     * An update adds the keys that the model did not have before. To find out, this method is also called on a copy of the model
     * with the old attributes, so it should use only attributes.
     *
     * @return array<string, string|int|iterable<mixed, string|int>>
     */
    abstract public function filterKeys(): array;

    /**
     * @param Builder<static> $query
     *
     * @return bool
     */
    protected function performInsert(Builder $query)
    {
        try {
            return $this->inTransactionWithKeys([], fn (): bool => parent::performInsert($query));
        } catch (\Throwable $failure) {
            // The row is not in the database. Otherwise, the next save() would update a row that does not exist.
            $model = $this->model();
            $model->exists = $model->wasRecentlyCreated = false;
            throw $failure;
        }
    }

    /**
     * @param Builder<static> $query
     *
     * @return bool
     */
    protected function performUpdate(Builder $query)
    {
        return $this->inTransactionWithKeys((clone $this)->originalFilterKeys(), fn (): bool => parent::performUpdate($query));
    }

    /**
     * Of a copy, because this discards changed attributes.
     *
     * @return array<list<string>> by the name of the filter
     */
    private function originalFilterKeys(): array
    {
        /** @var array<string, mixed> $original */
        $original = $this->model()->getRawOriginal();
        $this->model()->setRawAttributes($original, true);
        return $this->listedFilterKeys();
    }

    /**
     * @param array<list<string>> $before
     * @param \Closure(): bool $write
     */
    private function inTransactionWithKeys(array $before, \Closure $write): bool
    {
        $connection = $this->model()->getConnection();
        $both = function () use ($before, $write, $connection): bool {
            $isWritten = $write();
            foreach ($isWritten ? $this->listedFilterKeys() : [] as $filter => $keys) {
                $new = array_values(array_diff($keys, $before[$filter] ?? []));
                if ($new !== []) {
                    Container::getInstance()->make(FilterManager::class)->add((string) $filter, $new, $connection);
                }
            }
            return $isWritten;
        };
        return $connection->transactionLevel() > 0 ? $both() : $connection->transaction($both);
    }

    private function model(): Model
    {
        /** @var Model $model */
        $model = $this;
        return $model;
    }

    /** @return array<list<string>> by the name of the filter */
    private function listedFilterKeys(): array
    {
        $listed = [];
        foreach ($this->filterKeys() as $filter => $keys) {
            $listed[$filter] = [];
            foreach (is_iterable($keys) ? $keys : [$keys] as $key) {
                $listed[$filter][] = is_string($key) || is_int($key) ? (string) $key : throw new \TypeError(
                    static::class . "::filterKeys() must return keys of type string|int, but returned " . get_debug_type($key)
                        . " for the filter \"$filter\"; if the row has no key, return an empty array"
                );
            }
        }
        return $listed;
    }
}
