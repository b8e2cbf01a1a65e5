/* Trees for a program that a model is exported to: flat arrays of nodes and a loop, in the order and with the sums of
 * mn_trees_sum. */
#ifndef MN_TREE_EXPORT_H
#define MN_TREE_EXPORT_H
#include "../model/program.h"
#include "model.h"

/* Add tables and code so that out[0..columns-1] += scale * the leaves of all trees, which have `width` values: those of
 * tree t go to column t % columns where width is 1; else width is columns. */
mn_status mn_trees_program(mn_context *ctx, const mn_estimator *model, const mn_trees *trees, size_t width,
                           double scale, size_t columns, mn_program *program);

/* The same with width == columns for trees that each see a row of its own: `turn` are statements that make the row of
 * tree number `tree`, an array `turned`, of x. No tree splits by levels. */
mn_status mn_rotated_trees_program(mn_context *ctx, const mn_estimator *model, const mn_trees *trees, size_t width,
                                   const char *turn, mn_program *program);

/* out, sums over trees for each class, becomes the logarithms of shares. */
void mn_log_shares_program(mn_program *program);

/* One tree whose leaves have linear models: leaf[i], of node i, is the row of coef, and of the means, which stand for
 * missing values (none: rows must be whole). */
mn_status mn_linear_tree_program(mn_context *ctx, const mn_estimator *model, const mn_trees *trees, const int32_t *leaf,
                                 const mn_matrix *coef, const mn_matrix *means, const double *intercept,
                                 mn_program *program);

/* Decision trees and forests. */
mn_status mn_tree_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);

#endif
