/* The split of a node after which two ridge models have the smallest loss.
 *
 * A row is u = (z_1 .. z_p, 1, y, r_1 .. r_q), about the means of the node. z are the numeric columns; r is 1 where a
 * column with missing values has a value, and 0, like z, where it is missing. */
#ifndef MN_TREE_LINEAR_TREE_SEARCH_H
#define MN_TREE_LINEAR_TREE_SEARCH_H
#include "../core/threads.h"
#include "linear_tree.h"
#include "../tree_growth/weighted_row.h"

/* Losses with a smaller relative difference are ties, which are broken by the lowest column. */
#define MN_LINEAR_TOLERANCE 1e-9

/* The rows of one level of a factor: rows[begin .. end-1]. */
typedef struct mn_linear_level {
  double mean; /* of the residuals of the model of the node */
  uint32_t code, begin, end;
} mn_linear_level;

/* Memory of one thread. */
typedef struct mn_linear_workspace {
  mn_cancel_token token;
  mn_weighted_row *rows, *other; /* rows */
  uint32_t *key, *key_other;
  double *left, *buffer, *imputed; /* full x full, full x full, s x s */
  double *part;                    /* levels x full x full            */
  mn_linear_level *level;          /* levels                          */
  size_t known, levels;            /* known: rows with a value, which come first */
} mn_linear_workspace;

/* The best split by one column. */
typedef struct mn_linear_candidate {
  double loss, left;    /* loss: INFINITY if there is none; left: weight of the left side                     */
  uint32_t rank, next;  /* last rank on the left, and the next one; of a sorted factor, indexes of levels     */
  uint32_t left_levels; /* factor with few levels: a bit for each level that goes left; 0: levels up to `rank` */
  bool missing_left, has_missing; /* has_missing: some rows of the node have no value                         */
  bool is_approximate;            /* not all thresholds were tried                                            */
} mn_linear_candidate;

typedef struct mn_linear_search {
  mn_linear_growth *g;
  const mn_linear_node *node;
  size_t s, full;   /* p + 2, p + 2 + q                       */
  double *u;        /* rows x full                            */
  double *all;      /* full x full: sum w u u'                */
  double *weight;   /* rows                                   */
  double *residual; /* rows: residuals of the model of the node */
  mn_linear_workspace *ws;
  mn_linear_candidate *candidate; /* features */
} mn_linear_search;

mn_status mn_linear_search_make(mn_context *ctx, mn_linear_growth *g, mn_linear_search *f);

/* Loss of a ridge model fitted to the rows in the sums, less those of `without` (NULL: none). */
double mn_linear_split_loss(const mn_linear_search *f, const mn_linear_workspace *ws, const double *sums,
                            const double *without);

/* The best split of f->node, in f->candidate[*feature]; SIZE_MAX: there is none that lowers the loss. */
mn_status mn_linear_find_split(mn_context *ctx, mn_linear_search *f, size_t *feature);

/* Write the codes of a factor that go left by its candidate to `code`, and behind them the others present in the node.
 * Returns the number on the left; *present: of all. */
size_t mn_linear_split_levels(const mn_linear_search *f, size_t feature, uint32_t *code, size_t *present);

#endif
