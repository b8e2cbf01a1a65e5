#include "gaussian_problem.h"
#include "../linear/linear.h"
#include <string.h>

enum { SMALL_PROBLEM = 1 << 22 };

mn_gaussians mn_gmm_state(const mn_gmm_problem *f, const double *state)
{
  return mn_gaussians_view(f->k, f->p, f->diagonal, (double *)(uintptr_t)state);
}

mn_status mn_gmm_workspace(mn_context *ctx, void *problem, void **sums)
{
  const mn_gaussians g = mn_gmm_state(problem, NULL);
  mn_gaussian_sums *made = MN_NEW(ctx, mn_gaussian_sums, 1, 1);
  MN_CHECK_ALLOC(made);
  *sums = made;
  return mn_gaussian_sums_init(ctx, &g, made);
}

mn_status mn_gmm_expect(mn_context *ctx, const mn_gmm_problem *f, const mn_gaussians *g, mn_gaussian_sums *sums)
{
  const mn_gaussian_pass pass = { .g = g,
                                  .n = f->rows.n,
                                  .x = f->rows.x,
                                  .weights = f->rows.weights,
                                  .log_noise = log(*g->noise) - f->log_noise_volume,
                                  .columns = f->columns,
                                  .sums = sums };
  MN_TRY(mn_gaussian_run_pass(ctx, &pass));
  return f->rows.incomplete > 0 ? mn_gaussian_missing_pass(ctx, f->data, &f->rows, &pass, NULL, NULL) : MN_OK;
}

void mn_gmm_center_scatter(const mn_gmm_problem *f, const mn_gaussians *g, mn_gaussian_sums *s)
{
  const size_t p = f->p;
  for (size_t k = 0; k < f->k; k++) {
    const double *sum = s->sum + k * p;
    double *scatter = s->scatter + k * g->width;
    for (size_t i = 0; i < p; i++) {
      g->mean[k * p + i] += sum[i] / s->count[k];
      if (g->diagonal) {
        scatter[i] = fmax(scatter[i] - sum[i] * sum[i] / s->count[k], 0) + s->count[k] * f->m->reg_covar;
        continue;
      }
      for (size_t j = 0; j < p; j++) scatter[i * p + j] -= sum[i] * sum[j] / s->count[k];
      scatter[i * (p + 1)] = fmax(scatter[i * (p + 1)], 0) + s->count[k] * f->m->reg_covar;
    }
  }
}

static void set_mean(const mn_data *data, double *mean)
{
  double total = 0;
  memset(mean, 0, data->features * sizeof *mean);
  for (size_t i = 0; i < data->rows; i++) {
    const double w = mn_weight(data, i), *x = mn_row(&data->x, i);
    total += w;
    for (size_t j = 0; j < data->features; j++) mean[j] += w / total * (x[j] - mean[j]);
  }
}

/* The component with the nearest of the given means. */
static void nearest_given(const mn_gmm_problem *f, int32_t *label)
{
  for (size_t i = 0; i < f->filled.rows; i++) {
    const double *x = mn_row(&f->filled.x, i);
    double best = INFINITY;
    label[i] = 0;
    for (size_t k = 0; k < f->k; k++) {
      double distance2 = 0;
      for (size_t j = 0; j < f->p; j++) {
        const double difference = x[j] - mn_row(&f->m->means_init, k)[j];
        distance2 += difference * difference;
      }
      if (!(distance2 < best)) continue;
      best = distance2;
      label[i] = (int32_t)k;
    }
  }
}

static mn_status start_labels(mn_context *ctx, const mn_gmm_problem *f, size_t index, int32_t *label)
{
  mn_rng rng = mn_stream(f->m->seed, index);
  if (f->m->means_init.at) {
    nearest_given(f, label);
    return MN_OK;
  }
  return mn_mixture_start_labels(ctx, &f->filled, f->k, f->m->init_params, &rng, label);
}

mn_status mn_gmm_start_sums(mn_context *ctx, const mn_gmm_problem *f, size_t index, const mn_gaussians *g,
                            mn_gaussian_sums *sums)
{
  int32_t *label = NULL;
  if (!f->m->responsibilities_init.at) {
    MN_CHECK_ALLOC(label = MN_RAW(ctx, int32_t, f->data->rows, 1));
    MN_TRY(start_labels(ctx, f, index, label));
  }
  const mn_gaussian_pass pass = { .g = g,
                                  .n = f->data->rows,
                                  .x = f->filled.x.at,
                                  .weights = f->data->weights,
                                  .columns = f->columns,
                                  .label = label,
                                  .given = label ? NULL : f->m->responsibilities_init.at,
                                  .sums = sums };
  for (size_t k = 0; k < f->k; k++) memcpy(g->mean + k * f->p, f->mean, f->p * sizeof *g->mean);
  for (int round = 0; round < 2; round++) {
    MN_TRY(mn_gaussian_run_pass(ctx, &pass));
    for (size_t k = 0; round == 0 && k < f->k; k++)
      for (size_t j = 0; sums->count[k] > 0 && j < f->p; j++)
        g->mean[k * f->p + j] += sums->sum[k * f->p + j] / sums->count[k];
  }
  return MN_OK;
}

