PHP_ARG_ENABLE([bloom_empty], [whether to enable bloom_empty],
  [AS_HELP_STRING([--enable-bloom-empty], [the empty method that benchmarks compare with])], [yes])
if test "$PHP_BLOOM_EMPTY" != "no"; then
  PHP_NEW_EXTENSION([bloom_empty], [empty.c], [$ext_shared])
fi
