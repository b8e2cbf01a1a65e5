/* What a fitted Gaussian mixture does with rows. */
#include "../factorization/lapack.h"
#include "gaussian.h"
#include <string.h>

size_t mn_gmm_columns(const void *self)
{
  const mn_gmm *m = self;
  return m->weights.size + (m->noise_weight > 0);
}

/* Run a pass over all rows. Outputs as those of mn_gaussian_pass, one entry for each row. */
static mn_status run(mn_context *ctx, const mn_gmm *m, const mn_data *data, double *log_density,
                     double *log_responsibility, double *mean, double *variance)
{
  const size_t columns = mn_gmm_columns(m);
  mn_gaussians g;
  mn_split_rows s;
  MN_TRY(mn_gmm_view(ctx, m, &g));
  MN_TRY(mn_split_missing(ctx, data, &s));
  mn_gaussian_pass pass = { .g = &g, .n = s.n, .x = s.x, .columns = columns, .log_density = log_density };
  pass.log_noise = columns > g.k ? log(m->noise_weight) - m->log_noise_volume : -INFINITY;
  pass.log_responsibility = log_responsibility;
  if (s.incomplete == 0) return log_density || log_responsibility ? mn_gaussian_run_pass(ctx, &pass) : MN_OK;
  if (log_density) MN_CHECK_ALLOC(pass.log_density = MN_RAW(ctx, double, s.n, 1));
  if (log_responsibility) MN_CHECK_ALLOC(pass.log_responsibility = MN_RAW(ctx, double, s.n, columns));
  if (log_density || log_responsibility) MN_TRY(mn_gaussian_run_pass(ctx, &pass));
  for (size_t i = 0; i < s.n; i++) {
    if (log_density) log_density[s.row[i]] = pass.log_density[i];
    if (log_responsibility)
      memcpy(log_responsibility + s.row[i] * columns, pass.log_responsibility + i * columns, columns * sizeof(double));
  }
  pass.log_density = log_density;
  pass.log_responsibility = log_responsibility;
  return mn_gaussian_missing_pass(ctx, data, &s, &pass, mean, variance);
}

mn_status mn_gmm_log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return run(ctx, self, data, NULL, out->at, NULL, NULL);
}

mn_status mn_gmm_score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return run(ctx, self, data, out->at, NULL, NULL, NULL);
}

mn_status mn_gmm_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_gmm *m = self;
  const size_t columns = mn_gmm_columns(m), k = m->weights.size;
  double *r = MN_RAW(ctx, double, data->rows, columns);
  MN_CHECK_ALLOC(r);
  MN_TRY(run(ctx, m, data, NULL, r, NULL, NULL));
  for (size_t i = 0; i < data->rows; i++) {
    size_t best = 0;
    for (size_t c = 1; c < columns; c++)
      if (r[i * columns + c] > r[i * columns + best]) best = c;
    out->at[i] = best < k ? (double)best : -1;
  }
  return MN_OK;
}

mn_status mn_gmm_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  memcpy(out->at, data->x.at, data->rows * data->features * sizeof *out->at);
  return run(ctx, self, data, NULL, NULL, out->at, NULL);
}

mn_status mn_gmm_conditional(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  (void)options;
  mn_matrix *mean, *variance, *r;
  const size_t columns = mn_gmm_columns(self);
  MN_TRY(mn_result_matrix(ctx, results, "mean", data->rows, data->features, &mean));
  MN_TRY(mn_result_matrix(ctx, results, "variance", data->rows, data->features, &variance));
  MN_TRY(mn_result_matrix(ctx, results, "responsibilities", data->rows, columns, &r));
  memcpy(mean->at, data->x.at, data->rows * data->features * sizeof *mean->at);
  MN_TRY(run(ctx, self, data, NULL, r->at, mean->at, variance->at));
  for (size_t i = 0; i < data->rows * columns; i++) r->at[i] = exp(r->at[i]);
  return MN_OK;
}

const mn_param mn_gmm_sample_params[] = {
  MN_COUNT(mn_gmm_sample_options, n, 1, MN_CLOSED(1, INT32_MAX), "number of rows"),
  MN_SEED(mn_gmm_sample_options, seed),
  MN_END,
};

/* x = mean + inv(R') z for standard normal z, by back substitution in R' e = z. */
static void draw(const mn_gaussians *g, size_t k, mn_rng *rng, double *x)
{
  const size_t p = g->p;
  const double *root = g->root + k * g->width;
  for (size_t j = 0; j < p; j++) {
    double value = mn_random_normal(rng);
    for (size_t i = 0; !g->diagonal && i < j; i++) value -= root[i * p + j] * x[i];
    x[j] = value / root[g->diagonal ? j : j * (p + 1)];
  }
  for (size_t j = 0; j < p; j++) x[j] += g->mean[k * p + j];
}

/* A row of the uniform component. */
static void draw_noise(const mn_matrix *box, mn_rng *rng, double *x)
{
  for (size_t j = 0; j < box->cols; j++) {
    const double share = mn_random_uniform(rng);
    x[j] = (1 - share) * mn_row(box, 0)[j] + share * mn_row(box, 1)[j];
  }
}

