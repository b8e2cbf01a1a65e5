/* Shapley values of a sum of trees. */
#ifndef MN_TREE_STRUCTURE_SHAP_H
#define MN_TREE_STRUCTURE_SHAP_H
#include "tree.h"

/* What each feature of a row adds to out_c = scale * the sum of the leaves of trees: their `width` values go to the
 * columns as in mn_trees_sum, of which there are `columns`. out[i x columns * features + c * features + f] += that
 * of feature f of row i to out_c. A feature that is not known counts as in TreeSHAP: both ways of its splits are taken,
 * by the rows of fit that went there (Lundberg et al., Nature Machine Intelligence 2, 2020, algorithm 2: exact in time
 * leaves x depth^2). With mean[c], they add up to the prediction. */
mn_status mn_trees_shap(mn_context *ctx, const mn_trees *t, const mn_data *data, size_t columns, size_t width,
                        double scale, mn_matrix *out);

/* mean[c] += the mean of out_c over the rows of fit. */
mn_status mn_trees_expected_value(mn_context *ctx, const mn_trees *t, size_t columns, size_t width, double scale,
                                  double *mean);

#endif
