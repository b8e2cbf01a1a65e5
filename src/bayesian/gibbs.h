/* Bayesian linear regression by Gibbs sampling, for priors that are normal given a variance for each weight:
 *
 *     y = x b + c + noise of variance s2,    b_j ~ N(0, s2 d_j),    p(c, s2) = 1 / s2,
 *
 * where the prior of d is what one model has and the other has not. Several chains, each with a random stream of its
 * own, run side by side until they agree. All but the draws of d is here: columns and y are taken about their means and
 * scaled, c is integrated out, and summaries, predictions and operations are those of any model. */
#ifndef MN_BAYESIAN_GIBBS_H
#define MN_BAYESIAN_GIBBS_H
#include "../core/rng.h"
#include "../model/interval.h"
#include "../linear/linear.h"
#include "posterior_summary.h"

/* A model begins with this. */
typedef struct mn_gibbs {
  mn_linear linear;
  int64_t chains, burn_in, draws, thin, max_iter, seed;
  double min_ess, level;
  bool fit_intercept, standardize;
  mn_vector coef_median, coef_lower, coef_upper, r_hat, ess, ess_tail;
  double sigma2, worst_r_hat, least_ess, n;
  int64_t kept;
  mn_matrix samples; /* chain after chain: p weights, the constant, s2, the global parameter */
} mn_gibbs;

/* Where a chain is. Weights are those of the scaled columns and the scaled y. */
typedef struct mn_gibbs_state {
  size_t p;
  double *b;              /* p                                                  */
  double *d;              /* p: prior variances of b_j, in units of s2          */
  double *local, *hidden; /* p: for the prior to keep what it likes             */
  double s2;              /* variance of the noise                              */
  double global;          /* the one parameter of the prior that is reported    */
  double hidden_global;
  mn_rng random;
} mn_gibbs_state;

typedef struct mn_gibbs_prior {
  bool unit_length; /* columns are scaled to length 1, not to variance 1 */
  /* d and what belongs to it at the start, far apart in other chains; and a draw of them given b and s2. */
  void (*start)(const mn_gibbs *m, mn_gibbs_state *state);
  void (*draw)(const mn_gibbs *m, mn_gibbs_state *state);
  /* The prior density of log(scale) where all of d is multiplied by scale^2, the global parameter with it; its
   * logarithm. And the change itself, but for d. */
  double (*log_density)(const mn_gibbs *m, const mn_gibbs_state *state, double scale);
  void (*rescale)(const mn_gibbs *m, mn_gibbs_state *state, double scale);
} mn_gibbs_prior;

mn_status mn_gibbs_fit(mn_context *ctx, mn_gibbs *m, const mn_data *data, const mn_gibbs_prior *prior);

/* Posterior median of the global parameter, after fit. */
mn_status mn_gibbs_median(mn_context *ctx, const mn_gibbs *m, double *median);

/* After load. */
mn_status mn_gibbs_check(mn_context *ctx, const void *self);

/* The operations predict_interval, summary, and samples with the global parameter by its name. */
mn_status mn_gibbs_interval(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                            mn_results *results);
mn_status mn_gibbs_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                           mn_results *results);
mn_status mn_gibbs_samples(mn_context *ctx, const mn_gibbs *m, const char *global, mn_results *results);

#define MN_GIBBS_OPERATIONS(samples_function, global_name)                                                             \
  MN_PREDICT_INTERVAL("", mn_gibbs_interval), MN_POSTERIOR_SUMMARY(", ess, r_hat", mn_gibbs_summary),                  \
      { .name = "samples",                                                                                             \
        .brief = "the draws that were kept, chain after chain",                                                        \
        .returns =                                                                                                     \
            "coef (draws x features), intercept (draws), sigma2 (draws), " global_name " (draws), chain (draws)",      \
        .run = (samples_function) },                                                                                   \
  {                                                                                                                    \
    .name = NULL                                                                                                       \
  }

#define MN_GIBBS_PARAMS                                                                                                \
  MN_COUNT(mn_gibbs, chains, 4, MN_CLOSED(1, 1000), "chains, each with a random stream of its own"),                   \
      MN_COUNT(mn_gibbs, burn_in, 250, MN_AT_LEAST(0), "sweeps of a chain at the start that are thrown away"),         \
      MN_COUNT(mn_gibbs, draws, 250, MN_AT_LEAST(1),                                                                   \
               "sweeps of a chain after which it is asked whether the chains agree; if not, twice as many"),           \
      MN_COUNT(mn_gibbs, thin, 1, MN_AT_LEAST(1), "of so many sweeps one is kept"),                                    \
      MN_COUNT(mn_gibbs, max_iter, 4000, MN_AT_LEAST(1), "most sweeps of a chain after burn_in"),                      \
      MN_REAL(mn_gibbs, min_ess, 400, MN_GREATER_THAN(0), "effective draws that every parameter must have"),           \
      MN_REAL(mn_gibbs, level, 0.95, MN_OPEN(0, 1), "probability between coef_lower and coef_upper"),                  \
      MN_FLAG(mn_gibbs, standardize, true, "the prior is that of scaled columns, whatever the units of X"),            \
      MN_FLAG(mn_gibbs, fit_intercept, true, "learn a constant term, of flat prior"), MN_SEED(mn_gibbs, seed)

#define MN_GIBBS_FIELDS                                                                                                \
  MN_LINEAR_FIELDS("targets"), MN_VECTOR(mn_gibbs, coef_median, "features", "posterior medians of the weights"),       \
      MN_VECTOR(mn_gibbs, coef_lower, "features", "lower ends of their central posterior intervals"),                  \
      MN_VECTOR(mn_gibbs, coef_upper, "features", "upper ends"),                                                       \
      MN_NUMBER(mn_gibbs, sigma2, "posterior median of the variance of the noise"),                                    \
      MN_VECTOR(mn_gibbs, r_hat, "features", "rank-normalised split R-hat of each weight; nan: a constant column"),    \
      MN_VECTOR(mn_gibbs, ess, "features", "effective draws for the middle of each weight"),                           \
      MN_VECTOR(mn_gibbs, ess_tail, "features", "effective draws for its quantiles of 5 and 95 %"),                    \
      MN_NUMBER(mn_gibbs, worst_r_hat, "the largest R-hat of the weights, sigma2 and the parameter of the prior"),     \
      MN_NUMBER(mn_gibbs, least_ess, "their fewest effective draws, middle or tails"),                                 \
      MN_INTEGER(mn_gibbs, kept, "draws that were kept of each chain"),                                                \
      MN_NUMBER(mn_gibbs, n, "sum of the weights of rows: their number when there are none"),                          \
      MN_LEARNED(MN_KIND_MATRIX, mn_gibbs, samples, "samples x parameters", NULL)

#endif
