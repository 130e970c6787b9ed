<?php

/*
 * Lets a page work on a host where the PHP extension bloom is not loaded, for instance after an upgrade of PHP. Without this
 * file, PHP throws an Error ("Class not found"), which code that catches BloomException does not catch.
 *
 *     require '/opt/bloom/examples/missing-extension.php';
 *
 * or, with Composer, name the file under "autoload": {"files": [...]}. To ask whether the extension is there, use
 * extension_loaded('bloom'), because class_exists('Bloom\Filter') also throws the exception.
 */

namespace Bloom;

if (!extension_loaded('bloom')) {
    class BloomException extends \Exception
    {
    }

    spl_autoload_register(static function (string $class): void {
        // Not the classes of other packages, such as Bloom\Kit\HostFilter.
        if (preg_match('/^Bloom\\\\\w+$/D', $class)) {
            throw new BloomException('the PHP extension "bloom" is not loaded: put extension=bloom into php.ini'
                . " ($class was used)");
        }
    });
}
