/* Shapley values of a sum of trees. */
#ifndef MN_TREE_STRUCTURE_SHAP_H
#define MN_TREE_STRUCTURE_SHAP_H
#include "tree.h"

/* TreeSHAP (Lundberg et al., Nature Machine Intelligence 2, 2020, algorithm 2): exact, in time leaves x depth^2. A
 * feature outside the coalition takes both branches of its splits, weighted by the training rows that went there.
 *
 * The model is out_c = scale * the sum of the leaves, whose `width` values go to the columns as in mn_trees_sum:
 * out[i * columns * features + c * features + f] += the Shapley value of feature f of row i for out_c. With the
 * expected value of out_c, they sum to the prediction. */
mn_status mn_trees_shap(mn_context *ctx, const mn_trees *t, const mn_data *data, size_t columns, size_t width,
                        double scale, mn_matrix *out);

/* mean[c] += the mean of out_c over the training rows. */
mn_status mn_trees_expected_value(mn_context *ctx, const mn_trees *t, size_t columns, size_t width, double scale,
                                  double *mean);

#endif
