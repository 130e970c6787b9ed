<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** What a name in the segment is. The value is the word that the command line prints. */
enum Kind: string
{
    /** LoadedFilter */
    case Loaded = 'loaded';
    /** LiveFilter */
    case Live = 'live';
    /** CountingFilter */
    case Counting = 'counting';
    /** ScalableFilter */
    case Scalable = 'scalable';
    /** SlidingFilter */
    case Sliding = 'sliding';
    /** ReverseIndex */
    case Reverse = 'reverse';
    /** OnDemandFilter */
    case OnDemand = 'on-demand';
}
