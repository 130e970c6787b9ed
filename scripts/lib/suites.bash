# Suites of the core, each of which is a command that prints TAP and uses one processor: the unit tests in several builds, and
# the models of the protocols. The exit status of a suite is 77 if it cannot run here. scripts/test sources this file.

# Builds use optimization level 2. With other levels and with musl, only these unit tests run, which take a few seconds and
# execute most of the core's arithmetic. Rows of scripts/matrix such as gcc-O0 run everything.
quick_units='compiler_test status_test digest_test blob_test head_test interop_test probe_test ribbon_test ribbon_layout_test'
quick_units+=' reverse_test reverse_blob_test reverse_rate_test counter_test counting_test'

# Other builds than the one under test: name|seconds|title|command. run_phpts runs the PHP tests.
# Without libsodium, the core refuses keyed and signed blobs, and everything else works. Without SIMD, it runs the code for
# processors that have no vector implementation. With POSIX, its locks, growing mappings and allocation differ.
builds() {
	cat <<END
unit-clang|240|the core, built with clang|CC=clang tests/unit/run --plain
unit-valgrind|60|the core's tests of golden blobs, under valgrind|tests/unit/run --vectors --valgrind
unit-s390x|60|the core's tests of golden blobs, big-endian, in qemu|tests/unit/run --vectors --target s390x
unit-aarch64|60|the core's tests of golden blobs, on a 64-bit ARM, in qemu|tests/unit/run --vectors --target aarch64
unit-i686|30|the core's tests of golden blobs, with 32 bits|tests/unit/run --vectors --target i686
unit-posix|60|the core, without Linux's own system calls|POSIX=yes tests/unit/run --plain counting_test scalable_test stress_test live_test refusal_test status_test process_test journal_test memory_limit_test
unit-microsoft|30|the core, with the code for Microsoft's compiler|MICROSOFT=yes tests/unit/run --plain compiler_test probe_test ribbon_test measure_test reverse_test blob_test live_test
unit-sodium|15|the core, without libsodium|SODIUM=no tests/unit/run --plain secret_test status_test blob_test head_test interop_test
unit-simd|30|the core, without vector instructions|SIMD=no tests/unit/run --plain probe_test ribbon_test ribbon_layout_test blob_test head_test interop_test
unit-gcc-O0|30|the core, built with gcc -O0|CC=gcc tests/unit/run --opt 0 $quick_units
unit-clang-O0|30|the core, built with clang -O0|CC=clang tests/unit/run --opt 0 $quick_units
unit-gcc-O3-lto|40|the core, built with gcc -O3, optimized at link time|CC=gcc tests/unit/run --opt 3-lto $quick_units
unit-clang-O3-lto|40|the core, built with clang -O3, optimized at link time|CC=clang tests/unit/run --opt 3-lto $quick_units
unit-musl|30|the core, with musl|tests/unit/run --target musl $quick_units
php-clang|60|PHP tests, built with clang|run_phpts clang 2
php-gcc-O0|20|PHP tests, built with gcc -O0|run_phpts plain 0
php-clang-O0|20|PHP tests, built with clang -O0|run_phpts clang 0
php-gcc-O3-lto|20|PHP tests, built with gcc -O3, optimized at link time|run_phpts plain 3-lto
php-clang-O3-lto|20|PHP tests, built with clang -O3, optimized at link time|run_phpts clang 3-lto
END
}

declare -A suite_commands

# The command is for the shell. The results are an estimate of their number.
add_suite() { # name, results, seconds, command
	suite_commands[$1]=$4
	add_job compute "$1" "$2" "$3" run_suite "$1"
}

add_build() { # build
	local seconds command
	IFS='|' read -r _ seconds _ command < <(builds | grep "^${1#builds/}|")
	case $1 in
	builds/unit-*) add_suite "$1" "$seconds" "$seconds" "$command" ;;
	builds/php-*) add_job php "$1" 50 "$seconds" run_php_build "$1" ;;
	esac
}

# The unit tests of the build under test are several suites, which run at the same time.
add_units() { # unit tests…
	local count
	[ $# -gt 0 ] || return 0
	count=$(cat "${@/%/.c}" | grep -c '^	*TEST')
	set -- "${@#tests/unit/}"
	if [ -n "$short" ]; then
		add_suite tests/unit-quick "$count" 120 "BLOOM_TEST_SLOW=1 tests/unit/run --plain $*"
	elif [ "$opt" != 2 ]; then
		add_suite tests/unit-plain "$count" 300 "tests/unit/run --opt $opt $*"
	else
		add_suite tests/unit-sanitize "$count" 400 "tests/unit/run --sanitize $*"
		add_suite tests/unit-plain "$count" 400 "tests/unit/run --plain $*"
		[[ " $* " != *" threads_test "* ]] || add_suite tests/unit-threads 3 60 "tests/unit/run --threads threads_test"
	fi
}

# Prints the command that runs only one file of a suite.
command_of() { # suite, file
	case $1 in
	builds/*) printf '%s %s\n' "$(sed 's/ [a-z_]*_test.*//' <<<"${suite_commands[$1]}")" "$2" ;;
	tests/unit-*) echo "scripts/test${options:+ $options} tests/unit${2:+/$2}" ;;
	*) echo "scripts/test $1" ;;
	esac
}

run_suite() { # name
	export BUILD_DIR=$build_dir/unit
	{
		code=0
		eval "${suite_commands[$1]}" 2>&1 3>&- || code=$?
		echo "exit status $code"
	} | read_tap "$1"
}

# Reports the failed test of read_tap(), whose variables it uses.
report_failure() {
	if [ -n "$failure" ]; then
		bad=$((bad + 1))
		printf '%s\n' "$output" >"$copy/${suite//\//-}.$bad"
		report fail "$suite" "$suite: ${file:+$file: }$failure" "$(command_of "$suite" "$file")" "$copy/${suite//\//-}.$bad"
	fi
	failure='' output=''
}

# The output of a failed test stands before and after its line, so a failure is reported when the next result comes.
read_tap() { # suite
	local suite=$1 line file='' failure='' output='' bad=0
	while IFS= read -r line; do
		case $line in
		'ok '*' # SKIP '*)
			report_failure
			line=${line#ok *- }
			report skip "$suite" "$suite: $file: ${line%% # SKIP *}" "${line##* # SKIP }"
			;;
		'ok '*)
			report_failure
			report pass "$suite"
			;;
		'not ok '*)
			[ -z "$failure" ] || report_failure
			failure=${line#not ok * - }
			;;
		'# '*_test' ('*)
			report_failure
			file=${line#\# } file=${file%% *}
			;;
		'exit status 0') report_failure ;;
		'exit status 77') report skip "$suite" "$suite" "$(tail -n 1 <<<"${output%$'\n'}")" ;;
		'exit status '*)
			[ -z "$failure" ] || report_failure
			[ $bad -gt 0 ] || { failure=$line; report_failure; }
			;;
		'1..'*) ;;
		*) output+=$line$'\n' ;;
		esac
	done
}
