/* Publishers of the same name, pins and rollbacks, trims, hosts that are behind, and a store that
 * loses records again and again (src/php/protocol/publish*.c, heads.c, rollback.c, journal_follow.c),
 * as a Promela model. A process can stall or be killed at any step.
 *
 * Jobs build and publish versions, an operator pins versions and rolls them back, applications add
 * keys to the journal, and a process of each host follows the journal or loads the version that the
 * host is to serve. Each step is one call of the store, or one access to shared memory. Versions are
 * numbered in the order in which they were built, which need not be the order of their marks.
 *
 *   lock       whoever has waited for a minute takes it from its holder, which may go on later
 *   earlier    the list of earlier versions, of which the store keeps RETAIN - 1
 *   chunks     those that the store has. Hosts load a version whole or not at all, so runs with hosts
 *              have no chunks
 *   position   an offset and the number of the record that ends there. Numbers are never used again
 *   record     a key; or a notice, which has the position up to which records were lost. Notices of
 *              versions are left out, because hosts may look at any time
 *   additions  the bits of their keys; their reach; the positions that they hold besides; where
 *              their host's own notice ends; and whether records are lacking. A host has two: those
 *              that it serves, and those that it stages
 *
 * Checked over all interleavings:
 *
 *   kept      a host that was complete when a key was in the journal finds the key or answers
 *             "maybe", also after a loss, a rollback or a pin
 *   told      the same for a host that has read a notice, and each key that was lost before the
 *             notice's position
 *   proven    a notice is written only if the journal has lost the position. A trim is no loss
 *   once      no position has two notices
 *   there     if nothing is lost and no lock is taken over, a host can load the version that it is
 *             to serve, unless two others have taken its place since
 *   loadable  so can hosts that boot after all publishers and the operator have ended
 *   success   a publish that succeeds has seen that the journal continues from its version's mark
 *             after hosts could see its head
 *   whole     the current version, the retained ones and that of the override have all their chunks:
 *             always, if no lock is taken over, and otherwise once all publishers and the operator
 *             have ended
 *   left      after a publish, each chunk that was once published belongs to one of these versions,
 *             even if another publisher was killed
 *   listed    after a publish, the version that it replaced for hosts is in the list
 *
 * What remains is a process that stalls for more than a minute in one call:
 *
 *   - in the call that deletes chunks. GAP=1 shows that another one then publishes a version that
 *     lacks them
 *   - in the call that sets the list, while others publish until the list is the same again. It then
 *     has a version whose chunks are deleted.
 *     -DHOSTS=0 -DPUBLISHES=2 -DOTHERS=2 -DREPUBLISHES=1 -DSTALLS=1 shows this
 *
 * Not modeled:
 *
 *   - chunks that a publisher writes before it is killed, if no host ever saw its version. They stay
 *     until a version with the same chunks is published and dropped
 *   - keys that a host adds itself, and announcements (loss.pml, journal.pml); replicas that lag; a
 *     store that also loses heads or undoes a trim; a lost journal that is created again; a journal
 *     that is begun and ended; a notice that the store refuses; seeds that differ, so additions cannot
 *     be copied; signatures and forced syncs; "<name>:staged"; a list that is too long for the store
 *   - what a publisher or operator leaves after it has lost the lock: it may trim what the version of
 *     another one needs, or pin a version whose records are gone. Hosts then keep what they serve
 *   - a loss after a host has followed the journal, but before the same sync loads a version whose
 *     mark is after the lost record. If that version is rolled back later, the host denies the key.
 *     Nobody can notice this. MARKS_COVER=0 shows it
 *
 * Larger runs than those of tests/model/run, without an error:
 *
 *   -DHOSTS=0 -DPUBLISHES=1 -DOTHERS=2 -DREPUBLISHES=1 -DSTALLS=1 -DKILLS=1   23.3 million states
 *   -DHOSTS=0 -DPUBLISHES=1 -DOTHERS=1 -DOVERRIDES=1 -DKILLS=1                15.0 million states
 *   -DHOSTS=0 -DPUBLISHES=1 -DOTHERS=1 -DOVERRIDES=1 -DSTALLS=1                9.6 million states
 *   -DHOSTS=0 -DPUBLISHES=3 -DOTHERS=1 -DRETAIN=3 -DKILLS=1                    5.0 million states
 *   -DHOSTS=2 -DPUBLISHES=1 -DLOSSES=2 -DROUNDS=1                              9.5 million states
 *
 * MISTAKE puts a mistake into the protocol, which the model must detect:
 *
 *   1  the journal is trimmed to the mark of the new version
 *   2  a trim does not keep the records after the mark of an override
 *   3  the mark is checked only before the lock is taken
 *   4  the mark is not checked after the head is set
 *   5  a trimmed position counts as lost
 *   6  a trimmed journal counts as shortened
 *   7  positions are compared without the numbers of their records
 *   8  additions that are copied for a version with an earlier mark count as having the records that
 *      only the replaced blob has
 *   9  chunks are deleted before the head is set
 *  10  the deletion does not keep the chunks of an override
 *  11  versions are taken out of the list before their chunks are deleted
 *  12  a pin that has lost the lock looks for its chunks without it
 *  13  the current version is taken out of the list
 */
