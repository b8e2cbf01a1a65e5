/* Kernel density estimate
 *
 *     f(x) = sum_i w_i K(distance(x, x_i) / h) / (W c),   W = sum_i w_i,   c = integral of K(distance / h).
 *
 * Parzen, Annals of Mathematical Statistics 33 (1962). Sums and their error bound: density_sum.h; rules for h:
 * density_bandwidth.c; c and sampling for other metrics: density_space.h. */
#include "../core/threads.h"
#include "../model/class.h"
#include "../model/operation.h"
#include "../model/program.h"
#include "../search/neighbor_index.h"
#include "copies.h"
#include "density_bandwidth.h"
#include "density_space.h"
#include "shape_program.h"
#include <string.h>

struct kernel_density {
  mn_estimator base;
  double bandwidth, p, atol, rtol;
  int64_t kernel, bandwidth_rule, metric;
  mn_matrix covariance;
  mn_matrix x;       /* rows x features       */
  mn_vector weights; /* rows; empty: all are 1 */
  double fitted_bandwidth;
  mn_neighbor_index index;
};

static const char name[] = "KernelDensity";

enum { LEAF_SIZE = 256 };

static mn_points points_of(const struct kernel_density *m)
{
  return (mn_points){ .n = m->x.rows, .d = m->x.cols, .x = m->x.at };
}

static mn_status derive(mn_context *ctx, void *self)
{
  struct kernel_density *m = self;
  const mn_points rows = points_of(m);
  const mn_index_options options = { .metric = { m->metric, m->p, &m->covariance },
                                     .algorithm = MN_INDEX_KD_TREE,
                                     .leaf_size = LEAF_SIZE };
  return mn_neighbor_index_init(ctx, name, &m->index, &rows, options);
}

/* Sums over the rows. */
static mn_status prepare(mn_context *ctx, const struct kernel_density *m, mn_density *density)
{
  MN_TRY(mn_density_prepare(ctx, &m->index.space, &m->index.tree, m->weights.size > 0 ? m->weights.at : NULL, density));
  density->shape = (mn_kernel_shape)m->kernel;
  return MN_OK;
}

/* Rows as the tree has them. */
static mn_status embed(mn_context *ctx, const mn_space *space, mn_points rows, const double **out)
{
  *out = rows.x;
  if (!mn_space_embeds(space)) return MN_OK;
  double *z = MN_RAW(ctx, double, rows.n, (size_t)space->width);
  MN_CHECK_ALLOC(z);
  *out = z;
  return mn_space_embed(ctx, space, &rows, true, z);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct kernel_density *m = self;
  mn_density density;
  const double *embedded;
  MN_TRY(mn_matrix_init(ctx, &m->x, data->rows, data->features));
  memcpy(m->x.at, data->x.at, data->rows * data->features * sizeof *m->x.at);
  if (data->weights) {
    MN_TRY(mn_vector_init(ctx, &m->weights, data->rows));
    memcpy(m->weights.at, data->weights, data->rows * sizeof *m->weights.at);
    mn_weights_as_copies(ctx, &m->weights);
  }
  MN_TRY(derive(ctx, m));
  m->fitted_bandwidth = m->bandwidth;
  if (!isnan(m->bandwidth)) return MN_OK;
  MN_TRY(prepare(ctx, m, &density));
  MN_TRY(embed(ctx, density.space, points_of(m), &embedded));
  return mn_density_choose_bandwidth(ctx, name, &density, density.shape, (mn_density_rule)m->bandwidth_rule, &m->x,
                                     embedded, &m->fitted_bandwidth);
}

static mn_status score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct kernel_density *m = self;
  mn_density density;
  const double *points;
  MN_TRY(prepare(ctx, m, &density));
  const double h = m->fitted_bandwidth, total = density.sums[0];
  const double log_integral = mn_density_log_integral(density.space, density.shape, h) + log(total);
  density.bandwidth = h;
  density.rtol = m->rtol;
  density.atol = m->atol > 0 ? exp(fmin(log(m->atol) + log_integral, 700)) : 0;
  MN_TRY(embed(ctx, density.space, (mn_points){ .n = data->rows, .d = data->features, .x = data->x.at }, &points));
  MN_TRY(mn_density_log_sums(ctx, &density, data->rows, points, false, out->at));
  for (size_t i = 0; i < data->rows; i++) out->at[i] -= log_integral;
  return MN_OK;
}

