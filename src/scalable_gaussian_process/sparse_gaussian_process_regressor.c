/* Gaussian process regression through inducing inputs: gp_sparse.h. */
#include "../kernel/kernel_value.h"
#include "../kernel_methods/kernel_model.h"
#include "../gaussian_process/gp_params.h"
#include "gp_sparse_model.h"
#include <math.h>

static const char *const methods[] = { "variational", "fitc", "svi", NULL };
static const char *const inducings[] = { "kmeans", "random", "learned", NULL };

/* After loading: what the shapes of the fields cannot express. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct mn_sparse_model *m = self;
  const mn_kernel *k = &m->fitted_kernel;
  const bool known = m->mean_kind >= MN_GP_ZERO && m->mean_kind <= MN_GP_LINEAR &&
                     m->method_kind >= MN_SPARSE_VARIATIONAL && m->method_kind <= MN_SPARSE_SVI;
  const size_t h = known ? mn_gp_mean_columns((mn_gp_mean)m->mean_kind, m->inducing_inputs.cols) : 0;
  if (k->nodes == 0 || !mn_kernel_has_values(k) || !known || !(m->noise >= 0) || !isfinite(m->noise) ||
      m->mean_coef.rows != h || (m->mean_coef.at && m->mean_coef.cols != m->dual_coef.cols) ||
      m->gram.cols != m->gram.rows || m->cross.cols != m->dual_coef.cols + h || m->square.rows != m->cross.cols ||
      m->square.cols != m->cross.cols || m->totals.size != MN_SPARSE_TOTALS || m->steps < 0 || !(m->seen >= 0))
    return mn_fail(ctx, MN_BAD_FILE, "%s: the archive has parts that do not fit together", m->base.class->name);
  return mn_kernel_check(ctx, m->base.class->name, k, m->inducing_inputs.cols);
}

static mn_status derive(mn_context *ctx, void *self)
{
  struct mn_sparse_model *m = self;
  mn_sparse_state s;
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(mn_sparse_state_of(ctx, m, &s));
  MN_TRY(mn_sparse_check_state(ctx, m, &s));
  MN_TRY(mn_sparse_keep_factors(ctx, m, &s));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- predictions --- */

mn_status mn_sparse_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct mn_sparse_model *m = self;
  const mn_kernel_rows z = { .n = m->inducing_inputs.rows, .d = m->inducing_inputs.cols, .x = m->inducing_inputs.at },
                       rows = mn_kernel_rows_of(data);
  MN_TRY(mn_kernel_product(ctx, &m->fitted_kernel, &rows, &z, m->dual_coef.cols, m->dual_coef.at, out->at));
  const mn_gp_mean_model mean = MN_GP_MEAN_OF(m, m->mean_kind);
  return mn_gp_finish_means(ctx, &mean, data, out);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct mn_sparse_model *m = self;
  if (action != MN_PREDICT) return MN_OK;
  const mn_gp_mean_model mean = MN_GP_MEAN_OF(m, m->mean_kind);
  const char *finish = mn_gp_export_mean(&mean, program);
  return mn_kernel_export_product(ctx, &m->base, &m->fitted_kernel, &m->inducing_inputs, m->dual_coef.cols,
                                  m->dual_coef.at, finish, program);
}

