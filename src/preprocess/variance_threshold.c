/* Selects the columns whose variance is above a threshold. */
#include "moments.h"
#include "selection.h"

struct variance_threshold {
  mn_selector selector;
  double threshold;    /* parameters */
  mn_vector variances; /* learned fields */
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct variance_threshold *m = self;
  const size_t p = data->features;
  struct mn_moments sum;
  char number[MN_NUMBER_SIZE];
  bool *keep = MN_NEW(ctx, bool, p, 1);
  MN_CHECK_ALLOC(keep);
  MN_TRY(mn_moments_init(ctx, p, &sum));
  MN_TRY(mn_moments_add(ctx, data, &sum));
  MN_TRY(mn_vector_init(ctx, &m->variances, p));
  for (size_t j = 0; j < p; j++) {
    const double std = mn_moments_std(&sum, j);
    m->variances.at[j] = sum.count[j] > 0 ? sum.square[j] / sum.count[j] * sum.unit[j] * sum.unit[j] : (double)NAN;
    keep[j] = std > sqrt(m->threshold); /* a variance may underflow */
  }
  MN_TRY(mn_selection_init(ctx, keep, p, &m->selector.support));
  if (m->selector.support.size > 0) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "VarianceThreshold: X must have a column with variance > %s, got none",
                 mn_format_number(number, m->threshold));
}

static const mn_param params[] = {
  MN_REAL(struct variance_threshold, threshold, 0, MN_AT_LEAST(0), "remove columns whose variance is at most this"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct variance_threshold, variances, "features", "variance of each column"),
  MN_SUPPORT,
  MN_END,
};

const mn_class mn_variance_threshold = {
  .name = "VarianceThreshold",
  .family = "preprocess",
  .brief = "Removes columns with low variance.",
  .objective = "keep j where var(x_j) > threshold",
  .source = "Pedregosa et al., JMLR 12 (2011)",
  .notes = "The variance divides by the sum of the weights and ignores missing values. "
           "inverse_transform returns 0 for removed columns.",
  .example = "print(ml.VarianceThreshold{}:fit_transform{ {1, 7, 0}, {2, 7, 0}, {4, 7, 1} })",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_MISSING,
  .size = sizeof(struct variance_threshold),
  .params = params,
  .fields = fields,
  .fit = fit,
  MN_SELECTOR_CLASS,
};
