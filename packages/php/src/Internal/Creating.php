<?php

namespace Bloom\Internal;

use Bloom\Kind;
use Bloom\Status;

/**
 * Creates filters to which keys are added: create() and import().
 *
 * @internal
 *
 * @phpstan-import-type Current from Place
 * @phpstan-import-type State from LiveFile
 * @phpstan-type Wanted array{name: string, kind: string, capacity: int, rate: float, growth: float, tightening: float, windowMs: int,
 *         groups: int, fanOut: int, bounded: bool, fingerprint: int, seed?: int}
 */
final class Creating
{
    public const PARAMS = ['growth' => 0.0, 'tightening' => 0.0, 'windowMs' => 0, 'groups' => 0, 'fanOut' => 0, 'bounded' => false,
        'fingerprint' => 0];
    private const TEXTS = ['capacity' => 'capacity', 'rate' => 'false-positive rate', 'growth' => 'growth', 'tightening' => 'tightening',
        'windowMs' => 'window', 'groups' => 'number of groups', 'fanOut' => 'fan-out'];

    /** @var Wanted */
    private array $params;

    /**
     * @param array{name: string, kind: string, capacity: int, rate: float, growth?: float, tightening?: float, windowMs?: int,
     *        groups?: int, fanOut?: int, bounded?: bool, fingerprint?: int} $params those of the kind
     */
    public function __construct(array $params, private string $method)
    {
        $this->params = $params + self::PARAMS;
    }

    /** @param array<int, string> $arguments the names of the parameters, by their position */
    public function run(?int $seed, bool $keyed, ?float $ttl, bool $exclusive, array $arguments): void
    {
        $name = $this->params['name'];
        Arguments::name($name, $this->method);
        $ttlMs = Arguments::milliseconds($ttl);
        if ($ttlMs < 0) {
            throw $this->refuse(Sentences::TTL, $arguments);
        }
        $this->params['fingerprint'] = $keyed ? Ring::current(Status::NoSecret)->fingerprint : 0;
        $problem = $this->problem();
        if ($problem !== null) {
            throw $this->refuse($problem, $arguments);
        }
        $place = Segment::place($name);
        $place->locked(function () use ($place, $seed, $ttlMs, $exclusive, $arguments): void {
            $current = $place->current();
            if ($current !== null) {
                $this->checkThere($place, $current, $seed, $exclusive);
                return;
            }
            $plan = Live::plan($this->params, $seed ?? random_int(PHP_INT_MIN, PHP_INT_MAX));
            if (is_int($plan)) {
                throw $this->refuse($plan, $arguments);
            }
            $this->place($place, $plan[0], $plan[1], $ttlMs);
        });
    }

    /** Creates a filter from a blob. */
    public function import(Head $head, string $body): void
    {
        $name = $this->params['name'];
        Signature::check($head, $name);
        if ($head->geometry->stripes !== 0) {
            throw Failure::of(Status::Solved, 'scheme ribbon');
        }
        Digest::for($head->geometry);
        $place = Segment::place($name);
        $place->locked(function () use ($place, $head, $body, $name): void {
            if ($place->current() !== null) {
                throw Failure::of(Status::Exists, $name);
            }
            $plan = Live::plan($this->params, 0, $head->geometry, $head->keys);
            if (is_array($plan)) {
                $this->place($place, $plan[0], $plan[1], 0, $body);
            }
        });
    }

    /** @param State $state */
    private function place(Place $place, array $state, int $bytes, int $ttlMs, string $body = ''): void
    {
        $beganNs = hrtime(true);
        Segment::reserve($place->name, LiveFile::HEAD_BYTES + $bytes);
        $generation = 1;
        $file = Place::newFile($generation, 'live');
        LiveFile::create($place->file($file), $state, $bytes);
        if ($body !== '') {
            LiveFile::use($place->file($file), true, fn (LiveFile $open) => $open->write(0, $body));
        }
        $now = Clock::milliseconds();
        $place->switch(['kind' => $this->params['kind'], 'isIndex' => false, 'generation' => $generation, 'file' => $file,
            'isBlob' => false, 'loadedMs' => $now, 'loads' => 1, 'memory' => 0,
            'expiresMs' => $ttlMs > 0 ? $now + $ttlMs : null,
            'counters' => Counters::withLoad(null, ['generation' => $generation, 'loadedAt' => $now / 1000, 'builtAt' => null, 'keys' => 0,
                'bytes' => LiveFile::HEAD_BYTES + $bytes, 'seconds' => (hrtime(true) - $beganNs) / 1e9,
                'switchSeconds' => (hrtime(true) - $beganNs) / 1e9, 'bytesFetched' => 0], 0)]);
    }

