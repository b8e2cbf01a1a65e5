/* What fitted state space models do: filter, smooth, forecast, draw, advance. */
#include "../core/rng.h"
#include "../factorization/semidefinite.h"
#include "../stats/special.h"
#include "state_space.h"
#include <string.h>

/* --- actions --- */

/* A filter for X, and its rows by sequence. */
static mn_status make_filter(mn_context *ctx, const mn_state_space *m, const mn_data *data, mn_linear_system *system,
                             mn_filter *k)
{
  MN_TRY(mn_state_space_system(ctx, m, data->rows, system));
  return mn_filter_new(ctx, system, k);
}

/* Smoothed states of all rows: mean (rows x d), cov (rows x d x d) or NULL. */
static mn_status smooth_rows(mn_context *ctx, const mn_state_space *m, const mn_data *data, double *mean, double *cov)
{
  const size_t d = m->start_mean.size;
  mn_linear_system system;
  mn_filter k;
  MN_TRY(make_filter(ctx, m, data, &system, &k));
  for (size_t s = 0, first = 0; s < mn_sequences(data); first += mn_sequence_rows(data, s), s++) {
    const size_t n = mn_sequence_rows(data, s);
    const mn_mark mark = mn_scratch_mark(ctx);
    mn_filter_path path;
    MN_TRY(mn_filter_path_new(ctx, &system, n, &path));
    MN_TRY(mn_filter_rows(&k, first, n, data->x.at, &path, NULL, NULL, NULL));
    MN_TRY(mn_filter_smooth(&k, first, data->x.at, &path, mean + first * d, cov ? cov + first * d * d : NULL, NULL));
    mn_scratch_release(ctx, mark);
  }
  return MN_OK;
}

mn_status mn_state_space_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return smooth_rows(ctx, self, data, out->at, NULL);
}

mn_status mn_state_space_score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  mn_linear_system system;
  mn_filter k;
  MN_TRY(make_filter(ctx, self, data, &system, &k));
  for (size_t s = 0, first = 0; s < mn_sequences(data); first += mn_sequence_rows(data, s), s++)
    MN_TRY(mn_filter_rows(&k, first, mn_sequence_rows(data, s), data->x.at, NULL, out->at + first, NULL, NULL));
  return MN_OK;
}

/* --- operations --- */

/* Mean and variances of the observation of a state: H x + c, diag(H P H' + R). */
static void observe_state(const mn_linear_system *s, size_t t, const double *x, const double *cov, double *mean,
                          double *variance)
{
  const double *h = mn_matrix_step(&s->observation, t), *r = mn_matrix_step(&s->observation_cov, t);
  const size_t d = s->d;
  for (size_t i = 0; i < s->p; i++) {
    mean[i] = s->observation_offset[i];
    variance[i] = r[i * s->p + i];
    for (size_t a = 0; a < d; a++) {
      mean[i] += h[i * d + a] * x[a];
      for (size_t b = 0; b < d; b++) variance[i] += h[i * d + a] * cov[a * d + b] * h[i * d + b];
    }
  }
}

static mn_status filter(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  const size_t n = data->rows, d = ((const mn_state_space *)self)->start_mean.size, p = data->features;
  mn_linear_system system;
  mn_filter k;
  mn_matrix *mean, *cov, *prediction, *variance;
  double one;
  (void)options;
  MN_TRY(mn_result_matrix(ctx, results, "mean", n, d, &mean));
  MN_TRY(mn_result_matrix(ctx, results, "covariance", n * d, d, &cov));
  MN_TRY(mn_result_matrix(ctx, results, "prediction", n, p, &prediction));
  MN_TRY(mn_result_matrix(ctx, results, "prediction_variance", n, p, &variance));
  MN_TRY(make_filter(ctx, self, data, &system, &k));
  for (size_t s = 0, first = 0; s < mn_sequences(data); first += mn_sequence_rows(data, s), s++) {
    const size_t end = first + mn_sequence_rows(data, s);
    MN_TRY(mn_filter_rows(&k, first, end - first, data->x.at, NULL, NULL, mn_row(mean, first), mn_row(cov, first * d)));
    MN_TRY(mn_filter_start(&k));
    for (size_t t = first; t < end; t++) {
      observe_state(&system, t, k.state.mean, k.state.cov, mn_row(prediction, t), mn_row(variance, t));
      for (size_t i = 0; k.state.is_diffuse && i < p; i++) mn_row(variance, t)[i] = INFINITY;
      MN_TRY(mn_filter_update(&k, t, mn_row(&data->x, t), &one));
      if (t + 1 < end) MN_TRY(mn_filter_predict(&k, t));
    }
  }
  return MN_OK;
}