static mn_status draw_rows(mn_context *ctx, const struct kernel_density *m, const mn_space *space, int64_t seed,
                           mn_matrix *out)
{
  const size_t n = m->x.rows, d = m->x.cols;
  double *cumulative = MN_RAW(ctx, double, n, 1), *noise = MN_RAW(ctx, double, d, 1), total = 0;
  if (!cumulative || !noise) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) cumulative[i] = total += m->weights.size > 0 ? m->weights.at[i] : 1;
  for (size_t i = 0; i < out->rows; i++) {
    mn_rng rng = mn_stream(seed, i);
    memcpy(mn_row(out, i), mn_row(&m->x, mn_random_cumulative(&rng, cumulative, n)), d * sizeof *noise);
    mn_density_draw(space, (mn_kernel_shape)m->kernel, m->fitted_bandwidth, &rng, noise, mn_row(out, i));
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status sample(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  (void)data;
  const struct kernel_density *m = self;
  const mn_sample_options *o = options;
  const mn_neighbor_index *index = &m->index;
  mn_matrix *out;
  if (!mn_metric_is_norm(index->space.kind))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: sample is not defined for the metric %s", name,
                   mn_metric_names[index->space.kind]);
  MN_TRY(mn_result_matrix(ctx, results, "sample", (size_t)o->n, m->x.cols, &out));
  return draw_rows(ctx, m, &index->space, o->seed, out);
}

static const mn_operation operations[] = {
  { .name = "sample",
    .brief = "rows drawn from the density",
    .returns = "Matrix (n x features)",
    .options = mn_sample_params,
    .options_size = sizeof(mn_sample_options),
    .run = sample },
  { .name = NULL },
};

/* The distance d from row i of the exported tables, in bandwidths. */
static const char *distance_code(const mn_space *space)
{
  switch (space->form) {
  case MN_FORM_SQUARES: return "real u = sqrt(distance2(features, x, 0, rows, i * features)) / h";
  case MN_FORM_SUM: return "real u = manhattan(features, rows, i * features, x, 0) / h";
  case MN_FORM_MAX:
    return "real u = 0.0 for j < features {"
           "  real apart = abs(rows[i * features + j] - x[j]) / h"
           "  u = apart > u ? apart : u"
           "}";
  default:
    return "real u = 0.0 for j < features { u += pow(abs(rows[i * features + j] - x[j]), p) }"
           " u = pow(u, 1.0 / p) / h";
  }
}

/* Logarithms of sums relative to the largest term so far. */
static void write_sum(const struct kernel_density *m, const mn_space *space, mn_program *program)
{
  const mn_kernel_shape shape = (mn_kernel_shape)m->kernel;
  mn_program_code(program, mn_shape_is_compact(shape) ? "real sum = 0.0 for i < n {"
                                                      : "real sum = 0.0 real least = 1e300 for i < n {");
  mn_program_code(program, distance_code(space));
  mn_program_code(program, m->weights.size > 0 ? "real w = weights[i]" : "real w = 1.0");
  if (mn_shape_is_compact(shape)) {
    mn_program_code(program, mn_shape_program(shape));
    mn_program_code(program, "sum += w * factor } out[0] = log(sum) - log_total");
    return;
  }
  mn_program_code(program, shape == MN_SHAPE_GAUSSIAN ? "real e = u * u / 2.0" : "real e = u");
  mn_program_code(program, "  if e < least { sum = sum * exp(e - least) + w least = e }"
                           "  else { sum += w * exp(least - e) }"
                           "}"
                           "out[0] = log(sum) - least - log_total");
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct kernel_density *m = self;
  if (action != MN_SCORE_SAMPLES) return MN_OK;
  const mn_space *space = &m->index.space;
  if (!mn_metric_is_norm(space->kind) || space->kind == MN_METRIC_MAHALANOBIS)
    return mn_cannot_export(ctx, self, "programs do not have its metric");
  double total = m->weights.size > 0 ? 0 : (double)m->x.rows;
  for (size_t i = 0; i < m->weights.size; i++) total += m->weights.at[i];
  const double log_integral = mn_density_log_integral(space, (mn_kernel_shape)m->kernel, m->fitted_bandwidth);
  mn_program_reals(program, "rows", m->x.rows * m->x.cols, m->x.at);
  if (m->weights.size > 0) mn_program_reals(program, "weights", m->weights.size, m->weights.at);
  mn_program_count(program, "n", m->x.rows);
  mn_program_real(program, "h", m->fitted_bandwidth);
  mn_program_real(program, "p", space->p);
  mn_program_real(program, "log_total", log_integral + log(total));
  write_sum(m, space, program);
  return MN_OK;
}

