--TEST--
doctor sees why a PHP does not load the extension, which pools and syncs there are, and whose filters they use
--EXTENSIONS--
bloom
posix
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
$root = dirname(__DIR__, 2);
spl_autoload_register(static fn (string $class) => require "$root/packages/cli/src/" . basename(strtr($class, '\\', '/')) . '.php');
use Bloom\Cli\{Finding, Machine, PhpBinary, Pools, StoreAccess};

function show(Finding ...$findings): void
{
    echo implode("\n", Finding::lines($findings, 100)), "\n";
}

/** Writes files below a directory that stands for / */
function root_with(array $files): string
{
    static $count = 0;
    $root = own_file('root' . $count++);
    foreach ($files as $path => $text) {
        @mkdir(dirname("$root/$path"), 0700, true);
        file_put_contents("$root/$path", $text);
    }
    return $root;
}

// What php -i prints, and the warnings of PHP.
$info = fn (string $scan, string $ini = '/etc/php/8.2/fpm/php.ini'): string => "PHP Version => 8.2.29\nConfiguration File (php.ini) Path => /usr/local/lib\n"
    . "Loaded Configuration File => $ini\nScan this dir for additional .ini files => $scan\n\nCore\n\nextension_dir => /lib/php => /lib/php\n";
$tried = "PHP Warning:  PHP Startup: Unable to load dynamic library 'bloom' (tried: /lib/php/bloom (/lib/php/bloom: cannot open shared object file: No such file or directory), "
    . "/lib/php/bloom.so (/lib/php/bloom.so: undefined symbol: zend_x)) in Unknown on line 0\n";
$installed = root_with(['lib/php/bloom.so' => '']);
$available = root_with(['lib/php/bloom.so' => '', 'etc/php/8.2/mods-available/bloom.ini' => '']);
foreach ([
    'not installed' => ['', $info('/etc/php/8.2/cli/conf.d'), null],
    'Debian, without mods-available' => [$installed, $info('/etc/php/8.2/cli/conf.d'), null],
    'Debian' => [$available, $info('/etc/php/8.2/fpm/conf.d'), 'php8.2-fpm'],
    'Docker' => [$installed, $info('/usr/local/etc/php/conf.d', '(none)'), null],
    'Alpine' => [$installed, $info('/etc/php82/conf.d'), null],
    'from source' => [$installed, $info('(none)', '(none)'), null],
    'other version' => [$installed, $info('(none)') . "PHP Warning:  PHP Startup: bloom: Unable to initialize module\nModule compiled with module API=20210902\n", null],
    'no library' => [$installed, $info('(none)') . $tried, null],
    'not the file' => [$installed, $info('(none)') . strtr($tried, ['undefined symbol: zend_x' => 'cannot open shared object file: No such file or directory']), null],
    'other extension' => [$installed, $info('(none)') . strtr($tried, ['bloom' => 'redis']), null],
    'loaded' => ['', $info('(none)') . "bloom\n\nbloom => enabled\nversion => 0.1.0\n\nbloom.path => /run/shop => /run/shop\n", null],
] as $what => [$root, $text, $service]) {
    echo "-- $what\n";
    show(PhpBinary::parse('PHP', $text, $service)->finding($root));
}
echo PhpBinary::parse('PHP', $info('(none)') . "bloom.path => /run/shop => /run/shop\n")->path, PhpBinary::parse('PHP', "bloom.path => no value => no value\n")->path, "\n";

// An installed php-fpm is run.
$root = root_with(['usr/sbin/php-fpm8.2' => "#!/bin/sh\ntest \"$*\" = -i && echo 'PHP Version => 8.2.29' && echo 'bloom => enabled' && echo 'version => 0.1.0'", 'usr/sbin/php-fpm-helper' => '',
    'usr/sbin/php-fpm8.3' => "#!/bin/sh\nexit 1"]);
chmod("$root/usr/sbin/php-fpm8.2", 0700);
chmod("$root/usr/sbin/php-fpm8.3", 0700);
show(...array_map(fn (PhpBinary $php): Finding => $php->finding(), PhpBinary::fpms($root)));

