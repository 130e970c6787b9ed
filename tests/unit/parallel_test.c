/* Work of several threads: each part is done once, and the threads leave the process as it was. */
#include "support.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "os/parallel.h"

typedef struct parts {
	pthread_t caller;
	atomic_uint done[BLOOM_JOBS_MAX];
	atomic_uint elsewhere;   /* calls in threads other than the caller */
	atomic_uint interrupted; /* calls in other threads in which a signal could arrive */
} parts;

static void do_part(void *context, uint32_t job)
{
	parts *all = context;
	sigset_t blocked;
	bool takes;

	all->done[job]++;
	if (!pthread_equal(all->caller, pthread_self())) {
		(void)pthread_sigmask(SIG_BLOCK, NULL, &blocked);
		takes = !sigismember(&blocked, SIGTERM) || !sigismember(&blocked, SIGALRM) ||
			!sigismember(&blocked, SIGPROF) || !sigismember(&blocked, SIGRTMIN + 3);
		all->elsewhere++;
		all->interrupted += takes;
	}
}

static unsigned threads_now(void)
{
	DIR *tasks = opendir("/proc/self/task");
	unsigned count = 0;

	assert_non_null(tasks);
	while (readdir(tasks) != NULL) {
		count++;
	}
	(void)closedir(tasks);
	return count;
}

static void each_part_is_done_once_and_no_thread_is_left(void **state)
{
	uint32_t jobs, job;
	unsigned before;

	(void)state;
	/* The sanitizers may start a thread of their own together with the first one. */
	bloom_parallel(2, do_part, &(parts){.caller = pthread_self()});
	before = threads_now();
	for (jobs = 1; jobs <= BLOOM_JOBS_MAX; jobs++) {
		parts all = {.caller = pthread_self()};

		bloom_parallel(jobs, do_part, &all);
		for (job = 0; job < BLOOM_JOBS_MAX; job++) {
			assert_int_equal(job < jobs, all.done[job]);
		}
		assert_int_equal(jobs - 1, all.elsewhere);
	}
	assert_int_equal(before, threads_now());
}

static void the_threads_take_no_signals_and_the_callers_are_as_before(void **state)
{
	parts all = {.caller = pthread_self()};
	sigset_t set, before, after;
	int number;

	(void)state;
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGUSR2);
	(void)pthread_sigmask(SIG_SETMASK, &set, &before);
	bloom_parallel(8, do_part, &all);
	(void)pthread_sigmask(SIG_SETMASK, &before, &after);
	assert_int_equal(7, all.elsewhere);
	assert_int_equal(0, all.interrupted);
	for (number = 1; number < 32; number++) {
		assert_int_equal(number == SIGUSR2, sigismember(&after, number));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("parallel work does each part once, and all its threads end",
			each_part_is_done_once_and_no_thread_is_left),
		TEST("worker threads receive no signals, and the caller's signal mask is unchanged",
			the_threads_take_no_signals_and_the_callers_are_as_before),
	};

	return cmocka_run_group_tests_name("parallel", tests, NULL, NULL);
}
