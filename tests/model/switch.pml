/* The switch and read protocol of src/segment/switch.h as a Promela model. A process can die at
 * any step.
 *
 * The model has one filter name, with processes that load, drop and read it. Each step is one
 * system call or one access to shared memory. What the kernel does atomically is one step.
 * Memory is sequentially consistent: the protocol's only ordered pair is the release store and
 * acquire load of the generation, and system calls synchronize everything else.
 *
 *   directory   an inode with its lock, its control page and its files
 *   page        a control page; it outlives its directory while a reader has it mapped
 *   version     the content of a file. Versions are numbered in the order of the switches, so an
 *               answer from a lower version than the one served when the lookup began has lost
 *               keys
 *
 * Checked over all interleavings and all deaths:
 *
 *   fresh       no lookup answers from a version older than the one served when it began
 *   whole       no lookup answers from an incomplete file
 *   there       the file of a served number exists, so no death makes readers answer "maybe"
 *               (withdrawing a damaged generation is not modeled: it deliberately leaves a number
 *               without a file)
 *   absent      a lookup reports "not loaded" only if nothing was served at some time during it
 *   free        readers wait for no other process: each reader ends even if all writers stop
 *   healing     after all processes have ended or died, one more load succeeds at once. It leaves
 *               the directory, the page, one file, and nothing else
 *
 * MISTAKE builds a mistake into the protocol, which the model must detect:
 *
 *   1  the number is stored before the file has its name
 *   2  writers take no lock
 *   3  a reader that cannot map the new file keeps using its old mapping
 *   4  a drop does not mark the page
 */
/* fault: switch-interleaved */

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

#define WRITERS (LOADERS + DROPPERS + 1) /* the last writer is the healer */
#define HEALER (WRITERS - 1)
#define DIRECTORIES 4  /* here and below, 0 means none */
#define PAGES 5
#define NUMBERS 6      /* generations of a directory */

#define DROPPED 255
#define UNMAPPED 254

byte name_to;                              /* the directory that the name leads to */
byte directories;                          /* number created so far */
byte lock_of[DIRECTORIES];                 /* writer + 1 */
byte page_of[DIRECTORIES];
byte pages;
byte generation[PAGES];                    /* the one shared word */
byte file[DIRECTORIES * NUMBERS];          /* version + 1 of a generation file */
bit temporary[DIRECTORIES * WRITERS];      /* a .tmp in that directory */
bit writes[WRITERS];                       /* the writer is alive and holds the lock of its .tmp */
byte versions;                             /* number of switches so far */
byte served;                               /* version that the name serves; 0: none */
byte drops;
byte ended;                                /* number of writers that ended or died */

#define FILE(d, g) file[(d) * NUMBERS + (g)]
#define TMP(d, w) temporary[(d) * WRITERS + (w)]

/* When a process dies, the kernel releases its locks. Nothing else happens. */
#define DIE(me, d) atomic { writes[me] = 0; if :: d != 0 && lock_of[d] == me + 1 -> lock_of[d] = 0 :: else fi; goto end }
#define MAY_DIE(me, d) if :: me != HEALER -> DIE(me, d) :: true fi

/* Removes all generations except the served one, then the files of dead writers. Each removal is a
 * step. */
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

/* Takes the lock or gives up. A wait is not modeled, because it ends with the lock or with a
 * timeout. The healer must get the lock without waiting. */
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
	/* The .tmp is created and locked. bloom_file_is_linked() detects a race. */
	atomic { TMP(d, me) = 1; writes[me] = 1 };
	MAY_DIE(me, d);
	/* Here the loader writes the file and verifies it in place. */
	take_lock(me, d);
	MAY_DIE(me, d);
	if
	:: name_to != d ->                          /* E_GONE: dropped during the wait */
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
		/* The page gets its name by a rename. */
		atomic { pages++; assert(pages < PAGES); page = pages; page_of[d] = page }
	:: else
	fi;
	MAY_DIE(me, d);
	tidy(me, d, generation[page]);
	/* The next number is above the served number and above the number of each file. */
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
	/* While a live writer's .tmp exists, rmdir fails. The directory stays, without a page. */
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

/* A reader that attaches and looks keys up: bloom_attach(), bloom_attachment_check() and
 * bloom_attachment_refresh(). */
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
		assert(was_none || drops != drops_before);       /* absent */
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
