<?php

namespace Bloom;

/** A published filter. Only the extension loads a part of it; this one loads all. */
final class OnDemandFilter extends Filter
{
    public function info(): OnDemandInfo
    {
        $info = parent::info();
        assert($info instanceof OnDemandInfo);
        return $info;
    }
}
