#include "os/system_posix.h"

#include "os/process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filter/atomic.h"
#include "os/files.h"

/* Protects the list below. The fork handlers hold this mutex during each fork(), so a child never
 * inherits a list that another thread was changing. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *files; /* the files to close in children */
static size_t file_count, file_capacity;

static uint32_t forks; /* the number of forks between the first ancestor and this process */
static bool has_handlers;

/* This process's ID, or 0 if it must be computed, in a page that the kernel clears in every child.
 * NULL: the system has no such pages. The page is never unmapped. */
static uint64_t *kept_id;

static void (*call_before_fork)(void);

static void before_fork(void)
{
	if (call_before_fork != NULL) {
		call_before_fork();
	}
	(void)pthread_mutex_lock(&mutex);
}

static void after_fork_in_parent(void)
{
	(void)pthread_mutex_unlock(&mutex);
}

/* Runs in the child before fork() returns. Apart from unlocking the mutex, the function calls only
 * close() and accesses only variables of this file, because the child of a multithreaded process
 * may call only async-signal-safe functions. The child's only thread is the copy of the thread that
 * locked the mutex, so the child may unlock the mutex. */
static void after_fork_in_child(void)
{
	forks++;
	if (kept_id != NULL) {
		bloom_store_relaxed(kept_id, 0);
	}
	while (file_count > 0) {
		(void)close(files[--file_count]);
	}
	(void)pthread_mutex_unlock(&mutex);
}

/* Installs the fork handlers once. If another thread forks while pthread_once() is running this
 * function, the child runs the function again. If the handlers were installed twice, they would
 * lock the mutex twice, and the next fork would hang. Therefore has_handlers is set before
 * pthread_atfork() is called. */
static void install_handlers(void)
{
	if (!has_handlers) {
		has_handlers = true;
		has_handlers =
			pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
	}
}

/* Maps the page of kept_id. Linux clears such pages since version 4.14, in the children of clone(),
 * too, which do not run fork handlers. Emulators that ignore the advice would also accept advice
 * that does not exist, so they get no page. */
static void map_kept_id(void)
{
#if BLOOM_LINUX && defined(MADV_WIPEONFORK)
	enum { NO_ADVICE = -1 };
	void *page = mmap(
		NULL, sizeof *kept_id, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED) {
		return;
	}
	if (madvise(page, sizeof *kept_id, NO_ADVICE) != 0 &&
		madvise(page, sizeof *kept_id, MADV_WIPEONFORK) == 0) {
		kept_id = page;
	} else {
		(void)munmap(page, sizeof *kept_id);
	}
#endif
}

static void begin(void)
{
	map_kept_id();
	install_handlers();
}

uint64_t bloom_process_id(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	uint64_t id;

	(void)pthread_once(&once, begin);
	id = kept_id != NULL ? bloom_load_relaxed(kept_id) : 0;
	if (id == 0) {
		/* The fork count distinguishes processes with equal PIDs in nested namespaces. The
		 * PID distinguishes children created by clone(), which does not run fork
		 * handlers. */
		id = (uint64_t)getpid() << 32 | forks;
		if (kept_id != NULL) {
			bloom_store_relaxed(kept_id, id);
		}
	}
	return id;
}

bool bloom_process_before_fork(void (*call)(void))
{
	(void)bloom_process_id(); /* installs the fork handlers */
	call_before_fork = call;
	return has_handlers;
}

static bloom_status list_file(int file, bloom_error *error)
{
	enum { CAPACITY_MIN = 16 };
	size_t capacity = file_capacity == 0 ? CAPACITY_MIN : 2 * file_capacity;
	int *more;

	if (file_count == file_capacity) {
		more = realloc(files, capacity * sizeof *more);
		if (more == NULL) {
			return bloom_fail(
				error, BLOOM_E_MEMORY, 0, "list of files to close on fork");
		}
		files = more;
		file_capacity = capacity;
	}
	files[file_count++] = file;
	return BLOOM_OK;
}

static void unlist_file(int file)
{
	size_t i = 0;

	while (i < file_count && files[i] != file) {
		i++;
	}
	if (i < file_count) {
		files[i] = files[--file_count];
	}
	if (file_count == 0) {
		free(files);
		files = NULL;
		file_capacity = 0;
	}
}

void bloom_fork_block(void)
{
	(void)bloom_process_id(); /* installs the fork handlers */
	(void)pthread_mutex_lock(&mutex);
}

void bloom_fork_unblock(void)
{
	(void)pthread_mutex_unlock(&mutex);
}

