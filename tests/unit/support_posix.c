/* The parts of support.c that call POSIX or Linux. */
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void skip_because(const char *reason)
{
	/* tests/unit/run joins this line with the next line, which cmocka prints. */
	printf("# skipped: %s\n", reason);
	skip();
}

/* ---- a simulated machine ---- */

unsigned long pretended_file_system;

int __real_fstatfs(int file, struct statfs *found);
int __wrap_fstatfs(int file, struct statfs *found);

int __wrap_fstatfs(int file, struct statfs *found)
{
	int result = __real_fstatfs(file, found);

	if (pretended_file_system != 0) {
		found->f_type = (__typeof__(found->f_type))pretended_file_system;
	}
	return result;
}

uint64_t pretended_memory_bytes;

long __real_sysconf(int name);
long __wrap_sysconf(int name);

long __wrap_sysconf(int name)
{
	if (name == _SC_PHYS_PAGES && pretended_memory_bytes != 0) {
		return (long)(pretended_memory_bytes / (uint64_t)__real_sysconf(_SC_PAGESIZE));
	}
	return __real_sysconf(name);
}

/* ---- directories ---- */

static char scratch[512];

static int remove_one(const char *path, const struct stat *found, int kind, struct FTW *where)
{
	(void)found;
	(void)kind;
	(void)where;
	return remove(path);
}

void remove_tree(const char *path)
{
	(void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

int scratch_setup(void **state)
{
	const char *parent = getenv("BLOOM_TEST_SCRATCH");

	(void)state;
	if (parent == NULL) {
		parent = getenv("TMPDIR");
	}
	(void)snprintf(scratch, sizeof scratch, "%s/bloom-unit.XXXXXX",
		parent != NULL ? parent : "/dev/shm");
	if (mkdtemp(scratch) == NULL) {
		print_error("%s: %s\n", scratch, strerror(errno));
		return -1;
	}
	/* The tests that switch to another user need access. */
	return chmod(scratch, 0711);
}

int scratch_teardown(void **state)
{
	(void)state;
	remove_tree(scratch);
	return access(scratch, F_OK) == 0 ? -1 : 0;
}

const char *scratch_path(void)
{
	return scratch;
}

int count_open_files(void)
{
	return count_entries("/proc/self/fd", "") - 1; /* minus the descriptor of the listing */
}

int count_maps(void)
{
	FILE *file = fopen("/proc/self/maps", "r");
	char line[4096];
	int count = 0;

	assert_non_null(file);
	while (fgets(line, sizeof line, file) != NULL) {
		count += strstr(line, scratch) != NULL;
	}
	fclose(file);
	return count;
}

void write_file(const char *path, const void *bytes, size_t count, unsigned mode)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (file < 0) {
		fail_msg("%s: %s", path, strerror(errno));
	}
	assert_int_equal(count, write(file, bytes, count));
	assert_int_equal(0, fchmod(file, (mode_t)mode));
	close(file);
}

/* ---- unexpected files ---- */

static void bind_socket(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int handle = socket(AF_UNIX, SOCK_STREAM, 0), here = open(".", O_RDONLY | O_DIRECTORY);
	char directory[BLOOM_PATH_BYTES_MAX];

	/* The path of a socket is limited in length, so the socket is bound by a relative name
	 * from its own directory. */
	(void)snprintf(directory, sizeof directory, "%s", path);
	*strrchr(directory, '/') = 0;
	(void)snprintf(address.sun_path, sizeof address.sun_path, "%s", strrchr(path, '/') + 1);
	assert_int_equal(0, chdir(directory));
	assert_int_equal(0, bind(handle, (const struct sockaddr *)&address, sizeof address));
	assert_int_equal(0, fchdir(here));
	(void)close(here);
	(void)close(handle);
	assert_int_equal(0, chmod(path, 0600));
}

bool can_intrude(intruder kind)
{
	return kind != FOREIGN || geteuid() == 0;
}

bool intrude(const char *path, const char *aside, intruder kind, bool is_directory)
{
	if ((kind == FOREIGN || kind == DEVICE) && geteuid() != 0) {
		return false;
	}
	if (kind == HARD_LINK && is_directory) {
		return false;
	}
	switch (kind) {
	case HARD_LINK:
		return link(path, aside) == 0;
	case GROUP_READS:
		return chmod(path, is_directory ? 0750 : 0640) == 0;
	case OTHERS_WRITE:
		return chmod(path, is_directory ? 0702 : 0602) == 0;
	case FOREIGN:
		return chown(path, FOREIGN_USER, FOREIGN_USER) == 0;
	default:
		break;
	}
	assert_int_equal(0, rename(path, aside));
	switch (kind) {
	case SYMLINK:
		assert_int_equal(0, symlink(aside, path));
		break;
	case FIFO:
		assert_int_equal(0, mkfifo(path, 0600));
		break;
	case SOCKET:
		bind_socket(path);
		break;
	case DIRECTORY:
		assert_int_equal(0, mkdir(path, 0700));
		break;
	case DEVICE:
		if (mknod(path, S_IFCHR | 0600, makedev(1, 5)) != 0) { /* zeros without end */
			assert_int_equal(0, rename(aside, path));
			return false;
		}
		break;
	default:
		write_file(path, "plain", 5, 0600);
	}
	return true;
}

/* ---- processes ---- */

pid_t start_child(child_body body, void *context)
{
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		_exit(body(context));
	}
	assert_true(child > 0);
	return child;
}

