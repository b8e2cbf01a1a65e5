/* Bayesian linear regression by Gibbs sampling, for priors that are normal given a variance for each coefficient:
 *
 *     y = x b + c + noise of variance s2,    b_j ~ N(0, s2 d_j),    p(c, s2) = 1 / s2.
 *
 * Models differ in the prior of d only (mn_gibbs_prior). Several chains, each with its own random stream, run in
 * parallel until they agree. Everything but the draws of d is shared: columns and y are centered and scaled, c is
 * integrated out, and summaries, predictions and operations are the same for all models. */
#ifndef MN_BAYESIAN_GIBBS_H
#define MN_BAYESIAN_GIBBS_H
#include "../actions/interval.h"
#include "gibbs_model.h"
#include "posterior_summary.h"

mn_status mn_gibbs_fit(mn_context *ctx, mn_gibbs *m, const mn_data *data, const mn_gibbs_prior *prior);

/* Posterior median of the global parameter, after fit. */
mn_status mn_gibbs_median(mn_context *ctx, const mn_gibbs *m, double *median);

/* Check a loaded model. */
mn_status mn_gibbs_check(mn_context *ctx, const void *self);

/* The operations predict_interval and summary. */
mn_status mn_gibbs_interval(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                            mn_results *results);
mn_status mn_gibbs_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                           mn_results *results);

/* The operation samples; `global` is the name of the global parameter. */
mn_status mn_gibbs_samples(mn_context *ctx, const mn_gibbs *m, const char *global, mn_results *results);

#define MN_GIBBS_OPERATIONS(samples_function, global_name)                                                             \
  MN_PREDICT_INTERVAL("", mn_gibbs_interval), MN_POSTERIOR_SUMMARY(", ess, r_hat", mn_gibbs_summary),                  \
      { .name = "samples",                                                                                             \
        .brief = "the posterior draws, chain after chain",                                                             \
        .returns =                                                                                                     \
            "coef (draws x features), intercept (draws), sigma2 (draws), " global_name " (draws), chain (draws)",      \
        .run = (samples_function) },                                                                                   \
  {                                                                                                                    \
    .name = NULL                                                                                                       \
  }

/* Members of the class tables. */
#define MN_GIBBS_CLASS MN_LINEAR_PREDICTION, .check = mn_gibbs_check

#define MN_GIBBS_PARAMS                                                                                                \
  MN_COUNT(mn_gibbs, chains, 4, MN_CLOSED(1, 1000), "number of chains, each with its own random stream"),              \
      MN_COUNT(mn_gibbs, burn_in, 250, MN_AT_LEAST(0), "sweeps discarded at the start of each chain"),                 \
      MN_COUNT(mn_gibbs, draws, 250, MN_AT_LEAST(1),                                                                   \
               "sweeps of each chain before the first convergence check; doubled until the check passes"),             \
      MN_COUNT(mn_gibbs, thin, 1, MN_AT_LEAST(1), "keep every thin-th sweep"),                                         \
      MN_COUNT(mn_gibbs, max_iter, 4000, MN_AT_LEAST(1), "maximum number of sweeps of each chain after burn_in"),      \
      MN_REAL(mn_gibbs, min_ess, 400, MN_GREATER_THAN(0), "effective sample size that every parameter must reach"),    \
      MN_REAL(mn_gibbs, level, 0.95, MN_OPEN(0, 1), "posterior probability between coef_lower and coef_upper"),        \
      MN_FLAG(mn_gibbs, standardize, true,                                                                             \
              "scale the columns first, so that the prior does not depend on the units of X"),                         \
      MN_FLAG(mn_gibbs, fit_intercept, true, "learn an intercept, with a flat prior"), MN_SEED(mn_gibbs, seed)

#define MN_GIBBS_FIELDS                                                                                                \
  MN_LINEAR_FIELDS("targets"), MN_VECTOR(mn_gibbs, coef_median, "features", "posterior medians of the coefficients"),  \
      MN_VECTOR(mn_gibbs, coef_lower, "features", "lower ends of the central posterior intervals"),                    \
      MN_VECTOR(mn_gibbs, coef_upper, "features", "upper ends of the central posterior intervals"),                    \
      MN_NUMBER(mn_gibbs, sigma2, "posterior median of the noise variance"),                                           \
      MN_VECTOR(mn_gibbs, r_hat, "features",                                                                           \
                "rank-normalized split R-hat of each coefficient; nan for a constant column"),                         \
      MN_VECTOR(mn_gibbs, ess, "features", "bulk effective sample size of each coefficient"),                          \
      MN_VECTOR(mn_gibbs, ess_tail, "features",                                                                        \
                "tail effective sample size of each coefficient (5% and 95% quantiles)"),                              \
      MN_NUMBER(mn_gibbs, worst_r_hat,                                                                                 \
                "largest R-hat of the coefficients, sigma2 and the global parameter of the prior"),                    \
      MN_NUMBER(mn_gibbs, least_ess, "smallest effective sample size of these parameters, bulk or tail"),              \
      MN_INTEGER(mn_gibbs, kept, "number of draws kept from each chain"),                                              \
      MN_NUMBER(mn_gibbs, n, "sum of the sample weights; the number of rows if there are none"),                       \
      MN_LEARNED(MN_KIND_MATRIX, mn_gibbs, samples, "samples x parameters", NULL)

#endif
