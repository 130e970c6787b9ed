# Functions of the installation tests, which print one sentence for each check.

export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
passed=0 failed=0

# Runs a test: its sentence, and the command that must succeed. The output is shown only if the command fails.
must() {
	local output
	if output=$("${@:2}" 2>&1); then
		echo "ok   $1"
		passed=$((passed + 1))
	else
		printf 'FAIL %s: %s\n%s\n' "$1" "${*:2}" "$output"
		failed=$((failed + 1))
	fi
}

fails() { ! "$@"; }

# Prints the result and ends the script.
finish() {
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ]
	exit
}