int wait_child(pid_t child)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0) {
		assert_int_equal(EINTR, errno);
	}
	return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

int run_child(child_body body, void *context)
{
	return wait_child(start_child(body, context));
}

void pause_us(uint64_t us)
{
	struct timespec time = {
		.tv_sec = (time_t)(us / 1000000), .tv_nsec = (long)(us % 1000000) * 1000};

	while (nanosleep(&time, &time) != 0) {
	}
}

program start_program(const char *const *arguments)
{
	const char *all[16] = {"/proc/self/exe"};
	size_t count = 0;
	pid_t child;

	while (arguments[count] != NULL) {
		assert_true(count + 2 < sizeof all / sizeof *all);
		all[count + 1] = arguments[count];
		count++;
	}
	fflush(NULL);
	child = fork();
	if (child == 0) {
		(void)execv(all[0], (char *const *)(uintptr_t)all);
		_exit(127);
	}
	assert_true(child > 0);
	return child;
}

int wait_program(program child)
{
	return wait_child((pid_t)child);
}

void kill_program(program child)
{
	assert_int_equal(0, kill((pid_t)child, SIGKILL));
}

void end_program(void)
{
	(void)raise(SIGKILL);
}

void *shared_memory(size_t count)
{
	void *memory = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_true(memory != MAP_FAILED);
	return memory;
}

void free_shared_memory(void *memory, size_t count)
{
	assert_int_equal(0, munmap(memory, count));
}

void traced_begin(void)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) {
		_exit(99);
	}
	raise(SIGSTOP);
}

void traced_end(void)
{
	raise(SIGSTOP);
}

void needs_tracing(void)
{
	if (getenv("BLOOM_TEST_SLOW") != NULL) {
		skip_because("BLOOM_TEST_SLOW is set, so no process is single-stepped");
	}
}

pid_t start_traced(child_body body, void *context)
{
	pid_t child;
	int status = 0;

	needs_tracing();
	child = start_child(body, context);
	if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) {
		skip_because("tracing a process is not permitted here");
	}
	if (ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)PTRACE_O_EXITKILL) != 0) {
		kill_traced(child);
		skip_because("tracing a process is not permitted here");
	}
	return child;
}

bool step_traced(pid_t child, unsigned steps)
{
	int status = 0;

	for (; steps > 0; steps--) {
		assert_int_equal(0, ptrace(PTRACE_SINGLESTEP, child, NULL, NULL));
		assert_int_equal(child, waitpid(child, &status, 0));
		if (!WIFSTOPPED(status) ||
			(WSTOPSIG(status) != SIGTRAP && WSTOPSIG(status) != SIGSTOP)) {
			fail_msg("a traced process ended with status %x", (unsigned)status);
		}
		if (WSTOPSIG(status) == SIGSTOP) {
			return false;
		}
	}
	return true;
}

int finish_traced(pid_t child)
{
	int status = 0;

	do {
		assert_int_equal(0, ptrace(PTRACE_CONT, child, NULL, NULL));
		assert_int_equal(child, waitpid(child, &status, 0));
	} while (WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
	if (WIFSTOPPED(status)) {
		fail_msg("a traced process got signal %d", WSTOPSIG(status));
	}
	return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

void kill_traced(pid_t child)
{
	assert_int_equal(0, kill(child, SIGKILL));
	assert_int_equal(1000 + SIGKILL, wait_child(child));
}

/* ---- small file systems ---- */

void mount_small_file_system(unsigned kib)
{
	char options[64];

	(void)snprintf(options, sizeof options, "size=%uk,mode=0711", kib);
	if (geteuid() != 0 || mount("tmpfs", scratch_path(), "tmpfs", 0, options) != 0) {
		skip_because("mounting a small tmpfs is not permitted here");
	}
}

int teardown_small_file_system(void **state)
{
	(void)umount2(scratch_path(), MNT_DETACH);
	return scratch_teardown(state);
}

/* Mounts of the tests are invisible to other processes, and end with the process. */
int private_mounts(void **state)
{
	(void)state;
	if (geteuid() == 0 && unshare(CLONE_NEWNS) == 0) {
		(void)mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL);
	}
	return 0;
}

void fill_file_system(const bloom_segment *segment, uint64_t leave_bytes)
{
	static const unsigned char zeros[4096];
	struct statvfs found;
	int file = open(in_segment(segment, "../ballast"), O_WRONLY | O_CREAT | O_APPEND, 0600);

	assert_true(file >= 0);
	assert_int_equal(0, statvfs(segment->path, &found));
	while (found.f_bavail * found.f_frsize > leave_bytes &&
		write(file, zeros, sizeof zeros) == (ssize_t)sizeof zeros) {
		assert_int_equal(0, statvfs(segment->path, &found));
	}
	close(file);
}

void unfill_file_system(const bloom_segment *segment)
{
	assert_int_equal(0, unlink(in_segment(segment, "../ballast")));
}
