/* Steps for sparse X with many columns: the p x p Hessian is never formed, only its products with vectors. The
 * equations (Z'WZ + penalty I) d = r, Z = X - 1 mean', are solved by conjugate gradients with a diagonal
 * preconditioner; with l1, the lasso of the step by coordinate descent on columns (cd_data.h). */
#ifndef MN_GLM_GLM_IMPLICIT_H
#define MN_GLM_GLM_IMPLICIT_H
#include "glm_objective.h"

/* Compute s->total, s->mean, s->diagonal from s->curvature. With z (n; may be NULL): moment (p + 1) becomes X'Wz about
 * the means, followed by the mean of z. */
mn_status mn_glm_implicit_moments(mn_context *ctx, const mn_glm_problem *m, mn_glm_state *s, const double *z,
                                  double *moment);

/* r := d, with a residual of s->cg_tolerance times the length of r. */
mn_status mn_glm_implicit_solve(mn_context *ctx, const mn_glm_problem *m, const mn_glm_state *s, double *r);

/* The minimum z (p) of the quadratic model at s with the L1 penalty, to s->cg_tolerance^2 of the objective. */
mn_status mn_glm_implicit_lasso(mn_context *ctx, const mn_glm_problem *m, const mn_glm_objective *o,
                                const mn_glm_state *s, double *z);

/* out = (Z'WZ + penalty I) d; row: n, workspace. */
mn_status mn_glm_implicit_multiply(mn_context *ctx, const mn_glm_problem *m, const mn_glm_state *s, const double *d,
                                   double *row, double *out);

#endif
