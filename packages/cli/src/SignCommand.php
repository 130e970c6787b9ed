<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;

/** Signs a blob. */
final class SignCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('sign')
            ->setDescription('Signs a blob for a filter name')
            ->addArgument('name', InputArgument::REQUIRED, 'The only filter name for which the blob will load: 1 to 128 characters of A-Z a-z 0-9 . _ -')
            ->addArgument('blob', InputArgument::REQUIRED, 'A blob; - is standard input')
            ->addArgument('output', InputArgument::OPTIONAL, 'The signed blob; - is standard output (default: replaces BLOB)')
            ->addFormat()
            ->addProgress()
            ->setManual(
                <<<'HELP'
                The command uses the first key in the file that `bloom.signing_key_file` specifies. Hosts with that setting
                refuse blobs without a [signature](docs/security.md#signatures), and blobs that were signed for another
                name. Without OUTPUT, the signed blob replaces BLOB:

                  bloom sign booth_tags tags.bloom
                  php -d bloom.signing_key_file=/etc/bloom/signing-keys /usr/bin/bloom sign booth_tags tags.bloom

                `bloom info` shows the fingerprint of the key, although it does not verify the signature.

                With `--format=json`, the fields are `name`, `output` and those of `Blob::info()`.
                HELP
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $name = $input->getArgument('name');
        $path = $input->getArgument('blob');
        Arguments::checkBlob($name, $path, $this);
        $output = $input->getArgument('output') ?? $path;
        if ($output === '-' && $report->isJson) {
            throw Failure::usage('standard output cannot contain both the blob and the output of --format=json');
        }
        $blob = Blobs::read($path, $progress);
        Blobs::checkOutput($output, $report->stdout);
        $blob = $blob->sign($name);
        Blobs::write($blob, $output, $report->stdout);
        if ($output !== '-') {
            $info = $blob->info();
            $report->result(['name' => $name, 'output' => $output] + $info->jsonSerialize(), static fn (): array => [
                Text::line($output) . ": signed for $name by {$info->signedBy}",
            ]);
        }
        return ExitCode::Ok;
    }
}
