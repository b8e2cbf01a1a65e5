/* Detection of outliers by the support of a distribution: with sample weights u and their sum W,
 *
 *     OneClassSVM   min 1/2 |w|^2 - nu W rho + sum_i u_i max(0, rho - w'phi(x_i)),        outlier if w'phi(x) < rho
 *     SVDD          min R^2 + 1 / (nu W) sum_i u_i max(0, |phi(x_i) - c|^2 - R^2),        outlier if |phi(x) - c| > R
 *
 * At most a share nu of the rows are outliers. w and the center c are sums over support vectors; with a kernel whose
 * K(x, x) is constant both find the same outliers. Schoelkopf, Platt, Shawe-Taylor, Smola & Williamson, Neural
 * Computation 13 (2001); Tax & Duin, Machine Learning 54 (2004). */
#include "svm_params.h"

/* -w'phi(x), or the squared distance from the center. */
static mn_status score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_svm *m = self;
  const bool sphere = m->model.base.class == &mn_svdd;
  MN_TRY(mn_svm_sums(ctx, m, data, 0, m->support.size, out->at));
  for (size_t i = 0; i < data->rows; i++) out->at[i] *= sphere ? -2 : -1;
  if (!sphere) return MN_OK;
  double *diagonal = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(diagonal);
  const mn_kernel_rows rows = mn_kernel_rows_of(data);
  MN_TRY(mn_kernel_diagonal(ctx, &m->model.fitted_kernel, &rows, diagonal));
  for (size_t i = 0; i < data->rows; i++) out->at[i] += diagonal[i] + m->center_square;
  return MN_OK;
}

static mn_status decision(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_svm *m = self;
  MN_TRY(score_samples(ctx, self, data, out));
  for (size_t i = 0; i < data->rows; i++) out->at[i] -= m->threshold;
  return MN_OK;
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  MN_TRY(decision(ctx, self, data, out));
  for (size_t i = 0; i < data->rows; i++) out->at[i] = out->at[i] > 0;
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_svm *m = self;
  if (m->model.base.class == &mn_svdd)
    return mn_cannot_export(ctx, &m->model.base, "it requires the kernel of a row with itself");
  mn_program_real(program, "threshold", m->threshold);
  switch (action) {
  case MN_PREDICT: return mn_svm_export_sum(ctx, m, " out[0] = -out[0] - threshold > 0.0 ? 1.0 : 0.0", program);
  case MN_DECISION_FUNCTION: return mn_svm_export_sum(ctx, m, " out[0] = -out[0] - threshold", program);
  case MN_SCORE_SAMPLES: return mn_svm_export_sum(ctx, m, " out[0] = -out[0]", program);
  default: return MN_OK;
  }
}

static mn_status fit_plane(mn_context *ctx, void *self, const mn_data *data)
{
  mn_svm *m = self;
  mn_svm_problem q = { 0 };
  MN_TRY(mn_svm_fit_single(ctx, m, data, mn_svm_solve_one_class, &q));
  m->threshold = -q.intercept;
  return MN_OK;
}

static mn_status fit_sphere(mn_context *ctx, void *self, const mn_data *data)
{
  mn_svm *m = self;
  mn_svm_problem q = { 0 };
  MN_TRY(mn_svm_fit_single(ctx, m, data, mn_svm_solve_svdd, &q));
  m->center_square = q.square;
  m->threshold = fmax(0, 2 * q.intercept + q.square);
  m->radius = sqrt(m->threshold);
  return MN_OK;
}

static const mn_param params[] = {
  MN_PENALTY(mn_svm, nu, 0.5, MN_LEFT_OPEN(0, 1),
             "upper bound on the share of outliers, lower bound on that of support vectors"),
  MN_SVM_KERNEL_PARAMS,
  MN_SVM_SOLVER_PARAMS,
  MN_END,
};

static const mn_field plane_fields[] = {
  MN_SVM_FIELDS("1"),
  MN_NUMBER(mn_svm, threshold, "score above which a row is an outlier: -rho"),
  MN_END,
};

static const mn_field sphere_fields[] = {
  MN_SVM_FIELDS("1"),
  MN_NUMBER(mn_svm, threshold, "score above which a row is an outlier: the radius squared"),
  MN_NUMBER(mn_svm, radius, "radius of the sphere in feature space"),
  MN_NUMBER(mn_svm, center_square, "squared norm of the center in feature space"),
  MN_END,
};

#define NOTES                                                                                                          \
  "Scale the columns first. Decisions are higher for outliers; scikit-learn has the opposite sign. Sample weights "    \
  "act as row counts. duality_gap bounds how far the objective is from its optimum. "

#define ONE_CLASS                                                                                                      \
  .family = "svm", .capabilities = MN_OUTLIERS | MN_ITERATE, .accepts = MN_WEIGHTS | MN_SPARSE,                        \
  .size = sizeof(mn_svm), .params = params, .predict = predict, .decision = decision, .score_samples = score_samples,  \
  .export = export, .check = mn_svm_check, .warning = mn_svm_warning

const mn_class mn_one_class_svm = {
  .name = "OneClassSVM",
  .brief = "Outlier detection by a half-space in feature space that contains most rows.",
  .objective = "min |w|^2 / 2 - nu n rho + sum_i max(0, rho - w'phi(x_i))",
  .source = "Schoelkopf, Platt, Shawe-Taylor, Smola & Williamson, Neural Computation 13 (2001)",
  .notes = NOTES,
  .example = "local X = ml.Matrix{ {0}, {0.1}, {0.2}, {0.3}, {5} }\n"
             "print(ml.OneClassSVM{ nu = 0.2, gamma = 1 }:fit(X):predict{ {0.15}, {9} })",
  ONE_CLASS,
  .fields = plane_fields,
  .fit = fit_plane,
};

const mn_class mn_svdd = {
  .name = "SVDD",
  .brief = "Outlier detection by the smallest sphere around most rows in feature space.",
  .objective = "min R^2 + 1 / (nu n) sum_i max(0, |phi(x_i) - c|^2 - R^2)",
  .source = "Tax & Duin, Machine Learning 54 (2004)",
  .notes = NOTES,
  .example = "local X = ml.Matrix{ {0}, {0.1}, {0.2}, {0.3}, {5} }\n"
             "local model = ml.SVDD{ nu = 0.2, kernel = 'linear' }:fit(X)\n"
             "print(model:predict{ {0.15}, {9} }, model.radius)",
  ONE_CLASS,
  .fields = sphere_fields,
  .fit = fit_sphere,
};
