/* Isotonic regression on one column: the monotone f that minimizes
 *
 *     sum_i w_i (y_i - f(x_i))^2,
 *
 * by the pool adjacent violators algorithm: rows are added in the order of x, and while the last block is below the one
 * before it, the two are merged at their common mean. Linear between the rows. Barlow et al., Statistical Inference
 * under Order Restrictions (1972), section 1.2; Best & Chakravarti, Mathematical Programming 47 (1990). */
#include "../linear/report.h"
#include "../model/operation.h"
#include "../stats/argsort.h"
#include "../stats/pool_violators.h"
#include "../model/program.h"
#include <string.h>

struct isotonic {
  mn_estimator base;
  int64_t direction, out_of_bounds; /* parameters */
  double y_min, y_max;
  mn_vector x_thresholds, y_thresholds; /* learned fields */
  double slope;
};

enum { INCREASING, DECREASING, AUTO };
enum { CLIP, NOT_A_NUMBER };
static const char *const directions[] = { "increasing", "decreasing", "auto", NULL };
static const char *const out_of_bounds_choices[] = { "clip", "nan", NULL };
static const char name[] = "IsotonicRegression";

/* Weighted ranks; ties get their mean rank. */
static mn_status compute_ranks(mn_context *ctx, const mn_data *data, const double *v, double *rank)
{
  const size_t n = data->rows;
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  MN_CHECK_ALLOC(order);
  MN_TRY(mn_argsort(ctx, n, v, 1, order));
  double before = 0;
  for (size_t i = 0, end; i < n; i = end) {
    double weight = 0;
    for (end = i; end < n && v[order[end]] == v[order[i]]; end++) weight += mn_weight(data, order[end]);
    for (size_t k = i; k < end; k++) rank[order[k]] = before + weight / 2;
    before += weight;
  }
  return MN_OK;
}

/* The direction: the sign of Spearman's correlation. */
static mn_status find_direction(mn_context *ctx, const mn_data *data, double *slope)
{
  const size_t n = data->rows;
  double *rx = MN_RAW(ctx, double, n, 1), *ry = MN_RAW(ctx, double, n, 1), sum = 0;
  if (!rx || !ry) return MN_NO_MEMORY;
  MN_TRY(compute_ranks(ctx, data, data->x.at, rx));
  MN_TRY(compute_ranks(ctx, data, data->y.at, ry));
  const double total = mn_total_weight(data);
  for (size_t i = 0; i < n; i++) sum += mn_weight(data, i) * (rx[i] - total / 2) * (ry[i] - total / 2);
  *slope = sum >= 0 ? 1 : -1;
  return MN_OK;
}

/* Blocks of pooled rows in the order of x; at first the rows with equal x. */
struct blocks {
  size_t count;
  double *x; /* x of each group of rows with equal x */
  double *value, *weight;
  size_t *end; /* one past the last group of each block */
};

static mn_status blocks_init(mn_context *ctx, struct blocks *b, size_t n)
{
  *b = (struct blocks){ .x = MN_RAW(ctx, double, n, 1),
                        .value = MN_RAW(ctx, double, n, 1),
                        .weight = MN_RAW(ctx, double, n, 1),
                        .end = MN_RAW(ctx, size_t, n, 1) };
  return b->x && b->value && b->weight && b->end ? MN_OK : MN_NO_MEMORY;
}

/* The blocks of the function that is monotone in the direction of `slope`; values are multiplied by `slope`. */
static void pool_rows(const mn_data *data, const size_t *order, double slope, struct blocks *b)
{
  const size_t n = data->rows;
  size_t groups = 0;
  for (size_t i = 0, end; i < n; i = end, groups++) {
    const double x = data->x.at[order[i]];
    double weight = 0, value = 0;
    for (end = i; end < n && data->x.at[order[end]] == x; end++) {
      const double w = mn_weight(data, order[end]);
      weight += w;
      value += w / weight * (slope * data->y.at[order[end]] - value);
    }
    b->x[groups] = x;
    b->value[groups] = value;
    b->weight[groups] = weight;
  }
  b->count = mn_pool_violators(groups, b->value, b->weight, b->end);
}

