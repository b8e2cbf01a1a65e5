/* Kernel regression with fixed bandwidths. With K_h(u) = prod_j K(u_j / h_j) and rows in ascending order of x for the
 * second and third:
 *
 *     Nadaraya-Watson    m(x) = sum_i K_h(x - x_i) y_i / sum_i K_h(x - x_i)
 *     Priestley-Chao     m(x) = sum_{i>1} (x_i - x_{i-1}) K_h(x - x_i) y_i / h
 *     Gasser-Mueller     m(x) = sum_i y_i integral of K_h(x - u) / h over s_{i-1} < u < s_i,
 *                        s_i = (x_i + x_{i+1}) / 2, s_0 = -inf, s_n = inf
 *     local polynomial   m(x) = p(x) for the polynomial p that minimizes sum_i K_h(x - x_i) (y_i - p(x_i))^2
 *
 * Wand & Jones, Kernel Smoothing (1995), chapter 5; Fan, JASA 87 (1992). */
#include "../actions/interval.h"
#include "../model/program.h"
#include "bandwidth.h"
#include "copies.h"
#include "shape_program.h"
#include "smoother.h"

struct kernel_regression {
  mn_smoother smoother;
  int64_t method, kernel, degree, bandwidth_rule, statistics;
  mn_vector bandwidth; /* parameter; empty: nil */
  mn_vector center, bandwidths;
  double criterion;
};

static const char *const methods[] = { "nadaraya_watson", "priestley_chao", "gasser_mueller", "local_polynomial",
                                       NULL };
static const char *const rules[] = { "loo", "loo_columns", "aicc", "normal_reference", NULL };
static const char name[] = "KernelRegression";

static mn_status make_plan(mn_context *ctx, const mn_smoother *smoother, mn_smoother_plan *plan)
{
  const struct kernel_regression *m = (const struct kernel_regression *)smoother;
  *plan = (mn_smoother_plan){ .method = (mn_smoothing_method)m->method,
                              .shape = (mn_kernel_shape)m->kernel,
                              .center = m->center.at,
                              .scale = m->bandwidths.at,
                              .weights = smoother->weights.size > 0 ? smoother->weights.at : NULL };
  plan->counts = mn_weights_are_counts(smoother->weights.size, plan->weights);
  return mn_smoother_plan_make(ctx, name, &smoother->x, (size_t)m->degree, plan);
}

static mn_status set_bandwidths(mn_context *ctx, struct kernel_regression *m)
{
  const size_t d = m->smoother.x.cols, given = m->bandwidth.size;
  MN_TRY(mn_vector_init(ctx, &m->bandwidths, d));
  if (given > 0 && given != 1 && given != d)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: bandwidth must have 1 value or %zu, one for each column, got %zu", name,
                   d, given);
  if (given > 0)
    for (size_t j = 0; j < d; j++) m->bandwidths.at[j] = m->bandwidth.at[given > 1 ? j : 0];
  else
    mn_reference_bandwidths(&m->smoother, (mn_kernel_shape)m->kernel, m->bandwidths.at);
  return MN_OK;
}

static mn_status set_center(mn_context *ctx, struct kernel_regression *m)
{
  const mn_matrix *x = &m->smoother.x;
  MN_TRY(mn_vector_init(ctx, &m->center, x->cols));
  for (size_t i = 0; i < x->rows; i++)
    for (size_t j = 0; j < x->cols; j++) m->center.at[j] += (mn_row(x, i)[j] - m->center.at[j]) / (double)(i + 1);
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct kernel_regression *m = self;
  mn_smoother *s = &m->smoother;
  mn_smoother_plan plan;
  MN_TRY(mn_smoother_store(ctx, s, data));
  mn_weights_as_copies(ctx, &s->weights);
  MN_TRY(set_bandwidths(ctx, m));
  MN_TRY(set_center(ctx, m));
  MN_TRY(make_plan(ctx, s, &plan));
  const mn_bandwidth_rule rule = m->bandwidth.size > 0 ? MN_RULE_REFERENCE : (mn_bandwidth_rule)m->bandwidth_rule;
  MN_TRY(mn_choose_bandwidths(ctx, s, &plan, rule, m->bandwidths.at, &m->criterion));
  if (m->statistics == MN_STATISTICS_NONE) return MN_OK;
  double *fitted = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(fitted);
  MN_TRY(mn_smoother_compute_statistics(ctx, s, &plan, m->statistics, true, fitted));
  for (size_t i = 0; i < data->rows; i++) fitted[i] = s->y.at[i] - fitted[i];
  mn_smoother_set_sigma(s, fitted);
  return MN_OK;
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct kernel_regression *m = self;
  mn_smoother_plan plan;
  MN_TRY(make_plan(ctx, &m->smoother, &plan));
  return mn_smoother_predict(ctx, &plan, &data->x, false, m->smoother.y.at, out->at);
}

static mn_status intervals(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                           mn_results *results)
{
  return mn_smoother_intervals(ctx, self, make_plan, data, options, results);
}

static mn_status predict_interval(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results)
{
  const mn_interval_options *o = options;
  return mn_smoother_predict_interval(ctx, self, make_plan, data, o->level, results);
}

static const mn_operation operations[] = {
  MN_SMOOTHER_OPERATIONS(intervals, predict_interval),
  { .name = NULL },
};

/* Sums with weights relative to the largest so far. */
static const char *const unbounded_sums =
    "if e < least { real shrink = exp(e - least) sum *= shrink total *= shrink least = e }"
    "else { w *= exp(least - e) }"
    "sum += w * y[i] total += w }"
    "out[0] = sum / total";

