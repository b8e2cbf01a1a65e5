/* Divides each column by its largest absolute value: values are within -1 to 1, zeros stay zero.
 *
 *     z_j = x_j / max_abs_j */
#include "../model/class.h"
#include "ranges.h"
#include "rescale.h"
#include "sparse_values.h"

struct max_abs_scaler {
  mn_estimator base;
  bool clip;                /* parameters */
  mn_vector max_abs, scale; /* learned fields */
};

/* The same for the stored values of sparse rows; others are 0. */
static void extend_sparse_ranges(const mn_csr *x, double *low, double *high)
{
  for (size_t k = 0; k < x->start[x->rows]; k++) {
    const size_t j = (size_t)x->col[k];
    if (x->at[k] < low[j]) low[j] = x->at[k];
    if (x->at[k] > high[j]) high[j] = x->at[k];
  }
}

static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct max_abs_scaler *m = self;
  const size_t p = data->features;
  if (!m->max_abs.at) {
    MN_TRY(mn_vector_init(ctx, &m->max_abs, p));
    MN_TRY(mn_vector_init(ctx, &m->scale, p));
  }
  double *low = MN_NEW(ctx, double, 2, p), *high = low + p; /* 0 is the minimum of an absolute value */
  MN_CHECK_ALLOC(low);
  if (data->sparse)
    extend_sparse_ranges(data->sparse, low, high);
  else
    MN_TRY(mn_extend_ranges(ctx, &data->x, low, high));
  for (size_t j = 0; j < p; j++) {
    m->max_abs.at[j] = fmax(m->max_abs.at[j], fmax(-low[j], high[j]));
    m->scale.at[j] = m->max_abs.at[j] > 0 ? m->max_abs.at[j] : 1;
  }
  return MN_OK;
}

static double clip(double value)
{
  return value < -1 ? -1 : value > 1 ? 1 : value;
}

static mn_status transform_sparse(mn_context *ctx, const void *self, const mn_data *data, mn_csr *out)
{
  const struct max_abs_scaler *m = self;
  MN_TRY(mn_copy_sparse(ctx, data->sparse, out));
  for (size_t k = 0; k < out->start[out->rows]; k++) {
    out->at[k] /= m->scale.at[out->col[k]];
    if (m->clip) out->at[k] = clip(out->at[k]);
  }
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct max_abs_scaler *m = self;
  if (data->sparse) return mn_dense_transform(ctx, self, data, transform_sparse, out);
  MN_TRY(mn_rescale(ctx, &data->x, (struct mn_rescaling){ .by = m->scale.at }, out));
  for (size_t i = 0; m->clip && i < out->rows * out->cols; i++) out->at[i] = clip(out->at[i]);
  return MN_OK;
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct max_abs_scaler *m = self;
  return mn_rescale(ctx, &data->x, (struct mn_rescaling){ .times = m->scale.at }, out);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct max_abs_scaler *m = self;
  (void)ctx;
  if (action == MN_TRANSFORM_X) mn_rescale_program(program, m->scale.size, (struct mn_rescaling){ .by = m->scale.at });
  if (action == MN_TRANSFORM_X && m->clip) mn_clip_program(program, -1, 1);
  if (action == MN_INVERSE_TRANSFORM)
    mn_rescale_program(program, m->scale.size, (struct mn_rescaling){ .times = m->scale.at });
  return MN_OK;
}

static const mn_param params[] = {
  MN_FLAG(struct max_abs_scaler, clip, false, "clip values beyond those of fit to -1 or 1"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct max_abs_scaler, max_abs, "features", "largest absolute value of each column"),
  MN_VECTOR(struct max_abs_scaler, scale, "features", "divisor of each column; 1 for a column of zeros"),
  MN_END,
};

const mn_class mn_max_abs_scaler = {
  .name = "MaxAbsScaler",
  .family = "preprocess",
  .brief = "Divides each column by its largest absolute value.",
  .objective = "z = x / max |x|",
  .source = "Pedregosa et al., JMLR 12 (2011)",
  .notes = "fit ignores missing values; they stay missing. Sparse X stays sparse.",
  .example = "local scaler = ml.MaxAbsScaler{}:fit{ {1, -10}, {-2, 5} }\n"
             "print(scaler:transform{ {1, 5} })",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT | MN_ADDITIVE,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_SPARSE,
  .size = sizeof(struct max_abs_scaler),
  .params = params,
  .fields = fields,
  MN_FIT_IN_BATCHES(partial_fit),
  MN_TRANSFORM_PAIR(transform, inverse_transform),
  .transform_sparse = transform_sparse,
  .keeps_sparse = true,
  .export = export,
};