/* Weights of the components, and of noise behind them. */
static mn_status sample_weights(mn_context *ctx, const mn_gmm *m, const mn_gaussians *g, double **weight)
{
  if (m->noise_weight > 0 && !m->noise_box.at)
    return mn_fail(
        ctx, MN_BAD_ARGUMENT,
        "GaussianMixture: sample of a model with noise requires noise_volume = nil, because a volume alone does "
        "not say where the noise is");
  MN_CHECK_ALLOC(*weight = MN_RAW(ctx, double, g->k + 1, 1));
  memcpy(*weight, g->weight, g->k * sizeof **weight);
  (*weight)[g->k] = m->noise_weight;
  return MN_OK;
}

mn_status mn_gmm_sample(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  (void)data;
  const mn_gmm *m = self;
  const mn_gmm_sample_options *o = options;
  mn_gaussians g;
  mn_matrix *x;
  mn_indexes *label;
  double *weight = NULL;
  MN_TRY(mn_gmm_view(ctx, m, &g));
  MN_TRY(sample_weights(ctx, m, &g, &weight));
  MN_TRY(mn_result_matrix(ctx, results, "X", (size_t)o->n, g.p, &x));
  MN_TRY(mn_result_indexes(ctx, results, "labels", (size_t)o->n, &label));
  for (size_t i = 0; i < x->rows; i++) {
    mn_rng rng = mn_stream(o->seed, i);
    const size_t k = mn_random_weighted(&rng, weight, mn_gmm_columns(m));
    label->at[i] = k < g.k ? (int32_t)k : -1;
    if (k < g.k)
      draw(&g, k, &rng, mn_row(x, i));
    else
      draw_noise(&m->noise_box, &rng, mn_row(x, i));
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

const mn_param mn_gmm_covariance_params[] = {
  MN_COUNT(mn_gmm_covariance_options, component, 1, MN_AT_LEAST(1), "number of the component"),
  MN_END,
};

mn_status mn_gmm_covariance(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                            mn_results *results)
{
  (void)data;
  const mn_gmm_covariance_options *o = options;
  mn_gaussians g;
  mn_matrix *out;
  MN_TRY(mn_gmm_view(ctx, self, &g));
  if ((uint64_t)o->component > g.k)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: component must be at most %zu, got %lld",
                   ((const mn_estimator *)self)->class->name, g.k, (long long)o->component);
  const double *from = g.covariance + ((size_t)o->component - 1) * g.width;
  MN_TRY(mn_result_matrix(ctx, results, "covariance", g.p, g.p, &out));
  for (size_t i = 0; i < g.p; i++)
    for (size_t j = 0; j < g.p; j++) out->at[i * g.p + j] = !g.diagonal ? from[i * g.p + j] : i == j ? from[i] : 0;
  return MN_OK;
}

const mn_operation mn_gmm_operations[] = {
  MN_GMM_CONDITIONAL,
  MN_GMM_COVARIANCE_AND_SAMPLE,
  { .name = NULL },
};

const mn_operation mn_gmm_bayesian_operations[] = { MN_GMM_COVARIANCE_AND_SAMPLE, { .name = NULL } };

/* Log densities of all components, `score`, and the logarithm of their sum. */
static void write_scores(const mn_gaussians *g, size_t columns, mn_program *program)
{
  mn_program_reals(program, "mean", g->k * g->p, g->mean);
  mn_program_reals(program, "root", g->k * g->width, g->root);
  mn_program_reals(program, "start", g->k, g->start);
  mn_program_count(program, "components", g->k);
  mn_program_count(program, "columns", columns);
  mn_program_code(program, "reals score[columns]"
                           " for c < components {"
                           "   real sum = 0.0"
                           "   for j < features {");
  mn_program_code(program, g->diagonal ? "real z = (x[j] - mean[c * features + j]) * root[c * features + j]"
                                       : "real z = 0.0"
                                         " for i < features {"
                                         "   z += (x[i] - mean[c * features + i])"
                                         "        * root[c * features * features + i * features + j]"
                                         " }");
  mn_program_code(program, "     sum += z * z"
                           "   }"
                           "   score[c] = start[c] - sum / 2.0"
                           " }");
  if (columns > g->k) mn_program_code(program, "score[components] = log_noise");
}

mn_status mn_gmm_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_gmm *m = self;
  const size_t columns = mn_gmm_columns(m);
  mn_gaussians g;
  MN_TRY(mn_gmm_view(ctx, m, &g));
  mn_program_real(program, "log_noise", columns > g.k ? log(m->noise_weight) - m->log_noise_volume : 0);
  if (action == MN_PREDICT && columns > g.k) return MN_OK; /* programs have no label for noise */
  if (m->base.class->accepts & MN_MISSING)
    mn_program_code(program, "for j < features { if isnan(x[j]) {"
                             " refuse \"missing values are supported in Lua only\" } }");
  if (action == MN_TRANSFORM_X) mn_program_code(program, "for j < features { out[j] = x[j] }");
  if (action != MN_TRANSFORM_X) write_scores(&g, columns, program);
  if (action == MN_PREDICT)
    mn_program_code(program, "int best = 0"
                             " for c < columns { if score[c] > score[best] { best = c } }"
                             " out[0] = best + 0.0");
  if (action == MN_PREDICT_LOG_PROBA)
    mn_program_code(program, "for c < columns { out[c] = score[c] } log_softmax(columns, out)");
  if (action == MN_SCORE_SAMPLES)
    mn_program_code(program, "real largest = score[0] real sum = 0.0"
                             " for c < columns { largest = score[c] > largest ? score[c] : largest }"
                             " for c < columns { sum += exp(score[c] - largest) }"
                             " out[0] = largest + log(sum)");
  return MN_OK;
}
