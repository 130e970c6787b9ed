#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "process.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "files.h"

/* Held by whoever forks, so that a child never has half a list. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *owned; /* open files */
static size_t owned_count, owned_room;

static uint32_t forks; /* between the first process and this one */
static bool is_watching;

static void before_fork(void)
{
	(void)pthread_mutex_lock(&mutex);
}

static void after_fork_in_parent(void)
{
	(void)pthread_mutex_unlock(&mutex);
}

static void after_fork_in_child(void)
{
	forks++;
	while (owned_count > 0) {
		(void)close(owned[--owned_count]);
	}
	(void)pthread_mutex_unlock(&mutex);
}

/* Again in a child that another thread forked in the middle of it: what was to be done twice would hang the next fork. */
static void watch_forks(void)
{
	if (!is_watching) {
		is_watching = true;
		is_watching = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
	}
}

uint64_t bloom_process(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	(void)pthread_once(&once, watch_forks);
	/* The PID tells those that came by clone(), of which the handlers do not know. */
	return (uint64_t)getpid() << 32 | forks;
}

static bloom_status remember(int file, bloom_error *error)
{
	enum { ROOM_FIRST = 16 };
	size_t room = owned_room == 0 ? ROOM_FIRST : 2 * owned_room;
	int *more;

	if (owned_count == owned_room) {
		more = realloc(owned, room * sizeof *more);
		if (more == NULL) {
			return bloom_fail(error, BLOOM_E_MEMORY, 0, "the list of locked files");
		}
		owned = more;
		owned_room = room;
	}
	owned[owned_count++] = file;
	return BLOOM_OK;
}

static void forget(int file)
{
	size_t i = 0;

	while (i < owned_count && owned[i] != file) {
		i++;
	}
	if (i < owned_count) {
		owned[i] = owned[--owned_count];
	}
	if (owned_count == 0) {
		free(owned);
		owned = NULL;
		owned_room = 0;
	}
}

void bloom_process_hold(void)
{
	(void)bloom_process();
	(void)pthread_mutex_lock(&mutex);
}

void bloom_process_release(void)
{
	(void)pthread_mutex_unlock(&mutex);
}

bloom_status bloom_process_own(int file, bloom_error *error)
{
	return is_watching ? remember(file, error)
			   : bloom_fail(error, BLOOM_E_MEMORY, 0, "the handlers of forks");
}

void bloom_process_close(int *file)
{
	if (*file >= 0) {
		(void)pthread_mutex_lock(&mutex);
		forget(*file);
		bloom_close(file);
		(void)pthread_mutex_unlock(&mutex);
	}
}
