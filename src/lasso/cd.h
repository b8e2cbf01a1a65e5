/* Coordinate descent for least squares with an elastic net penalty and one target: minimize
 *
 *     F(b) = 1/2 |v - Z b|^2 + sum_j l1 f_j |b_j| + l2 / 2 |b|^2,      subject to b >= 0 if positive,
 *
 * where the rows of Z and v are those of X and y, centered and multiplied by sqrt(w_i / sum w). Sweeps visit only a
 * working set: the support, the columns that pass the strong rule, and those that violate the optimality conditions
 * when the full gradient is checked. Convergence is decided by the duality gap over all columns, so screening cannot
 * cost accuracy.
 *
 * The data have one of two forms. Gram: G = Z'Z and c = Z'v are computed once, and a sweep over k columns takes O(k^2)
 * operations for any n. Columns: Z by columns (dense, or sparse with the means kept separately), and each step updates
 * the residual.
 *
 * Friedman, Hastie & Tibshirani, J. Stat. Software 33 (2010), sections 2.2 to 2.7; Tibshirani et al., JRSS B 74 (2012),
 * the sequential strong rule; Massias, Gramfort & Salmon, ICML 2018 (working sets, extrapolation, dual points). */
#ifndef MN_LASSO_CD_H
#define MN_LASSO_CD_H
#include "../model/data.h"
#include <float.h>
#include <math.h>

typedef struct mn_cd_penalty {
  double l1, l2;
  const double *factor; /* p: f, > 0; infinite keeps b_j at 0; NULL: all 1 */
  bool positive;
} mn_cd_penalty;

/* Z by columns. Sparse: column j has value[e] in row[e], start[j] <= e < start[j + 1], minus mean_j root. */
typedef struct mn_cd_columns {
  size_t n, p;
  const double *dense; /* p x n; NULL: sparse */
  const size_t *start;
  const int32_t *row;
  const double *value; /* x_ij root_i */
  const double *mean;  /* p; 0 without an intercept */
  const double *root;  /* n: sqrt(w_i / sum w)    */
  const double *norm;  /* p: |z_j|^2              */
} mn_cd_columns;

typedef struct mn_cd_report {
  double objective, gap;
  int64_t n_iter; /* sweeps */
  bool converged;
} mn_cd_report;

typedef struct mn_cd {
  size_t p;
  double yy;     /* |v|^2 */
  double *b, *g; /* p: coefficients, and the gradient Z'(v - Zb) at the last refresh */
  double rss;    /* |v - Zb|^2 at the last refresh */
  size_t *set, size;
  bool *in_set;  /* p: whether the column is in the working set */
  double *bound; /* l1 f_j, by position in the working set */
  /* Gram form */
  const double *gram, *c; /* p x p, rows ld apart; p */
  size_t ld;
  double *set_gram, *set_b, *set_g; /* capacity x capacity: G of the working set; capacity: its b and g */
  size_t capacity;
  /* Column form */
  const mn_cd_columns *z;
  const double *v; /* n */
  double *r;       /* n: v - Z b; for sparse Z: v - Z b - shift root */
  double shift;
  int64_t last_newton; /* sweeps before the last Newton step */
  /* Called after each sweep with F; returns false to stop. May be NULL. */
  bool (*progress)(void *user, double objective);
  void *user;
} mn_cd;

/* Initialize at b = 0. All memory is scratch. */
mn_status mn_cd_from_gram(mn_context *ctx, mn_cd *s, size_t p, const double *gram, size_t ld, const double *c,
                          double yy);
mn_status mn_cd_from_columns(mn_context *ctx, mn_cd *s, const mn_cd_columns *z, const double *v);

/* Minimize F, starting from s->b.
 *
 *   before    l1 of the solution in s, for the strong rule; NaN: none
 *   tol       stop when the duality gap is at most this fraction of |v|^2, or no step exceeds rounding
 *   max_iter  maximum number of sweeps */
mn_status mn_cd_solve(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q, double before, double tol, int64_t max_iter,
                      mn_cd_report *r);

/* The smallest l1 for which b = 0 is optimal. */
double mn_cd_max_l1(const mn_cd *s, const double *factor, bool positive);

/* An upper bound on F(b) minus its minimum, at least 0: the smaller of the gaps of two dual points.
 *
 *   p, b, g  of all columns, or of the working set
 *   bound    p: l1 f_j
 *   rss      |v - Zb|^2 */
double mn_cd_duality_gap(size_t p, const double *b, const double *g, const double *bound, double l2, bool positive,
                         double rss);

/* The two forms of the data, for cd.c. */

/* Sweep over the working set until its duality gap is at most `max_gap`, or until no step exceeds rounding:
 * *stationary. */
mn_status mn_cd_gram_inner(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q, double max_gap, int64_t max_iter,
                           mn_cd_report *r, bool *stationary);
mn_status mn_cd_columns_inner(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q, double max_gap, int64_t max_iter,
                              mn_cd_report *r, bool *stationary);

/* Recompute g of all columns and rss at s->b. Unless exact, the gradient of the working set may be the one that sweeps
 * have updated, accurate to about 1e-13 of its initial size. */
mn_status mn_cd_gram_refresh(mn_context *ctx, mn_cd *s, bool exact);
mn_status mn_cd_columns_refresh(mn_context *ctx, mn_cd *s);

/* Add column j to the working set. */
mn_status mn_cd_gram_add(mn_context *ctx, mn_cd *s, size_t j);

/* A Newton step on the nonzero coefficients of the working set, given set_gram, set_b and set_g. F does not increase.
 * May do nothing if the columns are dependent and l2 > 0. */
mn_status mn_cd_newton(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q);

/* A step that gains less than this fraction of |v|^2 is rounding. */
#define MN_CD_ROUNDING 1e-30

#endif
