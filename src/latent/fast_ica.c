/* Independent component analysis by fixed-point iterations.
 *
 * For whitened rows z (mean 0, covariance the identity), each row w of an orthogonal matrix W maximizes the
 * non-Gaussianity of w z, measured by E{G(w z)}. With g = G', one iteration of Newton's method is
 *
 *     w <- E{z g(w z)} - E{g'(w z)} w,
 *
 * followed by W <- (W W')^(-1/2) W (parallel) or by Gram-Schmidt against the components found before (deflation).
 *
 * Hyvarinen, IEEE Trans. Neural Networks 10 (1999). */
#include "../core/rng.h"
#include "../core/threads.h"
#include "../decomposition/components.h"
#include "../factorization/dense.h"
#include "../factorization/lapack.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include "../model/class.h"
#include "../model/program.h"
#include "ica.h"
#include "ica_kernel.h"
#include "whitening.h"
#include "../model/magnitudes.h"
#include <stdio.h>
#include <string.h>

enum { PARALLEL, DEFLATION };
static const char *const algorithms[] = { "parallel", "deflation", NULL };

enum { UNIT_VARIANCE, ARBITRARY_VARIANCE, NO_WHITENING };
static const char *const whitenings[] = { "unit-variance", "arbitrary-variance", "none", NULL };

static const char *const functions[] = { "logcosh", "exp", "cube", NULL };
static double (*const derivatives[])(size_t, double, const double *, double *) = { mn_ica_logcosh, mn_ica_exp,
                                                                                   mn_ica_cube };

struct fast_ica {
  mn_estimator base;
  int64_t n_components, algorithm, whiten, fun, whiten_solver, max_iter, seed;
  double alpha, tol;
  mn_matrix w_init;
  mn_matrix components, mixing, whitening; /* learned fields */
  mn_vector mean;
};

enum { TILE = 512, MIN_BLOCK = 4 * TILE, MAX_BLOCKS = 64 };

/* One pass over the rows: the expectations of an iteration. */
struct pass {
  const struct fast_ica *m;
  size_t n, k, rows; /* whitened rows and their columns; rows of W */
  const double *z;   /* n x k                                      */
  const double *weights;
  double total;
  const double *w;      /* rows x k                                                */
  double *part, *space; /* blocks x rows x (k + 1); a workspace for each worker    */
  size_t space_size;    /* doubles of a workspace                                  */
  mn_blocks blocks;
};

static void run_block(void *work, size_t block, size_t worker)
{
  const struct pass *s = work;
  const size_t k = s->k, end = mn_block_end(&s->blocks, block);
  double *sums = s->part + block * s->rows * (k + 1), *slopes = sums + s->rows * k;
  double *y = s->space + worker * s->space_size, *product = y + s->rows * TILE;
  memset(sums, 0, s->rows * (k + 1) * sizeof *sums);
  for (size_t from = mn_block_begin(&s->blocks, block); from < end; from += TILE) {
    const size_t count = end - from < TILE ? end - from : TILE;
    const double *z = s->z + from * k, *weights = s->weights ? s->weights + from : NULL;
    mn_gemm_serial(false, true, s->rows, count, k, 1, s->w, k, z, k, 0, y, count, product);
    for (size_t c = 0; c < s->rows; c++)
      slopes[c] += derivatives[s->m->fun](count, s->m->alpha, weights, y + c * count);
    mn_gemm_serial(false, false, s->rows, k, count, 1, y, count, z, k, 1, sums, k, product);
  }
}

static mn_status make_pass(mn_context *ctx, const struct fast_ica *m, const mn_data *data, size_t k, const double *z,
                           struct pass *s)
{
  const size_t rows = m->algorithm == DEFLATION ? 1 : k;
  *s = (struct pass){ .m = m, .n = data->rows, .k = k, .rows = rows, .z = z, .weights = data->weights };
  s->total = mn_total_weight(data);
  s->blocks = mn_make_blocks(s->n, MIN_BLOCK, MAX_BLOCKS);
  const size_t forward = mn_gemm_serial_bytes(rows, TILE, k), back = mn_gemm_serial_bytes(rows, k, TILE);
  s->space_size = rows * TILE + ((forward > back ? forward : back) + 63) / 64 * 8;
  s->part = MN_RAW(ctx, double, s->blocks.count + 1, rows * (k + 1));
  s->space = MN_RAW(ctx, double, mn_threads(ctx), s->space_size);
  return s->part && s->space ? MN_OK : MN_NO_MEMORY;
}

