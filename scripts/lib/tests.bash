# Which tests there are, which part each belongs to, and which packages it needs. scripts/test sources this file.
#
# The name of a test is its path without a suffix, such as tests/03_filter/filter_lookup or tests/unit/blob_test. Names that
# begin with checks/ or builds/ are in the tables of checks.bash and suites.bash.

parts=(core php stores tools packages fuzz browser)

list_tests() {
	find tests examples -name '*.phpt' | sed 's/\.phpt$//'
	ls tests/unit/*_test.c tests/fuzz/*_fuzz.c | sed 's/\.c$//'
	ls -d tests/model packages/*/tests/run | sed 's#/tests/run$##'
	checks | cut -d '|' -f 1 | sed 's#^#checks/#'
	builds | cut -d '|' -f 1 | sed 's#^#builds/#'
}

part_of() { # test
	case $1 in
	tests/unit/* | tests/model | builds/unit-*) echo core ;;
	tests/04_store/* | tests/05_sync/* | tests/13_journal/* | tests/fleet/*) echo stores ;;
	tests/15_operators/status_browser) echo browser ;;
	tests/09_docs/* | tests/12_engine/engine_new_* | checks/*) echo tools ;;
	tests/14_packages/* | examples/*/tests/* | packages/*) echo packages ;;
	tests/fuzz/*) echo fuzz ;;
	tests/[0-9][0-9]_* | tests/cli/* | builds/php-*) echo php ;;
	*) echo "scripts/lib/tests.bash: no part has $1" >&2; return 1 ;;
	esac
}

# Succeeds for the tests that scripts/test runs without an argument: those of the default build that are quick and need no
# packages other than the set `check`.
is_short() { # test
	case $1 in
	# These programs only run in builds with the thread sanitizer or for Windows.
	tests/unit/threads_test | tests/unit/windows_test) return 1 ;;
	tests/unit/*) return 0 ;;
	checks/*) checks | grep -q "^${1#checks/}|short|" ;;
	tests/model | builds/* | packages/* | examples/*) return 1 ;;
	*) ! is_long "$1" && ! needs_more "$1" ;;
	esac
}

# The PHP tests that take longer than a few seconds. A line of tests/slow.txt is "tests/FOLDER/NAME.phpt: reason".
declare -A long
while IFS= read -r test; do
	long[${test%.phpt:*}]=yes
done <tests/slow.txt

is_long() { # test
	[ -n "${long[$1]-}" ]
}

# The PHP tests that need more packages than the set `check`. Each begins with a reason to skip it if these are missing.
needs_more() { # test
	case $1 in
	tests/03_filter/filter_locale | tests/09_docs/checks_format | tests/09_docs/checks_lint | tests/cli/completion_zsh | tests/cli/completion_fish) return 0 ;;
	tests/15_operators/metrics_alerts | tests/15_operators/metrics_parsed | tests/15_operators/metrics_prometheus) return 0 ;;
	tests/15_operators/status_browser | tests/15_operators/status_page) return 0 ;;
	*) return 1 ;;
	esac
}

# The set of packages in scripts/install-packages.
packages_of() { # test
	case $1 in
	builds/*) part_of "$1" ;;
	# The quick command skips the corpora if clang is not installed.
	tests/fuzz/*) [ -n "$short" ] || echo fuzz ;;
	examples/mediawiki/*) echo mediawiki ;;
	examples/wordpress/*) echo wordpress ;;
	*) if is_short "$1"; then echo check; else part_of "$1"; fi ;;
	esac
}

# Succeeds if a name that a user gave selects the test: it is the path of the test or of its folder, or a part of the path.
is_named() { # test, names…
	local test=$1 name
	shift
	for name; do
		name=${name#"$root"/} name=${name#./} name=${name%/} name=${name%.phpt} name=${name%.c} name=${name%/run}
		case $test in
		"$name"* | */*"$name"*) return 0 ;;
		esac
	done
	return 1
}
