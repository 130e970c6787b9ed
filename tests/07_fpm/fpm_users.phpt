--TEST--
Two pools with different users cannot see each other's filters, neither by default nor by naming the other pool's segment
--DESCRIPTION--
fault: other-user
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/fpm.inc';
require __DIR__ . '/../lib/default_path.inc';
skip_without_fpm();
skip_unless_free('www-data', 'games');
?>
--INI--
bloom.path={TMP}/bloom-fpm_users
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/fpm.inc';
require __DIR__ . '/../lib/default_path.inc';

use_own_shm();
$page = <<<'PHP'
    if ($action === 'load') {
        $builder = new Bloom\Builder(1000);
        $builder->add($body);
        Bloom\Filter::load($body, $builder->build());
    }
    return ['list' => Bloom\Filter::list(), 'find' => Bloom\Filter::find('www_tags') !== null];
    PHP;
$uid = trim(shell_exec('id -u www-data'));
$fpm = new FpmServer(
    ['www' => 'www-data', 'games' => 'games', 'thief' => 'games'],
    $page,
    ['thief' => ['bloom.path' => "/dev/shm/php-bloom-$uid"]]
);
try {
    $fpm->ask('www', 'load', 'www_tags');
    $fpm->ask('games', 'load', 'games_tags');
    foreach (['www', 'games'] as $pool) {
        echo "$pool sees: ", values($fpm->ask_each($pool), 'list'), ', finds: ', values($fpm->ask_each($pool), 'find'), "\n";
    }
    foreach (['', 'load'] as $action) {
        echo 'thief: ', str_replace($uid, '{uid}', $fpm->ask('thief', $action, 'x')['error'] ?? 'allowed'), "\n";
    }
} finally {
    $fpm->stop();
    foreach (['www-data', 'games'] as $user) {
        remove_tree('/dev/shm/php-bloom-' . trim(shell_exec("id -u $user")));
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECTF--
www sees: 4 workers: ["www_tags"], finds: 4 workers: true
games sees: 4 workers: ["games_tags"], finds: 4 workers: false
thief: Bloom\SegmentException: /dev/shm/php-bloom-{uid} (owned by user {uid}; this process is user %d): refused: it belongs to another user (run as that user, or use a path of your own)
thief: Bloom\SegmentException: /dev/shm/php-bloom-{uid} (owned by user {uid}; this process is user %d): refused: it belongs to another user (run as that user, or use a path of your own)
