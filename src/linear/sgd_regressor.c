/* Linear regression by stochastic gradient descent. Minimise over b and c, for each target,
 *
 *     1/n sum_i w_i loss(y_i, x_i b + c) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2)
 *
 * by a step against the gradient of one row at a time (sgd_walk.h). */
#include "sgd.h"

static mn_status make_problem(mn_context *ctx, const mn_sgd *m, const mn_data *data, mn_sgd_problem *p)
{
  double *y = MN_RAW(ctx, double, data->rows, data->y.cols);
  MN_NEED(y);
  for (size_t i = 0; i < data->rows; i++)
    for (size_t t = 0; t < data->y.cols; t++) y[t * data->rows + i] = data->y.at[i * data->y.cols + t];
  *p = (mn_sgd_problem){ .data = data, .scores = data->y.cols, .y = y, .loss = MN_SGD_SQUARED_ERROR + m->loss };
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_sgd_problem p;
  MN_TRY(make_problem(ctx, self, data, &p));
  return mn_sgd_fit(ctx, self, &p);
}

static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_sgd_problem p;
  MN_TRY(make_problem(ctx, self, data, &p));
  return mn_sgd_partial_fit(ctx, self, &p);
}

static const mn_param params[] = {
  MN_SGD_PARAMS(mn_sgd_loss_names + MN_SGD_SQUARED_ERROR, 0, MN_SGD_INVSCALING, 0.25),
  MN_END,
};

static const mn_field fields[] = {
  MN_SGD_FIELDS("targets"),
  MN_END,
};

const mn_class mn_sgd_regressor = {
  .name = "SGDRegressor",
  .family = "linear",
  .brief =
      "Linear regression by stochastic gradient descent: for many rows, sparse rows, and rows that come in batches.",
  .objective = "1/n sum_i w_i loss(y_i, x_i b + c) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2)",
  .source = "Bottou, Stochastic Gradient Descent Tricks (2012); Tsuruoka, Tsujii & Ananiadou, ACL 2009, for L1",
  .notes = "Losses, r being y - z: squared_error r^2 / 2; huber, r^2 / 2 up to epsilon and linear beyond; "
           "epsilon_insensitive, what |r| exceeds epsilon by, or its square. " MN_SGD_NOTES,
  .example = "local X = { {-1}, {0}, {1}, {2} }\n"
             "local model = ml.SGDRegressor{ alpha = 0, eta0 = 0.1, max_iter = 100 }:fit(X, { -2, 1, 4, 7 })\n"
             "print(model:predict{ {3} })",
  .does = MN_REGRESS | MN_ITERATE | MN_RANDOM | MN_NOISY,
  .takes = MN_WEIGHTS | MN_WEIGHTS_SCALE | MN_SPARSE | MN_MULTITARGET,
  .size = sizeof(mn_sgd),
  .params = params,
  .fields = fields,
  .fit = fit,
  .partial_fit = partial_fit,
  .predict = mn_linear_predict,
  .export = mn_linear_export,
  .check = mn_sgd_check,
};
