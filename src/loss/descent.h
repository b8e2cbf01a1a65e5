/* Linear models of any loss and penalty, of one score: minimise over b and c
 *
 *     F(b, c) = sum_i w_i loss(y_i, x_i b + c) / sum_i w_i + l1 |b|_1 + l2 / 2 |b|^2
 *
 * The solvers see columns about their means and over their scales, so that neither origin nor unit of a column matters
 * to how fast they are: b_j = u_j / scale_j and c = u_p / scale_p - mean b, scale_j^2 being about the curvature of F
 * along b_j. All end by the same test: no element of the least subgradient by u is above tol sqrt(F(0)), so that what a
 * step can gain is about tol^2 of the objective of weights 0. */
#ifndef MN_LOSS_DESCENT_H
#define MN_LOSS_DESCENT_H
#include "../core/threads.h"
#include "../model/data.h"
#include "linear_loss.h"

typedef struct mn_descent {
  const mn_data *data;
  const double *y; /* rows: what the score is to be, or near */
  const mn_linear_loss *loss;
  double parameter, l1, l2, tol; /* parameter: of the loss */
  double gain; /* of coordinates: done, too, when a round can lower F by this share of it only; 0: off */
  bool fit_intercept;
  int64_t max_iter, seed;
  /* Called after each round with F; false: stop. */
  bool (*note)(void *user, double objective);
  void *user;
  /* Made by mn_descent_prepare for all scores of a fit. */
  size_t n, p;
  double *share;     /* n: w_i / sum w                                */
  double *mean;      /* p: of the columns; 0 without a constant       */
  double *spread;    /* p: sum_i share_i (x_ij - mean_j)^2            */
  double *z, *slope; /* n: scores, and share_i loss'(y_i, z_i)     */
  mn_blocks blocks;
  double *sums; /* of blocks x 2: loss, slope */
  /* Made by mn_descent_begin for y. */
  double *scale;        /* p + 1 */
  double begin, wanted; /* F at weights 0 with the best constant; how small the subgradient is to be */
} mn_descent;

typedef struct mn_descent_end {
  bool converged;
  double objective, steepest; /* F; largest element of the least subgradient by u      */
  double gain;                /* of coordinates: what the last round could lower F by, as a share */
  double duality_gap;         /* no more than this is F above its minimum; NaN where the solver does not know */
} mn_descent_end;

/* Means, spreads and workspace (scratch). data, fit_intercept are set before. */
mn_status mn_descent_prepare(mn_context *ctx, mn_descent *d);

/* The start for y: u (p + 1 values) is 0 but for the best constant. All but the workspace is set before. */
mn_status mn_descent_begin(mn_context *ctx, mn_descent *d, double *u);

/* The smooth part of F at u: loss and L2; its gradient by u (p + 1 values). */
mn_status mn_descent_value(mn_context *ctx, mn_descent *d, const double *u, double *value, double *gradient);

/* A loss with corners at row i: |r| beyond the tube times a slope on either side, share_i included,
 *
 *     max(lo (r + tube), hi (r - tube), 0),    r = target - (x_i b + c),    lo <= 0 <= hi. */
typedef struct mn_corner {
  double target, lo, hi, tube;
} mn_corner;
mn_corner mn_descent_corner(const mn_descent *d, size_t i);

/* Scores X b + c into d->z. */
mn_status mn_descent_scores(mn_context *ctx, mn_descent *d, const double *b, double c);

/* Mean loss of the scores d->z, and d->slope; *slope is the sum of that. */
mn_status mn_descent_lose(mn_context *ctx, mn_descent *d, double *loss, double *slope);

/* Largest element of the least subgradient of F, from the gradient of its smooth part. */
double mn_descent_steepest(const mn_descent *d, const double *u, const double *gradient);

/* l1 |b|_1 at u. */
double mn_descent_l1(const mn_descent *d, const double *u);

/* From b (p values) and c to u, after mn_descent_begin: a start that is known. */
void mn_descent_start(const mn_descent *d, const double *b, double c, double *u);

/* From u to b (p values) and c. */
void mn_descent_weights(const mn_descent *d, const double *u, double *b, double *c);

/* The solvers: from u to the minimum. Losses must be smooth, but for the interior-point method and the dual, which take
 * hinge, epsilon_insensitive, absolute_error and quantile, and no other; the dual with l2 > 0, to a gap of tol times
 * F instead. That by L-BFGS asks the context by itself whether to go on (lbfgs.h), the others leave that to d->note.
 */
mn_status mn_descent_by_gradient(mn_context *ctx, mn_descent *d, double *u, mn_descent_end *end);
mn_status mn_descent_by_lbfgs(mn_context *ctx, mn_descent *d, double *u, mn_descent_end *end);
mn_status mn_descent_by_saga(mn_context *ctx, mn_descent *d, double *u, mn_descent_end *end);
mn_status mn_descent_by_coordinates(mn_context *ctx, mn_descent *d, double *u, mn_descent_end *end);
mn_status mn_descent_by_interior(mn_context *ctx, mn_descent *d, double *u, mn_descent_end *end);
mn_status mn_descent_by_dual(mn_context *ctx, mn_descent *d, double *u, mn_descent_end *end);

#endif
