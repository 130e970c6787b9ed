#include "failing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>
#include <unistd.h>

/* The core retries a call that fails with EINTR, so EINTR must not be returned forever. */
enum { INTERRUPTIONS_MAX = 5 };

static struct {
	bool armed;
	bool for_ever;
	unsigned first;
	unsigned variant;
	unsigned calls;
	unsigned failed;
	unsigned interruptions;
	const char *what;
	int number;
} plan;

void failing_begin(unsigned first, bool for_ever, unsigned variant)
{
	plan.armed = true;
	plan.for_ever = for_ever;
	plan.first = first;
	plan.variant = variant;
	plan.calls = plan.failed = plan.interruptions = 0;
	plan.what = "nothing";
	plan.number = 0;
}

unsigned failing_end(void)
{
	plan.armed = false;
	return plan.failed;
}

unsigned failing_calls(void)
{
	return plan.calls;
}

const char *failing_what(void)
{
	return plan.what;
}

int failing_errno(void)
{
	return plan.number;
}

/* Returns whether this call must fail, and sets errno if so. `errors` ends with 0. */
static bool fails(const char *what, const int *errors)
{
	unsigned call, variant;

	if (!plan.armed) {
		return false;
	}
	call = plan.calls++;
	if (call < plan.first || (call > plan.first && !plan.for_ever)) {
		return false;
	}
	for (variant = 0; variant < plan.variant && errors[variant] != 0; variant++) {
	}
	if (errors[variant] == 0 ||
		(errors[variant] == EINTR && plan.interruptions++ >= INTERRUPTIONS_MAX)) {
		return false;
	}
	plan.failed++;
	plan.what = what;
	plan.number = errno = errors[variant];
	return true;
}

#define ERRORS(...) ((const int[]){__VA_ARGS__, 0})

/* Replaces a function that returns an int and reports errors as −1. */
#define WRAP(name, parameters, arguments, ...)                                           \
	int __real_##name parameters;                                                    \
	int __wrap_##name parameters;                                                    \
	int __wrap_##name parameters                                                     \
	{                                                                                \
		return fails(#name, ERRORS(__VA_ARGS__)) ? -1 : __real_##name arguments; \
	}

WRAP(mkdirat, (int at, const char *path, mode_t mode), (at, path, mode), ENOSPC, EACCES, EDQUOT,
	EIO, ENOMEM, EROFS)
WRAP(fchmodat, (int at, const char *path, mode_t mode, int flags), (at, path, mode, flags), EIO,
	EPERM)
WRAP(fchmod, (int file, mode_t mode), (file, mode), EIO, EPERM)
WRAP(fchown, (int file, uid_t user, gid_t group), (file, user, group), EIO, EPERM, EDQUOT)
WRAP(fstat, (int file, struct stat *found), (file, found), EIO, ENOMEM)
WRAP(fstatat, (int at, const char *path, struct stat *found, int flags), (at, path, found, flags),
	EIO, ENOMEM)
WRAP(lstat, (const char *path, struct stat *found), (path, found), EIO, EACCES)
WRAP(unlinkat, (int at, const char *path, int flags), (at, path, flags), EIO, EACCES, EPERM)
WRAP(renameat, (int from_at, const char *from, int to_at, const char *to),
	(from_at, from, to_at, to), EIO, ENOSPC, EACCES, EDQUOT)
WRAP(ftruncate, (int file, off_t bytes), (file, bytes), EIO, EINTR, ENOSPC, EFBIG)
WRAP(fstatvfs, (int file, struct statvfs *found), (file, found), EIO)
WRAP(flock, (int file, int what), (file, what), EINTR, ENOLCK, EBADF, EIO)

int __real_openat(int at, const char *path, int flags, ...);
int __wrap_openat(int at, const char *path, int flags, ...);

int __wrap_openat(int at, const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	/* The list includes ENOSPC, which a file system without free inodes reports. It does not
	 * include EACCES, which means that another user owns the file; refusal_test.c tests such
	 * files. */
	return fails("openat", ERRORS(EMFILE, ENFILE, EINTR, ENOSPC, ENOMEM, EIO, EDQUOT, ENODEV))
		? -1
		: __real_openat(at, path, flags, mode);
}

int __real_fcntl(int file, int command, void *argument);
int __wrap_fcntl(int file, int command, void *argument);

int __wrap_fcntl(int file, int command, void *argument)
{
	struct flock *lock = argument;

	/* Unlocking never fails. */
	if ((command != F_OFD_SETLK || lock->l_type != F_UNLCK) &&
		(command == F_DUPFD_CLOEXEC
				? fails("fcntl", ERRORS(EMFILE))
				: fails("fcntl", ERRORS(EINTR, ENOLCK, EBADF, EDEADLK, EIO)))) {
		return -1;
	}
	return __real_fcntl(file, command, argument);
}

/* Like the real close(), closes the file even if it reports an error. */
int __real_close(int file);
int __wrap_close(int file);

int __wrap_close(int file)
{
	int result = __real_close(file);

	return fails("close", ERRORS(EIO, EINTR)) ? -1 : result;
}

int __real_posix_fallocate(int file, off_t offset, off_t bytes);
int __wrap_posix_fallocate(int file, off_t offset, off_t bytes);

int __wrap_posix_fallocate(int file, off_t offset, off_t bytes)
{
	return fails("posix_fallocate", ERRORS(ENOSPC, EINTR, EIO, EDQUOT, EFBIG, EOPNOTSUPP))
		? plan.number
		: __real_posix_fallocate(file, offset, bytes);
}

ssize_t __real_pwrite(int file, const void *bytes, size_t count, off_t offset);
ssize_t __wrap_pwrite(int file, const void *bytes, size_t count, off_t offset);

ssize_t __wrap_pwrite(int file, const void *bytes, size_t count, off_t offset)
{
	if (!fails("pwrite", ERRORS(ENOSPC, EINTR, EIO, EDQUOT, EFBIG, FAILING_SHORT))) {
		return __real_pwrite(file, bytes, count, offset);
	}
	return plan.number == FAILING_SHORT ? __real_pwrite(file, bytes, count / 2 + 1, offset)
					    : -1;
}

/* ---- mappings ---- */

enum { MAPPINGS_MAX = 256 };

static struct {
	void *at;
	size_t bytes;
} mappings[MAPPINGS_MAX];

static unsigned mappings_made, odd_mappings;

unsigned failing_mappings(void)
{
	return mappings_made;
}

unsigned failing_odd_mappings(void)
{
	return odd_mappings;
}

/* Records a mapping that was created (`before` is NULL), resized, moved, or unmapped as a whole
 * (`now` is NULL). */
static void note_mapping(void *before, size_t bytes_before, void *now, size_t bytes)
{
	unsigned i;

	for (i = 0;
		i < MAPPINGS_MAX && (mappings[i].at != before || mappings[i].bytes != bytes_before);
		i++) {
	}
	if (i == MAPPINGS_MAX) {
		odd_mappings++;
		return;
	}
	mappings_made += before == NULL;
	mappings[i].at = now;
	mappings[i].bytes = bytes;
}

void *__real_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);

