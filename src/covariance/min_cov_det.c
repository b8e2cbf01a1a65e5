/* Robust location and covariance: the h rows whose covariance has the smallest determinant (fast_mcd.h), then all rows
 * within the 97.5 % ellipse of these. Both covariances are multiplied by the factor that makes the estimate of normal
 * rows consistent,
 *
 *     alpha / P(chi^2_{p+2} <= q_alpha),   q_alpha the alpha quantile of chi^2_p,   alpha the share of the rows. */
#include "../linalg/product.h"
#include "../stats/special.h"
#include "estimate.h"
#include "fast_mcd.h"
#include "../model/magnitudes.h"
#include <string.h>

struct min_cov_det {
  mn_covariance_estimate estimate;
  double support_fraction; /* parameters */
  int64_t n_starts, seed;
  mn_vector raw_location, raw_support, support, dist; /* learned fields */
  mn_matrix raw_covariance;
};

static double consistency_factor(size_t p, double alpha)
{
  if (!(alpha < 1)) return 1;
  return alpha / mn_chi2_cdf(mn_chi2_quantile(alpha, (double)p), (double)p + 2);
}

static mn_status subset_size(mn_context *ctx, const struct min_cov_det *m, size_t n, size_t p, size_t *h)
{
  const double wanted = floor(m->support_fraction * (double)n), half = ceil(((double)n + (double)p + 1) / 2);
  *h = isnan(m->support_fraction) ? (half < (double)n ? (size_t)half : n) : (size_t)wanted;
  if (n < p + 2)
    return mn_fail(ctx, MN_BAD_DATA, "MinCovDet: X must have at least columns + 2 = %zu rows, got %zu", p + 2, n);
  if (*h < p + 1)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "MinCovDet: support_fraction must be at least (columns + 1) / rows = %.4g for a covariance that is "
                   "not singular, got %.4g",
                   ((double)p + 1) / (double)n, m->support_fraction);
  return MN_OK;
}

/* Mean and covariance of the rows with weight 1. */
static mn_status describe(mn_context *ctx, const struct min_cov_det *m, const mn_data *data, const double *weights,
                          double *location, double *covariance)
{
  mn_data part = *data;
  part.weights = weights;
  return mn_sample_covariance(ctx, &part, m->estimate.assume_centered, location, covariance, NULL);
}

/* The support, location and covariance before reweighting; the distances that they give, corrected. */
static mn_status fit_raw(mn_context *ctx, struct min_cov_det *m, const mn_data *data, size_t h)
{
  const size_t n = data->rows, p = data->features;
  const mn_status found = mn_fast_mcd(ctx, data, h, (size_t)m->n_starts, m->seed, m->raw_support.at);
  if (found == MN_SINGULAR)
    return mn_fail(ctx, MN_SINGULAR,
                   "MinCovDet: %zu of the %zu rows lie on a hyperplane; increase support_fraction, or remove constant "
                   "and collinear columns",
                   h, n);
  MN_TRY(found);
  MN_TRY(describe(ctx, m, data, m->raw_support.at, m->raw_location.at, m->raw_covariance.at));
  mn_covariance_estimate raw = { .base.n_features = p };
  mn_memory *memory = mn_context_memory(ctx);
  mn_status status = mn_store_covariance(ctx, &raw, m->raw_location.at, m->raw_covariance.at);
  if (status == MN_OK) status = mn_mahalanobis(ctx, n, p, data->x.at, m->raw_location.at, raw.precision.at, m->dist.at);
  mn_matrix_free(memory, &raw.covariance);
  mn_matrix_free(memory, &raw.precision);
  mn_vector_free(memory, &raw.location);
  const double factor = consistency_factor(p, (double)h / (double)n);
  for (size_t i = 0; i < n; i++) m->dist.at[i] /= factor;
  return status;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct min_cov_det *m = self;
  const size_t n = data->rows, p = data->features;
  const double kept = 0.975, limit = mn_chi2_isf(1 - kept, (double)p), factor = consistency_factor(p, kept);
  double *location = MN_RAW(ctx, double, p, 1), *covariance = MN_RAW(ctx, double, p, p);
  size_t h;
  if (!location || !covariance) return MN_NO_MEMORY;
  MN_TRY(mn_check_magnitudes(ctx, self, data));
  MN_TRY(subset_size(ctx, m, n, p, &h));
  MN_TRY(mn_vector_init(ctx, &m->raw_location, p));
  MN_TRY(mn_matrix_init(ctx, &m->raw_covariance, p, p));
  MN_TRY(mn_vector_init(ctx, &m->raw_support, n));
  MN_TRY(mn_vector_init(ctx, &m->support, n));
  MN_TRY(mn_vector_init(ctx, &m->dist, n));
  MN_TRY(fit_raw(ctx, m, data, h));
  for (size_t i = 0; i < n; i++) m->support.at[i] = m->dist.at[i] < limit;
  MN_TRY(describe(ctx, m, data, m->support.at, location, covariance));
  for (size_t i = 0; i < p * p; i++) covariance[i] *= factor;
  MN_TRY(mn_store_covariance(ctx, &m->estimate, location, covariance));
  return mn_mahalanobis(ctx, n, p, data->x.at, location, m->estimate.precision.at, m->dist.at);
}

