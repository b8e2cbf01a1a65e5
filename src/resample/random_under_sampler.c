/* Keeps a random subset of the rows of large classes. */
#include "../core/rng.h"
#include "resampler.h"
#include <string.h>

struct random_under_sampler {
  mn_resampler resampler;
  bool replacement;
  int64_t seed;
};

/* copies[i]: how often row i is drawn. */
static mn_status draw_class(mn_context *ctx, const struct random_under_sampler *m, const mn_data *data, size_t c,
                            size_t *copies)
{
  const mn_resampler *r = &m->resampler;
  const size_t wanted = (size_t)r->target_counts.at[c];
  mn_rng rng = mn_stream(m->seed, c);
  size_t *row, n;
  MN_TRY(mn_rows_of_class(ctx, data, c, &row, &n));
  const bool all = wanted == n;
  if (!m->replacement && !all) mn_shuffle(&rng, row, n);
  for (size_t k = 0; k < wanted; k++) copies[row[m->replacement && !all ? mn_random_below(&rng, n) : k]]++;
  return mn_poll(ctx);
}

static mn_status resample(mn_context *ctx, const void *self, const mn_data *data, mn_resampled *out)
{
  const struct random_under_sampler *m = self;
  size_t *copies = MN_NEW(ctx, size_t, data->rows, 1);
  MN_CHECK_ALLOC(copies);
  for (size_t c = 0; c < data->classes; c++) MN_TRY(draw_class(ctx, m, data, c, copies));
  *out = (mn_resampled){ .source = MN_RAW(ctx, size_t, data->rows, 1) };
  MN_CHECK_ALLOC(out->source);
  for (size_t i = 0; i < data->rows; i++)
    for (size_t k = 0; k < copies[i]; k++) out->source[out->rows++] = i;
  return MN_OK;
}

static const mn_param params[] = {
  MN_UNDERSAMPLER_PARAMS(struct random_under_sampler),
  MN_FLAG(struct random_under_sampler, replacement, false, "draw with replacement"),
  MN_SEED(struct random_under_sampler, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_RESAMPLER_FIELDS(struct random_under_sampler),
  MN_END,
};

const mn_class mn_random_under_sampler = {
  .name = "RandomUnderSampler",
  .brief = "Reduces large classes to random subsets of their rows.",
  .objective = "n'_c rows of class c, drawn from its n_c rows",
  .source = "Drummond & Holte, ICML Workshop on Learning from Imbalanced Data Sets (2003)",
  .notes = MN_RESAMPLER_NOTE "Rows keep their order. A number for sampling_strategy in imbalanced-learn is ratio "
                             "here, and a dict is counts.",
  .example = "local X, y = { {1}, {2}, {3}, {9} }, { \"a\", \"a\", \"a\", \"b\" }\n"
             "print(ml.RandomUnderSampler{}:fit_resample(X, y))",
  .capabilities = MN_TRANSFORM | MN_RANDOM,
  .accepts = MN_Y_LABELS | MN_SPARSE | MN_FACTORS | MN_MISSING,
  .size = sizeof(struct random_under_sampler),
  .params = params,
  .fields = fields,
  .fit = mn_undersampler_fit,
  .resample = resample,
  .resamples_sparse = true,
  MN_RESAMPLER_CLASS,
};
