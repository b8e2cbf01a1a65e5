/* Steps of stochastic gradient descent for one score x b + c. */
#ifndef MN_SGD_SGD_STEPS_H
#define MN_SGD_SGD_STEPS_H
#include "../model/data.h"
#include "../loss/linear_loss.h"

/* Settings of the steps, the same for all scores of a fit.
 *
 *     b := (1 - rate alpha (1 - l1)) b - rate w_i loss'(y_i, x_i b + c) x_i, then soft-thresholded by rate alpha l1 */
typedef struct mn_sgd_rule {
  const mn_linear_loss *loss;
  double epsilon, alpha, l1; /* l1: share of the L1 norm in the penalty */
  bool has_l2, has_l1;       /* which parts the penalty has */
  enum { MN_SGD_OPTIMAL, MN_SGD_CONSTANT, MN_SGD_INVSCALING, MN_SGD_ADAPTIVE, MN_SGD_PA1, MN_SGD_PA2 } schedule;
  double eta0, power_t;
  double optimal_start; /* step count offset, so that the first rate suits coefficients of typical size: Bottou 2012 */
  double average;       /* first step whose coefficients are averaged; 0: no average */
  bool fit_intercept;
  size_t p;
} mn_sgd_rule;

/* The state after a step. For a coefficient that no row used since, a search finds the step at which it reached 0, and
 * the penalty until then. */
typedef struct mn_sgd_history {
  double shift, due, scale;
} mn_sgd_history;

/* The coefficients are scale v, so that an L2 step costs one product; their average is (average + v_factor v) /
 * average_scale, so that a step costs as much as the row has values (Bottou, Stochastic Gradient Descent Tricks, 2012).
 */
typedef struct mn_sgd_state {
  double *v, scale, intercept;
  double square, absolute; /* |b|^2 and |b|_1, after the last step that changed b */
  double *average, v_factor, average_scale, average_intercept;
  double *paid, due; /* cumulative L1 penalty: paid by each coefficient, and due (mn_sgd_l1_step) */
  double *last_shift,
      shift;               /* sparse rows: total threshold applied to v so far, and its value when v_j was last used */
  mn_sgd_history *history; /* elastic net on sparse rows: `capacity` entries, [0] is the start; else NULL */
  size_t steps, capacity;
  double rate, t;       /* t: 1 + number of steps */
  double loss;          /* objective summed over the rows of this round */
  double best;          /* minimum objective so far, or -1 times the highest score */
  int64_t stale_rounds; /* rounds without improvement */
  bool done, diverged;  /* the stopping test is met; some value is not finite */
} mn_sgd_state;

/* Steps over the rows order[begin .. end-1] of data, with targets y[row]. */
void mn_sgd_steps(const mn_sgd_rule *rule, mn_sgd_state *state, const mn_data *data, const double *y,
                  const size_t *order, size_t begin, size_t end);

/* x_i b + c of a normalized state. */
double mn_sgd_score(const mn_sgd_state *state, const mn_data *data, size_t i);

/* Apply all pending factors: v becomes the coefficients, `average` their average, and scale 1. */
void mn_sgd_normalize(const mn_sgd_rule *rule, mn_sgd_state *state);

#endif
