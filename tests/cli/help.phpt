--TEST--
The help of each command describes the command and its exit codes
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
foreach (['plan', 'build', 'info', 'check', 'sign', 'load', 'publish', 'sync', 'diff', 'rollback', 'pin', 'unpin', 'health', 'list', 'metrics', 'export', 'snapshot', 'restore', 'drop', 'completion'] as $command) {
    $help = $cli->run([$command, '--help']);
    check($help->code === 0 && $help->errors === '', "$command --help");
    check($cli->run(['help', $command])->output === $help->output, "help $command");
    check(str_contains($help->output, "Usage:\n  bloom $command " . ($command === 'completion' ? '<shell>' : '[options]')), "$command: usage");
    foreach (['Usage:', 'Help:', 'Exit codes:', "bloom $command"] as $part) {
        check(str_contains($help->output, $part), "$command: $part");
    }
    check(!preg_match('~</?\w+>(?<!<name>|<blob>|<keys>|<store>|<output>|<names>|<name>|<place>|<version>|<shell>)~', $help->output), "$command: no tags left");
}
echo $cli->run(['--version'])->output === 'bloom ' . phpversion('bloom') . "\n" ? '' : "version\n";
?>
--EXPECT--
Available commands:
  add         Adds keys to the journal of a filter
  build       Builds a blob from key files
  check       Verifies a blob and tests which keys it might contain
  completion  Prints a script that completes commands in a shell
  diff        Shows what a sync of this host would change
  drop        Drops filters on this host
  export      Writes a live filter as a blob
  health      Checks filters: their age, syncs, false positives and files
  help        Display help for a command
  info        Shows a blob, a filter on this host, or the versions of a filter in a store
  list        Lists the filters on this host, or in a store
  load        Loads a blob as a filter on this host
  mark        Prints a mark for the next build: where the journal of a filter ends
  metrics     Prints metrics of all filters on this host, for Prometheus
  pin         Makes hosts serve one version until unpin
  plan        Predicts what a filter will need
  publish     Publishes a blob to a store
  restore     Restores live filters that were saved
  rollback    Makes hosts serve the previous version again
  sign        Signs a blob for a filter name
  snapshot    Saves live filters, to be restored after a reboot
  sync        Loads new versions from a store
  unpin       Ends a pin or a rollback: hosts serve the published version

Exit codes:
    0  success, or the answer is yes
    1  the answer is no: a key is certainly absent, a filter needs attention, versions differ or lack chunks, or there was nothing to drop
    2  health: a filter is not loaded, is critical or is not ready
    3  health: the store could not be read
   64  invalid arguments, options or values
   65  not a valid blob or snapshot; a key file is compressed, in UTF-16, or has a line of more than 1 MiB
   66  a file or the directory of a store is missing or unreadable, there are no keys or no earlier version, or no filter of that name is loaded
   69  the extension, symfony/console, a client for the store, or pcntl is missing
   70  a bug in this command
   71  out of memory, or another error of the operating system
   73  the output cannot be created; the segment is refused, full or over its limit; the filter is of a different kind
   74  a read or write failed midway
   75  temporary: another process holds the lock, or the store failed or does not have the filter
   77  a secret or signing key is missing or refused; a blob is unsigned, wrongly signed or too old
   78  too many keys for the capacity: the false-positive rate is over the limit
  141  the reader of standard output closed it; no message is printed
