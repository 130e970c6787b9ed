<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;

/** Blob → signed blob. */
final class SignCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('sign')
            ->setDescription('Signs a blob for a filter name')
            ->addArgument('name', InputArgument::REQUIRED, 'The filter that it may be loaded as: 1 to 128 of A-Z a-z 0-9 . _ -')
            ->addArgument('blob', InputArgument::REQUIRED, 'A blob; - for standard input')
            ->addArgument('output', InputArgument::OPTIONAL, 'The signed blob; - for standard output (default: in place of the blob)')
            ->addFormat()
            ->addProgress()
            ->setManual(
                <<<'HELP'
                The key is the first of the file that the setting bloom.signing_key_file names. Hosts with that setting
                load nothing else, nor under another name.

                  <info>bloom sign booth_tags tags.bloom</info>
                  <info>php -d bloom.signing_key_file=/etc/bloom/signing-keys bin/bloom sign booth_tags tags.bloom</info>

                The file is written beside its place and renamed: it is there as a whole or not at all.
                HELP,
                [ExitCode::Data, ExitCode::NoInput, ExitCode::CannotCreate, ExitCode::Secret]
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $name = $input->getArgument('name');
        $path = $input->getArgument('blob');
        $output = $input->getArgument('output') ?? $path;
        if ($output === '-' && $report->isJson) {
            throw Failure::usage('standard output cannot take both the blob and --format=json');
        }
        $blob = Blobs::read($path, $progress);
        Blobs::checkOutput($output, $report->stdout);
        $blob = $blob->sign($name);
        Blobs::write($blob, $output, $report->stdout);
        if ($output !== '-') {
            $info = $blob->info();
            $report->result(['name' => $name, 'output' => $output] + $info, static fn (): array => [
                Text::line($output) . ": signed for $name by {$info['signedBy']}",
            ]);
        }
        return ExitCode::Ok;
    }
}
