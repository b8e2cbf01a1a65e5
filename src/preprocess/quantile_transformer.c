/* Transforms each column to a uniform or normal distribution by its ranks.
 *
 * A value is mapped to the fraction of training values below it, interpolated in a table of quantiles; for the normal
 * distribution the fraction is mapped by the normal quantile function. For tied quantiles the middle of their fractions
 * is used. */
#include "../core/threads.h"
#include "../stats/quantile.h"
#include "../stats/special.h"
#include "../model/class.h"
#include "../model/program.h"
#include "column_values.h"

enum distribution { UNIFORM, NORMAL };
enum { BLOCK_VALUES = 1 << 14 };

struct quantile_transformer {
  mn_estimator base;
  int64_t n_quantiles, output_distribution; /* parameters */
  mn_matrix quantiles;                      /* learned fields: features x levels */
};

struct work {
  struct quantile_transformer *model;
  const double *level;
};

static void fit_column(void *work, size_t j, struct mn_column_values *values)
{
  const struct work *w = work;
  mn_matrix *q = &w->model->quantiles;
  mn_column_quantiles(values, q->cols, w->level, mn_row(q, j));
  for (size_t e = 1; e < q->cols; e++) /* interpolation between equal values may round down */
    if (mn_row(q, j)[e] < mn_row(q, j)[e - 1]) mn_row(q, j)[e] = mn_row(q, j)[e - 1];
}

static mn_status make_levels(mn_context *ctx, size_t n, double **level)
{
  *level = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(*level);
  for (size_t e = 0; e < n; e++) (*level)[e] = n > 1 ? (double)e / (double)(n - 1) : 0.5;
  return MN_OK;
}

/* Number of values that the rows represent. */
static double count_values(const mn_data *data)
{
  double values = 0;
  if (!data->weights) return (double)data->rows;
  const double unit = mn_weight_unit(data->rows, data->weights);
  for (size_t i = 0; i < data->rows; i++) values += data->weights[i] / unit;
  return values * (1 + 1e-9); /* quotients are rounded */
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct quantile_transformer *m = self;
  double *level;
  const double target_count = fmin((double)m->n_quantiles, count_values(data));
  const size_t n = target_count >= 2 ? (size_t)target_count : 2;
  MN_TRY(make_levels(ctx, n, &level));
  MN_TRY(mn_matrix_init(ctx, &m->quantiles, data->features, n));
  return mn_for_each_column(ctx, data, fit_column, NULL, &(struct work){ .model = m, .level = level });
}

/* Number of values in from[0..n-1], ascending, below x (or equal to it, if `equal`). */
static size_t count_below(const double *from, size_t n, double x, bool equal)
{
  const double *base = from;
  size_t left = n;
  while (left > 0) {
    const size_t half = left / 2;
    const bool before = equal ? base[half] <= x : base[half] < x;
    base = before ? base + half + 1 : base;
    left = before ? left - half - 1 : half;
  }
  return (size_t)(base - from);
}

/* Linear interpolation at x, where `after` is the first index with a value above x. */
static double interpolate_linear(const double *from, const double *to, size_t n, size_t after, double x)
{
  if (after == 0) return to[0];
  if (after == n) return to[n - 1];
  const double share = (x - from[after - 1]) / (from[after] - from[after - 1]);
  return to[after - 1] + share * (to[after] - to[after - 1]);
}

/* Interpolate from table to table; the middle if x equals several values. */
static double interpolate(const double *from, const double *to, size_t n, double x)
{
  const size_t above = count_below(from, n, x, true), below = count_below(from, n, x, false);
  if (above == below) return interpolate_linear(from, to, n, above, x);
  return (to[below] + to[above - 1]) / 2; /* from[below..above-1] are all x */
}

struct mapping {
  const struct quantile_transformer *model;
  const double *level;
  const mn_matrix *x;
  mn_matrix *out;
  bool inverse;
  mn_blocks blocks;
};

/* Bounds of the normal distribution as in scikit-learn, so that the result is finite. */
static double to_normal(double share)
{
  const double end = 1e-7;
  return mn_normal_quantile(share < end ? end : share > 1 - end ? 1 - end : share);
}

static double forward(const struct mapping *w, size_t j, double x)
{
  const mn_matrix *q = &w->model->quantiles;
  const double *quantile = mn_row(q, j);
  double share = interpolate(quantile, w->level, q->cols, x);
  if (x <= quantile[0]) share = 0; /* also if several quantiles are equal to it */
  if (x >= quantile[q->cols - 1]) share = 1;
  if (x <= quantile[0] && x >= quantile[q->cols - 1]) share = 0; /* a constant column */
  return w->model->output_distribution == NORMAL ? to_normal(share) : share;
}

static double backward(const struct mapping *w, size_t j, double z)
{
  const mn_matrix *q = &w->model->quantiles;
  const double share = w->model->output_distribution == NORMAL ? mn_normal_cdf(z) : z;
  return interpolate(w->level, mn_row(q, j), q->cols, share);
}

