/* Mixture of linear experts with gates, on one level or on several: see experts.h. */
#include "../model/interval.h"
#include "experts.h"

static const char *const inits[] = { "rows", "k-means++", "random", NULL };

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_experts *m = self;
  size_t children, leaves;
  if (mn_experts_tree((size_t)m->n_experts, (size_t)m->levels, data->rows, &children, &leaves))
    return mn_experts_fit(ctx, m, data, leaves, (size_t)m->n_experts, children);
  return mn_fail(ctx, MN_BAD_ARGUMENT,
                 "MixtureOfExperts: n_experts ^ levels must be at most the number of rows, %zu, got %lld ^ %lld",
                 data->rows, (long long)m->n_experts, (long long)m->levels);
}

static const mn_operation operations[] = {
  { .name = "gate_proba",
    .brief = "the share of each expert at each row, which add up to 1",
    .returns = "Matrix (rows x experts)",
    .needs = MN_NEEDS_X,
    .run = mn_experts_gate_proba },
  { .name = "predict_each",
    .brief = "the mean of y by each expert",
    .returns = "Matrix (rows x experts)",
    .needs = MN_NEEDS_X,
    .run = mn_experts_predict_each },
  { .name = "posterior",
    .brief = "from which expert rows come whose y is known, and how likely their y are",
    .returns = "responsibilities (rows x experts), log_density (rows)",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .run = mn_experts_posterior },
  MN_PREDICT_INTERVAL(", which are quantiles of the mixture", mn_experts_interval),
  { .name = NULL },
};

static const mn_param params[] = {
  MN_COUNT(mn_experts, n_experts, 2, MN_BETWEEN(2, 1000), "ways that each gate leads: on one level, how many experts"),
  MN_COUNT(mn_experts, levels, 1, MN_BETWEEN(1, 20),
           "levels of gates, one below the other: n_experts ^ levels experts in all"),
  MN_PENALTY(mn_experts, gate_penalty, 1e-3, MN_FROM(0),
             "half of it times the squared weights of the gates, for columns of variance 1: what keeps a gate finite "
             "where it could part the rows without an error"),
  MN_FLAG(mn_experts, fit_intercept, true, "each expert learns a constant term; gates always do"),
  MN_FLAG(mn_experts, equal_variance, false, "all experts have one variance"),
  MN_REAL(mn_experts, min_variance, 1e-6, MN_ABOVE_TO(0, 1), "least variance, as a share of that of y"),
  MN_CHOICE(mn_experts, init, MN_EXPERTS_PLUS_PLUS, inits,
            "k-means++: each gate begins by parting its rows by spread centers; rows: each expert as the regression "
            "through a few random rows; random: with random rows"),
  MN_COUNT(mn_experts, n_init, 10, MN_FROM(1), "starts, of which the best is kept"),
  MN_COUNT(mn_experts, max_iter, 1000, MN_FROM(1), "most rounds of EM"),
  MN_REAL(mn_experts, tol, 1e-8, MN_FROM(0), "done when the mean log likelihood of a row rises by no more"),
  MN_SEED(mn_experts, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(mn_experts, coef, "experts x features", "weights of each expert"),
  MN_VECTOR(mn_experts, intercept, "experts", "constant term of each"),
  MN_VECTOR(mn_experts, variance, "experts", "variance of y about each"),
  MN_MATRIX(mn_experts, gate_coef, "ways x features",
            "weights of the gates, a row for each way that one leads: those of the gate at the root, then those of the "
            "gates below "
            "it from left to right, and so on; within a gate they add up to 0"),
  MN_VECTOR(mn_experts, gate_intercept, "ways", "constant terms of the gates"),
  MN_LEARNED(MN_KIND_COUNT, mn_experts, branching, "", NULL),
  MN_MATRIX(mn_experts, responsibilities, "rows x experts", "probability that each row of fit comes from each"),
  MN_NUMBER(mn_experts, loglik, "log likelihood, without the penalty"),
  MN_NUMBER(mn_experts, aic, "2 n_parameters - 2 loglik"),
  MN_NUMBER(mn_experts, bic, "n_parameters log(n) - 2 loglik, n being the sum of the weights of the rows"),
  MN_TALLY(mn_experts, n_parameters, "independent coefficients of experts and gates, and variances"),
  MN_END,
};

const mn_class mn_mixture_of_experts = {
  .name = "MixtureOfExperts",
  .family = "linear",
  .brief = "Linear regressions among which gates share out the rows by where they lie; hierarchical, too.",
  .objective = "-sum_i w_i log sum_k g_k(x_i) N(y_i | x_i b_k + c_k, variance_k) + gate_penalty / 2 |v|^2, g a softmax "
               "of x v, or a product of them along the levels",
  .source =
      "Jacobs, Jordan, Nowlan & Hinton, Neural Computation 3 (1991); Jordan & Jacobs, Neural Computation 6 (1994)",
  .notes =
      "predict gives sum_k g_k(x) (x b_k + c_k); experts are numbered from left to right. By generalised EM: experts "
      "by weighted least squares, gates by steps of Newton's method that never raise the objective, which is minus the "
      "log likelihood with the penalty. A hard border makes steep gates; gate_penalty bounds them. Variances are held "
      "above min_variance, and a start that ends there is kept only when all do. EM finds local optima: raise n_init, "
      "or compare seeds.",
  .example = "local X, y = {}, {}\n"
             "for i = 1, 40 do X[i], y[i] = { i / 10 }, math.abs(i / 10 - 2) + 0.05 * (i % 3) end\n"
             "local model = ml.MixtureOfExperts{}:fit(X, y)\n"
             "print(model:predict{ {0.5}, {3.5} }, model:gate_proba{ {0.5}, {3.5} })",
  .does = MN_REGRESS | MN_ITERATE | MN_RANDOM,
  .takes = MN_WEIGHTS,
  .size = sizeof(mn_experts),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .predict = mn_experts_predict,
  .export = mn_experts_export,
  .check = mn_experts_check,
};
