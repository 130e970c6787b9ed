/* Concurrent readers, writers and dying processes as threads of one process, for ThreadSanitizer
 * (tests/unit/run --threads). The sanitizer reports where two threads access the same bytes without
 * any ordering between them.
 *
 * The sanitizer knows addresses, but not files: two mappings of one file look unrelated to it, and
 * a file lock means nothing. So some calls of the core are replaced here (-Wl,--wrap). All mappings
 * of a file are at one address, which is never reused for another file. A thread that takes a
 * file's lock is reported to come after the thread that released it. No report is suppressed.
 */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "filter/atomic.h"
#include "kinds/counting.h"
#include "build/lines.h"
#include "kinds/ondemand.h"
#include "kinds/scalable.h"
#include "kinds/sliding.h"
#include "kinds/reverse_live.h"
#include "segment/stage.h"
#include "segment/tidy.h"

#if defined(__SANITIZE_THREAD__)
#define UNSEEN __attribute__((no_sanitize_thread))
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#else
#define UNSEEN
static void __tsan_acquire(void *address)
{
	(void)address;
}
static void __tsan_release(void *address)
{
	(void)address;
}
#endif

/* ---- one address for a file ---- */

enum { FILES_MAX = 20000, ROOM_BYTES = 1 << 20, HANDLES_MAX = 1024, LOCKS = 1 << 16 };

typedef struct mapped_file {
	dev_t device;
	ino_t inode;
	unsigned char *at;
	unsigned users; /* the number of mappings; 0: unused */
	int file;       /* the test's own descriptor, for mapping more of the file */
	bool writable;
} mapped_file;

static mapped_file files[FILES_MAX];
static unsigned file_count;
static int busy;

/* A spin lock, because a mutex would order threads that the core does not order. */
UNSEEN static void enter(void)
{
	while (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE)) {
		(void)sched_yield();
	}
}

UNSEEN static void leave(void)
{
	__atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}

/* Bypasses the sanitizer, which would otherwise forget what it knows about the address. */
UNSEEN static void *raw_map(void *at, size_t bytes, int protection, int flags, int file)
{
	return (void *)syscall(SYS_mmap, at, bytes, protection, flags, file, 0);
}

UNSEEN static bool map_again(const mapped_file *found, size_t bytes)
{
	return raw_map(found->at, bytes, found->writable ? PROT_READ | PROT_WRITE : PROT_READ,
		       MAP_SHARED | MAP_FIXED, found->file) != MAP_FAILED;
}

UNSEEN static mapped_file *find(const unsigned char *at, const struct stat *file)
{
	unsigned i;

	for (i = file_count; i > 0; i--) {
		mapped_file *one = &files[i - 1];

		if (one->users > 0 &&
			(at != NULL ? one->at == at
				    /* cppcheck-suppress nullPointer ; one of the two is set */
				    : one->device == file->st_dev && one->inode == file->st_ino)) {
			return one;
		}
	}
	return NULL;
}

void *__real_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
int __real_munmap(void *at, size_t bytes);
int __wrap_munmap(void *at, size_t bytes);
void *__wrap_mremap(void *at, size_t bytes, size_t wanted, int flags, ...);

UNSEEN void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
	struct stat status;
	mapped_file *found;
	void *result = MAP_FAILED;

	if (file < 0 || bytes > ROOM_BYTES || syscall(SYS_fstat, file, &status) != 0) {
		return __real_mmap(at, bytes, protection, flags, file, offset);
	}
	enter();
	found = find(NULL, &status);
	if (found == NULL && file_count < FILES_MAX) {
		found = &files[file_count++];
		*found = (mapped_file){.device = status.st_dev, .inode = status.st_ino, .file = -1};
		found->at = raw_map(NULL, ROOM_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	}
	if (found != NULL) {
		if (found->file < 0 || ((protection & PROT_WRITE) && !found->writable)) {
			if (found->file >= 0) {
				(void)syscall(SYS_close, found->file);
			}
			found->file =
				(int)syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, HANDLES_MAX / 2);
			found->writable = protection & PROT_WRITE;
		}
		/* Another thread may have mapped more. The part after the file's end is not
		 * touched. */
		if (found->at != MAP_FAILED && map_again(found, ROOM_BYTES)) {
			found->users++;
			result = found->at;
		}
	}
	leave();
	return result;
}

