/* Scores of single columns with y.
 *
 *   f_classif     analysis of variance: F = (between / (k - 1)) / (within / (n - k)) of the means of k classes
 *   f_regression  F = r^2 / (1 - r^2) (n - 2) of the correlation r with y
 *   chi2          sum over classes of (observed - expected)^2 / expected, of the sums of a column of counts
 *   mutual_info   mutual_information.h
 *
 * Weights are frequencies: n is their sum, or the number of rows if that is larger. */
#include "univariate.h"
#include "../core/threads.h"
#include "../core/worker_pool.h"
#include "../model/columns.h"
#include "../stats/argsort.h"
#include "../stats/special.h"
#include "column_values.h"
#include "moments.h"
#include "mutual_information.h"

enum { BLOCK_VALUES = 1 << 16, MAX_BLOCKS = 64 };

const char *const mn_score_funcs[] = { "f_classif",           "f_regression",           "chi2",
                                       "mutual_info_classif", "mutual_info_regression", NULL };
const char *const mn_test_score_funcs[] = { "f_classif", "f_regression", "chi2", NULL };

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

static mn_status score_classes(mn_context *ctx, mn_univariate *m, const mn_data *data)
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

mn_status mn_correlations(mn_context *ctx, const mn_data *data, const mn_matrix *y, double *r, double *total)
{
  const size_t p = data->features;
  struct mn_moments all, own;
  double *sum, *centered = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(centered);
  mn_data targets = { .x = *y, .rows = data->rows, .features = 1, .weights = data->weights };
  MN_TRY(mn_moments_init(ctx, p, &all));
  MN_TRY(mn_moments_add(ctx, data, &all));
  MN_TRY(mn_moments_init(ctx, 1, &own));
  MN_TRY(mn_moments_add(ctx, &targets, &own));
  double rest = 0; /* the mean is rounded, so deviations from it do not add up to 0 */
  for (size_t i = 0; i < data->rows; i++) {
    centered[i] = y->at[i] - own.mean[0];
    rest += mn_weight(data, i) * centered[i];
  }
  for (size_t i = 0; i < data->rows; i++) centered[i] -= rest / own.count[0];
  struct work w = { .data = data, .from = all.mean, .factor = centered, .groups = 1 };
  MN_TRY(sum_groups(ctx, &w, &sum));
  for (size_t j = 0; j < p; j++) {
    const double norm = all.unit[j] * sqrt(all.square[j]) * own.unit[0] * sqrt(own.square[0]);
    r[j] = norm > 0 ? sum[j] / norm : 0;
  }
  *total = own.count[0];
  return MN_OK;
}

static mn_status score_regression(mn_context *ctx, mn_univariate *m, const mn_data *data)
{
  double *r = MN_RAW(ctx, double, data->features, 1), total;
  MN_CHECK_ALLOC(r);
  MN_TRY(mn_correlations(ctx, data, &data->y, r, &total));
  for (size_t j = 0; j < data->features; j++) {
    const double df = total - 2, score = r[j] * r[j] / fmax(1 - r[j] * r[j], 0) * df;
    m->scores.at[j] = score;
    m->pvalues.at[j] = isnan(score) ? score : mn_f_sf(score, 1, df);
  }
  return MN_OK;
}

