--TEST--
Each command's help explains it, with its exit codes
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
echo strstr($overview->output, 'Available commands:');
foreach (['plan', 'build', 'info', 'check', 'sign', 'load', 'publish', 'sync', 'health', 'list', 'export', 'drop'] as $command) {
    $help = $cli->run([$command, '--help']);
    check($help->code === 0 && $help->errors === '', "$command --help");
    check($cli->run(['help', $command])->output === $help->output, "help $command");
    check(str_contains($help->output, "Usage:\n  bloom $command [options]"), "$command: usage");
    foreach (['Usage:', 'Help:', 'Exit codes:', "bloom $command"] as $part) {
        check(str_contains($help->output, $part), "$command: $part");
    }
    check(!preg_match('~</?\w+>(?<!<name>|<blob>|<keys>|<store>|<output>|<names>|<name>)~', $help->output), "$command: no tags left");
}
echo $cli->run(['--version'])->output === 'bloom ' . phpversion('bloom') . "\n" ? '' : "version\n";
?>
--EXPECT--
Available commands:
  build    Builds a blob from files of keys
  check    Verifies a blob, and tells which keys it might contain
  drop     Drops filters of this host
  export   Writes a live filter as a blob
  health   Tells whether filters are loaded and their syncs succeed
  help     Display help for a command
  info     Shows a blob, or a filter of this host
  list     Lists the filters of this host
  load     Makes a blob the filter of that name on this host
  plan     Tells what a filter will need, before there are keys
  publish  Puts a blob into a store, under a name
  sign     Signs a blob for a filter name
  sync     Loads what a store has published, if it is another version

Exit codes:
    0  done, or the answer is yes
    1  the answer is no: a key is certainly absent, a filter is not healthy, or there was none to drop
   64  wrong arguments, options or values
   65  not a valid blob
   66  a file is not there, may not be read or has no keys, or no filter of that name is loaded
   69  the extension, symfony/console, a client for the store or pcntl is missing
   70  a bug in this command
   71  out of memory, or the operating system refused something else
   73  the output cannot be created; the segment is refused, full or over its limit; the name is of another kind
   74  reading or writing failed half-way
   75  for now: another process holds the lock, or the store failed or lacks it
   77  a secret or signing key is not here or refused, or a blob is not rightly signed, or older
   78  too many keys for the capacity: the false-positive rate is over the limit
  141  whoever read standard output closed it; nothing is said
