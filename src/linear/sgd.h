/* What linear models by stochastic gradient descent share: settings, what they learn, fit and partial_fit. */
#ifndef MN_SGD_H
#define MN_SGD_H
#include "linear.h"
#include "sgd_walk.h"

typedef struct mn_sgd {
  mn_linear linear;
  int64_t loss, penalty, learning_rate, max_iter, n_iter_no_change, average, seed; /* what the user sets */
  double alpha, l1_ratio, tol, epsilon, eta0, power_t, validation_fraction;
  bool fit_intercept, shuffle, early_stopping;
  double t;                 /* steps so far and 1                                              */
  mn_matrix step_coef;      /* scores x features: where the steps are, when coef is an average */
  mn_vector step_intercept; /* scores                                                          */
  mn_matrix l1_paid;        /* scores x features: see mn_sgd_pull                              */
  mn_vector l1_due;         /* scores                                                          */
} mn_sgd;

/* What is asked of the scores. */
typedef struct mn_sgd_problem {
  const mn_data *data;
  size_t scores;   /* 1 for two classes, else classes; targets        */
  const double *y; /* scores x rows: what each score is to be, or near */
  int64_t loss;    /* of mn_sgd_losses                                */
  bool classifies; /* scores are right when they have the sign of y   */
} mn_sgd_problem;

/* Rounds over all rows until the stopping test holds, from weights 0. */
mn_status mn_sgd_fit(mn_context *ctx, mn_sgd *m, const mn_sgd_problem *problem);

/* One round over these rows, from where the model is. */
mn_status mn_sgd_partial_fit(mn_context *ctx, mn_sgd *m, const mn_sgd_problem *problem);

/* After load. */
mn_status mn_sgd_check(mn_context *ctx, const void *self);

extern const char *const mn_sgd_penalties[], *const mn_sgd_schedules[];

#define MN_SGD_PARAMS(losses, first_loss, schedule, power)                                                             \
  MN_CHOICE(mn_sgd, loss, first_loss, losses, "loss of a row; see the notes"),                                         \
      MN_CHOICE(mn_sgd, penalty, 0, mn_sgd_penalties, "l2, l1, elasticnet: both, or none"),                            \
      MN_PENALTY(mn_sgd, alpha, 1e-4, MN_FROM(0), "strength of the penalty; sets the rate of 'optimal', too"),         \
      MN_REAL(mn_sgd, l1_ratio, 0.15, MN_BETWEEN(0, 1), "share of the L1 norm in the elasticnet"),                     \
      MN_FLAG(mn_sgd, fit_intercept, true, "learn a constant term, never penalised"),                                  \
      MN_COUNT(mn_sgd, max_iter, 1000, MN_BETWEEN(1, INT32_MAX), "most rounds over the rows"),                         \
      MN_REAL(mn_sgd, tol, 1e-3, MN_FROM(0), "least improvement of a round that counts as one"),                       \
      MN_COUNT(mn_sgd, n_iter_no_change, 5, MN_BETWEEN(1, INT32_MAX), "rounds without improvement before the end"),    \
      MN_FLAG(mn_sgd, shuffle, true, "take the rows in another order each round"),                                     \
      MN_REAL(mn_sgd, epsilon, 0.1, MN_FROM(0), "of huber and the epsilon-insensitive losses, in units of y"),         \
      MN_CHOICE(mn_sgd, learning_rate, schedule, mn_sgd_schedules, "how the rate of steps falls; see the notes"),      \
      MN_REAL(mn_sgd, eta0, 0.01, MN_ABOVE(0), "first rate; the aggressiveness C of pa1 and pa2"),                     \
      MN_REAL(mn_sgd, power_t, power, MN_FROM(0), "exponent of invscaling: eta0 / t^power_t"),                         \
      MN_COUNT(mn_sgd, average, 0, MN_BETWEEN(0, INT32_MAX), "average the weights from this step on; 0: do not"),      \
      MN_FLAG(mn_sgd, early_stopping, false, "end by the score of rows held out, not by the objective"),               \
      MN_REAL(mn_sgd, validation_fraction, 0.1, MN_WITHIN(0, 1), "share of the rows held out for that"),               \
      MN_SEED(mn_sgd, seed)

#define MN_SGD_FIELDS(rows)                                                                                            \
  MN_LINEAR_FIELDS(rows), MN_NUMBER(mn_sgd, t, "steps so far, and 1"),                                                 \
      MN_LEARNED(MN_KIND_MATRIX, mn_sgd, step_coef, rows "? x features?", NULL),                                       \
      MN_LEARNED(MN_KIND_VECTOR, mn_sgd, step_intercept, rows "?", NULL),                                              \
      MN_LEARNED(MN_KIND_MATRIX, mn_sgd, l1_paid, rows "? x features?", NULL),                                         \
      MN_LEARNED(MN_KIND_VECTOR, mn_sgd, l1_due, rows "?", NULL)

#define MN_SGD_NOTES                                                                                                   \
  "Rates of steps, t counting them: optimal 1 / (alpha (t0 + t)), t0 by a heuristic of Bottou; invscaling eta0 / "     \
  "t^power_t; constant eta0; adaptive eta0, a fifth of it each time n_iter_no_change rounds have brought nothing; "    \
  "pa1 "                                                                                                               \
  "and pa2 the passive-aggressive steps, eta0 being their C. Scale the columns first. A weight scales the step of "    \
  "its "                                                                                                               \
  "row: weight 2 is not the row twice. The objective of a round is the mean over its rows, each taken before its "     \
  "step. Definitions are scikit-learn's, except: sparse rows give what dense ones give (scikit-learn steps the "       \
  "constant of sparse X by a hundredth, and leaves L1 penalties unpaid at the end); the state of the L1 penalty is "   \
  "kept between batches, so that batches in order are one round; objectives are weighted. "

#endif