static const mn_param params[] = {
  MN_REAL(struct min_cov_det, support_fraction, MN_UNSET_REAL, MN_LEFT_OPEN(0, 1),
          "fraction of the rows in the first subset; nil: (rows + columns + 1) / 2 rows, most robust"),
  MN_COUNT(struct min_cov_det, n_starts, 500, MN_CLOSED(1, 10000), "number of random subsets to start from"),
  MN_ASSUME_CENTERED(struct min_cov_det),
  MN_SEED(struct min_cov_det, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_COVARIANCE_FIELDS(struct min_cov_det),
  MN_VECTOR(struct min_cov_det, support, "rows",
            "1 for the training rows that location and covariance come from, else 0"),
  MN_VECTOR(struct min_cov_det, dist, "rows", "squared Mahalanobis distance of each training row"),
  MN_VECTOR(struct min_cov_det, raw_location, "features", "mean of the first subset"),
  MN_MATRIX(struct min_cov_det, raw_covariance, "features x features", "covariance of the first subset, not corrected"),
  MN_VECTOR(struct min_cov_det, raw_support, "rows", "1 for the training rows of the first subset, else 0"),
  MN_END,
};

const mn_class mn_min_cov_det = {
  .name = "MinCovDet",
  .family = "covariance",
  .brief = "Robust location and covariance: minimum covariance determinant.",
  .objective = "the covariance of the h rows with the smallest determinant; then of all rows within its 97.5 % ellipse",
  .source = "Rousseeuw, Mathematical Statistics and Applications B (1985); Rousseeuw & Van Driessen, Technometrics 41 "
            "(1999); Croux & Haesbroeck, J. Multivariate Analysis 71 (1999)",
  .notes =
      "Withstands outliers up to (n - h) / n of the rows. Covariances have the consistency factor of normal rows, as "
      "in scikit-learn, without the small-sample factor of R's covMcd. One column is solved exactly. Rows on a "
      "hyperplane, more than h of them, are an error. mahalanobis finds outliers: rows beyond the 0.975 quantile of "
      "chi-squared.",
  .example = "local X = ml.normal(100, 2, 1)\n"
             "X:set(1, 1, 50)\n"
             "local model = ml.MinCovDet{}:fit(X)\n"
             "print(model.covariance, model.dist[1])",
  .capabilities = MN_DENSITY | MN_RANDOM,
  .size = sizeof(struct min_cov_det),
  .params = params,
  .fields = fields,
  .fit = fit,
  MN_COVARIANCE_ACTIONS,
};
