<?php

namespace Bloom\Cli;

use Symfony\Component\Console\Application as Console;
use Symfony\Component\Console\Input\InputOption;

/**
 * Writes the completion scripts of shells from the definitions of the commands. symfony/console 5.4
 * can do so only for bash, and its scripts start PHP for every word.
 */
final class Completion
{
    public const SHELLS = ['bash', 'zsh', 'fish'];

    /** The values of options that have a fixed set of them. */
    private const VALUES = ['format' => 'text json', 'log-format' => 'text json', 'scheme' => 'bloom ribbon auto redisbloom valkeyprob',
        'from' => 'redisbloom valkey-bloom valkeyprob rueidisprob guava', 'to' => 'redis', 'on-duplicate' => 'refuse last'];

    /** Prints the names of the filters on this host: the first column of the list, without its heading. */
    private const NAMES = 'bloom list 2>/dev/null | tail -n +2 | cut -d " " -f 1';

    /** @var array<string, array{description: string, options: array<string, InputOption>}> */
    private array $commands = [];

    public function __construct(Console $application)
    {
        $common = $application->getDefinition()->getOptions();
        foreach ($application->all() as $name => $command) {
            if (!$command->isHidden()) {
                $this->commands[$name] = [
                    'description' => $command->getDescription(),
                    'options' => $command->getNativeDefinition()->getOptions() + $common,
                ];
            }
        }
        ksort($this->commands);
    }

    public function bash(): string
    {
        $cases = '';
        foreach ($this->commands as $name => $command) {
            $options = array_map(
                static fn (InputOption $option): string => "--{$option->getName()}" . ($option->isValueRequired() ? '=' : ''),
                $command['options']
            );
            $cases .= "\t$name) options='" . implode(' ', $options) . "' ;;\n";
        }
        $values = '';
        foreach (self::VALUES as $option => $words) {
            $values .= "\t--$option) COMPREPLY=(\$(compgen -W '$words' -- \"\$word\")); return ;;\n";
        }
        return "# Completes bloom in bash. Printed by: bloom completion bash\n_bloom()\n{\n" . <<<'BASH'
            	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= options= i
            	# bash splits --format=json into three words.
            	if [ "$word" = = ]; then
            		word=
            	elif [ "$before" = = ]; then
            		before=${COMP_WORDS[COMP_CWORD-2]}
            	fi
            	for ((i = 1; i < COMP_CWORD; i++)); do
            		case ${COMP_WORDS[i]} in
            		-*) ;;
            		*) command=${COMP_WORDS[i]}; break ;;
            		esac
            	done
            	case $command in

            BASH . "\t'') options='" . implode(' ', array_keys($this->commands)) . " --help --version' ;;\n$cases\tesac\n"
            . "\tcase \$before in\n$values\tesac\n" . <<<'BASH'
            	if [ -z "$command" ] || [[ $word == -* ]]; then
            		COMPREPLY=($(compgen -W "$options" -- "$word"))
            		[[ ${COMPREPLY-} != *= ]] || compopt -o nospace
            		return
            	fi
            	compopt -o filenames

            BASH . "\tCOMPREPLY=(\$(compgen -f -- \"\$word\") \$(compgen -W \"\$(" . self::NAMES . ")\" -- \"\$word\"))\n}\n"
            . "complete -F _bloom bloom\n";
    }

    public function zsh(): string
    {
        $commands = $cases = '';
        foreach ($this->commands as $name => $command) {
            $commands .= "\t\t" . self::quote("$name:{$command['description']}") . "\n";
            $cases .= "\t$name)\n\t\toptions=(\n";
            foreach ($command['options'] as $option) {
                $description = strtr($option->getDescription(), ['[' => '(', ']' => ')', ':' => '\:']);
                $value = self::VALUES[$option->getName()] ?? null;
                $cases .= "\t\t\t" . self::quote("--{$option->getName()}" . ($option->isValueRequired() ? '=' : '')
                    . "[$description]" . ($option->isValueRequired() ? ':value:' . ($value === null ? '_files' : "($value)") : '')) . "\n";
            }
            $cases .= "\t\t) ;;\n";
        }
        return "#compdef bloom\n# Completes bloom in zsh. Printed by: bloom completion zsh\n"
            . "_bloom_words()\n{\n\tlocal -a filters\n\tfilters=(\${(f)\"\$(" . self::NAMES . ")\"})\n"
            . "\tcompadd -a filters\n\t_files\n}\n"
            . "_bloom()\n{\n\tlocal -a commands options\n\tif ((CURRENT == 2)); then\n\t\tcommands=(\n"
            . preg_replace('/^/m', "\t", rtrim($commands)) . "\n\t\t)\n\t\t_describe command commands\n\t\treturn\n\tfi\n"
            . "\tcase \$words[2] in\n$cases\tesac\n\t((CURRENT--))\n\tshift words\n"
            . "\t_arguments \$options '*:name or file:_bloom_words'\n}\n_bloom \"\$@\"\n";
    }

    public function fish(): string
    {
        $script = "# Completes bloom in fish. Printed by: bloom completion fish\ncomplete -c bloom -n __fish_use_subcommand -f\n";
        foreach ($this->commands as $name => $command) {
            $script .= "complete -c bloom -n __fish_use_subcommand -a $name -d " . self::quote($command['description']) . "\n";
            $if = "complete -c bloom -n '__fish_seen_subcommand_from $name' ";
            foreach ($command['options'] as $option) {
                $value = self::VALUES[$option->getName()] ?? null;
                $script .= "$if-l {$option->getName()} -d " . self::quote($option->getDescription())
                    . ($option->isValueRequired() ? ($value === null ? ' -r' : ' -x -a ' . self::quote($value)) : '') . "\n";
            }
            $script .= "$if-a " . self::quote('(' . self::NAMES . ')') . "\n";
        }
        return $script;
    }

    /** Quotes a word for zsh and fish. They escape an apostrophe differently, so it becomes a typographic one. */
    private static function quote(string $word): string
    {
        return "'" . str_replace("'", '’', $word) . "'";
    }
}
