/* Selects the system calls of the *_posix.c files, which include this header before any other.
 *
 *     BLOOM_LINUX   system
 *     1             Linux: also its own calls, such as mremap(), F_OFD_SETLK, fstatfs() and O_PATH
 *     0             any other system, and a build with -DBLOOM_POSIX: only calls of POSIX.1-2008,
 *                   flock() and MAP_ANONYMOUS
 *
 * Without _GNU_SOURCE the compiler rejects most of Linux's own calls. The build with -DBLOOM_POSIX
 * exists to test the second variant on Linux.
 */
#ifndef BLOOM_SYSTEM_POSIX_H
#define BLOOM_SYSTEM_POSIX_H

#if defined(__linux__) && !defined(BLOOM_POSIX)
#define BLOOM_LINUX 1
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#else
#define BLOOM_LINUX 0
#undef _GNU_SOURCE
#define _DEFAULT_SOURCE
#endif

#endif
