/* Regression that ignores X: the mean, the median, a quantile or a given value of each target. */
#include "../model/class.h"
#include "../model/program.h"
#include "../stats/quantile.h"

enum { MEAN, MEDIAN, QUANTILE, CONSTANT };
static const char *const strategies[] = { "mean", "median", "quantile", "constant", NULL };

struct dummy_regressor {
  mn_estimator base;
  int64_t strategy;
  double quantile;
  mn_vector constant;
  mn_vector prediction; /* targets */
};

static double mean_of(const mn_data *data, const double *y)
{
  double mean = 0, total = 0;
  for (size_t i = 0; i < data->rows; i++) {
    total += mn_weight(data, i);
    mean += mn_weight(data, i) / total * (y[i] - mean);
  }
  return mean;
}

static mn_status check_constant(mn_context *ctx, const struct dummy_regressor *m, size_t targets)
{
  if (!m->constant.at)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "DummyRegressor: constant must be given for strategy 'constant', got nil");
  if (m->constant.size != 1 && m->constant.size != targets)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "DummyRegressor: constant must have 1 value or one per target, %zu, got %zu",
                   targets, m->constant.size);
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct dummy_regressor *m = self;
  const size_t n = data->rows, targets = data->y.cols;
  const double level = m->strategy == MEDIAN ? 0.5 : m->quantile;
  double *y = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(y);
  MN_TRY(mn_vector_init(ctx, &m->prediction, targets));
  if (m->strategy == CONSTANT) MN_TRY(check_constant(ctx, m, targets));
  for (size_t t = 0; t < targets; t++) {
    double *to = &m->prediction.at[t];
    for (size_t i = 0; i < n; i++) y[i] = mn_row(&data->y, i)[t];
    if (m->strategy == CONSTANT)
      *to = m->constant.at[m->constant.size == 1 ? 0 : t];
    else if (m->strategy == MEAN)
      *to = mean_of(data, y);
    else
      MN_TRY(mn_quantiles(ctx, n, y, data->weights, 1, &level, to));
  }
  return MN_OK;
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  (void)ctx;
  const struct dummy_regressor *m = self;
  for (size_t i = 0; i < data->rows; i++)
    for (size_t t = 0; t < out->cols; t++) mn_row(out, i)[t] = m->prediction.at[t];
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)ctx;
  const struct dummy_regressor *m = self;
  if (action != MN_PREDICT) return MN_OK;
  mn_program_reals(program, "prediction", m->prediction.size, m->prediction.at);
  mn_program_code(program, "for t < outputs { out[t] = prediction[t] }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_CHOICE(struct dummy_regressor, strategy, MEAN, strategies, "which value of y to predict"),
  MN_REAL(struct dummy_regressor, quantile, 0.5, MN_CLOSED(0, 1), "level of the strategy quantile: 0.5 is the median"),
  MN_NUMBER_OR_REALS(struct dummy_regressor, constant, MN_NO_LIMITS(),
                     "value of the strategy constant, or a list with one per target"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct dummy_regressor, prediction, "targets", "the value that is predicted for every row"),
  MN_END,
};

const mn_class mn_dummy_regressor = {
  .name = "DummyRegressor",
  .family = "baseline",
  .brief = "Baseline that ignores X: the mean, median, a quantile or a given value.",
  .objective = "prediction = mean, median or quantile of y",
  .source = "the sample mean and the sample quantile",
  .notes = "A regressor is useful only if it scores higher than this: R2 of the mean is 0 on the training rows. The "
           "median has the least absolute error of all constants. Quantiles are interpolated; weights count rows.",
  .example = "local model = ml.DummyRegressor{ strategy = 'median' }:fit({ {1}, {2}, {3} }, { 1, 2, 9 })\n"
             "print(model:predict{ {9} })",
  .capabilities = MN_REGRESS | MN_IGNORES_X | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_MISSING | MN_FACTORS | MN_MULTITARGET,
  .size = sizeof(struct dummy_regressor),
  .params = params,
  .fields = fields,
  .fit = fit,
  .predict = predict,
  .export = export,
};
