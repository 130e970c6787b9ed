--TEST--
addFile() reads a path, any stream wrapper or an open stream, and names the file that it cannot read
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

final class Lines
{
    public $context;
    private string $mode;
    private int $at = 0;

    public function stream_open(string $path, string $mode, int $options, ?string &$opened): bool
    {
        $this->mode = parse_url($path, PHP_URL_HOST);
        return match ($this->mode) {
            'closed' => false,
            'angry' => throw new DomainException('thrown when opened'),
            default => true,
        };
    }

    public function stream_read(int $count): string|false
    {
        $this->at++;
        return match (true) {
            $this->at <= 3 => "w{$this->at}\nhalf",
            $this->mode === 'throws' => throw new DomainException('thrown when read'),
            $this->mode === 'fails' => false,
            default => '',
        };
    }

    public function stream_eof(): bool
    {
        return $this->at > 3;
    }

    public function stream_stat(): array|false
    {
        return false;
    }
}
stream_wrapper_register('lines', Lines::class);

$builder = new Bloom\Builder(1000, seed: 7);
file_put_contents(own_file('keys'), "p1\np2\np3\n");
var_dump($builder->addFile(own_file('keys')));
var_dump($builder->addFile('file://' . own_file('keys')));
var_dump($builder->addFile('data:,d1%0Ad2'));
var_dump($builder->addFile('lines://good'));

$open = fopen(own_file('keys'), 'r');
fgets($open);
var_dump($builder->addFile($open), feof($open), ftell($open));
var_dump($builder->addFile($open));
fclose($open);
$memory = fopen('php://memory', 'w+');
fwrite($memory, "m1\nm2");
rewind($memory);
var_dump($builder->addFile($memory));
$pipe = popen('printf "q1\nq2\n"', 'r');
var_dump($builder->addFile($pipe));
pclose($pipe);
if (extension_loaded('zlib')) {
    file_put_contents(own_file('keys.gz'), gzencode("z1\nz2\n"));
    var_dump($builder->addFile('compress.zlib://' . own_file('keys.gz')));
} else {
    $builder->addMany(['z1', 'z2']);
    echo "int(2)\n";
}
$blob_keys = $builder->info()->keys;
var_dump($blob_keys);

echo thrown(fn () => $builder->addFile(own_file('missing'))), "\n";
echo thrown(fn () => @$builder->addFile(own_file())), "\n";
echo thrown(fn () => $builder->addFile('')), "\n";
echo thrown(fn () => $builder->addFile("a\0b")), "\n";
echo thrown(fn () => $builder->addFile($open)), "\n";
echo thrown(fn () => $builder->addFile(stream_context_create())), "\n";
foreach ([null, 5, [], new stdClass, true] as $wrong) {
    echo thrown(fn () => $builder->addFile($wrong)), "\n";
}
echo thrown(fn () => @$builder->addFile('lines://closed')), "\n";
echo thrown(fn () => @$builder->addFile('lines://angry')), "\n";
echo thrown(fn () => @$builder->addFile('nowhere://x')), "\n";
foreach (['throws', 'fails'] as $how) {
    echo thrown(fn () => @$builder->addFile("lines://$how")), "\n";
}
$write_only = fopen(own_file('written'), 'w');
echo thrown(fn () => @$builder->addFile($write_only)), "\n";
$blob = $builder->build();
foreach (['p1', 'd2', 'w1', 'halfw2', 'half', 'm2', 'q2'] as $key) {
    check($blob->mightContain($key), "$key was added");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
int(3)
int(3)
int(2)
int(4)
int(2)
bool(true)
int(9)
int(0)
int(2)
int(2)
int(2)
int(15)
Bloom\BloomException: {segment}.d/missing: cannot be opened: No such file or directory
Bloom\BloomException: {segment}.d: cannot be opened: Is a directory
ValueError: Bloom\Builder::addFile(): Argument #1 ($file) must be a path without null bytes
ValueError: Bloom\Builder::addFile(): Argument #1 ($file) must be a path without null bytes
TypeError: Bloom\Builder::addFile(): supplied resource is not a valid stream resource
TypeError: Bloom\Builder::addFile(): supplied resource is not a valid stream resource
TypeError: Bloom\Builder::addFile(): Argument #1 ($file) must be of type string|resource, null given
TypeError: Bloom\Builder::addFile(): Argument #1 ($file) must be of type string|resource, int given
TypeError: Bloom\Builder::addFile(): Argument #1 ($file) must be of type string|resource, array given
TypeError: Bloom\Builder::addFile(): Argument #1 ($file) must be of type string|resource, stdClass given
TypeError: Bloom\Builder::addFile(): Argument #1 ($file) must be of type string|resource, bool given
Bloom\BloomException: lines://closed: cannot be opened: refused
DomainException: thrown when opened
Bloom\BloomException: nowhere://x: cannot be opened: No such file or directory
DomainException: thrown when read
Bloom\BloomException: lines://fails: The file could not be read completely
Bloom\BloomException: The file could not be read completely
