/* When a key is added and when a build reads the database (Bloom\Kit\NightlyBuild, docs/filters.md), as a
 * Promela model with discrete time. Each process can die at any step.
 *
 * A transaction adds its key to the journal and commits, or aborts. It takes at most LONGEST units of
 * time from the moment when it adds the key; the database aborts the transaction of a process that has
 * died within the same time. A job takes a mark, waits for SETTLE, reads a replica, which has each commit
 * at most LAG units later, builds and publishes. If the job dies, the next one begins again. Hosts are as
 * in journal.pml: they find the keys of the published version and those of the records after its mark.
 *
 * Checked over all interleavings and deaths:
 *
 *   promised  a key whose transaction has committed is in the published version, or after its mark
 *   returned  so is a key whose add() has returned, until its transaction aborts
 *
 * This holds exactly if SETTLE >= LONGEST + LAG. MISTAKE puts a mistake into the rule, which the model must detect:
 *
 *   1  the key is added after the commit
 *   2  the replica is read as of the time of the mark
 */
/* fault: add-killed */

#ifndef MISTAKE
#define MISTAKE 0
#endif
#ifndef LONGEST
#define LONGEST 2
#endif
#ifndef LAG
#define LAG 1
#endif
#ifndef SETTLE
#define SETTLE 3
#endif
#ifndef KEYS
#define KEYS 1 /* a key depends on no other */
#endif
#ifndef NIGHTS
#define NIGHTS 2
#endif
#ifndef TIMES
#define TIMES 9
#endif
#define NEVER 255

byte now;
byte end;                  /* the journal has this many records */
byte position_of[KEYS];    /* 1 + the position of the key's record; 0: none */
byte since[KEYS] = NEVER;  /* when the open transaction added its key or, for mistake 1, began */
bit committed[KEYS];
bit aborted[KEYS];
byte committed_at[KEYS];

bit has_version;
byte keys_of;              /* bits of the keys in the published version */
byte mark_of;

#define IS_FOUND(key) (((keys_of >> (key)) & 1) || position_of[key] > mark_of)

inline check()
{
	d_step {
		key_i = 0;
		do
		:: key_i < KEYS ->
			assert(!(has_version && committed[key_i]) || IS_FOUND(key_i)); /* promised */
			assert(!(has_version && position_of[key_i] != 0 && !aborted[key_i]) || IS_FOUND(key_i)); /* returned */
			key_i++
		:: else -> break
		od;
		key_i = 0
	}
}

/* A process that dies takes no further step. Its transaction stays open until the database aborts it. */
proctype transaction(byte key)
{
	byte key_i = 0;

	if
	:: MISTAKE == 1 -> since[key] = now
	:: else ->
		atomic { end++; position_of[key] = end; since[key] = now };
		check()
	fi;
	atomic {
		if
		:: !aborted[key] -> committed[key] = 1; committed_at[key] = now; since[key] = NEVER
		:: goto ended /* dies, or aborts */
		:: aborted[key] -> goto ended
		fi
	};
	check();
	if
	:: MISTAKE == 1 ->
		if
		:: goto ended /* dies */
		:: atomic { end++; position_of[key] = end }
		fi
	:: else
	fi;
	check();
ended:
	skip
}

/* The database aborts transactions, at the latest after LONGEST. */
proctype database()
{
	byte key = 0;

	do
	:: atomic { key < KEYS && since[key] != NEVER && !committed[key] -> aborted[key] = 1; since[key] = NEVER }
	:: key < KEYS -> key++
	:: key == KEYS -> key = 0
	:: now == TIMES -> break
	od
}

/* Time passes only while no transaction would become too long, and no commit too old for the replica. */
proctype clock()
{
	byte key = 0;
	bit waits = 0;

	do
	:: now < TIMES ->
		d_step {
			key = 0; waits = 0;
			do
			:: key < KEYS ->
				waits = (waits || (since[key] != NEVER && now >= since[key] + LONGEST));
				key++
			:: else -> break
			od;
			key = 0;
			now = (waits -> now : now + 1);
			waits = 0
		}
	:: else -> break
	od
}

proctype job()
{
	byte night = 0, mark = 0, at = 0, keys = 0, key = 0, key_i = 0;

	do
	:: night < NIGHTS ->
		night++;
		atomic { mark = end; at = now };
		if
		:: goto again /* dies */
		:: skip
		fi;
		do
		:: now > at + SETTLE -> break
		:: now == TIMES -> goto ended /* the model ends */
		od;
		/* The replica may show each commit at once, and shows it after LAG. */
		atomic {
			keys = 0; key = 0;
			do
			:: key < KEYS ->
				if
				:: committed[key] && !(MISTAKE == 2 && committed_at[key] > at) -> keys = keys | (1 << key)
				:: !committed[key] || now <= committed_at[key] + LAG || (MISTAKE == 2 && committed_at[key] > at)
				fi;
				key++
			:: else -> break
			od;
			key = 0
		};
		if
		:: goto again /* dies */
		:: skip
		fi;
		atomic { keys_of = keys; mark_of = mark; has_version = 1 };
		check();
again:		skip
	:: else -> break
	od;
ended:
	skip
}

init
{
	byte i = 0;

	atomic {
		do
		:: i < KEYS -> run transaction(i); i++
		:: else -> break
		od;
		run database();
		run clock();
		run job()
	}
}
