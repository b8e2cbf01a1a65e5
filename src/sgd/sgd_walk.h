/* One score x b + c on its way down the loss, row by row. */
#ifndef MN_SGD_SGD_WALK_H
#define MN_SGD_SGD_WALK_H
#include "../model/data.h"
#include "../loss/linear_loss.h"

/* How steps are made: the same for all walks of a fit.
 *
 *     b := (1 - rate alpha (1 - l1)) b - rate w_i loss'(y_i, x_i b + c) x_i, then towards 0 by rate alpha l1 */
typedef struct mn_sgd_rule {
  const mn_linear_loss *loss;
  double epsilon, alpha, l1; /* l1: the share of the L1 norm in the penalty */
  bool shrinks, pulls;       /* has the penalty an L2 part, an L1 part?     */
  enum { MN_SGD_OPTIMAL, MN_SGD_CONSTANT, MN_SGD_INVSCALING, MN_SGD_ADAPTIVE, MN_SGD_PA1, MN_SGD_PA2 } schedule;
  double eta0, power_t;
  double optimal_start; /* steps before the first, so that the first rate suits weights of common size: Bottou 2012 */
  double average;       /* the step from which on the weights are averaged; 0: never */
  bool fit_intercept;
  size_t p;
} mn_sgd_rule;

/* After a step: to tell later when a weight that no row visits came to 0, and what it had paid by then. */
typedef struct mn_sgd_past {
  double way, due, scale;
} mn_sgd_past;

/* The weights are scale v, so that shrinking them costs one product; their average is (average + part v) / share, so
 * that a step costs as much as the row has values (Bottou, Stochastic Gradient Descent Tricks, 2012). */
typedef struct mn_sgd_walk {
  double *v, scale, intercept;
  double square, absolute; /* |b|^2 and |b|_1: after the last step that moved b */
  double *average, part, share, average_intercept;
  double *paid, due; /* of the L1 penalty: mn_sgd_pull                                          */
  double *seen, way; /* sparse rows: the way towards 0 of every v so far, and at its last visit */
  mn_sgd_past *past; /* of an elastic net on sparse rows: `room` of them, [0] how it began; else NULL     */
  size_t steps, room;
  double rate, t;    /* t: steps so far and 1                                                   */
  double loss;       /* objective of the rows of this round, added up                           */
  double best;       /* of the rounds so far: least objective, or -1 times the highest score    */
  int64_t idle;      /* rounds without improvement                                              */
  bool done, broken; /* the stopping test held; something is no finite number                   */
} mn_sgd_walk;

/* Steps over the rows order[begin .. end-1] of data, whose scores are to be y[row]. */
void mn_sgd_steps(const mn_sgd_rule *rule, mn_sgd_walk *walk, const mn_data *data, const double *y, const size_t *order,
                  size_t begin, size_t end);

/* x_i b + c of a settled walk. */
double mn_sgd_score(const mn_sgd_walk *walk, const mn_data *data, size_t i);

/* Make v the weights and `average` their average: scale is 1 then. */
void mn_sgd_settle(const mn_sgd_rule *rule, mn_sgd_walk *walk);

#endif
