/* Applies a function to every value. */
#include "../core/finite.h"
#include "../linalg/elementwise.h"
#include "../model/class.h"
#include "../model/program.h"
#include <string.h>

struct function_transformer {
  mn_estimator base;
  int64_t func, inverse_func; /* parameters */
  bool check_inverse;
};

enum { IDENTITY, NO_INVERSE = -1, MAX_CHECKED = 100 };

/* Functions by name: the elementwise operation, the index of the inverse, and the expression in exported programs. */
static const struct function {
  mn_unary_op op;
  int inverse;
  const char *code; /* NULL: not exported */
} functions[] = {
  { MN_ABS, IDENTITY, "x[j]" },        { MN_LOG, 5, "log(x[j])" },          { MN_LOG1P, 6, "log1p(x[j])" },
  { MN_LOG2, NO_INVERSE, NULL },       { MN_LOG10, NO_INVERSE, NULL },      { MN_EXP, 1, "exp(x[j])" },
  { MN_EXPM1, 2, "expm1(x[j])" },      { MN_SQRT, 8, "sqrt(x[j])" },        { MN_SQUARED, NO_INVERSE, "x[j] * x[j]" },
  { MN_RECIPROCAL, 9, "1.0 / x[j]" },  { MN_ABS, NO_INVERSE, "abs(x[j])" }, { MN_SIN, NO_INVERSE, "sin(x[j])" },
  { MN_COS, NO_INVERSE, "cos(x[j])" }, { MN_TANH, NO_INVERSE, NULL },       { MN_SIGMOID, NO_INVERSE, NULL },
};

static const char *const names[] = { "identity", "log",        "log1p", "log2", "log10", "exp",  "expm1",   "sqrt",
                                     "square",   "reciprocal", "abs",   "sin",  "cos",   "tanh", "sigmoid", NULL };

static const char *const inverse_names[] = { "auto", "identity", "log",  "log1p",   "log2",       "log10",
                                             "exp",  "expm1",    "sqrt", "square",  "reciprocal", "abs",
                                             "sin",  "cos",      "tanh", "sigmoid", NULL };

/* The index of the inverse, NO_INVERSE if there is none. */
static int inverse_of(const struct function_transformer *m)
{
  return m->inverse_func > 0 ? (int)m->inverse_func - 1 : functions[m->func].inverse;
}

static mn_status evaluate(mn_context *ctx, int f, const mn_matrix *x, mn_matrix *out)
{
  const mn_strided from = { .at = x->at, .row_step = x->cols, .col_step = 1 };
  if (f != IDENTITY) return mn_elementwise_unary(ctx, functions[f].op, x->rows, x->cols, from, out->at);
  memcpy(out->at, x->at, x->rows * x->cols * sizeof *out->at);
  return MN_OK;
}

/* A value outside the domain, such as the logarithm of -1. */
static mn_status check_domain(mn_context *ctx, int f, const mn_matrix *x, const mn_matrix *out)
{
  const size_t n = x->rows * x->cols;
  char number[MN_NUMBER_SIZE], result[MN_NUMBER_SIZE];
  size_t i;
  MN_TRY(mn_find_beyond(ctx, n, out->at, (double)INFINITY, &i));
  while (i < n && (isfinite(out->at[i]) || isnan(x->at[i]))) i++;
  if (i == n) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "FunctionTransformer: %s of X must be finite, got %s for %s in row %zu, column %zu",
                 names[f], mn_format_number(result, out->at[i]), mn_format_number(number, x->at[i]), i / x->cols + 1,
                 i % x->cols + 1);
}

static mn_status apply(mn_context *ctx, int f, const mn_matrix *x, mn_matrix *out)
{
  MN_TRY(evaluate(ctx, f, x, out));
  return check_domain(ctx, f, x, out);
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return apply(ctx, (int)((const struct function_transformer *)self)->func, &data->x, out);
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return apply(ctx, inverse_of(self), &data->x, out);
}

