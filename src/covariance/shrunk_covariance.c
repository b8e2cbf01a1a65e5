/* Covariances shrunk towards a multiple of the identity, by a given or an estimated amount: shrinkage.h. */
#include "estimate.h"
#include "shrinkage.h"
#include "../model/magnitudes.h"

struct shrunk_covariance {
  mn_covariance_estimate estimate;
  double shrinkage; /* parameter of ShrunkCovariance, learned by the others */
};

extern const mn_class mn_ledoit_wolf, mn_oas;

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct shrunk_covariance *m = self;
  const mn_class *class = m->estimate.base.class;
  const size_t p = data->features;
  double *location = MN_RAW(ctx, double, p, 1), *covariance = MN_RAW(ctx, double, p, p), total;
  if (!location || !covariance) return MN_NO_MEMORY;
  MN_TRY(mn_check_magnitudes(ctx, self, data));
  MN_TRY(mn_sample_covariance(ctx, data, m->estimate.assume_centered, location, covariance, &total));
  if (class == &mn_ledoit_wolf)
    m->shrinkage = mn_ledoit_wolf_shrinkage(data->rows, p, data->x.at, location, data->weights, total, covariance);
  else if (class == &mn_oas)
    m->shrinkage = mn_oas_shrinkage(p, total, covariance);
  mn_shrink_covariance(p, m->shrinkage, covariance);
  return mn_store_covariance(ctx, &m->estimate, location, covariance);
}

static const mn_param given_params[] = {
  MN_PENALTY(struct shrunk_covariance, shrinkage, 0.1, MN_CLOSED(0, 1),
             "weight of the mean variance times the identity, from 0 to 1"),
  MN_ASSUME_CENTERED(struct shrunk_covariance),
  MN_END,
};

static const mn_param params[] = { MN_ASSUME_CENTERED(struct shrunk_covariance), MN_END };

static const mn_field given_fields[] = { MN_COVARIANCE_FIELDS(struct shrunk_covariance), MN_END };

static const mn_field fields[] = {
  MN_COVARIANCE_FIELDS(struct shrunk_covariance),
  MN_NUMBER(struct shrunk_covariance, shrinkage, "estimated weight of the mean variance times the identity"),
  MN_END,
};

#define OBJECTIVE "(1 - shrinkage) S + shrinkage trace(S) / p I, S the empirical covariance"
#define SHARED                                                                                                         \
  .family = "covariance", .objective = OBJECTIVE, .capabilities = MN_DENSITY, .accepts = MN_WEIGHTS,                   \
  .size = sizeof(struct shrunk_covariance), .fit = fit, MN_COVARIANCE_ACTIONS

const mn_class mn_shrunk_covariance = {
  .name = "ShrunkCovariance",
  .brief = "Covariance matrix shrunk towards a multiple of the identity.",
  .source = "Friedman, JASA 84 (1989)",
  .notes = "Scale columns of different units first, since all are shrunk towards the same variance. LedoitWolf and OAS "
           "estimate the shrinkage; cross-validated likelihood, ml.GridSearch with score_samples, can choose it, too.",
  .example = "local model = ml.ShrunkCovariance{ shrinkage = 0.2 }:fit(ml.normal(10, 4, 1))\n"
             "print(model.covariance)",
  .params = given_params,
  .fields = given_fields,
  SHARED,
};

const mn_class mn_ledoit_wolf = {
  .name = "LedoitWolf",
  .brief = "Covariance matrix with the shrinkage of Ledoit and Wolf, for few rows.",
  .source = "Ledoit & Wolf, J. Multivariate Analysis 88 (2004)",
  .notes =
      "Minimizes the expected squared error asymptotically, without assumptions on the distribution. Scale columns "
      "of different units first, since all are shrunk towards the same variance.",
  .example = "local model = ml.LedoitWolf{}:fit(ml.normal(10, 4, 1))\n"
             "print(model.shrinkage, model.precision)",
  .params = params,
  .fields = fields,
  SHARED,
};

const mn_class mn_oas = {
  .name = "OAS",
  .brief = "Covariance matrix with the oracle approximating shrinkage, for few rows.",
  .source = "Chen, Wiesel, Eldar & Hero, IEEE Trans. Signal Processing 58 (2010)",
  .notes =
      "Has a smaller error than LedoitWolf if the rows are normal. The formula is that of scikit-learn, which "
      "omits a term of order 1 / p in the numerator of the paper. Scale columns of different units first, since all "
      "are shrunk towards the same variance.",
  .example = "local model = ml.OAS{}:fit(ml.normal(10, 4, 1))\n"
             "print(model.shrinkage, model.precision)",
  .params = params,
  .fields = fields,
  SHARED,
};