UNSEEN int __wrap_munmap(void *at, size_t bytes)
{
	mapped_file *found;

	enter();
	found = find(at, NULL);
	if (found != NULL && --found->users == 0) {
		(void)raw_map(
			at, ROOM_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1);
		(void)syscall(SYS_close, found->file);
	}
	leave();
	return found != NULL ? 0 : __real_munmap(at, bytes);
}

UNSEEN void *__wrap_mremap(void *at, size_t bytes, size_t wanted, int flags, ...)
{
	(void)bytes;
	(void)flags;
	/* The whole reserved range has been mapped from the start. */
	return wanted <= ROOM_BYTES ? at : MAP_FAILED;
}

/* ---- bytes that only the kernel reads ---- */

ssize_t __real_write(int file, const void *bytes, size_t count);
ssize_t __wrap_write(int file, const void *bytes, size_t count);

/* bloom_map_check() writes a byte of a mapped file to a pipe to learn whether it can be read. It
 * does not use the byte, so others may change it. The sanitizer would report such a change. */
UNSEEN ssize_t __wrap_write(int file, const void *bytes, size_t count)
{
	bool is_mapped = false;
	unsigned i;

	enter();
	for (i = 0; i < file_count && !is_mapped; i++) {
		is_mapped = (uintptr_t)bytes - (uintptr_t)files[i].at < ROOM_BYTES;
	}
	leave();
	return is_mapped ? syscall(SYS_write, file, bytes, count)
			 : __real_write(file, bytes, count);
}

/* ---- the order that locks establish ---- */

static char lock_of[LOCKS];
static uint64_t held_by[HANDLES_MAX]; /* the inode whose lock a descriptor holds */

UNSEEN static char *lock_key(uint64_t inode, uint64_t number)
{
	return &lock_of[bloom_mix13(inode * 67 + number) % LOCKS];
}

UNSEEN static uint64_t inode_of(int file)
{
	struct stat status;

	return syscall(SYS_fstat, file, &status) == 0 ? status.st_ino : 0;
}

int __real_flock(int file, int what);
int __wrap_flock(int file, int what);
int __real_close(int file);
int __wrap_close(int file);
int __real_fcntl(int file, int command, void *argument);
int __wrap_fcntl(int file, int command, void *argument);

UNSEEN int __wrap_flock(int file, int what)
{
	int result = __real_flock(file, what);

	if (result == 0 && file < HANDLES_MAX) {
		held_by[file] = inode_of(file);
		__tsan_acquire(lock_key(held_by[file], UINT32_MAX));
	}
	return result;
}

UNSEEN int __wrap_close(int file)
{
	if (file >= 0 && file < HANDLES_MAX && held_by[file] != 0) {
		__tsan_release(lock_key(held_by[file], UINT32_MAX));
		held_by[file] = 0;
	}
	return __real_close(file);
}

UNSEEN int __wrap_fcntl(int file, int command, void *argument)
{
	struct flock *lock = argument;
	char *key = lock_key(inode_of(file), (uint64_t)lock->l_start);
	int result;

	if (lock->l_type == F_UNLCK) {
		__tsan_release(key);
	}
	result = __real_fcntl(file, command, argument);
	if (result == 0 && lock->l_type != F_UNLCK) {
		__tsan_acquire(key);
	}
	return result;
}

/* ---- a filter, and the operations on it ---- */

enum {
	ADDERS = 2,
	LOOKERS = 2,
	KEYS = 1500,
	ROUNDS_LEAST = 300,
	START = 1000000,
	WINDOW = 1000,
	CHUNK_BYTES = 1024,
	SLOTS = 3
};

typedef struct thread thread;

typedef struct play {
	const char *what;
	bloom_kind kind;
	void (*prepare)(void);
	/* Performs operation number i: adds, loads, fills … Returns false on failure. */
	bool (*act)(thread *self, uint64_t i);
	/* Looks up a key that existed before, and the key that operation i added. Returns false if
	 * one is missing. */
	bool (*look)(thread *self, unsigned adder, uint64_t i, bool is_there);
	uint64_t rounds;
} play;

struct thread {
	pthread_t id;
	const play *it;
	unsigned number;
	bloom_attachment attachment;
	bloom_error error;
	uint64_t random;
};

