/* Nodes and columns of which few rows have a value (columns.h): the others need not be read, for what all rows of the
 * node have together is known. */
#ifndef MN_TREE_GROWTH_SPARSE_COLUMN_H
#define MN_TREE_GROWTH_SPARSE_COLUMN_H
#include "search_parts.h"

/* Room in the bench, for nodes of so many rows. */
mn_status mn_few_room(mn_context *ctx, const mn_tree_columns *c, size_t rows, mn_search_workspace *b);

/* Is the criterion made of sums that a difference of sums may stand for? Absolute errors are no sums, and Poisson's
 * must know a side where all y are 0. */
static inline bool mn_sparse_search_supports(mn_criterion criterion)
{
  return criterion != MN_CRITERION_ABSOLUTE_ERROR && criterion != MN_CRITERION_POISSON;
}

/* The best cut of the n rows of a node, for these; or one that is drawn, u in [0, 1). *constant: all rows alike. */
void mn_search_sparse_column(mn_scan *s, const mn_sparse_column *few, const uint32_t *id, size_t n,
                             mn_search_workspace *b, mn_split *split, bool *constant);
void mn_draw_sparse_threshold(mn_scan *s, const mn_sparse_column *few, const uint32_t *id, size_t n, double u,
                              mn_search_workspace *b, mn_split *split, bool *constant);

/* The column for all rows of the node, in their order: ranks, or values. False: none of them has another value than 0,
 * and nothing is written. */
bool mn_sparse_ranks(const mn_sparse_column *few, const mn_training_view *g, const uint32_t *id, size_t n,
                     mn_search_workspace *b, uint32_t *to);
bool mn_sparse_values(const mn_sparse_column *few, const mn_training_view *g, const uint32_t *id, size_t n,
                      mn_search_workspace *b, double *to);

/* left[i]: row i goes left by this split. */
void mn_sparse_left_mask(const mn_sparse_column *few, const mn_training_view *g, const uint32_t *id, size_t n,
                         const mn_split *s, mn_search_workspace *b, uint32_t *left);

#endif
