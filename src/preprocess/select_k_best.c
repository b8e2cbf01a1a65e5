/* Selection of the columns with the highest univariate score with y.
 *
 *   f_classif     analysis of variance: F = (between / (k - 1)) / (within / (n - k)) of the means of k classes
 *   f_regression  F = r^2 / (1 - r^2) (n - 2) of the correlation r with y
 *   chi2          sum over classes of (observed - expected)^2 / expected, of the sums of a column of counts
 *
 * Weights are frequencies: n is their sum, or the number of rows if that is larger. */
#include "../core/threads.h"
#include "../stats/special.h"
#include "column_values.h"
#include "moments.h"
#include "selection.h"
#include <stdlib.h>

enum score { F_CLASSIF, F_REGRESSION, CHI2 };
enum { BLOCK_VALUES = 1 << 16, MAX_BLOCKS = 64 };

struct select_k_best {
  mn_selector selector;
  int64_t score_func, k;     /* parameters */
  mn_vector scores, pvalues; /* learned fields */
};

/* Sums over the rows: for each group (class, or one for all rows) and column the sum of w f (x - from). */
struct work {
  const mn_data *data;
  const double *from, *factor; /* columns: subtracted; rows: factor f, or NULL */
  size_t groups;
  mn_blocks blocks;
  double *part; /* blocks x groups x columns */
};

static void sum_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct work *w = work;
  const mn_data *data = w->data;
  const size_t p = data->features;
  double *part = w->part + block * w->groups * p;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *x = mn_row(&data->x, i), f = mn_weight(data, i) * (w->factor ? w->factor[i] : 1);
    double *sum = part + (w->groups > 1 ? (size_t)data->code[i] : 0) * p;
    for (size_t j = 0; j < p; j++) sum[j] += f * (x[j] - w->from[j]);
  }
}

static mn_status sum_groups(mn_context *ctx, struct work *w, double **sum)
{
  const size_t width = w->groups * w->data->features;
  w->blocks = mn_make_blocks(w->data->rows, BLOCK_VALUES / w->data->features, MAX_BLOCKS);
  w->part = MN_NEW(ctx, double, w->blocks.count, width);
  *sum = MN_NEW(ctx, double, width, 1);
  if (!w->part || !*sum) return MN_NO_MEMORY;
  MN_TRY(mn_parallel(ctx, w->blocks.count, sum_block, w));
  mn_sum_blocks(w->blocks.count, width, w->part, *sum);
  return MN_OK;
}

static mn_status class_weights(mn_context *ctx, const mn_data *data, double **weight, double *total)
{
  *weight = MN_NEW(ctx, double, data->classes, 1);
  MN_CHECK_ALLOC(*weight);
  *total = 0;
  for (size_t i = 0; i < data->rows; i++) {
    (*weight)[data->code[i]] += mn_weight(data, i);
    *total += mn_weight(data, i);
  }
  return MN_OK;
}

static mn_status score_classes(mn_context *ctx, struct select_k_best *m, const mn_data *data)
{
  const size_t p = data->features, k = data->classes;
  struct mn_moments all;
  double *weight, total, *sum;
  MN_TRY(mn_moments_init(ctx, p, &all));
  MN_TRY(mn_moments_add(ctx, data, &all));
  MN_TRY(class_weights(ctx, data, &weight, &total));
  struct work w = { .data = data, .from = all.mean, .groups = k };
  MN_TRY(sum_groups(ctx, &w, &sum));
  for (size_t j = 0; j < p; j++) {
    double between = 0, rest = 0; /* rest: the mean is rounded, so deviations from it do not add up to 0 */
    for (size_t c = 0; c < k; c++) {
      between += sum[c * p + j] * sum[c * p + j] / weight[c];
      rest += sum[c * p + j];
    }
    between -= rest * (rest / total);
    const double within = all.square[j] * all.unit[j] * all.unit[j] - between, df = total - (double)k;
    const double score = between / (double)(k - 1) / ((within > 0 ? within : 0) / df);
    m->scores.at[j] = score;
    m->pvalues.at[j] = isnan(score) ? score : mn_f_sf(score, (double)(k - 1), df);
  }
  return MN_OK;
}

static mn_status score_regression(mn_context *ctx, struct select_k_best *m, const mn_data *data)
{
  const size_t p = data->features;
  struct mn_moments all, y;
  double *sum, *centered = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(centered);
  mn_data targets = { .x = data->y, .rows = data->rows, .features = 1, .weights = data->weights };
  MN_TRY(mn_moments_init(ctx, p, &all));
  MN_TRY(mn_moments_add(ctx, data, &all));
  MN_TRY(mn_moments_init(ctx, 1, &y));
  MN_TRY(mn_moments_add(ctx, &targets, &y));
  double y_rest = 0; /* the mean is rounded, so deviations from it do not add up to 0 */
  for (size_t i = 0; i < data->rows; i++) {
    centered[i] = data->y.at[i] - y.mean[0];
    y_rest += mn_weight(data, i) * centered[i];
  }
  for (size_t i = 0; i < data->rows; i++) centered[i] -= y_rest / y.count[0];
  struct work w = { .data = data, .from = all.mean, .factor = centered, .groups = 1 };
  MN_TRY(sum_groups(ctx, &w, &sum));
  for (size_t j = 0; j < p; j++) {
    const double norm = all.unit[j] * sqrt(all.square[j]) * y.unit[0] * sqrt(y.square[0]);
    const double r = norm > 0 ? sum[j] / norm : 0; /* 0 for a constant column */
    const double df = y.count[0] - 2, score = r * r / fmax(1 - r * r, 0) * df;
    m->scores.at[j] = score;
    m->pvalues.at[j] = isnan(score) ? score : mn_f_sf(score, 1, df);
  }
  return MN_OK;
}

