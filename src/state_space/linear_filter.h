/* Linear Gaussian state space models: Kalman filter and smoother.
 *
 *     x_1 ~ N(m, P),   x_{t+1} = F x_t + b + w_t,  w_t ~ N(0, Q)      states, d values
 *                      y_t     = H x_t + c + e_t,  e_t ~ N(0, R)      observations, p values, NaN where missing
 *
 * The values of an observation enter one after the other (Koopman & Durbin, J. Time Ser. Anal. 21 (2000)), after R has
 * been factorized if it is not diagonal, so nothing of size p is inverted. States of unknown start have infinite
 * variance: P = P* + k P_inf with k to infinity, exactly (Durbin & Koopman, Time Series Analysis by State Space
 * Methods, 2nd ed. (2012), chapters 5 and 6). */
#ifndef MN_STATE_SPACE_LINEAR_FILTER_H
#define MN_STATE_SPACE_LINEAR_FILTER_H
#include "../core/context.h"

/* A matrix, or one for each row of the series, stacked. */
typedef struct mn_matrix_steps {
  const double *at;
  bool varies;
  size_t size; /* values of one matrix */
} mn_matrix_steps;

static inline const double *mn_matrix_step(const mn_matrix_steps *s, size_t t)
{
  return s->at + (s->varies ? t * s->size : 0);
}

typedef struct mn_linear_system {
  size_t d, p;
  mn_matrix_steps transition, state_cov;        /* F, Q: d x d; those at row t lead to row t + 1 */
  mn_matrix_steps observation, observation_cov; /* H: p x d, R: p x p                            */
  const double *state_offset;                   /* b: d                                          */
  const double *observation_offset;             /* c: p                                          */
  const double *start_mean, *start_cov;         /* m: d, P or P*: d x d                          */
  const bool *diffuse;                          /* d: start of infinite variance; NULL: none     */
  bool square_root;                             /* propagate factors of P: slower, for badly conditioned models */
} mn_linear_system;

/* The distribution of the state at a row, given all rows before it. */
typedef struct mn_filter_state {
  double *mean, *cov; /* d, d x d (P*)                        */
  double *diffuse;    /* d x d: P_inf                         */
  double *factor;     /* d x d: L with L L' = cov, if square_root and not diffuse */
  bool is_diffuse;
} mn_filter_state;

/* What one value of an observation changed, for the smoother. */
typedef struct mn_filter_value {
  double error, variance;  /* v; F = z'P z + r                                  */
  double diffuse_variance; /* z'P_inf z if the value ended an infinite variance, else 0 */
  bool used;               /* false: it has no variance, and says nothing       */
} mn_filter_value;

/* Everything the smoother needs of a sequence of n rows. Rows in `diffuse_rows` at the beginning have P_inf. */
typedef struct mn_filter_path {
  size_t n, diffuse_rows;
  double *mean, *cov;     /* n x d, n x d x d: predicted states      */
  double *gain;           /* n x p x d: P z                          */
  mn_filter_value *value; /* n x p                                   */
  size_t diffuse_capacity;
  double *diffuse;      /* diffuse_rows x d x d: P_inf             */
  double *diffuse_gain; /* diffuse_rows x p x d: P_inf z           */
} mn_filter_path;

/* Workspaces of a filter. */
typedef struct mn_filter {
  mn_context *ctx;
  const mn_linear_system *m;
  mn_filter_state state;
  bool steady;                 /* cov has converged: it and the gains stay as they are */
  size_t count;                /* values of the observation in hand                    */
  double *z, *y, *variance;    /* its values: p x d, p, p                              */
  double log_scale;            /* log det of the factor that made them independent     */
  double *gain, *diffuse_gain; /* p x d                                                */
  mn_filter_value *value;      /* p                                                    */
  size_t *at;                  /* p: their places in the row                           */
  bool independent;            /* R is diagonal, and the same in all rows              */
  bool invariant;              /* all matrices are the same in all rows                */
  double *root;                /* d x d: L L' = Q, if square_root                      */
  double *previous;            /* d x d: P of the row in hand before its observation   */
  double *work;                /* (4 d + 1) x d                                        */
} mn_filter;

/* Ready for the first row of a sequence. Scratch of ctx. */
mn_status mn_filter_new(mn_context *ctx, const mn_linear_system *m, mn_filter *k);
mn_status mn_filter_start(mn_filter *k);

/* Set z, y, variance, count and log_scale for the observation y of row t. */
mn_status mn_filter_observe(mn_filter *k, size_t t, const double *y);

/* Take the observation y of row t into account: the state becomes that of row t given rows up to t. *loglike: log p of
 * y given the rows before; values that end an infinite variance count -log(2 pi F_inf) / 2. */
mn_status mn_filter_update(mn_filter *k, size_t t, const double *y, double *loglike);

/* From row t to row t + 1. */
mn_status mn_filter_predict(mn_filter *k, size_t t);

/* Filter the rows first .. first+n-1 of y (rows x p). Outputs may be NULL: path; loglike, n values; mean and cov of the
 * states given rows up to their own, n x d and n x d x d. */
mn_status mn_filter_rows(mn_filter *k, size_t first, size_t n, const double *y, mn_filter_path *path, double *loglike,
                         double *mean, double *cov);

mn_status mn_filter_path_new(mn_context *ctx, const mn_linear_system *m, size_t n, mn_filter_path *path);

/* States given all rows of the sequence: mean (n x d), cov (n x d x d), and if not NULL cross (n x d x d), the
 * covariance of the states of rows t + 1 and t, for t + 1 < n; only without diffuse states. */
mn_status mn_filter_smooth(mn_filter *k, size_t first, const double *y, const mn_filter_path *path, double *mean,
                           double *cov, double *cross);

/* --- small matrices, row-major --- */

/* c (r x n) = a (r x m) b (m x n); c = a b' with b n x m; c = a'b with a m x r. c must be another matrix. */
void mn_small_product(size_t r, size_t m, size_t n, const double *a, const double *b, double *c);
void mn_small_product_bt(size_t r, size_t m, size_t n, const double *a, const double *b, double *c);
void mn_small_product_at(size_t r, size_t m, size_t n, const double *a, const double *b, double *c);

static inline double mn_small_dot(size_t n, const double *a, const double *b)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* a = (a + a') / 2 */
void mn_make_symmetric(size_t n, double *a);

#endif