static mn_status smooth(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  const mn_state_space *m = self;
  const size_t n = data->rows, d = m->start_mean.size, p = data->features;
  mn_linear_system system;
  mn_matrix *mean, *cov, *signal, *variance;
  (void)options;
  MN_TRY(mn_result_matrix(ctx, results, "mean", n, d, &mean));
  MN_TRY(mn_result_matrix(ctx, results, "covariance", n * d, d, &cov));
  MN_TRY(mn_result_matrix(ctx, results, "signal", n, p, &signal));
  MN_TRY(mn_result_matrix(ctx, results, "signal_variance", n, p, &variance));
  MN_TRY(mn_state_space_system(ctx, m, n, &system));
  MN_TRY(smooth_rows(ctx, m, data, mean->at, cov->at));
  for (size_t t = 0; t < n; t++) {
    const double *r = mn_matrix_step(&system.observation_cov, t);
    observe_state(&system, t, mn_row(mean, t), mn_row(cov, t * d), mn_row(signal, t), mn_row(variance, t));
    for (size_t i = 0; i < p; i++) mn_row(variance, t)[i] -= r[i * p + i];
  }
  return MN_OK;
}

/* The state after the last row: of fit, or of the last sequence of X. */
static mn_status go_to_end(mn_context *ctx, const mn_state_space *m, const mn_data *data, mn_filter *k)
{
  const size_t d = m->start_mean.size;
  if (data->rows == 0) {
    memcpy(k->state.mean, m->next_mean.at, d * sizeof *k->state.mean);
    memcpy(k->state.cov, m->next_covariance.at, d * d * sizeof *k->state.cov);
    return MN_OK;
  }
  const size_t n = mn_sequence_rows(data, mn_sequences(data) - 1), first = data->rows - n;
  MN_TRY(mn_filter_rows(k, first, n, data->x.at, NULL, NULL, NULL, NULL));
  MN_TRY(mn_filter_predict(k, data->rows - 1));
  if (!k->state.is_diffuse) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "%s: forecast: the rows of X do not determine all states; use more rows",
                 mn_state_space_name(m));
}

