/* Linear support vector classifier: linear_svm.h, one score for two classes, else one for each class against the rest.
 *
 * LinearModelClassifier has these losses too, with alpha = 1 / (C sum w). */
#include "linear_svm_model.h"

static const char *const losses[] = { "squared_hinge", "hinge", NULL };
static const char *const penalties[] = { "l2", "l1", NULL };
static const char *const multi_classes[] = { "ovr", "crammer_singer", "weston_watkins", NULL };

static void set_terms(const struct mn_linear_svm_model *m, const mn_data *data, size_t score, double *target,
                      double *up, double *down)
{
  const size_t positive = m->linear.coef.rows == 1 ? 1 : score;
  for (size_t i = 0; i < data->rows; i++) {
    const bool own = (size_t)data->code[i] == positive;
    const double cost = m->C * mn_weight(data, i);
    target[i] = own ? 1 : -1;
    up[i] = own ? cost : 0;
    down[i] = own ? 0 : cost;
  }
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_linear_svm_model *m = self;
  m->epsilon = 0;
  if (m->multi_class != MN_LINEAR_SVM_OVR) return mn_svm_fit_multiclass(ctx, m, data);
  return mn_linear_svm_fit(ctx, m, data, mn_decisions(&m->linear.base), set_terms);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  return action == MN_DECISION_FUNCTION ? mn_linear_export(ctx, self, action, program) : MN_OK;
}

static const mn_param params[] = {
  MN_SVM_C("cost of a margin violation; larger values fit the data more closely"),
  MN_CHOICE(struct mn_linear_svm_model, loss, MN_SVM_SQUARED, losses,
            "squared_hinge max(0, 1 - y z)^2, or hinge max(0, 1 - y z)"),
  MN_CHOICE(struct mn_linear_svm_model, penalty, MN_SVM_L2, penalties, "l2: 1/2 |b|^2; l1: |b|_1, sparse coefficients"),
  MN_CHOICE(struct mn_linear_svm_model, multi_class, MN_LINEAR_SVM_OVR, multi_classes,
            "ovr: each class against the rest; crammer_singer and weston_watkins: all classes jointly, by the "
            "largest hinge loss of each row or by the sum of its hinge losses"),
  MN_SVM_PARAMS,
  MN_END,
};

static const mn_field fields[] = { MN_LINEAR_SVM_FIELDS("decisions"), MN_END };

const mn_class mn_linear_svc = {
  .name = "LinearSVC",
  .family = "svm",
  .brief = "Linear support vector classifier with hinge or squared hinge loss.",
  .objective = "1/2 |b|^2 + C sum_i w_i max(0, 1 - y_i (x_i b + c))^2, y = -1 or 1; or not squared; or with |b|_1",
  .source = "Hsieh et al., ICML 2008 (dual); Mangasarian (2002), Keerthi & DeCoste, JMLR 6 (2005) (Newton)",
  .notes = "C, loss and penalty are those of scikit-learn and liblinear, but the intercept is not penalized; with "
           "intercept_scaling = 1 the objective is theirs. tol is a relative duality gap, not their violation of "
           "optimality. With z_m the score of class m, crammer_singer always has the loss max_m max(0, 1 - z_y + z_m); "
           "weston_watkins sums the chosen loss of z_y - z_m over the other classes m. Both solve the dual; with two "
           "classes both equal ovr with 2 C.",
  .example = "local X, y = { {-2}, {-1}, {1}, {2} }, { 'no', 'no', 'yes', 'yes' }\n"
             "local model = ml.LinearSVC{ loss = 'hinge' }:fit(X, y)\n"
             "print(model.coef, model.intercept, model:predict{ {-3}, {3} })",
  .capabilities = MN_CLASSIFY | MN_ITERATE | MN_RANDOM,
  .accepts = MN_WEIGHTS | MN_SPARSE | MN_CLASS_WEIGHT,
  .size = sizeof(struct mn_linear_svm_model),
  .params = params,
  .fields = fields,
  .operations = mn_coef_operations,
  .fit = fit,
  .decision = mn_linear_predict,
  .export = export,
};
