--TEST--
Filters work in destructors and shutdown functions, and after a fatal error
--DESCRIPTION--
fault: odd-phases
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_shutdown
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

Filter::load('booth', blob_of(['a']));
echo run('
    final class Last
    {
        public function __construct(private Bloom\Filter $booth)
        {
        }

        public function __destruct()
        {
            var_dump($this->booth->mightContain("a"), Bloom\Filter::open("booth")->mightContain("a"));
        }
    }
    $GLOBALS["last"] = new Last(Bloom\Filter::open("booth"));
    register_shutdown_function(function () {
        var_dump(Bloom\Filter::load("later", blob_of(["b"]))->mightContain("b"));
    });
    echo "end\n";
'), "\n";
echo preg_replace('/ in .*/', '', run('
    register_shutdown_function(function () {
        var_dump(Bloom\Filter::open("booth")->mightContain("a"), Bloom\Filter::drop("later"));
    });
    @trigger_error("fatal", E_USER_ERROR); // deprecated since 8.4
')), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
end
bool(true)
bool(true)
bool(true)

Fatal error: fatal
bool(true)
bool(true) (exit status 255)
