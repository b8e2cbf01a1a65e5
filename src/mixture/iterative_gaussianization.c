/* Iterative Gaussianization: layers that make each column normal and then rotate to principal components. The result is
 * nearly standard normal, so the layers are a density of any shape, a sampler and an invertible transformation:
 *
 *     z = R_L g_L( ... R_1 g_1(x)),    log p(x) = log N(z | 0, I) + sum over layers and columns of log g'.
 *
 * g maps quantiles of a column of the training rows to those of the normal distribution and is linear between them and
 * beyond the outermost.
 *
 * Chen & Gopinath, NIPS 13 (2001); Laparra, Camps-Valls & Malo, IEEE Trans. Neural Networks 22 (2011). */
#include "../core/rng.h"
#include "../core/threads.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../model/operation.h"
#include "../model/program.h"
#include "../stats/special.h"
#include <stdlib.h>
#include <string.h>

struct gaussianization {
  mn_estimator base;
  int64_t n_layers, n_quantiles; /* parameters */
  mn_matrix quantiles;           /* learned fields: (layers x features) x quantiles, strictly ascending */
  mn_matrix rotations;           /* (layers x features) x features: R in rows */
  double loglik;
};

/* The largest slopes of g: in the first layer, for a column scaled to the range of the quantiles, and in the others. */
static const double steepest_first = 50, steepest_later = 2, log_two_pi = 1.83787706640934548356;

