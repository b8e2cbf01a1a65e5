/* Support vector classification in feature space: the boundary with the widest margin between two classes, where a row
 * within the margin or on the wrong side adds to the loss,
 *
 *     SVC     min 1/2 |w|^2 + C sum_i u_i max(0, 1 - y_i f(x_i)),                f(x) = w'phi(x) + b, y_i = -1 or 1
 *     NuSVC   min 1/2 |w|^2 - nu W rho + sum_i u_i max(0, rho - y_i f(x_i)),     scaled to rho = 1 afterwards
 *
 * with sample weights u and their sum W. The dual has one variable a row: w = sum_i coef_i phi(x_i), of which most are
 * 0 and the others belong to support vectors. Cortes & Vapnik, Machine Learning 20 (1995); Schoelkopf, Smola,
 * Williamson & Bartlett, Neural Computation 12 (2000). */
#include "svc.h"
#include "svm_params.h"

static const char *const multi_class[] = { "ovo", "ovr", NULL };

/* --- several classes --- */

void mn_svc_votes(size_t classes, const double *d, double *score)
{
  for (size_t c = 0; c < classes; c++) score[c] = 0;
  for (size_t i = 0, p = 0; i < classes; i++)
    for (size_t j = i + 1; j < classes; j++, p++) {
      score[i] += d[p];
      score[j] -= d[p];
    }
  for (size_t c = 0; c < classes; c++) score[c] /= 3 * (fabs(score[c]) + 1);
  for (size_t i = 0, p = 0; i < classes; i++)
    for (size_t j = i + 1; j < classes; j++, p++) score[d[p] > 0 ? i : j] += 1;
}

/* Decisions of all problems, rows x problems. */
static mn_status decide(mn_context *ctx, const mn_svm *m, const mn_data *data, double *out)
{
  const size_t classes = mn_levels_size(m->model.base.classes), problems = m->intercept.size;
  for (size_t i = 0; i < data->rows; i++)
    for (size_t p = 0; p < problems; p++) out[i * problems + p] = m->intercept.at[p];
  if (m->dual_coef.rows == 0) return MN_OK;
  double *sum = MN_RAW(ctx, double, data->rows, m->dual_coef.rows);
  MN_CHECK_ALLOC(sum);
  if (!m->pairwise) {
    MN_TRY(mn_svm_sums(ctx, m, data, 0, m->dual_coef.cols, sum));
    for (size_t k = 0; k < data->rows * problems; k++) out[k] += sum[k];
    return MN_OK;
  }
  size_t begin = 0;
  for (size_t c = 0; c < classes; c++) { /* vectors of class c */
    const size_t end = begin + (size_t)m->n_support.at[c], functions = classes - 1;
    if (begin == end) continue;
    MN_TRY(mn_svm_sums(ctx, m, data, begin, end, sum));
    for (size_t r = 0; r < data->rows; r++)
      for (size_t i = 0, p = 0; i < classes; i++)
        for (size_t j = i + 1; j < classes; j++, p++) {
          if (c == i) out[r * problems + p] += sum[r * functions + j - 1];
          if (c == j) out[r * problems + p] += sum[r * functions + i];
        }
    begin = end;
  }
  return MN_OK;
}

mn_status mn_svc_decision(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_svm *m = self;
  if (!m->pairwise) return decide(ctx, m, data, out->at);
  double *d = MN_RAW(ctx, double, data->rows, m->intercept.size);
  MN_CHECK_ALLOC(d);
  MN_TRY(decide(ctx, m, data, d));
  for (size_t i = 0; i < data->rows; i++) mn_svc_votes(out->cols, d + i * m->intercept.size, mn_row(out, i));
  return MN_OK;
}

/* --- probabilities --- */

bool mn_svc_supports(const void *self, mn_action action)
{
  const mn_svm *m = self;
  if (action != MN_PREDICT_PROBA && action != MN_PREDICT_LOG_PROBA) return true;
  return m->model.base.fitted ? m->slope_below.size > 0 : m->probability;
}

