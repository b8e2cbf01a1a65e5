/* Self-organizing map: actions, operations and the class table. Training is in som_fit.c. */
#include "som.h"
#include "../cluster/centers.h"
#include "../model/operation.h"
#include "../model/program.h"
#include <stdio.h>
#include <string.h>

static const char *const topologies[] = { "rectangular", "hexagonal", NULL };
static const char *const neighborhoods[] = { "gaussian", "bubble", NULL };
static const char *const algorithms[] = { "batch", "online", NULL };
static const char *const inits[] = { "pca", "random", NULL };
static const char *const schedules[] = { "linear", "exponential", NULL };

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return mn_centers_predict(ctx, &((const struct mn_som *)self)->codebook, data, out);
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct mn_som *m = self;
  mn_matrix unit = { .at = MN_RAW(ctx, double, data->rows, 1), .rows = data->rows, .cols = 1 };
  MN_CHECK_ALLOC(unit.at);
  MN_TRY(predict(ctx, m, data, &unit));
  for (size_t i = 0; i < data->rows; i++)
    memcpy(mn_row(out, i), mn_row(&m->positions, (size_t)unit.at[i]), 2 * sizeof(double));
  return MN_OK;
}

static size_t outputs(const void *self)
{
  (void)self;
  return 2;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)self;
  (void)inputs;
  snprintf(text, size, "som%zu", j + 1);
}

/* --- operations --- */

static mn_status distances(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                           mn_results *results)
{
  const struct mn_som *m = self;
  mn_matrix *out;
  (void)options;
  MN_TRY(mn_result_matrix(ctx, results, "distances", data->rows, m->codebook.rows, &out));
  return mn_centers_transform(ctx, &m->codebook, data, out);
}

static mn_status quality(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  const struct mn_som *m = self;
  int32_t *label = MN_RAW(ctx, int32_t, data->rows, 1);
  double quantization, topographic;
  mn_matrix *hits;
  (void)options;
  MN_CHECK_ALLOC(label);
  MN_TRY(mn_result_matrix(ctx, results, "hits", (size_t)m->grid_rows, (size_t)m->grid_columns, &hits));
  MN_TRY(mn_som_quality(ctx, m, data, label, hits->at, &quantization, &topographic));
  mn_result_real(results, "quantization_error", quantization);
  mn_result_real(results, "topographic_error", topographic);
  return MN_OK;
}

