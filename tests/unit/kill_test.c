/* Every operation that changes or reads a segment is killed at each of its system calls and at each
 * of its instructions. Afterwards the segment serves either the previous state or the new one, the
 * next process need not wait, and nothing is left over. A reader leaves every byte unchanged,
 * except the marks and counters of an on-demand filter.
 *
 * Only files survive a kill, because the kernel releases the locks and the memory of the killed
 * process. A single-stepped run therefore shows what a kill at each instruction would leave.
 * Whenever the files have changed, the test copies them and checks the copy like the segment of a
 * killed writer. The source needs no hooks, and the test also covers the states between two stores
 * of one source line.
 *
 * Real kills confirm the results: at each system call, and at every BLOOM_TEST_STEP-th
 * single-stepped instruction. By default, the step is chosen to kill at about 20 instructions. With
 * BLOOM_TEST_STEP=1, the test kills at each instruction. If an operation has more than 10,000, it
 * kills at each instruction next to a change of the files, and at every 100th of the others. For
 * some of the resulting states, the test also kills the next process at each system call. */
#include "scenes.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "filter/atomic.h"
#include "kinds/ondemand.h"
#include "segment/drop.h"

#if defined(__x86_64__) || defined(__aarch64__)
/* Replaces the C library's function in this program. The kernel's code for it in the process
 * (vDSO) starts again if the kernel has updated the time meanwhile, which happens every few
 * milliseconds. A single-stepped process is so slow that it may never finish that code. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
	return (int)syscall(SYS_clock_gettime, clock, now);
}
#endif

/* ---- images of a segment ---- */

enum { IMAGE_BYTES_MAX = 1 << 20 };

/* The type, name and bytes of every file in a segment, one file after the other. */
typedef struct image {
	size_t count;
	unsigned char *bytes;
	bool masks; /* if set, words that lookups may write are stored as zero */
} image;

static void append(image *at, const void *bytes, size_t count)
{
	assert_true(at->count + count <= IMAGE_BYTES_MAX);
	memcpy(at->bytes + at->count, bytes, count);
	at->count += count;
}

static void append_directory(image *at, int directory);

/* Clears the words that lookups may write in the image of a file: the counters and marks of an
 * on-demand filter. */
static void mask(unsigned char *file, uint64_t bytes)
{
	uint64_t slots;
	bloom_head blob;
	uint64_t magic = 0;

	if (bytes > BLOOM_CACHE_HEAD_BYTES) {
		memcpy(&magic, file, sizeof magic);
	}
	if (magic == BLOOM_CACHE_MAGIC) {
		memcpy(&slots, file + offsetof(bloom_cache_head, slots), sizeof slots);
		assert_ok(bloom_head_parse(file + BLOOM_CACHE_HEAD_BYTES,
			bytes - BLOOM_CACHE_HEAD_BYTES, &blob, &error));
		memset(file + offsetof(bloom_cache_head, misses), 0,
			offsetof(bloom_cache_head, fetched) - offsetof(bloom_cache_head, misses));
		memset(file + BLOOM_CACHE_HEAD_BYTES + blob.head_bytes +
				(blob.chunks + slots) * sizeof(uint64_t),
			0, slots);
	}
}

static void append_entry(image *at, int directory, const char *name)
{
	int handle = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct stat found;
	uint64_t head[2];
	ssize_t got;

	assert_true(handle >= 0);
	assert_int_equal(0, fstat(handle, &found));
	head[0] = found.st_mode;
	head[1] = S_ISREG(found.st_mode) ? (uint64_t)found.st_size : 0;
	append(at, head, sizeof head);
	append(at, name, strlen(name) + 1);
	if (S_ISREG(found.st_mode)) {
		assert_true(at->count + head[1] <= IMAGE_BYTES_MAX);
		got = read(handle, at->bytes + at->count, head[1]);
		assert_int_equal(head[1], got);
		if (at->masks) {
			mask(at->bytes + at->count, head[1]);
		}
		at->count += head[1];
	} else {
		append_directory(at, handle);
	}
	close(handle);
}

