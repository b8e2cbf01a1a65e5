/* What linear models by stochastic gradient descent share: settings, what they learn, fit and partial_fit. */
#ifndef MN_SGD_SGD_H
#define MN_SGD_SGD_H
#include "../linear/linear.h"
#include "sgd_walk.h"

/* Classes whose steps are not all for the user to choose. */
extern const mn_class mn_perceptron, mn_passive_aggressive_classifier, mn_passive_aggressive_regressor;

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

/* What is asked of the scores, and the steps that the class takes, or its user has chosen. */
typedef struct mn_sgd_problem {
  const mn_data *data;
  size_t scores;                   /* 1 for two classes, else classes; targets         */
  const double *y;                 /* scores x rows: what each score is to be, or near */
  int64_t loss, penalty, schedule; /* of mn_linear_losses and the lists below             */
  double parameter;                /* of the loss                                       */
  bool classifies;                 /* scores are right when they have the sign of y    */
  bool strict;                     /* rounds that go up and down at the end have not converged */
} mn_sgd_problem;

/* Data, scores and y alone, for any classifier or regressor. */
mn_status mn_sgd_answers(mn_context *ctx, const mn_estimator *base, const mn_data *data, mn_sgd_problem *problem);

/* From a model of any of these classes and its data. */
mn_status mn_sgd_ask(mn_context *ctx, const mn_sgd *m, const mn_data *data, mn_sgd_problem *problem);

/* What a problem asks for: rounds until the stopping test holds; one round from where the model is. */
mn_status mn_sgd_run(mn_context *ctx, mn_sgd *m, const mn_sgd_problem *problem);
mn_status mn_sgd_batch(mn_context *ctx, mn_sgd *m, const mn_sgd_problem *problem);

/* fit of all classes: rounds over all rows until the stopping test holds, from weights 0. */
mn_status mn_sgd_fit(mn_context *ctx, void *self, const mn_data *data);

/* partial_fit: one round over these rows, from where the model is. */
mn_status mn_sgd_partial_fit(mn_context *ctx, void *self, const mn_data *data);

/* After load. */
mn_status mn_sgd_check(mn_context *ctx, const void *self);

/* The shares of classes that a loss stands for: log_loss, modified_huber and exponential. Of two classes those of z and
 * -z; of more the share of each against the rest, made to add up to 1. */
mn_status mn_sgd_log_proba(mn_context *ctx, const mn_linear *m, int64_t loss, const mn_data *data, mn_matrix *out);

/* Scores, and the shares of a loss that has them. */
mn_status mn_sgd_export_shares(mn_context *ctx, const mn_linear *m, int64_t loss, mn_action action,
                               mn_program *program);

/* Scores of a classifier without probabilities. */
mn_status mn_sgd_export_scores(mn_context *ctx, const void *self, mn_action action, mn_program *program);

extern const char *const mn_sgd_penalties[], *const mn_sgd_schedules[];
enum { MN_SGD_L2, MN_SGD_L1, MN_SGD_ELASTICNET, MN_SGD_NO_PENALTY };

/* The parameters, in the order in which they are shown. */
#define MN_SGD_PENALTY_PARAMS(first, text)                                                                             \
  MN_CHOICE(mn_sgd, penalty, first, mn_sgd_penalties, "l2, l1, elasticnet: both, or none"),                            \
      MN_PENALTY(mn_sgd, alpha, 1e-4, MN_AT_LEAST(0), text),                                                           \
      MN_REAL(mn_sgd, l1_ratio, 0.15, MN_CLOSED(0, 1), "share of the L1 norm in the elasticnet")

#define MN_SGD_ROUND_PARAMS                                                                                            \
  MN_FLAG(mn_sgd, fit_intercept, true, "learn a constant term, never penalised"),                                      \
      MN_COUNT(mn_sgd, max_iter, 1000, MN_CLOSED(1, INT32_MAX), "most rounds over the rows"),                          \
      MN_REAL(mn_sgd, tol, 1e-3, MN_AT_LEAST(0), "least improvement of a round that counts as one"),                   \
      MN_COUNT(mn_sgd, n_iter_no_change, 5, MN_CLOSED(1, INT32_MAX), "rounds without improvement before the end"),     \
      MN_FLAG(mn_sgd, shuffle, true, "take the rows in another order each round")

#define MN_SGD_AVERAGE_PARAM                                                                                           \
  MN_COUNT(mn_sgd, average, 0, MN_CLOSED(0, INT32_MAX), "average the weights from this step on; 0: do not")

#define MN_SGD_END_PARAMS                                                                                              \
  MN_FLAG(mn_sgd, early_stopping, false, "end by the score of rows held out, not by the objective"),                   \
      MN_REAL(mn_sgd, validation_fraction, 0.1, MN_OPEN(0, 1), "share of the rows held out for that"),                 \
      MN_SEED(mn_sgd, seed)

/* All of them: of SGDClassifier and SGDRegressor. */
#define MN_SGD_PARAMS(losses, first_loss, first_schedule, power)                                                       \
  MN_CHOICE(mn_sgd, loss, first_loss, losses, "loss of a row; see the notes"),                                         \
      MN_SGD_PENALTY_PARAMS(MN_SGD_L2, "strength of the penalty; sets the rate of 'optimal', too"),                    \
      MN_SGD_ROUND_PARAMS,                                                                                             \
      MN_REAL(mn_sgd, epsilon, 0.1, MN_AT_LEAST(0), "of huber and the epsilon-insensitive losses, in units of y"),     \
      MN_CHOICE(mn_sgd, learning_rate, first_schedule, mn_sgd_schedules,                                               \
                "how the rate of steps falls; see the notes"),                                                         \
      MN_REAL(mn_sgd, eta0, 0.01, MN_GREATER_THAN(0), "first rate; the aggressiveness C of pa1 and pa2"),              \
      MN_REAL(mn_sgd, power_t, power, MN_AT_LEAST(0), "exponent of invscaling: eta0 / t^power_t"),                     \
      MN_SGD_AVERAGE_PARAM, MN_SGD_END_PARAMS

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
  "and pa2 the passive-aggressive steps, eta0 times the weight of the row being their C. Scale the columns first. A "  \
  "weight scales the other steps of its "                                                                              \
  "row: weight 2 is not the row twice. The objective of a round is the mean over its rows, each taken before its "     \
  "step. Definitions are scikit-learn's, except: sparse rows give what dense ones give (scikit-learn steps the "       \
  "constant of sparse X by a hundredth, and leaves L1 penalties unpaid at the end); the state of the L1 penalty is "   \
  "kept between batches, so that batches in order are one round; objectives are weighted. Of rows with fewer values "  \
  "than a 16th of the columns, the objective of a round counts L1 penalties when a row comes by, so that the round "   \
  "of "                                                                                                                \
  "the end may be another than with dense rows; the steps are the same. "

#endif