static const mn_param params[] = {
  MN_GP_KERNEL(struct mn_sparse_model),
  MN_CHOICE(
      struct mn_sparse_model, method, MN_SPARSE_VARIATIONAL, methods,
      "variational: a lower bound on the exact likelihood; fitc: the likelihood of another, independent noise for "
      "each row"),
  MN_COUNT(struct mn_sparse_model, n_inducing, 100, MN_CLOSED(1, 100000),
           "number of inducing inputs; at most the number of rows that differ"),
  MN_CHOICE(struct mn_sparse_model, inducing, MN_INDUCING_KMEANS, inducings,
            "kmeans: centers of k-means; random: rows; learned: centers of k-means, then by gradient"),
  MN_TABLE(struct mn_sparse_model, inducing_start, MN_NO_LIMITS(),
           "inducing inputs, inducing x features, in place of centers; nil: chosen by inducing"),
  MN_REAL(struct mn_sparse_model, max_gap, MN_UNSET_REAL, MN_AT_LEAST(0),
          "double n_inducing until the bounds on the exact log likelihood differ by at most this for each row; nil: do "
          "not"),
  MN_GP_ALPHA(struct mn_sparse_model, 0),
  MN_GP_MEAN(struct mn_sparse_model),
  MN_GP_NORMALIZE(struct mn_sparse_model),
  MN_GP_OPTIMIZER(struct mn_sparse_model, "likelihood"),
  MN_GP_RESTARTS(struct mn_sparse_model),
  MN_GP_TOL(struct mn_sparse_model, 1e-5),
  MN_COUNT(struct mn_sparse_model, max_iter, 200, MN_CLOSED(1, INT32_MAX),
           "maximum number of iterations of a search; svi: of passes over the rows"),
  MN_COUNT(struct mn_sparse_model, batch_size, 256, MN_CLOSED(1, INT32_MAX), "svi: rows of a mini-batch"),
  MN_REAL(struct mn_sparse_model, learning_rate, 0.03, MN_GREATER_THAN(0),
          "svi: step of Adam, in logarithms of hyperparameters and standard deviations of X"),
  MN_REAL(struct mn_sparse_model, natural_rate, 0.1, MN_LEFT_OPEN(0, 1),
          "svi: share of a batch in the posterior after its step"),
  MN_COUNT(struct mn_sparse_model, total_rows, MN_UNSET, MN_CLOSED(1, 9007199254740991.0),
           "svi: rows that the batches of partial_fit are drawn from; nil: those seen so far"),
  MN_SEED(struct mn_sparse_model, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_GP_FITTED_KERNEL(struct mn_sparse_model),
  MN_MATRIX(struct mn_sparse_model, inducing_inputs, "inducing x features", "inducing inputs, in units of X"),
  MN_NUMBER(struct mn_sparse_model, log_likelihood,
            "approximate log likelihood of y (normalized), summed over the targets; variational: a lower bound"),
  MN_NUMBER(struct mn_sparse_model, jitter, "variance added at the inducing inputs, so that they differ; 0: none"),
  MN_MATRIX(struct mn_sparse_model, dual_coef, "inducing x targets",
            "coefficients of the kernel at the inducing inputs; predictions, also of exported programs, have rounding "
            "errors of about 1e-16 of the largest"),
  MN_GP_MEAN_COEF(struct mn_sparse_model),
  MN_LEARNED(MN_KIND_REAL, struct mn_sparse_model, noise, "", NULL),
  MN_LEARNED(MN_KIND_COUNT, struct mn_sparse_model, mean_kind, "", NULL),
  MN_LEARNED(MN_KIND_COUNT, struct mn_sparse_model, method_kind, "", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_sparse_model, y_mean, "targets", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_sparse_model, y_scale, "targets", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_sparse_model, gram, "inducing x inducing", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_sparse_model, cross, "inducing x sides", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct mn_sparse_model, square, "sides x sides", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_sparse_model, totals, "totals", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct mn_sparse_model, moment, "moments?", NULL),
  MN_LEARNED(MN_KIND_COUNT, struct mn_sparse_model, steps, "", NULL),
  MN_LEARNED(MN_KIND_REAL, struct mn_sparse_model, seen, "", NULL),
  MN_DERIVED(MN_KIND_MATRIX, struct mn_sparse_model, l),
  MN_DERIVED(MN_KIND_MATRIX, struct mn_sparse_model, factor),
  MN_DERIVED(MN_KIND_MATRIX, struct mn_sparse_model, basis),
  MN_DERIVED(MN_KIND_MATRIX, struct mn_sparse_model, precision),
  MN_END,
};

const mn_class mn_sparse_gaussian_process_regressor = {
  .name = "SparseGaussianProcessRegressor",
  .family = "gaussian process",
  .brief = "Gaussian process regression of many rows through inducing inputs.",
  .objective = "maximize log N(y; 0, Q + s I) - tr(K - Q) / (2 s), Q = K(X, Z) inv(K(Z, Z)) K(Z, X), s the noise",
  .source = "Titsias, AISTATS 2009; Snelson & Ghahramani, NIPS 18 (2006); Hensman, Fusi & Lawrence, UAI 2013",
  .notes =
      "Time O(n m^2) an iteration, memory O(m^2) beside the data, for m inducing inputs. With one at every row the "
      "result is that of GaussianProcessRegressor. fitc may underestimate the noise. bounds tells whether there are "
      "enough inducing inputs. partial_fit adds rows exactly, with the hyperparameters of the first fit; with svi it is "
      "one step, also of the hyperparameters. The noise is a White kernel or alpha, and must not be 0.",
  .example = "local X = ml.random(500, 1, 1)\n"
             "local y = (X:col(1) * 9):sin() + ml.normal(500, 1, 2):col(1) * 0.1\n"
             "local model = ml.SparseGaussianProcessRegressor{ n_inducing = 15 }:fit(X, y)\n"
             "print(model.fitted_kernel, model:bounds().gap)",
  .capabilities = MN_REGRESS | MN_RANDOM | MN_ITERATE,
  .accepts = MN_WEIGHTS | MN_MULTITARGET | MN_JOINT_TARGETS,
  .size = sizeof(struct mn_sparse_model),
  .params = params,
  .fields = fields,
  .operations = mn_sparse_operations,
  .fit = mn_sparse_fit,
  .partial_fit = mn_sparse_partial_fit,
  .predict = mn_sparse_predict,
  .export = export,
  .check = check,
  .derive = derive,
};
