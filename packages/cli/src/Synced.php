<?php

namespace Bloom\Cli;

use Bloom\FilterInfo;
use Bloom\SyncResult;

/** A filter after a sync. */
final class Synced
{
    /** @param bool $isSwitched whether this host serves another version than before */
    public function __construct(
        public readonly bool $isSwitched,
        public readonly SyncResult $result,
        public readonly FilterInfo $info
    ) {
    }

    /** @return array<string, mixed> for JSON */
    public function fields(): array
    {
        return ['switched' => $this->isSwitched, 'result' => $this->result] + $this->info->jsonSerialize();
    }

    public function describe(): string
    {
        return "{$this->info->name}: " . ($this->isSwitched ? 'switched to' : 'no change, still') . ' generation '
            . Text::count($this->info->generation) . ', ' . Describe::briefly($this->info)
            . ', in ' . Text::line($this->info->segment);
    }
}
