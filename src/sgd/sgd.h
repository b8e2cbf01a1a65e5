/* Shared parts of linear models fitted by stochastic gradient descent: parameters, learned fields, fit, partial_fit. */
#ifndef MN_SGD_SGD_H
#define MN_SGD_SGD_H
#include "../linear/linear.h"
#include "sgd_steps.h"

/* Classes that fix the loss or the learning rate. */
extern const mn_class mn_perceptron, mn_passive_aggressive_classifier, mn_passive_aggressive_regressor;

typedef struct mn_sgd {
  mn_linear linear;
  int64_t loss, penalty, learning_rate, max_iter, n_iter_no_change, average, seed; /* parameters */
  double alpha, l1_ratio, tol, epsilon, eta0, power_t, validation_fraction;
  bool fit_intercept, shuffle, early_stopping;
  double t;                 /* 1 + number of steps */
  mn_matrix step_coef;      /* scores x features: coefficients of the last step, when coef is an average */
  mn_vector step_intercept; /* scores                                                          */
  mn_matrix l1_paid;        /* scores x features: see mn_sgd_l1_step */
  mn_vector l1_due;         /* scores                                                          */
} mn_sgd;

/* Targets of the scores, and how the steps are made. */
typedef struct mn_sgd_problem {
  const mn_data *data;
  size_t scores;                   /* 1 for two classes, else number of classes or targets */
  const double *y;                 /* scores x rows: targets */
  int64_t loss, penalty, schedule; /* index of mn_linear_losses and of the lists below */
  double parameter;                /* of the loss                                       */
  bool classifies;                 /* a score is correct when it has the sign of y */
  bool requires_stability;         /* an objective that oscillates at the end has not converged */
} mn_sgd_problem;

/* Set data, scores and y only, for any classifier or regressor. */
mn_status mn_sgd_targets(mn_context *ctx, const mn_estimator *base, const mn_data *data, mn_sgd_problem *problem);

/* Set up the problem of a model of any of these classes. */
mn_status mn_sgd_make_problem(mn_context *ctx, const mn_sgd *m, const mn_data *data, mn_sgd_problem *problem);

/* Run rounds until the stopping test holds; or a single round from the current state. */
mn_status mn_sgd_run(mn_context *ctx, mn_sgd *m, const mn_sgd_problem *problem);
mn_status mn_sgd_run_round(mn_context *ctx, mn_sgd *m, const mn_sgd_problem *problem);

/* fit of all classes: rounds from zero coefficients until the stopping test holds. */
mn_status mn_sgd_fit(mn_context *ctx, void *self, const mn_data *data);

/* partial_fit: one round over these rows from the current state. */
mn_status mn_sgd_partial_fit(mn_context *ctx, void *self, const mn_data *data);

/* Check after load. */
mn_status mn_sgd_check(mn_context *ctx, const void *self);

/* Class probabilities implied by log_loss, modified_huber and exponential: for two classes those of z and -z; for more,
 * the probability of each class against the rest, normalized to sum to 1. */
mn_status mn_sgd_log_proba(mn_context *ctx, const mn_linear *m, int64_t loss, const mn_data *data, mn_matrix *out);

/* Export decision scores, and probabilities of a loss that has them. */
mn_status mn_sgd_export_proba(mn_context *ctx, const mn_linear *m, int64_t loss, mn_action action, mn_program *program);

/* Export decision scores of a classifier without probabilities. */
mn_status mn_sgd_export_scores(mn_context *ctx, const void *self, mn_action action, mn_program *program);

extern const char *const mn_sgd_penalties[], *const mn_sgd_schedules[];
enum { MN_SGD_L2, MN_SGD_L1, MN_SGD_ELASTICNET, MN_SGD_NO_PENALTY };

/* Parameters, in display order. */
#define MN_SGD_PENALTY_PARAMS(first, text)                                                                             \
  MN_CHOICE(mn_sgd, penalty, first, mn_sgd_penalties, "l2, l1, elasticnet (both) or none"),                            \
      MN_PENALTY(mn_sgd, alpha, 1e-4, MN_AT_LEAST(0), text),                                                           \
      MN_REAL(mn_sgd, l1_ratio, 0.15, MN_CLOSED(0, 1), "share of the L1 norm in elasticnet")

