#ifndef MN_TEXT_H
#define MN_TEXT_H
#include <stddef.h>
/* The name of `names` that `name` was probably meant to be (small edit distance), or NULL when none is near. */
const char *mn_nearest_name(const char *name, const char *const *names, size_t n);
#endif
