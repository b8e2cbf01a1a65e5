/* Replaces each column with the B-splines of its knots.
 *
 *   n knots t_1 < ... < t_n of a column have n + degree - 1 splines, or n - 1 if they are periodic; with `degree` knots
 *   added on either side, at the distance of the first or last two knots, or by the period */
#include "../core/threads.h"
#include "../model/class.h"
#include "../model/program.h"
#include "b_splines.h"
#include "../preprocess/column_values.h"
#include "../preprocess/names.h"
#include <string.h>

enum knots { UNIFORM, QUANTILE };
enum extrapolation { EXTRAPOLATE_ERROR, EXTRAPOLATE_CONSTANT, EXTRAPOLATE_LINEAR, EXTRAPOLATE_CONTINUE, PERIODIC };
enum { BLOCK_VALUES = 1 << 13 };

struct spline_transformer {
  mn_estimator base;
  int64_t n_knots, degree, knots, extrapolation; /* parameters */
  mn_matrix base_knots;
  bool include_bias, sparse_output;
  mn_matrix knot_vector; /* learned field */
};

/* The splines of column j, with the knots of the model or the same in other units. */
static struct mn_spline spline_of(const struct spline_transformer *m, const mn_matrix *knots, size_t j)
{
  return (struct mn_spline){ .knot = mn_row(knots, j), .knots = knots->cols, .degree = (size_t)m->degree };
}

/* Number of splines of a column, including the one that include_bias = false omits. */
static size_t count_splines(const struct spline_transformer *m)
{
  const size_t degree = (size_t)m->degree, inner = m->knot_vector.cols - 2 * degree;
  return m->extrapolation == PERIODIC ? inner - 1 : inner + degree - 1;
}

static size_t count_columns(const struct spline_transformer *m)
{
  return count_splines(m) - !m->include_bias;
}

static size_t outputs(const void *self)
{
  const struct spline_transformer *m = self;
  return m->base.n_features * count_columns(m);
}

/* --- fit --- */

struct work {
  struct spline_transformer *model;
  size_t inner;        /* knots within the range */
  const double *level; /* inner: 0 to 1          */
};

static void set_inner_knots(void *work, size_t j, struct mn_column_values *values)
{
  const struct work *w = work;
  const struct spline_transformer *m = w->model;
  double *knot = mn_row(&m->knot_vector, j) + m->degree, low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < values->size; i++) {
    low = values->at[i] < low ? values->at[i] : low;
    high = values->at[i] > high ? values->at[i] : high;
  }
  if (m->knots == QUANTILE && low < high) {
    mn_column_quantiles(values, w->inner, w->level, knot);
    return;
  }
  const double width =
      low < high ? high - low : fmax(fabs(low) * 1e-6, 1); /* an arbitrary width for a constant column */
  for (size_t k = 0; k < w->inner; k++) knot[k] = low + w->level[k] * width;
  if (low < high) knot[w->inner - 1] = high;
}

static mn_status copy_given_knots(mn_context *ctx, struct spline_transformer *m, size_t p)
{
  const mn_matrix *given = &m->base_knots;
  if (given->cols != 1 && given->cols != p)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "SplineTransformer: base_knots must have 1 column or %zu, as X, got %zu", p,
                   given->cols);
  for (size_t j = 0; j < p; j++)
    for (size_t k = 0; k < given->rows; k++) {
      const double knot = mn_row(given, k)[given->cols == 1 ? 0 : j];
      if (k > 0 && !(knot > mn_row(given, k - 1)[given->cols == 1 ? 0 : j]))
        return mn_fail(ctx, MN_BAD_ARGUMENT, "SplineTransformer: base_knots must be ascending in each column");
      mn_row(&m->knot_vector, j)[(size_t)m->degree + k] = knot;
    }
  return MN_OK;
}

/* Add the knots beyond the range. */
static void extend_knots(const struct spline_transformer *m, size_t j, size_t inner)
{
  const size_t degree = (size_t)m->degree;
  double *knot = mn_row(&m->knot_vector, j) + degree;
  const double first = knot[1] - knot[0], last = knot[inner - 1] - knot[inner - 2], period = knot[inner - 1] - knot[0];
  const bool periodic = m->extrapolation == PERIODIC;
  for (size_t d = 1; d <= degree; d++) {
    *(knot - d) = periodic ? knot[inner - 1 - d] - period : knot[0] - (double)d * first;
    knot[inner - 1 + d] = periodic ? knot[d] + period : knot[inner - 1] + (double)d * last;
  }
}