static mn_status forecast(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                          mn_results *results)
{
  const mn_state_space *m = self;
  const mn_forecast_options *o = options;
  const size_t n = (size_t)o->steps, p = m->observation_intercept.size;
  const double z = mn_normal_quantile(0.5 + o->level / 2);
  mn_linear_system system;
  mn_filter k;
  mn_matrix *mean, *std, *low, *high;
  MN_TRY(mn_result_matrix(ctx, results, "mean", n, p, &mean));
  MN_TRY(mn_result_matrix(ctx, results, "std", n, p, &std));
  MN_TRY(mn_result_matrix(ctx, results, "low", n, p, &low));
  MN_TRY(mn_result_matrix(ctx, results, "high", n, p, &high));
  const size_t d = m->start_mean.size;
  if (m->transition_matrix.rows != d || m->state_covariance.rows != d || m->observation_matrix.rows != p ||
      m->observation_covariance.rows != p)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: forecast requires matrices that do not vary; append rows of missing values to X and use filter",
                   mn_state_space_name(m));
  MN_TRY(mn_state_space_system(ctx, m, data->rows, &system));
  MN_TRY(mn_filter_new(ctx, &system, &k));
  MN_TRY(mn_filter_start(&k));
  MN_TRY(go_to_end(ctx, m, data, &k));
  system.square_root = false;
  k.steady = false;
  for (size_t t = 0; t < n; t++) {
    observe_state(&system, 0, k.state.mean, k.state.cov, mn_row(mean, t), mn_row(std, t));
    for (size_t i = 0; i < p; i++) {
      mn_row(std, t)[i] = sqrt(fmax(mn_row(std, t)[i], 0));
      mn_row(low, t)[i] = mn_row(mean, t)[i] - z * mn_row(std, t)[i];
      mn_row(high, t)[i] = mn_row(mean, t)[i] + z * mn_row(std, t)[i];
    }
    MN_TRY(mn_filter_predict(&k, 0));
    k.steady = false;
    if (t % 1024 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* out = mean + L e */
static void draw(mn_rng *rng, size_t d, const double *mean, const double *factor, double *out)
{
  for (size_t i = 0; i < d; i++) out[i] = mean[i];
  for (size_t c = 0; c < d; c++) {
    const double e = mn_random_normal(rng);
    for (size_t i = 0; i < d; i++) out[i] += factor[i * d + c] * e;
  }
}

static mn_status sample(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  const mn_state_space *m = self;
  const mn_sample_options *o = options;
  const size_t n = (size_t)o->n, d = m->start_mean.size, p = m->observation_intercept.size;
  mn_rng rng = mn_stream(o->seed, 0);
  mn_linear_system s;
  mn_matrix *states, *x;
  (void)data;
  double *start = MN_RAW(ctx, double, d, d), *q = MN_RAW(ctx, double, d, d), *r = MN_RAW(ctx, double, p, p);
  double *mean = MN_RAW(ctx, double, d + p, 1);
  if (!start || !q || !r || !mean) return MN_NO_MEMORY;
  MN_TRY(mn_result_matrix(ctx, results, "X", n, p, &x));
  MN_TRY(mn_result_matrix(ctx, results, "states", n, d, &states));
  MN_TRY(mn_state_space_system(ctx, m, n, &s));
  MN_TRY(mn_semidefinite_factor(ctx, d, s.start_cov, "the covariance of the first state", start));
  draw(&rng, d, s.start_mean, start, mn_row(states, 0));
  for (size_t t = 0; t < n; t++) {
    const double *h = mn_matrix_step(&s.observation, t);
    if (t == 0 || s.state_cov.varies)
      MN_TRY(mn_semidefinite_factor(ctx, d, mn_matrix_step(&s.state_cov, t), "state_cov", q));
    if (t == 0 || s.observation_cov.varies)
      MN_TRY(mn_semidefinite_factor(ctx, p, mn_matrix_step(&s.observation_cov, t), "observation_cov", r));
    mn_small_product(p, d, 1, h, mn_row(states, t), mean);
    for (size_t i = 0; i < p; i++) mean[i] += s.observation_offset[i];
    draw(&rng, p, mean, r, mn_row(x, t));
    if (t + 1 == n) break;
    mn_small_product(d, d, 1, mn_matrix_step(&s.transition, t), mn_row(states, t), mean);
    for (size_t i = 0; i < d; i++) mean[i] += s.state_offset[i];
    draw(&rng, d, mean, q, mn_row(states, t + 1));
    if (t % 1024 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

struct advance_options {
  mn_vector row;
};

static const mn_param advance_params[] = {
  MN_OBSERVATION(struct advance_options, row, "the next observation, a value for each column; NaN where missing"),
  MN_END,
};

static mn_status advance(mn_context *ctx, void *self, const void *options)
{
  mn_state_space *m = self;
  const mn_vector *row = &((const struct advance_options *)options)->row;
  const size_t d = m->start_mean.size, p = m->observation_intercept.size;
  mn_linear_system system;
  mn_filter k;
  double loglike;
  if (row->size != p)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: advance: row must have %zu values, got %zu", mn_state_space_name(m), p,
                   row->size);
  MN_TRY(mn_state_space_system(ctx, m, 1, &system));
  system.square_root = false;
  MN_TRY(mn_filter_new(ctx, &system, &k));
  memcpy(k.state.mean, m->next_mean.at, d * sizeof *k.state.mean);
  memcpy(k.state.cov, m->next_covariance.at, d * d * sizeof *k.state.cov);
  MN_TRY(mn_filter_update(&k, 0, row->at, &loglike));
  MN_TRY(mn_filter_predict(&k, 0));
  memcpy(m->next_mean.at, k.state.mean, d * sizeof *k.state.mean);
  memcpy(m->next_covariance.at, k.state.cov, d * d * sizeof *k.state.cov);
  return MN_OK;
}

const mn_operation mn_state_space_operations[] = {
  { .name = "filter",
    .brief = "states given the rows up to their own, and predictions of each row from those before",
    .returns = "mean (Matrix: rows x states), covariance (Matrix: rows times states x states), prediction, "
               "prediction_variance (Matrix: rows x features)",
    .needs = MN_NEEDS_X,
    .run = filter },
  { .name = "smooth",
    .brief = "states and observations without noise given all rows of their sequence",
    .returns = "mean (Matrix: rows x states), covariance (Matrix: rows times states x states), signal, signal_variance "
               "(Matrix: rows x features)",
    .needs = MN_NEEDS_X,
    .run = smooth },
  { .name = "forecast",
    .brief = "observations after the last row of X, or of fit",
    .returns = "mean, std, low, high (Matrix: steps x features)",
    .needs = MN_NEEDS_X | MN_X_OR_NIL,
    .options = mn_forecast_params,
    .options_size = sizeof(mn_forecast_options),
    .run = forecast },
  { .name = "sample",
    .brief = "a sequence drawn from the model",
    .returns = "X (Matrix: n x features), states (Matrix: n x states)",
    .options = mn_sample_params,
    .options_size = sizeof(mn_sample_options),
    .run = sample },
  { .name = "advance",
    .brief = "take one more observation, a Vector, after those of fit, for forecasts online",
    .returns = "the model",
    .options = advance_params,
    .options_size = sizeof(struct advance_options),
    .modify = advance },
  { .name = NULL },
};
