/* Serves a script's requests from many threads at once, as FrankenPHP or Apache's worker MPM would.
 *
 *     threads script step:threads:lives:requests... -- bloom.path=... name=value...
 *
 * In each step, `threads` threads start together. Each serves `requests` requests and ends. Then
 * another thread takes its place, until `lives` threads have run there. The script gets $step,
 * $thread (its place), $life and $request, and a function meet(), which waits for the threads of
 * all other places, so that their calls overlap. The script's output is printed as it is.
 *
 * When all threads of a step have ended, they must have left no descriptor and no mapping of the
 * segment behind. The settings are those of PHP, bloom.path among them. The exit status is 1 if
 * something is left.
 */
#include <sapi/embed/php_embed.h>

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS_MAX = 64, SETTINGS_BYTES_MAX = 8192, MINUTES_MAX = 10 };

/* What a thread is told. */
typedef struct place {
	const char *step;
	long thread;
	long life;
	long requests;
	long lives;
} place;

static const char *script;
static const char *segment;
static pid_t process;

static void fail(const char *what)
{
	(void)fprintf(stderr, "threads: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* ---- meeting ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_came = PTHREAD_COND_INITIALIZER;
static long present, waiting;
static unsigned long meetings;

static void go_on_if_all_came(void)
{
	if (waiting == present) {
		waiting = 0;
		meetings++;
		(void)pthread_cond_broadcast(&all_came);
	}
}

/* A place that is empty for good is waited for no longer: a script that failed hangs nobody. */
static void leave_place(void)
{
	(void)pthread_mutex_lock(&mutex);
	present--;
	go_on_if_all_came();
	(void)pthread_mutex_unlock(&mutex);
}

ZEND_BEGIN_ARG_INFO_EX(meet_arguments, 0, 0, 0)
ZEND_END_ARG_INFO()

static ZEND_FUNCTION(meet)
{
	unsigned long this_one;

	ZEND_PARSE_PARAMETERS_NONE();

	(void)pthread_mutex_lock(&mutex);
	this_one = meetings;
	waiting++;
	go_on_if_all_came();
	while (meetings == this_one) {
		(void)pthread_cond_wait(&all_came, &mutex);
	}
	(void)pthread_mutex_unlock(&mutex);
}

/* clang-format off */
static const zend_function_entry functions[] = {
	ZEND_FE(meet, meet_arguments)
	ZEND_FE_END
};
/* clang-format on */

/* ---- requests ---- */

static void set_global(const char *name, zval *value)
{
	(void)zend_hash_str_update(&EG(symbol_table), name, strlen(name), value);
}

static void set_number(const char *name, long number)
{
	zval value;

	ZVAL_LONG(&value, number);
	set_global(name, &value);
}

static void serve(const place *told, long request)
{
	zend_file_handle file;
	zval step;

	if (php_request_startup() != SUCCESS) {
		fail("a request cannot begin");
	}
	SG(headers_sent) = 1;
	SG(request_info).no_headers = 1;
	ZVAL_STRING(&step, told->step);
	set_global("step", &step);
	set_number("thread", told->thread);
	set_number("life", told->life);
	set_number("request", request);
	zend_stream_init_filename(&file, script);
	zend_first_try
	{
		(void)php_execute_script(&file);
	}
	zend_end_try();
	zend_destroy_file_handle(&file);
	php_request_shutdown(NULL);
	if (getpid() != process) {
		_exit(0); /* forked by the script: of the other threads only the memory is here */
	}
}

/* A thread, from its first request to its last. */
static void *live(void *argument)
{
	const place *told = argument;
	long request;

	(void)ts_resource(0);
	for (request = 0; request < told->requests; request++) {
		serve(told, request);
	}
	ts_free_thread();
	return NULL;
}

static void *keep_place(void *argument)
{
	place *told = argument;
	pthread_t thread;

	for (told->life = 0; told->life < told->lives; told->life++) {
		if (pthread_create(&thread, NULL, live, told) != 0) {
			fail("a thread cannot begin");
		}
		(void)pthread_join(thread, NULL);
	}
	leave_place();
	return NULL;
}

/* ---- what is left ---- */

static long count_descriptors(void)
{
	DIR *directory = opendir("/proc/self/fd");
	long count = 0;

	if (directory == NULL) {
		fail("/proc/self/fd");
	}
	while (readdir(directory) != NULL) {
		count++;
	}
	(void)closedir(directory);
	return count;
}

static long count_mappings(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[8192], *found;
	long count = 0;

	if (maps == NULL) {
		fail("/proc/self/maps");
	}
	while (fgets(line, sizeof line, maps) != NULL) {
		found = strstr(line, segment);
		count += found != NULL && found[strlen(segment)] == '/';
	}
	(void)fclose(maps);
	return count;
}

static bool is_as_before(const char *when, long descriptors)
{
	long more = count_descriptors() - descriptors;
	long mappings = count_mappings();

	if (more != 0 || mappings != 0) {
		(void)printf("%s: %ld descriptors more than before, %ld mappings of the segment\n",
			when, more, mappings);
	}
	return more == 0 && mappings == 0;
}

/* ---- steps ---- */

static long number(const char *text, long most)
{
	char *end;
	long found = strtol(text, &end, 10);

	if (*end != 0 || found < 1 || found > most) {
		errno = EINVAL;
		fail(text);
	}
	return found;
}

static void take_step(char *text)
{
	char *rest = text;
	place told = {.step = strsep(&rest, ":")};
	place places[THREADS_MAX];
	pthread_t keepers[THREADS_MAX];
	long threads, i;

	threads = number(rest != NULL ? strsep(&rest, ":") : "", THREADS_MAX);
	told.lives = number(rest != NULL ? strsep(&rest, ":") : "", 1000000);
	told.requests = number(rest != NULL ? rest : "", 1000000);
	present = threads;
	for (i = 0; i < threads; i++) {
		places[i] = told;
		places[i].thread = i;
		if (pthread_create(&keepers[i], NULL, keep_place, &places[i]) != 0) {
			fail("a thread cannot begin");
		}
	}
	for (i = 0; i < threads; i++) {
		(void)pthread_join(keepers[i], NULL);
	}
	(void)printf("%s: %ld threads of %ld requests\n", told.step, threads * told.lives,
		told.requests);
	(void)fflush(stdout);
}

/* The settings behind "--", a line each, and where in the arguments that is. */
static int read_settings(int argc, char **argv, char *settings)
{
	size_t length = 0;
	int end, i;

	for (end = 2; end < argc && strcmp(argv[end], "--") != 0; end++) {
	}
	for (i = end + 1; i < argc; i++) {
		length += (size_t)snprintf(
			settings + length, SETTINGS_BYTES_MAX - length, "%s\n", argv[i]);
		if (length >= SETTINGS_BYTES_MAX) {
			errno = E2BIG;
			fail("settings");
		}
		if (strncmp(argv[i], "bloom.path=", strlen("bloom.path=")) == 0) {
			segment = argv[i] + strlen("bloom.path=");
		}
	}
	return end;
}

int main(int argc, char **argv)
{
	static char settings[SETTINGS_BYTES_MAX];
	int steps_end = read_settings(argc, argv, settings), i;
	bool clean = true;
	long descriptors;

	if (segment == NULL || steps_end < 3) {
		(void)fprintf(stderr,
			"usage: threads script step:threads:lives:requests... -- bloom.path=... "
			"name=value...\n");
		return 2;
	}
	script = argv[1];
	process = getpid();
	(void)alarm(MINUTES_MAX * 60); /* threads that wait for each other for ever */
	php_tsrm_startup();
	zend_signal_startup();
	/* As one that serves: what follows a request is done after each. */
	php_embed_module.name = "apache2handler";
	php_embed_module.php_ini_ignore = 1;
	sapi_startup(&php_embed_module);
	php_embed_module.ini_entries = settings;
	php_embed_module.additional_functions = functions;
	if (php_embed_module.startup(&php_embed_module) != SUCCESS) {
		fail("PHP cannot begin");
	}
	SG(options) |= SAPI_OPTION_NO_CHDIR;
	descriptors = count_descriptors();
	for (i = 2; i < steps_end; i++) {
		take_step(argv[i]);
		clean = is_as_before(argv[i], descriptors) && clean;
	}
	php_module_shutdown();
	sapi_shutdown();
	tsrm_shutdown();
	clean = is_as_before("the end", descriptors) && clean;
	return clean ? 0 : 1;
}
