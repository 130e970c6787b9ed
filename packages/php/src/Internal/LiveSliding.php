<?php

namespace Bloom\Internal;

/**
 * A sliding filter. A turn lasts for half a window. Keys are added to the slot that lookups use and to the one
 * that they use in the next turn, while the third slot is empty:
 *
 *     turn 0: slots 0 and 1    turn 1: slots 1 and 2    turn 2: slots 2 and 0 …
 *
 * @internal
 *
 * @phpstan-import-type Params from LiveFile
 * @phpstan-import-type Layer from LiveFile
 * @phpstan-import-type State from LiveFile
 */
final class LiveSliding extends Live
{
    /** @var positive-int */
    protected const LAYERS = 3;

    private function half(): int
    {
        return intdiv($this->params['windowMs'], 2);
    }

    /** Returns the number of turns that have ended. If the clock has started again at a reboot, none has. */
    private function ended(): int
    {
        return intdiv(max(0, Clock::monotonic() - $this->file->state['startMs']), $this->half());
    }

    public function answering(): array
    {
        $ended = $this->ended();
        return $ended >= 2 ? [] : [($this->file->state['slot'] + $ended) % self::LAYERS];
    }

    public function add(string $key): bool
    {
        $this->endTurns();
        $digest = $this->digest($key);
        $isNew = $this->addTo($this->file->state['slot'], $digest);
        $this->addTo(($this->file->state['slot'] + 1) % self::LAYERS, $digest);
        return $isNew;
    }

    private function endTurns(): void
    {
        $now = Clock::monotonic();
        if ($this->file->state['startMs'] > $now) {
            $this->file->state['startMs'] = $now;
        }
        $ended = $this->ended();
        if ($ended === 0) {
            return;
        }
        $slot = $this->file->state['slot'];
        foreach ($ended === 1 ? [$slot] : [$slot, ($slot + 1) % self::LAYERS] as $old) {
            $this->file->write($this->layers()[$old]['offset'], str_repeat("\0", $this->geometry($old)->bytes()));
            $this->file->state['layers'][$old]['keys'] = 0;
        }
        $this->file->state['slot'] = ($slot + min(2, $ended)) % self::LAYERS;
        $this->file->state['startMs'] += $ended * $this->half();
    }

    public function info(): array
    {
        $ended = $this->ended();
        $left = $this->half() - max(0, Clock::monotonic() - $this->file->state['startMs']) % $this->half();
        $next = ($this->file->state['slot'] + $ended + 1) % self::LAYERS;
        return [
            'window' => $this->params['windowMs'] / 1000,
            'rotatesAt' => (Clock::milliseconds() + $left) / 1000,
            'nextFill' => $ended === 0 ? $this->measure($next, $this->geometry($next))['fill'] : 0.0,
        ] + parent::info();
    }
}
