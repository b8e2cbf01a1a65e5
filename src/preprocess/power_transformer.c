/* Power transformation of each column toward a normal distribution.
 *
 *   Box-Cox (x > 0)   f(x) = (x^l - 1) / l, log x for l = 0
 *   Yeo-Johnson       the same of 1 + x for x >= 0; -((1 - x)^(2 - l) - 1) / (2 - l), -log(1 - x) for l = 2, for x < 0
 *
 * l maximizes the normal log likelihood of f(x), found by Brent's method:
 *
 *     -n/2 log var f(x) + (l - 1) sum log f'(x; l = 2)
 *
 * where the last sum is that of log x, or of sign(x) log(1 + |x|). */
#include "../core/threads.h"
#include "../optim/brent.h"
#include "../model/class.h"
#include "column_values.h"
#include "moments.h"
#include "power_kernel.h"
#include "rescale.h"

enum method { YEO_JOHNSON, BOX_COX };
enum { BLOCK_VALUES = 1 << 14 };

struct power_transformer {
  mn_estimator base;
  int64_t method; /* parameters */
  bool standardize;
  mn_vector lambdas;     /* learned fields */
  mn_vector mean, scale; /* of the transformed columns */
};

/* log(1 + x) and exp(x) - 1 to a few units in the last place. The quotients correct for the rounding of 1 + x and of
 * exp(x) (Kahan; Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 1.14.1). Exported programs,
 * which may lack log1p and expm1, compute the same: standardizing would enlarge differences near the mean. */
static double log_of_one_plus(double x)
{
  const double u = 1 + x;
  if (u == 1 || u > DBL_MAX) return x;
  return log(u) * (x / (u - 1));
}

static double exp_minus_one(double x)
{
  const double u = exp(x);
  if (u == 1) return x;
  if (u - 1 == -1 || u > DBL_MAX) return u - 1;
  return (u - 1) * (x / log(u));
}

/* The same in the row language: s = log(1 + a), and d = exp(t) - 1. */
#define LOG_OF_ONE_PLUS " real u = 1.0 + a real s = a if u != 1.0 and !(u > largest) { s = log(u) * (a / (u - 1.0)) }"
#define EXP_MINUS_ONE                                                                                                  \
  " real e = exp(t) real d = e - 1.0 if e == 1.0 { d = t } else {"                                                     \
  " if d != -1.0 and !(e > largest) { d = d * (t / log(e)) } }"

/* sign(x) log(1 + |x|), or log x: powers of x are exponentials of it. */
static double logarithm(enum method method, double x)
{
  if (method == BOX_COX) return log(x);
  return x < 0 ? -log_of_one_plus(-x) : log_of_one_plus(x);
}

/* (exp(b s) - 1) / b, s for b = 0 */
static double power(double b, double s)
{
  return fabs(b * s) < 1e-300 ? s : exp_minus_one(b * s) / b;
}

/* The power of a logarithm: f(x) = power(exponent, s). */
static double exponent(enum method method, double lambda, double s)
{
  return method == YEO_JOHNSON && s < 0 ? lambda - 2 : lambda;
}

static double forward(enum method method, double lambda, double x)
{
  const double s = logarithm(method, x);
  return power(exponent(method, lambda, s), s);
}

/* The x with transform z; NaN if there is none. */
static double backward(enum method method, double lambda, double z)
{
  const double b = method == YEO_JOHNSON && z < 0 ? lambda - 2 : lambda;
  const double s = fabs(b * z) < 1e-300 ? z : log_of_one_plus(b * z) / b;
  if (method == BOX_COX) return exp(s);
  return z < 0 ? -exp_minus_one(-s) : exp_minus_one(s);
}

struct likelihood {
  enum method method;
  const struct mn_column_values *values; /* logarithms */
  double weight, sum;                    /* sum of the weights; weighted sum of the logarithms */
  double low, high;                      /* their range */
};

/* lambda, moved off a value where the formulas have a pole. */
static double off_pole(double pole, double lambda)
{
  const double near = 1e-9;
  return fabs(lambda - pole) < near ? pole + near : lambda;
}

/* 1, or a power of two that keeps the squares of the transformed values finite. */
static double choose_unit(const struct likelihood *l, double lambda)
{
  const double most = fmax(fabs(power(exponent(l->method, lambda, l->low), l->low)),
                           fabs(power(exponent(l->method, lambda, l->high), l->high)));
  return most > 0x1p400 && most < INFINITY ? ldexp(1, -ilogb(most)) : 1;
}

