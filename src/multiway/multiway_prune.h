/* What the files of C4.5's pruning share: multiway_prune.c, and multiway_raise.c, which tells what a branch would err
 * in the place of its parent. */
#ifndef MN_MULTIWAY_MULTIWAY_PRUNE_H
#define MN_MULTIWAY_MULTIWAY_PRUNE_H
#include "multiway_grow.h"

/* Cases on the stack, from `begin` on, that are to go through a node. */
struct mn_pour {
  size_t at, begin;
};

/* What raising knows of nodes and rows; see multiway_raise.c. */
struct mn_raising {
  uint64_t *lacks_some, *lacks_all; /* rows: bits of columns that are missing   */
  uint64_t *way, *below;            /* nodes: bits of columns that are asked    */
  double *known;                    /* nodes: weight of the rows that stay      */
  double *stay;                     /* nodes x classes: the same, of leaves     */
  double *mist;                     /* pours x classes                          */
  size_t nodes_room, mist_room;
};

struct mn_pruning {
  mn_bush *bush;
  double confidence, z;
  uint32_t *waiting, *places; /* nodes that are to be looked at, and those of a subtree */
  size_t waits, room;
  double *part;  /* rows: what a node has of each; all 0 between uses */
  double *tally; /* classes: likewise                                */
  struct mn_pour *pours;
  size_t pours_room;
  struct mn_raising raising;
};

/* Errors to be expected of a leaf with these counts. */
double mn_expected_errors(const struct mn_pruning *p, const double *counts);

/* Node `at` and all below it into p->places, parents first, but nothing of the subtree `without`. Returns how many. */
size_t mn_places_below(struct mn_pruning *p, size_t at, size_t without);

/* Put a pour on the stack of pours, of which there are *pours. */
mn_status mn_pour_later(mn_context *ctx, struct mn_pruning *p, size_t *pours, struct mn_pour one);

mn_status mn_raising_make(mn_context *ctx, struct mn_pruning *p);

/* What `branch`, with rows in parts below, is expected to err with all cases of its parent `at`. */
mn_status mn_raised_errors(mn_context *ctx, struct mn_pruning *p, size_t at, size_t branch, double *errors);

#endif
