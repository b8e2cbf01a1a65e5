/* X of a generalised linear model, dense or sparse, as its fit reads it: products by pieces of rows, and the weighted
 * Gram matrix. Sparse X is never made dense as a whole. */
#ifndef MN_GLM_GLM_DESIGN_H
#define MN_GLM_GLM_DESIGN_H
#include "glm_engine.h"

/* Values of a row, on average: what a pass over a row costs. */
size_t mn_glm_row_values(const mn_glm_problem *m);

/* Of the rows begin .. begin + n - 1: eta_i = c + x_i b, without the offset; and g_j += sum_i r_i x_ij (g: p). r begins
 * with the first of these rows. */
void mn_glm_rows(const mn_glm_problem *m, size_t begin, size_t n, const double *b, double c, double *eta);
void mn_glm_add_gradient(const mn_glm_problem *m, size_t begin, size_t n, const double *r, double *g);

/* Weighted means and the Gram matrix about them, of [X z], as mn_gram (product.h) makes them.
 *
 *   z        n, or NULL: none
 *   w        n
 *   total    out: sum of w
 *   mean, g  out: of p columns, and one more with z */
mn_status mn_glm_gram(mn_context *ctx, const mn_glm_problem *m, const double *z, const double *w, double *total,
                      double *mean, double *g);

#endif
