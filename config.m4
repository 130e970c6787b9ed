dnl bloom: Bloom filters in shared memory

PHP_ARG_ENABLE([bloom],
  [whether to enable bloom],
  [AS_HELP_STRING([--enable-bloom],
    [Enable Bloom filters in shared memory])],
  [yes])

PHP_ARG_WITH([bloom-sodium],
  [whether bloom uses libsodium],
  [AS_HELP_STRING([--with-bloom-sodium],
    [bloom: use libsodium for keyed filters and signed blobs (default: use it if it is found; yes: fail if it is not found)])],
  [auto], [no])

PHP_ARG_ENABLE([bloom-posix],
  [whether bloom avoids system calls that only Linux has],
  [AS_HELP_STRING([--enable-bloom-posix],
    [bloom: use only system calls of POSIX, as on systems other than Linux, to test that code])],
  [no], [no])

PHP_ARG_ENABLE([bloom-developer],
  [whether to build bloom with extra warnings],
  [AS_HELP_STRING([--enable-bloom-developer],
    [bloom: enable more compiler warnings, and treat them as errors])],
  [no], [no])

if test "$PHP_BLOOM" != "no"; then
  dnl The API represents sizes and times as PHP integers, which must have 64 bits.
  AC_CHECK_SIZEOF([void *])
  if test "$ac_cv_sizeof_void_p" -lt 8; then
    AC_MSG_ERROR([bloom needs a 64-bit PHP])
  fi

  dnl Only the headers of xxHash are used, so xxHash is needed only at build time.
  AC_PATH_PROG([PKG_CONFIG], [pkg-config], [no])
  AC_MSG_CHECKING([for libxxhash 0.8 or later])
  if test "$PKG_CONFIG" = no; then
    AC_MSG_RESULT([no])
    AC_MSG_ERROR([pkg-config is needed to find libxxhash: install pkg-config (Debian: pkg-config)])
  elif $PKG_CONFIG --atleast-version=0.8.0 libxxhash; then
    AC_MSG_RESULT([$($PKG_CONFIG --modversion libxxhash)])
    PHP_EVAL_INCLINE([$($PKG_CONFIG --cflags libxxhash)])
  else
    AC_MSG_RESULT([no])
    AC_MSG_ERROR([libxxhash 0.8 or later is needed: install its development package (Debian: libxxhash-dev)])
  fi

  dnl libsodium has siphashx24 since 1.0.12.
  BLOOM_SODIUM_CFLAGS=
  if test "$PHP_BLOOM_SODIUM" != "no"; then
    AC_MSG_CHECKING([for libsodium 1.0.12 or later])
    if $PKG_CONFIG --atleast-version=1.0.12 libsodium; then
      AC_MSG_RESULT([$($PKG_CONFIG --modversion libsodium)])
      PHP_EVAL_INCLINE([$($PKG_CONFIG --cflags libsodium)])
      PHP_EVAL_LIBLINE([$($PKG_CONFIG --libs libsodium)], [BLOOM_SHARED_LIBADD])
      BLOOM_SODIUM_CFLAGS="-DBLOOM_SODIUM=1"
    else
      AC_MSG_RESULT([no])
      if test "$PHP_BLOOM_SODIUM" != "auto"; then
        AC_MSG_ERROR([libsodium 1.0.12 or later is needed: install its development package (Debian: libsodium-dev), or build --without-bloom-sodium])
      fi
      AC_MSG_WARN([building bloom without keyed filters and signed blobs])
    fi
  fi

  dnl A builder with several jobs starts threads (src/os/parallel_posix.c).
  PHP_ADD_LIBRARY([pthread],, [BLOOM_SHARED_LIBADD])
  PHP_SUBST([BLOOM_SHARED_LIBADD])

  dnl GCC 12 and later combine the two halves of a digest in memory to move them as one vector. The load
  dnl then waits for both stores. With -fno-tree-slp-vectorize, a batch of lookups takes 20 % less time.
  BLOOM_CFLAGS="$BLOOM_SODIUM_CFLAGS -std=gnu11 -fno-tree-slp-vectorize -fvisibility=hidden -DZEND_ENABLE_STATIC_TSRMLS_CACHE=1"
  if test "$PHP_BLOOM_POSIX" = "yes"; then
    BLOOM_CFLAGS="$BLOOM_CFLAGS -DBLOOM_POSIX=1"
  fi
  if test "$PHP_BLOOM_DEVELOPER" = "yes"; then
    dnl PHP's headers do not compile with -Wconversion and similar flags. tests/unit/run builds the core with them.
    BLOOM_CFLAGS="$BLOOM_CFLAGS -Wall -Wextra -Wno-unused-parameter -Wvla -Werror"
  fi
  dnl The folders are in the order of their layers: a file includes only headers from its own folder and from folders
  dnl listed before it.
  BLOOM_SOURCES="bloom.c \
    src/filter/status.c src/filter/secret.c src/filter/digest.c src/filter/geometry.c src/filter/rate.c \
    src/filter/sizing.c src/filter/measure.c src/filter/probe.c src/filter/ribbon.c src/filter/reverse.c \
    src/filter/mark.c src/filter/record.c src/filter/blob.c src/filter/signature.c \
    src/filter/override.c src/filter/filename.c \
    src/os/files_posix.c src/os/directories_posix.c src/os/mapping_posix.c src/os/lock_posix.c src/os/process_posix.c \
    src/os/clock_posix.c src/os/parallel_posix.c src/os/sharedfile_posix.c src/os/userfile.c \
    src/build/builder.c src/build/lines.c \
    src/segment/kinds.c src/segment/counters.c src/segment/keyring.c src/segment/place.c src/segment/account.c src/segment/marker.c src/segment/segment.c \
    src/segment/stage.c src/segment/filelock.c src/segment/sync.c \
    src/kinds/ops.c src/kinds/loaded.c src/kinds/live.c src/kinds/create.c src/kinds/counting.c src/kinds/scalable.c \
    src/kinds/sliding.c src/kinds/reverse_live.c src/kinds/overlay.c src/kinds/additions.c src/kinds/ondemand.c src/kinds/ondemand_pause.c \
    src/kinds/attachment.c src/kinds/verify.c src/kinds/snapshot.c src/kinds/saving.c src/kinds/restoring.c \
    src/php/errors.c src/php/secret.c src/php/segment.c src/php/arguments.c src/php/keys.c src/php/progress.c \
    src/php/job.c src/php/file.c src/php/info_array.c src/php/info_object.c src/php/info_blob.c src/php/counters.c src/php/attachment.c src/php/handle.c \
    src/php/disabled.c src/php/groups.c src/php/blob.c src/php/combine.c src/php/sign.c src/php/builder.c \
    src/php/add_file.c src/php/reverse.c src/php/like.c src/php/store.c src/php/store_object.c src/php/ondemand.c src/php/filter.c \
    src/php/lookup.c src/php/load.c src/php/create.c src/php/live.c src/php/snapshot.c src/php/snapshot_store.c src/php/info.c src/php/health.c src/php/info_table.c src/php/metrics.c src/php/attach.c src/php/fetch.c \
    src/php/override.c src/php/collect.c src/php/ending.c src/php/publish.c src/php/versions.c src/php/sync.c src/php/sync_log.c src/php/overlay.c src/php/tail.c src/php/journal.c src/php/directory_store.c src/php/directory_journal.c \
    src/php/client.c src/php/redis_script.c src/php/redis_store.c src/php/redis_journal.c src/php/memcached_store.c"
  PHP_NEW_EXTENSION([bloom], [$BLOOM_SOURCES], [$ext_shared],, [-I@ext_srcdir@/src $BLOOM_CFLAGS])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/filter])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/os])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/build])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/segment])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/kinds])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/php])
fi
