/* The fit of a generalised linear model to plain arrays: iteratively reweighted least squares as Newton's method with
 * expected second derivatives (Fisher scoring), each step halved until the objective does not rise.
 *
 *     half the deviance, 1/2 sum_i w_i d(y_i, mu_i), plus penalty/2 |b|^2 + l1 |b|_1,
 *     mu_i = inverse link(x_i b + c + offset_i)
 *
 * The constant is eliminated: the weighted Gram matrix about the weighted means is the Schur complement. Nelder &
 * Wedderburn, J. R. Statist. Soc. A 135 (1972); Green, J. R. Statist. Soc. B 46 (1984). With l1 the quadratic model of
 * each step is a lasso, which coordinate descent on that matrix solves: Friedman, Hastie & Tibshirani, J. Stat.
 * Software 33 (2010), section 3; Lee, Sun & Saunders, SIAM J. Optim. 24 (2014). */
#ifndef MN_GLM_GLM_ENGINE_H
#define MN_GLM_GLM_ENGINE_H
#include "../core/threads.h"
#include "../model/class.h"
#include "glm_family.h"

typedef struct mn_glm_problem {
  size_t n, p;
  const double *x;                 /* n x p; not read when X is sparse          */
  const mn_csr *sparse;            /* n x p, or NULL            */
  const double *y;                 /* n                         */
  const double *w;                 /* n, or NULL: all 1         */
  const double *trials;            /* n, or NULL: all 1; w holds them already; for starting means only */
  const double *offset;            /* n, or NULL: all 0         */
  bool fit_intercept, information; /* information: the Gram matrix at the answer is wanted too */
  bool by_products;                /* sparse X of many columns: no matrix of p x p is made (glm_products.h) */
  double penalty, l1;
  const mn_glm_family *family;
  const mn_glm_link *link;
  double parameter, link_power; /* of family and link */
} mn_glm_problem;

typedef struct mn_glm_state {
  double *b, c; /* p weights and the constant */
  double value, deviance;
  double *curvature; /* n: the weights of the last step                                    */
  double *gram;      /* p x p: weighted by them, about their means; none by products        */
  double *diagonal;  /* by products: p, of that with the penalty                            */
  double share;      /* by products: how exact the next step is to be                       */
  double *mean;      /* p + 1                                                               */
  double total;      /* sum of curvature                                                    */
  bool dependent;    /* the columns determine each other, so the answer is the shortest of many          */
  double *spread;    /* p: lengths of the columns, in which that is meant                                */
  size_t rank;       /* independent columns; with l1, weights that are not 0                */
  bool at_edge;      /* some means run to the end of their range, and coefficients with them */
} mn_glm_state;

/* Memory of a state, from scratch. */
mn_status mn_glm_begin(mn_context *ctx, const mn_glm_problem *problem, mn_glm_state *s);

/* From a start of its own to the optimum. `report` may be NULL: then nobody is told of the rounds. */
mn_status mn_glm_minimise(mn_context *ctx, const mn_glm_problem *problem, double tol, int64_t max_iter,
                          mn_report *report, mn_glm_state *s, bool *converged);

/* The linear predictor of all rows. */
mn_status mn_glm_predictor(mn_context *ctx, const mn_glm_problem *problem, const double *b, double c, double *eta);

#endif