echo "\n-- pools\n";
$uid = (string) posix_geteuid();
$me = Pools::userName((int) $uid);
$process = fn (string $title, string $maps = '', string $uid = '4294967290'): array => ['cmdline' => $title, 'status' => "Name:\tx\nUid:\t0\t$uid\t0\t0\n", 'maps' => $maps];
$files = ['etc/php/8.2/fpm/pool.d/www.conf' => "; user = nobody\n[global]\npid = x\n[www]\nuser = www-data\n;php_admin_value[bloom.path] = /x\n",
    'usr/local/etc/php-fpm.d/shop.conf' => "[shop]\n user=\"\$pool\" ; comment\nphp_admin_value[bloom.path] = \"/run/bloom-shop\"\n[none]\nlisten = x\n"];
foreach ([10 => $process("php-fpm: master process (/etc/php/8.2/fpm/php-fpm.conf)\0\0", "7f00 /usr/lib/php/redis.so\n"), 11 => $process("php-fpm: pool www\0"),
    12 => $process("php-fpm: master process (/usr/local/etc/php-fpm.conf)\0", "7f00 /lib/php/bloom.so (deleted)\n"), 13 => $process("php-fpm: master process (x)\0", "7f00 /lib/php/bloom.so\n"),
    14 => $process("php\0/usr/bin/bloom\0sync\0--every\0" . "1s\0tags\0/srv\0", '', $uid), 15 => $process("php\0/usr/bin/bloom\0sync\0tags\0/srv\0", '', $uid),
    16 => $process("cat\0php-fpm: pool fake\0"), 17 => ['status' => "Uid:\t33\t33\nNSpid:\t17\t1\n"] + $process("php-fpm: pool container\0"),
    18 => ['root/x' => ''] + $process("php-fpm: pool chroot\0")] as $number => $entries) {
    foreach ($entries as $name => $text) {
        $files["proc/$number/$name"] = $text;
    }
}
$root = root_with($files);
foreach (Pools::all($root) as $pool) {
    echo json_encode($pool, JSON_UNESCAPED_SLASHES), "\n";
}
echo json_encode(Pools::outdated($root), JSON_UNESCAPED_SLASHES), "\n", json_encode([Pools::syncing($me, $root), Pools::syncing('nobody else', $root), Pools::all(own_file('nowhere'))]), "\n";

echo "\n-- users\n";
$www = ['pool' => 'www', 'user' => 'www-data', 'path' => ''];
$shop = ['pool' => 'shop', 'user' => 'shop', 'path' => '/run/bloom-shop'];
foreach ([['root', '', []], ['www-data', '', [$shop, $www]], ['root', '', [$www, $shop]], ['me', '', [$shop]], ['shop', '', [$www, $shop]], ['www-data', '/run/x', [$www]]] as [$user, $path, $pools]) {
    show(Machine::users($user, $path, $pools, ['/usr/bin/bloom', 'doctor', 'tags', '/srv/my store']));
}
show(Machine::users('root', '', [$www], ['/opt/bloom/bin/bloom', 'doctor']));

echo "\n-- files of a directory store\n";
$store = root_with(['tags' => '', 'tags:journal' => '', 'tags:lock' => '', 'tags:publisher' => '', 'other:journal' => '']);
foreach ([['tags:lock', 0600], ['tags:publisher', 0600], ['tags:journal', 0600], ['tags:journal', 0640], ['tags:journal', 0644], ['tags', 0600], ['.', 0700]] as [$file, $mode]) {
    foreach (['tags', 'tags:journal', 'tags:lock', 'tags:publisher', 'other:journal'] as $other) {
        chmod("$store/$other", 0666);
    }
    chmod($store, 0755);
    chmod("$store/$file", $mode);
    printf("%s %o\n", $file, $mode);
    foreach (StoreAccess::findings($store, ['nobody']) as $finding) {
        echo str_replace([$store, "of $me"], ['{store}', 'of me'], implode("\n", Finding::lines([$finding], 400))), "\n";
    }
}
chmod("$store/tags:journal", 0666);
echo count(StoreAccess::findings($store, [$me])), " problems of its owner\n";

echo "\n-- room\n";
foreach ([[64 << 20, 64 << 20, null], [64 << 20, 200 << 20, null], [1 << 30, 100, true], [1 << 30, 100, false]] as [$all, $needed, $isDocker]) {
    echo Machine::moreRoom('/proc/self', $all, $needed, $isDocker), "\n";
}

