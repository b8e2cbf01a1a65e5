/* Posterior summaries and predictions, computed from the draws. */
#include "../core/threads.h"
#include "../stats/mcmc.h"
#include "../stats/quantile.h"
#include "../stats/special.h"
#include "gibbs.h"
#include "gibbs_internal.h"
#include <string.h>

static mn_status init_fields(mn_context *ctx, mn_gibbs *m, const mn_gibbs_data *s, size_t rows)
{
  MN_TRY(mn_linear_init(ctx, &m->linear, 1, s->p));
  MN_TRY(mn_vector_init(ctx, &m->coef_median, s->p));
  MN_TRY(mn_vector_init(ctx, &m->coef_lower, s->p));
  MN_TRY(mn_vector_init(ctx, &m->coef_upper, s->p));
  return mn_matrix_init(ctx, &m->samples, rows, s->p + 3);
}

/* Mean and quantiles of a column of the samples, at three ascending levels. */
static mn_status summarize(mn_context *ctx, const mn_gibbs *m, size_t column, const double *level, double *mean,
                           double *quantile)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t rows = m->samples.rows;
  double *x = MN_RAW(ctx, double, rows, 1);
  MN_CHECK_ALLOC(x);
  *mean = 0;
  for (size_t i = 0; i < rows; i++) {
    x[i] = mn_row(&m->samples, i)[column];
    *mean += x[i] / (double)rows;
  }
  MN_TRY(mn_quantiles(ctx, rows, x, NULL, 3, level, quantile));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_gibbs_learn(mn_context *ctx, mn_gibbs *m, const mn_gibbs_data *s, size_t rows, const double *draws)
{
  const size_t p = s->p, width = s->used + 3;
  MN_TRY(init_fields(ctx, m, s, rows));
  for (size_t i = 0; i < rows; i++) {
    double *to = mn_row(&m->samples, i);
    for (size_t a = 0; a < s->used; a++) to[s->column[a]] = draws[i * width + a];
    memcpy(to + p, draws + i * width + s->used, 3 * sizeof *to);
  }
  const double level[] = { (1 - m->level) / 2, 0.5, (1 + m->level) / 2 };
  double quantile[3], mean, intercept = s->mean[p];
  for (size_t a = 0; a < s->used; a++) {
    const size_t j = s->column[a];
    MN_TRY(summarize(ctx, m, j, level, &mean, quantile));
    m->linear.coef.at[j] = mean;
    m->coef_lower.at[j] = quantile[0];
    m->coef_median.at[j] = quantile[1];
    m->coef_upper.at[j] = quantile[2];
    intercept -= s->mean[j] * mean;
  }
  m->linear.intercept.at[0] = intercept;
  MN_TRY(summarize(ctx, m, p + 1, level, &mean, quantile));
  m->sigma2 = quantile[1];
  return MN_OK;
}

mn_status mn_gibbs_median(mn_context *ctx, const mn_gibbs *m, double *median)
{
  static const double level[] = { 0, 0.5, 1 };
  double mean, quantile[3];
  MN_TRY(summarize(ctx, m, m->samples.cols - 1, level, &mean, quantile));
  *median = quantile[1];
  return MN_OK;
}

mn_status mn_gibbs_check(mn_context *ctx, const void *self)
{
  const mn_gibbs *m = self;
  const size_t p = m->linear.base.n_features;
  const size_t kept = m->kept > 0 ? (size_t)m->kept : 0;
  if (kept == 0 || m->samples.rows == 0 || m->samples.cols != p + 3 || m->samples.rows % kept != 0)
    return mn_fail(ctx, MN_BAD_FILE, "%s: samples must hold %zu draws per chain in %zu columns, got %zu x %zu",
                   m->linear.base.class->name, kept, p + 3, m->samples.rows, m->samples.cols);
  return MN_OK;
}

/* The predictive distribution of a row: a mixture of one normal distribution for each draw. */
struct mixture {
  size_t size;
  double *mean;        /* size */
  const double *sigma; /* size */
  double std;
};

