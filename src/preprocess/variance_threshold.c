/* The columns whose variance is above a threshold. */
#include "moments.h"
#include "selection.h"

struct variance_threshold {
  mn_estimator base;
  double threshold;    /* what the user sets  */
  mn_vector variances; /* what fitting learns */
  mn_indexes support;
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct variance_threshold *m = self;
  const size_t p = data->features;
  struct mn_moments sum;
  char number[MN_NUMBER_SIZE];
  bool *keep = MN_NEW(ctx, bool, p, 1);
  MN_NEED(keep);
  MN_TRY(mn_new_moments(ctx, p, &sum));
  MN_TRY(mn_add_moments(ctx, data, &sum));
  MN_TRY(mn_vector_init(ctx, &m->variances, p));
  for (size_t j = 0; j < p; j++) {
    const double spread = mn_spread(&sum, j);
    m->variances.at[j] = sum.count[j] > 0 ? sum.square[j] / sum.count[j] * sum.unit[j] * sum.unit[j] : (double)NAN;
    keep[j] = spread > sqrt(m->threshold); /* a variance may underflow */
  }
  MN_TRY(mn_selection_init(ctx, keep, p, &m->support));
  if (m->support.size > 0) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "VarianceThreshold: X must have a column of variance > %s, got none",
                 mn_number(number, m->threshold));
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  (void)ctx;
  mn_take_columns(&data->x, &((const struct variance_threshold *)self)->support, out);
  return MN_OK;
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  (void)ctx;
  mn_put_columns(&data->x, &((const struct variance_threshold *)self)->support, out);
  return MN_OK;
}

static size_t outputs(const void *self)
{
  return ((const struct variance_threshold *)self)->support.size;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  mn_selected_name(&((const struct variance_threshold *)self)->support, j, inputs, text, size);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct variance_threshold *m = self;
  if (mn_selection_is_sound(&m->support, m->base.n_features)) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "VarianceThreshold: the columns kept are not columns of X");
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)ctx;
  mn_selection_program(&((const struct variance_threshold *)self)->support, action, program);
  return MN_OK;
}

static const mn_param params[] = {
  MN_REAL(struct variance_threshold, threshold, 0, MN_FROM(0), "columns of at most this variance are left out"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct variance_threshold, variances, "features", "variance of each column"),
  MN_INDEXES(struct variance_threshold, support, "kept < features", "the columns that are kept"),
  MN_END,
};

const mn_class mn_variance_threshold = {
  .name = "VarianceThreshold",
  .family = "preprocess",
  .brief = "Leaves out columns that hardly vary.",
  .objective = "keep j where var(x_j) > threshold",
  .source = "Pedregosa et al., JMLR 12 (2011)",
  .notes = "The variance divides by the sum of the weights; missing values are passed over. inverse_transform puts 0 "
           "for what was left out.",
  .example = "print(ml.VarianceThreshold{}:fit_transform{ {1, 7, 0}, {2, 7, 0}, {4, 7, 1} })",
  .does = MN_TRANSFORM | MN_UNIT_FREE,
  .takes = MN_WEIGHTS | MN_MISSING,
  .size = sizeof(struct variance_threshold),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .inverse_transform = inverse_transform,
  .outputs = outputs,
  .output_name = output_name,
  .check = check,
  .export = export,
};
