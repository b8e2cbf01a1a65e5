/* Suggestions for misspelled names. */
#ifndef MN_CORE_NEAREST_NAME_H
#define MN_CORE_NEAREST_NAME_H
#include <stddef.h>

/* The one of names[0..n-1] that `name` is most likely meant to be, NULL if none is near.
 *
 * First, the name of another library for one of the names ("random_state" for "seed").
 * Near means an edit distance (changes, insertions, deletions, swaps of neighbors; ignoring case) of at most a third of
 * the letters of `name`, or 1. Ties are broken by the difference in length, then alphabetically. If no name is near,
 * the shortest one that extends `name` by further words, or that `name` extends ("test" and "test_size"). NULL entries
 * are skipped. */
const char *mn_nearest_name(const char *name, const char *const *names, size_t n);

#endif
