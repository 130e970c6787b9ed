/* Jobs: what a call that runs userland must give back, however it ends. */
#ifndef PHP_BLOOM_JOB_H
#define PHP_BLOOM_JOB_H

#include "build/lines.h"
#include "kinds/attachment.h"
#include "php/engine.h"
#include "segment/stage.h"

/* What a call that runs userland in its middle must give back even when a fatal error unwinds the
 * stack over it: such a call keeps it in a job, and the request's end gives back what is left. */
typedef struct php_bloom_job {
	struct php_bloom_job *next;
	uint64_t process; /* bloom_process_id() that began it */
	bloom_stage stage;
	bloom_attachment served;
	bloom_control *control;
	uint64_t lease;
	bloom_lines lines;
	char *text; /* that was read, malloc'ed */
	size_t text_bytes;
} php_bloom_job;

php_bloom_job *php_bloom_job_begin(void); /* NULL: thrown */
void php_bloom_job_end(php_bloom_job *job);

/* Whether the process is still the one that began the job: userland may have forked, and then the file
 * being written is the parent's to go on with. False: thrown. */
bool php_bloom_job_is_ours(const php_bloom_job *job);
void php_bloom_jobs_end_all(void);

/* What the control page says when a script has ended inside a store's method. */
#define PHP_BLOOM_SCRIPT_ENDED "the script ended in the middle of it"

#endif
