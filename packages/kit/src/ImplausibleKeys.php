<?php

declare(strict_types=1);

namespace Bloom\Kit;

/** NightlyBuild was given no keys, or far fewer than the published version has, so it published nothing. */
final class ImplausibleKeys extends \RuntimeException
{
}
