/* Each column to mean 0 and standard deviation 1.
 *
 *     z_j = (x_j - mean_j) / scale_j
 *
 * Moments are those of the rows with weights; the variance divides by the sum of the weights, as scikit-learn does (R's
 * scale() divides by n - 1). A constant column has scale 1: it becomes 0. Missing values are passed over, and stay.
 *
 * Batches are joined by the formulas of Chan, Golub & LeVeque (The American Statistician 37, 1983), eq. 1.5: the
 * squared deviations are taken about a mean, never as a difference of large sums. */
#include "../core/threads.h"
#include "../model/class.h"
#include <string.h>

struct standard_scaler {
  mn_estimator base;
  bool with_mean, with_std;   /* what the user sets  */
  mn_vector mean, var, scale; /* what fitting learns */
  mn_vector count;            /* sum of the weights of the values that are there */
};

enum { BLOCK_ROWS = 4096, MOST_BLOCKS = 64 };

/* Moments of some rows: for each column the weight, the mean, and the squared deviations from it. */
struct moments {
  double *count, *mean, *square;
};

struct work {
  const mn_data *data;
  mn_blocks blocks;
  struct moments *part; /* one for each block */
};

static void moments_of_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct work *w = work;
  const size_t p = w->data->features;
  const struct moments *m = &w->part[block];
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *row = mn_row(&w->data->x, i), weight = mn_weight(w->data, i);
    for (size_t j = 0; j < p; j++) {
      if (isnan(row[j])) continue;
      const double delta = row[j] - m->mean[j]; /* Welford, with weights: West 1979 */
      m->count[j] += weight;
      m->mean[j] += delta * weight / m->count[j];
      m->square[j] += weight * delta * (row[j] - m->mean[j]);
    }
  }
}

static void join(size_t p, const struct moments *other, struct moments *sum)
{
  for (size_t j = 0; j < p; j++) {
    const double total = sum->count[j] + other->count[j];
    if (!(total > 0)) continue;
    const double delta = other->mean[j] - sum->mean[j], share = other->count[j] / total;
    sum->square[j] += other->square[j] + delta * delta * sum->count[j] * share;
    sum->mean[j] += delta * share;
    sum->count[j] = total;
  }
}

static mn_status new_moments(mn_context *ctx, size_t p, struct moments *m)
{
  double *at = MN_NEW(ctx, double, 3, p);
  MN_NEED(at);
  *m = (struct moments){ .count = at, .mean = at + p, .square = at + 2 * p };
  return MN_OK;
}

/* Adds the moments of the rows of `data` to `sum`, block by block in their order. */
static mn_status add_rows(mn_context *ctx, const mn_data *data, struct moments *sum)
{
  struct work w = { .data = data, .blocks = mn_cut(data->rows, BLOCK_ROWS, MOST_BLOCKS) };
  w.part = MN_RAW(ctx, struct moments, w.blocks.count, 1);
  MN_NEED(w.part);
  for (size_t b = 0; b < w.blocks.count; b++) MN_TRY(new_moments(ctx, data->features, &w.part[b]));
  MN_TRY(mn_parallel(ctx, w.blocks.count, moments_of_block, &w));
  for (size_t b = 0; b < w.blocks.count; b++) join(data->features, &w.part[b], sum);
  return MN_OK;
}

/* A spread that rounding alone may have made is none: the bound is that of the two-pass mean of n equal values. */
static bool is_constant(double count, double mean, double var)
{
  const double bound = count * DBL_EPSILON * var + (count * mean * DBL_EPSILON) * (count * mean * DBL_EPSILON);
  return var <= bound;
}

static void settle(struct standard_scaler *m, const struct moments *sum)
{
  for (size_t j = 0; j < m->base.n_features; j++) {
    const double var = sum->count[j] > 0 ? sum->square[j] / sum->count[j] : 0;
    m->count.at[j] = sum->count[j];
    m->mean.at[j] = sum->mean[j];
    m->var.at[j] = var;
    m->scale.at[j] = m->with_std && !is_constant(sum->count[j], sum->mean[j], var) ? sqrt(var) : 1;
  }
}

static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct standard_scaler *m = self;
  const size_t p = data->features;
  struct moments sum;
  MN_TRY(new_moments(ctx, p, &sum));
  if (m->mean.at) {
    memcpy(sum.count, m->count.at, p * sizeof *sum.count);
    memcpy(sum.mean, m->mean.at, p * sizeof *sum.mean);
    for (size_t j = 0; j < p; j++) sum.square[j] = m->var.at[j] * m->count.at[j];
  } else {
    MN_TRY(mn_vector_init(ctx, &m->mean, p));
    MN_TRY(mn_vector_init(ctx, &m->var, p));
    MN_TRY(mn_vector_init(ctx, &m->scale, p));
    MN_TRY(mn_vector_init(ctx, &m->count, p));
  }
  MN_TRY(add_rows(ctx, data, &sum));
  settle(m, &sum);
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  (void)ctx;
  const struct standard_scaler *m = self;
  for (size_t i = 0; i < data->rows; i++) {
    const double *row = mn_row(&data->x, i);
    double *to = mn_row(out, i);
    for (size_t j = 0; j < data->features; j++) to[j] = (row[j] - (m->with_mean ? m->mean.at[j] : 0)) / m->scale.at[j];
  }
  return MN_OK;
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  (void)ctx;
  const struct standard_scaler *m = self;
  for (size_t i = 0; i < data->rows; i++) {
    const double *row = mn_row(&data->x, i);
    double *to = mn_row(out, i);
    for (size_t j = 0; j < data->features; j++) to[j] = row[j] * m->scale.at[j] + (m->with_mean ? m->mean.at[j] : 0);
  }
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
  MN_VECTOR(struct standard_scaler, scale, "features", "what each column is divided by; 1 for a constant one"),
  MN_VECTOR(struct standard_scaler, count, "features", "weight of the values that were there"),
  MN_END,
};

const mn_class mn_standard_scaler = {
  .name = "StandardScaler",
  .family = "preprocess",
  .brief = "Each column to mean 0 and standard deviation 1.",
  .objective = "z = (x - mean) / scale",
  .source = "Chan, Golub & LeVeque, The American Statistician 37 (1983)",
  .notes = "The variance divides by the sum of the weights, as in scikit-learn; R's scale() divides by n - 1. Missing "
           "values are passed over by fit and stay missing. A constant column becomes 0.",
  .example = "local scaler = ml.StandardScaler{}:fit{ {1, 10}, {2, 20}, {3, 60} }\n"
             "print(scaler:transform{ {2, 30} })",
  .does = MN_TRANSFORM,
  .takes = MN_WEIGHTS | MN_MISSING,
  .size = sizeof(struct standard_scaler),
  .params = params,
  .fields = fields,
  .fit = partial_fit, /* on a fresh struct */
  .partial_fit = partial_fit,
  .transform = transform,
  .inverse_transform = inverse_transform,
};
