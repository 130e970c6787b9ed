<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** Moves keys from an outbox in a database to journals in a store. */
final class RelayCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('relay')
            ->setDescription('Moves keys from a database to the journals of filters')
            ->addArgument('dsn', InputArgument::REQUIRED, 'The database: a DSN of PDO that begins with mysql:, pgsql: or sqlite:')
            ->addStore()
            ->addOption(
                'every',
                null,
                InputOption::VALUE_REQUIRED,
                'Keep running and look for new keys at this interval: 1s, 5m, or seconds'
            )
            ->addOption('table', null, InputOption::VALUE_REQUIRED, 'The table, optionally with its schema', 'bloom_outbox')
            ->addTimeout()
            ->addFormat()
            ->setManual(
                <<<'HELP'
                The command moves keys from an outbox, a table of your database, to the journals of their filters. Your
                application writes a key into the table in the transaction of its row, with `Bloom\Kit\PdoOutbox` or a
                trigger, so its writes do not depend on the store. In return, every host denies a key until the command has
                moved it and the host has synced. No host notices if the command does not run, so you should run it on two
                hosts, which does no harm, and raise an alarm if the table still has rows after a minute.

                  bloom relay --every 1s 'mysql:host=db.example;dbname=shop' redis://cache.example:6379
                  bloom relay sqlite:/srv/app/shop.db /srv/bloom

                DSN is a [DSN of PDO](https://www.php.net/manual/en/pdo.drivers.php) for MySQL, MariaDB, PostgreSQL or
                SQLite. A password in it is refused, because other users can read the arguments of a process. Put the user
                and the password into the environment variables `BLOOM_DATABASE_USER` and `BLOOM_DATABASE_PASSWORD`. The
                user needs the rights to SELECT and DELETE. Use one table for each store.

                A row is deleted once its key is in the journal. If the command is killed before that, the key is added
                again, which does no harm. If the store fails or does not have a filter, or if a key does not fit its
                journal, the rows stay, and the keys of all other filters are still moved. To correct a misspelled filter,
                update the column `filter_name`.

                With `--every`, the command keeps running, as in the unit
                [bloom-relay.service](examples/bloom-relay.service). It prints a line when a filter or the database begins
                to fail or recovers. SIGTERM and SIGINT end it with exit code 0, and SIGHUP ends a wait. Without the PHP
                extension `pcntl`, a signal kills it at once.

                With `--format=json`, the fields are `moved` (the number of keys) and `failures` (a message for each
                filter). With `--every`, each recovery is an object with `event` (`recovered`) and `filter` (null for the
                database).
                HELP,
                [
                    75 => 'all failures are temporary; otherwise the highest of the other codes',
                ]
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        [$dsn, $url] = [$input->getArgument('dsn'), $input->getArgument('store')];
        if (!Database::isDsn($dsn) && Database::isDsn($url)) {
            [$dsn, $url] = [$url, $dsn];
        }
        $every = Values::duration($input, 'every');
        $timeout = Timeout::of($input);
        $table = (string) Values::text($input, 'table');
        if (preg_match('/^\w+(?:\.\w+)?$/D', $table) !== 1) {
            throw Failure::usage("--table: \"$table\" is not the name of a table such as bloom_outbox or app.bloom_outbox");
        }
        $relay = new Relay(Database::parse($dsn), $table, new LazyStore(StoreUrl::parse($url), $timeout), $timeout);
        if ($every !== null) {
            (new RelayLoop($relay, $every, $report, new SignalQueue()))->run();
            return ExitCode::Ok;
        }
        [$moved, $failures] = $relay->run(static fn (): bool => false);
        foreach ($failures as $failure) {
            $report->failure("bloom: {$failure->getMessage()}");
        }
        $failed = array_map(static fn (Failure $failure): string => $failure->getMessage(), $failures);
        $report->result(
            ['moved' => $moved, 'failures' => (object) $failed],
            static fn (): array => [Text::counted($moved, 'key') . ' moved']
        );
        return ExitCode::worst(array_values(array_map(static fn (Failure $failure): ExitCode => $failure->exitCode, $failures)));
    }
}
