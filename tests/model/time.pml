/* Time, maxLag and suspension (src/kinds/loaded.h, src/php/protocol/sync_version.c) as a Promela model.
 *
 * Another host adds a key to the journal at some time. This host may be suspended, which stops its
 * processes and one of its clocks. A process syncs: it follows the journal, and then loads the
 * published version, which may be impossible. It may be killed while it adds the key. Lookups trust
 * the additions until maxLag after the last time when they were complete. If a whole second is left,
 * they remember for the rest of this second that they do, and whether the additions have keys, unless
 * the additions' basis changes. Two callers set maxLag.
 *
 *   now       the real time in halves of a second, which includes suspension
 *   awake     a clock that stands still during suspension
 *   complete  a time at which the journal ended at the reach of the additions
 *
 * Checked over all interleavings, for a lookup that begins at a time `now`:
 *
 *   bounded   a "no" begins less than maxLag after the key's add(), where maxLag is the smaller one
 *             that callers have set, as soon as the call that set it has returned
 *   followed  a sync that the store has answered advances `complete` at least to its beginning,
 *             although the published version cannot be loaded
 *
 * Not modeled: a clock of the hypervisor that stands still while the guest is paused; a clock that
 * is set; a lookup that begins in time and answers late.
 *
 * MISTAKE puts a mistake into the protocol, which the model must detect:
 *
 *   1  `complete` is the time of the store's answer instead of the time of the question
 *   2  the age of the additions is measured with the clock that stands still
 *   3  lookups remember with that clock that they trust the additions
 *   4  lookups remember it although less than a second of maxLag is left
 *   5  the last caller's maxLag wins
 *   6  the published version is loaded before the journal is followed
 *   7  additions of a version that was just loaded count as complete without a read
 *   8  another maxLag does not change the basis
 *   9  a process adds the first key before it changes the basis
 *   10 lookups remember by counting that they trust the additions, without a clock
 */
/* fault: host-suspended */

#ifndef MISTAKE
#define MISTAKE 0
#endif
#ifndef TIMES
#define TIMES 4
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

#define SECOND 2 /* units of time */
#define SMALL 2  /* a maxLag, in units of time */
#define LARGE 3
#define NEVER 255
#define USES_AWAKE (MISTAKE == 2 || MISTAKE == 3) /* nobody else reads that clock */

#define BEGIN 4 /* so that no difference of times is negative */

byte now = BEGIN;
byte awake = BEGIN;
bit suspended;

bit added;         /* the journal has the key */
byte added_at = NEVER;
bit found;         /* the additions have the key */
byte complete = BEGIN;      /* of now */
byte complete_awake = BEGIN;
byte version;      /* number of loads */
bit has_keys;      /* the basis: whether lookups must test the additions */
bit changes;       /* the basis: the number of changes to maxLag */
bit killed;
byte max_lag = LARGE;
bit is_small;      /* the caller with the small maxLag has set it */

proctype clock()
{
	do
	:: now < BEGIN + TIMES -> atomic { now++; if :: suspended || !USES_AWAKE :: !suspended && USES_AWAKE -> awake++ fi }
	:: now < BEGIN + TIMES -> suspended = !suspended
	:: else -> break
	od;
	suspended = 0
}

proctype adder()
{
	atomic { added = 1; added_at = now }
}

/* The service sets the small maxLag, and later a page sets the large one. */
proctype callers()
{
	atomic { !suspended -> max_lag = SMALL };
	atomic { !suspended -> changes = (MISTAKE == 8 -> 0 : 1); is_small = 1 };
	atomic { !suspended -> if :: MISTAKE == 5 -> max_lag = LARGE :: else fi }
}

inline follow()
{
	atomic { !suspended -> asked = now; asked_awake = awake };
	news = added; /* the store answers while the host may be suspended */
	if
	:: news && !found ->
		atomic { !suspended -> has_keys = (MISTAKE == 9 -> has_keys : 1) };
		atomic { !suspended -> found = 1; if :: !killed -> killed = 1; goto dead :: 1 fi };
		atomic { !suspended -> has_keys = 1 }
	:: else
	fi;
	atomic { !suspended -> complete = (MISTAKE == 1 -> now : asked); complete_awake = (MISTAKE == 1 -> awake : asked_awake) }
}

proctype syncer()
{
	byte round = 0, began = 0, asked = 0, asked_awake = 0;
	bit news = 0, is_loadable = 0;

	do
	:: round < ROUNDS ->
		atomic { !suspended -> round++; began = now; if :: is_loadable = 1 :: is_loadable = 0 fi };
		if
		:: MISTAKE == 6 && !is_loadable -> goto ended
		:: else -> follow()
		fi;
		if
		:: is_loadable ->
			/* The new additions begin at the mark and are read to the end before the switch. */
			atomic { !suspended -> asked = now; asked_awake = awake };
			if
			:: MISTAKE == 7 -> news = 0; asked = now
			:: else -> news = added
			fi;
			atomic { !suspended -> found = news; has_keys = news; version++; complete = (MISTAKE == 7 -> now : asked); complete_awake = (MISTAKE == 7 -> awake : asked_awake) }
		:: else
		fi;
ended:		assert(complete >= began); /* followed */
dead:		atomic { began = 0; asked = 0; asked_awake = 0; news = 0; is_loadable = 0 }
	:: else -> break
	od
}

#define CLOCK (MISTAKE == 3 -> awake : now)
#define STILL_TRUSTS (is_kept && (CLOCK / SECOND == second || MISTAKE == 10) && version == known_version && changes == known_changes && has_keys == known_keys)

/* A lookup begins by reading a clock. */
proctype reader()
{
	byte second = 0, known_version = 0, lag = 0, age = 0;
	bit is_kept = 0, known_changes = 0, known_keys = 0, is_trusted = 0, tests = 0;

	do
	:: atomic {
		!suspended && now < BEGIN + TIMES ->
		if
		:: STILL_TRUSTS -> is_trusted = 1; tests = known_keys
		:: else ->
			lag = max_lag;
			age = (MISTAKE == 2 -> awake - complete_awake : now - complete);
			is_trusted = age < lag;
			is_kept = is_trusted && (MISTAKE == 4 || age + SECOND <= lag);
			second = CLOCK / SECOND;
			known_version = version; known_changes = changes; known_keys = has_keys;
			tests = has_keys
		fi;
		lag = 0; age = 0;
		assert(!is_trusted || !added || (found && tests) || now < added_at + (is_small -> SMALL : LARGE)); /* bounded */
		is_trusted = 0; tests = 0
	}
	:: now >= BEGIN + TIMES -> break
	od
}

init
{
	atomic { run clock(); run adder(); run callers(); run syncer(); run reader() }
}
