/* Linear models of any loss and penalty, for one score: minimize over b and c
 *
 *     F(b, c) = sum_i w_i loss(y_i, x_i b + c) / sum_i w_i + l1 |b|_1 + l2 / 2 |b|^2
 *
 * The solvers work with centered and scaled columns, so that their speed depends neither on the origin nor on the unit
 * of a column: b_j = u_j / scale_j and c = u_p / scale_p - mean b, where scale_j^2 is about the curvature of F along
 * b_j. All stop by the same test: no element of the minimum-norm subgradient by u exceeds tol sqrt(F(0)), so that a
 * step can gain at most about tol^2 of the objective at zero coefficients. */
#ifndef MN_LOSS_DESCENT_H
#define MN_LOSS_DESCENT_H
#include "../core/threads.h"
#include "../model/data.h"
#include "linear_loss.h"

typedef struct mn_descent {
  const mn_data *data;
  const double *y; /* rows: targets of the score */
  const mn_linear_loss *loss;
  double parameter, l1, l2, tol; /* parameter: of the loss */
  double gain_tol;               /* coordinate: also stop when a round can lower F by at most this share; 0: off */
  bool fit_intercept;
  int64_t max_iter, seed;
  /* Called after each round with F; false: stop. */
  bool (*progress)(void *user, double objective);
  void *user;
  /* Set by mn_descent_init, for all scores of a fit. */
  size_t n, p;
  double *weight;    /* n: w_i / sum w                                */
  double *mean;      /* p: of the columns; 0 without an intercept */
  double *variance;  /* p: sum_i weight_i (x_ij - mean_j)^2 */
  double *z, *slope; /* n: scores, and weight_i loss'(y_i, z_i) */
  mn_blocks blocks;
  double *block_sums; /* blocks x 2: loss, slope */
  /* Set by mn_descent_set_target. */
  double *scale;                       /* p + 1 */
  double start_value, subgradient_tol; /* F at zero coefficients with the best intercept; limit of the subgradient */
} mn_descent;

typedef struct mn_descent_result {
  bool converged;
  double objective, max_subgradient; /* F; largest element of the minimum-norm subgradient by u */
  double gain;                       /* coordinate: the share by which the last round could lower F */
  double duality_gap;                /* F is at most this far above its minimum; NaN where the solver does not know */
} mn_descent_result;

/* Compute means and variances and allocate workspace (scratch). data and fit_intercept must be set. */
mn_status mn_descent_init(mn_context *ctx, mn_descent *d);

/* Set the start for y: u (p + 1 values) is 0 except for the best intercept. All inputs must be set. */
mn_status mn_descent_set_target(mn_context *ctx, mn_descent *d, double *u);

/* The smooth part of F at u (loss and L2) and its gradient by u (p + 1 values). */
mn_status mn_descent_evaluate(mn_context *ctx, mn_descent *d, const double *u, double *value, double *gradient);

/* A piecewise linear loss in row i: zero within the tube, linear on both sides, weight_i included,
 *
 *     max(lo (r + tube), hi (r - tube), 0),    r = target - (x_i b + c),    lo <= 0 <= hi. */
typedef struct mn_piecewise_term {
  double target, lo, hi, tube;
} mn_piecewise_term;
mn_piecewise_term mn_descent_piecewise_term(const mn_descent *d, size_t i);

/* d->z = X b + c */
mn_status mn_descent_compute_scores(mn_context *ctx, mn_descent *d, const double *b, double c);

/* Mean loss of the scores d->z, and d->slope; *slope is its sum. */
mn_status mn_descent_compute_loss(mn_context *ctx, mn_descent *d, double *loss, double *slope);

/* Largest element of the minimum-norm subgradient of F, from the gradient of its smooth part. */
double mn_descent_max_subgradient(const mn_descent *d, const double *u, const double *gradient);

/* l1 |b|_1 at u. */
double mn_descent_l1_penalty(const mn_descent *d, const double *u);

/* Convert b (p values) and c to u, after mn_descent_set_target. */
void mn_descent_from_coefficients(const mn_descent *d, const double *b, double c, double *u);

/* Convert u to b (p values) and c. */
void mn_descent_to_coefficients(const mn_descent *d, const double *u, double *b, double *c);

/* The solvers minimize F from u. The loss must be smooth, except that interior and dual take hinge,
 * epsilon_insensitive, absolute_error and quantile, and no other; dual requires l2 > 0 and stops at a duality gap of
 * tol F. L-BFGS asks the context whether to continue (lbfgs.h); the others rely on d->progress. */
mn_status mn_descent_solve_gradient(mn_context *ctx, mn_descent *d, double *u, mn_descent_result *result);
mn_status mn_descent_solve_lbfgs(mn_context *ctx, mn_descent *d, double *u, mn_descent_result *result);
mn_status mn_descent_solve_saga(mn_context *ctx, mn_descent *d, double *u, mn_descent_result *result);
mn_status mn_descent_solve_coordinate(mn_context *ctx, mn_descent *d, double *u, mn_descent_result *result);
mn_status mn_descent_solve_interior(mn_context *ctx, mn_descent *d, double *u, mn_descent_result *result);
mn_status mn_descent_solve_dual(mn_context *ctx, mn_descent *d, double *u, mn_descent_result *result);

#endif
