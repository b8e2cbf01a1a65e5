/* Linear support vector regression: linear_svm.h with target y and equal costs on both sides of the tube. */
#include "linear_svm_model.h"

static const char *const losses[] = { "squared_epsilon_insensitive", "epsilon_insensitive", NULL };

static void set_terms(const struct mn_linear_svm_model *m, const mn_data *data, size_t score, double *target,
                      double *up, double *down)
{
  for (size_t i = 0; i < data->rows; i++) {
    target[i] = data->y.at[i * data->y.cols + score];
    up[i] = down[i] = m->C * mn_weight(data, i);
  }
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  return mn_linear_svm_fit(ctx, self, data, data->y.cols, set_terms);
}

static const mn_param params[] = {
  MN_REAL(struct mn_linear_svm_model, epsilon, 0.0, MN_AT_LEAST(0),
          "errors up to this size have no loss, in units of y"),
  MN_SVM_C("cost of an error beyond epsilon; larger values fit the data more closely"),
  MN_CHOICE(struct mn_linear_svm_model, loss, MN_SVM_LINEAR, losses,
            "epsilon_insensitive max(0, |y - z| - epsilon), or its square"),
  MN_SVM_PARAMS,
  MN_END,
};

static const mn_field fields[] = { MN_LINEAR_SVM_FIELDS("targets"), MN_END };

const mn_class mn_linear_svr = {
  .name = "LinearSVR",
  .family = "svm",
  .brief = "Linear support vector regression: errors up to epsilon cost nothing.",
  .objective = "1/2 |b|^2 + C sum_i w_i max(0, |y_i - x_i b - c| - epsilon), or with the maximum squared",
  .source = "Ho & Lin, JMLR 13 (2012)",
  .notes = "Parameters are those of scikit-learn and liblinear, but the intercept is not penalized; "
           "with intercept_scaling = 1 the objective is theirs. tol is a relative duality gap. "
           "If several intercepts are optimal, the one in the middle is chosen.",
  .example = "local X, y = { {1}, {2}, {3}, {4}, {5} }, { 1.1, 1.9, 3.2, 3.9, 50 }\n"
             "local model = ml.LinearSVR{ C = 10, epsilon = 0.2 }:fit(X, y)\n"
             "print(model.coef, model.intercept, model:predict{ {6} })",
  .capabilities = MN_REGRESS | MN_ITERATE | MN_RANDOM,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_MULTITARGET,
  .size = sizeof(struct mn_linear_svm_model),
  .params = params,
  .fields = fields,
  .operations = mn_coef_operations,
  .fit = fit,
  MN_LINEAR_PREDICTION,
};
