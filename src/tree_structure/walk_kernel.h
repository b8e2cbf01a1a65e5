/* The way down for one row. Plain arrays, no allocation, no checks. */
#ifndef MN_TREE_STRUCTURE_WALK_KERNEL_H
#define MN_TREE_STRUCTURE_WALK_KERNEL_H
#include "tree.h"

/* The leaf of x in each of MN_WALK_TREES trees, all in step: while one waits for memory, the others go on. No value of
 * x is missing, and no tree splits by levels. */
enum { MN_WALK_TREES = 8 };
void mn_walk_trees(const int32_t *const *restrict root, const double *restrict x, const int32_t **restrict leaf);

#endif
