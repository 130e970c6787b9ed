/* The protocol of journals (src/kinds/additions.h) as a Promela model. A process can die at any
 * step, and a host can reboot.
 *
 * Transactions on two hosts add keys before they commit, or abort. A job builds and publishes
 * versions: it takes its mark, waits until the transactions that had added a key have ended, and
 * then reads the database (commit.pml checks that the time it waits is long enough). Processes of
 * each host sync or follow the journal. Each step is one call of the store, or one access to shared
 * memory. The lock of a filter is held only within single steps. Memory is sequentially consistent:
 * the code has a full fence, or a call of the store, between the accesses whose order matters.
 *
 *   journal     records[0 … end): the bit of a key, or 0 for the notice of a version
 *   version     the bits of its keys, and its mark
 *   additions   the bits of their keys, and their reach. Each staging makes new ones
 *   host        the served version and its additions, which change in one step (the store of the
 *               generation), and the announced additions
 *
 * Checked over all interleavings, deaths and reboots:
 *
 *   reached   a host whose reach is at or after a record finds the record's key
 *   local     after add() has returned, the host that added the key finds it, until it reboots
 *             (both end for the key of an aborted transaction with a version whose mark follows it)
 *   kept      the journal still has all records that the current and the replaced version need
 *
 * MISTAKE puts a mistake into the protocol, which the model must detect:
 *
 *   1  staged additions are not announced
 *   2  staged additions are announced after the last read of the journal
 *   3  the reach is advanced before the keys are added
 *   4  a process switches although other additions were announced in the meantime
 *   5  a process that adds a key does not check again what is served and announced
 *   6  the mark is taken after the keys were read
 *   7  the journal is trimmed to the mark of the new version
 *   8  the database is read without waiting for the transactions of keys before the mark
 */
/* fault: add-during-sync */

#ifndef MISTAKE
#define MISTAKE 0
#endif
#ifndef HOSTS
#define HOSTS 2
#endif
#ifndef SYNCERS
#define SYNCERS 2 /* on host 0; each other host has one */
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef VERSIONS
#define VERSIONS 2
#endif
#ifndef REBOOTS
#define REBOOTS 1
#endif

#ifndef KEYS
#define KEYS 2       /* key k is added on host k % HOSTS */
#endif
#define RECORDS 5
#define ADDITIONS 8  /* here and below, 0 means none */

byte database;                 /* bits of committed keys */
byte open;                     /* bits of keys whose transaction has neither committed nor aborted */
byte records[RECORDS];
byte end;
byte first;                    /* records before it were trimmed */
byte position_of[KEYS];        /* 1 + the position of the key's record; 0: not appended */

byte head;                     /* the published version */
byte keys_of[VERSIONS + 1];
byte mark_of[VERSIONS + 1];

byte additions;                /* number created so far */
byte added[ADDITIONS];         /* bits of keys */
byte reach[ADDITIONS];

byte version[HOSTS];           /* what the host serves */
byte serves[HOSTS];            /* its additions */
byte successor[HOSTS];
byte boots[HOSTS];
byte returned;                 /* bits of keys whose add() has returned */
byte local_boot[KEYS];         /* the boot of the adding host */

/* Ends a process whose host has rebooted. A process that dies takes no further step. Every
 * interleaving includes that, because no step waits for another process. */
#if REBOOTS
#define STEP(host, boot) if :: boots[host] != boot -> goto ended :: else fi
#else
#define STEP(host, boot) skip
#endif

#define FINDS(host, key) (((keys_of[version[host]] | added[serves[host]]) >> (key)) & 1)

/* A build after the abort no longer has the key. */
#define IS_VOID(host, key) (!(((database | open) >> (key)) & 1) && position_of[key] <= mark_of[version[host]])

/* What lookups answer. Every step that changes what a lookup depends on is followed by this
 * check. */
inline check()
{
	d_step {
		host_i = 0;
		do
		:: host_i < HOSTS ->
			key_i = 0;
			do
			:: key_i < KEYS ->
				assert(!(version[host_i] != 0 && position_of[key_i] != 0 &&
					position_of[key_i] <= reach[serves[host_i]]) || FINDS(host_i, key_i) || IS_VOID(host_i, key_i)); /* reached */
				assert(!(version[host_i] != 0 && key_i % HOSTS == host_i && ((returned >> key_i) & 1) &&
					local_boot[key_i] == boots[host_i]) || FINDS(host_i, key_i) || IS_VOID(host_i, key_i)); /* local */
				key_i++
			:: else -> break
			od;
			host_i++
		:: else -> break
		od;
		host_i = 0; key_i = 0
	}
}

/* Reads the journal from the reach of additions `a` to its end, in one call of the store. */
inline read_journal(a)
{
	d_step {
		news = 0; upto = end; i = reach[a];
		do
		:: i < upto -> news = news | records[i]; i++
		:: else -> break
		od;
		i = 0
	}
}

