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

  BLOOM_CFLAGS="$BLOOM_SODIUM_CFLAGS -std=gnu11 -fvisibility=hidden -DZEND_ENABLE_STATIC_TSRMLS_CACHE=1"
  if test "$PHP_BLOOM_POSIX" = "yes"; then
    BLOOM_CFLAGS="$BLOOM_CFLAGS -DBLOOM_POSIX=1"
  fi
  if test "$PHP_BLOOM_DEVELOPER" = "yes"; then
    dnl PHP's headers do not compile with -Wconversion and similar flags. tests/unit/run builds the core with them.
    BLOOM_CFLAGS="$BLOOM_CFLAGS -Wall -Wextra -Wno-unused-parameter -Wvla -Werror"
  fi
  dnl scripts/manifest writes the sources.
  BLOOM_SOURCES="bloom.c \
    src/build/builder.c src/build/lines.c src/build/pairs.c src/build/solve.c \
    src/filter/blob.c src/filter/blob_write.c src/filter/chunk.c src/filter/digest.c src/filter/digest_sort.c \
    src/filter/dump.c src/filter/filename.c src/filter/foreign.c src/filter/foreign_export.c \
    src/filter/foreign_layer.c src/filter/foreign_read.c src/filter/foreign_redis.c src/filter/foreign_size.c \
    src/filter/foreign_source.c src/filter/foreign_valkey.c src/filter/geometry.c src/filter/journal_mark.c \
    src/filter/journal_record.c src/filter/measure.c src/filter/override.c src/filter/probe.c src/filter/rate.c \
    src/filter/reverse.c src/filter/ribbon.c src/filter/ribbon_solve.c src/filter/secret.c src/filter/signature.c \
    src/filter/sizing.c src/filter/status.c src/filter/value_map.c \
    src/kinds/additions.c src/kinds/attachment.c src/kinds/attachment_state.c src/kinds/counting.c \
    src/kinds/create.c src/kinds/live.c src/kinds/loaded.c src/kinds/ondemand.c src/kinds/ondemand_pause.c \
    src/kinds/ops.c src/kinds/reverse_live.c src/kinds/scalable.c src/kinds/sliding.c src/kinds/snapshot.c \
    src/kinds/verify.c \
    src/os/clock_posix.c src/os/directories_posix.c src/os/files_posix.c src/os/lock_posix.c \
    src/os/mapping_posix.c src/os/parallel_posix.c src/os/process_posix.c src/os/sharedfile_posix.c \
    src/os/userfile.c \
    src/php/arguments.c src/php/disabled_classes.c src/php/errors.c src/php/info_array.c src/php/job.c \
    src/php/keyrings.c src/php/keys.c src/php/progress.c src/php/settings.c src/php/stream.c \
    src/php/filter/add_file.c src/php/filter/attachment_pool.c src/php/filter/blob_object.c \
    src/php/filter/build.c src/php/filter/build_like.c src/php/filter/build_map.c src/php/filter/build_reverse.c \
    src/php/filter/create_filter.c src/php/filter/export.c src/php/filter/fetch_on_demand.c \
    src/php/filter/filter.c src/php/filter/foreign_format.c src/php/filter/handle.c src/php/filter/import.c \
    src/php/filter/info_blob.c src/php/filter/info_object.c src/php/filter/layout.c src/php/filter/list_groups.c \
    src/php/filter/live_filter.c src/php/filter/loaded_map.c src/php/filter/lookup.c src/php/filter/merge.c \
    src/php/filter/sign.c \
    src/php/protocol/attach.c src/php/protocol/effective_version.c src/php/protocol/fetch.c \
    src/php/protocol/heads.c src/php/protocol/journal.c src/php/protocol/journal_end.c \
    src/php/protocol/journal_follow.c src/php/protocol/journal_loss.c src/php/protocol/journal_notice.c \
    src/php/protocol/journal_pull.c src/php/protocol/journal_read.c src/php/protocol/journal_writer.c \
    src/php/protocol/load.c src/php/protocol/publish.c src/php/protocol/publish_chunks.c \
    src/php/protocol/publish_finish.c src/php/protocol/publish_lock.c src/php/protocol/publish_versions.c \
    src/php/protocol/rollback.c src/php/protocol/save_restore.c src/php/protocol/staged_additions.c \
    src/php/protocol/sync.c src/php/protocol/sync_journal.c src/php/protocol/sync_log.c \
    src/php/protocol/sync_version.c src/php/protocol/versions.c \
    src/php/report/activity.c src/php/report/health.c src/php/report/health_rules.c src/php/report/info.c \
    src/php/report/info_table.c src/php/report/metrics.c \
    src/php/store/built_in_store.c src/php/store/client.c src/php/store/directory_journal.c \
    src/php/store/directory_path.c src/php/store/directory_store.c src/php/store/directory_trim.c \
    src/php/store/directory_writer.c src/php/store/journal_file.c src/php/store/memcached_client.c \
    src/php/store/memcached_store.c src/php/store/redis_journal.c src/php/store/redis_script.c \
    src/php/store/redis_store.c src/php/store/store.c src/php/store/store_object.c \
    src/segment/control_file.c src/segment/counters.c src/segment/drop.c src/segment/filelock.c \
    src/segment/filter_dir.c src/segment/keyring.c src/segment/kinds.c src/segment/list.c \
    src/segment/memory_limit.c src/segment/other_layouts.c src/segment/readable_text.c src/segment/segment.c \
    src/segment/served_override.c src/segment/stage.c src/segment/switch.c src/segment/sync_due.c \
    src/segment/sync_lease.c src/segment/tidy.c"
  PHP_ADD_BUILD_DIR([$ext_builddir/src/build])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/filter])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/kinds])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/os])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/php])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/php/filter])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/php/protocol])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/php/report])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/php/store])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/segment])
  dnl end of the sources
  PHP_NEW_EXTENSION([bloom], [$BLOOM_SOURCES], [$ext_shared],, [-I@ext_srcdir@/src $BLOOM_CFLAGS])
fi
