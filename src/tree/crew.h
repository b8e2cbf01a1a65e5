/* Trees that grow beside each other: each worker has a context of its own, and none knows how many others there are. */
#ifndef MN_TREE_CREW_H
#define MN_TREE_CREW_H
#include "../core/threads.h"

/* One tree. `ctx` is that of the worker, of which no two at once have the same number; its scratch lives until all
 * trees are there. What a tree is must follow from its number alone. */
typedef mn_status (*mn_tree_maker)(mn_context *ctx, void *work, size_t tree, size_t worker);

/* How many workers so many trees have; rooms are laid for them beforehand. */
size_t mn_crew_size(const mn_context *ctx, size_t trees);

/* All trees, in any order. Tells the progress, listens, and passes on what the first worker that failed said. */
mn_status mn_crew_run(mn_context *ctx, const char *who, size_t trees, mn_tree_maker make, void *work);

#endif
