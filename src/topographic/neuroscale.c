/* NeuroScale: a network of radial basis functions whose outputs y_i = W' phi(x_i) preserve distances. It minimizes
 *
 *     E = c sum_{i<j} w_ij (delta_ij - |y_i - y_j|)^2,    delta_ij = |x_i - x_j|,
 *
 * with w_ij = 1 / delta_ij and c = 1 / sum delta_ij (Sammon), or w_ij = 1 and c = 1 / sum delta_ij^2. A step of the
 * shadow target algorithm fits the network to y_i - eta dE / dy_i by least squares. With an orthonormal basis U of the
 * columns of Phi, Y = U A, that is A := A - eta U' dE/dY. Tipping & Lowe, Neurocomputing 19 (1998). */
#include "../core/rng.h"
#include "../core/threads.h"
#include "../eigen/principal_axes.h"
#include "../factorization/lapack.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include "../manifold/training_distances.h"
#include "../model/class.h"
#include "../model/program.h"
#include "../optim/lbfgs.h"
#include "neuroscale_kernel.h"
#include <stdio.h>
#include <string.h>

enum { GAUSSIAN, THIN_PLATE, FOURTH_POWER };
static const char *const bases[] = { "gaussian", "thin_plate", "r4logr", NULL };
enum { SAMMON, RAW };
static const char *const stresses[] = { "sammon", "raw", NULL };
enum { SHADOW, LBFGS };
static const char *const solvers[] = { "shadow_targets", "lbfgs", NULL };

struct neuroscale {
  mn_estimator base;
  int64_t n_components, n_centers, basis, stress_weights, solver, max_iter, seed; /* parameters */
  double width, tol;
  mn_matrix centers;           /* learned fields: centers x features                                  */
  mn_matrix coef, linear_coef; /* centers x components, features x components                         */
  mn_vector intercept, mean;   /* components; features: subtracted from rows before linear_coef       */
  mn_matrix embedding;         /* rows x components                                                   */
  double basis_width, stress;
};

struct problem {
  mn_context *ctx;
  struct neuroscale *m;
  size_t n, k, rank;
  double *delta;    /* n x n                              */
  double *u;        /* n x rank: orthonormal              */
  double *y;        /* k x n: coordinates by dimension    */
  double *gradient; /* n x k: by y                        */
  double *row;      /* n: stress of each row              */
  double *work;     /* workers x n                        */
  double unit;      /* c                                  */
  mn_blocks blocks;
};

/* --- the network --- */

static double radial(int64_t basis, double r2, double width)
{
  switch (basis) {
  case GAUSSIAN: return exp(-r2 / (2 * width * width));
  case THIN_PLATE: return r2 > 0 ? r2 / (width * width) * log(r2 / (width * width)) / 2 : 0;
  default: return r2 > 0 ? r2 * r2 / pow(width, 4) * log(r2 / (width * width)) / 2 : 0;
  }
}

