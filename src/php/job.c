#include "php/job.h"

#include <stdlib.h>

#include <zend_exceptions.h>

#include "os/clock.h"
#include "os/mapping.h"
#include "os/process.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/globals.h"
#include "segment/sync_due.h"
#include "segment/sync_lease.h"

php_bloom_job *php_bloom_job_begin(void)
{
	php_bloom_job *job = calloc(1, sizeof *job);

	if (job == NULL) {
		bloom_error error = {.status = BLOOM_E_MEMORY};

		php_bloom_throw(&error);
		return NULL;
	}
	job->process = bloom_process_id();
	job->next = BLOOM_G(jobs);
	BLOOM_G(jobs) = job;
	return job;
}

void php_bloom_job_end(php_bloom_job *job)
{
	php_bloom_job **link = &BLOOM_G(jobs);

	while (*link != job) {
		link = &(*link)->next;
	}
	*link = job->next;
	if (job->process != bloom_process_id()) {
		/* The staged file and the lease still belong to the parent. */
		job->stage.file = job->added.file = -1;
		job->lease = 0;
	}
	bloom_live_free(job->additions);
	bloom_live_free(job->before);
	bloom_stage_abort(&job->added);
	bloom_stage_abort(&job->stage);
	free(job->restoring);
	if (job->saving != NULL) {
		bloom_saving_end(job->saving);
		free(job->saving);
	}
	bloom_detach(&job->served);
	if (job->control != NULL && job->lease != 0) {
		bloom_lease_release(job->control, job->lease);
	}
	bloom_unmap((const unsigned char *)job->control, BLOOM_CONTROL_BYTES);
	bloom_lines_free(&job->lines);
	free(job->text);
	free(job);
}

bool php_bloom_job_is_ours(const php_bloom_job *job)
{
	if (UNEXPECTED(job->process != bloom_process_id())) {
		zend_throw_exception(php_bloom_ce_Bloom,
			"This process was forked during the call, which the parent process "
			"continues",
			0);
		return false;
	}
	return true;
}

void php_bloom_jobs_end_all(void)
{
	php_bloom_job *job;

	while ((job = BLOOM_G(jobs)) != NULL) {
		/* A fatal error has unwound the call before it could record its failure. A save to
		 * a store is not a sync, and records nothing. */
		if (job->lease != 0 && job->saving == NULL && job->process == bloom_process_id()) {
			bloom_sync_failed(job->control, bloom_monotonic_ms(), BLOOM_E_STORE,
				PHP_BLOOM_SCRIPT_ENDED);
			if (bloom_load_relaxed(&job->control->head_ms) == BLOOM_HEAD_READING) {
				bloom_sync_load_failed(job->control, bloom_monotonic_ms(),
					BLOOM_E_STORE, PHP_BLOOM_SCRIPT_ENDED);
			}
		}
		php_bloom_job_end(job);
	}
}
