<?php

namespace Bloom\Cli;

/** What `bloom help` explains besides the commands. */
enum HelpTopic: string
{
    case ExitCodes = 'exit-codes';
    case Stores = 'stores';

    private const STORES = <<<'HELP'
        Hosts get their filters from a store. You pass it to commands as a directory or a URL:

        - `/srv/bloom`, `./path`, `dir:path`, `file:///path` :: an existing directory. Write `dir:` before a name
          that contains a colon, and before one without a slash if it could be the name of a filter. On Windows,
          `C:\path` is a directory as well.
        - `redis://host:port` :: a Redis or Valkey server. The port is 6379 unless you give another one.
        - `rediss://host:port` :: the same over TLS.
        - `redis:///path/to/socket`, `unix:///path/to/socket` :: the same over a Unix socket.
        - `redis-cluster://host:port,host:port` :: a Redis Cluster. It is enough if one of these servers responds.
        - `memcached://host:port`, `memcached:///path/to/socket` :: a Memcached server. The port is 11211 unless you
          give another one.

        Every URL of a server accepts `?prefix=TEXT`, which comes before the names of its keys and is `bloom:` by
        default, and a single Redis server also accepts `?db=NUMBER` or `/NUMBER`. Percent-encode `/`, `?` and `@`
        in a password, and put an IPv6 address into brackets, as in `redis://[2001:db8::7]:6379`.

        A Redis URL may have `user:password@` or `:password@` before the host. However, other users can read the
        arguments of a process, so you should put the password into the environment variable `REDISCLI_AUTH`. If
        that is set, the command uses it for a URL without a password, and `user@` is the name of the user. Without
        it, a text before the `@` that has no colon is the password. `user:@` always needs the variable.

        The command talks to Redis through the PHP extension `redis` if that is loaded, and otherwise through
        Predis. Memcached needs the extension `memcached`. Client certificates, a cluster over TLS and several
        Memcached servers need [a few lines of PHP](docs/stores.md#tls-and-acl).
        HELP;

    private const EXIT_CODES = <<<'HELP'
        The exit code tells a script what happened. Codes from 64 are those of `sysexits.h`, so 75 means that you
        should try again later. The help of a command says what its codes mean if they mean more than this:
        HELP;

    public function text(): string
    {
        return match ($this) {
            self::Stores => self::STORES,
            self::ExitCodes => self::EXIT_CODES . "\n\n" . implode("\n", array_map(
                static fn (ExitCode $code): string => "- $code->value :: {$code->meaning()}",
                ExitCode::cases()
            )) . "\n\nIf a signal ends the command, the exit code is the shell's usual one, such as 130 for SIGINT and 143 for SIGTERM.",
        };
    }

    /** @return array<string, string> */
    public static function descriptions(): array
    {
        return [
            'bloom help COMMAND' => 'How to use a command',
            'bloom help stores' => 'How to write STORE',
            'bloom help exit-codes' => 'What the exit codes mean',
        ];
    }
}