static mn_status check_range(mn_context *ctx, const struct spline_transformer *m)
{
  const mn_matrix *knots = &m->knot_vector;
  for (size_t j = 0; j < knots->rows; j++)
    for (size_t k = 0; k < knots->cols; k++)
      if (!isfinite(mn_row(knots, j)[k]))
        return mn_fail(ctx, MN_BAD_DATA, "SplineTransformer: the range of column %zu is too large; divide X by 1e10",
                       j + 1);
  return MN_OK;
}

static mn_status learn_inner_knots(mn_context *ctx, struct spline_transformer *m, const mn_data *given, size_t inner)
{
  mn_data data;
  double *level = MN_RAW(ctx, double, inner, 1);
  MN_CHECK_ALLOC(level);
  MN_TRY(mn_frequency_weights(ctx, given, &data));
  for (size_t k = 0; k < inner; k++) level[k] = (double)k / (double)(inner - 1);
  struct work w = { .model = m, .inner = inner, .level = level };
  return mn_for_each_column(ctx, &data, set_inner_knots, NULL, &w);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct spline_transformer *m = self;
  const size_t inner = m->base_knots.at ? m->base_knots.rows : (size_t)m->n_knots, degree = (size_t)m->degree;
  if (inner < 2)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "SplineTransformer: base_knots must have at least 2 rows, got %zu", inner);
  if (m->extrapolation == PERIODIC && degree >= inner)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "SplineTransformer: periodic splines must have more knots than their degree, %zu, got %zu", degree,
                   inner);
  MN_TRY(mn_matrix_init(ctx, &m->knot_vector, data->features, inner + 2 * degree));
  if (count_columns(m) == 0)
    return mn_fail(
        ctx, MN_BAD_ARGUMENT,
        "SplineTransformer: a single spline per column requires include_bias = true; increase degree or the number of knots");
  if (count_columns(m) > INT32_MAX / data->features)
    return mn_fail(ctx, MN_BAD_DATA, "SplineTransformer: there must be at most %d output columns", INT32_MAX);
  MN_TRY(m->base_knots.at ? copy_given_knots(ctx, m, data->features) : learn_inner_knots(ctx, m, data, inner));
  for (size_t j = 0; j < data->features; j++) extend_knots(m, j, inner);
  return check_range(ctx, m);
}

/* --- transform --- */

static mn_status scale_knots(mn_context *ctx, const struct spline_transformer *m, mn_matrix *knots, double **unit)
{
  const size_t p = m->knot_vector.rows, n = m->knot_vector.cols;
  *knots = (mn_matrix){ .at = MN_RAW(ctx, double, p, n), .rows = p, .cols = n };
  *unit = MN_RAW(ctx, double, p, 1);
  if (!knots->at || !*unit) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) {
    const struct mn_spline s = spline_of(m, &m->knot_vector, j);
    (*unit)[j] = mn_spline_unit(&s);
    for (size_t k = 0; k < n; k++) mn_row(knots, j)[k] = s.knot[k] * (*unit)[j];
  }
  return MN_OK;
}

struct evaluation {
  const struct spline_transformer *model;
  const mn_data *data;
  mn_matrix knots;                   /* in units of the columns */
  const double *unit;                /* features: what x is multiplied by */
  const struct mn_spline_edge *edge; /* features x 2 */
  mn_blocks blocks;
  mn_matrix *dense; /* result, or NULL */
  mn_csr *sparse;   /* result, or NULL; to be counted while sparse->at is NULL */
  double *buffer;   /* threads x columns of a feature */
};

/* Move x into the range, if the extrapolation does so. */
static double move_inside(const struct spline_transformer *m, const struct mn_spline *s, double x)
{
  const double low = mn_spline_lowest(s), high = mn_spline_highest(s);
  if (x >= low && x <= high) return x;
  if (m->extrapolation == PERIODIC) {
    const double rest = fmod(x - low, high - low);
    return low + (rest < 0 ? rest + (high - low) : rest);
  }
  return m->extrapolation == EXTRAPOLATE_CONSTANT ? fmin(fmax(x, low), high) : x;
}