static size_t begin_of(const struct blocks *b, size_t k)
{
  return k > 0 ? b->end[k - 1] : 0;
}

/* Number of knots of block k: its ends. */
static size_t knots_of(const struct blocks *b, size_t k)
{
  return b->end[k] - begin_of(b, k) > 1 ? 2 : 1;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct isotonic *m = self;
  const double low = isnan(m->y_min) ? -INFINITY : m->y_min, high = isnan(m->y_max) ? INFINITY : m->y_max;
  char a[MN_NUMBER_SIZE], b[MN_NUMBER_SIZE];
  if (!(low <= high))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: y_min must be at most y_max, got %s and %s", name,
                   mn_format_number(a, low), mn_format_number(b, high));
  size_t *order = MN_RAW(ctx, size_t, data->rows, 1), knots = 0;
  struct blocks blocks;
  MN_CHECK_ALLOC(order);
  MN_TRY(blocks_init(ctx, &blocks, data->rows));
  m->slope = m->direction == DECREASING ? -1 : 1;
  if (m->direction == AUTO) MN_TRY(find_direction(ctx, data, &m->slope));
  MN_TRY(mn_argsort(ctx, data->rows, data->x.at, 1, order));
  pool_rows(data, order, m->slope, &blocks);
  for (size_t k = 0; k < blocks.count; k++) knots += knots_of(&blocks, k);
  MN_TRY(mn_vector_init(ctx, &m->x_thresholds, knots));
  MN_TRY(mn_vector_init(ctx, &m->y_thresholds, knots));
  for (size_t k = 0, t = 0; k < blocks.count; k++) {
    const double value = fmin(fmax(m->slope * blocks.value[k], low), high);
    for (size_t side = 0; side < knots_of(&blocks, k); side++, t++) {
      m->x_thresholds.at[t] = blocks.x[side == 0 ? begin_of(&blocks, k) : blocks.end[k] - 1];
      m->y_thresholds.at[t] = value;
    }
  }
  return MN_OK;
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  (void)ctx;
  const struct isotonic *m = self;
  const double low = m->x_thresholds.at[0], high = m->x_thresholds.at[m->x_thresholds.size - 1];
  for (size_t i = 0; i < data->rows; i++) {
    const double x = data->x.at[i];
    const bool inside = x >= low && x <= high;
    out->at[i] = inside || m->out_of_bounds == CLIP
                     ? mn_between_knots(m->x_thresholds.size, m->x_thresholds.at, m->y_thresholds.at, x)
                     : (double)NAN;
  }
  return MN_OK;
}

/* The exported program searches for the last knot at or below x, as mn_between_knots does. */
static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)ctx;
  const struct isotonic *m = self;
  const size_t knots = m->x_thresholds.size;
  if (action != MN_PREDICT) return MN_OK;
  mn_program_reals(program, "knot", knots, m->x_thresholds.at);
  mn_program_reals(program, "height", knots, m->y_thresholds.at);
  mn_program_count(program, "knots", knots);
  mn_program_code(program, "real v = x[0]"
                           " if v <= knot[0] { out[0] = height[0] }"
                           " else {"
                           "   int k = count_at_most(knot, 0, knots, v) - 1"
                           "   if k == knots - 1 { out[0] = height[k] }"
                           "   else {"
                           "     out[0] = height[k]"
                           "       + (height[k + 1] - height[k]) * ((v - knot[k]) / (knot[k + 1] - knot[k]))"
                           "   }"
                           " }");
  if (m->out_of_bounds == NOT_A_NUMBER)
    mn_program_code(program, "if v < knot[0] or v > knot[knots - 1] { out[0] = nan }");
  return MN_OK;
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct isotonic *m = self;
  if (m->x_thresholds.size > 0) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: x_thresholds must not be empty", name);
}

/* Levels: a knot, or two neighboring knots with the same value. Returns the last knot of the level that begins at
 * `knot`. */
