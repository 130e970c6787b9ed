/* A job has the resources of a call that runs userland code before it finishes.
 *
 * Because a fatal error in userland unwinds the C stack, such a call cannot keep a descriptor, a
 * mapping or a lease in local variables. It keeps them in a job instead, and RSHUTDOWN releases
 * all jobs that remain.
 *
 *     php_bloom_job_begin() ─► userland ─► php_bloom_job_end()
 *                                 └ fatal error ─► php_bloom_jobs_end_all() in RSHUTDOWN
 */
#ifndef PHP_BLOOM_JOB_H
#define PHP_BLOOM_JOB_H

#include "build/lines.h"
#include "kinds/attachment.h"
#include "kinds/snapshot.h"
#include "php/engine.h"
#include "segment/stage.h"

/* The resources of one call. A field that is 0 or NULL is not in use. */
typedef struct php_bloom_job {
	struct php_bloom_job *next;
	uint64_t process; /* the bloom_process_id() of the process that began the job */
	bloom_stage stage;
	bloom_stage added;     /* the additions of the staged blob */
	bloom_live *additions; /* the same file, mapped */
	bloom_live *before;    /* the additions that the staged ones will replace */
	bloom_attachment served;
	bloom_control *control;
	uint64_t lease;
	bloom_saving *saving;       /* allocated with malloc() */
	bloom_restoring *restoring; /* allocated with malloc(); borrows `stage` */
	bloom_lines lines;
	char *text; /* the input that was read; allocated with malloc() */
	size_t text_bytes;
} php_bloom_job;

php_bloom_job *php_bloom_job_begin(void);

/* Releases the job and its resources. If a forked child calls this function, the file and the lease
 * still belong to the parent. */
void php_bloom_job_end(php_bloom_job *job);

/* Throws if this process did not begin the job. Userland has then forked, and the staged file and
 * the lease belong to the parent. */
bool php_bloom_job_is_ours(const php_bloom_job *job);

/* Releases the jobs that a fatal error has left behind. */
void php_bloom_jobs_end_all(void);

/* The error text in the control page if a script ended inside a method of a store. */
#define PHP_BLOOM_SCRIPT_ENDED "the script ended during the call"

#endif
