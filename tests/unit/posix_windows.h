/* The parts of POSIX that the tests need and mingw-w64 lacks. tests/unit/run includes this header
 * before each test for Windows, and provides empty headers such as <sys/wait.h>. Most of these
 * calls concern forked children, which do not exist on Windows, so they only have to compile. */
#ifndef BLOOM_TEST_POSIX_WINDOWS_H
#define BLOOM_TEST_POSIX_WINDOWS_H

#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* ---- files ---- */

enum { O_CLOEXEC = 0, O_DIRECTORY = 0, O_NONBLOCK = 0 };

#define lstat stat
#define mkdir(path, mode) _mkdir(path)

static inline ssize_t pread(int file, void *bytes, size_t count, off_t offset)
{
	return lseek(file, offset, SEEK_SET) == offset ? read(file, bytes, (unsigned)count) : -1;
}

static inline ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset)
{
	return lseek(file, offset, SEEK_SET) == offset ? write(file, bytes, (unsigned)count) : -1;
}

/* Fails, so tests skip what depends on the call. */
static inline int fails(const char *call)
{
	(void)call;
	errno = ENOSYS;
	return -1;
}

enum { LOCK_EX = 2 };
#define flock(file, operation) fails("flock")
#define link(path, other) fails("link")
#define symlink(path, other) fails("symlink")
#define chown(path, user, group) fails("chown")
#define lchown(path, user, group) fails("lchown")
#define fchmod(file, mode) fails("fchmod")
#define geteuid() 1000

struct statvfs {
	uint64_t f_bavail, f_frsize;
};
#define statvfs(path, found) fails("statvfs")
#define mkfifo(path, mode) fails("mkfifo")
#define posix_fallocate(file, offset, bytes) _chsize_s(file, (offset) + (bytes))
#define st_blocks st_size /* only skipped tests use it */
#define S_ISLNK(mode) 0
#define memfd_create(name, flags) fails("memfd_create")
char *mkdtemp(char *pattern);

/* ---- processes ---- */

enum { SIGKILL = 9, SIGSTOP = 19, SIGCONT = 18, WUNTRACED = 2 };

#define kill(process, number) fails("kill")
#define waitpid(process, status, options) (*(status) = 0, fails("waitpid"))
#define pause() fails("pause")
#define getppid() 1
#define setuid(user) fails("setuid")
#define setgid(group) fails("setgid")
#define WIFSTOPPED(status) ((status) != 0)
#define WSTOPSIG(status) (status)
#define prctl(option, number) fails("prctl")
enum { PTRACE_O_TRACESYSGOOD = 1, PTRACE_O_EXITKILL = 1 };
#define ptrace(request, process, address, data) fails("ptrace")

typedef uint64_t rlim_t;
struct rlimit {
	rlim_t rlim_cur, rlim_max;
};
enum { RLIMIT_FSIZE, RLIMIT_AS, RLIMIT_NOFILE };
#define getrlimit(resource, limit) ((void)(limit), fails("getrlimit"))
#define setrlimit(resource, limit) ((void)(limit), fails("setrlimit"))
#define RLIM_INFINITY UINT64_MAX
enum { SIGXFSZ = 25 };

/* ---- memory ---- */

enum { PROT_NONE = 0, PROT_READ = 1, PROT_WRITE = 2 };
enum { MAP_PRIVATE = 2, MAP_ANONYMOUS = 32, MAP_NORESERVE = 0, _SC_PAGESIZE = 30 };
#define MAP_FAILED ((void *)-1)
#define sysconf(name) 4096L

#define madvise(address, bytes, advice) 0
enum { MADV_NOHUGEPAGE = 15, MFD_CLOEXEC = 1 };

/* Private memory, at any address. */
void *mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset);
int mprotect(void *address, size_t bytes, int protection);
int munmap(void *address, size_t bytes);

#endif
