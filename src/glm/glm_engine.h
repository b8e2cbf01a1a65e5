/* Fit a generalized linear model by Fisher scoring: Newton's method with expected second derivatives (iteratively
 * reweighted least squares), each step halved until the objective of glm_problem.h does not rise.
 *
 * The intercept is eliminated: the weighted Gram matrix about the weighted means is the Schur complement. Nelder &
 * Wedderburn, J. R. Statist. Soc. A 135 (1972); Green, J. R. Statist. Soc. B 46 (1984). With l1 the quadratic model of
 * each step is a lasso, solved by coordinate descent: Friedman, Hastie & Tibshirani, J. Stat. Software 33 (2010),
 * section 3; Lee, Sun & Saunders, SIAM J. Optim. 24 (2014). */
#ifndef MN_GLM_GLM_ENGINE_H
#define MN_GLM_GLM_ENGINE_H
#include "glm_problem.h"

/* Allocate a state from scratch memory. */
mn_status mn_glm_state_init(mn_context *ctx, const mn_glm_problem *problem, mn_glm_state *s);

/* Find a start and iterate to the optimum. With `report` NULL no progress is reported. */
mn_status mn_glm_minimize(mn_context *ctx, const mn_glm_problem *problem, double tol, int64_t max_iter,
                          mn_report *report, mn_glm_state *s, bool *converged);

#endif
