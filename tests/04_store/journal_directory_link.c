/* To be preloaded by journal_directory_link.phpt: switches a link at a step of an append. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
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

/* Gives the link that is prepared under the name <link>.next its name, once. */
static void switch_link(void)
{
	const char *link = getenv("BLOOM_TEST_LINK");
	char next[4096];

	(void)snprintf(next, sizeof next, "%s.next", link);
	(void)rename(next, link);
}

static int is_at(const char *step)
{
	const char *at = getenv("BLOOM_TEST_STEP");

	return at != NULL && at[0] == step[0];
}

int flock(int file, int operation)
{
	if (is_at("lock")) {
		switch_link();
	}
	return NEXT(flock)(file, operation);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset)
{
	if (is_at("write")) {
		switch_link();
	}
	return NEXT(pwrite)(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset)
{
	return pwrite(file, bytes, count, offset);
}

int fdatasync(int file)
{
	if (is_at("sync")) {
		switch_link();
	}
	return NEXT(fdatasync)(file);
}
