# PHP tests, which PHP's run-tests.php runs in a pool of processes. scripts/test sources this file.

# These tests run again with builds by clang: together, their folders use every kind of filter and most of the core.
clang_phpts='tests/(02_blob|03_filter|08_live|10_ondemand|11_secrets)/'
# These run again with each other build. They are quick, and use blobs, lookups and each kind of filter.
quick_phpts=(tests/02_blob/blob_round_trip tests/02_blob/blob_vectors tests/03_filter/filter_lookup tests/03_filter/filter_candidates
	tests/03_filter/filter_ribbon tests/08_live/counting_differential tests/08_live/live_keys tests/08_live/reverse_differential)

# Creates a directory with bloom and all other extensions, because run-tests.php looks for extensions in one directory. The copy
# of run-tests.php gives each process the next test of the list. The original sorts the list and gives a process up to 33 tests
# at once, which others could start.
make_modules() { # directory, bloom.so
	local file lock original
	mkdir "$1"
	exec {lock}>"$build_dir/lock"
	flock "$lock"
	cp "$2" "$1/bloom.so"
	exec {lock}>&-
	# Debian adds a directory that is named after PHP's API, as the directory of extensions is.
	original=$("$config" --extension-dir)
	original=$("$config" --prefix)/lib/php/${original##*[-/]}/build/run-tests.php
	[ -e "$original" ] || original=$("$config" --prefix)/lib/php/build/run-tests.php
	sed -e 's/usort($test_files, "test_sort");//' -e 's/while (count($files) <=* $batchSize/while (!$files/' "$original" >"$1/run-tests.php"
	for file in "$("$config" --extension-dir)"/*.so; do
		[ ! -e "$file" ] || [ "${file##*/}" = bloom.so ] || ln -s "$file" "$1"
	done
}

# Sets the environment of all PHP tests.
prepare_phpts() {
	export NO_INTERACTION=1 REPORT_EXIT_STATUS=1 TEST_PHP_EXECUTABLE=$php TEST_PHP_SRCDIR=$copy
	unset TEST_PHP_ARGS TEST_PHP_USER
	environment=(env)
	# A debug build of PHP is several times slower.
	timeout=300
	[ -z "${PHP_CONFIG:-}" ] || timeout=900
	[ "$variant" = sanitize ] || return 0
	environment+=(USE_ZEND_ALLOC=0 ZEND_DONT_UNLOAD_MODULES=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
		BLOOM_TEST_SANITIZE=1)
	if ldd "$php" | grep libasan >/dev/null; then
		# PHP itself is built with the sanitizers. Its tracking allocator frees memory that remains after a fatal error.
		environment+=(USE_TRACKED_ALLOC=1 ASAN_OPTIONS=detect_leaks=1:verify_asan_link_order=0:allocator_may_return_null=1)
		return
	fi
	# A PHP without sanitizers loads extensions with RTLD_DEEPBIND, which the sanitizers reject.
	gcc -shared -fPIC -O1 -x c -o "$copy/modules/plain-dlopen.so" - <<-'END'
	#define _GNU_SOURCE
	#include <dlfcn.h>
	void *dlopen(const char *file, int flags)
	{
		void *(*next)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
		return next(file, flags & ~RTLD_DEEPBIND);
	}
	END
	local name preload=$copy/modules/plain-dlopen.so
	for name in libasan.so libubsan.so; do
		preload+=:$(readlink -f "$(gcc -print-file-name=$name)")
	done
	# PHP does not free all of its memory when it exits, so leaks are not reported here. The unit tests find leaks in the
	# core.
	environment+=(LD_PRELOAD="$preload"
		ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0:allocator_may_return_null=1)
}

# Prints the tests so that those come first which took longest in an earlier run, because nothing else can run in the place of
# the last ones.
longest_first() { # tests…
	local test
	for test; do
		if is_long "$test"; then echo "$test 60"; else echo "$test 2"; fi
	done | awk 'recorded { seconds[$1] = $2; next } { print $1 in seconds ? seconds[$1] : $2, $1 }' recorded=1 "$durations" recorded=0 - |
		sort -k1,1nr -s | cut -d ' ' -f 2
}

run_phpts() { # job, directory of extensions, options of scripts/test that select the build, tests…
	local job=$1 modules=$2 build=$3 files
	shift 3
	mapfile -t files < <(longest_first "$@")
	{
		cd "$copy"
		code=0
		TEST_PHP_JUNIT=$copy/${job//\//-}.xml "${environment[@]}" "$php" -n "$modules/run-tests.php" -n -q -j"$width" --no-color \
			--no-progress --set-timeout $timeout -g PASS,FAIL,BORK,WARN,LEAK,XFAIL,SKIP \
			-d extension_dir="$modules" -d extension=bloom "${files[@]/%/.phpt}" 2>&1 3>&- || code=$?
		echo "exit status $code"
	} | tee "$copy/${job//\//-}.log" | read_phpts "$job" "$build" $#
}

# A result is a line such as "FAIL A title [tests/03_filter/filter_lookup.phpt] reason: text".
read_phpts() { # job, options of scripts/test, number of tests
	local line kind test results=0
	local kinds='^((PASS|SKIP|FAIL|BORK|WARN|LEAK|XFAIL|XLEAK)[A-Z&]*) .* \[([^]]*)\.phpt\] ?(reason: )?(.*)$'
	while IFS= read -r line; do
		[[ $line =~ $kinds ]] || continue
		results=$((results + 1)) kind=${BASH_REMATCH[1]} test=${BASH_REMATCH[3]}
		case $kind in
		PASS) report pass "$1" ;;
		SKIP) report skip "$1" "$test" "${BASH_REMATCH[5]}" ;;
		*)
			{ echo "$line"; cat "$copy/$test.diff" 2>/dev/null || true; } >"$copy/$test.failure"
			report fail "$1" "$test" "scripts/test${2:+ $2} $test" "$copy/$test.failure"
			;;
		esac
	done
	[ $results -eq "$3" ] || report fail "$1" "$1: run-tests.php ran $results of $3 tests" "scripts/test${2:+ $2}" "$copy/${1//\//-}.log"
}

run_selected_phpts() {
	run_phpts tests/php "$copy/modules" "$options" "${phpts[@]}"
}

run_php_build() { # build
	local title command variant level tests=("${quick_phpts[@]}") build
	IFS='|' read -r _ _ title command < <(builds | grep "^${1#builds/}|")
	read -r _ variant level <<<"$command"
	if [ "$variant" = clang ] && ! command -v clang >/dev/null; then
		report skip "$1" "$title" "clang is not installed"
		return
	fi
	if [ "$level" = 2 ]; then
		mapfile -t tests < <(list_tests | grep -E "^$clang_phpts" | sort)
	fi
	build=$([ "$variant" = plain ] || echo "--$variant ")
	build+=$([ "$level" = 2 ] || echo "--opt $level")
	make_modules "$copy/modules-$variant-$level" "$(scripts/build --opt "$level" "$variant")"
	run_phpts "$1" "$copy/modules-$variant-$level" "${build% }" "${tests[@]}"
}

# Prints how long each PHP test took, as lines "TEST SECONDS 1".
phpt_durations() {
	cat "$copy"/tests-php.xml 2>/dev/null | sed -nE "s/.*<testcase name='([^']*)\.phpt[^']*' time='([0-9.]+)'.*/\1 \2 1/p"
}