static bloom_segment segment;
static test_blob blobs[2], chunked;
static bloom_head chunked_head;
static bloom_view chunked_view;
static uint64_t progress[ADDERS];       /* the number of finished operations */
static uint64_t begun_ms[ADDERS][KEYS]; /* their times, by the clock of the sliding filter */
static uint64_t *clock_ms;              /* which dying processes advance, too */
static uint64_t adders_left, wrong;

static const char *const family_of[] = {"a", "b", "killed"};

static uint64_t clock_now(void)
{
	return bloom_load_relaxed(clock_ms);
}

static bloom_digest digest_in(const thread *self, const char *family, uint64_t i)
{
	return key_digest(self->attachment.view.seed, family, i);
}

static bool has(thread *self, const char *family, uint64_t i)
{
	char text[KEY_TEXT_BYTES];
	size_t count = key_text(family, i, text);

	return bloom_attachment_check(&self->attachment) == BLOOM_PRESENCE_UNMAPPED ||
		bloom_attachment_test(&self->attachment, (const unsigned char *)text, count);
}

static bool load_one(thread *self, test_blob blob, bool to_the_end)
{
	bloom_stage stage;
	uint64_t generation;

	if (bloom_stage_begin(&segment, "tags", blob.count, &stage, &self->error) != BLOOM_OK) {
		return false;
	}
	if (bloom_stage_write(&stage, blob.bytes, to_the_end ? blob.count : blob.count / 2,
		    &self->error) != BLOOM_OK) {
		return false;
	}
	if (!to_the_end) {
		bloom_stage_abort(&stage);
		return true;
	}
	return bloom_stage_commit(&stage, &generation, &self->error) == BLOOM_OK;
}

static void prepare_loaded(void)
{
	assert_ok(load(&segment, "tags", blobs[0], NULL));
}

/* Some loads are aborted in the middle. */
static bool act_load(thread *self, uint64_t i)
{
	return load_one(self, blobs[i % 2], i % 3 != 2);
}

static bool look_loaded(thread *self, unsigned adder, uint64_t i, bool is_there)
{
	(void)adder;
	(void)is_there;
	return has(self, "common", i % 20);
}

static void prepare_kind(bloom_kind kind)
{
	bloom_live_params params = {
		.kind = kind,
		.capacity_keys = kind == BLOOM_KIND_SCALABLE ? 100 : 2 * KEYS + 100,
		.rate = 0.001,
		.growth = 2,
		.tightening = 0.8,
		.window_ms = WINDOW,
		.groups = kind == BLOOM_KIND_REVERSE ? 100 : 0,
		.fan_out = kind == BLOOM_KIND_REVERSE ? 64 : 0,
	};

	live_create(&segment, "tags", &params, 3);
}

static void prepare_live(void)
{
	prepare_kind(BLOOM_KIND_LIVE);
}

static bool act_live(thread *self, uint64_t i)
{
	(void)bloom_live_add(self->attachment.live, 0, digest_in(self, family_of[self->number], i));
	return true;
}

static bool look_added(thread *self, unsigned adder, uint64_t i, bool is_there)
{
	return has(self, family_of[adder], i) || !is_there;
}

static void prepare_reverse(void)
{
	prepare_kind(BLOOM_KIND_REVERSE);
}

static bool act_reverse(thread *self, uint64_t i)
{
	(void)bloom_live_add_to_group(
		self->attachment.live, i % 100, digest_in(self, family_of[self->number], i));
	return true;
}

static void prepare_scalable(void)
{
	prepare_kind(BLOOM_KIND_SCALABLE);
}

static bool act_scalable(thread *self, uint64_t i)
{
	bool is_new;

	return bloom_scalable_add(self->attachment.live, &segment, "tags",
		       digest_in(self, family_of[self->number], i), &is_new,
		       &self->error) == BLOOM_OK;
}

static void prepare_sliding(void)
{
	bloom_attachment attachment;

	prepare_kind(BLOOM_KIND_SLIDING);
	attach_to(&segment, "tags", &attachment);
	attachment.live->head->turn = (uint64_t)START << 2;
	*clock_ms = START;
	bloom_detach(&attachment);
}

