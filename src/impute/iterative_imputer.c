/* Imputes each column by a regression on the other columns, in rounds. */
#include "../core/threads.h"
#include "../linalg/ordered.h"
#include "../stats/special.h"
#include "iterative.h"
#include <string.h>

enum { BLOCK_VALUES = 1 << 13 };

/* A draw from N(mean, sd^2) between low and high, by inversion in the smaller tail. */
static double draw_between(mn_rng *rng, double mean, double sd, double low, double high)
{
  const double a = (low - mean) / sd, b = (high - mean) / sd, u = mn_random_uniform(rng);
  if (mean <= low) return low;
  if (mean >= high) return high;
  if (isinf(a) && isinf(b)) return mean + sd * mn_random_normal(rng);
  const double p = mn_normal_cdf(a), q = mn_normal_cdf(b);
  return fmin(fmax(mean + sd * mn_normal_quantile(p + u * (q - p)), low), high);
}

double mn_iterative_value(const mn_iterative *m, size_t s, size_t row, const double *z)
{
  const size_t p = m->center.size, j = (size_t)m->order.at[s];
  const double low = m->low.at ? m->low.at[j] - m->center.at[j] : -INFINITY;
  const double high = m->high.at ? m->high.at[j] - m->center.at[j] : INFINITY;
  const double mean = m->intercept.at[s] + mn_ordered_dot(p, z, mn_row(&m->coef, s));
  if (m->noise.size == 0 || !(m->noise.at[s] > 0)) return mean < low ? low : mean > high ? high : mean;
  mn_rng rng = mn_stream(m->seed, ((uint64_t)(s + 1) << 32) + row + 1);
  return draw_between(&rng, mean, m->noise.at[s], low, high);
}

struct completion {
  const mn_iterative *model;
  const mn_matrix *x;
  mn_matrix *out;
  double *z; /* workers x p */
  mn_blocks blocks;
};

static void complete_row(const struct completion *w, size_t i, double *z)
{
  const mn_iterative *m = w->model;
  const size_t p = w->x->cols;
  const double *x = mn_row(w->x, i);
  double *out = mn_row(w->out, i);
  bool any = false;
  for (size_t j = 0; j < p; j++) {
    any = any || isnan(x[j]);
    out[j] = isnan(x[j]) ? m->statistics.at[j] : x[j];
    z[j] = out[j] - m->center.at[j];
  }
  mn_flags_fill(&m->imputer.indicator_features, x, out + p);
  for (size_t s = 0; any && s < m->order.size; s++) {
    const size_t j = (size_t)m->order.at[s];
    if (!isnan(x[j])) continue;
    z[j] = mn_iterative_value(m, s, i, z);
    out[j] = z[j] + m->center.at[j];
    if (m->low.at && out[j] < m->low.at[j]) out[j] = m->low.at[j];
    if (m->high.at && out[j] > m->high.at[j]) out[j] = m->high.at[j];
  }
}

static void complete_block(void *work, size_t block, size_t worker)
{
  const struct completion *w = work;
  double *z = w->z + worker * w->x->cols;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) complete_row(w, i, z);
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *given, mn_matrix *out)
{
  const mn_iterative *m = self;
  mn_data data;
  MN_TRY(mn_mark_missing(ctx, m->imputer.missing_values, given, &data));
  struct completion w = { .model = m, .x = &data.x, .out = out };
  w.z = MN_RAW(ctx, double, mn_threads(ctx), data.features);
  MN_CHECK_ALLOC(w.z);
  w.blocks = mn_make_blocks(data.rows, BLOCK_VALUES / data.features + 1, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, complete_block, &w);
}

static mn_status export_limits(mn_context *ctx, const mn_iterative *m, mn_program *program)
{
  const size_t p = m->center.size;
  double *low = MN_RAW(ctx, double, p, 1), *high = MN_RAW(ctx, double, p, 1);
  if (!low || !high) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) {
    low[j] = m->low.at ? m->low.at[j] : -INFINITY;
    high[j] = m->high.at ? m->high.at[j] : INFINITY;
  }
  mn_program_reals(program, "low", p, low);
  mn_program_reals(program, "high", p, high);
  return MN_OK;
}

static mn_status export_tables(mn_context *ctx, const mn_iterative *m, mn_program *program)
{
  const size_t p = m->center.size, steps = m->order.size;
  double *sentinel = MN_RAW(ctx, double, p, 1);
  MN_CHECK_ALLOC(sentinel);
  for (size_t j = 0; j < p; j++) sentinel[j] = m->imputer.missing_values;
  mn_program_reals(program, "sentinel", p, sentinel);
  mn_program_reals(program, "statistics", p, m->statistics.at);
  mn_program_reals(program, "center", p, m->center.at);
  MN_TRY(export_limits(ctx, m, program));
  mn_program_count(program, "steps", steps);
  if (steps == 0) return MN_OK;
  mn_program_indexes(program, "order", steps, m->order.at);
  mn_program_reals(program, "intercept", steps, m->intercept.at);
  mn_program_reals(program, "coef", steps * p, m->coef.at);
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_iterative *m = self;
  if (action != MN_TRANSFORM_X) return MN_OK;
  if (m->noise.size > 0) return mn_cannot_export(ctx, self, "with sample_posterior it draws random numbers");
  MN_TRY(export_tables(ctx, m, program));
  mn_program_code(program, "reals z[features]"
                           "for j < features {"
                           "  out[j] = isnan(x[j]) or x[j] == sentinel[j] ? statistics[j] : x[j]"
                           "  z[j] = out[j] - center[j]"
                           "}");
  if (m->order.size > 0)
    mn_program_code(program, "for s < steps {"
                             "  int j = order[s]"
                             "  if isnan(x[j]) or x[j] == sentinel[j] {"
                             "    real value = intercept[s] + dot(features, z, 0, coef, s * features)"
                             "    real least = low[j] - center[j] real most = high[j] - center[j]"
                             "    z[j] = value < least ? least : value > most ? most : value"
                             "    real shifted = z[j] + center[j]"
                             "    out[j] = shifted < low[j] ? low[j] : shifted > high[j] ? high[j] : shifted"
                             "  }"
                             "}");
  mn_flags_export(&m->imputer.indicator_features, m->center.size, program);
  return MN_OK;
}