/* fault: publishers, store-forgets */

#ifndef MISTAKE
#define MISTAKE 0
#endif
#ifndef HOSTS
#define HOSTS 1
#endif
#ifndef KEYS
#define KEYS 1
#endif
#ifndef ROUNDS
#define ROUNDS 2  /* syncs of each host */
#endif
#ifndef PUBLISHES
#define PUBLISHES 1 /* of the first publisher */
#endif
#ifndef OTHERS
#define OTHERS 0    /* publishes of the second publisher */
#endif
#ifndef REPUBLISHES
#define REPUBLISHES 0 /* 1: a publisher may publish the current version again */
#endif
#ifndef RETAIN
#define RETAIN 2    /* versions that the store keeps, counted with the current one */
#endif
#ifndef OVERRIDES
#define OVERRIDES 0 /* pins, rollbacks and unpins of the operator */
#endif
#ifndef STALLS
#define STALLS 0    /* the lock is taken from a living process so often */
#endif
#ifndef GAP
#define GAP 0       /* 1: even from one that is in the call that deletes chunks */
#endif
#ifndef KILLS
#define KILLS 0     /* 1: a publisher or the operator is killed at some step */
#endif
#ifndef LOSSES
#define LOSSES 0
#endif
#ifndef MARKS_COVER
#define MARKS_COVER 1 /* a host may forget a lost key as soon as it serves a version whose mark is after it */
#endif

#define WRITERS ((PUBLISHES > 0) + (OTHERS > 0) + (OVERRIDES > 0))
#define VERSIONS (1 + PUBLISHES + OTHERS)
#define OFFSETS 8
#define RECORDS 12
#define SIDES (2 * HOSTS + 2)
#define TRIES 2
#define LISTED 5
#define OPERATOR 3

#define OFFSET(p) ((p) >> 4)
#define NUMBER(p) ((p) & 15)
#define POSITION(o, i) ((o) << 4 | (i))
#define END (end == 0 -> 0 : POSITION(end, at[end]))
#define IS_THERE(p) ((p) == 0 || (OFFSET(p) <= end && at[OFFSET(p)] == NUMBER(p)))
#define HAS(p) (OFFSET(p) >= first && IS_THERE(p)) /* what the store answers */
#define IS_SAME(p, q) ((p) == (q) || (MISTAKE == 7 && OFFSET(p) == OFFSET(q)))
#define HOLDS(a, p) (IS_SAME(reach[a], p) || IS_SAME(held[a], p) || IS_SAME(held_too[a], p))
/* A list of versions has one in each hexadecimal digit, the first one in the last digit. */
#define AT(l, i) ((l) >> 4 * (i) & 15)
#define LISTS(l, v) (AT(l, 0) == (v) || AT(l, 1) == (v) || AT(l, 2) == (v) || AT(l, 3) == (v) || AT(l, 4) == (v))
#define LENGTH(l) ((AT(l, 0) > 0) + (AT(l, 1) > 0) + (AT(l, 2) > 0) + (AT(l, 3) > 0) + (AT(l, 4) > 0))
#define WITH(l, v) ((v) == 0 || LISTS(l, v) -> (l) : (l) | (v) << 4 * LENGTH(l))
/* The newest earlier version. */
#define PREVIOUS (AT(earlier, 0) == head -> AT(earlier, 1) : AT(earlier, 0))
/* Each version has a chunk of its own, and each second one another chunk, which they share. */
#define CHUNKS(v) ((v) == 0 || HOSTS > 0 -> 0 : 1 << (v) | ((v) & 1))
#define CHUNKS_OF_LIST(l) (CHUNKS(AT(l, 0)) | CHUNKS(AT(l, 1)) | CHUNKS(AT(l, 2)) | CHUNKS(AT(l, 3)) | CHUNKS(AT(l, 4)))
#define IS_WHOLE(v) ((CHUNKS(v) & ~chunks) == 0)
/* Which version hosts are to serve. */
#define EFFECTIVE(o, r, h) ((o) != 0 && ((r) == 0 || (r) == (h)) -> (o) : (h))