/* The probabilities of a row with these decisions of all problems. */
static void row_proba(const mn_svm *m, size_t classes, const double *d, double *workspace, double *p)
{
  double *score = workspace, *pair = score + classes, *rest = pair + classes * classes;
  size_t best = 0;
  if (m->pairwise) {
    for (size_t i = 0, k = 0; i < classes; i++)
      for (size_t j = i + 1; j < classes; j++, k++) {
        const double one = mn_svm_sigmoid(d[k], m->slope_below.at[k], m->slope_above.at[k]);
        pair[i * classes + j] = fmin(fmax(one, 1e-7), 1 - 1e-7);
        pair[j * classes + i] = 1 - pair[i * classes + j];
      }
    mn_svc_votes(classes, d, score);
    mn_svm_couple(classes, pair, p, rest);
  } else {
    double sum = 0;
    for (size_t c = 0; c < classes; c++) {
      score[c] = d[c];
      sum += p[c] = fmax(mn_svm_sigmoid(d[c], m->slope_below.at[c], m->slope_above.at[c]), 1e-7);
    }
    for (size_t c = 0; c < classes; c++) p[c] /= sum;
  }
  for (size_t c = 1; c < classes; c++)
    if (score[c] > score[best]) best = c;
  mn_svm_make_largest(classes, p, best);
}

mn_status mn_svc_log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_svm *m = self;
  const size_t classes = out->cols, problems = m->intercept.size;
  double *d = MN_RAW(ctx, double, data->rows, problems);
  double *workspace = MN_RAW(ctx, double, 2 * classes + 2, classes);
  if (!d || !workspace) return MN_NO_MEMORY;
  MN_TRY(decide(ctx, m, data, d));
  for (size_t i = 0; i < data->rows; i++) {
    double *p = mn_row(out, i);
    if (classes == 2) {
      const double z = d[i] * (d[i] < 0 ? m->slope_below.at[0] : m->slope_above.at[0]);
      p[0] = -(z > 0 ? z + log1p(exp(-z)) : log1p(exp(z)));
      p[1] = -(z > 0 ? log1p(exp(-z)) : log1p(exp(z)) - z);
      continue;
    }
    row_proba(m, classes, d + i * problems, workspace, p);
    for (size_t c = 0; c < classes; c++) p[c] = log(p[c]);
  }
  return MN_OK;
}

/* --- after loading --- */

mn_status mn_svc_check(mn_context *ctx, const void *self)
{
  const mn_svm *m = self;
  const char *name = m->model.base.class->name;
  const size_t classes = mn_levels_size(m->model.base.classes);
  const size_t problems = classes == 2 ? 1 : m->pairwise ? classes * (classes - 1) / 2 : classes;
  const size_t functions = classes == 2 ? 1 : m->pairwise ? classes - 1 : classes;
  MN_TRY(mn_svm_check(ctx, self));
  double total = 0;
  bool whole = true;
  for (size_t c = 0; c < m->n_support.size; c++) {
    whole = whole && m->n_support.at[c] >= 0 && m->n_support.at[c] == floor(m->n_support.at[c]);
    total += m->n_support.at[c];
  }
  if ((classes == 2 && m->pairwise) || m->intercept.size != problems || m->n_support.size != classes || !whole ||
      total != (double)m->support.size || (total > 0 && m->dual_coef.rows != functions) ||
      m->slope_below.size != m->slope_above.size)
    return mn_fail(ctx, MN_BAD_FILE, "%s: the binary problems of the archive do not match its classes", name);
  for (size_t p = 0; p < m->slope_below.size; p++)
    if (!(m->slope_below.at[p] > 0 && m->slope_below.at[p] <= 1e6 && m->slope_above.at[p] > 0 &&
          m->slope_above.at[p] <= 1e6))
      return mn_fail(ctx, MN_BAD_FILE, "%s: the archive has a slope that is not between 0 and 1e6", name);
  return MN_OK;
}

/* --- the decisions of all pairs --- */

static mn_status pairwise_decision(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                   mn_results *results)
{
  const mn_svm *m = self;
  mn_matrix *out;
  (void)options;
  MN_TRY(mn_result_matrix(ctx, results, "decisions", data->rows, m->intercept.size, &out));
  return decide(ctx, m, data, out->at);
}

static const mn_operation operations[] = {
  { .name = "pairwise_decision",
    .brief = "decision of each pair of classes, in the order (1, 2), (1, 3), .., (2, 3), ..",
    .returns = "Matrix, rows x problems",
    .needs = MN_NEEDS_X,
    .run = pairwise_decision },
  { .name = NULL },
};

/* --- classes --- */

static mn_status fit_c(mn_context *ctx, void *self, const mn_data *data)
{
  return mn_svc_fit(ctx, self, data, mn_svm_solve_c_svc);
}

static mn_status fit_nu(mn_context *ctx, void *self, const mn_data *data)
{
  return mn_svc_fit(ctx, self, data, mn_svm_solve_nu_svc);
}