/* next = E{g(w z) z'} - E{g'(w z)} w for the rows of w. */
static mn_status newton_step(mn_context *ctx, struct pass *s, const double *w, double *next)
{
  const size_t width = s->rows * (s->k + 1);
  double *sum = s->part + s->blocks.count * width;
  s->w = w;
  MN_TRY(mn_parallel(ctx, s->blocks.count, run_block, s));
  mn_sum_blocks(s->blocks.count, width, s->part, sum);
  for (size_t c = 0; c < s->rows; c++) {
    const double slope = sum[s->rows * s->k + c];
    for (size_t j = 0; j < s->k; j++) next[c * s->k + j] = (sum[c * s->k + j] - slope * w[c * s->k + j]) / s->total;
  }
  return MN_OK;
}

/* W <- (W W')^(-1/2) W. */
static mn_status decorrelate(mn_context *ctx, size_t k, double *w)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *gram = MN_RAW(ctx, double, k, k), *values = MN_RAW(ctx, double, k, 1), *vectors = MN_RAW(ctx, double, k, k);
  if (!gram || !values || !vectors) return MN_NO_MEMORY;
  MN_TRY(mn_gemm(ctx, false, true, k, k, k, 1, w, k, w, k, 0, gram, k));
  MN_TRY(mn_eigh(ctx, k, k, MN_LARGEST, gram, values, vectors));
  MN_TRY(mn_gemm(ctx, false, false, k, k, k, 1, vectors, k, w, k, 0, gram, k));
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < k; j++) gram[c * k + j] /= sqrt(fmax(values[c], DBL_MIN));
  MN_TRY(mn_gemm(ctx, true, false, k, k, k, 1, vectors, k, gram, k, 0, w, k));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* The largest of 1 - |cos| of the angles between old and new components. */
static double largest_change(size_t rows, size_t k, const double *w, const double *next)
{
  double change = 0;
  for (size_t c = 0; c < rows; c++) change = fmax(change, fabs(fabs(mn_ordered_dot(k, w + c * k, next + c * k)) - 1));
  return change;
}

static mn_status iterate_parallel(mn_context *ctx, struct fast_ica *m, struct pass *s, double *w)
{
  const size_t k = s->k;
  mn_report *report = &m->base.report;
  double *next = MN_RAW(ctx, double, k, k);
  bool proceed = true;
  MN_CHECK_ALLOC(next);
  MN_TRY(decorrelate(ctx, k, w));
  while (proceed && !report->converged && report->n_iter < m->max_iter) {
    MN_TRY(newton_step(ctx, s, w, next));
    MN_TRY(decorrelate(ctx, k, next));
    report->change = largest_change(k, k, w, next);
    report->converged = report->change < m->tol;
    memcpy(w, next, k * k * sizeof *w);
    proceed = mn_round(ctx, report, m->max_iter, report->change);
  }
  return mn_error_status(ctx);
}

