<?php

declare(strict_types=1);

namespace Bloom\Kit;

enum StoreUrlProblem
{
    /** The text is not the URL of a store. */
    case Invalid;
    /** The directory does not exist. */
    case NoDirectory;
    /** PHP has no client for the server. */
    case NoClient;
}
