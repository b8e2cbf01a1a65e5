/* A generalized linear model as plain arrays: what is given and what a fit holds. */
#ifndef MN_GLM_GLM_PROBLEM_H
#define MN_GLM_GLM_PROBLEM_H
#include "../core/threads.h"
#include "../model/class.h"
#include "glm_family.h"

/* Minimize over b and c
 *
 *     1/2 sum_i w_i d(y_i, mu_i) + penalty / 2 |b|^2 + l1 |b|_1,      mu_i = inverse link(x_i b + c + offset_i) */
typedef struct mn_glm_problem {
  size_t n, p;
  const double *x;                 /* n x p; not read when X is sparse */
  const mn_csr *sparse;            /* n x p, or NULL */
  const double *y;                 /* n */
  const double *w;                 /* n, or NULL: all 1; already multiplied by the trials */
  const double *trials;            /* n, or NULL: all 1; used for the starting means only */
  const double *offset;            /* n, or NULL: all 0 */
  bool fit_intercept, information; /* information: compute the Gram matrix at the solution too */
  bool implicit_hessian;           /* sparse X with many columns: no p x p matrix is formed (glm_implicit.h) */
  double penalty, l1;
  const mn_glm_family *family;
  const mn_glm_link *link;
  double parameter, link_power; /* of family and link */
} mn_glm_problem;

typedef struct mn_glm_state {
  double *b, c; /* p coefficients and the intercept */
  double value, deviance;
  double *curvature;   /* n: weights of the last step */
  double *gram;        /* p x p: Gram matrix with these weights about the means; unused with implicit_hessian */
  double *diagonal;    /* p: its diagonal plus the penalty, with implicit_hessian only */
  double cg_tolerance; /* relative accuracy of the next step, with implicit_hessian only */
  double *mean;        /* p + 1: column means with these weights */
  double total;        /* sum of curvature */
  bool rank_deficient; /* columns are collinear: steps are minimum-norm solutions from here on */
  double *column_norm; /* p: the units in which that norm is measured */
  size_t rank;         /* number of independent columns; with l1, of nonzero coefficients */
  bool at_boundary;    /* some means run to the end of their range, and the coefficients diverge */
} mn_glm_state;

#endif
