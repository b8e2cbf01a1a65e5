/* One tree grown from the root down. */
#ifndef MN_TREE_GROW_H
#define MN_TREE_GROW_H
#include "join.h"
#include "search.h"

typedef struct mn_growth {
  mn_rules rules;
  size_t max_depth, max_features;
  size_t max_leaves; /* 0: no limit. Else the leaf that gains most is split next */
  double min_split, min_decrease;
} mn_growth;

typedef struct mn_room mn_room;

/* Room in which trees grow one after the other, for the threads of `ctx`. In scratch. */
mn_status mn_room_make(mn_context *ctx, const mn_growth *g, mn_room **out);

/* Grow a tree on the rows whose weight is above 0 (NULL: on all, each with weight 1). rows->weight is not read. The
 * tree is in scratch of `ctx`, exactly as large as it is. seed: of the tree's random numbers. */
mn_status mn_grow(mn_context *ctx, const mn_growth *growth, mn_room *room, const mn_ground *rows, const double *weight,
                  uint64_t seed, mn_grown *out);

/* add[j] += weighted decrease of impurity by splits on feature j, as a share of the weight of all rows. */
void mn_add_importances(const mn_grown *tree, double *add);

#endif
