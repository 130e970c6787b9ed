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
            ->addArgument('store', InputArgument::REQUIRED, 'A directory or URL')
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
                An application writes keys into the table in the transaction of their rows, with Bloom\Kit\PdoOutbox or a
                trigger, and so does not depend on the store. Until the command has moved a key, every host denies it.

                  <info>bloom relay --every 1s 'mysql:host=db.example;dbname=shop' redis://cache.example:6379</info>
                  <info>bloom relay sqlite:/srv/app/shop.db /srv/bloom</info>

                The user and the password of the database are in the environment variables BLOOM_DATABASE_USER and
                BLOOM_DATABASE_PASSWORD. The user needs the rights to SELECT and DELETE.

                The command deletes a row after its key is in the journal. If it is killed before that, the next one adds
                the key again, which does no harm. You can run the command on several hosts at the same time.

                If the store does not have a filter, or a key does not fit its journal, the rows stay in the table, and the
                keys of all other filters are still moved. The exit code is then 75 if all failures are temporary, otherwise
                the highest of the other codes.

                With --every, the command keeps running. It prints a failure once, and again when the reason changes or the
                failure is over. SIGTERM and SIGINT end the command with exit code 0; SIGHUP ends a wait.


                HELP . PublishCommand::STORES,
                [ExitCode::NoInput, ExitCode::CannotCreate, ExitCode::TryAgain, ExitCode::Secret]
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