static mn_status score_counts(mn_context *ctx, struct select_k_best *m, const mn_data *data)
{
  const size_t p = data->features, k = data->classes;
  double *weight, total, *sum, *zero = MN_NEW(ctx, double, p, 1);
  MN_CHECK_ALLOC(zero);
  for (size_t i = 0; i < data->rows * p; i++)
    if (data->x.at[i] < 0)
      return mn_fail(ctx, MN_BAD_DATA,
                     "SelectKBest: X must be >= 0 for chi2, got a negative value in row %zu, column %zu", i / p + 1,
                     i % p + 1);
  MN_TRY(class_weights(ctx, data, &weight, &total));
  struct work w = { .data = data, .from = zero, .groups = k };
  MN_TRY(sum_groups(ctx, &w, &sum));
  for (size_t j = 0; j < p; j++) {
    double all = 0, score = 0;
    for (size_t c = 0; c < k; c++) all += sum[c * p + j];
    for (size_t c = 0; c < k; c++) {
      const double expected = all * weight[c] / total, d = sum[c * p + j] - expected;
      score += d * d / expected;
    }
    m->scores.at[j] = score;
    m->pvalues.at[j] = isnan(score) ? score : mn_chi2_sf(score, (double)(k - 1));
  }
  return MN_OK;
}

struct ranked {
  double score;
  size_t column;
};

/* Decreasing scores, NaN last, ties by lowest index. */
static int compare_scores(const void *a, const void *b)
{
  const struct ranked *x = a, *y = b;
  const double s = isnan(x->score) ? -INFINITY : x->score, t = isnan(y->score) ? -INFINITY : y->score;
  if (s < t || s > t) return s > t ? -1 : 1;
  return (x->column > y->column) - (x->column < y->column);
}

static mn_status keep_best(mn_context *ctx, struct select_k_best *m, size_t p)
{
  struct ranked *order = MN_RAW(ctx, struct ranked, p, 1);
  bool *keep = MN_NEW(ctx, bool, p, 1);
  if (!order || !keep) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) order[j] = (struct ranked){ .score = m->scores.at[j], .column = j };
  qsort(order, p, sizeof *order, compare_scores);
  for (size_t r = 0; r < p; r++) keep[order[r].column] = m->k == MN_UNSET || r < (size_t)m->k;
  return mn_selection_init(ctx, keep, p, &m->selector.support);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *given)
{
  struct select_k_best *m = self;
  mn_data data;
  MN_TRY(mn_frequency_weights(ctx, given, &data));
  MN_TRY(mn_vector_init(ctx, &m->scores, data.features));
  MN_TRY(mn_vector_init(ctx, &m->pvalues, data.features));
  switch ((enum score)m->score_func) {
  case F_CLASSIF: MN_TRY(score_classes(ctx, m, &data)); break;
  case F_REGRESSION: MN_TRY(score_regression(ctx, m, &data)); break;
  case CHI2: MN_TRY(score_counts(ctx, m, &data)); break;
  }
  return keep_best(ctx, m, data.features);
}

static unsigned target_kind(const void *self)
{
  return ((const struct select_k_best *)self)->score_func == F_REGRESSION ? MN_Y_REALS : MN_Y_LABELS;
}

static const char *const scores[] = { "f_classif", "f_regression", "chi2", NULL };

static const mn_param params[] = {
  MN_CHOICE(
      struct select_k_best, score_func, F_CLASSIF, scores,
      "f_classif: F test of class means; f_regression: F test of the correlation with a numeric y; chi2: chi-squared test of counts"),
  MN_COUNT(struct select_k_best, k, 10, MN_CLOSED(1, INT32_MAX), "number of columns to keep; all if there are fewer"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct select_k_best, scores, "features", "score of each column; NaN if undefined"),
  MN_VECTOR(struct select_k_best, pvalues, "features", "p-value of each score"),
  MN_SUPPORT,
  MN_END,
};

const mn_class mn_select_k_best = {
  .name = "SelectKBest",
  .family = "preprocess",
  .brief = "Selects the k columns with the highest univariate test scores.",
  .objective = "keep the k columns with the highest F or chi-squared",
  .source = "Guyon & Elisseeff, JMLR 3 (2003)",
  .notes = "Among equal scores the first column is kept (the last in scikit-learn). "
           "Weights are frequencies; if their mean is below 1, in units of it.",
  .example = "local X = { {1, 5}, {2, 1}, {8, 4}, {9, 2} }\n"
             "local best = ml.SelectKBest{ k = 1 }:fit(X, {\"a\", \"a\", \"b\", \"b\"})\n"
             "print(best.scores, best:transform(X))",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_Y_REALS | MN_Y_LABELS,
  .size = sizeof(struct select_k_best),
  .params = params,
  .fields = fields,
  .fit = fit,
  .target_kind = target_kind,
  MN_SELECTOR_CLASS,
};