/* Adds what was read to the additions, and then advances the reach. */
inline take(a)
{
	if
	:: MISTAKE == 3 -> reach[a] = (upto > reach[a] -> upto : reach[a]); check(); STEP(host, boot); added[a] = added[a] | news
	:: else -> added[a] = added[a] | news; STEP(host, boot); reach[a] = (upto > reach[a] -> upto : reach[a]); check()
	fi
}

proctype adder(byte key)
{
	byte host = key % HOSTS, boot = 0, serving = 0, announced = 0;
	byte host_i = 0, key_i = 0;

	boot = boots[host];
	STEP(host, boot);
	atomic { records[end] = 1 << key; end++; position_of[key] = end; open = open | (1 << key) };
	do
	:: STEP(host, boot);
		serving = serves[host];
		STEP(host, boot);
		announced = successor[host];
		STEP(host, boot);
		if
		:: serving != 0 -> added[serving] = added[serving] | (1 << key)
		:: else
		fi;
		if
		:: announced != 0 -> STEP(host, boot); added[announced] = added[announced] | (1 << key)
		:: else
		fi;
		if
		:: MISTAKE == 5 -> break
		:: MISTAKE != 5 && serves[host] == serving ->
			if
			:: successor[host] == announced -> break
			:: else
			fi
		:: MISTAKE != 5 && serves[host] != serving
		fi
	od;
	skip;
	d_step {
		if
		:: boots[host] == boot -> returned = returned | (1 << key); local_boot[key] = boot
		:: else
		fi
	};
	check();
	STEP(host, boot);
	atomic {
		if
		:: database = database | (1 << key)
		:: skip /* abort */
		fi;
		open = open & ~(1 << key)
	};
ended:
	open = open & ~(1 << key); /* the database aborts the transaction of a process that has died */
	check()
}

proctype publisher()
{
	byte next = 1, mark = 0, keys = 0, waits = 0;
	byte host_i = 0, key_i = 0;

	do
	:: next <= VERSIONS ->
		if
		:: MISTAKE == 6 -> keys = database; mark = end
		:: else ->
			atomic { mark = end; waits = (MISTAKE == 8 -> 0 : open) };
			do
			:: (waits & open) == 0 -> break
			od;
			keys = database
		fi;
		atomic { keys_of[next] = keys; mark_of[next] = mark; head = next };
		atomic { records[end] = 0; end++ };
		if
		:: MISTAKE == 7 -> first = mark_of[next]
		:: else -> first = (mark_of[next - 1] > first -> mark_of[next - 1] : first)
		fi;
		next++
	:: else -> break
	od;
ended:
	skip
}

/* Loads the published version, or follows the journal. */
proctype syncer(byte host)
{
	byte boot = boots[host], round = 0, found = 0, mine = 0, replaces = 0, news = 0, upto = 0, i = 0;
	byte host_i = 0, key_i = 0;

	do
	:: round < ROUNDS ->
		round++;
		STEP(host, boot);
		if
		:: serves[host] != 0 -> /* follow */
			mine = serves[host];
			STEP(host, boot);
			atomic {
				if
				:: reach[mine] < first -> goto lost
				:: else -> read_journal(mine)
				fi
			};
			STEP(host, boot);
			take(mine);
lost:			skip
		:: head > version[host] -> /* load */
			atomic { found = head; replaces = serves[host] };
			STEP(host, boot);
			d_step { additions++; mine = additions; reach[mine] = mark_of[found] };
			/* The read before the announcement only makes the next one shorter. */
			atomic {
				if
				:: boots[host] != boot -> goto ended
				:: else
				fi;
				if
				:: MISTAKE == 1 || MISTAKE == 2
				:: else -> successor[host] = mine
				fi
			};
			STEP(host, boot);
			atomic {
				assert(reach[mine] >= first || found + 1 < head); /* kept */
				if
				:: reach[mine] < first -> goto again
				:: else -> read_journal(mine)
				fi
			};
			STEP(host, boot);
			take(mine);
			STEP(host, boot);
			if
			:: MISTAKE == 2 -> successor[host] = mine
			:: else
			fi;
			atomic {
				if
				:: boots[host] == boot && serves[host] == replaces &&
					(successor[host] == mine || MISTAKE == 1 || MISTAKE == 4) ->
					version[host] = found; serves[host] = mine; successor[host] = 0
				:: else -> goto again
				fi
			};
			check();
again:			skip
		:: else
		fi
	:: else -> break
	od;
ended:
	skip
}

proctype operator()
{
	byte times = 0;

	do
	:: times < REBOOTS ->
		times++;
		atomic { version[0] = 0; serves[0] = 0; successor[0] = 0; boots[0]++ }
	:: break
	od
}

init
{
	byte i = 0;

	atomic {
		do
		:: i < KEYS -> run adder(i); i++
		:: else -> break
		od;
		run publisher();
		i = 0;
		do
		:: i < SYNCERS -> run syncer(0); i++
		:: else -> break
		od;
		i = 1;
		do
		:: i < HOSTS -> run syncer(i); i++
		:: else -> break
		od;
		run operator()
	}
}