mn_status mn_ica_rotate(mn_context *ctx, const mn_data *data, size_t k, const double *z, int64_t max_iter, double tol,
                        double *w)
{
  const struct fast_ica settings = { .algorithm = PARALLEL, .alpha = 1 };
  double *next = MN_RAW(ctx, double, k, k), change = INFINITY;
  struct pass s;
  MN_CHECK_ALLOC(next);
  MN_TRY(make_pass(ctx, &settings, data, k, z, &s));
  MN_TRY(decorrelate(ctx, k, w));
  for (int64_t i = 0; i < max_iter && !(change < tol); i++) {
    MN_TRY(newton_step(ctx, &s, w, next));
    MN_TRY(decorrelate(ctx, k, next));
    change = largest_change(k, k, w, next);
    memcpy(w, next, k * k * sizeof *w);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* Make w orthogonal to the `found` components before it, and of length 1. */
static void orthogonalize(size_t k, size_t found, const double *components, double *w)
{
  for (int twice = 0; twice < 2; twice++)
    for (size_t c = 0; c < found; c++) {
      const double along = mn_ordered_dot(k, w, components + c * k);
      for (size_t j = 0; j < k; j++) w[j] -= along * components[c * k + j];
    }
  const double length = sqrt(mn_ordered_dot(k, w, w));
  for (size_t j = 0; length > 0 && j < k; j++) w[j] /= length;
}

/* One component after the other; n_iter counts the iterations of all of them. */
static mn_status iterate_deflation(mn_context *ctx, struct fast_ica *m, struct pass *s, double *w)
{
  const size_t k = s->k;
  mn_report *report = &m->base.report;
  double *next = MN_RAW(ctx, double, k, 1), worst = 0;
  bool proceed = true, all = true;
  MN_CHECK_ALLOC(next);
  for (size_t c = 0; c < k; c++) {
    double *row = w + c * k, change = INFINITY;
    orthogonalize(k, c, w, row);
    for (int64_t i = 0; proceed && change >= m->tol && i < m->max_iter; i++) {
      MN_TRY(newton_step(ctx, s, row, next));
      orthogonalize(k, c, w, next);
      change = largest_change(1, k, row, next);
      memcpy(row, next, k * sizeof *row);
      proceed = mn_round(ctx, report, (int64_t)k * m->max_iter, change);
    }
    MN_TRY(mn_error_status(ctx));
    worst = fmax(worst, change);
    all = all && change < m->tol;
  }
  report->change = worst;
  report->converged = all;
  return MN_OK;
}

static mn_status first_guess(mn_context *ctx, const struct fast_ica *m, size_t k, double *w)
{
  mn_rng rng = mn_stream(m->seed, 0);
  if (m->w_init.at && (m->w_init.rows != k || m->w_init.cols != k))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "FastICA: w_init must be %zu x %zu, got %zu x %zu", k, k, m->w_init.rows,
                   m->w_init.cols);
  for (size_t i = 0; i < k * k; i++) w[i] = m->w_init.at ? m->w_init.at[i] : mn_random_normal(&rng);
  return MN_OK;
}

/* components = W K, scaled for the chosen variance, and its pseudoinverse. */
static mn_status store(mn_context *ctx, struct fast_ica *m, const mn_whitening *white, size_t k, size_t p, double *w)
{
  const double *matrix = white->matrix;
  MN_TRY(mn_matrix_init(ctx, &m->components, k, p));
  MN_TRY(mn_matrix_init(ctx, &m->mixing, p, k));
  MN_TRY(mn_vector_init(ctx, &m->mean, p));
  if (white->mean) memcpy(m->mean.at, white->mean, p * sizeof *white->mean);
  if (matrix) {
    MN_TRY(mn_matrix_init(ctx, &m->whitening, k, p));
    memcpy(m->whitening.at, matrix, k * p * sizeof *matrix);
    MN_TRY(mn_gemm(ctx, false, false, k, p, k, 1, w, k, matrix, p, 0, m->components.at, p));
  } else {
    memcpy(m->components.at, w, k * p * sizeof *w);
  }
  const double scale = m->whiten == ARBITRARY_VARIANCE ? 1 / sqrt(white->total) : 1;
  for (size_t i = 0; i < k * p; i++) m->components.at[i] *= scale;
  mn_fix_signs(k, p, m->components.at);
  return mn_pinv(ctx, k, p, m->components.at, -1, m->mixing.at);
}

static mn_status count_components(mn_context *ctx, const struct fast_ica *m, const mn_data *data, size_t *limit)
{
  const size_t p = data->features, most = data->rows < p ? data->rows : p;
  if (data->rows < 2) return mn_fail(ctx, MN_BAD_DATA, "FastICA: X must have at least 2 rows, got %zu", data->rows);
  if (m->whiten == NO_WHITENING && m->n_components != MN_UNSET && m->n_components != (int64_t)p)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "FastICA: whiten = \"none\" gives as many components as columns, %zu; leave out n_components", p);
  if (m->whiten != NO_WHITENING && m->n_components != MN_UNSET && m->n_components > (int64_t)most)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "FastICA: n_components must be at most min(rows, columns) = %zu, got %lld",
                   most, (long long)m->n_components);
  *limit = m->whiten == NO_WHITENING ? p : m->n_components == MN_UNSET ? most : (size_t)m->n_components;
  return MN_OK;
}

