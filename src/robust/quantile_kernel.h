/* Loops of the interior-point method for quantile regression, over n dual variables: x between 0 and 1 with slack s = 1
 * - x, and multipliers z and w of the two bounds, all per unit of the row weight u. Arguments are not checked; arrays
 * must not overlap. */
#ifndef MN_ROBUST_QUANTILE_KERNEL_H
#define MN_ROBUST_QUANTILE_KERNEL_H
#include <stddef.h>

typedef struct mn_dual_state {
  size_t n;
  const double *u;       /* n: weights */
  double *x, *s, *z, *w; /* n each: current point */
  double *dx, *dz, *dw;  /* n each: step; that of s is -dx */
  double *q, *v, *t;     /* n each: curvature per unit weight and of the row, and right-hand side */
  double *xz, *sw;       /* n each: second-order terms that the predictor omits */
} mn_dual_state;

/* q = 1 / (z / x + w / s), v = u q and t = v (z - w). */
void mn_dual_weights(const mn_dual_state *d);

/* Predictor step dx, dz, dw, given a = X dy. */
void mn_dual_predict(const mn_dual_state *d, const double *restrict a);

/* t += v (xz - sw - xi), xi = mu (1 / x - 1 / s), from the predictor's xz = dx dz and sw = -dx dw. */
void mn_dual_target(const mn_dual_state *d, double mu);

/* Corrector step, given a = X dy. */
void mn_dual_correct(const mn_dual_state *d, const double *restrict a, double mu);

/* Longest steps, at most 1e20, that keep x and s (primal), z and w (dual) positive. */
void mn_dual_bounds(const mn_dual_state *d, double *primal, double *dual);

/* Sum of u (z x + w s) after steps of these lengths; and the steps taken. */
double mn_dual_gap(const mn_dual_state *d, double primal, double dual);
void mn_dual_move(const mn_dual_state *d, double primal, double dual);

#endif