#define MN_SGD_ROUND_PARAMS                                                                                            \
  MN_FLAG(mn_sgd, fit_intercept, true, "fit an intercept; it is never penalized"),                                     \
      MN_COUNT(mn_sgd, max_iter, 1000, MN_CLOSED(1, INT32_MAX), "maximum number of rounds over the rows"),             \
      MN_REAL(mn_sgd, tol, 1e-3, MN_AT_LEAST(0), "minimum decrease of the objective that counts as an improvement"),   \
      MN_COUNT(mn_sgd, n_iter_no_change, 5, MN_CLOSED(1, INT32_MAX),                                                   \
               "stop after this many rounds without improvement"),                                                     \
      MN_FLAG(mn_sgd, shuffle, true, "shuffle the rows before each round")

#define MN_SGD_AVERAGE_PARAM                                                                                           \
  MN_COUNT(mn_sgd, average, 0, MN_CLOSED(0, INT32_MAX), "average the coefficients from this step on; 0: no average")

#define MN_SGD_END_PARAMS                                                                                              \
  MN_FLAG(mn_sgd, early_stopping, false, "stop by the score on held-out rows instead of the objective"),               \
      MN_REAL(mn_sgd, validation_fraction, 0.1, MN_OPEN(0, 1), "share of the rows held out for early_stopping"),       \
      MN_SEED(mn_sgd, seed)

/* All parameters of SGDClassifier and SGDRegressor. */
#define MN_SGD_PARAMS(losses, first_loss, first_schedule, power)                                                                                                                                                                                   \
  MN_CHOICE(mn_sgd, loss, first_loss, losses, "loss of a row; see the notes"),                                                                                                                                                                     \
      MN_SGD_PENALTY_PARAMS(MN_SGD_L2, "strength of the penalty; also sets the step size of 'optimal'"),                                                                                                                                           \
      MN_SGD_ROUND_PARAMS,                                                                                                                                                                                                                         \
      MN_REAL(mn_sgd, epsilon, 0.1, MN_AT_LEAST(0),                                                                                                                                                                                                \
              "threshold of huber and the epsilon-insensitive losses, in units of y"),                                                                                                                                                             \
      MN_CHOICE(                                                                                                                                                                                                                                   \
          mn_sgd, learning_rate, first_schedule, mn_sgd_schedules,                                                                                                                                                                                 \
          "step size at step t: optimal 1 / (alpha (t0 + t)), t0 by Bottou's heuristic; constant eta0; invscaling eta0 / t^power_t; adaptive eta0, divided by 5 after n_iter_no_change rounds without improvement; pa1, pa2: passive-aggressive"), \
      MN_REAL(mn_sgd, eta0, 0.01, MN_GREATER_THAN(0), "initial step size; C of pa1 and pa2"),                                                                                                                                                      \
      MN_REAL(mn_sgd, power_t, power, MN_AT_LEAST(0), "exponent of invscaling: eta0 / t^power_t"),                                                                                                                                                 \
      MN_SGD_AVERAGE_PARAM, MN_SGD_END_PARAMS

#define MN_SGD_FIELDS(rows)                                                                                            \
  MN_LINEAR_FIELDS(rows), MN_NUMBER(mn_sgd, t, "1 + number of steps"),                                                 \
      MN_LEARNED(MN_KIND_MATRIX, mn_sgd, step_coef, rows "? x features?", NULL),                                       \
      MN_LEARNED(MN_KIND_VECTOR, mn_sgd, step_intercept, rows "?", NULL),                                              \
      MN_LEARNED(MN_KIND_MATRIX, mn_sgd, l1_paid, rows "? x features?", NULL),                                         \
      MN_LEARNED(MN_KIND_VECTOR, mn_sgd, l1_due, rows "?", NULL)

/* Members of the class tables of classifiers and of regressors. */
#define MN_SGD_CLASSIFIER                                                                                              \
  .size = sizeof(mn_sgd), .operations = mn_sgd_coef_operations, .fit = mn_sgd_fit, .partial_fit = mn_sgd_partial_fit,  \
  .decision = mn_linear_predict, .check = mn_sgd_check
#define MN_SGD_REGRESSOR                                                                                               \
  .size = sizeof(mn_sgd), .operations = mn_sgd_coef_operations, .fit = mn_sgd_fit, .partial_fit = mn_sgd_partial_fit,  \
  MN_LINEAR_PREDICTION, .check = mn_sgd_check

#define MN_SGD_NOTES                                                                                                     \
  "Scale the columns first. Row weights scale the step of a row (of pa1 and pa2 its C): weight 2 is not the row twice. " \
  "Results equal those of scikit-learn, except for sparse X, which gives the same as dense X. "

#endif
