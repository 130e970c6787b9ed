# Jobs, which run at the same time in two lanes, and report the results of their tests. scripts/test sources this file.
#
# A job is a function with its arguments, such as "run_check arginfo". The lane `compute` has jobs that keep a processor busy, so
# it runs as many as there are processors. The lane `php` has one job at a time: a pool of PHP tests, most of which wait for
# something else than a processor. A job reports each result as a line on descriptor 3, whose fields are separated by tabs:
#   pass JOB
#   skip JOB TITLE REASON
#   fail JOB TITLE COMMAND FILE     the command runs only this test; the file has the output
#   done JOB SECONDS

compute_jobs=() php_jobs=()
declare -A lane_of title_of results_of weight_of

# The number of results and the weight are estimates; records of an earlier run replace them.
add_job() { # lane, name, number of results, seconds that it takes on a quiet machine, function with arguments
	local -n jobs=$1_jobs
	jobs+=("$2|${*:5}")
	lane_of[$2]=$1 results_of[$2]=$3 weight_of[$2]=$4
}

report() { # fields
	local IFS=$'\t' fields=("${@//[$'\t\n']/ }")
	printf '%s\n' "${fields[*]}" >&3
}

run_lane() { # number of jobs at the same time, jobs…
	local limit=$1 running=0 job
	shift
	for job; do
		if [ "$running" -ge "$limit" ]; then
			wait -n || true
			running=$((running - 1))
		fi
		run_job "${job%%|*}" "${job#*|}" &
		running=$((running + 1))
	done
	wait
}

run_job() { # name, function with arguments
	local began=$SECONDS
	job=$1
	# shellcheck disable=SC2086
	$2 || report fail "$job" "$job ended early" "scripts/test${options:+ $options} $job" /dev/null
	report done "$job" $((SECONDS - began))
}

# Prints the jobs of a lane, the longest first, so that no processor idles at the end.
longest_jobs() { # lane
	local -n jobs=$1_jobs
	local job
	for job in "${jobs[@]}"; do
		echo "${weight_of[${job%%|*}]} $job"
	done | sort -k1,1nr -s | cut -d ' ' -f 2-
}

# Runs all jobs in a process group of their own, so that an interrupt can end every process. The results come from descriptor 4.
start_jobs() {
	local computing pooled
	mapfile -t computing < <(longest_jobs compute)
	mapfile -t pooled < <(longest_jobs php)
	mkfifo "$copy/results"
	set -m
	{
		set +m
		{
			# Some PHP tests wait for something that must happen in time.
			[ -n "$short" ] || renice -n 10 -p "$BASHPID" >/dev/null
			run_lane "$(nproc)" "${computing[@]}"
		} &
		run_lane 1 "${pooled[@]}" &
		wait
		report end
	} 3>"$copy/results" </dev/null &
	pool=$!
	set +m
	exec 4<"$copy/results"
}

stop_jobs() {
	[ -n "$pool" ] || return 0
	kill -TERM -- "-$pool" 2>/dev/null || true
	# The files of the tests can only be removed when nothing writes them.
	for _ in {1..100}; do
		kill -0 -- "-$pool" 2>/dev/null || return 0
		sleep 0.1
	done
	kill -KILL -- "-$pool" 2>/dev/null || true
}
