/* Shapley values of a sum of trees. */
#ifndef MN_SHAP_H
#define MN_SHAP_H
#include "tree.h"

/* out[i x columns * features + c * features + f] += what feature f of row i adds to the sum of the trees c, c +
 * columns, c + 2 columns, ..., whose leaves are of MN_LEAF_VALUE. A feature that is not known counts as in TreeSHAP:
 * both ways of its splits are taken, by the rows of fit that went there (Lundberg et al., Nature Machine Intelligence
 * 2, 2020, algorithm 2: exact in time leaves x depth^2). With mean[c], the rows add up to the prediction. */
mn_status mn_trees_shap(mn_context *ctx, const mn_trees *t, const mn_data *data, size_t columns, mn_matrix *out);

/* mean[c] += the mean over the rows of fit of the trees c, c + columns, ... */
mn_status mn_trees_mean(mn_context *ctx, const mn_trees *t, size_t columns, double *mean);

#endif