/* The splines of feature j at x, added to `out`. */
static void add_splines(const struct evaluation *e, size_t j, double given, double *out)
{
  const struct spline_transformer *m = e->model;
  const struct mn_spline s = spline_of(m, &e->knots, j);
  const size_t splines = count_splines(m), columns = count_columns(m);
  const double x = move_inside(m, &s, fmin(fmax(given * e->unit[j], -DBL_MAX), DBL_MAX));
  double value[MN_SPLINE_MAX_DEGREE + 1];
  size_t i;
  if (m->extrapolation == EXTRAPOLATE_LINEAR && !(x >= mn_spline_lowest(&s) && x <= mn_spline_highest(&s))) {
    const struct mn_spline_edge *edge = &e->edge[2 * j + (x > mn_spline_highest(&s))];
    i = edge->interval;
    for (size_t r = 0; r <= s.degree; r++) value[r] = edge->value[r] + (x - edge->x) * edge->slope[r];
  } else {
    i = mn_spline_interval(&s, x);
    mn_spline_values(&s, i, x, value);
  }
  for (size_t r = 0; r <= s.degree; r++) {
    const size_t column = (i - s.degree + r) % splines;
    if (column < columns) out[column] += value[r];
  }
}

static void evaluate_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct evaluation *e = work;
  const size_t columns = count_columns(e->model);
  for (size_t i = mn_block_begin(&e->blocks, block); i < mn_block_end(&e->blocks, block); i++)
    for (size_t j = 0; j < e->data->features; j++)
      add_splines(e, j, mn_row(&e->data->x, i)[j], mn_row(e->dense, i) + j * columns);
}

/* Count or write the entries of a row. Returns their number. */
static size_t sparse_row(const struct evaluation *e, size_t i, double *buffer)
{
  const size_t columns = count_columns(e->model);
  mn_csr *out = e->sparse;
  size_t n = 0, at = out->at ? out->start[i] : 0;
  for (size_t j = 0; j < e->data->features; j++) {
    memset(buffer, 0, columns * sizeof *buffer);
    add_splines(e, j, mn_row(&e->data->x, i)[j], buffer);
    for (size_t c = 0; c < columns; c++) {
      if (!(buffer[c] < 0 || buffer[c] > 0)) continue;
      n++;
      if (!out->at) continue;
      out->col[at] = (int32_t)(j * columns + c);
      out->at[at++] = buffer[c];
    }
  }
  return n;
}

static void sparse_block(void *work, size_t block, size_t worker)
{
  const struct evaluation *e = work;
  double *buffer = e->buffer + worker * count_columns(e->model);
  for (size_t i = mn_block_begin(&e->blocks, block); i < mn_block_end(&e->blocks, block); i++) {
    const size_t n = sparse_row(e, i, buffer);
    if (!e->sparse->at) e->sparse->start[i + 1] = n;
  }
}

/* The error of extrapolation = "error". */
static mn_status check_inside(mn_context *ctx, const struct spline_transformer *m, const mn_data *data)
{
  char got[MN_NUMBER_SIZE], low[MN_NUMBER_SIZE], high[MN_NUMBER_SIZE];
  for (size_t i = 0; i < data->rows; i++)
    for (size_t j = 0; j < data->features; j++) {
      const struct mn_spline s = spline_of(m, &m->knot_vector, j);
      const double x = mn_row(&data->x, i)[j];
      if (x >= mn_spline_lowest(&s) && x <= mn_spline_highest(&s)) continue;
      return mn_fail(ctx, MN_BAD_DATA,
                     "SplineTransformer: X must be within the knots, %s to %s in column %zu, got %s in row %zu; set "
                     "extrapolation to accept it",
                     mn_format_number(low, mn_spline_lowest(&s)), mn_format_number(high, mn_spline_highest(&s)), j + 1,
                     mn_format_number(got, x), i + 1);
    }
  return MN_OK;
}

static mn_status make_edges(mn_context *ctx, const struct spline_transformer *m, const mn_matrix *knots,
                            struct mn_spline_edge **edge)
{
  *edge = MN_RAW(ctx, struct mn_spline_edge, m->base.n_features, 2);
  MN_CHECK_ALLOC(*edge);
  for (size_t j = 0; j < m->base.n_features; j++) {
    const struct mn_spline s = spline_of(m, knots, j);
    (*edge)[2 * j] = mn_spline_make_edge(&s, mn_spline_lowest(&s));
    (*edge)[2 * j + 1] = mn_spline_make_edge(&s, mn_spline_highest(&s));
  }
  return MN_OK;
}

static mn_status evaluation_init(mn_context *ctx, const struct spline_transformer *m, const mn_data *data,
                                 struct evaluation *e)
{
  struct mn_spline_edge *edge;
  double *unit;
  *e = (struct evaluation){ .model = m, .data = data };
  if (m->extrapolation == EXTRAPOLATE_ERROR) MN_TRY(check_inside(ctx, m, data));
  MN_TRY(scale_knots(ctx, m, &e->knots, &unit));
  MN_TRY(make_edges(ctx, m, &e->knots, &edge));
  e->unit = unit;
  e->edge = edge;
  e->blocks = mn_make_blocks(data->rows, BLOCK_VALUES / data->features, SIZE_MAX);
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct evaluation e;
  MN_TRY(evaluation_init(ctx, self, data, &e));
  e.dense = out;
  return mn_parallel(ctx, e.blocks.count, evaluate_block, &e);
}