/* phi(x): radial functions, x - mean, and 1. */
static void find_basis(const struct neuroscale *m, const double *x, double *phi)
{
  const size_t count = m->centers.rows, p = m->centers.cols;
  mn_ordered_distances2(count, p, m->centers.at, x, phi);
  for (size_t c = 0; c < count; c++) phi[c] = radial(m->basis, phi[c], m->basis_width);
  for (size_t j = 0; j < p; j++) phi[count + j] = x[j] - m->mean.at[j];
  phi[count + p] = 1;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct neuroscale *m = self;
  const size_t count = m->centers.rows, p = m->centers.cols, k = m->coef.cols;
  double *phi = MN_RAW(ctx, double, count + p + 1, 1);
  MN_CHECK_ALLOC(phi);
  for (size_t i = 0; i < data->rows; i++) {
    find_basis(m, mn_row(&data->x, i), phi);
    double *y = mn_row(out, i);
    memcpy(y, m->intercept.at, k * sizeof *y);
    for (size_t a = 0; a < count; a++)
      for (size_t c = 0; c < k; c++) y[c] += phi[a] * mn_row(&m->coef, a)[c];
    for (size_t j = 0; j < p; j++)
      for (size_t c = 0; c < k; c++) y[c] += phi[count + j] * mn_row(&m->linear_coef, j)[c];
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* --- stress --- */

static void stress_block(void *work, size_t block, size_t worker)
{
  const struct problem *s = work;
  for (size_t i = mn_block_begin(&s->blocks, block); i < mn_block_end(&s->blocks, block); i++)
    s->row[i] = mn_row_stress(s->n, s->k, i, s->m->stress_weights == SAMMON, s->y, s->delta + i * s->n,
                              s->work + worker * s->n, s->gradient + i * s->k);
}

/* E at Y = U A, and its gradient by A. */
static double evaluate(void *problem, const double *a, double *gradient)
{
  struct problem *s = problem;
  const size_t n = s->n, k = s->k;
  if (mn_gemm(s->ctx, true, true, k, n, s->rank, 1, a, k, s->u, s->rank, 0, s->y, n)) return NAN;
  if (mn_parallel(s->ctx, s->blocks.count, stress_block, s)) return NAN;
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += s->row[i] / 2;
  if (mn_gemm(s->ctx, true, false, s->rank, k, n, s->unit, s->u, s->rank, s->gradient, k, 0, gradient, k)) return NAN;
  return sum * s->unit;
}

static bool note(void *problem, double objective)
{
  struct problem *s = problem;
  return mn_round(s->ctx, &s->m->base.report, s->m->max_iter, objective);
}

/* Gradient steps whose length grows by a tenth as long as the stress decreases. */
static mn_status follow_shadow_targets(struct problem *s, double *a)
{
  const size_t size = s->rank * s->k;
  mn_report *r = &s->m->base.report;
  double *g = MN_RAW(s->ctx, double, size, 1), *next = MN_RAW(s->ctx, double, size, 1);
  double *next_g = MN_RAW(s->ctx, double, size, 1), eta = 0, now;
  if (!g || !next || !next_g) return MN_NO_MEMORY;
  for (size_t i = 0; i < s->n * s->n; i++)
    if (s->delta[i] > 0) eta += 2 * s->unit * (s->m->stress_weights == SAMMON ? 1 / s->delta[i] : 1) / (double)s->n;
  eta = eta > 0 ? 1 / eta : 0;
  now = evaluate(s, a, g);
  bool proceed = true;
  while (proceed) {
    for (size_t i = 0; i < size; i++) next[i] = a[i] - eta * g[i];
    const double then = evaluate(s, next, next_g);
    MN_TRY(mn_error_status(s->ctx));
    const bool lower = then <= now;
    r->change = lower ? (now - then) / fmax(now, DBL_MIN) : r->change;
    eta *= lower ? 1.1 : 0.5;
    if (lower) {
      memcpy(a, next, size * sizeof *a);
      memcpy(g, next_g, size * sizeof *g);
      now = then;
    }
    r->converged = (lower && r->change <= s->m->tol) || !(eta > 1e-300);
    proceed = note(s, now) && !r->converged && r->n_iter < s->m->max_iter;
  }
  return mn_error_status(s->ctx);
}

static mn_status minimize(struct problem *s, double *a)
{
  mn_report *r = &s->m->base.report;
  *r = (mn_report){ .advice = "increase max_iter or tol, or set solver = 'lbfgs'" };
  if (s->m->solver == SHADOW) return follow_shadow_targets(s, a);
  const mn_lbfgs_options options = {
    .max_iter = (size_t)s->m->max_iter, .objective_tolerance = s->m->tol, .gradient_tolerance = 1e-10, .note = note
  };
  mn_lbfgs_report found;
  MN_TRY(mn_lbfgs(s->ctx, s->rank * s->k, a, evaluate, s, &options, &found));
  if (r->n_iter == 0) note(s, found.objective);
  r->converged = found.converged;
  r->change = found.gradient_norm;
  return mn_error_status(s->ctx);
}

/* --- fit --- */

/* Centers are rows drawn without replacement; the width is their mean distance, or that of all rows. */
static mn_status choose_centers(mn_context *ctx, struct neuroscale *m, const mn_data *data)
{
  const size_t n = data->rows, p = data->features;
  const size_t count = (size_t)m->n_centers < n ? (size_t)m->n_centers : n;
  size_t *order = MN_RAW(ctx, size_t, n, 1), pairs = 0;
  mn_rng rng = mn_stream(m->seed, 0);
  double sum = 0;
  MN_CHECK_ALLOC(order);
  for (size_t i = 0; i < n; i++) order[i] = i;
  mn_shuffle(&rng, order, n);
  MN_TRY(mn_matrix_init(ctx, &m->centers, count, p));
  mn_gather_rows(&data->x, order, count, &m->centers);
  for (size_t a = 0; a < count; a++)
    for (size_t b = 0; b < a; b++) {
      const double d2 = mn_ordered_distance2(p, mn_row(&m->centers, a), mn_row(&m->centers, b));
      sum += sqrt(d2);
      pairs += d2 > 0;
    }
  m->basis_width = (pairs > 0 ? sum / (double)pairs : 1) * m->width;
  return MN_OK;
}

struct distances {
  const mn_data *data;
  double *delta;
};

static void distance_row(void *work, size_t i, size_t worker)
{
  const struct distances *w = work;
  const size_t n = w->data->rows;
  (void)worker;
  mn_ordered_distances2(n, w->data->features, w->data->x.at, mn_row(&w->data->x, i), w->delta + i * n);
  for (size_t j = 0; j < n; j++) w->delta[i * n + j] = sqrt(w->delta[i * n + j]);
}

static mn_status find_distances(struct problem *s, const mn_data *data)
{
  struct distances w = { data, s->delta };
  double total = 0;
  MN_TRY(mn_parallel(s->ctx, s->n, distance_row, &w));
  for (size_t i = 0; i < s->n * s->n; i++)
    total += (s->m->stress_weights == SAMMON ? s->delta[i] : s->delta[i] * s->delta[i]) / 2;
  if (!isfinite(total))
    return mn_fail(s->ctx, MN_BAD_DATA, "NeuroScale: squared distances overflow; scale the columns of X");
  s->unit = total > 0 ? 1 / total : 0;
  return MN_OK;
}

/* U and the coefficients that belong to U A: W = back A, back = V inv(S) of Phi = U S V'. */
static mn_status factorize(struct problem *s, const mn_data *data, size_t functions, double **back)
{
  const size_t n = s->n, all = n < functions ? n : functions;
  double *phi = MN_RAW(s->ctx, double, n, functions), *u = MN_RAW(s->ctx, double, n, all);
  double *value = MN_RAW(s->ctx, double, all, 1), *vt = MN_RAW(s->ctx, double, all, functions);
  if (!phi || !u || !value || !vt) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) find_basis(s->m, mn_row(&data->x, i), phi + i * functions);
  MN_TRY(mn_svd(s->ctx, n, functions, phi, u, value, vt));
  while (s->rank < all && value[s->rank] > 1e-9 * value[0]) s->rank++;
  s->u = MN_RAW(s->ctx, double, n, s->rank);
  *back = MN_RAW(s->ctx, double, functions, s->rank);
  if (!s->u || !*back) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) memcpy(s->u + i * s->rank, u + i * all, s->rank * sizeof *u);
  for (size_t f = 0; f < functions; f++)
    for (size_t r = 0; r < s->rank; r++) (*back)[f * s->rank + r] = vt[r * functions + f] / value[r];
  return MN_OK;
}

