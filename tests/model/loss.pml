/* A store that loses the newest records of a journal, and hosts that never unlearn
 * (src/kinds/additions.h), as a Promela model. A process can die at any step.
 *
 * The store restarts once from an older state, so the end of the journal moves back, and later
 * records get the offsets of lost ones. A read may also come from a replica that lags by one record.
 * Appends reach only the primary. An application adds keys on each host, a job builds and publishes
 * a version, and a process of each host follows the journal or loads a version, which may be the one
 * that it serves. Each step is one call of the store, or one access to shared memory.
 *
 *   position    an offset and the number of the record that ends there. Numbers are never used again
 *   record      a key; or a notice, which has the position up to which records were lost
 *   additions   the bits of their keys; their reach; `own`, the newest record of this host; `held`,
 *               the positions of the additions that they replace; and whether records are lacking
 *
 * Checked over all interleavings and deaths:
 *
 *   kept     a host that has found a key of another host, or whose own add() has returned, finds the
 *            key until it reboots
 *   told     a host that has read a notice finds each key that was lost before the notice's
 *            position, or answers "maybe"
 *   proven   a notice is written only if the primary does not have the position
 *   once     no position has two notices
 *   noticed  after a sync that the primary has answered, a lost record of this host has a notice, or
 *            its key is in the served blob
 *
 * Not modeled:
 *
 *   - a record that is lost before another host has read it, if the host that added it reboots before
 *     it syncs again: nobody can notice this
 *   - a replica that still lags behind a notice while a host loads a version whose mark is older: the
 *     host denies lost keys until the replica has the notice
 *   - a notice that the store refuses, which later syncs try to append again
 *   - two publishers, overrides, trims and a second loss, which publish.pml has; a deleted journal
 *
 * MISTAKE puts a mistake into the protocol, which the model must detect:
 *
 *   1  a version that is loaded again starts with empty additions
 *   2  a notice is not written
 *   3  a host that reads a notice believes that it has the lost records
 *   4  a host does not remember the newest record that it has appended
 *   5  a notice is appended wherever the journal ends
 *   6  a position counts as lost although a later read has returned its record
 *   7  a position that the journal had when it was compared counts as read
 */
/* fault: store-forgets */

#ifndef MISTAKE
#define MISTAKE 0
#endif
#ifndef HOSTS
#define HOSTS 2
#endif
#ifndef KEYS
#define KEYS 2
#endif
#ifndef LOCAL
#define LOCAL KEYS /* key k < LOCAL is added on host k % HOSTS, and others on a host that is not modeled */
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef BUILDS
#define BUILDS 1
#endif
#ifndef LAGS
#define LAGS 1
#endif

#define OFFSETS 8
#define RECORDS 10
#define ADDITIONS 12

#define IS_OF(k, h) ((k) < LOCAL && (k) % HOSTS == (h))
#define OFFSET(p) ((p) >> 4)
#define POSITION(o, i) ((o) << 4 | (i))
#define END(o) ((o) == 0 -> 0 : POSITION(o, at[o]))
/* Whether the journal up to the offset `upto` has a position. */
#define HAS(p, upto) ((p) == 0 || (OFFSET(p) <= (upto) && at[OFFSET(p)] == ((p) & 15)))
#define IS_THERE(p) ((p) == 0 || (OFFSET(p) <= end && at[OFFSET(p)] == ((p) & 15)))

byte end;
byte at[OFFSETS];           /* the number of the record that ends at an offset */
byte records;               /* written so far */
byte keys_of[RECORDS];      /* the bit of a key */
byte lost_of[RECORDS];      /* the position of a notice; 0: the record is not a notice */
byte losses;

byte database;
byte record_of[KEYS];       /* its position; 0: not appended */
byte returned;              /* bits of keys whose add() has returned */
byte head = 1;
byte blob[2 + BUILDS];      /* bits of keys */
byte mark[2 + BUILDS];

byte additions;
byte added[ADDITIONS];
byte reach[ADDITIONS];
byte own[ADDITIONS];
byte held[ADDITIONS], held_own[ADDITIONS];
bit lacks[ADDITIONS];       /* every answer is "maybe" */

byte version[HOSTS];
byte serves[HOSTS];
byte successor[HOSTS];
byte had[HOSTS];            /* bits of keys that this host has found */

#define FINDS(h, k) (lacks[serves[h]] || (((blob[version[h]] | added[serves[h]]) >> (k)) & 1))

