#include "os/system_posix.h"

#include "os/parallel.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct worker {
	void (*work)(void *context, uint32_t job);
	void *context;
	uint32_t job;
	bool begun;
	pthread_t thread;
} worker;

static void *run(void *argument)
{
	const worker *self = argument;

	self->work(self->context, self->job);
	return NULL;
}

void bloom_parallel(uint32_t jobs, void (*work)(void *context, uint32_t job), void *context)
{
	worker workers[BLOOM_JOBS_MAX];
	sigset_t all, before;
	uint32_t job;

	assert(jobs >= 1 && jobs <= BLOOM_JOBS_MAX);
	/* A new thread inherits the signal mask of its creator. Block all signals here, create the
	 * threads and then restore the mask. */
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	for (job = 1; job < jobs; job++) {
		workers[job] = (worker){.work = work, .context = context, .job = job};
		workers[job].begun =
			pthread_create(&workers[job].thread, NULL, run, &workers[job]) == 0;
	}
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	work(context, 0);
	/* pthread_join() also makes the threads' writes visible to the caller. */
	for (job = 1; job < jobs; job++) {
		if (workers[job].begun) {
			(void)pthread_join(workers[job].thread, NULL);
		} else {
			work(context, job);
		}
	}
}
