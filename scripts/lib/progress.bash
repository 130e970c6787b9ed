# Reads the results of jobs, prints failures and skipped tests at once, and says how far the run is. scripts/test sources this
# file. On a terminal, the last line shows the progress; otherwise, a line every half a minute does.

passed=0 failed=0 skipped=0
failures=()
# For each job: the number of results so far, and the seconds that it took.
declare -A seen took
began=0 shown=0

# Jobs took this long when they last ran with all of their tests, except that the number of PHP tests varies. A line is
# "NAME SECONDS RESULTS".
read_durations() {
	local name seconds results
	while read -r name seconds results; do
		[ -n "${weight_of[$name]-}" ] && [ "$results" -gt 0 ] || continue
		if [ "$name" = tests/php ]; then
			seconds=$((seconds * results_of[$name] / results)) results=${results_of[$name]}
		fi
		weight_of[$name]=$((seconds > 0 ? seconds : 1)) results_of[$name]=$results
	done <"$durations"
}

# Records of jobs that did not run now are kept.
write_durations() { # file with more records
	local name
	{
		cat "$durations" "$1"
		[ ${#named[@]} -gt 0 ] || for name in "${!took[@]}"; do
			echo "$name ${took[$name]} ${seen[$name]-0}"
		done
	} | awk '{ last[$1] = $0 } END { for (name in last) print last[name] }' | sort >"$copy/durations"
	mv "$copy/durations" "$durations"
}

clear_line() { [ ! -t 1 ] || printf '\r\e[K'; }

# The PHP tests have so many results that their rate tells when they end: if half of the work took a minute, the other half
# takes another one. Other jobs have a few tests that take most of their time, so at most their weight is left.
seconds_left() {
	local name lane work elapsed=$((SECONDS - began)) left=0
	local -A done=([compute]=0 [php]=0) all=([compute]=0 [php]=0)
	for name in "${!lane_of[@]}"; do
		lane=${lane_of[$name]}
		work=$((weight_of[$name] * 100))
		all[$lane]=$((all[$lane] + work))
		if [ -z "${took[$name]-}" ] && [ "${seen[$name]-0}" -lt "${results_of[$name]}" ]; then
			work=$((work * ${seen[$name]-0} / results_of[$name]))
		fi
		done[$lane]=$((done[$lane] + work))
	done
	for lane in compute php; do
		work=$(((all[$lane] - done[$lane]) / 100))
		[ $lane = php ] || work=$((work / $(nproc)))
		if [ $((done[$lane] * 10)) -gt "${all[$lane]}" ] && { [ $lane = php ] || [ $((elapsed * 100)) -lt "${done[$lane]}" ]; }; then
			work=$(((all[$lane] - done[$lane]) * elapsed / done[$lane]))
		fi
		left=$((work > left ? work : left))
	done
	echo $left
}

show_progress() {
	local count=$((passed + failed + skipped)) total=0 name left
	[ $SECONDS -ge $((shown + interval)) ] || return 0
	shown=$SECONDS
	for name in "${!results_of[@]}"; do
		total=$((total + (${seen[$name]-0} > results_of[$name] ? seen[$name] : results_of[$name])))
	done
	left=$(seconds_left)
	clear_line
	printf '== %d of %d tests, %d failed, %d:%02d minutes passed, about %d:%02d left' $count $total $failed \
		$(((SECONDS - began) / 60)) $(((SECONDS - began) % 60)) $((left / 60)) $((left % 60))
	[ -t 1 ] || echo
}

fail() { # title, command that runs only this test, file with the output
	failed=$((failed + 1))
	failures+=("$1${2:+: $2}")
	clear_line
	printf 'FAIL %s\n' "$1"
	sed "s#$copy/##g; \$a\\" "$3"
	[ -z "$2" ] || printf '     run only this test: %s\n' "$2"
}

# Returns when all jobs have ended.
read_results() {
	local kind job title detail file code piece line=''
	began=$SECONDS
	if [ -t 1 ]; then interval=1; else interval=30; fi
	while :; do
		code=0
		# The time limit may end in the middle of a line, whose first part is then in the variable.
		IFS= read -r -t 1 piece <&4 || code=$?
		line+=$piece
		if [ $code -gt 128 ]; then
			show_progress
			continue
		fi
		[ $code -eq 0 ] || { fail "the jobs ended early" '' /dev/null; break; }
		IFS=$'\t' read -r kind job title detail file <<<"$line"
		line=
		case $kind in
		end) break ;;
		done) took[$job]=$title ;;
		pass) passed=$((passed + 1)) ;;
		fail) fail "$title" "$detail" "$file" ;;
		skip)
			skipped=$((skipped + 1))
			clear_line
			echo "     SKIP $title reason: $detail"
			;;
		*) fail "a result cannot be read: $kind" '' /dev/null ;;
		esac
		case $kind in pass | fail | skip) seen[$job]=$((${seen[$job]-0} + 1)) ;; esac
		show_progress
	done
	clear_line
}
