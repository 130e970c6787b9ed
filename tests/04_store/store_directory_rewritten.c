/* To be preloaded by store_directory_rewritten.phpt: another process seems to rewrite a file in
 * place while the file is read for the first time. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* Returns whether the file is the one that BLOOM_TEST_FILE names, and is read as a whole. */
static int is_chosen(int file, size_t count)
{
	const char *chosen = getenv("BLOOM_TEST_FILE");
	char link[64], path[PATH_MAX];
	ssize_t length;

	(void)snprintf(link, sizeof link, "/proc/self/fd/%d", file);
	length = readlink(link, path, sizeof path - 1);
	if (length < 0) {
		return 0;
	}
	path[length] = 0;
	return strcmp(path, chosen) == 0 && lseek(file, 0, SEEK_END) == (off_t)count;
}

static ssize_t read_in_between(int file, void *bytes, size_t count, off_t at)
{
	static int reads;
	const char *path = getenv("BLOOM_TEST_FILE");
	ssize_t got = NEXT(pread)(file, bytes, count, at);

	if (!is_chosen(file, count) || reads++ > 0 || got != (ssize_t)count ||
		truncate(path, 0) != 0) {
		return got;
	}
	got = NEXT(pread)(file, bytes, count, at);
	file = open(path, O_WRONLY | O_APPEND);
	while (count-- > 0) {
		(void)!write(file, "y", 1);
	}
	(void)close(file);
	return got;
}

ssize_t pread(int file, void *bytes, size_t count, off_t at)
{
	return read_in_between(file, bytes, count, at);
}

/* The same function under glibc's name for large files. In musl, it is a macro. */
#ifndef pread64
ssize_t pread64(int file, void *bytes, size_t count, off_t at)
{
	return read_in_between(file, bytes, count, at);
}
#endif