static mn_status check_rank(mn_context *ctx, const struct fast_ica *m, size_t rank)
{
  if (rank == 0) return mn_fail(ctx, MN_BAD_DATA, "FastICA: all columns of X are constant");
  if (m->n_components == MN_UNSET || rank >= (size_t)m->n_components) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "FastICA: X has only %zu linearly independent columns; reduce n_components", rank);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct fast_ica *m = self;
  size_t k = 0;
  struct pass s;
  mn_whitening white = { .total = mn_total_weight(data) };
  const double *z = data->x.at;
  MN_TRY(mn_check_magnitudes(ctx, self, data));
  MN_TRY(count_components(ctx, m, data, &k));
  if (m->whiten != NO_WHITENING) {
    MN_TRY(mn_whiten(ctx, data, (mn_whitening_solver)m->whiten_solver, k, &white));
    MN_TRY(check_rank(ctx, m, white.rank));
    k = white.rank;
    double *rows = MN_RAW(ctx, double, data->rows, k);
    MN_CHECK_ALLOC(rows);
    MN_TRY(mn_whitened_rows(ctx, data, k, white.matrix, white.mean, rows));
    z = rows;
  }
  double *w = MN_RAW(ctx, double, k, k);
  MN_CHECK_ALLOC(w);
  MN_TRY(first_guess(ctx, m, k, w));
  MN_TRY(make_pass(ctx, m, data, k, z, &s));
  m->base.report.advice = "increase max_iter or tol, or reduce n_components";
  MN_TRY(m->algorithm == DEFLATION ? iterate_deflation(ctx, m, &s, w) : iterate_parallel(ctx, m, &s, w));
  return store(ctx, m, &white, k, data->features, w);
}

/* Rows of few values are projected by dot products, whose order is the same everywhere: the mean is projected, too. */
static mn_status project_mean(mn_context *ctx, const struct fast_ica *m, double **shift)
{
  *shift = MN_RAW(ctx, double, m->components.rows, 1);
  MN_CHECK_ALLOC(*shift);
  for (size_t c = 0; c < m->components.rows; c++)
    (*shift)[c] = mn_ordered_dot(m->components.cols, m->mean.at, mn_row(&m->components, c));
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct fast_ica *m = self;
  double *shift;
  MN_TRY(project_mean(ctx, m, &shift));
  MN_TRY(mn_project_rows(ctx, data, &m->components, out));
  for (size_t i = 0; i < out->rows; i++)
    for (size_t c = 0; c < out->cols; c++) mn_row(out, i)[c] -= shift[c];
  return MN_OK;
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct fast_ica *m = self;
  const size_t p = out->cols, k = m->mixing.cols;
  for (size_t i = 0; i < out->rows; i++) memcpy(mn_row(out, i), m->mean.at, p * sizeof *out->at);
  return mn_gemm(ctx, false, true, out->rows, p, k, 1, data->x.at, k, m->mixing.at, k, 1, out->at, p);
}

static mn_status export_program(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct fast_ica *m = self;
  double *shift;
  if (action != MN_TRANSFORM_X) return MN_OK;
  MN_TRY(project_mean(ctx, m, &shift));
  mn_program_reals(program, "components", m->components.rows * m->components.cols, m->components.at);
  mn_program_reals(program, "shift", m->components.rows, shift);
  mn_program_code(program, "for c < outputs {"
                           "  out[c] = 0.0 + dot(features, x, 0, components, c * features) - shift[c]"
                           "}");
  return MN_OK;
}

