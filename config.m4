dnl bloom: Bloom filters in shared memory

PHP_ARG_ENABLE([bloom],
  [whether to enable bloom],
  [AS_HELP_STRING([--enable-bloom],
    [Enable Bloom filters in shared memory])],
  [yes])

PHP_ARG_WITH([bloom-sodium],
  [whether bloom uses libsodium],
  [AS_HELP_STRING([--with-bloom-sodium],
    [bloom: keyed filters and signed blobs, by libsodium (default: if it is there; yes fails without it)])],
  [auto], [no])

PHP_ARG_ENABLE([bloom-developer],
  [whether to build bloom with the developers' warnings],
  [AS_HELP_STRING([--enable-bloom-developer],
    [bloom: turn on the warnings that its developers build with, as errors])],
  [no], [no])

if test "$PHP_BLOOM" != "no"; then
  dnl Sizes and times are PHP integers.
  AC_CHECK_SIZEOF([void *])
  if test "$ac_cv_sizeof_void_p" -lt 8; then
    AC_MSG_ERROR([bloom needs a PHP of 64 bits])
  fi

  dnl xxHash is used header-only: only its header is needed, at build time.
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

  dnl siphashx24 came with 1.0.12.
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
      AC_MSG_WARN([bloom is built without keyed filters and signed blobs])
    fi
  fi

  dnl A builder with several jobs makes threads.
  PHP_ADD_LIBRARY([pthread],, [BLOOM_SHARED_LIBADD])
  PHP_SUBST([BLOOM_SHARED_LIBADD])

  dnl GCC 12 and later put the two halves of a digest together in memory, to move them as one; the
  dnl processor then waits for both stores. Without that a batch of lookups takes a fifth less time.
  BLOOM_CFLAGS="$BLOOM_SODIUM_CFLAGS -std=gnu11 -fno-tree-slp-vectorize -fvisibility=hidden -DZEND_ENABLE_STATIC_TSRMLS_CACHE=1"
  if test "$PHP_BLOOM_DEVELOPER" = "yes"; then
    dnl PHP's own headers do not pass -Wconversion and the like: tests/unit/run builds the core with those.
    BLOOM_CFLAGS="$BLOOM_CFLAGS -Wall -Wextra -Wno-unused-parameter -Wvla -Werror"
  fi
  PHP_NEW_EXTENSION([bloom],
    [bloom.c \
     src/status.c src/secret.c src/digest.c src/probe.c src/geometry.c src/measure.c src/reverse.c src/blob.c src/ribbon.c src/signature.c \
     src/files_posix.c src/mapping_posix.c src/lock_posix.c src/process_posix.c src/clock_posix.c src/parallel_posix.c \
     src/keyring.c src/place.c src/account.c src/marker.c src/segment.c src/stage.c src/filelock.c \
     src/live.c src/counting.c src/scalable.c src/sliding.c src/overlay.c src/ondemand.c \
     src/attachment.c src/builder.c src/lines.c src/sync.c src/verify.c \
     src/php_common.c src/php_secret.c src/php_file.c src/php_info.c src/php_builder.c src/php_like.c src/php_blob.c \
     src/php_attachment.c src/php_disabled.c src/php_filter.c src/php_live.c src/php_reverse.c src/php_ondemand.c \
     src/php_store.c src/php_fetch.c src/php_collect.c src/php_publish.c src/php_sync.c \
     src/php_directory_store.c src/php_client.c src/php_redis_store.c src/php_memcached_store.c],
    [$ext_shared],, [$BLOOM_CFLAGS])
  PHP_ADD_BUILD_DIR([$ext_builddir/src])
fi