static mn_status transform_sparse(mn_context *ctx, const void *self, const mn_data *data, mn_csr *out)
{
  struct evaluation e;
  MN_TRY(evaluation_init(ctx, self, data, &e));
  size_t *start = MN_NEW(ctx, size_t, data->rows + 1, 1);
  e.buffer = MN_RAW(ctx, double, mn_threads(ctx), count_columns(self));
  if (!start || !e.buffer) return MN_NO_MEMORY;
  mn_csr counts = { .start = start };
  e.sparse = &counts;
  MN_TRY(mn_parallel(ctx, e.blocks.count, sparse_block, &e));
  for (size_t i = 0; i < data->rows; i++) start[i + 1] += start[i];
  MN_TRY(mn_csr_init(ctx, out, data->rows, outputs(self), start[data->rows]));
  memcpy(out->start, start, (data->rows + 1) * sizeof *start);
  e.sparse = out;
  return out->at ? mn_parallel(ctx, e.blocks.count, sparse_block, &e) : MN_OK;
}

static bool outputs_sparse(const void *self)
{
  return ((const struct spline_transformer *)self)->sparse_output;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  char own[MN_INPUT_NAME_SIZE];
  const size_t columns = count_columns(self);
  snprintf(text, size, "%s_sp_%zu", mn_input_name(inputs, j / columns, own), j % columns + 1);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct spline_transformer *m = self;
  const size_t cols = m->knot_vector.cols;
  bool valid = m->knot_vector.at && cols >= 2 * (size_t)m->degree + 2 && count_columns(m) > 0 &&
               count_columns(m) <= INT32_MAX / m->base.n_features;
  for (size_t j = 0; valid && j < m->knot_vector.rows; j++)
    for (size_t k = 0; valid && k < cols; k++) {
      const double *knot = mn_row(&m->knot_vector, j);
      valid = isfinite(knot[k]) && (k == 0 || knot[k] >= knot[k - 1]);
    }
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "SplineTransformer: the knots are inconsistent");
}

/* --- export --- */

static mn_status export_edges(mn_context *ctx, const struct spline_transformer *m, const mn_matrix *knots,
                              mn_program *program)
{
  const size_t p = m->base.n_features, width = (size_t)m->degree + 1;
  struct mn_spline_edge *edge;
  double *value = MN_RAW(ctx, double, 2 * p, width), *slope = MN_RAW(ctx, double, 2 * p, width);
  int32_t *interval = MN_RAW(ctx, int32_t, 2 * p, 1);
  if (!value || !slope || !interval) return MN_NO_MEMORY;
  MN_TRY(make_edges(ctx, m, knots, &edge));
  for (size_t k = 0; k < 2 * p; k++) {
    interval[k] = (int32_t)edge[k].interval;
    memcpy(value + k * width, edge[k].value, width * sizeof *value);
    memcpy(slope + k * width, edge[k].slope, width * sizeof *slope);
  }
  mn_program_reals(program, "edge_value", 2 * p * width, value);
  mn_program_reals(program, "edge_slope", 2 * p * width, slope);
  mn_program_indexes(program, "edge_interval", 2 * p, interval);
  return MN_OK;
}

static const char *moving_code(enum extrapolation extrapolation)
{
  switch (extrapolation) {
  case EXTRAPOLATE_ERROR: return "if !(z >= low and z <= high) { refuse \"X must be within the knots\" }";
  case EXTRAPOLATE_CONSTANT: return "z = z < low ? low : z > high ? high : z";
  case EXTRAPOLATE_LINEAR:
  case EXTRAPOLATE_CONTINUE:
  case PERIODIC: break;
  }
  return "";
}

