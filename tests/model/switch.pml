/* The switch/read protocol of src/segment/segment.h as a Promela model, with a death possible at every step.
 *
 * One filter name; loaders, droppers and readers, each step of which is one system call or one access to
 * shared memory. What a step does at once in the kernel is atomic here. Memory is sequentially consistent:
 * the release store and the acquire load of the generation are the protocol's only pair, and
 * everything else is handed over by system calls.
 *
 *   directory   an inode: whether the name leads to it, its lock, its control page, its files
 *   page        a control page: survives its directory for as long as somebody watches it
 *   version     what a file holds. They are counted as they are switched to, so an answer from a
 *               lower one than was served when the lookup began has lost keys
 *
 * Shown, over all interleavings and all deaths:
 *
 *   fresh       no lookup answers from a version older than the one that was served when it began
 *   whole       none answers from a file that was not complete
 *   there       a number that is served names a file: no death makes readers say "maybe"
 *               (The withdrawal of a damaged generation, which names a number without a file on purpose, is not modeled.)
 *   told        "not loaded" is said only when nothing was served at some time during the lookup
 *   free        readers wait for nobody: every one of them ends, also when all writers stand still
 *   healing     once all have ended or died, one more load succeeds at once, and leaves the directory, the
 *               page, one file, and nothing else
 *
 * What it can find is shown by MISTAKE, which builds one in:
 *
 *   1  the number is stored before the file has its name       2  writers do not lock
 *   3  a reader goes on with its mapping when it cannot map    4  a drop does not mark the page
 */

#ifndef MISTAKE
#define MISTAKE 0
#endif
#ifndef LOADERS
#define LOADERS 2
#endif
#ifndef DROPPERS
#define DROPPERS 1
#endif
#ifndef READERS
#define READERS 1
#endif
#ifndef LOOKUPS
#define LOOKUPS 2
#endif

#define WRITERS (LOADERS + DROPPERS + 1) /* the last one is the healer */
#define HEALER (WRITERS - 1)
#define DIRECTORIES 4  /* 0 is none, as everywhere below */
#define PAGES 5
#define NUMBERS 6      /* generations of a directory */

#define DROPPED 255
#define UNMAPPED 254

byte name_to;                              /* the directory that the name leads to */
byte directories;                          /* made so far */
byte lock_of[DIRECTORIES];                 /* writer + 1 */
byte page_of[DIRECTORIES];
byte pages;
byte generation[PAGES];                    /* the one shared word */
byte file[DIRECTORIES * NUMBERS];          /* version + 1 of a generation file */
bit temporary[DIRECTORIES * WRITERS];      /* a .tmp in that directory */
bit writes[WRITERS];                       /* holds the lock of its .tmp: it lives */
byte versions;                             /* switched to so far */
byte served;                               /* version that the name serves; 0: none */
byte drops;
byte ended;                                /* writers that ended or died */

#define FILE(d, g) file[(d) * NUMBERS + (g)]
#define TMP(d, w) temporary[(d) * WRITERS + (w)]

/* Death: the kernel frees the locks. Nothing else happens. */
#define DIE(me, d) atomic { writes[me] = 0; if :: d != 0 && lock_of[d] == me + 1 -> lock_of[d] = 0 :: else fi; goto end }
#define MAY_DIE(me, d) if :: me != HEALER -> DIE(me, d) :: true fi

/* Removes all generations but the served one, then what the dead left: a step each. */
inline tidy(me, d, keep)
{
	i = 1;
	do
	:: i < NUMBERS ->
		if
		:: i != keep && FILE(d, i) != 0 -> MAY_DIE(me, d); FILE(d, i) = 0
		:: else
		fi;
		i++
	:: else -> break
	od;
	i = 0;
	do
	:: i < WRITERS ->
		if
		:: atomic { TMP(d, i) && !writes[i] -> TMP(d, i) = 0 }; MAY_DIE(me, d)
		:: else
		fi;
		i++
	:: else -> break
	od
}

/* Takes the lock, or gives up: a timeout is as good as a wait. The healer must not need to wait. */
inline take_lock(me, d)
{
	if
	:: MISTAKE == 2 -> skip
	:: atomic { MISTAKE != 2 && lock_of[d] == 0 -> lock_of[d] = me + 1 }
	:: me != HEALER -> goto end_closing
	:: me == HEALER && lock_of[d] != 0 -> assert(false)
	fi
}

inline open_directory(d)
{
	atomic {
		if
		:: name_to == 0 ->
			directories++;
			assert(directories < DIRECTORIES);
			name_to = directories
		:: else
		fi;
		d = name_to
	}
}