/* Where all weights are 0, the mean of the nearest rows. */
static const char *const compact_sums = "sum += w * k * y[i] total += w * k"
                                        " if near < nearest { nearest = near near_sum = 0.0 near_total = 0.0 }"
                                        " if near <= nearest { near_sum += w * y[i] near_total += w } }"
                                        "out[0] = total > 0 ? sum / total : near_sum / near_total";

static void write_sums(const struct kernel_regression *m, mn_program *program)
{
  const mn_kernel_shape shape = (mn_kernel_shape)m->kernel;
  const bool compact = mn_shape_is_compact(shape);
  mn_program_code(program, "real sum = 0.0 real total = 0.0");
  mn_program_code(program,
                  compact ? "real nearest = 1e300 real near_sum = 0.0 real near_total = 0.0" : "real least = 1e300");
  mn_program_code(program, "for i < n {");
  mn_program_code(program, m->smoother.weights.size > 0 ? "real w = weights[i]" : "real w = 1.0");
  mn_program_code(program, compact ? "real near = 0.0 real k = 1.0" : "real e = 0.0");
  mn_program_code(program, "for j < features { real u = abs(rows[i * features + j] - x[j]) / h[j]");
  if (compact) {
    mn_program_code(program, "near += u * u");
    mn_program_code(program, mn_shape_program(shape));
    mn_program_code(program, "k *= factor }");
  } else {
    mn_program_code(program, shape == MN_SHAPE_GAUSSIAN ? "e += u * u / 2.0 }" : "e += u }");
  }
  mn_program_code(program, compact ? compact_sums : unbounded_sums);
}

/* Nadaraya-Watson; of compact kernels the mean of the nearest rows where all weights are 0. */
static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct kernel_regression *m = self;
  const mn_smoother *s = &m->smoother;
  if (action != MN_PREDICT) return MN_OK;
  if (m->method != MN_NADARAYA_WATSON)
    return mn_cannot_export(ctx, self, "of its methods only nadaraya_watson is exported");
  mn_program_reals(program, "rows", s->x.rows * s->x.cols, s->x.at);
  mn_program_reals(program, "y", s->y.size, s->y.at);
  mn_program_reals(program, "h", m->bandwidths.size, m->bandwidths.at);
  if (s->weights.size > 0) mn_program_reals(program, "weights", s->weights.size, s->weights.at);
  mn_program_count(program, "n", s->x.rows);
  write_sums(m, program);
  return MN_OK;
}

static const mn_param params[] = {
  MN_CHOICE(struct kernel_regression, method, MN_NADARAYA_WATSON, methods,
            "estimator; priestley_chao and gasser_mueller require a single column"),
  MN_CHOICE(struct kernel_regression, kernel, MN_SHAPE_GAUSSIAN, mn_kernel_shape_names,
            "kernel; with several columns the product of one kernel for each"),
  MN_COUNT(struct kernel_regression, degree, 1, MN_CLOSED(0, 3), "degree of a local polynomial"),
  MN_NUMBER_OR_REALS(struct kernel_regression, bandwidth, MN_GREATER_THAN(0),
                     "bandwidth, a number or one for each column, in units of X; nil: by bandwidth_rule"),
  MN_CHOICE(
      struct kernel_regression, bandwidth_rule, MN_RULE_LOO, rules,
      "loo: minimum leave-one-out error, with the ratios of the bandwidths fixed by normal_reference; loo_columns: "
      "minimum over each bandwidth in turn; aicc: minimum corrected AIC; normal_reference: from the standard "
      "deviations"),
  MN_SMOOTHER_STATISTICS_PARAM(struct kernel_regression),
  MN_END,
};

static const mn_field fields[] = {
  MN_SMOOTHER_FIELDS(struct kernel_regression),
  MN_LEARNED(MN_KIND_VECTOR, struct kernel_regression, center, "features", NULL),
  MN_VECTOR(struct kernel_regression, bandwidths, "features", "bandwidth of each column"),
  MN_OPTIONAL_NUMBER(struct kernel_regression, criterion,
                     "mean squared leave-one-out error, or AICc, of the bandwidths"),
  MN_END,
};

const mn_class mn_kernel_regression = {
  .name = "KernelRegression",
  .family = "smoothing",
  .brief = "Kernel regression: Nadaraya-Watson, local polynomials and others.",
  .objective = "m(x) = sum_i l_i(x) y_i, with weights l_i from the kernel and the bandwidth",
  .source = "Wand & Jones, Kernel Smoothing (1995); Fan, JASA 87 (1992)",
  .notes =
      "Where no row has a positive kernel weight, the prediction is the mean of y over the nearest rows "
      "(priestley_chao: 0), and polynomial terms that the rows nearby do not determine are dropped. Rows "
      "with equal x count as their mean in priestley_chao and gasser_mueller. A constant column has "
      "bandwidth 1. Weights that are not whole numbers of copies leave out whole rows. Exported programs agree to 1e-12. Intervals ignore the bias. Fit takes O(rows^2) time. "
      "For bandwidths that adapt to the density of the rows see Loess.",
  .example = "local model = ml.KernelRegression{ bandwidth = 1 }:fit({ {0}, {1}, {2}, {3} }, { 0, 1, 4, 9 })\n"
             "print(model:predict{ {1.5} })",
  .capabilities = MN_REGRESS | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct kernel_regression),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .predict = predict,
  .export = export,
  .export_tolerance = 1e-12,
};
