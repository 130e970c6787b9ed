/* To be preloaded by store_directory_crash.phpt and journal_directory_crash.phpt: tells what is
 * done to files below a directory, and kills the process in the middle of it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* musl has no such flag. */
#ifndef RTLD_DEEPBIND
#define RTLD_DEEPBIND 0
#endif

/* PHP loads extensions so that they would find libc's functions before these. */
void *dlopen(const char *file, int flags)
{
	return NEXT(dlopen)(file, flags & ~RTLD_DEEPBIND);
}

/* Whether the process is to die in this step, a number from 1 on. */
static int is_last_step(const char *what, const char *path)
{
	static int steps;
	const char *below = getenv("BLOOM_TEST_BELOW"), *last = getenv("BLOOM_TEST_LAST_STEP");

	if (strncmp(path, below, strlen(below)) != 0) {
		return 0;
	}
	dprintf(1, "%s %s\n", what, path + strlen(below));
	return ++steps == atoi(last);
}

static int is_last_step_of(const char *what, int file)
{
	char link[64], path[PATH_MAX];
	ssize_t length;

	(void)snprintf(link, sizeof link, "/proc/self/fd/%d", file);
	length = readlink(link, path, sizeof path - 1);
	if (length < 0) {
		return 0;
	}
	path[length] = 0;
	return is_last_step(what, path);
}

ssize_t write(int file, const void *bytes, size_t count)
{
	if (is_last_step_of("write", file)) {
		(void)NEXT(write)(file, bytes, count / 2);
		(void)raise(SIGKILL);
	}
	return NEXT(write)(file, bytes, count);
}

/* Linux completes a write within one page before it kills the process. */
static size_t written_when_killed(size_t count, off_t at)
{
	return at / 4096 == (at + (off_t)count - 1) / 4096 ? 0 : count / 2;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at)
{
	if (is_last_step_of("write", file)) {
		(void)NEXT(pwrite)(file, bytes, written_when_killed(count, at), at);
		(void)raise(SIGKILL);
	}
	return NEXT(pwrite)(file, bytes, count, at);
}

/* The same function under glibc's name for large files. In musl, it is a macro. */
#ifndef pwrite64
ssize_t pwrite64(int file, const void *bytes, size_t count, off_t at)
{
	return pwrite(file, bytes, count, at);
}
#endif

int fdatasync(int file)
{
	if (is_last_step_of("sync", file)) {
		(void)raise(SIGKILL);
	}
	return NEXT(fdatasync)(file);
}

int link(const char *from, const char *to)
{
	if (is_last_step("link to", to)) {
		(void)raise(SIGKILL);
	}
	return NEXT(link)(from, to);
}

int fsync(int file)
{
	if (is_last_step_of("sync", file)) {
		(void)raise(SIGKILL);
	}
	return NEXT(fsync)(file);
}

int rename(const char *from, const char *to)
{
	if (is_last_step("rename to", to)) {
		(void)raise(SIGKILL);
	}
	return NEXT(rename)(from, to);
}

int mkdir(const char *path, mode_t mode)
{
	if (is_last_step("make", path)) {
		(void)raise(SIGKILL);
	}
	return NEXT(mkdir)(path, mode);
}

int unlink(const char *path)
{
	if (is_last_step("delete", path)) {
		(void)raise(SIGKILL);
	}
	return NEXT(unlink)(path);
}
