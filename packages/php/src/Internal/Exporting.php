<?php

namespace Bloom\Internal;

use Bloom\Blob;

/** The method that turns a live filter into a blob. */
trait Exporting
{
    public function export(string $source = ''): Blob
    {
        Arguments::source($source, substr(self::class, strlen('Bloom\\')) . '::export');
        return $this->change(fn (KeySet $set, array $current): array => [Live::export($set, $current, $source), '']);
    }
}