/* Each add advances the clock: a half window lasts about a hundred keys. */
static bool act_sliding(thread *self, uint64_t i)
{
	bool is_new;

	if (self->number < ADDERS) {
		bloom_store_relaxed(&begun_ms[self->number][i], clock_now());
	}
	(void)bloom_add(clock_ms, 2);
	return bloom_sliding_add(self->attachment.live, &segment, "tags",
		       digest_in(self, family_of[self->number], i), clock_now, &is_new,
		       &self->error) == BLOOM_OK;
}

/* A key that was added less than half a window ago must be found. The age is measured after the
 * lookup, because the thread may be suspended for longer than that between reading the clock and
 * reading the turn. */
static bool look_sliding(thread *self, unsigned adder, uint64_t i, bool is_there)
{
	bool found = bloom_sliding_test(
		self->attachment.live, digest_in(self, family_of[adder], i), clock_now());

	return found || !is_there ||
		clock_now() - bloom_load_relaxed(&begun_ms[adder][i]) >= WINDOW / 2;
}

static void prepare_counting(void)
{
	thread self = {.number = 0};
	bool is_new;
	uint64_t i;

	prepare_kind(BLOOM_KIND_COUNTING);
	attach_to(&segment, "tags", &self.attachment);
	for (i = 0; i < 20; i++) {
		assert_ok(bloom_counting_add(self.attachment.live, &segment, "tags",
			digest_in(&self, "common", i), &is_new, &error));
	}
	bloom_detach(&self.attachment);
}

/* Each key is added twice and removed once. */
static bool act_counting(thread *self, uint64_t i)
{
	bloom_digest digest = digest_in(self, family_of[self->number], i);
	bloom_live *live = self->attachment.live;
	bool answer;

	return bloom_counting_add(live, &segment, "tags", digest, &answer, &self->error) ==
		BLOOM_OK &&
		bloom_counting_add(live, &segment, "tags", digest, &answer, &self->error) ==
		BLOOM_OK &&
		bloom_counting_remove(live, &segment, "tags", digest, &answer, &self->error) ==
		BLOOM_OK &&
		answer;
}

static bool look_counting(thread *self, unsigned adder, uint64_t i, bool is_there)
{
	return has(self, "common", i % 20) && look_added(self, adder, i, is_there);
}

static void prepare_on_demand(void)
{
	bloom_stage stage;
	uint64_t generation;

	assert_ok(bloom_cache_stage(&segment, "tags",
		bloom_cache_bytes_least(&chunked_head) + (SLOTS - 1) * CHUNK_BYTES, &chunked_head,
		chunked.bytes, NULL, &stage, &error));
	assert_ok(bloom_stage_commit(&stage, &generation, &error));
}

static bool act_put(thread *self, uint64_t i)
{
	uint64_t chunk = (i * 7 + self->number) % chunked_head.chunks;
	bloom_status status = bloom_cache_put(self->attachment.cache, &segment, "tags", chunk,
		chunked.bytes + chunked_head.head_bytes +
			bloom_head_chunk_offset(&chunked_head, chunk),
		&self->error);

	/* On a busy machine the lock's holder may be suspended for longer than a lookup waits. */
	return status == BLOOM_OK || status == BLOOM_E_BUSY;
}

static bool look_on_demand(thread *self, unsigned adder, uint64_t i, bool is_there)
{
	bloom_digest in = key_digest(chunked_view.seed, "in", i),
		     out = key_digest(chunked_view.seed, "out", i);
	bloom_answer answer = bloom_cache_test(self->attachment.cache, out);

	(void)adder;
	(void)is_there;
	return bloom_cache_test(self->attachment.cache, in) != BLOOM_NO &&
		(answer == BLOOM_NOT_HERE ||
			(answer == BLOOM_MAYBE) == bloom_view_test(&chunked_view, out));
}

static const play plays[] = {
	{"loads", BLOOM_KIND_LOADED, prepare_loaded, act_load, look_loaded, 150},
	{"adding", BLOOM_KIND_LIVE, prepare_live, act_live, look_added, KEYS},
	{"adding to groups", BLOOM_KIND_REVERSE, prepare_reverse, act_reverse, look_added, KEYS},
	{"growing", BLOOM_KIND_SCALABLE, prepare_scalable, act_scalable, look_added, KEYS},
	{"turning", BLOOM_KIND_SLIDING, prepare_sliding, act_sliding, look_sliding, KEYS},
	{"counting", BLOOM_KIND_COUNTING, prepare_counting, act_counting, look_counting, KEYS},
	{"filling slots", BLOOM_KIND_ON_DEMAND, prepare_on_demand, act_put, look_on_demand, KEYS},
};

