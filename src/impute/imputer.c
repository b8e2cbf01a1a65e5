#include "imputer.h"
#include "../preprocess/column_values.h"
#include "../preprocess/moments.h"
#include "../preprocess/names.h"

const char *const mn_fills[] = { "mean", "median", "most_frequent", "constant", NULL };

struct summary {
  const mn_data *data;
  mn_fill strategy;
  mn_column_fill *out;
};

/* The most frequent value; ties are broken by the smallest value. */
static double most_frequent(struct mn_column_values *c)
{
  double best = (double)NAN, max_weight = 0, value, weight;
  mn_group_column(c);
  for (size_t i = 0; mn_next_distinct(c, &i, &value, &weight);) {
    if (!(weight > max_weight)) continue;
    max_weight = weight;
    best = value;
  }
  return best;
}

static void summarize_column(void *work, size_t j, struct mn_column_values *values)
{
  const struct summary *w = work;
  const double half = 0.5;
  w->out->missing[j] = values->missing;
  w->out->empty[j] = values->size == 0;
  if (w->out->empty[j] || w->strategy == MN_FILL_CONSTANT) return;
  if (w->strategy == MN_FILL_MOST_FREQUENT || (w->data->levels && w->data->levels[j]))
    w->out->value[j] = most_frequent(values);
  else if (w->strategy == MN_FILL_MEDIAN)
    mn_column_quantiles(values, 1, &half, &w->out->value[j]);
}

/* Means are computed without gathering columns. A sum of weights may lose a small weight, so with weights the missing
 * values are counted. */
static mn_status summarize_means(mn_context *ctx, const mn_data *data, mn_column_fill *out)
{
  struct mn_moments sum;
  MN_TRY(mn_moments_init(ctx, data->features, &sum));
  MN_TRY(mn_moments_add(ctx, data, &sum));
  for (size_t j = 0; j < data->features; j++) {
    out->value[j] = sum.mean[j];
    out->empty[j] = !(sum.count[j] > 0);
    out->missing[j] = (double)data->rows - sum.count[j];
  }
  return data->weights ? mn_count_missing(ctx, data, out->missing) : MN_OK;
}

mn_status mn_summarize_columns(mn_context *ctx, const mn_data *data, mn_fill strategy, mn_column_fill *out)
{
  struct summary w = { .data = data, .strategy = strategy, .out = out };
  const size_t p = data->features;
  bool factors = false;
  out->value = MN_NEW(ctx, double, p, 1);
  out->missing = MN_NEW(ctx, double, p, 1);
  out->empty = MN_NEW(ctx, bool, p, 1);
  if (!out->value || !out->missing || !out->empty) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) factors = factors || (data->levels && data->levels[j]);
  if (strategy == MN_FILL_MEAN) MN_TRY(summarize_means(ctx, data, out));
  if (strategy == MN_FILL_MEAN && !factors) return MN_OK;
  return mn_for_each_column(ctx, data, summarize_column, NULL, &w);
}

mn_status mn_imputer_refuse_empty(mn_context *ctx, const mn_imputer *m, const mn_column_fill *columns)
{
  char name[MN_INPUT_NAME_SIZE];
  const char *const *inputs = m->base.feature_names.size > 0 ? (const char *const *)m->base.feature_names.at : NULL;
  for (size_t j = 0; !m->keep_empty_features && j < m->base.n_features; j++)
    if (columns->empty[j])
      return mn_fail(ctx, MN_BAD_DATA,
                     "%s: column %zu ('%.60s') of X has missing values only; remove it or set keep_empty_features",
                     m->base.class->name, j + 1, mn_input_name(inputs, j, name));
  return MN_OK;
}

mn_status mn_imputer_learn_flags(mn_context *ctx, mn_imputer *m, const mn_column_fill *columns)
{
  if (!m->add_indicator) return MN_OK;
  return mn_flags_init(ctx, m->base.n_features, columns->missing, &m->indicator_features);
}

size_t mn_imputer_outputs(const void *self)
{
  const mn_imputer *m = self;
  return m->base.n_features + m->indicator_features.size;
}

bool mn_imputer_outputs_whole(const void *self, size_t j)
{
  const mn_imputer *m = self;
  return j >= m->base.n_features;
}

void mn_imputer_output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  const mn_imputer *m = self;
  char own[MN_INPUT_NAME_SIZE];
  const size_t p = m->base.n_features;
  if (j < p)
    snprintf(text, size, "%s", mn_input_name(inputs, j, own));
  else
    mn_flag_name(&m->indicator_features, j - p, inputs, text, size);
}
