/* New rows between rows of a small class and their neighbors in it, for numbers and categories.
 *
 *     d(x, z)^2 = sum over numbers (x_j - z_j)^2 + s^2 (number of categories that differ)
 *
 * s: median of the standard deviations of the numeric columns in the class, 1 without any. New rows have numbers as in
 * SMOTE, and the most frequent category of the k neighbors. Distances are those of an embedding, in which a category is
 * an indicator of size s / sqrt(2). */
#include "../core/rng.h"
#include "../model/columns.h"
#include "../stats/argsort.h"
#include "row_subset.h"
#include <string.h>

struct smotenc {
  mn_resampler resampler;
  mn_feature_list categorical_features;
  int64_t k_neighbors, seed;
};

static mn_status find_categorical(mn_context *ctx, const struct smotenc *m, const mn_data *data, bool **out)
{
  *out = MN_NEW(ctx, bool, data->features, 1);
  MN_CHECK_ALLOC(*out);
  for (size_t j = 0; j < data->features; j++) (*out)[j] = data->levels && data->levels[j];
  return mn_find_columns(ctx, &m->resampler.base, "categorical_features", &m->categorical_features, *out);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  const struct smotenc *m = self;
  bool *categorical;
  MN_TRY(find_categorical(ctx, m, data, &categorical));
  MN_TRY(mn_oversampler_fit(ctx, self, data));
  return mn_check_class_neighbors(ctx, &m->resampler, "k_neighbors", m->k_neighbors);
}

static double standard_deviation(const mn_matrix *x, size_t j)
{
  double mean = 0, square = 0;
  for (size_t i = 0; i < x->rows; i++) mean += mn_row(x, i)[j] / (double)x->rows;
  for (size_t i = 0; i < x->rows; i++) {
    const double d = mn_row(x, i)[j] - mean;
    square += d * d / (double)x->rows;
  }
  return sqrt(square);
}

static mn_status category_size(mn_context *ctx, const mn_matrix *x, const bool *categorical, double *size)
{
  double *deviation = MN_RAW(ctx, double, x->cols, 1);
  size_t *order = MN_RAW(ctx, size_t, x->cols, 1), n = 0;
  if (!deviation || !order) return MN_NO_MEMORY;
  for (size_t j = 0; j < x->cols; j++)
    if (!categorical[j]) deviation[n++] = standard_deviation(x, j);
  *size = 1;
  if (n == 0) return MN_OK;
  MN_TRY(mn_argsort(ctx, n, deviation, 1, order));
  *size = (deviation[order[(n - 1) / 2]] + deviation[order[n / 2]]) / 2;
  return MN_OK;
}

/* code[i * q + s]: the category of row i in the s-th of q categorical columns, numbered over all of them from 0. */
static mn_status number_categories(mn_context *ctx, const mn_matrix *x, const bool *categorical, size_t q, size_t *code,
                                   size_t *categories)
{
  size_t *order = MN_RAW(ctx, size_t, x->rows, 1), s = 0;
  MN_CHECK_ALLOC(order);
  *categories = 0;
  for (size_t j = 0; j < x->cols; j++) {
    if (!categorical[j]) continue;
    MN_TRY(mn_argsort(ctx, x->rows, x->at + j, x->cols, order));
    for (size_t r = 0; r < x->rows; r++) {
      const bool fresh = r == 0 || mn_row(x, order[r])[j] != mn_row(x, order[r - 1])[j];
      *categories += fresh;
      code[order[r] * q + s] = *categories - 1;
    }
    s++;
  }
  return MN_OK;
}

static mn_status embed(mn_context *ctx, const mn_matrix *x, const bool *categorical, mn_matrix *out)
{
  size_t q = 0, categories;
  double size;
  for (size_t j = 0; j < x->cols; j++) q += categorical[j];
  size_t *code = MN_RAW(ctx, size_t, x->rows, q + 1);
  MN_CHECK_ALLOC(code);
  MN_TRY(category_size(ctx, x, categorical, &size));
  MN_TRY(number_categories(ctx, x, categorical, q, code, &categories));
  const size_t numbers = x->cols - q;
  *out = (mn_matrix){ .rows = x->rows, .cols = numbers + categories };
  out->at = MN_NEW(ctx, double, out->rows, out->cols);
  MN_CHECK_ALLOC(out->at);
  for (size_t i = 0; i < x->rows; i++) {
    double *z = mn_row(out, i);
    for (size_t j = 0, at = 0; j < x->cols; j++)
      if (!categorical[j]) z[at++] = mn_row(x, i)[j];
    for (size_t s = 0; s < q; s++) z[numbers + code[i * q + s]] = size / sqrt(2);
  }
  return MN_OK;
}

