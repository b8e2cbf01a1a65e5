#include "gp_uncertainty.h"
#include "../core/rng.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include <math.h>
#include <string.h>

static bool has_posterior(const mn_class *class)
{
  for (const mn_operation *o = class->operations; o->name; o++)
    if (strcmp(o->name, "posterior") == 0) return true;
  return false;
}

mn_status mn_gp_require_one_target(mn_context *ctx, const mn_estimator *model, size_t targets, const char *operation)
{
  if (targets == 1) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s requires one target, got %zu%s", model->class->name, operation, targets,
                 has_posterior(model->class) ? "; use posterior" : "; fit each target by itself");
}

static mn_status predict_means(mn_context *ctx, const mn_gp_predictor *p, const mn_data *data, double *out)
{
  mn_matrix means = { .at = out, .rows = data->rows, .cols = p->targets };
  return p->predict(ctx, p->model, data, &means);
}

/* Means, and standard deviations with or without the noise. */
static mn_status find_intervals(mn_context *ctx, const mn_gp_predictor *p, const mn_data *data, bool with_noise,
                                double level, const mn_intervals *out)
{
  double *noise = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(noise);
  MN_TRY(predict_means(ctx, p, data, out->mean->at));
  MN_TRY(p->variances(ctx, p->model, data, out->std->at, noise));
  for (size_t i = 0; i < data->rows; i++)
    out->std->at[i] = p->scale * sqrt(out->std->at[i] + (with_noise ? noise[i] : 0));
  mn_intervals_normal(out, level);
  return MN_OK;
}

mn_status mn_gp_predict_interval(mn_context *ctx, const mn_gp_predictor *p, const mn_data *data, const void *options,
                                 mn_results *results)
{
  const mn_interval_options *o = options;
  mn_intervals out;
  MN_TRY(mn_gp_require_one_target(ctx, p->model, p->targets, "predict_interval"));
  MN_TRY(mn_intervals_make(ctx, results, data->rows, &out));
  return find_intervals(ctx, p, data, true, o->level, &out);
}

static const char *const interval_kinds[] = { "prediction", "confidence", NULL };

const mn_param mn_gp_interval_params[] = {
  MN_REAL(mn_gp_interval_options, level, 0.95, MN_OPEN(0, 1), "probability of the intervals"),
  MN_CHOICE(mn_gp_interval_options, kind, MN_GP_OF_OBSERVATION, interval_kinds,
            "prediction: of a new observation; confidence: of the function"),
  MN_END,
};

mn_status mn_gp_intervals(mn_context *ctx, const mn_gp_predictor *p, const mn_data *data, const void *options,
                          mn_results *results)
{
  const mn_gp_interval_options *o = options;
  mn_intervals out;
  MN_TRY(mn_gp_require_one_target(ctx, p->model, p->targets, "intervals"));
  MN_TRY(mn_result_vector(ctx, results, "intervals.fit", data->rows, &out.mean));
  MN_TRY(mn_result_vector(ctx, results, "intervals.low", data->rows, &out.low));
  MN_TRY(mn_result_vector(ctx, results, "intervals.high", data->rows, &out.high));
  MN_TRY(mn_result_vector(ctx, results, "intervals.std_error", data->rows, &out.std));
  return find_intervals(ctx, p, data, o->kind == MN_GP_OF_OBSERVATION, o->level, &out);
}

mn_status mn_gp_give_posterior(mn_context *ctx, const mn_gp_predictor *p, const mn_data *data, const void *options,
                               mn_results *results)
{
  mn_matrix *mean, *covariance;
  (void)options;
  MN_TRY(mn_result_matrix(ctx, results, "mean", data->rows, p->targets, &mean));
  MN_TRY(mn_result_matrix(ctx, results, "covariance", data->rows, data->rows, &covariance));
  MN_TRY(predict_means(ctx, p, data, mean->at));
  return p->covariance(ctx, p->model, data, covariance->at);
}

const mn_param mn_gp_sample_params[] = {
  MN_COUNT(mn_gp_sample_options, n, 1, MN_CLOSED(1, INT32_MAX), "number of functions"),
  MN_SEED(mn_gp_sample_options, seed),
  MN_END,
};

/* mean + scale V sqrt(D) z for normal z, with the covariance V D V', which may be singular. */
mn_status mn_gp_draw(mn_context *ctx, const mn_gp_sample_options *o, const double *mean, double scale,
                     double *covariance, mn_matrix *samples)
{
  const size_t rows = samples->rows, n = samples->cols;
  double *values = MN_RAW(ctx, double, rows, 1), *vectors = MN_RAW(ctx, double, rows, rows),
         *z = MN_RAW(ctx, double, rows, n);
  if (!values || !vectors || !z) return MN_NO_MEMORY;
  MN_TRY(mn_eigh(ctx, rows, rows, MN_LARGEST, covariance, values, vectors));
  for (size_t i = 0; i < rows; i++) {
    mn_rng random = mn_stream(o->seed, i);
    const double deviation = scale * sqrt(fmax(values[i], 0));
    for (size_t k = 0; k < n; k++) z[i * n + k] = deviation * mn_random_normal(&random);
    for (size_t k = 0; k < n; k++) mn_row(samples, i)[k] = mean[i];
  }
  return mn_gemm(ctx, true, false, rows, n, rows, 1, vectors, rows, z, n, 1, samples->at, n);
}

mn_status mn_gp_sample_y(mn_context *ctx, const mn_gp_predictor *p, const mn_data *data, const void *options,
                         mn_results *results)
{
  const mn_gp_sample_options *o = options;
  const size_t rows = data->rows;
  mn_matrix *samples;
  double *covariance = MN_RAW(ctx, double, rows, rows), *mean = MN_RAW(ctx, double, rows, 1);
  if (!covariance || !mean) return MN_NO_MEMORY;
  MN_TRY(mn_gp_require_one_target(ctx, p->model, p->targets, "sample_y"));
  MN_TRY(mn_result_matrix(ctx, results, "samples", rows, (size_t)o->n, &samples));
  MN_TRY(predict_means(ctx, p, data, mean));
  MN_TRY(p->covariance(ctx, p->model, data, covariance));
  return mn_gp_draw(ctx, o, mean, p->scale, covariance, samples);
}

const mn_param mn_gp_likelihood_params[] = {
  MN_REALS(mn_gp_likelihood_options, theta, MN_NO_LIMITS(),
           "logarithms of the free hyperparameters, as fitted_kernel.theta; nil: those of the fit"),
  MN_END,
};

mn_status mn_gp_check_theta(mn_context *ctx, const mn_estimator *model, size_t k,
                            const mn_gp_likelihood_options *options)
{
  if (!options->theta.at || options->theta.size == k) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: theta must have a value for each of %zu free hyperparameters, got %zu",
                 model->class->name, k, options->theta.size);
}

mn_status mn_gp_start_likelihood(mn_context *ctx, const mn_estimator *model, const mn_kernel *fitted,
                                 const void *options, mn_results *results, mn_kernel *kernel, double **gradient)
{
  const mn_gp_likelihood_options *o = options;
  const size_t k = mn_kernel_free_count(fitted);
  mn_vector *out;
  MN_TRY(mn_gp_check_theta(ctx, model, k, o));
  MN_TRY(mn_result_vector(ctx, results, "gradient", k, &out));
  MN_TRY(mn_kernel_scratch_copy(ctx, fitted, kernel));
  if (o->theta.at) mn_kernel_set_theta(kernel, o->theta.at);
  *gradient = out->at;
  return MN_OK;
}
