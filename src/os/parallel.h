/* Runs one function in several threads.
 *
 *     caller ──┬─ job 0 ──────────┬─► returns when all jobs are done
 *              ├─ job 1 (thread) ─┤
 *              └─ job 2 (thread) ─┘
 *
 * The function starts the threads and joins them before it returns. So no thread exists while the
 * caller runs PHP code, forks, or is unwound by a fatal error. Starting and joining a thread takes
 * about 30 µs, so a job should take milliseconds.
 */
#ifndef BLOOM_PARALLEL_H
#define BLOOM_PARALLEL_H

#include <stdint.h>

enum { BLOOM_JOBS_MAX = 64 };

/* Calls `work(context, 0)` to `work(context, jobs - 1)`, each once, in any order and concurrently.
 * The calling thread does job 0. If the system refuses to create a thread, the calling thread also
 * does that thread's job, so this function cannot fail.
 *
 *   jobs  1 to BLOOM_JOBS_MAX
 *
 * Concurrency: the threads block all signals, so signal handlers run only in the threads that the
 * process already had. */
void bloom_parallel(uint32_t jobs, void (*work)(void *context, uint32_t job), void *context);

#endif
