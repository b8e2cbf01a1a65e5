/* Least angle regression and the lasso by it: weights b(alpha) of one target, from the least alpha that leaves none
 * down to 0, along pieces that are straight.
 *
 * With columns z_j and target v about their means, times sqrt(w_i / sum w), and the active columns A with their signs
 * s, the correlations of all active columns with the residual have one size, which is alpha:
 *
 *     A'(v - A b) = alpha s,     so     b(alpha) = (A'A)^-1 A'v - alpha (A'A)^-1 s
 *
 * until another column has a correlation of that size, and comes (Efron et al., equations 2.13 to 2.15, by alpha rather
 * than by the length of the step); or, for the lasso, until a weight is 0, and its column leaves (section 3.1). No step
 * is built on the rounding of the one before. */
#ifndef MN_LASSO_LARS_PATH_H
#define MN_LASSO_LARS_PATH_H
#include "cd_data.h"
#include "lars_set.h"

typedef struct mn_lars_settings {
  bool lasso;    /* columns whose weight comes to 0 leave */
  bool positive; /* only weights of 0 and above           */
  double eps;    /* share of its square that a column must have outside the active ones to come */
} mn_lars_settings;

typedef struct mn_lars_path {
  mn_lars_settings with;
  size_t n, p;
  const double *z, *norm, *v; /* p x n; p: squares of the columns; n */
  double vv;
  mn_lars_set set;
  bool *inside, *out;                /* p: active; depends on the active ones */
  double *u, *d;                     /* min(n, p): see lars_set.h */
  double *residual, *toward, *e, *a; /* n; n; p: correlations of the columns with these two */
  double alpha, first;               /* where the path is; where it began */
  size_t coming;                     /* column that comes at alpha; p: none */
  bool ended;                        /* at the alpha that was to be reached */
  size_t knots, room;
  double *alphas, **coefs; /* knots: from the largest down; the p weights at each */
} mn_lars_path;

/* At the beginning, without a knot; memory is scratch. */
mn_status mn_lars_path_init(mn_context *ctx, const mn_cd_data *d, size_t target, const mn_lars_settings *with,
                        mn_lars_path *out);

/* On to the next knot, or to alpha = `until`. The first step makes the knot where all weights are 0. */
mn_status mn_lars_step(mn_context *ctx, mn_lars_path *s, double until);

/* 1/2 |v - Zb|^2 + alpha |b|_1 at the last knot. */
double mn_lars_objective(const mn_lars_path *s, double alpha);

/* The weights at alpha, between knots too; false: the path has not come down to there. */
bool mn_lars_coef_at(const mn_lars_path *s, double alpha, double *b);

#endif
