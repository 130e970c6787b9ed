<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;

/** Prints a script that lets a shell complete the command line. */
final class CompletionCommand extends Command
{
    protected function configure(): void
    {
        $this->setName('completion')
            ->setDescription('Prints a script that completes commands in a shell')
            ->addArgument('shell', InputArgument::REQUIRED, implode(', ', Completion::SHELLS))
            ->setManual(
                <<<'HELP'
                The script lets your shell complete commands, options, their values, file names, and the names of
                filters on this host. The packages install it. If you installed from source, write it yourself:

                  bloom completion bash > /etc/bash_completion.d/bloom
                  bloom completion zsh > /usr/local/share/zsh/site-functions/_bloom
                  bloom completion fish > /etc/fish/completions/bloom.fish
                HELP
            );
    }

    protected function act(InputInterface $input, Report $report, Progress $progress): ExitCode
    {
        $shell = $input->getArgument('shell');
        if (!in_array($shell, Completion::SHELLS, true)) {
            throw Failure::usage("SHELL: \"$shell\" is not one of " . implode(', ', Completion::SHELLS));
        }
        $report->write((new Completion($this->getApplication()))->$shell());
        return ExitCode::Ok;
    }
}