static double mixture_quantile(const struct mixture *x, double level)
{
  const double z = mn_normal_quantile(level), sqrt_2pi = sqrt(2 * M_PI), count = (double)x->size;
  double low = INFINITY, high = -INFINITY, center = 0;
  for (size_t k = 0; k < x->size; k++) {
    const double quantile = x->mean[k] + z * x->sigma[k];
    low = fmin(low, quantile);
    high = fmax(high, quantile);
    center += quantile / count;
  }
  double at = fmin(fmax(center, low), high);
  for (int round = 0; round < 100 && high - low > 1e-12 * x->std; round++) {
    double below = 0, density = 0;
    for (size_t k = 0; k < x->size; k++) {
      const double t = (at - x->mean[k]) / x->sigma[k];
      below += erfc(-t / M_SQRT2) / 2 / count;
      density += exp(-t * t / 2) / (sqrt_2pi * x->sigma[k]) / count;
    }
    if (below > level)
      high = at;
    else
      low = at;
    const double next = at - (below - level) / density;
    if (fabs(next - at) <= 1e-10 * x->std) return next;
    at = next > low && next < high ? next : (low + high) / 2;
  }
  return at;
}

struct predict_task {
  const mn_gibbs *m;
  const mn_data *data;
  const double *sigma; /* of each draw */
  double *draw_means;  /* workers x draws */
  double level;
  mn_intervals out;
};

static void predict_row(void *work, size_t row, size_t worker)
{
  const struct predict_task *w = work;
  const mn_matrix *samples = &w->m->samples;
  const size_t p = w->data->features, n = samples->rows;
  struct mixture x = { .size = n, .mean = w->draw_means + worker * n, .sigma = w->sigma };
  double center = 0, variance = 0;
  for (size_t k = 0; k < n; k++) {
    const double *draw = mn_row(samples, k), *x_row = mn_row(&w->data->x, row);
    double sum = draw[p];
    for (size_t j = 0; j < p; j++) sum += draw[j] * x_row[j];
    x.mean[k] = sum;
    center += sum / (double)n;
  }
  for (size_t k = 0; k < n; k++) {
    const double deviation = x.mean[k] - center;
    variance += (deviation * deviation + x.sigma[k] * x.sigma[k]) / (double)n;
  }
  x.std = sqrt(variance);
  w->out.std->at[row] = x.std;
  w->out.low->at[row] = mixture_quantile(&x, (1 - w->level) / 2);
  w->out.high->at[row] = mixture_quantile(&x, (1 + w->level) / 2);
}

mn_status mn_gibbs_interval(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                            mn_results *results)
{
  const mn_gibbs *m = self;
  const size_t rows = data->rows, n = m->samples.rows, p = data->features;
  struct predict_task w = { .m = m, .data = data, .level = ((const mn_interval_options *)options)->level };
  MN_TRY(mn_intervals_make(ctx, results, rows, &w.out));
  MN_TRY(mn_linear_predict(ctx, self, data, &(mn_matrix){ .at = w.out.mean->at, .rows = rows, .cols = 1 }));
  double *sigma = MN_RAW(ctx, double, n, 1);
  w.draw_means = MN_RAW(ctx, double, mn_threads(ctx), n);
  if (!sigma || !w.draw_means) return MN_NO_MEMORY;
  for (size_t k = 0; k < n; k++) sigma[k] = sqrt(mn_row(&m->samples, k)[p + 1]);
  w.sigma = sigma;
  return mn_parallel(ctx, rows, predict_row, &w);
}

static mn_status store_column(mn_context *ctx, const mn_gibbs *m, size_t j, const char *name, mn_results *results)
{
  mn_vector *out;
  MN_TRY(mn_result_vector(ctx, results, name, m->samples.rows, &out));
  for (size_t i = 0; i < m->samples.rows; i++) out->at[i] = mn_row(&m->samples, i)[j];
  return MN_OK;
}

