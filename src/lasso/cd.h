/* Coordinate descent for quadratic losses with an elastic net penalty, of one target:
 *
 *     F(b) = 1/2 |v - Z b|^2 + sum_j l1 f_j |b_j| + l2 / 2 |b|^2,      b >= 0 if wanted,
 *
 * where the rows of Z and v are those of X and y about their means, times sqrt(w_i / sum w). Sweeps go over a working
 * set of columns only: the support, those that the strong rule lets through, and those that the gradient of all columns
 * then shows to be missing. The end is a duality gap over all columns, so no screening can cost accuracy.
 *
 * Two forms of the data. Gram: G = Z'Z and c = Z'v are made once, and a sweep over k columns takes k^2 steps whatever n
 * is. Columns: Z by columns (dense, or sparse with the means kept apart), and a sweep updates the residual.
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
  const double *factor; /* p, > 0, infinite: b_j stays 0; NULL: all 1 */
  bool positive;
} mn_cd_penalty;

/* Z by columns. Sparse: column j is value[start[j]..] at rows row[..], minus mean_j root. */
typedef struct mn_cd_columns {
  size_t n, p;
  const double *dense; /* p x n; NULL: sparse */
  const size_t *start;
  const int32_t *row;
  const double *value; /* x_ij root_i */
  const double *mean;  /* p; 0 without a constant */
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
  double yy;      /* |v|^2                                                                     */
  double *b, *g;  /* p: the weights, and Z'(v - Zb) as it was when all columns were looked at last */
  double squares; /* |v - Zb|^2 of then                                                        */
  size_t *set, size;
  bool *inside;  /* p: in the set? */
  double *bound; /* p: l1 f_j of the penalty at hand, by position in the set */
  /* Gram */
  const double *gram, *c; /* p x p, rows ld apart; p */
  size_t ld;
  double *packed, *set_b, *set_g; /* room x room: G of the set; room each */
  size_t room;
  /* columns */
  const mn_cd_columns *z;
  const double *v; /* n */
  double *r;       /* n: v - Z b; sparse Z: without ... */
  double shift;    /* ... this times root                */
  int64_t newton;  /* sweeps before the last Newton step */
  /* Called after each sweep with F; false: stop. NULL: nobody wants to know. */
  bool (*note)(void *user, double objective);
  void *user;
} mn_cd;

/* Ready at b = 0. All memory is scratch, taken from ctx; solving takes more. */
mn_status mn_cd_from_gram(mn_context *ctx, mn_cd *s, size_t p, const double *gram, size_t ld, const double *c,
                          double yy);
mn_status mn_cd_from_columns(mn_context *ctx, mn_cd *s, const mn_cd_columns *z, const double *v);

/* From s->b, warm, to the minimum.
 *
 *   before    l1 of the solution that s holds, for the strong rule; NaN: none
 *   tol       a gap of this share of |v|^2 is enough; rounding is an end, too
 *   max_iter  most sweeps */
mn_status mn_cd_solve(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q, double before, double tol, int64_t max_iter,
                      mn_cd_report *r);

/* The least l1 for which b = 0. */
double mn_cd_max_l1(const mn_cd *s, const double *factor, bool positive);

/* How far F at b may be above its minimum, never below 0: the better of two dual points. Where there is no penalty at
 * all the dual is of no use, and it is what single steps can gain.
 *
 *   p, b, g  of all columns, or of those of a set
 *   bound    p: l1 f_j */
double mn_cd_duality_gap(size_t p, const double *b, const double *g, const double *bound, double l2, bool positive,
                 double squares);

/* --- the two forms, for cd.c --- */

/* Sweeps over the set until the gap there is at most `wanted`, or no step moves by more than rounding: then *still. */
mn_status mn_cd_gram_inner(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q, double wanted, int64_t max_iter,
                           mn_cd_report *r, bool *still);
mn_status mn_cd_columns_inner(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q, double wanted, int64_t max_iter,
                              mn_cd_report *r, bool *still);

/* g and squares of s->b, all columns. Unless exact, the gradient of the set may be what sweeps have made of it, good to
 * about 1e-13 of its beginning. */
mn_status mn_cd_gram_refresh(mn_context *ctx, mn_cd *s, bool exact);
mn_status mn_cd_columns_refresh(mn_context *ctx, mn_cd *s);

/* Column `j` into the set. */
mn_status mn_cd_gram_add(mn_context *ctx, mn_cd *s, size_t j);

/* A Newton step on the weights of the set that are not 0, with packed, set_b and set_g as the Gram form keeps them; F
 * does not rise. Of a set of dependent columns with l2 > 0 it may be none. */
mn_status mn_cd_newton(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q);

/* A step whose gain is below this share of |v|^2 is rounding. */
#define MN_CD_ROUNDING 1e-30

#endif