/* The network closest to the principal components. */
static mn_status start(struct problem *s, const mn_data *data, double *a)
{
  const size_t n = s->n, p = data->features, k = s->k;
  double *values = MN_RAW(s->ctx, double, k, 1), *vectors = MN_RAW(s->ctx, double, k, p), trace;
  double *scores = MN_RAW(s->ctx, double, n, k);
  if (!values || !vectors || !scores) return MN_NO_MEMORY;
  MN_TRY(mn_vector_init(s->ctx, &s->m->mean, p));
  MN_TRY(mn_principal_axes(s->ctx, n, p, data->x.at, NULL, k, s->m->mean.at, values, vectors, &trace));
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < k; c++) {
      scores[i * k + c] = 0;
      for (size_t j = 0; j < p; j++)
        scores[i * k + c] += (mn_row(&data->x, i)[j] - s->m->mean.at[j]) * vectors[c * p + j];
    }
  memcpy(a, scores, n * k * sizeof *a);
  return MN_OK;
}

static mn_status store(struct problem *s, const mn_data *data, const double *a, const double *back)
{
  struct neuroscale *m = s->m;
  const size_t k = s->k, p = data->features, count = m->centers.rows, functions = count + p + 1;
  double *w = MN_RAW(s->ctx, double, functions, k);
  MN_CHECK_ALLOC(w);
  MN_TRY(mn_gemm(s->ctx, false, false, functions, k, s->rank, 1, back, s->rank, a, k, 0, w, k));
  MN_TRY(mn_matrix_init(s->ctx, &m->coef, count, k));
  MN_TRY(mn_matrix_init(s->ctx, &m->linear_coef, p, k));
  MN_TRY(mn_vector_init(s->ctx, &m->intercept, k));
  MN_TRY(mn_matrix_init(s->ctx, &m->embedding, s->n, k));
  memcpy(m->coef.at, w, count * k * sizeof *w);
  memcpy(m->linear_coef.at, w + count * k, p * k * sizeof *w);
  memcpy(m->intercept.at, w + (count + p) * k, k * sizeof *w);
  m->stress = m->base.report.objective;
  return transform(s->ctx, m, data, &m->embedding);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct neuroscale *m = self;
  const size_t n = data->rows, k = (size_t)m->n_components;
  struct problem s = { .ctx = ctx, .m = m, .n = n, .k = k, .blocks = mn_make_blocks(n, 16, SIZE_MAX) };
  double *back, *scores = MN_RAW(ctx, double, n, k);
  if (k > data->features)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "NeuroScale: n_components must be at most the number of columns, %zu, got %zu",
                   data->features, k);
  MN_TRY(mn_check_pairs(ctx, "NeuroScale", n, "fit a sample of the rows and transform the others"));
  s.delta = MN_RAW(ctx, double, n, n);
  s.y = MN_RAW(ctx, double, k, n);
  s.gradient = MN_RAW(ctx, double, n, k);
  s.row = MN_RAW(ctx, double, n, 1);
  s.work = MN_RAW(ctx, double, mn_threads(ctx), n);
  if (!scores || !s.delta || !s.y || !s.gradient || !s.row || !s.work) return MN_NO_MEMORY;
  MN_TRY(find_distances(&s, data));
  MN_TRY(start(&s, data, scores));
  MN_TRY(choose_centers(ctx, m, data));
  MN_TRY(factorize(&s, data, m->centers.rows + data->features + 1, &back));
  double *a = MN_RAW(ctx, double, s.rank, k);
  MN_CHECK_ALLOC(a);
  MN_TRY(mn_gemm(ctx, true, false, s.rank, k, n, 1, s.u, s.rank, scores, k, 0, a, k));
  MN_TRY(minimize(&s, a));
  return store(&s, data, a, back);
}