static const mn_param params[] = {
  MN_REAL(struct kernel_density, bandwidth, MN_UNSET_REAL, MN_GREATER_THAN(0),
          "bandwidth, in units of distance; nil: by bandwidth_rule"),
  MN_CHOICE(
      struct kernel_density, bandwidth_rule, MN_DENSITY_SCOTT, mn_density_rule_names,
      "scott and silverman: from the standard deviation; lscv: least-squares cross-validation; likelihood: largest "
      "leave-one-out likelihood. These two take up to rows^2 kernel values, about 30 times: seconds for 10,000 rows, "
      "many minutes for 100,000, where a sample of the rows gives nearly the same bandwidth; lscv with one or two "
      "columns takes time in proportion to the rows"),
  MN_CHOICE(struct kernel_density, kernel, MN_SHAPE_GAUSSIAN, mn_kernel_shape_names,
            "kernel, a function of the distance in bandwidths"),
  MN_CHOICE(struct kernel_density, metric, MN_METRIC_EUCLIDEAN, mn_density_metric_names,
            "distance between rows; haversine: columns are latitude and longitude in radians"),
  MN_REAL(struct kernel_density, p, 2, MN_AT_LEAST(1), "exponent of the metric minkowski"),
  MN_TABLE(struct kernel_density, covariance, MN_NO_LIMITS(),
           "covariance of the metric mahalanobis; nil: that of the training rows"),
  MN_REAL(struct kernel_density, atol, 0, MN_AT_LEAST(0),
          "largest absolute error of a density; the error is at most atol + rtol * density"),
  MN_REAL(struct kernel_density, rtol, 0, MN_AT_LEAST(0),
          "largest relative error of a density; with atol = 0 and rtol = 0 sums are exact to rounding"),
  MN_END,
};

static const mn_field fields[] = {
  MN_LEARNED(MN_KIND_MATRIX, struct kernel_density, x, "rows x features", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct kernel_density, weights, "rows?", NULL),
  MN_NUMBER(struct kernel_density, fitted_bandwidth, "bandwidth in use"),
  MN_NEIGHBOR_INDEX_FIELDS(struct kernel_density, index),
  MN_END,
};

const mn_class mn_kernel_density = {
  .name = "KernelDensity",
  .family = "smoothing",
  .brief = "Kernel density estimation for any metric, with a stated error bound.",
  .objective = "f(x) = sum_i w_i K(distance(x, x_i) / h) / (sum of w times the integral of K(distance / h))",
  .source = "Parzen, Annals of Mathematical Statistics 33 (1962)",
  .notes = "Scale the columns first, or use the metric mahalanobis. The default bandwidth depends on the "
           "spread of X (1 in scikit-learn, whose scott and silverman ignore it); equal rows "
           "give 1. Densities integrate to 1 for norms, and for haversine on the sphere; otherwise they are "
           "mean kernel values. A compact kernel gives -inf where no row is within the bandwidth. Weights that "
           "are not counts stand for (sum w)^2 / sum w^2 rows. Exported programs agree to 1e-12.",
  .example = "local model = ml.KernelDensity{ bandwidth = 0.5 }:fit{ {0}, {1}, {1.2}, {3} }\n"
             "print(model:score_samples{ {1}, {2} }:exp())",
  .capabilities = MN_DENSITY | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct kernel_density),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .score_samples = score_samples,
  .export = export,
  .export_tolerance = 1e-12,
  .derive = derive,
};
