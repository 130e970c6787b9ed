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
                Uses the first key in the file that bloom.signing_key_file specifies. Hosts with that setting refuse
                unsigned blobs and blobs that were signed for a different name.

                  <info>bloom sign booth_tags tags.bloom</info>
                  <info>php -d bloom.signing_key_file=/etc/bloom/signing-keys "$(command -v bloom)" sign booth_tags tags.bloom</info>

                The output is written to a temporary file and renamed, so it is complete or not written at all.
                HELP,
                [ExitCode::Data, ExitCode::NoInput, ExitCode::CannotCreate, ExitCode::Secret]
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
