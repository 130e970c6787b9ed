/* Time, maxLag and suspension (src/kinds/loaded.h, src/php/protocol/sync_version.c) as a Promela model.
 *
 * Another host adds a key to the journal at some time. This host may be suspended, which stops its
 * processes and one of its clocks. A process syncs: it follows the journal, and then loads the
 * published version, which may be impossible. Lookups trust the additions until maxLag after the
 * last time when they were complete, and remember for one unit of time that they do. Two callers
 * set maxLag.
 *
 *   now       the real time, which includes suspension
 *   awake     a clock that stands still during suspension
 *   complete  a time at which the journal ended at the reach of the additions
 *
 * Checked over all interleavings, for a lookup that begins at a time `now`:
 *
 *   bounded   a "no" begins less than maxLag after the key's add(), where maxLag is the smaller one of
 *             the two that callers have set, as soon as both are set
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
 *   4  lookups remember it for longer than maxLag allows
 *   5  the last caller's maxLag wins
 *   6  the published version is loaded before the journal is followed
 *   7  additions of a version that was just loaded count as complete without a read
 */

#ifndef MISTAKE
#define MISTAKE 0
#endif
#ifndef TIMES
#define TIMES 4
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

#define SMALL 1  /* a maxLag, in units of time */
#define LARGE 2
#define CACHE 2  /* for so long a lookup remembers at most that it trusts the additions */
#define NEVER 255
#define USES_AWAKE (MISTAKE == 2 || MISTAKE == 3) /* nobody else reads that clock */

byte now = LARGE;  /* so that no difference of times is negative */
byte awake = LARGE;
bit suspended;

bit added;         /* the journal has the key */
byte added_at = NEVER;
bit found;         /* the additions have the key */
byte complete = LARGE;      /* of now */
byte complete_awake = LARGE;
byte max_lag = LARGE;
bit is_small;      /* the caller with the small maxLag has set it */
byte small_at;

proctype clock()
{
	do
	:: now < LARGE + TIMES -> atomic { now++; if :: suspended || !USES_AWAKE :: !suspended && USES_AWAKE -> awake++ fi }
	:: now < LARGE + TIMES -> suspended = !suspended
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
	atomic { !suspended -> max_lag = SMALL; is_small = 1; small_at = now };
	atomic { !suspended -> if :: MISTAKE == 5 -> max_lag = LARGE :: else fi }
}

inline follow()
{
	atomic { !suspended -> asked = now; asked_awake = awake };
	news = added; /* the store answers while the host may be suspended */
	atomic { !suspended -> found = found | news };
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
			atomic { !suspended -> found = news; complete = (MISTAKE == 7 -> now : asked); complete_awake = (MISTAKE == 7 -> awake : asked_awake) }
		:: else
		fi;
ended:		assert(complete >= began); /* followed */
		atomic { began = 0; asked = 0; asked_awake = 0; news = 0; is_loadable = 0 }
	:: else -> break
	od
}

/* A lookup begins by reading a clock. */
proctype reader()
{
	byte checked = 0, trusted = 0, lag = 0, age = 0;

	do
	:: atomic {
		!suspended && now < LARGE + TIMES ->
		if
		:: (MISTAKE == 3 -> awake : now) - checked < trusted
		:: else ->
			lag = max_lag;
			age = (MISTAKE == 2 -> awake - complete_awake : now - complete);
			trusted = (age >= lag -> 0 : lag - age);
			trusted = (trusted > CACHE || (MISTAKE == 4 && trusted > 0) -> CACHE : trusted);
			checked = (MISTAKE == 3 -> awake : now)
		fi;
		lag = 0; age = 0;
		assert(trusted == 0 || !added || found || now < added_at + (is_small && now > small_at + CACHE -> SMALL : LARGE)) /* bounded */
	}
	:: now >= LARGE + TIMES -> break
	od
}

init
{
	atomic { run clock(); run adder(); run callers(); run syncer(); run reader() }
}
