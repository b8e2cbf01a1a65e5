/* Support vector regression in feature space: errors up to epsilon cost nothing,
 *
 *     SVR     min 1/2 |w|^2 + C sum_i u_i max(0, |y_i - f(x_i)| - epsilon),                   f(x) = w'phi(x) + b
 *     NuSVR   the same plus C nu W epsilon, minimized over epsilon too: nu bounds the share of rows with larger errors
 *
 * with sample weights u and their sum W. Drucker, Burges, Kaufman, Smola & Vapnik (1996); Schoelkopf, Smola, Williamson
 * & Bartlett, Neural Computation 12 (2000). */
#include "svm_params.h"

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_svm *m = self;
  MN_TRY(mn_svm_sums(ctx, m, data, 0, m->support.size, out->at));
  for (size_t i = 0; i < data->rows; i++) out->at[i] += m->intercept.at[0];
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_svm *m = self;
  if (action != MN_PREDICT) return MN_OK;
  mn_program_real(program, "intercept", m->intercept.at[0]);
  return mn_svm_export_sum(ctx, m, " out[0] += intercept", program);
}

static mn_status fit_epsilon(mn_context *ctx, void *self, const mn_data *data)
{
  mn_svm_problem q = { .y = data->y.at };
  return mn_svm_fit_single(ctx, self, data, mn_svm_solve_svr, &q);
}

static mn_status fit_nu(mn_context *ctx, void *self, const mn_data *data)
{
  mn_svm *m = self;
  mn_svm_problem q = { .y = data->y.at };
  MN_TRY(mn_svm_fit_single(ctx, m, data, mn_svm_solve_nu_svr, &q));
  m->tube = q.epsilon;
  return MN_OK;
}

#define C_PARAM                                                                                                        \
  MN_PENALTY(mn_svm, C, 1, MN_GREATER_THAN(0),                                                                         \
             "cost of an error beyond epsilon; larger values fit the data more closely")

static const mn_param epsilon_params[] = {
  C_PARAM,
  MN_REAL(mn_svm, epsilon, 0.1, MN_AT_LEAST(0), "errors up to this size have no loss, in units of y"),
  MN_SVM_KERNEL_PARAMS,
  MN_SVM_SOLVER_PARAMS,
  MN_END,
};

static const mn_param nu_params[] = {
  C_PARAM,
  MN_PENALTY(mn_svm, nu, 0.5, MN_LEFT_OPEN(0, 1),
             "upper bound on the share of errors beyond the tube; determines its width"),
  MN_SVM_KERNEL_PARAMS,
  MN_SVM_SOLVER_PARAMS,
  MN_END,
};

static const mn_field epsilon_fields[] = {
  MN_SVM_FIELDS("1"),
  MN_END,
};

static const mn_field nu_fields[] = {
  MN_SVM_FIELDS("1"),
  MN_NUMBER(mn_svm, tube, "half width of the tube: the epsilon of SVR"),
  MN_END,
};

#define NOTES                                                                                                          \
  "Scale the columns of X first, and also y, because epsilon and C depend on its units. Sample weights multiply C. "   \
  "duality_gap bounds how far the objective is from its optimum. "

#define REGRESSOR                                                                                                      \
  .family = "svm", .capabilities = MN_REGRESS | MN_ITERATE, .accepts = MN_WEIGHTS | MN_SPARSE, .size = sizeof(mn_svm), \
  .predict = predict, .export = export, .check = mn_svm_check, .warning = mn_svm_warning

const mn_class mn_svr = {
  .name = "SVR",
  .brief = "Support vector regression with kernels.",
  .objective = "min |w|^2 / 2 + C sum_i max(0, |y_i - f(x_i)| - epsilon), f(x) = w'phi(x) + b",
  .source = "Drucker, Burges, Kaufman, Smola & Vapnik, NIPS 9 (1996); Fan, Chen & Lin, JMLR 6 (2005)",
  .notes = NOTES,
  .example = "local X, y = ml.Matrix{ {0}, {1}, {2}, {3}, {4} }, { 0, 0.8, 0.9, 0.1, -0.8 }\n"
             "print(ml.SVR{ C = 100, epsilon = 0.01 }:fit(X, y):predict{ {1.5} })",
  REGRESSOR,
  .params = epsilon_params,
  .fields = epsilon_fields,
  .fit = fit_epsilon,
};

const mn_class mn_nu_svr = {
  .name = "NuSVR",
  .brief = "Support vector regression with epsilon determined by the share nu of errors.",
  .objective = "min |w|^2 / 2 + C (nu n epsilon + sum_i max(0, |y_i - f(x_i)| - epsilon))",
  .source = "Schoelkopf, Smola, Williamson & Bartlett, Neural Computation 12 (2000)",
  .notes = NOTES,
  .example = "local X, y = ml.Matrix{ {0}, {1}, {2}, {3}, {4} }, { 0, 0.8, 0.9, 0.1, -0.8 }\n"
             "local model = ml.NuSVR{ C = 100, nu = 0.4 }:fit(X, y)\n"
             "print(model:predict{ {1.5} }, model.tube)",
  REGRESSOR,
  .params = nu_params,
  .fields = nu_fields,
  .fit = fit_nu,
};
