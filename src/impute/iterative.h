/* Imputation of each column by a Bayesian ridge regression on the others, in rounds (IterativeImputer). */
#ifndef MN_IMPUTE_ITERATIVE_H
#define MN_IMPUTE_ITERATIVE_H
#include "../core/rng.h"
#include "imputer.h"

typedef struct mn_iterative {
  mn_imputer imputer;
  int64_t max_iter, n_nearest_features, initial_strategy, imputation_order, seed; /* parameters */
  double tol, fill_value;
  bool skip_complete, sample_posterior;
  mn_vector min_value, max_value;
  mn_vector statistics, center; /* learned, features: the initial values; the origin of the regressions */
  mn_vector low, high;          /* features: limits of imputed values */
  mn_indexes order;             /* steps, of all rounds: the column that each completes */
  mn_matrix coef;               /* steps x features, 0 for the column itself */
  mn_vector intercept;          /* steps */
  mn_vector noise;              /* steps: standard deviation of the noise, if values are drawn; or empty */
} mn_iterative;

enum { MN_ORDER_ASCENDING, MN_ORDER_DESCENDING, MN_ORDER_ROMAN, MN_ORDER_ARABIC, MN_ORDER_RANDOM };

mn_status mn_iterative_fit(mn_context *ctx, void *self, const mn_data *given);

/* The value of step s for a row, given the row minus `center`, with values in all columns. Draws depend on the seed,
 * the step and the index of the row. */
double mn_iterative_value(const mn_iterative *m, size_t s, size_t row, const double *z);

/* The training rows v = (predictors, target, 1) of one regression: their moments, or for fewer rows than predictors the
 * rows themselves. */
typedef struct mn_training {
  size_t predictors;
  double *moments;       /* (predictors + 2)^2: sum_i w_i v_i v_i'; not read if there are rows */
  double *rows;          /* n_rows x (predictors + 2); overwritten */
  size_t n_rows;         /* 0: use the moments */
  const double *weights; /* n_rows; NULL: all 1 */
} mn_training;

/* Bayesian ridge regression: the coefficients for the precisions that maximize the evidence; with `rng` one draw from
 * their posterior instead, and the noise.
 *
 *   coef       predictors, out
 *   intercept  out
 *   noise      out: standard deviation of the noise, 0 without `rng` */
mn_status mn_ridge_step(mn_context *ctx, const mn_training *data, mn_rng *rng, double *coef, double *intercept,
                        double *noise);

#endif
