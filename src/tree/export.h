/* Export of trees to programs: tables of nodes and a loop that adds leaves in the order of mn_trees_sum. */
#ifndef MN_TREE_EXPORT_H
#define MN_TREE_EXPORT_H
#include "../model/program.h"
#include "model.h"

/* Add tables and code for out[0..columns-1] += scale * the leaf values of all trees. If width is 1, the value of tree t
 * goes to column t % columns; otherwise width equals columns. */
mn_status mn_trees_program(mn_context *ctx, const mn_estimator *model, const mn_trees *trees, size_t width,
                           double scale, size_t columns, mn_program *program);

/* The same with width == columns for trees that each see a rotated row: `rotate` are statements that compute the array
 * `turned` from x for tree number `tree`. No tree splits by levels. */
mn_status mn_rotated_trees_program(mn_context *ctx, const mn_estimator *model, const mn_trees *trees, size_t width,
                                   const char *rotate, mn_program *program);

/* Add code that turns out, sums over trees for each class, into log probabilities. */
void mn_log_shares_program(mn_program *program);

/* One tree with linear models in its leaves: leaf[i] is the row of node i in coef and means. The means replace missing
 * values; if there are none, missing values are refused. */
mn_status mn_linear_tree_program(mn_context *ctx, const mn_estimator *model, const mn_trees *trees, const int32_t *leaf,
                                 const mn_matrix *coef, const mn_matrix *means, const double *intercept,
                                 mn_program *program);

/* Decision trees and forests. */
mn_status mn_tree_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);

#endif