inline check()
{
	d_step {
		host_i = 0;
		do
		:: host_i < HOSTS ->
			key_i = 0;
			do
			:: key_i < KEYS ->
				if
				:: !IS_OF(key_i, host_i) || ((returned >> key_i) & 1) -> had[host_i] = had[host_i] | (added[serves[host_i]] & (1 << key_i))
				:: else
				fi;
				assert(!((had[host_i] >> key_i) & 1) || FINDS(host_i, key_i)); /* kept */
				at_i = 1;
				do
				:: at_i <= end ->
					assert(lost_of[at[at_i]] == 0 || OFFSET(reach[serves[host_i]]) < at_i ||
						!IS_THERE(reach[serves[host_i]]) || record_of[key_i] == 0 ||
						OFFSET(record_of[key_i]) > OFFSET(lost_of[at[at_i]]) ||
						IS_THERE(record_of[key_i]) || FINDS(host_i, key_i)); /* told */
					at_i++
				:: else -> break
				od;
				key_i++
			:: else -> break
			od;
			host_i++
		:: else -> break
		od;
		host_i = 0; key_i = 0; at_i = 0
	}
}

inline append(keys, lost)
{
	records++;
	end++;
	at[end] = records;
	keys_of[records] = keys;
	lost_of[records] = lost
}

/* Chooses what a read sees: the primary, or a replica that lags. */
inline look()
{
	upto = end;
	if
	:: true
	:: LAGS && end > 0 -> upto = end - 1; lagged = 1
	fi
}

/* Reads the journal after the reach of additions `a`, and adds the keys. journal.pml divides this
 * into steps. */
inline read_into(a)
{
	i = OFFSET(reach[a]) + 1;
	do
	:: i <= upto ->
		added[a] = added[a] | keys_of[at[i]];
		if
		:: lost_of[at[i]] != 0 && lost_of[at[i]] != held[a] && lost_of[at[i]] != held_own[a] && MISTAKE != 3 -> lacks[a] = 1
		:: else
		fi;
		i++
	:: else -> break
	od;
	i = 0;
	reach[a] = (upto > OFFSET(reach[a]) -> END(upto) : reach[a])
}

proctype adder(byte key)
{
	byte host = key % HOSTS, serving = 0, announced = 0, position = 0;
	byte host_i = 0, key_i = 0, at_i = 0;

	database = database | (1 << key);
	atomic { append(1 << key, 0); record_of[key] = END(end); position = END(end) };
	do
	:: key >= LOCAL -> break
	:: key < LOCAL ->
		atomic { serving = serves[host]; announced = successor[host] };
		atomic { added[serving] = added[serving] | (1 << key); if :: MISTAKE != 4 -> own[serving] = position :: else fi };
		if
		:: announced != 0 -> atomic { added[announced] = added[announced] | (1 << key); if :: MISTAKE != 4 -> own[announced] = position :: else fi }
		:: else
		fi;
		check();
		if
		:: atomic { serves[host] == serving && successor[host] == announced -> returned = returned | (1 << key) }; break
		:: else
		fi
	od
}

proctype publisher()
{
	byte built = 1, position = 0, keys = 0;

	do
	:: built <= BUILDS ->
		position = END(end);
		keys = database;
		atomic { built++; blob[built] = keys; mark[built] = position; head = built }
	:: else -> break
	od
}

/* The store restarts from an older state. */
proctype loser()
{
	byte host_i = 0, key_i = 0, at_i = 0;

	atomic {
		if
		:: end >= 1 -> end = end - 1; losses++
		:: end >= 2 -> end = end - 2; losses++
		fi
	};
	check()
}

/* Tells other hosts that the store has lost the records up to the position `lost`. The staged
 * additions `mine` have been read to the end of the journal. */
inline tell()
{
	tries = 0;
	do
	:: tries < 2 ->
		tries++;
		atomic {
			is_told = 0; i = 1;
			do
			:: i <= OFFSET(reach[mine]) -> is_told = is_told || lost_of[at[i]] == lost; i++
			:: else -> break
			od;
			i = 0
		};
		if
		:: is_told || MISTAKE == 2 -> break
		:: else
		fi;
		atomic {
			if
			:: HAS(lost, OFFSET(reach[mine])) && MISTAKE != 6 -> break /* it was read in the meantime */
			:: (!HAS(lost, OFFSET(reach[mine])) || MISTAKE == 6) && (END(end) == reach[mine] || MISTAKE == 5) ->
				assert(!IS_THERE(lost)); /* proven */
				i = 1;
				do
				:: i <= end -> assert(lost_of[at[i]] != lost); i++ /* once */
				:: else -> break
				od;
				i = 0;
				append(0, lost);
				break
			:: else -> look(); if :: HAS(reach[mine], upto) -> read_into(mine) :: else fi
			fi
		}
	:: else -> goto again /* the sync fails */
	od
}

