--TEST--
zsh completes commands, options, values, filter names and files
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/completion.inc';
skip_without_shell('zsh');
?>
--FILE--
<?php
require __DIR__ . '/completion.inc';

$cli = completing('zsh', 'functions/_bloom');
// An interactive zsh on a terminal of its own types each line and the tab key. Control-X prints the line that results.
file_put_contents("$cli->directory/complete", <<<'ZSH'
    zmodload zsh/zpty
    for typed; do
        zpty shell "zsh -f -i"
        zpty -w shell "PS1=; PROMPT_EOL_MARK=; fpath=(\$PWD/../functions \$fpath); autoload -U compinit; compinit -u -D
            bindkey '^I' complete-word
            show() { print -r -- \"<\$BUFFER>\"; BUFFER=; zle accept-line }
            zle -N show; bindkey '^X' show; print rea''dy"
        zpty -r -m shell line '*ready*'
        zpty -w -n shell "$typed"$'\t'$'\x18'
        zpty -r -m shell line '*<*>*'
        line=${line##*<}
        print -r -- "$typed: ${line%%>*}"
        zpty -d shell
    done
    ZSH);
echo $cli->shell("TERM=dumb timeout 60 zsh -f ../complete '" . implode("' '", LINES) . "'")->output;
?>
--EXPECT--
bloom bu: bloom build 
bloom build --cap: bloom build --capacity=
bloom build --scheme=ri: bloom build --scheme=ribbon 
bloom health bo: bloom health booth_tags 
bloom build out.bloom key: bloom build out.bloom keys.txt 
