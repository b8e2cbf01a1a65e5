/* Predictions of trees for many rows. */
#ifndef MN_TREE_STRUCTURE_TREE_PREDICT_H
#define MN_TREE_STRUCTURE_TREE_PREDICT_H
#include "tree.h"

/* out (rows x columns) += scale * the leaf values of all trees, added in the order of the trees. The `width` values of
 * tree t go to the columns from (t * width) % columns on. data: dense or sparse. */
mn_status mn_trees_sum(mn_context *ctx, const mn_trees *t, const mn_data *data, size_t width, double scale,
                       mn_matrix *out);

/* leaf[i * trees + t] := the leaf of row i in tree t, numbered from its root. */
mn_status mn_trees_leaves(mn_context *ctx, const mn_trees *t, const mn_data *data, int32_t *leaf);

#endif
