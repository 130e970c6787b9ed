<?php

declare(strict_types=1);

/** A private php-fpm with one worker, on a Unix socket in a directory. The packages for frameworks use it. */
final class FpmServer
{
    /** @var resource */
    private $process;

    /** @param array<string, string> $environment of the worker */
    public function __construct(private readonly string $directory, array $environment)
    {
        // With one worker, a request starts only after everything that follows the previous response is done.
        $conf = "[global]\nerror_log = $directory/log\npid = $directory/fpm.pid\ndaemonize = no\n[www]\nlisten = {$this->socket()}\n"
            . "pm = static\npm.max_children = 1\ncatch_workers_output = yes\n";
        if (posix_geteuid() === 0) {
            $conf .= "user = root\ngroup = root\n";
        }
        foreach ($environment as $name => $value) {
            $conf .= "env[$name] = \"$value\"\n";
        }
        file_put_contents("$directory/fpm.conf", $conf);
        $command = [
            // It makes a session of its own, so it asks the kernel to end it with the test.
            'setpriv', '--pdeathsig', 'TERM', (string) getenv('BLOOM_FPM'), '-F', '-y', "$directory/fpm.conf",
            '-d', 'extension=' . getenv('BLOOM_EXTENSION'), '-d', 'bloom.path=' . ini_get('bloom.path'),
            ...(posix_geteuid() === 0 ? ['-R'] : []),
        ];
        $output = ['file', "$directory/log", 'a'];
        $process = proc_open($command, [['file', '/dev/null', 'r'], $output, $output], $pipes);
        $this->process = $process ?: throw new RuntimeException('php-fpm does not start');
        $this->waitForSocket();
    }

    public function socket(): string
    {
        return "$this->directory/fpm.sock";
    }

    public function log(): string
    {
        return (string) file_get_contents("$this->directory/log");
    }

    /** Stops the master, which stops its worker. proc_close() waits until it has ended. */
    public function stop(): void
    {
        if (is_resource($this->process)) {
            proc_terminate($this->process);
            proc_close($this->process);
        }
    }

    private function waitForSocket(): void
    {
        $end = time() + 60;
        while (($socket = @stream_socket_client('unix://' . $this->socket())) === false) {
            if (time() > $end || !proc_get_status($this->process)['running']) {
                $this->stop();
                throw new RuntimeException('php-fpm does not start: ' . $this->log());
            }
            usleep(10_000);
        }
        fclose($socket);
    }
}
