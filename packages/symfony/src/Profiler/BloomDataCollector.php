<?php

declare(strict_types=1);

namespace Bloom\Symfony\Profiler;

use Bloom\BloomException;
use Bloom\Filter;
use Bloom\LoadedInfo;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\DataCollector\DataCollector;
use Symfony\Component\HttpKernel\DataCollector\LateDataCollectorInterface;

/**
 * The data of the profiler panel.
 *
 * @phpstan-import-type Lookups from Trace
 * @phpstan-type State array{generation?: int, keys?: int, age?: float, problem: string|null}
 * @property array{states: array<State>, lookups: array<Lookups>} $data
 */
final class BloomDataCollector extends DataCollector implements LateDataCollectorInterface
{
    /** @param list<string> $names the configured filters */
    public function __construct(private readonly array $names, private readonly Trace $trace)
    {
        $this->data = ['states' => [], 'lookups' => []];
    }

    public function getName(): string
    {
        return 'bloom';
    }

    /** Reads the state before the sync that follows the response, because this state answered the lookups. */
    public function collect(Request $request, Response $response, ?\Throwable $exception = null): void
    {
        $this->data['states'] = [];
        foreach ($this->names as $name) {
            $this->data['states'][$name] = self::state($name);
        }
    }

    /** Also counts the lookups of a streamed response, which runs after collect(). */
    public function lateCollect(): void
    {
        $this->data['lookups'] = [];
        foreach ($this->names as $name) {
            $this->data['lookups'][$name] = $this->trace->of($name);
        }
    }

    public function reset(): void
    {
        $this->data = ['states' => [], 'lookups' => []];
        $this->trace->reset();
    }

    /** @return array<State> by the name of the filter */
    public function states(): array
    {
        return $this->data['states'];
    }

    public function hasProblems(): bool
    {
        return array_filter(array_column($this->states(), 'problem')) !== [];
    }

    /** @return array<Lookups> by the name of the filter */
    public function lookups(): array
    {
        return $this->data['lookups'];
    }

    /** @return Lookups of all filters */
    public function total(): array
    {
        $lookups = $this->lookups();
        return [
            'calls' => array_sum(array_column($lookups, 'calls')),
            'keys' => array_sum(array_column($lookups, 'keys')),
            'absent' => array_sum(array_column($lookups, 'absent')),
            'seconds' => (float) array_sum(array_column($lookups, 'seconds')),
        ];
    }

    /** @return State */
    private static function state(string $name): array
    {
        try {
            $info = Filter::find($name)?->info();
        } catch (BloomException $exception) {
            return ['problem' => $exception->getMessage()];
        }
        if ($info === null) {
            return ['problem' => 'not loaded on this host: every answer is "maybe"'];
        }
        $loaded = $info instanceof LoadedInfo ? $info : null;
        return [
            'generation' => $info->generation,
            'keys' => $info->keys,
            'age' => max(0.0, microtime(true) - ($loaded->builtAt ?? $info->loadedAt)),
            'problem' => $loaded->lastError ?? $info->warning,
        ];
    }
}
