<?php

namespace Bloom\Internal;

/** The settings of php.ini. PHP does not know them without the extension, so ini_get() and ini_set() do not work. */
final class Settings
{
    /** Returns a setting as it is in php.ini or after -d; "": it is not set. */
    public static function get(string $name): string
    {
        $value = get_cfg_var("bloom.$name");
        return is_string($value) ? $value : '';
    }

    public static function lockTimeout(): float
    {
        $value = self::get('lock_timeout');
        return is_numeric($value) ? (float) $value : 5.0;
    }
}
