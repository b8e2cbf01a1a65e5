/* Scales each column to mean 0 and standard deviation 1.
 *
 *     z_j = (x_j - mean_j) / scale_j
 *
 * Moments are weighted; the variance divides by the sum of the weights, as in scikit-learn (R's scale() divides by n -
 * 1). A constant column has scale 1 and becomes 0. Missing values are ignored and stay missing. */
#include "../model/class.h"
#include "moments.h"
#include "rescale.h"
#include "sparse_values.h"
#include <string.h>

struct standard_scaler {
  mn_estimator base;
  bool with_mean, with_std;   /* parameters */
  mn_vector mean, var, scale; /* learned fields */
  mn_vector count;            /* sum of the sample weights of the values */
  mn_vector square, unit;     /* squared deviations and their unit: see moments.h */
};

static mn_status init(mn_context *ctx, struct standard_scaler *m, size_t p)
{
  MN_TRY(mn_vector_init(ctx, &m->mean, p));
  MN_TRY(mn_vector_init(ctx, &m->var, p));
  MN_TRY(mn_vector_init(ctx, &m->scale, p));
  MN_TRY(mn_vector_init(ctx, &m->count, p));
  MN_TRY(mn_vector_init(ctx, &m->square, p));
  MN_TRY(mn_vector_init(ctx, &m->unit, p));
  for (size_t j = 0; j < p; j++) m->unit.at[j] = 1;
  return MN_OK;
}

static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct standard_scaler *m = self;
  MN_TRY(mn_check_sparse_centering(ctx, "StandardScaler", "with_mean", m->with_mean, data));
  if (!m->mean.at) MN_TRY(init(ctx, m, data->features));
  struct mn_moments sum = {
    .count = m->count.at, .mean = m->mean.at, .square = m->square.at, .unit = m->unit.at
  }; /* self is a copy: adding in place is safe */
  MN_CHECK_ALLOC(sum.low = MN_NEW(ctx, double, data->features, 1));
  MN_TRY(data->sparse ? mn_moments_add_sparse(ctx, data, &sum) : mn_moments_add(ctx, data, &sum));
  for (size_t j = 0; j < data->features; j++) {
    const double unit = sum.unit[j];
    m->var.at[j] = sum.count[j] > 0 ? sum.square[j] / sum.count[j] * unit * unit : 0;
    m->scale.at[j] = m->with_std ? mn_moments_scale(&sum, j) : 1;
  }
  return MN_OK;
}

static mn_status transform_sparse(mn_context *ctx, const void *self, const mn_data *data, mn_csr *out)
{
  const struct standard_scaler *m = self;
  MN_TRY(mn_check_sparse_centering(ctx, "StandardScaler", "with_mean", m->with_mean, data));
  return mn_divide_sparse(ctx, data->sparse, m->scale.at, out);
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct standard_scaler *m = self;
  if (data->sparse) return mn_dense_transform(ctx, self, data, transform_sparse, out);
  const struct mn_rescaling map = { .from = m->with_mean ? m->mean.at : NULL, .by = m->scale.at };
  return mn_rescale(ctx, &data->x, map, out);
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct standard_scaler *m = self;
  const struct mn_rescaling map = { .times = m->scale.at, .to = m->with_mean ? m->mean.at : NULL };
  return mn_rescale(ctx, &data->x, map, out);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct standard_scaler *m = self;
  const double *mean = m->with_mean ? m->mean.at : NULL;
  (void)ctx;
  if (action == MN_TRANSFORM_X)
    mn_rescale_program(program, m->scale.size, (struct mn_rescaling){ .from = mean, .by = m->scale.at });
  if (action == MN_INVERSE_TRANSFORM)
    mn_rescale_program(program, m->scale.size, (struct mn_rescaling){ .times = m->scale.at, .to = mean });
  return MN_OK;
}

static const mn_param params[] = {
  MN_FLAG(struct standard_scaler, with_mean, true, "subtract the mean"),
  MN_FLAG(struct standard_scaler, with_std, true, "divide by the standard deviation"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct standard_scaler, mean, "features", "mean of each column"),
  MN_VECTOR(struct standard_scaler, var, "features", "variance of each column (divided by the sum of weights)"),
  MN_VECTOR(struct standard_scaler, scale, "features", "divisor of each column; 1 for a constant column"),
  MN_VECTOR(struct standard_scaler, count, "features", "sum of the sample weights of the values of each column"),
  MN_VECTOR(struct standard_scaler, square, "features", NULL),
  MN_VECTOR(struct standard_scaler, unit, "features", NULL),
  MN_END,
};

const mn_class mn_standard_scaler = {
  .name = "StandardScaler",
  .family = "preprocess",
  .brief = "Scales each column to mean 0 and standard deviation 1.",
  .objective = "z = (x - mean) / scale",
  .source = "Chan, Golub & LeVeque, The American Statistician 37 (1983)",
  .notes = "The variance divides by the sum of the weights, as in scikit-learn; R's scale() divides by n - 1. "
           "fit ignores missing values; they stay missing. "
           "A constant column becomes 0. "
           "Sparse X requires with_mean = false and stays sparse. "
           "Columns of any magnitude are scaled without overflow, even if their variance overflows.",
  .example = "local scaler = ml.StandardScaler{}:fit{ {1, 10}, {2, 20}, {3, 60} }\n"
             "print(scaler:transform{ {2, 30} })",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT | MN_ADDITIVE,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_SPARSE,
  .size = sizeof(struct standard_scaler),
  .params = params,
  .fields = fields,
  MN_FIT_IN_BATCHES(partial_fit),
  MN_TRANSFORM_PAIR(transform, inverse_transform),
  .transform_sparse = transform_sparse,
  .keeps_sparse = true,
  .export = export,
};
