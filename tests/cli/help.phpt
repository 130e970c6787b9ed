--TEST--
The help describes each command, the exit codes and the stores
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli();
$overview = $cli->run(['--help']);
check($overview->code === 0 && $overview->errors === '', 'overview');
foreach ([[], ['-h']] as $same) {
    check($cli->run($same)->output === $overview->output, 'the same overview');
}
check(str_contains($overview->output, "\nUsage:\n  bloom COMMAND [options] [arguments]\n"), 'how it is called');
echo strstr($overview->output, "Example:");
foreach (['plan', 'completion'] as $command) {
    $help = $cli->run([$command, '--help']);
    check($help->code === 0 && $help->errors === '', "$command --help");
    check($cli->run(['help', $command])->output === $help->output, "help $command");
}
$texts = $cli->help();
check($texts['plan'] === $cli->run(['plan', '--help'])->output && count($texts) > 20, 'the same texts, for all commands');
unset($texts['']);
foreach ($texts as $command => $text) {
    check(str_contains($text, "Usage:\n  bloom $command " . ($command === 'completion' ? 'SHELL' : '[options]')), "$command: usage");
    foreach (['Usage:', 'Options:', 'Help:', "bloom $command"] as $part) {
        check(str_contains($text, $part), "$command: $part");
    }
    check(!preg_match('~</?\w+>|`|\]\(~', $text), "$command: no tags left");
}
foreach (['exit-codes' => '75', 'stores' => 'redis-cluster://'] as $topic => $what) {
    $help = $cli->run(['help', $topic]);
    check($help->code === 0 && $help->errors === '' && str_contains($help->output, $what), "help $topic");
    check(str_contains($overview->output, "bloom help $topic"), "$topic in the overview");
}
echo $cli->run(['--version'])->output === 'bloom ' . phpversion('bloom') . "\n" ? '' : "version\n";
?>
--EXPECT--
Example:
  bloom build tags.bloom tags.txt           a blob from one key per line
  bloom publish tags tags.bloom /srv/bloom  writes it to a store
  bloom sync tags /srv/bloom                on each web host, as the user of its
                                            PHP processes

Usage:
  bloom COMMAND [options] [arguments]
  bloom help COMMAND

Commands:
  add         Adds keys to the journal of a filter
  build       Builds a blob from key files
  check       Verifies a blob, or compares a blob or a served filter with keys
  completion  Prints a script that completes commands in a shell
  diff        Shows what a sync of this host would change
  doctor      Finds out what is wrong, and says what to do
  drop        Drops filters on this host
  export      Writes a live filter as a blob, or a blob as commands for Redis
  get         Prints the values of keys in a map
  health      Checks filters: their age, syncs, false positives and files
  help        Display help for a command
  import      Makes a blob from a filter of RedisBloom, valkey-bloom, valkeyprob
              or Guava
  info        Shows a blob, a filter on this host, or the versions of a filter
              in a store
  list        Lists the filters on this host, or in a store
  load        Loads a blob as a filter on this host
  mark        Prints a mark for the next build: where the journal of a filter
              ends
  metrics     Prints metrics of all filters on this host, for Prometheus
  nightly     Builds, checks and publishes the next version of a filter
  pin         Makes hosts serve one version until unpin
  plan        Predicts what a filter will need
  publish     Publishes a blob to a store
  relay       Moves keys from a database to the journals of filters
  restore     Restores live filters that were saved
  rollback    Makes hosts serve an earlier version again
  sign        Signs a blob for a filter name
  snapshot    Saves live filters, to be restored after a reboot
  sync        Loads new versions from a store
  unpin       Ends a pin or a rollback: hosts serve the published version

Options:
  -h, --help            Show the help of a command
  -q, --quiet           Print only failures
  -v, --verbose         Print the exception and its trace after a failure
  -V, --version         Print the version
  -n, --no-interaction  Accepted, although no command asks questions
  --ansi, --no-ansi     Print colors, or none (default: only on a terminal)

More help:
  bloom help COMMAND     How to use a command
  bloom help stores      How to write STORE
  bloom help exit-codes  What the exit codes mean