static bool supports(const void *self, mn_action action)
{
  return action != MN_INVERSE_TRANSFORM || inverse_of(self) != NO_INVERSE;
}

/* The inverse that was given must return the first rows. */
static mn_status check_inverse(mn_context *ctx, const struct function_transformer *m, const mn_data *data)
{
  const size_t rows = data->rows < MAX_CHECKED ? data->rows : MAX_CHECKED, n = rows * data->features;
  mn_matrix x = { .at = data->x.at, .rows = rows, .cols = data->features }, z = x, back = x;
  char given[MN_NUMBER_SIZE], got[MN_NUMBER_SIZE];
  z.at = MN_RAW(ctx, double, rows, x.cols);
  back.at = MN_RAW(ctx, double, rows, x.cols);
  if (!z.at || !back.at) return MN_NO_MEMORY;
  MN_TRY(apply(ctx, (int)m->func, &x, &z));
  MN_TRY(evaluate(ctx, inverse_of(m), &z, &back));
  for (size_t i = 0; i < n; i++)
    if (!isnan(x.at[i]) && !(fabs(back.at[i] - x.at[i]) <= 1e-7 * fabs(x.at[i]) + 1e-9))
      return mn_fail(ctx, MN_BAD_DATA,
                     "FunctionTransformer: inverse_func must invert func, but returns %s for %s in row %zu; set "
                     "check_inverse = false to accept it",
                     mn_format_number(got, back.at[i]), mn_format_number(given, x.at[i]), i / x.cols + 1);
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  const struct function_transformer *m = self;
  return m->check_inverse && m->inverse_func > 0 ? check_inverse(ctx, m, data) : MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct function_transformer *m = self;
  const int f = action == MN_INVERSE_TRANSFORM ? inverse_of(m) : (int)m->func;
  if (f == NO_INVERSE) return MN_OK;
  if (!functions[f].code) return mn_cannot_export(ctx, &m->base, "programs do not have this function");
  mn_program_code(program, "for j < features { real z = ");
  mn_program_code(program, functions[f].code);
  mn_program_code(program, " if isnan(z - z) and !isnan(x[j]) { refuse \"the function of X must be finite\" }"
                           " out[j] = z }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_CHOICE(struct function_transformer, func, IDENTITY, names,
            "the function of each value; in Lua also a function of a Matrix"),
  MN_CHOICE(struct function_transformer, inverse_func, 0, inverse_names,
            "the inverse function; auto: the inverse of func, if it is one-to-one"),
  MN_FLAG(struct function_transformer, check_inverse, true,
          "check in fit that a given inverse_func restores the first 100 rows"),
  MN_END,
};

static const mn_field fields[] = { MN_END };

const mn_class mn_function_transformer = {
  .name = "FunctionTransformer",
  .family = "preprocess",
  .brief = "Applies a function to every value.",
  .objective = "z = f(x)",
  .source = "Pedregosa et al., JMLR 12 (2011)",
  .notes = "Requires no fit. func may be a Lua function that maps a Matrix or Frame to another one; such a "
           "model cannot be saved. A result that is not finite is an error (NaN in scikit-learn), and so is an "
           "inverse_func that does not invert func (a warning there). inverse_func = 'auto' inverts log, "
           "log1p, exp, expm1, sqrt and reciprocal.",
  .example = "local log1p = ml.FunctionTransformer{ func = \"log1p\" }\n"
             "print(log1p:transform{ {0, 1} }, log1p:inverse_transform{ {0, 1} })",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_WEIGHTS | MN_STATELESS | MN_MISSING,
  .size = sizeof(struct function_transformer),
  .params = params,
  .fields = fields,
  .fit = fit,
  MN_TRANSFORM_PAIR(transform, inverse_transform),
  .supports = supports,
  .supports_when = "inverse_func",
  .export = export,
  .export_tolerance = 1e-13,
};
