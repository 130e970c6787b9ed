# Checks, each of which is a command that passes if its exit status is 0 and cannot run here if it is 77. scripts/test sources
# this file.

# name|short or long|seconds|title|command.
checks() {
	cat <<'END'
psalm|long|120|Psalm finds nothing in the stub, the examples and the packages, and finds planted mistakes|check_api psalm
clang-tidy|long|150|clang-tidy finds nothing|scripts/lint clang-tidy
cppcheck|long|60|cppcheck finds nothing|scripts/lint cppcheck
windows|long|60|config.w32 builds every file, and the extension compiles for Windows|check_windows
instructions|long|60|the hot functions execute no more instructions than recorded|bench/instructions --check
phpstan|long|60|PHPStan finds nothing in the stub, the examples and the packages, and finds planted mistakes|check_api phpstan
intelephense|long|30|Intelephense finds nothing in the stub, the examples and the packages, and finds planted mistakes|check_api intelephense
microsoft|long|1|the code for Microsoft's compiler compiles for x86-64 and ARM64|check_microsoft
format|long|10|every file is formatted|scripts/format --check
release|long|5|scripts/release makes the same archive each time, and only of a finished tree|tests/install/release
vectors|short|3|the golden blobs match their generator|/usr/bin/python3 -B tests/vectors/generate.py --check
arginfo|short|1|the arginfo header matches the stub|scripts/arginfo --check
errors|short|1|the error list matches status.h|scripts/errors --check
reference|short|1|the generated reference matches the code|scripts/reference --check
faults|short|1|each fault has a test that is tagged with it, and each tag belongs to a fault|scripts/faults --check
polyfill|short|1|packages/php has the comments and classes of the stub|scripts/polyfill --check
manifest|short|1|the lists of sources and the package's list of files match the tree|check_manifest
figures|short|1|the figures in documents are those of bench/results, which are up to date|check_figures
layers|short|1|each folder of src includes only itself and the folders before it|scripts/layers
segments|short|1|every PHP test has its own segment|check_segments
END
}

check_api() { # tool
	BUILD_DIR=$build_dir/analysis tests/analysis/run "$1"
}

check_manifest() {
	[ -e .git ] && command -v git >/dev/null || { echo "the list of files comes from git"; return 77; }
	scripts/manifest --check
}

check_figures() {
	"$("$(scripts/php config)" --php-binary)" -n bench/figures.php
}

check_windows() {
	BUILD_DIR=$build_dir/windows tests/windows/run
}

# Each test has its own segment, which is named after the test, so that tests can run at the same time.
check_segments() {
	local file bad=0
	while IFS= read -r file; do
		if grep -q '^bloom.path=' "$file" &&
			! grep -qxF "bloom.path={TMP}/bloom-$(basename "$file" .phpt)" "$file"; then
			echo "$file: bloom.path must be {TMP}/bloom-$(basename "$file" .phpt)"
			bad=1
		fi
	done < <(find tests/[0-9]* examples -name '*.phpt')
	return $bad
}

# clang compiles a header with the code for Microsoft's compiler, for the systems of that compiler. All other files need headers of
# these systems. clang 14 lacks an intrinsic of ARM64, which clang 19 has.
check_microsoft() {
	local target
	command -v clang >/dev/null || { echo "clang is not installed"; return 77; }
	for target in 'x86_64-pc-windows-msvc -mxsave' aarch64-pc-windows-msvc; do
		# shellcheck disable=SC2086
		clang --target=$target -std=c11 -ffreestanding -fsyntax-only -Wall -Wextra -Werror -DBLOOM_MICROSOFT=1 -Isrc -x c - \
			<<-'END' || return 1
			#if !__has_builtin(__prefetch)
			#define __prefetch(address) (void)(address)
			#endif
			#include "filter/atomic.h"
			END
	done
}

add_check() { # test
	local seconds
	IFS='|' read -r _ _ seconds _ < <(checks | grep "^${1#checks/}|")
	add_job compute "$1" 1 "$seconds" run_check "$1"
}

# Fuzz targets and the tests of packages are commands of the same kind.
run_check() { # test
	local test=$1 title=$1 log=$copy/${1//\//-}.log code=0 command
	case $test in
	checks/*) IFS='|' read -r _ _ _ title command < <(checks | grep "^${test#checks/}|") ;;
	tests/fuzz/*) command="run_fuzz $(basename "$test" _fuzz)" ;;
	packages/*) command="run_package $test" ;;
	esac
	# shellcheck disable=SC2086
	$command >"$log" 2>&1 3>&- || code=$?
	case $code in
	0) report pass "$test" ;;
	77) report skip "$test" "$title" "$(tail -n 1 "$log")" ;;
	*) report fail "$test" "$title" "scripts/test${options:+ $options} $test" "$log" ;;
	esac
}

# The quick command runs only the corpora.
run_fuzz() { # target
	BUILD_DIR=$build_dir/fuzz tests/fuzz/run --jobs 1 ${short:+--seconds 0} "$1"
}

# Each package has a script that runs its tests.
run_package() { # directory
	BLOOM_EXTENSION=$copy/modules/bloom.so RUN_TESTS=$copy/modules/run-tests.php PHP_CONFIG=$config "$1/tests/run"
}