/* ---- threads ---- */

static bool attach(thread *self)
{
	return bloom_attach(&segment, "tags", &self->attachment, &self->error) == BLOOM_OK;
}

static void *run_adder(void *context)
{
	thread *self = context;
	uint64_t i;

	if (!attach(self)) {
		bloom_increment(&wrong);
	} else {
		for (i = 0; i < self->it->rounds; i++) {
			if (!self->it->act(self, i)) {
				fprintf(stderr, "# %s: %s (%s)\n", self->it->what,
					bloom_status_sentence(self->error.status),
					self->error.subject);
				bloom_increment(&wrong);
			}
			bloom_store_release(&progress[self->number], i + 1);
		}
		bloom_detach(&self->attachment);
	}
	bloom_decrement(&adders_left);
	return NULL;
}

static void *run_looker(void *context)
{
	thread *self = context;
	uint64_t rounds, i, done;
	unsigned adder;

	if (!attach(self)) {
		bloom_increment(&wrong);
		return NULL;
	}
	for (rounds = 0; bloom_load_relaxed(&adders_left) > 0 || rounds < ROUNDS_LEAST; rounds++) {
		adder = (unsigned)random_below(&self->random, ADDERS);
		/* Most lookups happen without any ordering between the adder and this thread. */
		done = rounds % 8 == 0 ? bloom_load_acquire(&progress[adder]) : 0;
		i = done > 0 ? done - 1 - random_below(&self->random, done < 4 ? done : 4)
			     : random_below(&self->random, KEYS);
		if (!self->it->look(self, adder, i, done > 0)) {
			bloom_increment(&wrong);
		}
	}
	bloom_detach(&self->attachment);
	return NULL;
}

/* A process that does the same as the adders, with its own keys, until it is killed. */
static void *run_killer(void *context)
{
	thread *self = context;
	int status;
	uint64_t i;
	pid_t child;

	while (bloom_load_relaxed(&adders_left) > 0) {
		child = fork();
		if (child < 0) {
			fprintf(stderr, "# %s: fork: %s\n", self->it->what, strerror(errno));
			bloom_increment(&wrong);
			break;
		}
		if (child == 0) {
			/* May fail: fork copies the memory slightly later than the descriptors
			 * that the memory refers to. */
			if (attach(self)) {
				for (i = 0; i < KEYS; i++) {
					(void)self->it->act(self, i);
				}
			}
			for (;;) {
				(void)pause();
			}
		}
		pause_us(2000 + random_below(&self->random, 8000));
		(void)kill(child, SIGKILL);
		/* Does not call wait_child(), because only a test's own thread may fail the
		 * test. */
		while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
		}
		if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) {
			fprintf(stderr,
				"# %s: the process ended with status %x before it was killed\n",
				self->it->what, (unsigned)status);
			bloom_increment(&wrong);
		}
	}
	return NULL;
}

static void start(
	thread *one, void *(*body)(void *), const play *it, unsigned number, uint64_t seed)
{
	*one = (thread){.it = it, .number = number, .random = seed + number};
	assert_int_equal(0, pthread_create(&one->id, NULL, body, one));
}

static void run_play(const play *it, uint64_t seed)
{
	thread all[ADDERS + LOOKERS + 1];
	unsigned i;

	remove_tree(segment.path);
	it->prepare();
	memset(progress, 0, sizeof progress);
	adders_left = ADDERS;
	wrong = 0;
	for (i = 0; i < ADDERS; i++) {
		start(&all[i], run_adder, it, i, seed);
	}
	for (; i < ADDERS + LOOKERS; i++) {
		start(&all[i], run_looker, it, i, seed);
	}
	start(&all[i], run_killer, it, 2, seed);
	for (i = 0; i <= ADDERS + LOOKERS; i++) {
		assert_int_equal(0, pthread_join(all[i].id, NULL));
	}
	if (wrong != 0) {
		fail_msg("%s: %llu answers were wrong", it->what, (unsigned long long)wrong);
	}
	segment.lock_timeout_ms = 0;
	assert_ok(load(&segment, "other", blobs[0], NULL));
	segment.lock_timeout_ms = 60000;
	/* The last killed process may have left a staged file, because nobody wrote to its filter
	 * after it. */
	bloom_segment_sweep(&segment);
	assert_int_equal(2, count_entries(in_segment(&segment, "tags"), ""));
}

