/* The split of a node after which two ridge models leave least.
 *
 * A row is u = (z_1 .. z_p, 1, y, r_1 .. r_q), about the means of the node: z are the columns of numbers, r says for
 * those with gaps whether the value is there (1) or not (0, and then z is 0). */
#ifndef MN_TREE_LINEAR_TREE_SEARCH_H
#define MN_TREE_LINEAR_TREE_SEARCH_H
#include "../core/threads.h"
#include "linear_tree.h"
#include "../tree_growth/weighted_row.h"

/* Gains that differ by less, as a share of the loss, are equal: the first column wins. */
#define MN_LINEAR_TOLERANCE 1e-9

/* The rows of one level of a factor: cases[begin .. end-1]. */
typedef struct mn_linear_level {
  double mean; /* of what the model of the node leaves */
  uint32_t code, begin, end;
} mn_linear_level;

/* What one thread works with. */
typedef struct mn_linear_workspace {
  mn_cancel_token token;
  mn_weighted_row *cases, *other; /* rows */
  uint32_t *key, *key_other;
  double *left, *room, *whole; /* wide x wide, wide x wide, s x s */
  double *part;                /* levels x wide x wide            */
  mn_linear_level *run;        /* levels                          */
  size_t known, runs;          /* cases whose value is there, which stand first; levels */
} mn_linear_workspace;

typedef struct mn_linear_candidate {
  double loss, left;       /* INFINITY: no split; the weight left of it             */
  uint32_t rank, next;     /* of the values on its sides; of a factor places of runs */
  uint32_t chosen;         /* of a factor of few levels: a bit for each run that goes left; 0: those up to `rank` */
  bool missing_left, gaps; /* gaps: has the node rows whose value is missing */
  bool coarse;             /* there are more cuts between those that were tried */
} mn_linear_candidate;

typedef struct mn_linear_search {
  mn_linear_growth *g;
  const mn_linear_node *node;
  size_t s, wide;   /* p + 2, p + 2 + q                   */
  double *u;        /* rows x wide                        */
  double *all;      /* wide x wide: sum w u u'            */
  double *weight;   /* rows                               */
  double *residual; /* rows: what the model of the node leaves */
  mn_linear_workspace *bench;
  mn_linear_candidate *offer; /* features */
} mn_linear_search;

mn_status mn_linear_search_make(mn_context *ctx, mn_linear_growth *g, mn_linear_search *f);

/* What ridge models leave of the rows of the sums, less those of `without` (NULL: nothing). */
double mn_linear_split_loss(const mn_linear_search *f, const mn_linear_workspace *b, const double *sums,
                            const double *without);

/* The best split of f->node, in f->offer[*feature]; SIZE_MAX: there is none that lowers the loss. */
mn_status mn_linear_find_split(mn_context *ctx, mn_linear_search *f, size_t *feature);

/* Of a factor: the codes that go left by its offer, ascending, into `code`. Returns how many; *here: of all levels that
 * the node has, which stand behind them. */
size_t mn_linear_split_levels(const mn_linear_search *f, size_t feature, uint32_t *code, size_t *here);

#endif