/* The mean distance in the space of X of each unit from its neighbors on the grid. */
static mn_status u_matrix(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                          mn_results *results)
{
  const struct mn_som *m = self;
  const size_t units = m->codebook.rows, p = m->codebook.cols;
  mn_matrix *out;
  (void)data;
  (void)options;
  MN_TRY(mn_result_matrix(ctx, results, "u_matrix", (size_t)m->grid_rows, (size_t)m->grid_columns, &out));
  for (size_t a = 0; a < units; a++) {
    size_t count = 0;
    double sum = 0;
    for (size_t b = 0; b < units; b++) {
      if (!mn_som_adjacent(m, a, b)) continue;
      double distance2 = 0;
      for (size_t j = 0; j < p; j++) {
        const double d = mn_row(&m->codebook, a)[j] - mn_row(&m->codebook, b)[j];
        distance2 += d * d;
      }
      sum += sqrt(distance2);
      count++;
    }
    out->at[a] = count > 0 ? sum / (double)count : 0;
    if (a % 64 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

struct plane_options {
  int64_t column;
};

static const mn_param plane_params[] = {
  MN_COUNT(struct plane_options, column, 1, MN_AT_LEAST(1), "number of the column of X"),
  MN_END,
};

static mn_status component_plane(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                 mn_results *results)
{
  const struct mn_som *m = self;
  const uint64_t column = (uint64_t)((const struct plane_options *)options)->column;
  mn_matrix *out;
  (void)data;
  if (column > m->codebook.cols)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "SOM: column must be at most %zu, got %llu", m->codebook.cols,
                   (unsigned long long)column);
  MN_TRY(mn_result_matrix(ctx, results, "plane", (size_t)m->grid_rows, (size_t)m->grid_columns, &out));
  for (size_t u = 0; u < m->codebook.rows; u++) out->at[u] = mn_row(&m->codebook, u)[column - 1];
  return MN_OK;
}

static const mn_operation operations[] = {
  { .name = "distances",
    .brief = "Euclidean distance of each row of X from each unit",
    .returns = "Matrix: rows x units",
    .needs = MN_NEEDS_X,
    .run = distances },
  { .name = "quality",
    .brief = "rows of X that each unit wins; mean distance from it; share of rows whose two nearest are not neighbors",
    .returns = "hits (Matrix: grid rows x grid columns), quantization_error, topographic_error",
    .needs = MN_NEEDS_X,
    .run = quality },
  { .name = "u_matrix",
    .brief = "mean distance of each unit from its neighbors on the grid; ridges separate groups",
    .returns = "Matrix: grid rows x grid columns",
    .run = u_matrix },
  { .name = "component_plane",
    .brief = "a column of the codebook, laid out as the grid",
    .returns = "Matrix: grid rows x grid columns",
    .options = plane_params,
    .options_size = sizeof(struct plane_options),
    .run = component_plane },
  { .name = NULL },
};

static mn_status check(mn_context *ctx, const void *self)
{
  const struct mn_som *m = self;
  const size_t units = m->codebook.rows;
  const bool valid = (uint64_t)m->grid_rows * (uint64_t)m->grid_columns == units && m->positions.cols == 2;
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "SOM: the codebook does not fit the grid");
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct mn_som *m = self;
  (void)ctx;
  if (action == MN_PREDICT) mn_centers_export(&m->codebook, action, program);
  if (action != MN_TRANSFORM_X) return MN_OK;
  mn_program_reals(program, "codebook", m->codebook.rows * m->codebook.cols, m->codebook.at);
  mn_program_reals(program, "positions", m->positions.rows * 2, m->positions.at);
  mn_program_count(program, "units", m->codebook.rows);
  mn_program_code(program, "real best = infinity"
                           " int nearest = 0"
                           " for u < units {"
                           "   real d = distance2(features, x, 0, codebook, u * features)"
                           "   if d < best { best = d nearest = u }"
                           " }"
                           " for c < 2 { out[c] = positions[2 * nearest + c] }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_COUNT(struct mn_som, grid_rows, 10, MN_CLOSED(1, 1 << 14), "rows of the grid of units"),
  MN_COUNT(struct mn_som, grid_columns, 10, MN_CLOSED(1, 1 << 14), "columns of the grid of units"),
  MN_CHOICE(struct mn_som, topology, MN_SOM_RECTANGULAR, topologies,
            "grid in which units have up to 8 (rectangular) or 6 neighbors (hexagonal)"),
  MN_FLAG(struct mn_som, toroidal, false, "join opposite edges of the grid"),
  MN_CHOICE(struct mn_som, neighborhood, MN_SOM_GAUSSIAN, neighborhoods,
            "gaussian: exp(-d^2 / (2 radius^2)) at distance d on the grid; bubble: 1 up to the radius, else 0"),
  MN_CHOICE(struct mn_som, algorithm, MN_SOM_BATCH, algorithms,
            "batch: units move to means of all rows; online: after each row"),
  MN_CHOICE(struct mn_som, init, MN_SOM_PCA, inits,
            "start on the plane of the first two principal components, or at rows drawn at random"),
  MN_TABLE(struct mn_som, start, MN_NO_LIMITS(), "codebook to start from, units x features; nil: by init"),
  MN_REAL(struct mn_som, radius, MN_UNSET_REAL, MN_CLOSED(0.01, 1 << 14),
          "first radius of the neighborhood, in distances between units; nil: half the longer side of the grid"),
  MN_REAL(struct mn_som, final_radius, 1, MN_CLOSED(0.01, 1 << 14), "last radius of the neighborhood"),
  MN_CHOICE(struct mn_som, radius_schedule, MN_SOM_LINEAR, schedules, "how the radius goes from the first to the last"),
  MN_REAL(struct mn_som, learning_rate, 0.1, MN_LEFT_OPEN(0, 1), "first learning rate of online training"),
  MN_REAL(struct mn_som, final_learning_rate, 0.01, MN_LEFT_OPEN(0, 1), "last learning rate of online training"),
  { .name = "learning_rate_schedule",
    .kind = MN_KIND_CHOICE,
    .offset = offsetof(struct mn_som, rate_schedule),
    .initial = MN_SOM_LINEAR,
    .choices = schedules,
    .brief = "how the learning rate goes from the first to the last" },
  MN_FLAG(struct mn_som, shuffle, true, "draw the order of the rows of each pass of online training"),
  MN_COUNT(struct mn_som, max_iter, 30, MN_CLOSED(1, INT32_MAX),
           "number of passes over the rows, in which radius and learning rate go from first to last"),
  MN_SEED(struct mn_som, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct mn_som, codebook, "units x features", "the units in the space of X, row by row of the grid"),
  MN_MATRIX(struct mn_som, positions, "units x plane", "the units on the grid: x and y"),
  MN_INDEXES(struct mn_som, labels, "rows < units", "nearest unit of each training row"),
  MN_VECTOR(struct mn_som, hits, "units", "weight of the training rows of each unit"),
  MN_NUMBER(struct mn_som, quantization_error, "mean distance of the training rows from their units"),
  MN_NUMBER(struct mn_som, topographic_error, "share of training rows whose two nearest units are not neighbors"),
  MN_INTEGER(struct mn_som, n_passes, "passes over rows so far"),
  MN_END,
};

const mn_class mn_som = {
  .name = "SOM",
  .family = "manifold",
  .brief = "Self-organizing map: a grid of units that unfolds in the data.",
  .objective = "sum_i w_i sum_u h(u, b(x_i)) |x_i - c_u|^2 over units c, b(x) the unit nearest to x",
  .source = "Kohonen, Biological Cybernetics 43 (1982); Self-Organizing Maps (2001)",
  .notes = "predict gives the number of the nearest unit, counted row by row of the grid, and transform its position. "
           "All max_iter passes are made; the trace is the mean distance of the rows from their units. partial_fit is "
           "one pass of online training, so max_iter calls with the same rows are fit with algorithm = 'online'. "
           "Weights multiply rows in batch training and step sizes online. Scale the columns first.",
  .example = "local X = ml.StandardScaler{}:fit_transform(ml.read_csv('examples/data/iris.csv'):drop('species'))\n"
             "local model = ml.SOM{ grid_rows = 6, grid_columns = 8, topology = 'hexagonal' }:fit(X)\n"
             "print(model.quantization_error, model.topographic_error, model:u_matrix())",
  .missing_alternatives = "GTM",
  .capabilities = MN_CLUSTER | MN_FINE_CLUSTERS | MN_TRANSFORM | MN_ITERATE | MN_RANDOM | MN_NOISY_OBJECTIVE,
  .accepts = MN_WEIGHTS | MN_WEIGHTS_SCALE,
  .size = sizeof(struct mn_som),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = mn_som_fit,
  .partial_fit = mn_som_partial_fit,
  .predict = predict,
  .transform = transform,
  .outputs = outputs,
  .output_name = output_name,
  .check = check,
  .export = export,
};