static mn_status score_counts(mn_context *ctx, mn_univariate *m, const mn_data *data)
{
  const size_t p = data->features, k = data->classes;
  double *weight, total, *sum, *zero = MN_NEW(ctx, double, p, 1);
  MN_CHECK_ALLOC(zero);
  for (size_t i = 0; i < data->rows * p; i++)
    if (data->x.at[i] < 0)
      return mn_fail(ctx, MN_BAD_DATA, "%s: X must be >= 0 for chi2, got a negative value in row %zu, column %zu",
                     m->selector.base.class->name, i / p + 1, i % p + 1);
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

/* --- mutual information --- */

mn_status mn_univariate_discrete(mn_context *ctx, const mn_univariate *m, const mn_data *data, bool **discrete)
{
  *discrete = MN_NEW(ctx, bool, data->features, 1);
  MN_CHECK_ALLOC(*discrete);
  if (!mn_columns_are_set(&m->discrete)) return MN_OK;
  return mn_find_columns(ctx, &m->selector.base, "discrete", &m->discrete, *discrete);
}

mn_status mn_univariate_mi_column(mn_context *ctx, const mn_data *data, const bool *discrete, size_t j,
                                  mn_mi_column *column)
{
  const size_t p = data->features;
  if (discrete[j]) return mn_mi_discrete(ctx, data->rows, data->x.at + j, p, column);
  return mn_mi_continuous(ctx, data->rows, data->x.at + j, p, j + 1, column);
}

/* Weights as repeated rows would make every row its own neighbor. */
static mn_status refuse_weights(mn_context *ctx, const mn_univariate *m, const mn_data *data)
{
  for (size_t i = 1; i < data->rows; i++)
    if (mn_weight(data, i) < mn_weight(data, 0) || mn_weight(data, i) > mn_weight(data, 0))
      return mn_fail(ctx, MN_BAD_ARGUMENT,
                     "%s: weights must be equal for mutual information, which does not support "
                     "them; use f_classif or f_regression",
                     m->selector.base.class->name);
  return MN_OK;
}

struct information {
  const mn_univariate *m;
  const mn_data *data;
  const bool *discrete;
  const double *digamma;
  mn_mi_column y;
};

static mn_status score_information_column(mn_context *ctx, void *work, size_t j, size_t worker)
{
  (void)worker;
  const struct information *w = work;
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_mi_column x;
  MN_TRY(mn_univariate_mi_column(ctx, w->data, w->discrete, j, &x));
  MN_TRY(mn_mutual_information(ctx, &x, &w->y, (size_t)w->m->n_neighbors, w->digamma, &w->m->scores.at[j]));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status score_information(mn_context *ctx, const mn_univariate *m, const mn_data *data)
{
  struct information w = { .m = m, .data = data, .digamma = mn_mi_digamma(ctx, data->rows) };
  bool *discrete;
  MN_CHECK_ALLOC(w.digamma);
  MN_TRY(refuse_weights(ctx, m, data));
  MN_TRY(mn_univariate_discrete(ctx, m, data, &discrete));
  w.discrete = discrete;
  if (m->score_func == MN_MI_CLASSIF)
    MN_TRY(mn_mi_labels(ctx, data->rows, data->code, data->classes, &w.y));
  else
    MN_TRY(mn_mi_continuous(ctx, data->rows, data->y.at, 1, 0, &w.y));
  return mn_pool_run(ctx, data->features, score_information_column, &w);
}

/* --- selection --- */

size_t *mn_rank_scores(mn_context *ctx, size_t n, const double *score)
{
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  return order && mn_argsort_descending(ctx, n, score, 1, order) == MN_OK ? order : NULL;
}

mn_status mn_univariate_keep_best(mn_context *ctx, mn_univariate *m, size_t n)
{
  const size_t p = m->scores.size;
  const size_t *order = mn_rank_scores(ctx, p, m->scores.at);
  bool *keep = MN_NEW(ctx, bool, p, 1);
  if (!order || !keep) return MN_NO_MEMORY;
  for (size_t r = 0; r < p && r < n; r++) keep[order[r]] = true;
  return mn_selection_init(ctx, keep, p, &m->selector.support);
}

mn_status mn_univariate_score(mn_context *ctx, mn_univariate *m, const mn_data *given)
{
  mn_data data;
  MN_TRY(mn_frequency_weights(ctx, given, &data));
  MN_TRY(mn_vector_init(ctx, &m->scores, data.features));
  if (mn_scores_information(m)) return score_information(ctx, m, &data);
  MN_TRY(mn_vector_init(ctx, &m->pvalues, data.features));
  if (m->score_func == MN_F_CLASSIF) return score_classes(ctx, m, &data);
  if (m->score_func == MN_F_REGRESSION) return score_regression(ctx, m, &data);
  return score_counts(ctx, m, &data);
}

unsigned mn_univariate_target(const void *self)
{
  const int64_t score = ((const mn_univariate *)self)->score_func;
  return score == MN_F_REGRESSION || score == MN_MI_REGRESSION ? MN_Y_REALS : MN_Y_LABELS;
}
