/* Splits by sparse columns (columns.h). Only the stored entries are read: the sums of the rows with value 0 are the
 * sums of the node less those of the others. */
#ifndef MN_TREE_GROWTH_SPARSE_COLUMN_H
#define MN_TREE_GROWTH_SPARSE_COLUMN_H
#include "scan.h"

/* True if the criterion can be computed from differences of sums. Absolute errors are not sums, and Poisson must
 * recognize exactly a side where all y are 0. */
static inline bool mn_sparse_search_supports(mn_criterion criterion)
{
  return criterion != MN_CRITERION_ABSOLUTE_ERROR && criterion != MN_CRITERION_POISSON;
}

/* The best threshold for the n rows of a node, for criteria as above; or a random one, u in [0, 1). *constant: all rows
 * have the same value. */
void mn_search_sparse_column(mn_scan *s, const mn_sparse_column *column, const uint32_t *id, size_t n,
                             mn_search_workspace *ws, mn_split *split, bool *constant);
void mn_draw_sparse_threshold(mn_scan *s, const mn_sparse_column *column, const uint32_t *id, size_t n, double u,
                              mn_search_workspace *ws, mn_split *split, bool *constant);

/* Write the column for all n rows of the node, as ranks or values. False: all are 0, and nothing is written. */
bool mn_sparse_ranks(const mn_sparse_column *column, const mn_training_view *view, const uint32_t *id, size_t n,
                     mn_search_workspace *ws, uint32_t *to);
bool mn_sparse_values(const mn_sparse_column *column, const mn_training_view *view, const uint32_t *id, size_t n,
                      mn_search_workspace *ws, double *to);

/* left[i] := row i goes left by this split. */
void mn_sparse_left_mask(const mn_sparse_column *column, const mn_training_view *view, const uint32_t *id, size_t n,
                         const mn_split *s, mn_search_workspace *ws, uint32_t *left);

#endif