echo "\n-- lines\n";
$findings = [Finding::ok('a', str_repeat('word ', 20)), Finding::warn('b', "one\ntwo", 'remedy ' . str_repeat('x', 100))];
echo implode("\n", Finding::lines($findings, 40)), "\n", implode(' ', array_map([Finding::class, 'exitCode'], [[], [$findings[0]], $findings, [Finding::fail('c', 'd', 'e'), ...$findings]])), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
-- not installed
fail  PHP: the extension is not installed, because there is no /lib/php/bloom.so
        pie install bloom/bloom    # or as docs/install.md describes
-- Debian, without mods-available
fail  PHP: the extension is installed, but php.ini does not load it
        echo extension=bloom > /etc/php/8.2/mods-available/bloom.ini && phpenmod -v 8.2 bloom
-- Debian
fail  PHP: the extension is installed, but php.ini does not load it
        phpenmod -v 8.2 bloom && service php8.2-fpm restart
-- Docker
fail  PHP: the extension is installed, but php.ini does not load it
        docker-php-ext-enable bloom
-- Alpine
fail  PHP: the extension is installed, but php.ini does not load it
        echo extension=bloom > /etc/php82/conf.d/bloom.ini
-- from source
fail  PHP: the extension is installed, but php.ini does not load it
        echo extension=bloom >> /usr/local/lib/php.ini
-- other version
fail  PHP: /lib/php/bloom.so cannot be loaded: it was built for another version of PHP
        pie install bloom/bloom    # or as docs/install.md describes
-- no library
fail  PHP: /lib/php/bloom.so cannot be loaded: undefined symbol: zend_x
        pie install bloom/bloom    # or as docs/install.md describes
-- not the file
fail  PHP: the extension is installed, but php.ini does not load it
        echo extension=bloom >> /etc/php/8.2/fpm/php.ini
-- other extension
fail  PHP: the extension is installed, but php.ini does not load it
        echo extension=bloom >> /etc/php/8.2/fpm/php.ini
-- loaded
ok    PHP: loads the extension 0.1.0
/run/shop
ok    PHP-FPM 8.2: loads the extension 0.1.0

-- pools
{"pool":"www","user":"www-data","path":null}
{"pool":"shop","user":"shop","path":"/run/bloom-shop"}
{"pool":"www","user":"4294967290","path":null}
{"10":["was started before the extension was enabled","service php8.2-fpm restart"],"12":["still uses the file of the extension that was replaced","kill -USR2 12"]}
[14,null,[]]

-- users
ok    user: root; no pool of PHP-FPM was found
ok    user: www-data, like the pool www of PHP-FPM
warn  user: you are root, but the pool www of PHP-FPM runs as www-data, and each user has separate
      filters
        runuser -u www-data -- bloom doctor tags '/srv/my store'
warn  user: you are me, but the pool shop of PHP-FPM runs as shop, and each user has separate
      filters
        sudo -u shop -- php -d bloom.path=/run/bloom-shop /usr/bin/bloom doctor tags '/srv/my store'
warn  user: the pool shop of PHP-FPM has its filters in /run/bloom-shop, but this command looks in
      the default place
        php -d bloom.path=/run/bloom-shop /usr/bin/bloom doctor tags '/srv/my store'
warn  user: the pool www of PHP-FPM has its filters in the default place, but this command looks in
      /run/x
        php -d bloom.path= /usr/bin/bloom doctor tags '/srv/my store'
warn  user: you are root, but the pool www of PHP-FPM runs as www-data, and each user has separate
      filters
        runuser -u www-data -- /opt/bloom/bin/bloom doctor

-- files of a directory store
tags:lock 600
tags:publisher 600
tags:journal 600
fail  store: nobody cannot read tags:journal (of me, mode 0600)
        chown nobody '{store}/tags:journal'    # as root
tags:journal 640
fail  store: nobody cannot read tags:journal (of me, mode 0640)
        chown nobody '{store}/tags:journal'    # as root
tags:journal 644
warn  store: nobody cannot add keys to tags:journal (of me, mode 0644)
        chown nobody '{store}/tags:journal'    # as root
tags 600
fail  store: nobody cannot read tags (of me, mode 0600)
        chown -R nobody '{store}'    # as root; then always publish as nobody
. 700
fail  store: nobody cannot open {store}
        chown -R nobody '{store}'    # as root; then always publish as nobody
0 problems of its owner

-- room
docker run --shm-size=256m ...
docker run --shm-size=512m ...
docker run --shm-size=2048m ...
mount -o remount,size=2048M /proc    # as root

-- lines
ok    a: word word word word word word
      word word word word word word word
      word word word word word word word
warn  b: one two
        remedy xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
0 0 1 2
