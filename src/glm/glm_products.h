/* Steps of a generalised linear model of many columns of sparse X: by products with X alone, without a matrix of
 * columns x columns. The equations (Z'WZ + penalty I) d = r, Z = X - 1 mean', by conjugate gradients with the diagonal
 * before them; with l1 the lasso of the step by coordinate descent on columns (cd_data.h). */
#ifndef MN_GLM_GLM_PRODUCTS_H
#define MN_GLM_GLM_PRODUCTS_H
#include "glm_objective.h"

/* s->total, s->mean, s->diagonal from s->curvature. z (n): what X'Wz about the means, and the mean of z behind it, are
 * wanted of, in moment (p + 1); or NULL. */
mn_status mn_glm_weigh_products(mn_context *ctx, const mn_glm_problem *m, mn_glm_state *s, const double *z,
                                double *moment);

/* r := d, to s->share of the length of r. */
mn_status mn_glm_solve_products(mn_context *ctx, const mn_glm_problem *m, const mn_glm_state *s, double *r);

/* The minimum z (p) of the quadratic model at s with the L1 penalty, to the square of s->share of the objective. */
mn_status mn_glm_lasso_products(mn_context *ctx, const mn_glm_problem *m, const mn_glm_objective *o,
                                const mn_glm_state *s, double *z);

/* out = (Z'WZ + penalty I) d; row: n, workspace. */
mn_status mn_glm_times_products(mn_context *ctx, const mn_glm_problem *m, const mn_glm_state *s, const double *d,
                                double *row, double *out);

#endif