static double normal_quantile_at(size_t i, size_t m)
{
  return mn_normal_quantile(((double)i + 0.5) / (double)m);
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* Quantiles of sorted values, linear between order statistics. Where they are close or equal they are moved apart, so
 * that slopes are at most `steepest` in units of `scale`: else the layers would amplify rounding errors. */
static void find_quantiles(size_t n, const double *sorted, size_t m, const double *target, double scale,
                           double steepest, double *out)
{
  for (size_t i = 0; i < m; i++) {
    const double at = fmin(fmax((double)n * ((double)i + 0.5) / (double)m - 0.5, 0), (double)(n - 1));
    const size_t low = (size_t)at, high = low + 1 < n ? low + 1 : low;
    out[i] = sorted[low] + (at - (double)low) * (sorted[high] - sorted[low]);
  }
  const double tiny = 1e-12 * fabs(out[m / 2]), unit = scale / steepest;
  for (size_t i = m / 2; i-- > 0;) out[i] = fmin(out[i], out[i + 1] - fmax(unit * (target[i + 1] - target[i]), tiny));
  for (size_t i = m / 2 + 1; i < m; i++)
    out[i] = fmax(out[i], out[i - 1] + fmax(unit * (target[i] - target[i - 1]), tiny));
}

/* The interval of the ascending values that contains x, or the outermost. */
static size_t find_interval(size_t m, const double *value, double x)
{
  size_t low = 0, high = m - 1;
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    if (value[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* y, for x on the line through (from[i], to[i]); *slope: dy/dx. */
static double interpolate(size_t m, const double *from, const double *to, double x, double *slope)
{
  const size_t i = find_interval(m, from, x);
  *slope = (to[i + 1] - to[i]) / (from[i + 1] - from[i]);
  return to[i] + *slope * (x - from[i]);
}

static mn_status make_targets(mn_context *ctx, size_t m, double **target)
{
  MN_CHECK_ALLOC(*target = MN_RAW(ctx, double, m, 1));
  for (size_t i = 0; i < m; i++) (*target)[i] = normal_quantile_at(i, m);
  return MN_OK;
}

struct work {
  const struct gaussianization *m;
  const mn_data *data;
  mn_matrix *out; /* rows x features, or rows x 1 of log densities */
  double *buffer; /* workers x 2 p */
  const double *target;
  enum { TO_NORMAL, FROM_NORMAL, DENSITY } kind;
  mn_blocks blocks;
};

/* One row through all layers, in place; `next` is workspace. Returns the sum of log g'. */
static double forward(const struct gaussianization *m, const double *target, double *x, double *next)
{
  const size_t p = m->base.n_features, layers = m->quantiles.rows / p, q = m->quantiles.cols;
  double sum = 0, slope;
  for (size_t l = 0; l < layers; l++) {
    for (size_t j = 0; j < p; j++) {
      x[j] = interpolate(q, mn_row(&m->quantiles, l * p + j), target, x[j], &slope);
      sum += log(slope);
    }
    for (size_t j = 0; j < p; j++) {
      const double *r = mn_row(&m->rotations, l * p + j);
      next[j] = 0;
      for (size_t i = 0; i < p; i++) next[j] += r[i] * x[i];
    }
    memcpy(x, next, p * sizeof *x);
  }
  return sum;
}

static void backward(const struct gaussianization *m, const double *target, double *x, double *next)
{
  const size_t p = m->base.n_features, layers = m->quantiles.rows / p, q = m->quantiles.cols;
  double slope;
  for (size_t l = layers; l-- > 0;) {
    memset(next, 0, p * sizeof *next);
    for (size_t j = 0; j < p; j++) {
      const double *r = mn_row(&m->rotations, l * p + j);
      for (size_t i = 0; i < p; i++) next[i] += r[i] * x[j];
    }
    for (size_t j = 0; j < p; j++) x[j] = interpolate(q, target, mn_row(&m->quantiles, l * p + j), next[j], &slope);
  }
}

static double log_density(size_t p, const double *z, double log_slopes)
{
  double square = 0;
  for (size_t j = 0; j < p; j++) square += z[j] * z[j];
  return log_slopes - square / 2 - (double)p / 2 * log_two_pi;
}

static void run_block(void *work, size_t block, size_t worker)
{
  const struct work *w = work;
  const size_t p = w->data->features;
  double *x = w->buffer + worker * 2 * p;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    memcpy(x, mn_row(&w->data->x, i), p * sizeof *x);
    if (w->kind == FROM_NORMAL) {
      backward(w->m, w->target, x, x + p);
    } else {
      const double sum = forward(w->m, w->target, x, x + p);
      if (w->kind == DENSITY) w->out->at[i] = log_density(p, x, sum);
    }
    if (w->kind != DENSITY) memcpy(mn_row(w->out, i), x, p * sizeof *x);
  }
}

static mn_status run(mn_context *ctx, const void *self, const mn_data *data, int kind, mn_matrix *out)
{
  const struct gaussianization *m = self;
  double *target;
  struct work w = { .m = m, .data = data, .out = out, .blocks = mn_make_blocks(data->rows, 64, SIZE_MAX) };
  w.kind = kind;
  MN_TRY(make_targets(ctx, m->quantiles.cols, &target));
  w.target = target;
  w.buffer = MN_RAW(ctx, double, mn_threads(ctx), 2 * data->features);
  MN_CHECK_ALLOC(w.buffer);
  return mn_parallel(ctx, w.blocks.count, run_block, &w);
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return run(ctx, self, data, TO_NORMAL, out);
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return run(ctx, self, data, FROM_NORMAL, out);
}

static mn_status score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return run(ctx, self, data, DENSITY, out);
}

/* Learn and apply the functions g of layer l to z. */
static mn_status fit_columns(mn_context *ctx, struct gaussianization *m, size_t l, size_t n, double *z,
                             const double *target, double *column)
{
  const size_t p = m->base.n_features, q = m->quantiles.cols;
  double slope;
  for (size_t j = 0; j < p; j++) {
    double *quantiles = mn_row(&m->quantiles, l * p + j);
    for (size_t i = 0; i < n; i++) column[i] = z[i * p + j];
    qsort(column, n, sizeof *column, compare);
    const double range = (column[n - 1] - column[0]) / (target[q - 1] - target[0]);
    if (l == 0)
      find_quantiles(n, column, q, target, range > 0 ? range : 1, steepest_first, quantiles);
    else
      find_quantiles(n, column, q, target, 1, steepest_later, quantiles);
    for (size_t i = 0; i < n; i++) {
      z[i * p + j] = interpolate(q, quantiles, target, z[i * p + j], &slope);
      m->loglik += log(slope);
    }
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* Learn and apply the rotation of layer l: principal components, the largest element of each positive. */
static mn_status fit_rotation(mn_context *ctx, struct gaussianization *m, size_t l, size_t n, double *z, double *next)
{
  const size_t p = m->base.n_features;
  double *gram = MN_RAW(ctx, double, p, p), *values = MN_RAW(ctx, double, p, 1), *r = mn_row(&m->rotations, l * p);
  if (!gram || !values) return MN_NO_MEMORY;
  MN_TRY(mn_gram(ctx, n, p, z, p, 0, NULL, 0, NULL, true, NULL, NULL, gram, p));
  MN_TRY(mn_eigh(ctx, p, p, MN_LARGEST, gram, values, r));
  for (size_t j = 0; j < p; j++) {
    size_t largest = 0;
    for (size_t i = 1; i < p; i++) largest = fabs(r[j * p + i]) > fabs(r[j * p + largest]) ? i : largest;
    const double sign = r[j * p + largest] < 0 ? -1 : 1;
    for (size_t i = 0; i < p; i++) r[j * p + i] *= sign;
  }
  MN_TRY(mn_gemm(ctx, false, true, n, p, p, 1, z, p, r, p, 0, next, p));
  memcpy(z, next, n * p * sizeof *z);
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct gaussianization *m = self;
  const size_t n = data->rows, p = data->features, layers = (size_t)m->n_layers;
  const size_t wanted = (size_t)m->n_quantiles < n ? (size_t)m->n_quantiles : n, q = wanted < 2 ? 2 : wanted;
  double *z = MN_RAW(ctx, double, n, p), *next = MN_RAW(ctx, double, n, p), *column = MN_RAW(ctx, double, n, 1);
  double *target;
  if (!z || !next || !column) return MN_NO_MEMORY;
  MN_TRY(make_targets(ctx, q, &target));
  MN_TRY(mn_matrix_init(ctx, &m->quantiles, layers * p, q));
  MN_TRY(mn_matrix_init(ctx, &m->rotations, layers * p, p));
  memcpy(z, data->x.at, n * p * sizeof *z);
  m->loglik = 0;
  mn_mark mark = mn_scratch_mark(ctx);
  for (size_t l = 0; l < layers; l++) {
    MN_TRY(fit_columns(ctx, m, l, n, z, target, column));
    MN_TRY(fit_rotation(ctx, m, l, n, z, next));
    MN_TRY(mn_scratch_recycle(ctx, &mark));
  }
  for (size_t i = 0; i < n; i++) m->loglik += log_density(p, z + i * p, 0);
  return MN_OK;
}

static mn_status sample(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  (void)data;
  const struct gaussianization *m = self;
  const mn_sample_options *o = options;
  const size_t p = m->base.n_features;
  mn_matrix *out;
  double *target, *next = MN_RAW(ctx, double, p, 1);
  MN_CHECK_ALLOC(next);
  MN_TRY(make_targets(ctx, m->quantiles.cols, &target));
  MN_TRY(mn_result_matrix(ctx, results, "sample", (size_t)o->n, p, &out));
  for (size_t i = 0; i < out->rows; i++) {
    mn_rng rng = mn_stream(o->seed, i);
    for (size_t j = 0; j < p; j++) mn_row(out, i)[j] = mn_random_normal(&rng);
    backward(m, target, mn_row(out, i), next);
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
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

/* Check a loaded model. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct gaussianization *m = self;
  bool valid = m->quantiles.cols >= 2 && m->quantiles.rows == m->rotations.rows && m->quantiles.rows > 0 &&
               m->quantiles.rows % m->base.n_features == 0;
  for (size_t i = 0; valid && i < m->quantiles.rows; i++)
    for (size_t j = 1; valid && j < m->quantiles.cols; j++)
      valid = mn_row(&m->quantiles, i)[j] > mn_row(&m->quantiles, i)[j - 1];
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "IterativeGaussianization: its layers are inconsistent");
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)action, (void)program;
  return mn_cannot_export(ctx, self, "programs do not have its layers");
}

static const mn_param params[] = {
  MN_COUNT(struct gaussianization, n_layers, 20, MN_CLOSED(1, 10000),
           "number of layers; more fit the training rows more closely"),
  MN_COUNT(struct gaussianization, n_quantiles, 50, MN_CLOSED(2, 1000000),
           "quantiles of each column in each layer, at most the number of rows; fewer give a smoother density"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct gaussianization, quantiles, "columns x quantiles",
            "quantiles of each column, layer by layer, which become those of the normal distribution"),
  MN_MATRIX(struct gaussianization, rotations, "columns x features", "rotation of each layer, stacked"),
  MN_NUMBER(struct gaussianization, loglik, "log likelihood of the training rows"),
  MN_END,
};

const mn_class mn_iterative_gaussianization = {
  .name = "IterativeGaussianization",
  .family = "mixture",
  .brief = "Density of any shape by layers that transform X to a normal distribution.",
  .objective = "z = R_L g_L(... R_1 g_1(x)) ~ N(0, I), g monotone in each column, R a rotation",
  .source = "Laparra, Camps-Valls & Malo, IEEE Trans. Neural Networks 22 (2011)",
  .notes =
      "transform gives nearly independent standard normal columns; inverse_transform goes back exactly, and sample draws new "
      "rows through it. score_samples is the log density by the change of variables. Many layers and quantiles overfit: "
      "compare score_samples of held-out rows. Equal values get a peak of density, whose height is bounded.",
  .example = "local X = ml.read_csv('examples/data/faithful.csv')\n"
             "local model = ml.IterativeGaussianization{ n_layers = 5 }:fit(X)\n"
             "print(model:score_samples{ {4.3, 80} }, model:sample{ n = 2 })",
  .capabilities = MN_TRANSFORM | MN_DENSITY,
  .size = sizeof(struct gaussianization),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  MN_TRANSFORM_PAIR(transform, inverse_transform),
  .score_samples = score_samples,
  .export = export,
  .check = check,
};
