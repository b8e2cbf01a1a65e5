/* The maximum likelihood estimate of a covariance: S = sum_i w_i (x_i - mean)(x_i - mean)' / sum_i w_i. */
#include "estimate.h"
#include "../model/magnitudes.h"

struct empirical_covariance {
  mn_covariance_estimate estimate;
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_covariance_estimate *m = self;
  const size_t p = data->features;
  double *location = MN_RAW(ctx, double, p, 1), *covariance = MN_RAW(ctx, double, p, p);
  if (!location || !covariance) return MN_NO_MEMORY;
  MN_TRY(mn_check_magnitudes(ctx, self, data));
  MN_TRY(mn_sample_covariance(ctx, data, m->assume_centered, location, covariance, NULL));
  return mn_store_covariance(ctx, m, location, covariance);
}

static const mn_param params[] = { MN_ASSUME_CENTERED(struct empirical_covariance), MN_END };

static const mn_field fields[] = { MN_COVARIANCE_FIELDS(struct empirical_covariance), MN_END };

const mn_class mn_empirical_covariance = {
  .name = "EmpiricalCovariance",
  .family = "covariance",
  .brief = "Maximum likelihood estimate of a covariance matrix, its inverse, distances.",
  .objective = "S = sum_i w_i (x_i - mean)(x_i - mean)' / sum_i w_i",
  .source = "Anderson, An Introduction to Multivariate Statistical Analysis (2003), section 3.2",
  .notes =
      "The divisor is the number of rows, as in scikit-learn, not one less. score_samples is the log density of the normal "
      "distribution; if the covariance is singular, within the subspace that it spans, and then distances ignore what is "
      "outside. mahalanobis gives squared distances. With few rows for each column use LedoitWolf or OAS, with outliers "
      "MinCovDet.",
  .example = "local model = ml.EmpiricalCovariance{}:fit{ {1, 2}, {2, 1}, {3, 4}, {4, 4} }\n"
             "print(model.covariance, model:mahalanobis{ {2, 2} })",
  .capabilities = MN_DENSITY,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct empirical_covariance),
  .params = params,
  .fields = fields,
  .fit = fit,
  MN_COVARIANCE_ACTIONS,
};