static size_t outputs(const void *self)
{
  return ((const struct neuroscale *)self)->coef.cols;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)self;
  (void)inputs;
  snprintf(text, size, "neuroscale%zu", j + 1);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct neuroscale *m = self;
  (void)ctx;
  if (action != MN_TRANSFORM_X) return MN_OK;
  mn_program_reals(program, "centers", m->centers.rows * m->centers.cols, m->centers.at);
  mn_program_reals(program, "coef", m->coef.rows * m->coef.cols, m->coef.at);
  mn_program_reals(program, "linear", m->linear_coef.rows * m->linear_coef.cols, m->linear_coef.at);
  mn_program_reals(program, "intercept", m->intercept.size, m->intercept.at);
  mn_program_reals(program, "mean", m->mean.size, m->mean.at);
  mn_program_count(program, "count", m->centers.rows);
  mn_program_real(program, "width2", m->basis_width * m->basis_width);
  mn_program_code(program, "for c < outputs { out[c] = intercept[c] }"
                           " for a < count { real r = distance2(features, centers, a * features, x, 0) / width2");
  mn_program_code(program, m->basis == GAUSSIAN     ? " r = exp(0.0 - r / 2)"
                           : m->basis == THIN_PLATE ? " if r > 0 { r = r * log(r) / 2 }"
                                                    : " if r > 0 { r = r * r * log(r) / 2 }");
  mn_program_code(program, " for c < outputs { out[c] += r * coef[a * outputs + c] } }"
                           " for j < features { for c < outputs {"
                           " out[c] += (x[j] - mean[j]) * linear[j * outputs + c] } }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_COUNT(struct neuroscale, n_components, 2, MN_CLOSED(1, INT32_MAX),
           "number of coordinates, at most the columns of X"),
  MN_COUNT(struct neuroscale, n_centers, 20, MN_CLOSED(1, INT32_MAX),
           "radial basis functions, at rows drawn at random; at most one for each row"),
  MN_CHOICE(struct neuroscale, basis, GAUSSIAN, bases,
            "function of the distance r: gaussian exp(-r^2 / 2), thin_plate r^2 log r, r4logr r^4 log r"),
  MN_REAL(struct neuroscale, width, 1, MN_CLOSED(0.01, 100), "unit of r, in mean distances between centers"),
  { .name = "weighting",
    .kind = MN_KIND_CHOICE,
    .offset = offsetof(struct neuroscale, stress_weights),
    .initial = SAMMON,
    .choices = stresses,
    .brief = "squared errors of distances divided by the distance (sammon), or not" },
  MN_CHOICE(struct neuroscale, solver, SHADOW, solvers,
            "shadow_targets: gradient steps of the outputs; lbfgs: fewer iterations"),
  MN_REAL(struct neuroscale, tol, 1e-6, MN_AT_LEAST(0),
          "stop when an iteration decreases the stress by at most this fraction"),
  MN_COUNT(struct neuroscale, max_iter, 500, MN_CLOSED(1, INT32_MAX), "maximum number of iterations"),
  MN_SEED(struct neuroscale, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct neuroscale, embedding, "rows x components", "coordinates of the training rows"),
  MN_NUMBER(struct neuroscale, stress,
            "weighted squared errors of the distances, over the sum of distances (or of squares)"),
  MN_MATRIX(struct neuroscale, centers, "centers x features", "centers of the radial basis functions"),
  MN_NUMBER(struct neuroscale, basis_width, "unit of r, in units of X"),
  MN_MATRIX(struct neuroscale, coef, "centers x components", "coefficients of the radial basis functions"),
  MN_MATRIX(struct neuroscale, linear_coef, "features x components", "coefficients of x - mean"),
  MN_VECTOR(struct neuroscale, intercept, "components", "constant term"),
  MN_VECTOR(struct neuroscale, mean, "features", "mean of each column"),
  MN_END,
};

