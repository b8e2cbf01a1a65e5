/* Growing a multiway tree, in steps: grow, take back what does not help (C4.5), bring into its final form. */
#ifndef MN_MULTIWAY_MULTIWAY_GROW_H
#define MN_MULTIWAY_MULTIWAY_GROW_H
#include "../core/threads.h"
#include "../tree_growth/columns.h"
#include "../tree_growth/weighted_row.h"
#include "multiway.h"

enum { MN_NO_STEM = -1 };

/* A node while the tree grows. Children stand behind their parent, in a list by level. */
typedef struct mn_stem {
  int32_t first, next; /* first child and next sibling, or MN_NO_STEM */
  size_t feature;
  double cut;        /* NaN: by levels                                       */
  uint32_t cut_rank; /* numbers: the last rank that goes to the first child  */
  uint32_t level;    /* of the parent's factor; 0 and 1 for the two of a cut */
  double share, gain;
  double errors;     /* C4.5: estimated, of what is below                    */
  bool torn;         /* C4.5: rows with missing values are in parts below    */
  size_t begin, end; /* of a leaf: its cases in `kept`                       */
} mn_stem;

/* An array that grows. */
typedef struct mn_cases {
  mn_weighted_row *at;
  size_t size, room;
} mn_cases;

/* What makes a split, and which one is taken. */
typedef struct mn_way {
  bool by_ratio; /* C4.5: by gain ratio among gains of at least the mean; else ID3: by gain */
  double min_cases;
  size_t max_depth;
  bool keep; /* the cases of leaves, for pruning */
} mn_way;

/* The rows of a node by the branches of a split. */
typedef struct mn_branch {
  uint32_t level;
  double weight;     /* of the rows whose value is known */
  size_t begin, end; /* of its cases, in the stack       */
} mn_branch;

typedef struct mn_bush {
  const char *who; /* the class, for errors */
  const mn_way *way;
  const mn_tree_columns *columns;
  const int32_t *code;
  size_t rows, classes;
  double total;
  mn_stem *stem;  /* size */
  double *counts; /* size x classes */
  size_t size, room;
  mn_cases stack; /* of nodes that wait */
  mn_cases kept;
  mn_weighted_row *sorted, *other; /* rows: room                 */
  uint32_t *key, *key_other;
  mn_branch *branch; /* rows + 2 */
  double *x_log_x;   /* of 0 .. known - 1; see mn_bush_know */
  double known;
} mn_bush;

/* What a split by one column would bring. */
typedef struct mn_offer {
  bool valid;
  double gain, ratio; /* gain in bits, for each unit of weight; ratio: of it and of what the division itself tells */
  uint32_t cut_rank;
  double cut;
} mn_offer;

/* Room for judging columns, for one thread. */
typedef struct mn_judge {
  mn_cancel_token token;
  mn_weighted_row *sorted, *other; /* rows */
  uint32_t *key, *key_other;
  double *left, *right; /* classes: weight on either side of a cut */
  double *sides;        /* classes: x log2 x of both               */
} mn_judge;

mn_status mn_judge_make(mn_context *ctx, size_t worker, size_t rows, size_t classes, mn_judge *out);

/* Optional, once b->total is known: judging is faster, and the same to the bit. */
mn_status mn_bush_know(mn_context *ctx, mn_bush *b);

/* What column j offers to a node with `counts` of the classes. */
void mn_judge_column(const mn_bush *b, mn_judge *judge, const mn_weighted_row *cases, size_t n, const double *counts,
                     size_t j, mn_offer *offer);

mn_status mn_bush_grow(mn_context *ctx, mn_bush *b, const mn_data *data);

/* From X and y to the learned fields of `m`, whose way of growing is given. */
mn_status mn_multiway_fit(mn_context *ctx, mn_multiway *m, const mn_data *data, const mn_way *way);

/* C4.5: nodes whose subtree errs as often as they would as leaves become such. */
mn_status mn_bush_collapse(mn_context *ctx, mn_bush *b);

/* C4.5's pessimistic pruning; where the cases of leaves were kept, branches may take the place of their parents. */
mn_status mn_bush_prune(mn_context *ctx, mn_bush *b, double confidence);

/* --- what growing and pruning share --- */

mn_status mn_bush_add(mn_context *ctx, mn_bush *b, size_t *at);
mn_status mn_cases_room(mn_context *ctx, const mn_bush *b, mn_cases *cases, size_t size);

/* Take the cases from `begin` to the end of the stack apart by the split of node `at`: b->branch[0..*branches-1], by
 * level, whose cases are then in the stack from `begin` on. A case whose value is missing goes into all of them, in
 * parts by their weight. there: NULL, or for each node the weight of known cases that are in it besides. */
mn_status mn_bush_divide(mn_context *ctx, mn_bush *b, size_t at, size_t begin, const double *there, size_t *branches);

static inline double *mn_stem_counts(const mn_bush *b, size_t at)
{
  return b->counts + at * b->classes;
}

#endif