/* Compares a position of the served additions with the journal. */
inline compare(position)
{
	atomic {
		lost = position; is_gone = 0;
		if
		:: lost == 0 || OFFSET(lost) <= OFFSET(mark[found])
		:: lost != 0 && OFFSET(lost) > OFFSET(mark[found]) && HAS(lost, OFFSET(reach[mine])) /* it has just been read */
		:: else -> look(); is_gone = !HAS(lost, upto)
		fi
	};
	if
	:: is_gone -> must_copy = 1; tell()
	:: else
	fi
}

proctype syncer(byte host)
{
	byte round = 0, mine = 0, before = 0, found = 0, upto = 0, lost = 0, i = 0, tries = 0, losses_before = 0, returned_before = 0;
	bit lagged = 0, is_told = 0, is_gone = 0, must_copy = 0;
	byte awaited = 0, awaited_own = 0;
	byte host_i = 0, key_i = 0, at_i = 0;

	do
	:: round < ROUNDS ->
		atomic { round++; losses_before = losses; lagged = 0; returned_before = returned; before = serves[host] };
		/* follow */
		atomic {
			lost = own[before]; /* append() had returned before the store was asked */
			look();
			is_gone = !HAS(reach[before], upto);
			if
			:: !is_gone -> read_into(before); is_gone = !HAS(lost, upto)
			:: else
			fi
		};
		check();
		if
		:: !is_gone -> goto done
		:: true /* load: the published version, or the same one again */
		fi;
		atomic {
			found = head; must_copy = 0;
			look();
			if
			:: !HAS(mark[found], upto) -> goto shortened
			:: else
			fi;
			additions++; mine = additions;
			reach[mine] = mark[found]; held[mine] = reach[before]; held_own[mine] = own[before];
			read_into(mine)
		};
		successor[host] = mine; /* announce */
anew:		compare(reach[before]); awaited = (is_gone -> 0 : lost);
		compare(own[before]); awaited_own = (is_gone -> 0 : lost);
		atomic {
			look();
			if
			:: !HAS(reach[mine], upto) -> goto again
			:: else -> read_into(mine)
			fi;
			/* The store may have lost the positions since they were compared. */
			is_gone = MISTAKE != 7 &&
				((OFFSET(awaited) > OFFSET(mark[found]) && !HAS(awaited, OFFSET(reach[mine]))) ||
				(OFFSET(awaited_own) > OFFSET(mark[found]) && !HAS(awaited_own, OFFSET(reach[mine]))))
		};
		if
		:: is_gone -> goto anew
		:: else
		fi;
		if
		:: (must_copy || found == version[host]) && MISTAKE != 1 -> added[mine] = added[mine] | added[before]
		:: else
		fi;
		atomic {
			if
			:: successor[host] == mine && serves[host] == before -> version[host] = found; serves[host] = mine; successor[host] = 0
			:: else -> goto again
			fi
		};
		check();
		goto done;
shortened: /* the journal does not continue from the mark */
		atomic {
			lost = (own[before] != 0 -> own[before] : reach[before]);
			is_told = (upto >= OFFSET(lost) || MISTAKE == 2)
		};
		atomic {
			i = 1;
			do
			:: i <= end -> is_told = is_told || lost_of[at[i]] == lost; i++
			:: else -> break
			od;
			i = 0;
			if
			:: !is_told && end == upto -> assert(!IS_THERE(lost)); append(0, lost) /* proven */
			:: else
			fi
		};
		check();
		goto again;
done:		skip;
		d_step {
			key_i = 0;
			do
			:: key_i < KEYS ->
				is_told = 0; at_i = 1;
				do
				:: at_i <= end -> is_told = is_told || (lost_of[at[at_i]] != 0 && OFFSET(lost_of[at[at_i]]) >= OFFSET(record_of[key_i])); at_i++
				:: else -> break
				od;
				assert(!IS_OF(key_i, host) || !((returned_before >> key_i) & 1) || IS_THERE(record_of[key_i]) || is_told ||
					lagged || losses != losses_before || ((blob[version[host]] >> key_i) & 1)); /* noticed */
				key_i++
			:: else -> break
			od;
			key_i = 0; at_i = 0
		};
again:		skip;
		d_step { i = 0; upto = 0; lost = 0; tries = 0; mine = 0; must_copy = 0; is_gone = 0; is_told = 0; awaited = 0; awaited_own = 0 }
	:: else -> break
	od
}

init
{
	byte i = 0;

	atomic {
		do
		:: i < HOSTS -> additions++; version[i] = 1; serves[i] = additions; run syncer(i); i++
		:: else -> break
		od;
		i = 0;
		do
		:: i < KEYS -> run adder(i); i++
		:: else -> break
		od;
		run publisher();
		run loser()
	}
}
