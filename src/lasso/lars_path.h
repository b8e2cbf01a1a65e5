/* The path of least angle regression and of the lasso: coefficients b(alpha) of one target, piecewise linear from the
 * smallest alpha with b = 0 down to 0.
 *
 * With columns z_j and target v centered and multiplied by sqrt(w_i / sum w), and the active columns A with signs s,
 * the correlations of all active columns with the residual have magnitude alpha:
 *
 *     A'(v - A b) = alpha s,     so     b(alpha) = (A'A)^-1 A'v - alpha (A'A)^-1 s
 *
 * until the correlation of another column reaches alpha and the column is added (Efron et al., equations 2.13 to 2.15,
 * in terms of alpha), or, for the lasso, until a coefficient reaches 0 and its column is removed (section 3.1). Each
 * step is computed from the factorization of A alone, so rounding errors do not accumulate. */
#ifndef MN_LASSO_LARS_PATH_H
#define MN_LASSO_LARS_PATH_H
#include "cd_data.h"
#include "lars_set.h"

typedef struct mn_lars_settings {
  bool lasso;    /* remove columns whose coefficient reaches 0 */
  bool positive; /* coefficients >= 0                         */
  double eps;    /* fraction of its square that must be independent of the active columns */
} mn_lars_settings;

typedef struct mn_lars_path {
  mn_lars_settings settings;
  size_t n, p;
  const double *z, *norm, *v; /* p x n: columns; p: their squares; n */
  double vv;                  /* |v|^2 */
  mn_lars_set set;
  bool *active, *dependent;             /* p; dependent: excluded, depends on the active columns */
  double *u, *d;                        /* min(n, p): see lars_set.h */
  double *residual, *direction, *e, *a; /* n; n; p: correlations of the columns with these two */
  double alpha, alpha_max;              /* current and first knot */
  size_t pending;                       /* column to add at alpha; p: none */
  bool done;                            /* alpha has reached its minimum */
  size_t knots, capacity;
  double *alphas, **coefs; /* knots: in decreasing order; the p coefficients at each */
} mn_lars_path;

/* Start a path without knots. Memory is scratch. */
mn_status mn_lars_path_init(mn_context *ctx, const mn_cd_data *d, size_t target, const mn_lars_settings *settings,
                            mn_lars_path *out);

/* Compute the next knot, or the end of the path at alpha_min. The first step computes the knot where b = 0. */
mn_status mn_lars_step(mn_context *ctx, mn_lars_path *s, double alpha_min);

/* 1/2 |v - Zb|^2 + alpha |b|_1 at the last knot. */
double mn_lars_objective(const mn_lars_path *s, double alpha);

/* The coefficients at alpha, interpolated between knots; false if the path has not reached alpha. */
bool mn_lars_coef_at(const mn_lars_path *s, double alpha, double *b);

#endif
