/* New rows between rows of a small class and their neighbors in it.
 *
 *     x' = x_i + u (x_k - x_i),      u uniform in [0, 1),      x_k one of the k nearest rows of the class of x_i */
#include "../core/rng.h"
#include "row_subset.h"

struct smote {
  mn_resampler resampler;
  int64_t k_neighbors, seed;
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  const struct smote *m = self;
  MN_TRY(mn_oversampler_fit(ctx, self, data));
  return mn_check_class_neighbors(ctx, &m->resampler, "k_neighbors", m->k_neighbors);
}

static mn_status extend_class(mn_context *ctx, const struct smote *m, const mn_data *data, size_t c, mn_resampled *out)
{
  const mn_resampler *r = &m->resampler;
  const size_t more = (size_t)(r->target_counts.at[c] - r->class_counts.at[c]), k = (size_t)m->k_neighbors;
  mn_rng rng = mn_stream(m->seed, c);
  mn_row_subset rows;
  int32_t *nearest;
  if (more == 0) return MN_OK;
  MN_TRY(mn_subset_of_class(ctx, data, c, &rows));
  MN_TRY(mn_nearest_of(ctx, &rows.x, NULL, k, &nearest, NULL));
  for (size_t s = 0; s < more; s++) {
    if (s % MN_POLL_ROWS == 0) MN_TRY(mn_poll(ctx));
    const size_t i = mn_random_below(&rng, rows.n), other = (size_t)nearest[i * k + mn_random_below(&rng, k)];
    mn_interpolate(mn_row(&rows.x, i), mn_row(&rows.x, other), data->features, mn_random_uniform(&rng),
                   mn_add_row(out, rows.row[i]));
  }
  return MN_OK;
}

static mn_status resample(mn_context *ctx, const void *self, const mn_data *data, mn_resampled *out)
{
  const struct smote *m = self;
  MN_TRY(mn_begin_more_rows(ctx, data, mn_missing_rows(&m->resampler), true, out));
  for (size_t c = 0; c < data->classes; c++) MN_TRY(extend_class(ctx, m, data, c, out));
  return MN_OK;
}

static const mn_param params[] = {
  MN_OVERSAMPLER_PARAMS(struct smote),
  MN_COUNT(struct smote, k_neighbors, 5, MN_CLOSED(1, INT32_MAX),
           "number of nearest neighbors in the class, of which one is chosen at random"),
  MN_SEED(struct smote, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_RESAMPLER_FIELDS(struct smote),
  MN_END,
};

const mn_class mn_smote = {
  .name = "SMOTE",
  .brief = "Oversamples small classes with synthetic rows between neighbors.",
  .objective = "x' = x_i + u (x_k - x_i), x_k a neighbor of x_i in its class",
  .source = "Chawla et al., JAIR 16 (2002)",
  .notes = MN_RESAMPLER_NOTE "Distances depend on the scale of the columns: put StandardScaler before it. A number "
                             "for sampling_strategy in imbalanced-learn is ratio here, and a dict is counts.",
  .example = "local X, y = { {1}, {2}, {3}, {4}, {8}, {9} }, { \"a\", \"a\", \"a\", \"a\", \"b\", \"b\" }\n"
             "print(ml.SMOTE{ k_neighbors = 1 }:fit_resample(X, y))",
  .capabilities = MN_TRANSFORM | MN_RANDOM,
  .accepts = MN_Y_LABELS | MN_SPARSE,
  .size = sizeof(struct smote),
  .params = params,
  .fields = fields,
  .fit = fit,
  .resample = resample,
  MN_RESAMPLER_CLASS,
};