mn_status mn_gibbs_samples(mn_context *ctx, const mn_gibbs *m, const char *global, mn_results *results)
{
  const size_t rows = m->samples.rows, p = m->linear.base.n_features, kept = (size_t)m->kept;
  mn_matrix *coef;
  mn_indexes *chain;
  MN_TRY(mn_result_matrix(ctx, results, "coef", rows, p, &coef));
  for (size_t i = 0; i < rows; i++) memcpy(mn_row(coef, i), mn_row(&m->samples, i), p * sizeof(double));
  MN_TRY(store_column(ctx, m, p, "intercept", results));
  MN_TRY(store_column(ctx, m, p + 1, "sigma2", results));
  MN_TRY(store_column(ctx, m, p + 2, global, results));
  MN_TRY(mn_result_indexes(ctx, results, "chain", rows, &chain));
  for (size_t i = 0; i < rows; i++) chain->at[i] = (int32_t)(i / kept);
  return MN_OK;
}

/* Diagnostics of the intercept, which fit does not compute. */
static mn_status diagnose_intercept(mn_context *ctx, const mn_gibbs *m, const mn_posterior_table *t)
{
  const size_t rows = m->samples.rows, kept = (size_t)m->kept;
  double *x = MN_RAW(ctx, double, rows, 1);
  mn_chain_report diagnostics;
  MN_CHECK_ALLOC(x);
  for (size_t i = 0; i < rows; i++) x[i] = mn_row(&m->samples, i)[m->linear.coef.cols];
  MN_TRY(mn_mcmc_diagnostics(ctx, rows / kept, kept, x, &diagnostics));
  t->ess->at[0] = diagnostics.ess;
  t->r_hat->at[0] = diagnostics.r_hat;
  return MN_OK;
}

/* Fill a row of the table from a column of the samples. */
static mn_status fill_row(mn_context *ctx, const mn_gibbs *m, const mn_posterior_table *t, size_t row, size_t column)
{
  const double level[] = { (1 - t->level) / 2, 0.5, (1 + t->level) / 2 };
  const size_t rows = m->samples.rows;
  double mean, quantile[3], sum = 0;
  MN_TRY(summarize(ctx, m, column, level, &mean, quantile));
  for (size_t i = 0; i < rows; i++) {
    const double deviation = mn_row(&m->samples, i)[column] - mean;
    sum += deviation * deviation / (double)rows;
  }
  t->std->at[row] = sqrt(sum);
  t->low->at[row] = quantile[0];
  t->high->at[row] = quantile[2];
  return MN_OK;
}

mn_status mn_gibbs_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                           mn_results *results)
{
  (void)data;
  const mn_gibbs *m = self;
  const size_t p = m->linear.coef.cols, intercept = m->fit_intercept;
  mn_posterior_table t;
  mn_text_page page;
  MN_TRY(mn_posterior_make(ctx, &m->linear, options, m->fit_intercept, true, results, &t));
  for (size_t row = 0; row < t.rows; row++) {
    const size_t j = row - intercept;
    MN_TRY(fill_row(ctx, m, &t, row, row < intercept ? p : j));
    t.estimate->at[row] = row < intercept ? m->linear.intercept.at[0] : m->linear.coef.at[j];
    if (row < intercept) continue;
    t.ess->at[row] = m->ess.at[j];
    t.r_hat->at[row] = m->r_hat.at[j];
  }
  if (intercept) MN_TRY(diagnose_intercept(ctx, m, &t));
  MN_TRY(mn_posterior_print(ctx, &t, &page));
  mn_print(&page,
           "Noise: standard deviation %.4g (median). %zu draws of %zu chains; maximum R-hat %.4f, minimum ESS %.0f",
           sqrt(m->sigma2), m->samples.rows, m->samples.rows / (size_t)m->kept, m->worst_r_hat, m->least_ess);
  return mn_result_text(ctx, results, "text", page.at, page.size);
}
