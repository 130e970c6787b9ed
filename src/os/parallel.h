/* The same work in several threads at once, which begin in the call and have ended when it returns.
 *
 * So between two calls there is no thread: whoever calls may then run userland, fork, be unwound by a fatal error
 * or killed, and nothing is lost, waited for or left behind. Beginning and ending a thread takes some 30 µs, so a
 * piece of work should take milliseconds.
 */
#ifndef BLOOM_PARALLEL_H
#define BLOOM_PARALLEL_H

#include <stdint.h>

enum { BLOOM_JOBS_MAX = 64 };

/* Does `work(context, 0)` to `work(context, jobs - 1)`, each once and in any order, in up to as many threads, of
 * which the calling one is one. Where the system gives fewer, the calling one does what is left: nothing fails.
 *
 *   jobs    1 to BLOOM_JOBS_MAX
 *
 * Shared  the threads take no signals: those of the process reach the ones it had before.
 */
void bloom_parallel(uint32_t jobs, void (*work)(void *context, uint32_t job), void *context);

#endif
