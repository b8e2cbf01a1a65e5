/* The squared hinge loss of all pairs of rows of a group, without a list of pairs.
 *
 *     sum over i, j of a group with y_i > y_j of v_i v_j max(0, 1 - (z_i - z_j))^2
 *
 * A pair is active if its loss is > 0. In a sweep over a group in order of score the partners of the active pairs of a
 * row are those that have been passed, of lower (or higher) relevance; a Fenwick tree over the relevance gives their
 * sums. So the loss, its gradient and products with its Hessian take O(n log n): Joachims, KDD 2006; Lee & Lin, Neural
 * Computation 26 (2014). */
#ifndef MN_LINEAR_SVM_PAIRS_H
#define MN_LINEAR_SVM_PAIRS_H
#include "../model/data.h"

typedef struct mn_svm_pairs {
  size_t rows, groups;
  size_t *begin;        /* groups + 1: first row of each group */
  size_t *level;        /* rows: number of distinct y below that of the row, in its group */
  size_t *levels;       /* groups: number of distinct y */
  double *v;            /* rows: the root of C times the weight */
  size_t *order;        /* rows: of the last scores, ascending in each group */
  double *z, *partners; /* rows: the last scores, about the mean of the group; sum of v of the active partners */
  double *tree, *sum;   /* workspace: levels x 2; rows x 2 */
} mn_svm_pairs;

/* In scratch. `C` is multiplied into the weights. */
mn_status mn_svm_pairs_init(mn_context *ctx, const mn_data *data, double C, mn_svm_pairs *out);

/* Number of pairs. */
double mn_svm_pairs_count(const mn_svm_pairs *pairs);

/* The loss at the scores z, its derivatives by z and the diagonal of its Hessian (rows each), which are those of the
 * following products. */
mn_status mn_svm_pairs_loss(mn_context *ctx, mn_svm_pairs *pairs, const double *z, double *value, double *slope,
                            double *diagonal);

/* out = Hessian u (rows each). */
void mn_svm_pairs_multiply(mn_svm_pairs *pairs, const double *u, double *out);

#endif
