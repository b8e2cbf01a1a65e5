/* Small help with names and words. */
#ifndef MN_CORE_NEAREST_NAME_H
#define MN_CORE_NEAREST_NAME_H
#include <stddef.h>

/* The one of names[0..n-1] that `name` was most likely meant to be, NULL when none is near: at most a third of its
 * letters (and at least one change) are wrong, missing, too many, or swapped with their neighbour; letter case counts
 * for nothing. NULL entries are skipped; among equals the one nearest in length, then the first in the
 * alphabet. Where none is near, the shortest that is `name` and further words, or less of its words. */
const char *mn_nearest_name(const char *name, const char *const *names, size_t n);

#endif
