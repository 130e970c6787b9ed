#include "os/system_windows.h"

#include "os/parallel.h"

#include <assert.h>
#include <process.h>

typedef struct worker {
	void (*work)(void *context, uint32_t job);
	void *context;
	uint32_t job;
	HANDLE thread; /* NULL: the system cannot create a thread */
} worker;

static unsigned __stdcall run(void *argument)
{
	const worker *self = argument;

	self->work(self->context, self->job);
	return 0;
}

void bloom_parallel(uint32_t jobs, void (*work)(void *context, uint32_t job), void *context)
{
	worker workers[BLOOM_JOBS_MAX];
	uint32_t job;

	assert(jobs >= 1 && jobs <= BLOOM_JOBS_MAX);
	for (job = 1; job < jobs; job++) {
		workers[job] = (worker){.work = work, .context = context, .job = job};
		/* Unlike CreateThread(), this function also prepares the C library. */
		workers[job].thread = (HANDLE)_beginthreadex(NULL, 0, run, &workers[job], 0, NULL);
	}
	work(context, 0);
	/* Waiting also makes the threads' writes visible to the caller. */
	for (job = 1; job < jobs; job++) {
		if (workers[job].thread != NULL) {
			(void)WaitForSingleObject(workers[job].thread, INFINITE);
			(void)CloseHandle(workers[job].thread);
		} else {
			work(context, job);
		}
	}
}