proctype load(byte me)
{
	byte d, page, i, next, version, tries;

again:
	open_directory(d);
	MAY_DIE(me, d);
	atomic { TMP(d, me) = 1; writes[me] = 1 };  /* created and locked; bloom_file_is_linked() sees a race */
	MAY_DIE(me, d);
	/* … written, and verified in place … */
	take_lock(me, d);
	MAY_DIE(me, d);
	if
	:: name_to != d ->                          /* E_GONE: dropped while we waited */
		atomic { lock_of[d] = 0; TMP(d, me) = 0; writes[me] = 0; d = 0 };
		if
		:: tries == 0 -> tries++; goto again
		:: else -> goto end
		fi
	:: else
	fi;
	page = page_of[d];
	if
	:: page == 0 || generation[page] == DROPPED ->
		MAY_DIE(me, d);
		atomic { pages++; assert(pages < PAGES); page = pages; page_of[d] = page } /* by rename */
	:: else
	fi;
	MAY_DIE(me, d);
	tidy(me, d, generation[page]);
	/* One more than the served one, and than any file is named by. */
	atomic {
		next = generation[page] + 1;
		i = 1;
		do
		:: i < NUMBERS -> if :: FILE(d, i) != 0 && i >= next -> next = i + 1 :: else fi; i++
		:: else -> break
		od;
		assert(next < NUMBERS)
	};
	versions++;
	version = versions;
	if
	:: MISTAKE == 1 ->
		atomic { generation[page] = next; served = version };
		MAY_DIE(me, d)
	:: else
	fi;
	atomic { TMP(d, me) = 0; writes[me] = 0; FILE(d, next) = version + 1 };
	MAY_DIE(me, d);
	atomic { generation[page] = next; served = version };  /* the switch */
	MAY_DIE(me, d);
	tidy(me, d, next);
	if
	:: me == HEALER -> goto check
	:: else
	fi;

end_closing:
	atomic {
		if :: TMP(d, me) && writes[me] -> TMP(d, me) = 0 :: else fi;
		writes[me] = 0;
		if :: lock_of[d] == me + 1 -> lock_of[d] = 0 :: else fi
	};
	goto end;

check:
	/* healing */
	atomic {
		assert(name_to == d && page_of[d] == page && generation[page] == next);
		i = 1;
		do
		:: i < NUMBERS -> assert((FILE(d, i) != 0) == (i == next)); i++
		:: else -> break
		od;
		i = 0;
		do
		:: i < WRITERS -> assert(!TMP(d, i)); i++
		:: else -> break
		od
	};
end:
	ended++
}

proctype drop(byte me)
{
	byte d, page, i;
	bit busy;

	atomic { d = name_to; if :: d == 0 -> goto end :: else fi };
	MAY_DIE(me, d);
	take_lock(me, d);
	MAY_DIE(me, d);
	if
	:: name_to != d -> goto end_closing
	:: else
	fi;
	page = page_of[d];
	if
	:: page != 0 ->
		atomic { if :: MISTAKE != 4 -> generation[page] = DROPPED :: else fi; served = 0; drops++ };
		MAY_DIE(me, d)
	:: else
	fi;
	tidy(me, d, 0);
	page_of[d] = 0;
	MAY_DIE(me, d);
	/* rmdir fails while a living writer's .tmp is there: the directory stays, without a page. */
	atomic {
		i = 0;
		do
		:: i < WRITERS -> if :: TMP(d, i) -> busy = 1 :: else fi; i++
		:: else -> break
		od;
		if :: !busy -> name_to = 0 :: else fi
	};

end_closing:
	atomic { if :: lock_of[d] == me + 1 -> lock_of[d] = 0 :: else fi };
end:
	ended++
}

/* A reader that attaches and looks up: bloom_attach(), bloom_attachment_check() and _refresh(). */
proctype read()
{
	byte page, mapped, number, before, version, d, floor, drops_before, lookups, rounds;
	bit was_none, anew;

	mapped = UNMAPPED;
	do
	:: lookups == LOOKUPS -> break
	:: lookups < LOOKUPS ->
		lookups++;
		atomic { floor = served; drops_before = drops; was_none = (served == 0) };
		if
		:: page == 0 -> anew = 1
		:: else ->
			number = generation[page];
			if
			:: number == mapped -> goto answer       /* the fast path: one load */
			:: else -> anew = (number == DROPPED || number == 0)
			fi
		fi;
		d = name_to;                                     /* open */
		if
		:: d == 0 && anew -> goto absent
		:: d == 0 -> goto maybe
		:: else
		fi;
		if
		:: anew ->
			page = page_of[d];                       /* map the page */
			mapped = UNMAPPED;
			if
			:: page == 0 -> goto absent
			:: else
			fi
		:: else
		fi;
		number = generation[page];
		rounds = 0;
		do
		:: number == 0 || number == DROPPED ->
			if
			:: anew -> page = 0; goto absent
			:: else -> goto maybe
			fi
		:: else ->
			version = FILE(d, number);               /* open and map the file */
			if
			:: version != 0 -> version--; mapped = number; break
			:: else
			fi;
			before = number;
			number = generation[page];
			rounds++;
			if
			:: number == before -> assert(false)     /* there */
			:: rounds == 100 -> goto maybe
			:: else
			fi
		od;
answer:
		assert(version >= 1);                            /* whole */
		assert(version >= floor);                        /* fresh */
		goto next_lookup;
absent:
		assert(was_none || drops != drops_before);       /* told */
		goto next_lookup;
maybe:
		if
		:: MISTAKE == 3 && mapped != UNMAPPED -> goto answer
		:: else
		fi;
		mapped = UNMAPPED;
next_lookup:
		skip
	od
}

init
{
	byte i;

	atomic {
		i = 0;
		do
		:: i < LOADERS -> run load(i); i++
		:: else -> break
		od;
		do
		:: i < LOADERS + DROPPERS -> run drop(i); i++
		:: else -> break
		od;
		i = 0;
		do
		:: i < READERS -> run read(); i++
		:: else -> break
		od
	};
	ended == LOADERS + DROPPERS;
	run load(HEALER)
}
