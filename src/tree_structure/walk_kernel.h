/* Walking one row down several trees. Plain arrays, no allocation, no checks. */
#ifndef MN_TREE_STRUCTURE_WALK_KERNEL_H
#define MN_TREE_STRUCTURE_WALK_KERNEL_H
#include "tree.h"

/* The leaf of x in each of MN_WALK_TREES trees, in lockstep: while one waits for memory, the others proceed. x has no
 * missing values, and the trees no splits by levels. */
enum { MN_WALK_TREES = 8 };
void mn_walk_trees(const int32_t *const *restrict root, const double *restrict x, const int32_t **restrict leaf);

#endif