/* Check a loaded model. */
static mn_status check(mn_context *ctx, const void *self)
{
  const mn_iterative *m = self;
  const size_t steps = m->order.size;
  bool valid = m->coef.rows == steps && m->intercept.size == steps && (m->noise.size == 0 || m->noise.size == steps);
  for (size_t s = 0; valid && s < steps; s++) valid = m->order.at[s] >= 0;
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "IterativeImputer: the tables of its steps are inconsistent");
}

static const char *const orders[] = { "ascending", "descending", "roman", "arabic", "random", NULL };

static const mn_param params[] = {
  MN_MISSING_VALUES(mn_imputer, missing_values),
  MN_FLAG(mn_iterative, sample_posterior, false,
          "draw imputed values from the posterior predictive distribution, for multiple imputation"),
  MN_COUNT(mn_iterative, max_iter, 10, MN_AT_LEAST(1), "maximum number of rounds"),
  MN_REAL(mn_iterative, tol, 1e-3, MN_AT_LEAST(0),
          "stop when no value changes by more than this, relative to the largest value of X"),
  MN_COUNT(
      mn_iterative, n_nearest_features, MN_UNSET, MN_AT_LEAST(1),
      "number of predictors, drawn with probabilities proportional to |correlation| with the column; nil: all other columns"),
  MN_CHOICE(mn_iterative, initial_strategy, MN_FILL_MEAN, mn_fills, "initial values of missing entries"),
  MN_REAL(mn_iterative, fill_value, 0, MN_NO_LIMITS(), "value for the strategy constant"),
  MN_CHOICE(
      mn_iterative, imputation_order, MN_ORDER_ASCENDING, orders,
      "order of the columns: ascending or descending number of missing values, from left (roman) or right (arabic), random"),
  MN_FLAG(mn_iterative, skip_complete, false,
          "fit no regression for columns without missing values in fit; values missing later get the initial value"),
  MN_NUMBER_OR_REALS(mn_iterative, min_value, MN_CLOSED(-INFINITY, INFINITY),
                     "lower limit of imputed values: a number, or one for each column; nil: none"),
  MN_NUMBER_OR_REALS(mn_iterative, max_value, MN_CLOSED(-INFINITY, INFINITY),
                     "upper limit of imputed values: a number, or one for each column; nil: none"),
  MN_SEED(mn_iterative, seed),
  MN_ADD_INDICATOR,
  MN_KEEP_EMPTY("fill a column without values in fit with fill_value instead of raising an error"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(mn_iterative, statistics, "features", "initial value of each column"),
  MN_INDICATOR_FIELD,
  MN_INDEXES(mn_iterative, order, "steps? < features", "column that each step imputes, over all rounds"),
  MN_VECTOR(mn_iterative, center, "features", NULL),
  MN_VECTOR(mn_iterative, low, "features?", NULL),
  MN_VECTOR(mn_iterative, high, "features?", NULL),
  MN_MATRIX(mn_iterative, coef, "steps? x features?", NULL),
  MN_VECTOR(mn_iterative, intercept, "steps?", NULL),
  MN_VECTOR(mn_iterative, noise, "steps?", NULL),
  MN_END,
};

const mn_class mn_iterative_imputer = {
  .name = "IterativeImputer",
  .family = "preprocess",
  .brief = "Imputes each column by a regression on the other columns, in rounds.",
  .objective = "in each round, for each column j: z_j = BayesianRidge of x_j on the other columns, completed",
  .source = "van Buuren & Groothuis-Oudshoorn, J. Statistical Software 45 (2011)",
  .notes = "With estimator = another regressor it becomes a ChainedImputer, which also fills factor columns; "
           "otherwise all columns must be numeric. The precisions of each regression maximize its evidence (to "
           "1e-8; scikit-learn stops at 1e-3). sample_posterior draws the coefficients once per column and "
           "round, as mice does; the draws depend on the row index. A column without values is an error "
           "(scikit-learn drops it) unless keep_empty_features is set.",
  .example = "local nan = 0 / 0\n"
             "print(ml.IterativeImputer{}:fit_transform{ {1, 2}, {2, 4.1}, {3, 5.9}, {4, nan}, {nan, 10} })",
  .capabilities = MN_TRANSFORM | MN_ITERATE | MN_RANDOM | MN_NOISY_OBJECTIVE,
  .accepts = MN_WEIGHTS | MN_MISSING,
  .size = sizeof(mn_iterative),
  .params = params,
  .fields = fields,
  .fit = mn_iterative_fit,
  .transform = transform,
  .overwrites = true,
  .outputs = mn_imputer_outputs,
  .outputs_whole = mn_imputer_outputs_whole,
  .output_name = mn_imputer_output_name,
  .check = check,
  .export = export,
};