static size_t outputs(const void *self)
{
  return ((const struct fast_ica *)self)->components.rows;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)self;
  (void)inputs;
  snprintf(text, size, "source%zu", j + 1);
}

static const mn_param params[] = {
  MN_COUNT(struct fast_ica, n_components, MN_UNSET, MN_AT_LEAST(1),
           "number of sources; nil: as many as X has linearly independent columns"),
  MN_CHOICE(struct fast_ica, algorithm, PARALLEL, algorithms,
            "parallel: all sources at once; deflation: one after the other"),
  MN_CHOICE(struct fast_ica, whiten, UNIT_VARIANCE, whitenings,
            "variance of the sources: 1, or 1 / n (arbitrary-variance); none: X is white already"),
  MN_CHOICE(struct fast_ica, fun, 0, functions,
            "contrast: logcosh for general use, exp for outliers, cube (kurtosis) for light tails"),
  MN_REAL(struct fast_ica, alpha, 1, MN_CLOSED(1, 2), "of logcosh: steepness, from 1 to 2"),
  MN_COUNT(struct fast_ica, max_iter, 200, MN_AT_LEAST(1),
           "maximum number of iterations; of deflation: for each source"),
  MN_REAL(struct fast_ica, tol, 1e-4, MN_AT_LEAST(0),
          "stop when 1 - |cos| of the angle by which a source turns is less, for all sources"),
  MN_TABLE(struct fast_ica, w_init, MN_NO_LIMITS(), "initial rotation, sources x sources; nil: random"),
  MN_CHOICE(struct fast_ica, whiten_solver, MN_WHITEN_AUTO, mn_whitening_solvers,
            "eigh: of the covariance, for many rows; svd: of the rows, for small variances; auto chooses"),
  MN_SEED(struct fast_ica, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct fast_ica, components, "components x features",
            "unmixing matrix: sources are its products with x - mean"),
  MN_MATRIX(struct fast_ica, mixing, "features x components", "pseudoinverse of components: x is mixing times sources"),
  MN_VECTOR(struct fast_ica, mean, "features", "mean of each column; 0 if whiten is none"),
  MN_MATRIX(struct fast_ica, whitening, "components? x features?",
            "matrix that gives x - mean unit covariance; empty if whiten is none"),
  MN_END,
};

const mn_class mn_fast_ica = {
  .name = "FastICA",
  .family = "decomposition",
  .brief = "Independent component analysis: recovers mixed sources that are not Gaussian.",
  .objective =
      "maximize E{G(w z)} over orthogonal W, for whitened z; G(y) = log cosh(alpha y) / alpha, -exp(-y^2 / 2), "
      "y^4 / 4",
  .source = "Hyvarinen, IEEE Trans. Neural Networks 10 (1999); Hyvarinen & Oja, Neural Networks 13 (2000)",
  .notes =
      "Order and scale of sources are arbitrary; the largest element of each row of components is positive. At most one "
      "source may be Gaussian. Unlike in scikit-learn, whitening gives unit variances (there 1 / n), X of lower rank has "
      "fewer components by default, and n_iter of deflation counts the iterations of all sources. The objective is the "
      "quantity that tol bounds.",
  .example = "local S = ml.random(500, 2, 1)\n"
             "local X = S * ml.Matrix{ {1, 0.5}, {0.3, 1} }\n"
             "local model = ml.FastICA{}:fit(X)\n"
             "print(model.mixing, model:transform(X):slice(1, 3))",
  .missing_alternatives = "ProbabilisticICA",
  .capabilities = MN_TRANSFORM | MN_ITERATE | MN_RANDOM | MN_NOISY_OBJECTIVE,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct fast_ica),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .inverse_transform = inverse_transform,
  .export = export_program,
  .outputs = outputs,
  .output_name = output_name,
};
