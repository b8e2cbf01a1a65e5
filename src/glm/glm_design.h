/* X of a generalized linear model, dense or sparse: products with blocks of rows and the weighted Gram matrix. Sparse X
 * is never expanded as a whole. */
#ifndef MN_GLM_GLM_DESIGN_H
#define MN_GLM_GLM_DESIGN_H
#include "glm_problem.h"

/* Mean number of stored values per row: the cost of a pass over a row. */
size_t mn_glm_mean_row_size(const mn_glm_problem *m);

/* For the rows begin .. begin + n - 1: eta_i = c + x_i b, without the offset; and g_j += sum_i r_i x_ij (g: p). eta and
 * r start at the first of these rows. */
void mn_glm_row_predictors(const mn_glm_problem *m, size_t begin, size_t n, const double *b, double c, double *eta);
void mn_glm_add_gradient(const mn_glm_problem *m, size_t begin, size_t n, const double *r, double *g);

/* Weighted means of [X z] and its Gram matrix about them, as mn_gram (product.h).
 *
 *   z        n, or NULL: X alone
 *   w        n
 *   total    out: sum of w
 *   mean, g  out: for p columns, or p + 1 with z */
mn_status mn_glm_gram(mn_context *ctx, const mn_glm_problem *m, const double *z, const double *w, double *total,
                      double *mean, double *g);

#endif