#define CLASSIFIER_PARAMS                                                                                              \
  MN_FLAG(mn_svm, probability, false, "estimate class probabilities; takes five more fits of each binary problem"),    \
      MN_CHOICE(mn_svm, multi_class, 0, multi_class,                                                                   \
                "ovo: a binary problem for each pair of classes; ovr: for each class against the rest"),               \
      MN_SVM_SOLVER_PARAMS, MN_SEED(mn_svm, seed)

static const mn_param c_params[] = {
  MN_PENALTY(mn_svm, C, 1, MN_GREATER_THAN(0), "cost of a margin violation; larger values fit the data more closely"),
  MN_SVM_KERNEL_PARAMS,
  CLASSIFIER_PARAMS,
  MN_END,
};

static const mn_param nu_params[] = {
  MN_PENALTY(mn_svm, nu, 0.5, MN_LEFT_OPEN(0, 1),
             "upper bound on the share of margin errors, lower bound on that of support vectors"),
  MN_SVM_KERNEL_PARAMS,
  CLASSIFIER_PARAMS,
  MN_END,
};

static const mn_field fields[] = {
  MN_SVM_FIELDS("functions"),
  MN_VECTOR(mn_svm, n_support, "classes", "number of support vectors of each class"),
  MN_VECTOR(mn_svm, margin, "problems", "distance from the boundary at which decisions are 1 and -1: 1 / |w|"),
  MN_LEARNED(MN_KIND_FLAG, mn_svm, pairwise, "", NULL),
  MN_VECTOR(mn_svm, slope_below, "problems?", "slope of the sigmoid of each binary problem, for decisions below 0"),
  MN_VECTOR(mn_svm, slope_above, "problems?", "the same for decisions above 0"),
  MN_END,
};

#define NOTES                                                                                                          \
  "Scale the columns first. Sample weights multiply the loss of a row. dual_coef is laid out as in scikit-learn. "     \
  "With ovo and more than two classes decisions are votes, with ties broken by sums of decisions. "                    \
  "Probabilities are sigmoids through 1/2 at the boundary, so they agree with predict. "                               \
  "duality_gap bounds how far the objective is from its optimum. "

#define CLASSIFIER                                                                                                     \
  .family = "svm", .capabilities = MN_CLASSIFY | MN_ITERATE | MN_RANDOM, .size = sizeof(mn_svm), .fields = fields,     \
  .operations = operations, .decision = mn_svc_decision, .log_proba = mn_svc_log_proba, .supports = mn_svc_supports,   \
  .supports_when = "probability = true before fit", .export = mn_svc_export, .check = mn_svc_check,                    \
  .warning = mn_svm_warning

const mn_class mn_svc = {
  .name = "SVC",
  .brief = "Support vector classification with kernels.",
  .objective = "min |w|^2 / 2 + C sum_i max(0, 1 - y_i f(x_i)), f(x) = w'phi(x) + b, K(x, z) = phi(x)'phi(z)",
  .source = "Cortes & Vapnik, Machine Learning 20 (1995); Fan, Chen & Lin, JMLR 6 (2005)",
  .notes = NOTES,
  .example = "local X, y = { {0, 0}, {1, 1}, {0, 1}, {1, 0} }, { 'same', 'same', 'other', 'other' }\n"
             "local model = ml.SVC{ C = 10, gamma = 2 }:fit(X, y)\n"
             "print(model:predict{ {0.9, 0.2} }, model.n_support)",
  CLASSIFIER,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_CLASS_WEIGHT,
  .params = c_params,
  .fit = fit_c,
};

const mn_class mn_nu_svc = {
  .name = "NuSVC",
  .brief = "Support vector classification with a bound on the share of margin errors.",
  .objective = "min |w|^2 / 2 - nu n rho + sum_i max(0, rho - y_i f(x_i)), scaled to rho = 1",
  .source = "Schoelkopf, Smola, Williamson & Bartlett, Neural Computation 12 (2000)",
  .notes = NOTES "Class weights are not supported, because they can make nu infeasible.",
  .example = "local X, y = { {0, 0}, {1, 1}, {0, 1}, {1, 0} }, { 'same', 'same', 'other', 'other' }\n"
             "print(ml.NuSVC{ nu = 0.3, gamma = 2 }:fit(X, y):predict{ {0.9, 0.2} })",
  CLASSIFIER,
  .accepts = MN_WEIGHTS | MN_SPARSE,
  .params = nu_params,
  .fit = fit_nu,
};