    private function problem(): ?int
    {
        ['kind' => $kind, 'growth' => $growth, 'tightening' => $tightening] = $this->params;
        $isIndex = $kind === Kind::Reverse->value;
        return match (true) {
            $kind === Kind::Scalable->value && !($growth >= 1.1 && $growth <= 16) => Sentences::GROWTH,
            $kind === Kind::Scalable->value && !($tightening >= 0.1 && $tightening <= 0.99) => Sentences::TIGHTENING,
            $kind === Kind::Sliding->value && $this->params['windowMs'] <= 0 => Sentences::WINDOW,
            $isIndex && $this->params['groups'] < 1 => Sentences::GROUPS,
            $this->params['capacity'] < 1 || $this->params['capacity'] > Head::CAPACITY_MAX => Sentences::CAPACITY,
            !($this->params['rate'] >= 1e-9 && $this->params['rate'] <= 0.5) => Sentences::RATE,
            $isIndex && ($this->params['fanOut'] < 1 || $this->params['fanOut'] > Geometry::FAN_OUT_MAX) => Sentences::FAN_OUT,
            default => null,
        };
    }

    /** @param array<int, string> $arguments */
    private function refuse(int $code, array $arguments): \ValueError
    {
        $name = match ($code) {
            Sentences::RATE, Sentences::RATE_FLOOR, Sentences::GROUPS_RATE => 'falsePositiveRate',
            Sentences::GROWTH => 'growth',
            Sentences::TIGHTENING => 'tightening',
            Sentences::WINDOW => 'window',
            Sentences::GROUPS => 'groups',
            Sentences::FAN_OUT => 'fanOut',
            Sentences::TTL => 'ttl',
            default => in_array('initialCapacity', $arguments, true) ? 'initialCapacity' : 'capacity',
        };
        return Arguments::refuse($this->method, (int) array_search($name, $arguments, true), $name, $code);
    }

    /** @param Current $current */
    private function checkThere(Place $place, array $current, ?int $seed, bool $exclusive): void
    {
        $name = $this->params['name'];
        if ($current['kind'] !== $this->params['kind']) {
            throw Loading::wrongKind($name, $current, Loading::text(Kind::from($this->params['kind'])));
        }
        if ($exclusive) {
            throw Failure::of(Status::Exists, $name);
        }
        $place->live($current['file'], false, function (Live $live) use ($seed, $name): void {
            self::match($live->params, $this->params, $name);
            if (($live->params['fingerprint'] !== 0) !== ($this->params['fingerprint'] !== 0)) {
                throw Failure::of(Status::Exists, "$name: it is" . ($live->params['fingerprint'] !== 0 ? '' : ' not') . ' keyed');
            }
            if ($live->params['bounded'] !== $this->params['bounded']) {
                throw Failure::of(Status::Exists, "$name: it " . ($live->params['bounded'] ? 'refuses' : 'accepts') . ' keys when it is full');
            }
            if ($seed !== null && $seed !== $live->params['seed']) {
                throw Failure::of(Status::Exists, "$name: its seed is {$live->params['seed']}, but $seed was requested");
            }
        });
    }

    /**
     * Throws if parameters differ.
     *
     * @param array<string, int|float|string|bool> $there
     * @param array<string, int|float|string|bool> $asked
     * @param float $share what the message shows of a capacity and a window
     */
    public static function match(array $there, array $asked, string $name, float $share = 1.0): void
    {
        foreach (self::TEXTS as $param => $text) {
            if (isset($there[$param], $asked[$param]) && $there[$param] != $asked[$param]) {
                $scale = $param === 'windowMs' ? $share / 1000 : ($param === 'capacity' ? $share : 1);
                throw Failure::of(Status::Exists, sprintf('%s: its %s is %s, but %s was requested', $name, $text,
                    Filling::short((float) $there[$param] * $scale, 15), Filling::short((float) $asked[$param] * $scale, 15)));
            }
        }
    }
}