static void map_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct mapping *w = work;
  const size_t p = w->x->cols;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++)
    for (size_t j = 0; j < p; j++) {
      const double x = mn_row(w->x, i)[j];
      double *out = &mn_row(w->out, i)[j];
      *out = isnan(x) || isnan(w->model->quantiles.at[j * w->model->quantiles.cols]) ? (double)NAN
             : w->inverse                                                            ? backward(w, j, x)
                                                                                     : forward(w, j, x);
    }
}

static mn_status map(mn_context *ctx, const struct quantile_transformer *m, const mn_data *data, bool inverse,
                     mn_matrix *out)
{
  struct mapping w = { .model = m, .x = &data->x, .out = out, .inverse = inverse };
  double *level;
  MN_TRY(make_levels(ctx, m->quantiles.cols, &level));
  w.level = level;
  w.blocks = mn_make_blocks(data->rows, BLOCK_VALUES / data->features, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, map_block, &w);
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return map(ctx, self, data, false, out);
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return map(ctx, self, data, true, out);
}

/* Check a loaded model: the search requires ascending quantiles. */
static mn_status check(mn_context *ctx, const void *self)
{
  const mn_matrix *q = &((const struct quantile_transformer *)self)->quantiles;
  bool valid = q->at && q->cols >= 2;
  for (size_t i = 0; valid && i < q->rows; i++)
    for (size_t e = 1; valid && e < q->cols; e++) valid = !(q->at[i * q->cols + e] < q->at[i * q->cols + e - 1]);
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "QuantileTransformer: quantiles must be ascending");
}

static const char *const distributions[] = { "uniform", "normal", NULL };

/* Like interpolate and forward. */
static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct quantile_transformer *m = self;
  double *level;
  if (action != MN_TRANSFORM_X) return MN_OK;
  MN_TRY(make_levels(ctx, m->quantiles.cols, &level));
  mn_program_reals(program, "quantiles", m->quantiles.rows * m->quantiles.cols, m->quantiles.at);
  mn_program_reals(program, "level", m->quantiles.cols, level);
  mn_program_count(program, "n", m->quantiles.cols);
  mn_program_code(program, "for j < features {"
                           "  int first = j * n"
                           "  real value = x[j]"
                           "  if isnan(value) or isnan(quantiles[first]) { out[j] = nan }"
                           "  else {"
                           "    int above = count_at_most(quantiles, first, n, value)"
                           "    int below = count_below(quantiles, first, n, value)"
                           "    real share = 0.0"
                           "    if above != below { share = (level[below] + level[above - 1]) / 2.0 }"
                           "    else { if above == 0 { share = level[0] }"
                           "    else { if above == n { share = level[n - 1] }"
                           "    else {"
                           "      real from = quantiles[first + above - 1]"
                           "      real part = (value - from) / (quantiles[first + above] - from)"
                           "      share = level[above - 1] + part * (level[above] - level[above - 1])"
                           "    } } }"
                           "    if value <= quantiles[first] { share = 0.0 }"
                           "    if value >= quantiles[first + n - 1] { share = 1.0 }"
                           "    if value <= quantiles[first] and value >= quantiles[first + n - 1] { share = 0.0 }");
  if (m->output_distribution == NORMAL) {
    mn_program_real(program, "end", 1e-7);
    mn_program_code(program, "share = share < end ? end : share > 1.0 - end ? 1.0 - end : share"
                             " share = normal_quantile(share)");
  }
  mn_program_code(program, "out[j] = share } }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_COUNT(struct quantile_transformer, n_quantiles, 1000, MN_CLOSED(2, 1000000),
           "size of the table of quantiles; at most the number of rows"),
  MN_CHOICE(struct quantile_transformer, output_distribution, UNIFORM, distributions,
            "distribution of the transformed columns"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct quantile_transformer, quantiles, "features x levels",
            "quantiles of each column, from the minimum to the maximum"),
  MN_END,
};

const mn_class mn_quantile_transformer = {
  .name = "QuantileTransformer",
  .family = "preprocess",
  .brief = "Transforms each column to a uniform or normal distribution by ranks.",
  .objective = "z = F(x), or the normal quantile of F(x), F the distribution function of the column",
  .source = "Bolstad et al., Bioinformatics 19 (2003); Pedregosa et al., JMLR 12 (2011)",
  .notes = "All rows are used (scikit-learn draws 10000). Values outside the range of fit are mapped to its ends. "
           "fit ignores missing values; they stay missing. Weights are frequencies, counted in units of the smallest "
           "weight if that is below 1.",
  .example = "local flat = ml.QuantileTransformer{}:fit{ {1}, {10}, {100}, {1000} }\n"
             "print(flat:transform{ {1}, {55}, {5000} })",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_MISSING,
  .size = sizeof(struct quantile_transformer),
  .params = params,
  .fields = fields,
  .fit = fit,
  MN_TRANSFORM_PAIR(transform, inverse_transform),
  .check = check,
  .export = export,
};
