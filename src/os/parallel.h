/* Runs a function in several threads.
 *
 *     caller ──┬─ job 0 ──────────┬─► returns when all jobs are done
 *              ├─ job 1 (thread) ─┤
 *              └─ job 2 (thread) ─┘
 *
 * The function starts the threads and joins them before it returns. None of these threads exists
 * while the caller runs PHP code, forks or is unwound by a fatal error. Starting and joining a
 * thread takes about 30 µs, so a job should run for at least a few milliseconds.
 */
#ifndef BLOOM_PARALLEL_H
#define BLOOM_PARALLEL_H

#include <stdint.h>

enum { BLOOM_JOBS_MAX = 64 };

/* Calls `work(context, job)` once for each job from 0 to jobs - 1, in any order and concurrently.
 * The calling thread runs job 0. If the system cannot create a thread, the calling thread also runs
 * that thread's job, so this function cannot fail.
 *
 *   jobs  1 to BLOOM_JOBS_MAX
 *
 * Concurrency: on POSIX, the threads block all signals, so signal handlers run only in threads that
 * already existed. */
void bloom_parallel(uint32_t jobs, void (*work)(void *context, uint32_t job), void *context);

#endif