byte first;                 /* records up to this offset were trimmed */
byte end;
byte at[OFFSETS];           /* the number of the record that ends at an offset */
byte records;               /* written so far */
byte keys_of[RECORDS];      /* the bit of a key */
byte lost_of[RECORDS];      /* the position of a notice; 0: the record is not a notice */
byte before_of[RECORDS];    /* bits of the keys that the journal had when the record was written */
byte losses;

byte database;
byte record_of[KEYS];       /* its position; 0: not appended */
byte appended;              /* bits of keys */
byte gone;                  /* bits of keys whose records are lost */

byte versions = 1;
byte blob[VERSIONS + 1];    /* bits of keys */
byte mark[VERSIONS + 1];
byte head = 1;
int earlier;                /* a list */
byte chunks = 3;            /* bits */
byte published = 2;         /* bits of the versions that were once published */
byte override;              /* the version; 0: none */
byte replaces;              /* the head that a rollback replaces; 0: a pin */
byte holder;                /* of the lock */
bit deletes;                /* the holder is in the call that deletes chunks */
byte killed;
byte stalls;
byte ended;                 /* publishers and operator */

byte version[HOSTS + 1];
bit side[HOSTS + 1];        /* which additions are served */
byte added[SIDES];
byte reach[SIDES];
byte held[SIDES], held_too[SIDES];
byte notice[SIDES];
bit lacks[SIDES];           /* every answer is "maybe" */
byte had[HOSTS + 1];        /* bits of keys that this host has to find */

#define SERVED(h) (2 * (h) + side[h])
#define FINDS(h, k) (lacks[SERVED(h)] || (((blob[version[h]] | added[SERVED(h)]) >> (k)) & 1))