/* -2/n times the log likelihood, without constants. */
static double loss(void *user, double given)
{
  const struct likelihood *l = user;
  const struct mn_column_values *c = l->values;
  if (!mn_task_should_continue(&c->token)) return INFINITY;
  const double lambda = off_pole(2, off_pole(0, given)), mean_log = l->sum / l->weight;
  const double center = power(exponent(l->method, lambda, mean_log), mean_log), unit = choose_unit(l, lambda);
  double sum, square;
  mn_power_sums(c->size, c->at, c->weight, l->method == YEO_JOHNSON, lambda, center, unit, &sum, &square);
  const double var = (square - sum * sum / l->weight) / l->weight;
  return var > 0 && var < INFINITY ? log(var) - 2 * log(unit) - 2 * (given - 1) * mean_log : INFINITY;
}

/* Narrow the search to where all transformed values are finite, and those of small numbers, x^l - 1, differ. */
static void narrow(const struct likelihood *l, double *low, double *high)
{
  const double most = 0.999 * log(DBL_MAX);
  if (l->high > 0) *high = fmin(*high, most / l->high);
  if (l->high < 0 && l->method == BOX_COX) *high = fmin(*high, log(1e3 * DBL_EPSILON) / l->high);
  if (l->low < 0) *low = fmax(*low, (l->method == YEO_JOHNSON ? 2 : 0) + most / l->low);
}

/* The search interval is widened while the minimum is at its end. */
static double best_lambda(struct likelihood *l)
{
  double low = -2, high = 2, lambda = 1;
  narrow(l, &low, &high);
  for (int iter = 0; iter < 6 && mn_task_should_continue(&l->values->token); iter++) {
    if (mn_brent_minimize(NULL, loss, l, low, high, 1e-9, &lambda, NULL) != MN_OK)
      return 1; /* cannot fail: low and high are finite */
    const double edge = 1e-3 * (high - low);
    if (lambda > low + edge && lambda < high - edge) break;
    if (lambda <= low + edge) low = low < 0 ? low * 3 : low;
    if (lambda >= high - edge) high *= 3;
    narrow(l, &low, &high);
  }
  return lambda;
}

static void fit_column(void *work, size_t j, struct mn_column_values *values)
{
  struct power_transformer *m = work;
  struct likelihood l = { .method = (enum method)m->method, .values = values, .weight = mn_column_weight(values) };
  l.low = INFINITY;
  l.high = -INFINITY;
  const double first = values->size > 0 ? values->at[0] : 0;
  bool constant = true;
  for (size_t i = 0; i < values->size; i++) {
    if (i % BLOCK_VALUES == 0 && !mn_task_should_continue(&values->token)) return;
    constant = constant && !(values->at[i] < first) && !(values->at[i] > first);
    values->at[i] = logarithm(l.method, values->at[i]);
    l.sum += values->at[i] * (values->weight ? values->weight[i] : 1);
    l.low = fmin(l.low, values->at[i]);
    l.high = fmax(l.high, values->at[i]);
  }
  m->lambdas.at[j] = constant ? 1 : best_lambda(&l); /* 1: only a shift */
}

static mn_status check_positive(mn_context *ctx, const struct power_transformer *m, const mn_data *data)
{
  char number[MN_NUMBER_SIZE];
  if (m->method != BOX_COX) return MN_OK;
  for (size_t i = 0; i < data->rows * data->features; i++)
    if (data->x.at[i] <= 0)
      return mn_fail(ctx, MN_BAD_DATA,
                     "PowerTransformer: X must be > 0 for box-cox, got %s in row %zu, column %zu; use yeo-johnson",
                     mn_format_number(number, data->x.at[i]), i / data->features + 1, i % data->features + 1);
  return MN_OK;
}

struct mapping {
  const struct power_transformer *model;
  const mn_matrix *x;
  mn_matrix *out;
  bool inverse;
  mn_blocks blocks;
};

static void map_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct mapping *w = work;
  const struct power_transformer *m = w->model;
  const size_t p = w->x->cols, begin = mn_block_begin(&w->blocks, block), end = mn_block_end(&w->blocks, block);
  for (size_t i = begin; i < end; i++)
    for (size_t j = 0; j < p; j++) {
      const double x = mn_row(w->x, i)[j], lambda = m->lambdas.at[j];
      mn_row(w->out, i)[j] = isnan(x)     ? x
                             : w->inverse ? backward((enum method)m->method, lambda, x)
                                          : forward((enum method)m->method, lambda, x);
    }
}

