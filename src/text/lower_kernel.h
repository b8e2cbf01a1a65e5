#ifndef MN_TEXT_LOWER_KERNEL_H
#define MN_TEXT_LOWER_KERNEL_H
#include "../core/clones.h"
#include <stdbool.h>
#include <stddef.h>

/* Copy n bytes; with `lower`, letters A to Z in lower case. True if all are ASCII and none is zero. */
bool mn_copy_ascii(size_t n, const char *from, bool lower, char *to);

#endif