const mn_class mn_neuroscale = {
  .name = "NeuroScale",
  .family = "manifold",
  .brief = "Sammon mapping by a radial basis network, which also places new rows.",
  .objective = "1 / sum delta_ij sum_{i<j} (delta_ij - |y_i - y_j|)^2 / delta_ij, y = W' phi(x)",
  .source = "Lowe & Tipping, Neural Computing & Applications 4 (1996); Tipping & Lowe, Neurocomputing 19 (1998)",
  .notes = "Starts from the principal components. Besides the radial functions the network has linear terms, unlike "
           "Netlab's. Pairs of equal rows are left out. The stress never increases. Distances take 8 n^2 bytes. With "
           "as many centers as rows the training rows can be anywhere, as in Sammon's mapping, and new rows are "
           "placed worse. Exported programs agree to 1e-9.",
  .example = "local X = ml.StandardScaler{}:fit_transform(ml.read_csv('examples/data/iris.csv'):drop('species'))\n"
             "local model = ml.NeuroScale{ solver = 'lbfgs' }:fit(X)\n"
             "print(model.stress, model:transform(X):slice(1, 3))",
  .missing_alternatives = "GPLVM and GTM",
  .capabilities = MN_TRANSFORM | MN_ITERATE | MN_RANDOM,
  .size = sizeof(struct neuroscale),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .export = export,
  .export_tolerance = 1e-9,
  .outputs = outputs,
  .output_name = output_name,
};