static void append_directory(image *at, int directory)
{
	static const uint64_t end[2];
	DIR *stream = fdopendir(dup(directory));
	struct dirent *entry;

	assert_non_null(stream);
	while ((entry = readdir(stream)) != NULL) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
			append_entry(at, directory, entry->d_name);
		}
	}
	closedir(stream);
	append(at, end, sizeof end);
}

static void take_image(image *at, const bloom_segment *segment)
{
	int directory = open(segment->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	at->count = 0;
	assert_true(directory >= 0 || errno == ENOENT);
	if (directory >= 0) {
		append_directory(at, directory);
		close(directory);
	}
}

/* Creates a directory and its entries from an image. Returns the end of the entries in the
 * image. */
static size_t put_directory(const image *from, size_t at, const char *path)
{
	char inner[BLOOM_PATH_BYTES_MAX + 512];
	uint64_t head[2];

	assert_int_equal(0, mkdir(path, 0700));
	for (;;) {
		memcpy(head, from->bytes + at, sizeof head);
		at += sizeof head;
		if (head[0] == 0) {
			return at;
		}
		(void)snprintf(inner, sizeof inner, "%s/%s", path, (const char *)from->bytes + at);
		at += strlen((const char *)from->bytes + at) + 1;
		if (S_ISREG(head[0])) {
			write_file(inner, from->bytes + at, head[1], head[0] & 07777);
			at += head[1];
		} else {
			at = put_directory(from, at, inner);
		}
	}
}

/* ---- the process that is killed ---- */

typedef struct task {
	const scene *it;
	bloom_segment segment;
	const image
		*left; /* the files that an earlier killed process left; NULL: none was killed */
	bloom_attachment watcher; /* attached before the operation, if there was a filter */
	bool watching;
} task;

static int run_task(void *context)
{
	task *work = context;
	bloom_status status;

	traced_begin();
	status = work->it->act(&work->segment, work->watching ? &work->watcher : NULL, &error);
	traced_end();
	return status == BLOOM_OK ? 0 : 1;
}

static void prepare(task *work)
{
	remove_tree(work->segment.path);
	if (work->left == NULL) {
		work->it->prepare(&work->segment);
	} else if (work->left->count > 0) {
		(void)put_directory(work->left, 0, work->segment.path);
	}
	work->watching =
		bloom_attach(&work->segment, SCENE_NAME, &work->watcher, &error) == BLOOM_OK;
}

/* Checks the answers of a reader that attached before the operation. */
static void watch(task *work, bool busy)
{
	if (!work->watching) {
		return;
	}
	switch (bloom_attachment_check(&work->watcher)) {
	case BLOOM_PRESENCE_ABSENT:
		(void)work->it->look(NULL, busy);
		break;
	case BLOOM_PRESENCE_UNMAPPED:
		fail_msg("%s: a reader cannot map the served generation", work->it->what);
		break;
	default:
		(void)work->it->look(&work->watcher, busy);
	}
}

/* Asserts that a sweep by a writer of another filter removes what the killed process left. Only a
 * control page or an empty directory may stay. */
static void let_another_filter_s_writer_tidy(const bloom_segment *segment)
{
	bloom_attachment attachment;
	bool existed;
	int left, expected;

	make_sweep_due(segment);
	assert_ok(scene_load_other(segment));
	left = count_entries(in_segment(segment, SCENE_NAME), "");
	if (bloom_attach(segment, SCENE_NAME, &attachment, &error) == BLOOM_OK) {
		expected = 2 +
			(bloom_control_additions(attachment.control, attachment.generation) != 0);
		assert_int_equal(expected, left);
		bloom_detach(&attachment);
	} else {
		assert_in_range(left + 1, 0, 2);
	}
	assert_ok(bloom_segment_drop(segment, "other", &existed, &error));
}

static void finish(task *work)
{
	bloom_segment now = work->segment;

	now.lock_timeout_ms = 0;
	watch(work, false);
	(void)scene_look(work->it, &work->segment);
	let_another_filter_s_writer_tidy(&now);
	(void)scene_look(work->it, &work->segment);
	scene_heal(work->it, &work->segment);
	watch(work, false);
	if (work->watching) {
		bloom_detach(&work->watcher);
	}
}

/* ---- at each system call ---- */

/* Lets the process enter or leave the kernel `stops` times. Returns false if the process has
 * finished. */
static bool pass_calls(pid_t child, unsigned stops)
{
	int status = 0;

	assert_int_equal(0,
		ptrace(PTRACE_SETOPTIONS, child, NULL,
			(void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL)));
	for (; stops > 0; stops--) {
		assert_int_equal(0, ptrace(PTRACE_SYSCALL, child, NULL, NULL));
		assert_int_equal(child, waitpid(child, &status, 0));
		if (!WIFSTOPPED(status)) {
			fail_msg("a traced process ended with status %x", (unsigned)status);
		}
		if (WSTOPSIG(status) == SIGSTOP) {
			return false;
		}
	}
	return true;
}

static unsigned kill_at_each_call(task *work)
{
	bool running = true;
	unsigned stops;
	pid_t child;

	for (stops = 1; running; stops++) {
		prepare(work);
		child = start_traced(run_task, work);
		running = pass_calls(child, stops);
		watch(work, running);
		kill_traced(child);
		finish(work);
	}
	return stops - 1;
}

static void killed_at_any_system_call_it_harms_nobody(void **state)
{
	unsigned i, kills, total = 0;
	task work = {.segment = scratch_segment()};

	(void)state;
	needs_tracing();
	/* with a limit, there are also kills in the lock of memory_limit.h */
	work.segment.memory_limit_bytes = 1 << 30;
	scenes_begin();
	for (i = 0; i < scene_count; i++) {
		work.it = &scenes[i];
		kills = kill_at_each_call(&work);
		printf("# %s: killed at %u stops\n", work.it->what, kills);
		total += kills;
	}
	scenes_end();
	assert_true(total > 800);
}

/* ---- at each instruction ---- */

/* The test single-steps only those parts between two system calls in which a file changes. */
enum { CALLS_MAX = 2000, STEPS_MAX = 100000, STEPS_MANY = 10000, STEP_OF_MANY = 100 };

typedef struct stepping {
	bool changed[CALLS_MAX]; /* [stop]: whether the files changed before the next stop */
	unsigned steps_before[CALLS_MAX +
		1]; /* [stop]: steps before the stop in the run that checks every instruction */
	bool changes[STEPS_MAX]; /* [step]: whether this step or the next one changed the files */
	unsigned stops;
	unsigned steps;
	unsigned states; /* distinct successive states of the files */
	unsigned done;   /* states in which the operation was done */
	image last_undone, some_undone;
} stepping;

static void keep_image(image *kept, const image *now)
{
	free(kept->bytes);
	kept->bytes = malloc(now->count + 1);
	assert_non_null(kept->bytes);
	memcpy(kept->bytes, now->bytes, now->count);
	kept->count = now->count;
}

static bool takes_image(image *at, image *last, const bloom_segment *segment)
{
	take_image(at, segment);
	if (at->count == last->count && memcmp(at->bytes, last->bytes, at->count) == 0) {
		return false;
	}
	last->count = at->count;
	memcpy(last->bytes, at->bytes, at->count);
	return true;
}

static void find_changes(task *work, image *last, image *now, stepping *counted)
{
	pid_t child;

	prepare(work);
	last->count = SIZE_MAX;
	child = start_traced(run_task, work);
	(void)takes_image(now, last, &work->segment);
	while (pass_calls(child, 1)) {
		assert_true(counted->stops < CALLS_MAX);
		counted->changed[counted->stops] = takes_image(now, last, &work->segment);
		/* A reader must change nothing. All parts of a reader are marked as changed, so
		 * that they are also single-stepped. */
		assert_false(work->it->reads && counted->changed[counted->stops]);
		counted->changed[counted->stops++] |= work->it->reads;
	}
	kill_traced(child);
	finish(work);
}

#if defined(__x86_64__) || defined(__aarch64__)
static bool stands_at_a_call(pid_t child)
{
	struct user_regs_struct registers;
	struct iovec room = {.iov_base = &registers, .iov_len = sizeof registers};
	uint64_t instruction;

	assert_int_equal(0, ptrace(PTRACE_GETREGSET, child, (void *)NT_PRSTATUS, &room));
#if defined(__x86_64__)
	instruction = (uint64_t)ptrace(PTRACE_PEEKTEXT, child, (void *)registers.rip, NULL);
	return (instruction & 0xFFFF) == 0x050F;
#else
	instruction = (uint64_t)ptrace(PTRACE_PEEKTEXT, child, (void *)registers.pc, NULL);
	return (instruction & 0xFFFFFFFF) == 0xD4000001;
#endif
}
#else
static bool stands_at_a_call(pid_t child)
{
	(void)child;
	skip_because("this test does not know the processor's system calls");
	return true;
}
#endif

/* Checks a copy of the files. A kill at this instruction would leave exactly these files. */
static void look_at_what_is_left(task *work, const image *now, stepping *counted)
{
	bloom_segment copy = work->segment;
	unsigned done;

	assert_true(strlen(copy.path) + 6 < sizeof copy.path);
	strcat(copy.path, ".copy");
	counted->states++;
	watch(work, true);
	if (now->count > 0) {
		(void)put_directory(now, 0, copy.path);
	}
	done = scene_look(work->it, &copy);
	/* Once the operation is done, it must stay done. */
	assert_true(done > 0 || counted->done == 0);
	counted->done += done > 0;
	if (done == 0) {
		keep_image(&counted->last_undone, now);
		if ((counted->states & (counted->states - 1)) == 0) {
			keep_image(&counted->some_undone,
				now); /* the latest of the states 1, 2, 4, 8 … */
		}
	}
	scene_heal(work->it, &copy);
	remove_tree(copy.path);
}

/* Runs the process to its next system call stop. If `images` is given, checks the files after each
 * instruction that changes them. Otherwise, parts before instruction number `last_step` are not
 * single-stepped again. Returns false if the process has finished or has reached `last_step`. */
static bool step_to_next_call(task *work, pid_t child, unsigned stop, stepping *counted,
	unsigned last_step, image *images)
{
	bool look = images != NULL;

	if (look) {
		counted->steps_before[stop] = counted->steps;
		counted->steps_before[stop + 1] = UINT_MAX;
	} else if (stop < counted->stops && counted->steps_before[stop + 1] <= last_step) {
		counted->steps = counted->steps_before[stop + 1];
		return pass_calls(child, 1);
	}
	if (look && takes_image(&images[0], &images[1], &work->segment)) {
		look_at_what_is_left(work, &images[0], counted);
	}
	/* At even stops the process has left the kernel, and at odd stops it has entered it. */
	while (stop % 2 == 0 && stop < counted->stops && counted->changed[stop] &&
		!stands_at_a_call(child)) {
		if (counted->steps == last_step) {
			return false;
		}
		assert_true(step_traced(child, 1));
		counted->steps++;
		/* A reader is checked only at each stop, because it must not change any file. */
		if (look && !work->it->reads &&
			takes_image(&images[0], &images[1], &work->segment)) {
			assert_true(counted->steps < STEPS_MAX);
			counted->changes[counted->steps] = counted->changes[counted->steps - 1] =
				true;
			look_at_what_is_left(work, &images[0], counted);
		}
	}
	return pass_calls(child, 1);
}

/* Starts a process and stops it at instruction number `last_step`, counted over all single-stepped
 * instructions. */
static pid_t run_to(task *work, stepping *counted, unsigned last_step, image *images)
{
	pid_t child = start_traced(run_task, work);
	unsigned stop = 0;

	counted->steps = 0;
	while (step_to_next_call(work, child, stop, counted, last_step, images)) {
		stop++;
	}
	return child;
}

static void look_at_each_instruction(task *work, image *images, stepping *counted)
{
	find_changes(work, &images[1], &images[0], counted);
	prepare(work);
	images[1].count = SIZE_MAX;
	kill_traced(run_to(work, counted, UINT32_MAX, images));
	finish(work);
}

/* Kills the process at some of the single-stepped instructions. */
static unsigned kill_at_some_instructions(task *work, stepping *counted)
{
	const char *wanted = getenv("BLOOM_TEST_STEP");
	unsigned total = counted->steps, at, kills = 0;
	unsigned step = wanted != NULL ? (unsigned)strtoul(wanted, NULL, 0)
				       : total /
				(SANITIZED                        ? 3
						: work->it->reads ? 6
								  : 20) +
			1;

	assert_true(step > 0);
	for (at = 0; at < total; at++) {
		if (step == 1 && total > STEPS_MANY) {
			if ((at >= STEPS_MAX || !counted->changes[at]) && at % STEP_OF_MANY != 0) {
				continue;
			}
		} else if (at % step != step / 2) {
			continue;
		}
		prepare(work);
		kill_traced(run_to(work, counted, at, NULL));
		finish(work);
		kills++;
	}
	return kills;
}

/* Kills the next process, which starts from files that a killed process left, at each of its system
 * calls. */
static unsigned kill_the_next_one(task *work, stepping *counted)
{
	const image *lefts[] = {&counted->some_undone, &counted->last_undone};
	unsigned i, kills = 0;

	for (i = 0; i < 2; i++) {
		work->left = lefts[i];
		kills += lefts[i]->bytes != NULL && !SANITIZED ? kill_at_each_call(work) : 0;
	}
	work->left = NULL;
	free(counted->some_undone.bytes);
	free(counted->last_undone.bytes);
	return kills;
}

static void killed_at_any_instruction_it_harms_nobody(void **state)
{
	image images[2] = {0};
	task work = {.segment = scratch_segment()};
	static stepping counted;
	unsigned i, steps, kills, second;

	(void)state;
	needs_tracing();
	images[0].bytes = malloc(IMAGE_BYTES_MAX);
	images[1].bytes = malloc(IMAGE_BYTES_MAX);
	assert_true(images[0].bytes != NULL && images[1].bytes != NULL);
	scenes_begin();
	for (i = 0; i < scene_count; i++) {
		work.it = &scenes[i];
		counted = (stepping){0};
		images[0].masks = work.it->reads;
		if (SANITIZED && scenes[i].is_long) {
			continue; /* this scene takes about a hundred thousand instructions */
		}
		look_at_each_instruction(&work, images, &counted);
		steps = counted.steps;
		kills = kill_at_some_instructions(&work, &counted);
		second = kill_the_next_one(&work, &counted);
		printf("# %s: %u instructions, %u states, %u of them done; killed at %u "
		       "instructions, the next process at %u stops\n",
			work.it->what, steps, counted.states, counted.done, kills, second);
		fflush(stdout);
		assert_true(work.it->reads ? counted.states == 1 : counted.states > 1);
		assert_true(counted.done > 0);
	}
	scenes_end();
	free(images[0].bytes);
	free(images[1].bytes);
}

/* The test and the process that it traces take turns. Taking turns is several times as fast on one
 * processor as on two. */
static void stay_on_one_processor(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET((unsigned)sched_getcpu(), &one);
	(void)sched_setaffinity(0, sizeof one, &one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* fault: additions-killed, killed-anywhere, reader-killed */
		TEST_IN_SCRATCH("a process killed at any system call harms no other process",
			killed_at_any_system_call_it_harms_nobody),
		/* fault: killed-anywhere, reader-killed, save-killed, second-death */
		TEST_IN_SCRATCH("a process killed at any instruction harms no other process",
			killed_at_any_instruction_it_harms_nobody),
	};

	stay_on_one_processor();
	return cmocka_run_group_tests_name("kill", tests, NULL, NULL);
}
