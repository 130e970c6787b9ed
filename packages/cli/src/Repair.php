<?php

namespace Bloom\Cli;

use Bloom\BloomException;
use Bloom\Journal;

/**
 * Adds keys that a served filter lacks to its journal, until the store fails. The keys of the request that failed are then
 * found on this host, although the journal may lack them, so another check would not find them again: the caller prints them.
 */
final class Repair
{
    /** Few enough to print if the request fails. */
    private const BATCH = 1000;

    private readonly Journal $journal;
    private readonly float $maxLag;
    private int $repaired = 0;
    private int $missing = 0;
    private ?\Throwable $failure = null;
    /** @var list<string> */
    private array $again = [];

    public function __construct(private readonly string $name, ServedFilter $served, StoreUrl $url, float $timeout)
    {
        $this->maxLag = $served->journal()->maxLag;
        $store = new LazyStore($url, $timeout);
        $stored = Stored::find($store, $url->shown, $name);
        if ($stored->code !== null || $stored->behind() === null) {
            throw new Failure($stored->code ?? ExitCode::CannotCreate, "$name: " . ($stored->error
                ?? "the store $url->shown does not have the version that this host serves: is it the store of this filter?"));
        }
        $this->journal = new Journal($name, $store);
    }

    /** @param list<string> $keys */
    public function add(array $keys): void
    {
        $this->missing += count($keys);
        foreach ($this->failure === null ? array_chunk($keys, self::BATCH) : [] as $batch) {
            try {
                LazyStore::clearly(fn (): int => $this->journal->add($batch));
                $this->repaired += count($batch);
            } catch (BloomException | Failure $thrown) {
                $this->failure = $thrown;
                $this->again = $batch;
                return;
            }
        }
    }

    /** @return list<string> */
    public function again(): array
    {
        return $this->again;
    }

    public function count(): int
    {
        return $this->repaired;
    }

    /** Returns what was done; null: no key was added. */
    public function describe(): ?string
    {
        $until = $this->maxLag > 0
            ? ', and every other host finds them, or answers maybe, within its --max-lag, here ' . Text::duration($this->maxLag)
            : ', and every other host after its next sync';
        return $this->repaired === 0 ? null : Text::counted($this->repaired, 'missing key')
            . " added to the journal: this host finds them now$until";
    }

    /** Fails if not all missing keys were added. */
    public function finish(): void
    {
        if ($this->failure !== null) {
            throw new Failure(ExitCode::of($this->failure), Names::reason($this->name, $this->failure) . '; ' . Text::count($this->repaired) . ' of '
                . Text::counted($this->missing, 'missing key') . ' repaired: add those that are printed with bloom add, and then check again', $this->failure);
        }
    }
}