bloom_status bloom_process_close_on_fork(int file, bloom_error *error)
{
	return has_handlers ? list_file(file, error)
			    : bloom_fail(error, BLOOM_E_MEMORY, 0, "fork handlers");
}

void bloom_process_close(int *file)
{
	/* Unregister and close under the mutex. A child that was forked between the two steps would
	 * keep the file open and therefore also keep the lock. */
	if (*file >= 0) {
		(void)pthread_mutex_lock(&mutex);
		unlist_file(*file);
		bloom_close(file);
		(void)pthread_mutex_unlock(&mutex);
	}
}

/* ---- names ---- */

/* Reads the first line of a small file in /proc. Returns false on failure. */
static bool read_text(const char *path, char *text, size_t capacity)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t count = file >= 0 ? read(file, text, capacity - 1) : -1;

	bloom_close(&file);
	if (count <= 0) {
		return false;
	}
	text[count] = 0;
	text[strcspn(text, "\n")] = 0;
	return true;
}

/* Reads the start time of a process, in clock ticks since the boot, from proc_pid_stat(5). Returns
 * false on failure.
 *
 *   *has_ended  true if the process is a zombie or dead and has no other threads */
static bool read_start_time(long pid, uint64_t *start_time, bool *has_ended)
{
	char path[64], text[1024], state;
	long threads;
	char *rest;

	(void)snprintf(path, sizeof path, "/proc/%ld/stat", pid);
	/* Field 2 is the program's name in parentheses, which may itself contain spaces and
	 * parentheses. Parsing therefore starts after the last closing parenthesis. Field 3 is the
	 * state, field 20 the number of threads, and field 22 the start time. */
	if (!read_text(path, text, sizeof text) || (rest = strrchr(text, ')')) == NULL ||
		sscanf(rest + 1,
			" %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %ld "
			"%*s %" SCNu64,
			&state, &threads, start_time) != 3) {
		return false;
	}
	*has_ended = (state == 'Z' || state == 'X') && threads <= 1;
	return true;
}

/* Returns the inode number that identifies a namespace; 0 on failure. See namespaces(7). */
static uint64_t namespace_of(const char *path)
{
	struct stat found;

	return stat(path, &found) == 0 ? (uint64_t)found.st_ino : 0;
}

/* Writes the prefix that is common to the names of all processes in the same boot and namespaces.
 * The prefix includes the time namespace, because start times depend on it. Returns false if the
 * prefix cannot be determined. */
static bool write_prefix(char prefix[BLOOM_PROCESS_NAME_BYTES])
{
	uint64_t pids = namespace_of("/proc/self/ns/pid");
	char boot[64], self[32];
	ssize_t count = readlink("/proc/self", self, sizeof self - 1);

	/* The target of /proc/self is this process's PID in the namespace for which /proc was
	 * mounted. If that PID differs from getpid(), the PIDs in /proc belong to a different
	 * namespace. */
	if (count <= 0 || pids == 0 ||
		!read_text("/proc/sys/kernel/random/boot_id", boot, sizeof boot)) {
		return false;
	}
	self[count] = 0;
	(void)snprintf(prefix, BLOOM_PROCESS_NAME_BYTES, "%.40s.%" PRIx64 ".%" PRIx64 ".", boot,
		pids, namespace_of("/proc/self/ns/time"));
	return strtol(self, NULL, 10) == (long)getpid();
}

void bloom_process_name(char name[BLOOM_PROCESS_NAME_BYTES])
{
	char prefix[BLOOM_PROCESS_NAME_BYTES];
	uint64_t start_time;
	bool has_ended;

	name[0] = 0;
	if (write_prefix(prefix) && read_start_time((long)getpid(), &start_time, &has_ended)) {
		(void)snprintf(name, BLOOM_PROCESS_NAME_BYTES, "%.90s%ld.%" PRIu64, prefix,
			(long)getpid(), start_time);
	}
}

bool bloom_process_is_gone(const char *name)
{
	char prefix[BLOOM_PROCESS_NAME_BYTES];
	uint64_t start_time, start_time_now;
	bool has_ended;
	long pid;

	if (!write_prefix(prefix) || strncmp(name, prefix, strlen(prefix)) != 0 ||
		sscanf(name + strlen(prefix), "%ld.%" SCNu64, &pid, &start_time) != 2 || pid < 1) {
		return false;
	}
	if (kill((pid_t)pid, 0) != 0 && errno == ESRCH) {
		return true;
	}
	/* The PID exists, but another process may have reused it; in that case the start time
	 * differs. If /proc is mounted with hidepid, other users' processes are hidden, and the
	 * function returns false. */
	return read_start_time(pid, &start_time_now, &has_ended) &&
		(start_time_now != start_time || has_ended);
}