static void make_blobs(void)
{
	static const bloom_params small = {.capacity_keys = 100, .rate = 1e-6, .shard_bytes = 1024};
	bloom_params params = {
		.capacity_keys = 8 * KEYS, .rate = 0.001, .shard_bytes = CHUNK_BYTES};
	bloom_builder builder = {0};
	uint64_t i;

	blobs[0] = blob_of(&small, 1, 20, "common", "x", NULL);
	blobs[1] = blob_of(&small, 2, 20, "common", "y", NULL);
	assert_ok(bloom_builder_init(&params, 7, CHUNK_BYTES, &builder, &error));
	for (i = 0; i < KEYS; i++) {
		(void)builder_add_key(&builder, "in", i);
	}
	assert_ok(bloom_builder_finish(&builder, 1700000000000, 1, &error));
	chunked = blob_copy(
		(test_blob){.bytes = builder.image, .count = (size_t)builder.image_bytes});
	bloom_builder_free(&builder);
	assert_ok(bloom_blob_parse(chunked.bytes, chunked.count, &chunked_head, &error));
	chunked_view =
		bloom_view_of(&chunked_head.geometry, chunked.bytes + chunked_head.head_bytes);
	assert_true(chunked_head.chunks > SLOTS);
}

static void threads_and_dying_processes_disturb_nobody(void **state)
{
	uint64_t seed = test_seed("threads");
	unsigned i;

	(void)state;
	segment = scratch_segment();
	clock_ms = shared_memory(sizeof *clock_ms);
	make_blobs();
	for (i = 0; i < sizeof plays / sizeof *plays; i++) {
		printf("# %s\n", plays[i].what);
		fflush(stdout);
		run_play(&plays[i], seed);
	}
	free_shared_memory(clock_ms, sizeof *clock_ms);
	blob_free(&blobs[0]);
	blob_free(&blobs[1]);
	blob_free(&chunked);
}

/* ---- building ---- */

static void build_by_threads(
	const bloom_params *params, const bloom_secret *secret, const char *text, size_t bytes)
{
	bloom_lines lines = {0};
	bloom_builder builder = {0};
	size_t at, piece;

	assert_ok(bloom_builder_init(params, 1, 0, &builder, &error));
	builder.jobs = 5;
	builder.hasher = bloom_hasher_of(1, secret);
	/* The pieces end within lines, and each is large enough for all threads. */
	for (at = 0; at < bytes; at += piece) {
		piece = bytes - at < 85001 ? bytes - at : 85001;
		assert_ok(bloom_builder_add_lines(
			&builder, &lines, (const unsigned char *)text + at, piece, &error));
	}
	assert_ok(bloom_builder_end_lines(&builder, &lines, &error));
	assert_ok(bloom_builder_finish(&builder, 1, 1, &error));
	assert_int_equal(params->capacity_keys, builder.added);
	bloom_builder_free(&builder);
}

static void a_builders_threads_write_no_byte_that_another_one_touches(void **state)
{
	enum { LINES = 30000 };
	static const unsigned char secret_bytes[BLOOM_SECRET_BYTES] = {1};
	static char text[LINES * 8];
	bloom_params params = {.capacity_keys = LINES, .rate = 0.01};
	bloom_secret secret;
	size_t bytes = 0;
	unsigned i;

	(void)state;
	for (i = 0; i < LINES; i++) {
		bytes += (size_t)sprintf(text + bytes, "%u\n", i);
	}
	for (i = 0; i < 2; i++) {
		params.ribbon = i == 1;
		build_by_threads(&params, NULL, text, bytes);
		if (bloom_has_sodium()) {
			assert_ok(bloom_secret_make(secret_bytes, &secret, &error));
			build_by_threads(&params, &secret, text, bytes);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("no two threads of a builder access the same byte",
			a_builders_threads_write_no_byte_that_another_one_touches),
		/* fault: other-sapi, threads */
		TEST_IN_SCRATCH("reading threads, writing threads and killed processes do not "
				"affect each other",
			threads_and_dying_processes_disturb_nobody),
	};

	return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