/* Copies of X for the starts: without missing values, which become the mean of their column. */
static mn_status fill_means(mn_context *ctx, const mn_data *data, mn_data *filled)
{
  const size_t n = data->rows, p = data->features;
  double *x = MN_RAW(ctx, double, n, p);
  MN_CHECK_ALLOC(x);
  memcpy(x, data->x.at, n * p * sizeof *x);
  for (size_t j = 0; j < p; j++) {
    double mean = 0, total = 0;
    for (size_t i = 0; i < n; i++) {
      const double w = mn_weight(data, i);
      if (isnan(x[i * p + j])) continue;
      total += w;
      mean += w / total * (x[i * p + j] - mean);
    }
    if (!(total > 0)) return mn_fail(ctx, MN_BAD_DATA, "column %zu of X has only missing values; remove it", j + 1);
    for (size_t i = 0; i < n; i++) x[i * p + j] = isnan(x[i * p + j]) ? mean : x[i * p + j];
  }
  *filled = *data;
  filled->x.at = x;
  return MN_OK;
}

mn_status mn_gmm_check_shape(mn_context *ctx, const mn_gmm *m, const char *name, const mn_matrix *given, size_t rows,
                             size_t cols)
{
  if (!given->at || (given->rows == rows && given->cols == cols)) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be %zu x %zu, got %zu x %zu", m->base.class->name, name, rows, cols,
                 given->rows, given->cols);
}

/* The volume of the uniform component: of the box that contains the rows. */
static mn_status find_volume(mn_context *ctx, mn_gmm_problem *f)
{
  const mn_gmm *m = f->m;
  f->log_noise_volume = log(m->noise_volume);
  if (!isnan(m->noise_volume)) return MN_OK;
  f->log_noise_volume = 0;
  MN_CHECK_ALLOC(f->noise_box = MN_RAW(ctx, double, f->p, 2));
  for (size_t j = 0; j < f->p; j++) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < f->data->rows; i++) {
      low = fmin(low, mn_row(&f->filled.x, i)[j]);
      high = fmax(high, mn_row(&f->filled.x, i)[j]);
    }
    if (!(high > low))
      return mn_fail(ctx, MN_BAD_DATA, "noise requires columns that vary, but column %zu is constant; remove it",
                     j + 1);
    f->log_noise_volume += log(high - low);
    f->noise_box[j] = low;
    f->noise_box[f->p + j] = high;
  }
  return MN_OK;
}

mn_status mn_gmm_prepare(mn_context *ctx, const mn_gmm *m, const mn_data *data, mn_gmm_problem *f)
{
  *f = (mn_gmm_problem){ .m = m, .data = data, .filled = *data, .k = (size_t)m->n_components, .p = data->features };
  f->model = mn_covariance_model(m->covariance_type);
  f->diagonal = mn_covariance_is_diagonal(f->model);
  f->columns = f->k + (m->noise > 0);
  f->total = mn_total_weight(data);
  if (f->k > data->rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_components must be at most the number of rows, %zu, got %zu",
                   m->base.class->name, data->rows, f->k);
  MN_TRY(mn_gmm_check_shape(ctx, m, "means_init", &m->means_init, f->k, f->p));
  MN_TRY(mn_gmm_check_shape(ctx, m, "responsibilities_init", &m->responsibilities_init, data->rows, f->columns));
  MN_TRY(mn_check_magnitudes(ctx, &m->base, data));
  MN_TRY(mn_split_missing(ctx, data, &f->rows));
  if (f->rows.incomplete > 0) MN_TRY(fill_means(ctx, data, &f->filled));
  MN_CHECK_ALLOC(f->mean = MN_RAW(ctx, double, f->p, 1));
  set_mean(&f->filled, f->mean);
  return m->noise > 0 ? find_volume(ctx, f) : MN_OK;
}

mn_em mn_gmm_loop(const mn_gmm_problem *f)
{
  const bool one_start = f->m->means_init.at || f->m->responsibilities_init.at;
  return (mn_em){ .problem = (void *)(uintptr_t)f,
                  .state_size = mn_gaussians_size(f->k, f->p, f->diagonal),
                  .starts = one_start ? 1 : (size_t)f->m->n_init,
                  .starts_in_threads = f->data->rows * f->k * mn_gaussians_size(1, f->p, f->diagonal) < SMALL_PROBLEM,
                  .max_iter = f->m->max_iter,
                  .tol = f->m->tol,
                  .scale = f->total,
                  .advice = "increase max_iter or tol; EM is slow if components overlap",
                  .make_workspace = mn_gmm_workspace };
}

static mn_status store_covariances(mn_context *ctx, mn_gmm *m, const mn_gaussians *g)
{
  const size_t blocks = m->model == MN_EEE ? 1 : g->k, rows = g->diagonal ? g->k : blocks * g->p;
  MN_TRY(mn_matrix_init(ctx, &m->covariances, rows, g->p));
  MN_TRY(mn_matrix_init(ctx, &m->precisions_cholesky, rows, g->p));
  memcpy(m->covariances.at, g->covariance, rows * g->p * sizeof(double));
  memcpy(m->precisions_cholesky.at, g->root, rows * g->p * sizeof(double));
  return MN_OK;
}

mn_status mn_gmm_store(mn_context *ctx, mn_gmm *m, const mn_gmm_problem *f, const mn_gaussians *g)
{
  m->model = (int64_t)f->model;
  MN_TRY(mn_vector_init(ctx, &m->weights, f->k));
  MN_TRY(mn_matrix_init(ctx, &m->means, f->k, f->p));
  memcpy(m->weights.at, g->weight, f->k * sizeof *g->weight);
  memcpy(m->means.at, g->mean, f->k * f->p * sizeof *g->mean);
  return store_covariances(ctx, m, g);
}