/* The most frequent value of column j among the neighbors; ties are broken by the nearest one. */
static double most_frequent(const mn_matrix *x, size_t j, const int32_t *nearest, size_t k)
{
  double found = 0;
  size_t most = 0;
  for (size_t s = 0; s < k; s++) {
    const double value = mn_row(x, (size_t)nearest[s])[j];
    size_t count = 0;
    for (size_t t = 0; t < k; t++) count += mn_row(x, (size_t)nearest[t])[j] == value;
    if (count <= most) continue;
    most = count;
    found = value;
  }
  return found;
}

static mn_status extend_class(mn_context *ctx, const struct smotenc *m, const mn_data *data, const bool *categorical,
                              size_t c, mn_resampled *out)
{
  const mn_resampler *r = &m->resampler;
  const size_t more = (size_t)(r->target_counts.at[c] - r->class_counts.at[c]), k = (size_t)m->k_neighbors;
  mn_rng rng = mn_stream(m->seed, c);
  mn_row_subset rows;
  mn_matrix embedded;
  int32_t *nearest;
  if (more == 0) return MN_OK;
  MN_TRY(mn_subset_of_class(ctx, data, c, &rows));
  MN_TRY(embed(ctx, &rows.x, categorical, &embedded));
  MN_TRY(mn_nearest_of(ctx, &embedded, NULL, k, &nearest, NULL));
  for (size_t s = 0; s < more; s++) {
    if (s % MN_POLL_ROWS == 0) MN_TRY(mn_poll(ctx));
    const size_t i = mn_random_below(&rng, rows.n), other = (size_t)nearest[i * k + mn_random_below(&rng, k)];
    double *made = mn_add_row(out, rows.row[i]);
    mn_interpolate(mn_row(&rows.x, i), mn_row(&rows.x, other), data->features, mn_random_uniform(&rng), made);
    for (size_t j = 0; j < data->features; j++)
      if (categorical[j]) made[j] = most_frequent(&rows.x, j, nearest + i * k, k);
  }
  return MN_OK;
}

static mn_status resample(mn_context *ctx, const void *self, const mn_data *data, mn_resampled *out)
{
  const struct smotenc *m = self;
  bool *categorical;
  MN_TRY(mn_begin_more_rows(ctx, data, mn_missing_rows(&m->resampler), true, out));
  MN_TRY(find_categorical(ctx, m, data, &categorical));
  for (size_t c = 0; c < data->classes; c++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    MN_TRY(extend_class(ctx, m, data, categorical, c, out));
    mn_scratch_release(ctx, mark);
  }
  return MN_OK;
}

static const mn_param params[] = {
  MN_OVERSAMPLER_PARAMS(struct smotenc),
  MN_COLUMNS(struct smotenc, categorical_features,
             "columns that hold categories besides the factor columns, by number or name; nil: none"),
  MN_COUNT(struct smotenc, k_neighbors, 5, MN_CLOSED(1, INT32_MAX),
           "number of nearest neighbors in the class, of which one is chosen at random"),
  MN_SEED(struct smotenc, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_RESAMPLER_FIELDS(struct smotenc),
  MN_END,
};

const mn_class mn_smotenc = {
  .name = "SMOTENC",
  .brief = "Oversamples small classes with synthetic rows of numbers and categories.",
  .objective = "numbers: x' = x_i + u (x_k - x_i); categories: the most frequent one of k neighbors",
  .source = "Chawla et al., JAIR 16 (2002)",
  .notes = MN_RESAMPLER_NOTE "Put it before the encoder of the categories. Ties between categories are broken by the "
                             "nearest neighbor (in imbalanced-learn at random). Without categories it is SMOTE; "
                             "without numbers, the distance is the number of categories that differ. Memory grows "
                             "with the rows of a class times its number of categories.",
  .example = "local data = ml.Frame { { \"size\", { 1, 2, 3, 4, 8, 9 } }, { \"color\", { \"r\", \"g\", \"r\", \"g\", "
             "\"r\", \"r\" } } }\n"
             "print(ml.SMOTENC{ k_neighbors = 1 }:fit_resample(data, { \"a\", \"a\", \"a\", \"a\", \"b\", \"b\" }))",
  .capabilities = MN_TRANSFORM | MN_RANDOM,
  .accepts = MN_Y_LABELS | MN_SPARSE | MN_FACTORS,
  .size = sizeof(struct smotenc),
  .params = params,
  .fields = fields,
  .fit = fit,
  .resample = resample,
  MN_RESAMPLER_CLASS,
};