inline check()
{
	d_step {
		host_i = 0;
		do
		:: host_i < HOSTS ->
			key_i = 0;
			do
			:: key_i < KEYS ->
				assert(!((had[host_i] >> key_i) & 1) || FINDS(host_i, key_i)); /* kept */
				at_i = first + 1;
				do
				:: at_i <= OFFSET(reach[SERVED(host_i)]) && at_i <= end && IS_THERE(reach[SERVED(host_i)]) ->
					assert(lost_of[at[at_i]] == 0 || !((before_of[NUMBER(lost_of[at[at_i]])] & gone) >> key_i & 1) || FINDS(host_i, key_i)); /* told */
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
	lost_of[records] = lost;
	before_of[records] = (appended & ~gone) | keys
}

proctype adder(byte key)
{
	database = database | (1 << key);
	atomic { append(1 << key, 0); record_of[key] = END; appended = appended | (1 << key) }
}

/* The store loses its newest records. */
proctype loser()
{
	byte times = 0, key = 0;
	byte host_i = 0, key_i = 0, at_i = 0;

	do
	:: times < LOSSES ->
		atomic {
			times++;
			if
			:: end > first -> end--; losses++
			:: end > first + 1 -> end = end - 2; losses++
			:: true
			fi;
			key = 0;
			do
			:: key < KEYS -> gone = gone | ((record_of[key] != 0 && !IS_THERE(record_of[key])) << key); key++
			:: else -> break
			od;
			key = 0
		};
		check()
	:: else -> break
	od
}

/* ---- publishers and the operator ---- */

/* Kills a publisher or the operator at any step. */
proctype killer()
{
	if
	:: PUBLISHES > 0 -> killed = 1
	:: OTHERS > 0 -> killed = 2
	:: OVERRIDES > 0 -> killed = OPERATOR
	fi
}

inline take_lock(me)
{
	atomic {
		if
		:: holder == 0 || (holder == killed && holder != me) -> holder = me
		:: holder != 0 && holder != me && stalls < STALLS && (GAP || !deletes) -> stalls++; deletes = 0; holder = me
		fi
	}
}

inline end_lock(me)
{
	atomic { if :: holder == me -> holder = 0 :: else fi }
}

inline read_heads()
{
	atomic { found_override = override; found_replaces = replaces };
	found_head = head;
	found_earlier = earlier
}

/* The versions that are needed have their chunks. */
inline check_chunks(may_lack)
{
	d_step {
		assert(may_lack || (IS_WHOLE(head) && IS_WHOLE(override))); /* whole */
		i = 0; kept = 0;
		do
		:: i < LISTED && kept < RETAIN - 1 ->
			if
			:: AT(earlier, i) != head && AT(earlier, i) != 0 -> kept++; assert(may_lack || IS_WHOLE(AT(earlier, i))) /* whole */
			:: else
			fi;
			i++
		:: else -> break
		od;
		i = 0; kept = 0
	}
}

/* Deletes chunks in two calls, those of one version first. */
inline delete_chunks(me, doomed, lost)
{
	if
	:: (doomed & ~1) == 0
	:: else ->
		atomic { if :: holder != me -> goto lost :: else -> deletes = 1 fi };
		atomic { chunks = chunks & ~(doomed & ~1); if :: holder == me -> deletes = 0 :: else fi };
		check_chunks(stalls > 0)
	fi;
	if
	:: (doomed & 1) == 0
	:: else ->
		atomic { if :: holder != me -> goto lost :: else -> deletes = 1 fi };
		atomic { chunks = chunks & ~(doomed & 1); if :: holder == me -> deletes = 0 :: else fi };
		check_chunks(stalls > 0)
	fi
}

/* The last writer looks at what it leaves. */
inline end_writer()
{
	atomic {
		ended++;
		assert(ended < WRITERS || losses > 0 || stalls > 0 || HAS(mark[EFFECTIVE(override, replaces, head)])) /* loadable */
	};
	check_chunks(ended < WRITERS)
}

proctype publisher(byte me, count)
{
	byte mine = 0, needed = 0, before = 0, tries = 0, i = 0, kept = 0, doomed = 0;
	byte found_override = 0, found_replaces = 0, found_head = 0;
	int found_earlier = 0, plan = 0, retained = 0;
	byte listed = 0;
	bit was_there = 0, is_set = 0, ends_rollback = 0, trims = 0;

	{
	do
	:: count > 0 ->
		count--;
		if
		:: needed = END; /* the mark */
			atomic { versions++; mine = versions; blob[mine] = database; mark[mine] = needed; needed = 0 }
		:: REPUBLISHES -> mine = head
		fi;
		if
		:: !HAS(mark[mine]) -> goto failed
		:: else
		fi;
		before = head;
		atomic { published = (IS_WHOLE(mine) -> published : published & ~(1 << mine)); chunks = chunks | CHUNKS(mine) };
again:		end_lock(me);
		if
		:: tries == TRIES -> goto failed
		:: else -> tries++
		fi;
		take_lock(me);
		read_heads();
		if
		:: is_set && found_head != mine -> goto failed /* replaced since */
		:: !is_set && found_head > mine && found_head != before -> /* overtaken */
			doomed = CHUNKS(mine) & ~(CHUNKS(found_head) | CHUNKS_OF_LIST(found_earlier) | CHUNKS(found_override));
			delete_chunks(me, doomed, again);
			goto failed
		:: else
		fi;
		chunks = chunks | CHUNKS(mine);
		d_step {
			ends_rollback = found_replaces != 0 && found_replaces != mine;
			plan = (found_head == mine -> 0 : (ends_rollback && found_replaces == found_head -> found_override : found_head));
			i = 0;
			do
			:: i < LISTED -> plan = WITH(plan, AT(found_earlier, i)); i++
			:: else -> break
			od;
			if :: found_head != mine -> plan = WITH(plan, found_head) :: else fi;
			if :: ends_rollback -> plan = WITH(plan, found_override) :: else fi;
			i = 0; kept = 0; retained = 0; needed = mark[found_head];
			do
			:: i < LISTED ->
				if
				:: AT(plan, i) == mine && MISTAKE != 13 -> retained = WITH(retained, mine)
				:: AT(plan, i) != mine && AT(plan, i) != 0 && kept < RETAIN - 1 ->
					kept++; retained = WITH(retained, AT(plan, i));
					needed = (OFFSET(mark[AT(plan, i)]) < OFFSET(needed) -> mark[AT(plan, i)] : needed)
				:: else
				fi;
				i++
			:: else -> break
			od;
			needed = (found_override != 0 && OFFSET(mark[found_override]) < OFFSET(needed) && MISTAKE != 2 -> mark[found_override] : needed);
			needed = (MISTAKE == 1 -> mark[mine] : needed);
			doomed = CHUNKS_OF_LIST(plan) & ~(CHUNKS(mine) | CHUNKS_OF_LIST(retained));
			doomed = (found_override != 0 && !ends_rollback && MISTAKE != 10 -> doomed & ~CHUNKS(found_override) : doomed);
			i = 0; trims = kept > 0; kept = 0
		};
		if
		:: found_head == mine ->
			atomic { if :: earlier == found_earlier -> earlier = plan :: else -> goto again fi };
			goto finish
		:: else
		fi;
		if
		:: !HAS(mark[mine]) && MISTAKE != 3 -> goto failed
		:: else
		fi;
		if
		:: holder != me -> goto again /* it cannot be renewed */
		:: else
		fi;
		if
		:: MISTAKE == 9 -> delete_chunks(me, doomed, again)
		:: else
		fi;
		atomic { if :: earlier == found_earlier -> earlier = plan :: else -> goto again fi };
		atomic {
			if
			:: head == found_head -> head = mine; is_set = 1; listed = (AT(retained, 0) == mine -> AT(retained, 1) : AT(retained, 0)); published = published | 1 << mine; was_there = HAS(mark[mine])
			:: else -> goto again
			fi
		};
		check_chunks(stalls > 0);
		if
		:: !HAS(mark[mine]) && MISTAKE != 4 && MISTAKE != 3 ->
			atomic { if :: head == mine -> head = found_head :: else fi };
			doomed = CHUNKS(mine) & ~(CHUNKS(found_head) | CHUNKS_OF_LIST(plan) | CHUNKS(found_override));
			delete_chunks(me, doomed, failed);
			goto failed
		:: else -> assert(was_there || HAS(mark[mine])) /* success */
		fi;
finish:		if
		:: holder != me -> goto again
		:: else
		fi;
		atomic { if :: ends_rollback && override == found_override && replaces == found_replaces -> override = 0; replaces = 0 :: else fi };
		atomic {
			if
			:: trims && OFFSET(mark[mine]) >= OFFSET(needed) && OFFSET(needed) > first && OFFSET(needed) <= end -> first = OFFSET(needed)
			:: else
			fi
		};
		if
		:: MISTAKE == 11 -> atomic { if :: earlier == plan -> earlier = retained :: else fi }
		:: else
		fi;
		delete_chunks(me, doomed, failed);
		atomic {
			if :: earlier == plan -> earlier = retained :: else fi;
			assert(head != mine || listed == 0 || LISTS(earlier, listed)); /* listed */
			assert(HOSTS > 0 || stalls > 0 || (chunks & (published & ~1) & ~(CHUNKS(head) | CHUNKS_OF_LIST(earlier) | CHUNKS(override))) == 0) /* left */
		};
failed:		end_lock(me);
		d_step {
			mine = 0; needed = 0; before = 0; listed = 0; tries = 0; doomed = 0; was_there = 0; is_set = 0; ends_rollback = 0; trims = 0;
			found_override = 0; found_replaces = 0; found_head = 0; found_earlier = 0; plan = 0; retained = 0
		}
	:: else -> break
	od
	} unless { killed == me };
	atomic { if :: holder == me -> deletes = 0 :: else fi };
	end_writer()
}

/* Pins a version, rolls the published one back to an earlier one, or ends this again. */
proctype operator(byte count)
{
	byte chosen = 0, replacing = 0, i = 0, kept = 0;
	byte found_override = 0, found_replaces = 0, found_head = 0;
	int found_earlier = 0;

	{
	do
	:: count > 0 ->
		count--;
		take_lock(OPERATOR);
		read_heads();
		atomic {
			if
			:: chosen = found_head
			:: AT(found_earlier, 0) != 0 -> chosen = AT(found_earlier, 0)
			:: AT(found_earlier, 1) != 0 -> chosen = AT(found_earlier, 1)
			:: found_override != 0 -> chosen = 0
			fi;
			if
			:: true
			:: chosen != 0 && chosen != found_head && (found_override == 0 || found_replaces != 0) -> replacing = found_head
			fi
		};
		if
		:: chosen != 0 && !(IS_WHOLE(chosen) && HAS(mark[chosen])) -> goto failed
		:: else
		fi;
		atomic {
			if
			:: found_override == 0 || found_override == found_head
			:: found_override != 0 && found_override != found_head && earlier == found_earlier -> earlier = WITH(earlier, found_override)
			:: else -> goto failed
			fi
		};
		if
		:: chosen == 0 -> atomic { override = 0; replaces = 0 }; goto failed
		:: else
		fi;
		if
		:: holder != OPERATOR -> goto failed
		:: else
		fi;
		atomic { if :: override == found_override && replaces == found_replaces -> override = chosen; replaces = replacing :: else -> goto failed fi };
		check_chunks(stalls > 0);
		if
		:: holder != OPERATOR ->
			if
			:: MISTAKE == 12
			:: else -> take_lock(OPERATOR)
			fi;
			if
			:: !IS_WHOLE(chosen) -> atomic { override = 0; replaces = 0 }
			:: else
			fi
		:: else
		fi;
failed:		end_lock(OPERATOR);
		d_step { chosen = 0; replacing = 0; found_override = 0; found_replaces = 0; found_head = 0; found_earlier = 0 }
	:: else -> break
	od
	} unless { killed == OPERATOR };
	end_writer()
}

/* ---- hosts ---- */

/* Reads the journal after the reach of additions `a`. */
inline read_into(a)
{
	i = OFFSET(reach[a]) + 1;
	do
	:: i <= end ->
		added[a] = added[a] | keys_of[at[i]];
		if
		:: lost_of[at[i]] != 0 && !HOLDS(a, lost_of[at[i]]) -> lacks[a] = 1
		:: else
		fi;
		is_passed = is_passed || POSITION(i, at[i]) == sought;
		is_told = is_told || (lost_of[at[i]] != 0 && lost_of[at[i]] == sought);
		reach[a] = POSITION(i, at[i]);
		i++
	:: else -> break
	od;
	i = 0
}

proctype syncer(byte host)
{
	byte round = 0, before = 0, mine = 0, found = 0, overriding = 0, replacing = 0;
	byte sought = 0, seen = 0, tries = 0, rounds = 0, due = 0, i = 0;
	bit is_lost = 0, only_tells = 0, must_copy = 0, copies = 0, is_passed = 0, is_told = 0, is_awaited = 0;
	byte host_i = 0, key_i = 0, at_i = 0;

	do
	:: round < ROUNDS ->
		/* follow */
		atomic {
			round++; before = SERVED(host); mine = 2 * host + 1 - side[host]; found = version[host];
			is_lost = !HAS(reach[before]);
			if
			:: is_lost -> only_tells = notice[before] == 0
			:: else -> read_into(before); had[host] = had[host] | (appended & ~gone); is_passed = 0; is_told = 0
			fi
		};
		check();
		if
		:: only_tells -> goto prepare
		:: else
		fi;
choose:		atomic { only_tells = 0; overriding = override; replacing = replaces };
		atomic {
			found = head;
			if
			:: EFFECTIVE(overriding, replacing, found) != found -> found = overriding
			:: EFFECTIVE(overriding, replacing, found) == found && found < version[host] && !(overriding == found && replacing == 0) -> goto again /* too old */
			:: else
			fi;
			if
			:: found == version[host] && !is_lost -> goto again
			:: else
			fi
		};
prepare:	skip;
		atomic {
			must_copy = 0; rounds = 0;
restage:		copies = must_copy || OFFSET(mark[found]) == OFFSET(mark[version[host]]);
			added[mine] = 0; reach[mine] = mark[found]; notice[mine] = 0;
			if
			:: copies && (OFFSET(mark[found]) >= OFFSET(mark[version[host]]) || MISTAKE == 8) ->
				held[mine] = reach[before]; held_too[mine] = held[before]; lacks[mine] = lacks[before]
			:: else -> held[mine] = 0; held_too[mine] = 0; lacks[mine] = copies && lacks[before]
			fi;
			sought = reach[before]; is_passed = 0; is_told = 0; seen = 0;
			if
			:: HAS(reach[mine]) -> read_into(mine); due = appended & ~gone
			:: else ->
				assert(losses > 0 || stalls > 0 || MISTAKE == 3 || only_tells ||
					(found != head && found != PREVIOUS && found != override)); /* there */
				goto shortened
			fi
		};
anew:		atomic {
			is_awaited = 0; must_copy = 0; tries = 0;
			if
			:: OFFSET(sought) <= OFFSET(mark[found]) && MISTAKE != 5 -> goto compared
			:: notice[before] != 0 && OFFSET(notice[before]) <= OFFSET(mark[found]) -> goto compared
			:: is_passed -> goto compared
			:: HAS(sought) -> is_awaited = 1; goto compared
			:: else -> must_copy = 1
			fi
		};
tell:		atomic {
			if
			:: is_passed -> must_copy = 0; goto compared
			:: !is_passed && is_told -> seen = reach[mine]
			:: !is_passed && !is_told && tries > 0 && reach[mine] == seen
			:: !is_passed && !is_told && !(tries > 0 && reach[mine] == seen) ->
				tries++; seen = reach[mine];
				if
				:: !HAS(sought) && END == reach[mine] ->
					assert(!IS_THERE(sought)); /* proven */
					i = first + 1;
					do
					:: i <= end -> assert(lost_of[at[i]] != sought); i++ /* once */
					:: else -> break
					od;
					i = 0;
					append(0, sought);
					seen = END
				:: else -> goto reread
				fi
			fi;
			notice[before] = seen; lacks[mine] = lacks[mine] || !HOLDS(mine, sought)
		};
		check();
compared:	atomic {
			if
			:: !HAS(reach[mine]) -> goto failed
			:: else -> read_into(mine); due = appended & ~gone
			fi;
			if
			:: is_awaited && !is_passed && rounds < 3 -> rounds++; goto anew
			:: is_awaited && !is_passed && rounds == 3 -> must_copy = 1
			:: !is_awaited || is_passed
			fi;
			if
			:: only_tells -> goto choose
			:: !only_tells && must_copy && !copies -> goto restage
			:: else
			fi
		};
		atomic { /* the switch */
			if
			:: copies -> added[mine] = added[mine] | added[before]
			:: else
			fi;
			if
			:: MARKS_COVER && OFFSET(sought) <= OFFSET(mark[found]) ->
				key_i = 0;
				do
				:: key_i < KEYS ->
					if
					:: OFFSET(record_of[key_i]) <= OFFSET(mark[found]) && ((gone >> key_i) & 1) -> had[host] = had[host] & ~(1 << key_i)
					:: else
					fi;
					key_i++
				:: else -> break
				od;
				key_i = 0
			:: else
			fi;
			version[host] = found; side[host] = 1 - side[host]; had[host] = had[host] | due;
			added[before] = 0; reach[before] = 0; held[before] = 0; held_too[before] = 0; notice[before] = 0; lacks[before] = 0
		};
		check();
		goto again;
reread:		atomic {
			if
			:: tries > TRIES -> goto failed
			:: else -> if :: HAS(reach[mine]) -> read_into(mine) :: else fi; goto tell
			fi
		};
shortened:	atomic {
			seen = END;
			if
			:: notice[before] == 0 && (end < OFFSET(sought) || MISTAKE == 6)
			:: else -> goto failed
			fi
		};
		atomic {
			if
			:: END == seen && !HAS(sought) ->
				assert(!IS_THERE(sought)); /* proven */
				append(0, sought); notice[before] = END
			:: else
			fi
		};
		check();
failed:		if
		:: only_tells -> goto choose
		:: else
		fi;
again:		atomic {
			if :: mine == SERVED(host) -> mine = before :: else fi;
			added[mine] = 0; reach[mine] = 0; held[mine] = 0; held_too[mine] = 0; notice[mine] = 0; lacks[mine] = 0;
			before = 0; mine = 0; found = 0; overriding = 0; replacing = 0; sought = 0; seen = 0; tries = 0; rounds = 0; due = 0;
			is_lost = 0; only_tells = 0; must_copy = 0; copies = 0; is_passed = 0; is_told = 0; is_awaited = 0
		}
	:: else -> break
	od
}

init
{
	byte i = 0;

	atomic {
		do
		:: i < HOSTS -> version[i] = 1; run syncer(i); i++
		:: else -> break
		od;
		i = 0;
		do
		:: i < KEYS -> run adder(i); i++
		:: else -> break
		od;
		if :: PUBLISHES > 0 -> run publisher(1, PUBLISHES) :: else fi;
		if :: OTHERS > 0 -> run publisher(2, OTHERS) :: else fi;
		if :: OVERRIDES > 0 -> run operator(OVERRIDES) :: else fi;
		if :: KILLS > 0 -> run killer() :: else fi;
		if :: LOSSES > 0 -> run loser() :: else fi
	}
}