void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
	void *made;

	if (fails("mmap", ERRORS(ENOMEM, EAGAIN, ENODEV))) {
		return (void *)-1;
	}
	made = __real_mmap(at, bytes, protection, flags, file, offset);
	odd_mappings += at != NULL || offset != 0;
	if (made != (void *)-1) {
		note_mapping(NULL, 0, made, bytes);
	}
	return made;
}

void *__real_mremap(void *at, size_t bytes, size_t wanted, int flags, ...);
void *__wrap_mremap(void *at, size_t bytes, size_t wanted, int flags, ...);

void *__wrap_mremap(void *at, size_t bytes, size_t wanted, int flags, ...)
{
	void *made;

	if (fails("mremap", ERRORS(ENOMEM))) {
		return (void *)-1;
	}
	made = __real_mremap(at, bytes, wanted, flags);
	if (made != (void *)-1) {
		note_mapping(at, bytes, made, wanted);
	}
	return made;
}

int __real_munmap(void *at, size_t bytes);
int __wrap_munmap(void *at, size_t bytes);

int __wrap_munmap(void *at, size_t bytes)
{
	note_mapping(at, bytes, NULL, 0);
	return __real_munmap(at, bytes);
}

typedef void *(*thread_work)(void *);
int __real_pthread_create(
	pthread_t *thread, const pthread_attr_t *how, thread_work work, void *context);
int __wrap_pthread_create(
	pthread_t *thread, const pthread_attr_t *how, thread_work work, void *context);

int __wrap_pthread_create(
	pthread_t *thread, const pthread_attr_t *how, thread_work work, void *context)
{
	return fails("pthread_create", ERRORS(EAGAIN))
		? plan.number
		: __real_pthread_create(thread, how, work, context);
}

DIR *__real_fdopendir(int file);
DIR *__wrap_fdopendir(int file);

DIR *__wrap_fdopendir(int file)
{
	return fails("fdopendir", ERRORS(ENOMEM)) ? NULL : __real_fdopendir(file);
}

struct dirent *__real_readdir(DIR *stream);
struct dirent *__wrap_readdir(DIR *stream);

struct dirent *__wrap_readdir(DIR *stream)
{
	return fails("readdir", ERRORS(EIO)) ? NULL : __real_readdir(stream);
}

ssize_t __real_getrandom(void *bytes, size_t count, unsigned flags);
ssize_t __wrap_getrandom(void *bytes, size_t count, unsigned flags);

ssize_t __wrap_getrandom(void *bytes, size_t count, unsigned flags)
{
	return fails("getrandom", ERRORS(EINTR, ENOSYS)) ? -1
							 : __real_getrandom(bytes, count, flags);
}

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);

void *__wrap_malloc(size_t bytes)
{
	return fails("malloc", ERRORS(ENOMEM)) ? NULL : __real_malloc(bytes);
}

void *__real_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);

void *__wrap_calloc(size_t count, size_t bytes)
{
	return fails("calloc", ERRORS(ENOMEM)) ? NULL : __real_calloc(count, bytes);
}

void *__real_realloc(void *memory, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);

void *__wrap_realloc(void *memory, size_t bytes)
{
	return fails("realloc", ERRORS(ENOMEM)) ? NULL : __real_realloc(memory, bytes);
}