static size_t level_end(const struct isotonic *m, size_t knot)
{
  const double *value = m->y_thresholds.at;
  while (knot + 1 < m->y_thresholds.size && !(value[knot + 1] < value[knot]) && !(value[knot + 1] > value[knot]))
    knot++;
  return knot;
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  (void)data, (void)options;
  enum { MAX_LINES = 40, LINE_SIZE = 64 };
  const struct isotonic *m = self;
  const double *at = m->x_thresholds.at, *height = m->y_thresholds.at;
  size_t levels = 0;
  for (size_t k = 0; k < m->x_thresholds.size; k = level_end(m, k) + 1) levels++;
  mn_vector *low, *high, *value;
  mn_text_page page;
  MN_TRY(mn_result_vector(ctx, results, "levels.low", levels, &low));
  MN_TRY(mn_result_vector(ctx, results, "levels.high", levels, &high));
  MN_TRY(mn_result_vector(ctx, results, "levels.value", levels, &value));
  MN_TRY(mn_page_begin(ctx, &page, 256 + (MAX_LINES + 2) * LINE_SIZE));
  mn_print(&page, "%s function with %zu level%s; linear between them\n%12s %12s %12s\n",
           m->slope > 0 ? "Increasing" : "Decreasing", levels, levels == 1 ? "" : "s", "From x", "To x", "Value");
  for (size_t k = 0, t = 0; t < levels; t++) {
    const size_t end = level_end(m, k);
    low->at[t] = at[k];
    high->at[t] = at[end];
    value->at[t] = height[k];
    if (t < MAX_LINES) mn_print(&page, "%12.6g %12.6g %12.6g\n", at[k], at[end], height[k]);
    k = end + 1;
  }
  if (levels > MAX_LINES) mn_print(&page, "%zu more levels are in the Frame.\n", levels - MAX_LINES);
  return mn_result_text(ctx, results, "text", page.at, page.size > 0 ? page.size - 1 : 0);
}

static const mn_operation operations[] = {
  { .name = "summary",
    .brief = "the levels of the fitted function, between which it is linear",
    .returns = "levels (Frame: low, high, value); prints as a table",
    .run = summary },
  { .name = NULL },
};

static const mn_param params[] = {
  MN_CHOICE(struct isotonic, direction, INCREASING, directions,
            "direction of f; auto: the sign of Spearman's correlation"),
  MN_CHOICE(struct isotonic, out_of_bounds, CLIP, out_of_bounds_choices,
            "prediction outside the range of the training x: clip: the value at the nearest end; nan: nan"),
  MN_REAL(struct isotonic, y_min, MN_UNSET_REAL, MN_NO_LIMITS(), "lower bound of f; nil: none"),
  MN_REAL(struct isotonic, y_max, MN_UNSET_REAL, MN_NO_LIMITS(), "upper bound of f; nil: none"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct isotonic, x_thresholds, "thresholds", "knots of f, ascending"),
  MN_VECTOR(struct isotonic, y_thresholds, "thresholds", "values of f at the knots"),
  MN_NUMBER(struct isotonic, slope, "1 if f is increasing, -1 if decreasing"),
  MN_END,
};

const mn_class mn_isotonic = {
  .name = "IsotonicRegression",
  .family = "linear",
  .brief = "Monotone function of one column, by pooling adjacent violators.",
  .objective = "sum_i w_i (y_i - f(x_i))^2, f monotone",
  .source = "Barlow, Bartholomew, Bremner & Brunk, Statistical Inference under Order Restrictions (1972)",
  .notes =
      "X must have one column. "
      "As in scikit-learn, except that out_of_bounds defaults to 'clip' and has no 'raise': use nan to find the rows out of bounds.",
  .example = "local model = ml.IsotonicRegression{}:fit({ {1}, {2}, {3}, {4} }, { 1, 3, 2, 4 })\n"
             "print(model:predict{ {2}, {2.5}, {3.5} })",
  .capabilities = MN_REGRESS | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_ONE_COLUMN,
  .size = sizeof(struct isotonic),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .predict = predict,
  .export = export,
  .check = check,
};
