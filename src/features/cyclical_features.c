/* Maps cyclical columns, such as hours and directions, to points on a circle. */
#include "../core/threads.h"
#include "../model/class.h"
#include "../model/columns.h"
#include "../model/program.h"
#include "../preprocess/names.h"

enum { BLOCK_VALUES = 1 << 13 };

struct cyclical_features {
  mn_estimator base;
  mn_feature_list max_values; /* parameters */
  bool drop_original;
  mn_vector periods; /* learned field */
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct cyclical_features *m = self;
  const double *given = NULL;
  MN_TRY(mn_vector_init(ctx, &m->periods, data->features));
  MN_TRY(mn_find_column_values(ctx, &m->base, "max_values", &m->max_values, (double)NAN, &given));
  for (size_t j = 0; j < data->features; j++) {
    double period = given ? given[j] : (double)NAN, max = 0;
    for (size_t i = 0; isnan(period) && i < data->rows; i++) max = fmax(max, fabs(mn_row(&data->x, i)[j]));
    if (isnan(period)) period = max > 0 ? max : 1;
    m->periods.at[j] = period;
  }
  return MN_OK;
}

static size_t width(const struct cyclical_features *m)
{
  return m->drop_original ? 2 : 3;
}

static size_t outputs(const void *self)
{
  const struct cyclical_features *m = self;
  return m->base.n_features * width(m);
}

struct work {
  const struct cyclical_features *model;
  const mn_matrix *x;
  mn_matrix *out;
  mn_blocks blocks;
};

static double angle_unit(const struct cyclical_features *m, size_t j)
{
  return 2 * M_PI / m->periods.at[j];
}

/* All columns, then sine and cosine of each. */
static void rotate_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct work *w = work;
  const size_t p = w->x->cols, first = w->model->drop_original ? 0 : p;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    double *out = mn_row(w->out, i);
    for (size_t j = 0; j < p; j++) {
      const double x = mn_row(w->x, i)[j], angle = x * angle_unit(w->model, j);
      if (first > 0) out[j] = x;
      out[first + 2 * j] = sin(angle);
      out[first + 2 * j + 1] = cos(angle);
    }
  }
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct work w = { .model = self, .x = &data->x, .out = out };
  w.blocks = mn_make_blocks(data->rows, BLOCK_VALUES / data->features, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, rotate_block, &w);
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  const struct cyclical_features *m = self;
  const size_t p = m->base.n_features, first = m->drop_original ? 0 : p;
  char own[MN_INPUT_NAME_SIZE];
  if (j < first)
    snprintf(text, size, "%s", mn_input_name(inputs, j, own));
  else
    snprintf(text, size, "%s_%s", mn_input_name(inputs, (j - first) / 2, own), (j - first) % 2 ? "cos" : "sin");
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct cyclical_features *m = self;
  for (size_t j = 0; j < m->periods.size; j++)
    if (!(m->periods.at[j] > 0)) return mn_fail(ctx, MN_BAD_FILE, "CyclicalFeatures: periods must be > 0");
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct cyclical_features *m = self;
  const size_t p = m->base.n_features;
  if (action != MN_TRANSFORM_X) return MN_OK;
  double *unit = MN_RAW(ctx, double, p, 1);
  MN_CHECK_ALLOC(unit);
  for (size_t j = 0; j < p; j++) unit[j] = angle_unit(m, j);
  mn_program_reals(program, "unit", p, unit);
  mn_program_count(program, "first", m->drop_original ? 0 : p);
  mn_program_code(program, "for j < features {"
                           "  real angle = x[j] * unit[j]"
                           "  if first > 0 { out[j] = x[j] }"
                           "  out[first + 2 * j] = sin(angle)"
                           "  out[first + 2 * j + 1] = cos(angle)"
                           "}");
  return MN_OK;
}

static const mn_param params[] = {
  MN_COLUMN_VALUES(
      struct cyclical_features, max_values, MN_GREATER_THAN(0),
      "period of each column, or of some, as in { hour = 24 } or { [2] = 24 }; nil: the largest absolute value in fit"),
  MN_FLAG(struct cyclical_features, drop_original, false, "omit the original columns"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct cyclical_features, periods, "features", "period of each column"),
  MN_END,
};

const mn_class mn_cyclical_features = {
  .name = "CyclicalFeatures",
  .family = "preprocess",
  .brief = "Adds sine and cosine of cyclical columns, such as hours.",
  .objective = "z = sin(2 pi x / period), cos(2 pi x / period)",
  .source = "Fisher, Statistical Analysis of Circular Data (1993)",
  .notes = "The default period is the largest absolute value of the column, which is right for hours from 1 to "
           "24; it is 1 if all values are 0. For hours from 0 to 23 set max_values = { hour = 24 }. The output "
           "holds all columns, then sine and cosine of each.",
  .example = "local hours = ml.Frame{ { \"hour\", { 0, 6, 12, 18 } } }\n"
             "print(ml.CyclicalFeatures{ max_values = { hour = 24 }, drop_original = true }:fit_transform(hours))",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct cyclical_features),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .overwrites = true,
  .outputs = outputs,
  .output_name = output_name,
  .check = check,
  .export = export,
};