static mn_status map(mn_context *ctx, const struct power_transformer *m, const mn_matrix *x, bool inverse,
                     mn_matrix *out)
{
  struct mapping w = { .model = m, .x = x, .out = out, .inverse = inverse };
  w.blocks = mn_make_blocks(x->rows, BLOCK_VALUES / x->cols, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, map_block, &w);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct power_transformer *m = self;
  const size_t p = data->features;
  struct mn_moments sum;
  mn_data mapped = *data;
  MN_TRY(check_positive(ctx, m, data));
  MN_TRY(mn_vector_init(ctx, &m->lambdas, p));
  MN_TRY(mn_vector_init(ctx, &m->mean, p));
  MN_TRY(mn_vector_init(ctx, &m->scale, p));
  MN_TRY(mn_for_each_column(ctx, data, fit_column, NULL, m));
  mapped.x.at = MN_RAW(ctx, double, data->rows, p);
  MN_CHECK_ALLOC(mapped.x.at);
  MN_TRY(map(ctx, m, &data->x, false, &mapped.x));
  MN_TRY(mn_moments_init(ctx, p, &sum));
  MN_TRY(mn_moments_add(ctx, &mapped, &sum));
  for (size_t j = 0; j < p; j++) {
    const double std = mn_moments_std(&sum, j);
    m->mean.at[j] = m->standardize ? sum.mean[j] : 0;
    m->scale.at[j] = m->standardize && std > 10 * DBL_EPSILON * fabs(sum.mean[j]) ? std : 1;
  }
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct power_transformer *m = self;
  MN_TRY(check_positive(ctx, m, data));
  MN_TRY(map(ctx, m, &data->x, false, out));
  return mn_rescale(ctx, out, (struct mn_rescaling){ .from = m->mean.at, .by = m->scale.at }, out);
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct power_transformer *m = self;
  MN_TRY(mn_rescale(ctx, &data->x, (struct mn_rescaling){ .times = m->scale.at, .to = m->mean.at }, out));
  return map(ctx, m, out, true, out);
}

static const char *const methods[] = { "yeo-johnson", "box-cox", NULL };

/* Like forward and backward, with the standardization after or before. */
static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct power_transformer *m = self;
  const bool box_cox = m->method == BOX_COX;
  (void)ctx;
  if (action != MN_TRANSFORM_X && action != MN_INVERSE_TRANSFORM) return MN_OK;
  mn_program_reals(program, "lambda", m->lambdas.size, m->lambdas.at);
  mn_program_reals(program, "mean", m->mean.size, m->mean.at);
  mn_program_reals(program, "scale", m->scale.size, m->scale.at);
  mn_program_real(program, "tiny", 1e-300);
  mn_program_real(program, "largest", DBL_MAX);
  mn_program_code(program, "for j < features { real z = x[j]");
  if (action == MN_INVERSE_TRANSFORM) mn_program_code(program, "z = z * scale[j] + mean[j]");
  if (action == MN_TRANSFORM_X && box_cox)
    mn_program_code(program, "if z <= 0 { refuse \"X must be > 0 for box-cox\" }");
  mn_program_code(program, "if !isnan(z) { real b = lambda[j]");
  if (!box_cox) mn_program_code(program, "if z < 0 { b = lambda[j] - 2.0 }");
  if (action == MN_TRANSFORM_X) {
    mn_program_code(program, box_cox ? "real s = log(z)" : "real a = abs(z)" LOG_OF_ONE_PLUS " if z < 0 { s = -s }");
    mn_program_code(program, "z = s real t = b * s if !(abs(t) < tiny) {" EXP_MINUS_ONE " z = d / b } }"
                             "out[j] = (z - mean[j]) / scale[j] + 0.0 }");
    return MN_OK;
  }
  mn_program_code(program, "real a = b * z real r = z if !(abs(a) < tiny) {" LOG_OF_ONE_PLUS " r = s / b }");
  mn_program_code(program, box_cox ? "z = exp(r) }" : "real t = z < 0 ? -r : r" EXP_MINUS_ONE " z = z < 0 ? -d : d }");
  mn_program_code(program, "out[j] = z }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_CHOICE(struct power_transformer, method, YEO_JOHNSON, methods,
            "yeo-johnson: for any numbers; box-cox: for positive numbers"),
  MN_FLAG(struct power_transformer, standardize, true, "scale the result to mean 0 and standard deviation 1"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct power_transformer, lambdas, "features", "power of each column"),
  MN_VECTOR(struct power_transformer, mean, "features", "mean of each transformed column"),
  MN_VECTOR(struct power_transformer, scale, "features", "standard deviation of each transformed column"),
  MN_END,
};

const mn_class mn_power_transformer = {
  .name = "PowerTransformer",
  .family = "preprocess",
  .brief = "Transforms each column by a power toward a normal distribution.",
  .objective = "l maximizes -n/2 log var f(x; l) + (l - 1) sum log f'(x; 2)",
  .source = "Box & Cox, JRSS B 26 (1964); Yeo & Johnson, Biometrika 87 (2000)",
  .notes = "A constant column gets the power 1. "
           "fit ignores missing values; they stay missing.",
  .example = "local power = ml.PowerTransformer{}:fit{ {1}, {2}, {4}, {8}, {16} }\n"
             "print(power.lambdas, power:transform{ {4} })",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_RATIO | MN_MISSING,
  .size = sizeof(struct power_transformer),
  .params = params,
  .fields = fields,
  .fit = fit,
  MN_TRANSFORM_PAIR(transform, inverse_transform),
  .export = export,
};