static void export_values(mn_program *program)
{
  mn_program_code(program, "  if linear > 0 and !(z >= low and z <= high) {"
                           "    int edge = 2 * j if z > high { edge = edge + 1 }"
                           "    real bound = z > high ? high : low"
                           "    i = base + edge_interval[edge]"
                           "    for r < degree + 1 {"
                           "      value[r] = edge_value[edge * (degree + 1) + r]"
                           "        + (z - bound) * edge_slope[edge * (degree + 1) + r] }"
                           "  } else {"
                           "    while i < last and knot[i + 1] <= z { i = i + 1 }"
                           "    while i > first and !(knot[i] < knot[i + 1]) { i = i - 1 }"
                           "    while i < last and !(knot[i] < knot[i + 1]) { i = i + 1 }"
                           "    value[0] = 1.0");
  mn_program_code(program, "    for d = 1 < degree + 1 {"
                           "      real saved = 0.0"
                           "      for r < d {"
                           "        real right = knot[i + r + 1] - z real left = z - knot[i + 1 - d + r]"
                           "        real part = right + left > 0.0 ? value[r] / (right + left) : 0.0"
                           "        value[r] = saved + right * part"
                           "        saved = left * part"
                           "      }"
                           "      value[d] = saved"
                           "    }"
                           "  }"
                           "  for r < degree + 1 {"
                           "    int c = i - first + r"
                           "    if c < columns { out[j * columns + c] += value[r] }"
                           "  }"
                           "}");
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct spline_transformer *m = self;
  if (action != MN_TRANSFORM_X) return MN_OK;
  if (m->extrapolation == PERIODIC)
    return mn_cannot_export(ctx, &m->base, "periodic splines need a remainder of real numbers");
  mn_matrix knots;
  double *unit;
  MN_TRY(scale_knots(ctx, m, &knots, &unit));
  MN_TRY(export_edges(ctx, m, &knots, program));
  mn_program_reals(program, "knot", knots.rows * knots.cols, knots.at);
  mn_program_reals(program, "unit", knots.rows, unit);
  mn_program_count(program, "knots", m->knot_vector.cols);
  mn_program_count(program, "degree", (size_t)m->degree);
  mn_program_count(program, "columns", count_columns(m));
  mn_program_count(program, "linear", m->extrapolation == EXTRAPOLATE_LINEAR);
  mn_program_code(program, "for c < outputs { out[c] = 0.0 }"
                           "for j < features {"
                           "  real z = x[j] * unit[j] int base = j * knots int first = base + degree"
                           "  int last = base + knots - degree - 2"
                           "  real low = knot[first] real high = knot[last + 1]"
                           "  reals value[degree + 1]"
                           "  int i = first");
  mn_program_code(program, moving_code((enum extrapolation)m->extrapolation));
  export_values(program);
  return MN_OK;
}

static const char *const knot_names[] = { "uniform", "quantile", NULL };
static const char *const extrapolations[] = { "error", "constant", "linear", "continue", "periodic", NULL };

static const mn_param params[] = {
  MN_COUNT(struct spline_transformer, n_knots, 5, MN_CLOSED(2, 100000),
           "number of knots of each column; ignored with base_knots"),
  MN_COUNT(struct spline_transformer, degree, 3, MN_CLOSED(0, MN_SPLINE_MAX_DEGREE), "degree of the polynomials"),
  MN_CHOICE(struct spline_transformer, knots, UNIFORM, knot_names,
            "knots at equal distances, or at quantiles of the column"),
  MN_TABLE(struct spline_transformer, base_knots, MN_NO_LIMITS(),
           "the knots, ascending: one row per knot, and one column for all features or one per feature; nil: learned"),
  MN_CHOICE(
      struct spline_transformer, extrapolation, EXTRAPOLATE_CONSTANT, extrapolations,
      "beyond the knots: raise an error, continue the splines as constants, lines or polynomials, or repeat them"),
  MN_FLAG(struct spline_transformer, include_bias, true,
          "keep the last spline of each column; all splines sum to 1, which is collinear with an intercept"),
  MN_FLAG(struct spline_transformer, sparse_output, false, "return a Sparse instead of a Matrix"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct spline_transformer, knot_vector, "features x knots",
            "knots of each column, with those added beyond its range"),
  MN_END,
};

const mn_class mn_spline_transformer = {
  .name = "SplineTransformer",
  .family = "preprocess",
  .brief = "Replaces each column with B-splines, for linear models of smooth effects.",
  .objective = "z_jk = B_k(x_j), piecewise polynomials between knots",
  .source = "de Boor, A Practical Guide to Splines (1978)",
  .notes = "As in scikit-learn, the knots beyond the range repeat the distance between the first and last two "
           "knots. base_knots is the list form of knots in scikit-learn. Repeated quantiles have no spline "
           "between them. A constant column gets knots around its value.",
  .example = "local splines = ml.SplineTransformer{ n_knots = 3, degree = 2 }\n"
             "print(splines:fit_transform{ {0}, {1}, {2}, {4} })",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct spline_transformer),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .transform_sparse = transform_sparse,
  .outputs_sparse = outputs_sparse,
  .outputs = outputs,
  .output_name = output_name,
  .check = check,
  .export = export,
};
