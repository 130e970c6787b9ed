--TEST--
bash completes commands, options, values, filter names and files
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/completion.inc';
skip_without_shell('bash');
?>
--FILE--
<?php
require __DIR__ . '/completion.inc';

$cli = completing('bash', 'completion.bash');
file_put_contents("$cli->directory/complete", <<<'BASH'
    . "$(dirname "$0")/completion.bash"
    compopt() { :; } # works only while readline completes a line
    for line; do
        # readline splits words at "=", too.
        read -ra COMP_WORDS <<< "${line//=/ = }"
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
        _bloom
        echo "$line: ${COMPREPLY[*]}"
    done
    BASH);
echo $cli->shell("bash ../complete '" . implode("' '", LINES) . "' 'bloom list --format='")->output;
$cli->show(['completion', 'tcsh']);
?>
--EXPECT--
bloom bu: build
bloom build --cap: --capacity=
bloom build --scheme=ri: ribbon
bloom health bo: booth_tags
bloom build out.bloom key: keys.txt
bloom list --format=: text json
$ bloom completion tcsh
bloom: SHELL: "tcsh" is not one of bash, zsh, fish
exit 64
