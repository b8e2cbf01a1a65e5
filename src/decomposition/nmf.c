/* Non-negative matrix factorization X ~ W H, with W, H >= 0, which minimizes
 *
 *     D(X, W H) + p alpha_W (r |W|_1 + (1 - r) |W|^2 / 2) + n alpha_H (r |H|_1 + (1 - r) |H|^2 / 2),
 *
 * r = l1_ratio, for n rows and p columns of X, with one of the losses
 *
 *   frobenius          D = |X - W H|^2 / 2, by coordinate descent: Cichocki & Phan, IEICE Trans. Fundam. E92.A (2009)
 *   kullback-leibler   D = sum x log(x / y) - x + y, y = W H, by multiplicative updates: Lee & Seung, NIPS 13 (2001)
 *
 * The iterations are in nmf_solver.c. */
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include "../model/class.h"
#include "../model/program.h"
#include "components.h"
#include "nmf_solver.h"
#include "nmf_start.h"
#include "../model/magnitudes.h"
#include <string.h>

enum { FROBENIUS, KULLBACK_LEIBLER };
static const char *const losses[] = { "frobenius", "kullback-leibler", NULL };
enum { INIT_AUTO, INIT_NNDSVD, INIT_NNDSVDA, INIT_RANDOM };
static const char *const inits[] = { "auto", "nndsvd", "nndsvda", "random", NULL };

struct nmf {
  mn_estimator base;
  int64_t n_components, beta_loss, init, max_iter, seed; /* parameters */
  double tol, alpha_W, alpha_H, l1_ratio;
  mn_matrix components; /* learned fields: components x features */
  double reconstruction_err;
};

static mn_nmf_penalty penalty_of(const struct nmf *m, double alpha, size_t count)
{
  const double whole = alpha * (double)count;
  return (mn_nmf_penalty){ .l1 = whole * m->l1_ratio, .l2 = whole * (1 - m->l1_ratio) };
}

/* One pass of coordinate descent over the row w: minimize w G w' / 2 - c w' over w >= 0. Returns the sum of absolute
 * projected gradients before each step. */
static double descend_row(size_t k, const double *g, const double *c, double *w)
{
  double violation = 0;
  for (size_t t = 0; t < k; t++) {
    double gradient = -c[t];
    for (size_t r = 0; r < k; r++) gradient += g[t * k + r] * w[r];
    violation += w[t] > 0 || gradient < 0 ? fabs(gradient) : 0;
    if (g[t * k + t] > 0) w[t] = fmax(w[t] - gradient / g[t * k + t], 0);
  }
  return violation;
}

/* out (rows x ld) from a (rows x k). */
static void pad_rows(size_t rows, size_t k, size_t ld, const double *a, double *out)
{
  for (size_t i = 0; i < rows; i++) memcpy(out + i * ld, a + i * k, k * sizeof *a);
}

static mn_status start(mn_context *ctx, const struct nmf *m, const mn_data *data, mn_nmf_problem *s)
{
  const size_t shorter = s->n < s->p ? s->n : s->p;
  const double mean = s->total / ((double)s->n * (double)s->p);
  const int64_t init = m->init != INIT_AUTO ? m->init : s->k <= shorter ? INIT_NNDSVDA : INIT_RANDOM;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *w = MN_RAW(ctx, double, s->n, s->k), *ht = MN_RAW(ctx, double, s->p, s->k);
  if (!w || !ht) return MN_NO_MEMORY;
  if (init != INIT_RANDOM && s->k > shorter)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "NMF: init = \"%s\" requires n_components of at most min(rows, columns) = %zu, got %zu; use "
                   "init = \"random\"",
                   inits[init], shorter, s->k);
  if (init == INIT_RANDOM)
    mn_nmf_random_start(data, mean, m->seed, s->k, w, ht);
  else
    MN_TRY(mn_nmf_singular_start(ctx, data, s->sparse, init == INIT_NNDSVDA ? mean : 0, s->k, w, ht));
  pad_rows(s->n, s->k, s->ld, w, s->w);
  pad_rows(s->p, s->k, s->ld, ht, s->ht);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static double alpha_of_components(const struct nmf *m)
{
  return isnan(m->alpha_H) ? m->alpha_W : m->alpha_H;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct nmf *m = self;
  const size_t n = data->rows, p = data->features, k = m->n_components == MN_UNSET ? p : (size_t)m->n_components;
  mn_nmf_problem s = { .n = n, .p = p, .k = k };
  mn_report *report = &m->base.report;
  double loss = 0;
  MN_TRY(mn_check_magnitudes(ctx, self, data));
  s.w_penalty = penalty_of(m, m->alpha_W, p);
  s.h_penalty = penalty_of(m, alpha_of_components(m), n);
  MN_TRY(mn_nmf_init(ctx, &s, data, m->beta_loss == KULLBACK_LEIBLER));
  MN_TRY(start(ctx, m, data, &s));
  *report = (mn_report){ .advice = "increase max_iter or tol" };
  if (m->beta_loss == FROBENIUS)
    MN_TRY(mn_nmf_fit_frobenius(ctx, &s, report, m->max_iter, m->tol, &loss));
  else
    MN_TRY(mn_nmf_fit_kullback_leibler(ctx, &s, report, m->max_iter, m->tol, &loss));
  m->reconstruction_err = sqrt(2 * fmax(loss, 0));
  MN_TRY(mn_matrix_init(ctx, &m->components, k, p));
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) mn_row(&m->components, c)[j] = s.ht[j * s.ld + c];
  return MN_OK;
}

/* Enough for the unique minimum of a row, if the components are independent. */
enum { MAX_ROW_PASSES = 10000 };
static const double row_tolerance = 1e-12;

/* The row w of a new row of X by coordinate descent; c = x H' - l1. */
static void solve_row(size_t k, const double *g, const double *c, double *w)
{
  double first = 0;
  for (int iter = 0; iter < MAX_ROW_PASSES; iter++) {
    const double violation = descend_row(k, g, c, w);
    if (iter == 0) first = violation;
    if (!(violation > row_tolerance * first)) break;
  }
}

static mn_status transform_frobenius(mn_context *ctx, const struct nmf *m, const mn_data *data, mn_matrix *out)
{
  const size_t n = data->rows, p = data->features, k = out->cols;
  const mn_nmf_penalty q = penalty_of(m, m->alpha_W, p);
  double *g = MN_RAW(ctx, double, k, k), *c = MN_RAW(ctx, double, n, k);
  if (!g || !c) return MN_NO_MEMORY;
  for (size_t a = 0; a < k; a++) {
    for (size_t b = 0; b < k; b++)
      g[a * k + b] = mn_ordered_dot(p, mn_row(&m->components, a), mn_row(&m->components, b));
    g[a * k + a] += q.l2;
    if (!data->sparse) mn_ordered_dots(n, p, data->x.at, mn_row(&m->components, a), 0, c + a, k);
  }
  mn_matrix products = { .at = c, .rows = n, .cols = k };
  if (data->sparse) MN_TRY(mn_project_rows(ctx, data, &m->components, &products));
  for (size_t i = 0; i < n * k; i++) c[i] -= q.l1;
  for (size_t i = 0; i < n; i++) {
    solve_row(k, g, c + i * k, mn_row(out, i));
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* ratio = x / y with y = w H; returns D(x, y). */
static double divide_row(const struct nmf *m, const double *x, const double *w, double *ratio)
{
  const size_t p = m->components.cols, k = m->components.rows;
  double loss = 0;
  memset(ratio, 0, p * sizeof *ratio);
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) ratio[j] += w[c] * m->components.at[c * p + j];
  for (size_t j = 0; j < p; j++) {
    loss += ratio[j] - x[j];
    ratio[j] = x[j] / fmax(ratio[j], DBL_MIN);
    loss += x[j] > 0 ? x[j] * log(ratio[j]) : 0;
  }
  return fmax(loss, 0);
}

/* The same by multiplicative updates, from a constant. */
static void scale_row(const struct nmf *m, mn_nmf_penalty q, const double *sums, const double *x, double *ratio,
                      double *w)
{
  const size_t p = m->components.cols, k = m->components.rows;
  double mean = 0;
  for (size_t j = 0; j < p; j++) mean += x[j] / (double)p;
  for (size_t c = 0; c < k; c++) w[c] = sqrt(mean / (double)k);
  double loss = divide_row(m, x, w, ratio), previous = sqrt(2 * loss);
  const double first = previous;
  for (int64_t iter = 1; iter <= m->max_iter; iter++) {
    for (size_t c = 0; c < k; c++)
      w[c] = mn_nmf_minimize_bound(q, sums[c], w[c] * mn_ordered_dot(p, ratio, mn_row(&m->components, c)));
    loss = divide_row(m, x, w, ratio);
    if (iter % MN_NMF_CHECK_EVERY != 0) continue;
    if (!(previous - sqrt(2 * loss) > m->tol * first)) break;
    previous = sqrt(2 * loss);
  }
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct nmf *m = self;
  const size_t p = data->features, k = out->cols;
  if (m->beta_loss == FROBENIUS) return transform_frobenius(ctx, m, data, out);
  double *sums = MN_NEW(ctx, double, k, 1), *ratio = MN_RAW(ctx, double, p, 1);
  double *row = MN_RAW(ctx, double, p, 1);
  if (!sums || !ratio || !row) return MN_NO_MEMORY;
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) sums[c] += mn_row(&m->components, c)[j];
  for (size_t i = 0; i < data->rows; i++) {
    scale_row(m, penalty_of(m, m->alpha_W, p), sums, mn_dense_row(data, i, row), ratio, mn_row(out, i));
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_matrix *h = &((const struct nmf *)self)->components;
  return mn_gemm(ctx, false, false, data->rows, h->cols, h->rows, 1, data->x.at, h->rows, h->at, h->cols, 0, out->at,
                 h->cols);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)action;
  (void)program;
  return mn_cannot_export(ctx, self, "transform solves an optimization problem for each row");
}

static size_t outputs(const void *self)
{
  return ((const struct nmf *)self)->components.rows;
}

static const mn_param params[] = {
  MN_COUNT(struct nmf, n_components, MN_UNSET, MN_CLOSED(1, 2147483647), "number of components; nil: columns of X"),
  MN_CHOICE(struct nmf, beta_loss, FROBENIUS, losses, "loss that is minimized"),
  MN_CHOICE(struct nmf, init, INIT_AUTO, inits,
            "start; auto: nndsvda if n_components <= min(rows, columns), else random"),
  MN_COUNT(struct nmf, max_iter, 200, MN_CLOSED(1, 9007199254740991.0), "largest number of iterations"),
  MN_REAL(struct nmf, tol, 1e-4, MN_AT_LEAST(0),
          "stop when the violation or decrease is at most this part of the first"),
  MN_PENALTY(struct nmf, alpha_W, 0, MN_AT_LEAST(0), "penalty on the transformed rows, multiplied by the columns of X"),
  MN_REAL(struct nmf, alpha_H, MN_UNSET_REAL, MN_AT_LEAST(0),
          "penalty on the components, multiplied by the rows of X; nil: alpha_W"),
  MN_REAL(struct nmf, l1_ratio, 0, MN_CLOSED(0, 1), "fraction of the penalties that is L1, the rest is squared L2"),
  MN_SEED(struct nmf, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct nmf, components, "components x features", "the matrix H"),
  MN_NUMBER(struct nmf, reconstruction_err, "|X - W H|, or sqrt(2 D) of the Kullback-Leibler divergence"),
  MN_END,
};

const mn_class mn_nmf = {
  .name = "NMF",
  .family = "decomposition",
  .brief = "Non-negative matrix factorization: additive parts of counts, spectra, images.",
  .objective = "minimize D(X, W H) + penalties over W >= 0 and H >= 0",
  .source = "Lee & Seung, NIPS 13 (2001); Cichocki & Phan, IEICE Trans. Fundam. E92.A (2009)",
  .notes = "transform returns W and solves each row alone, so it does not depend on other rows; scikit-learn stops all "
           "rows together, and its fit_transform returns the W of the last iteration. With nndsvd and "
           "kullback-leibler, zeros of the start stay zero. Squared L2 penalties of kullback-leibler are minimized "
           "within the bound, so the objective never increases. The result is a local minimum.",
  .example = "local model = ml.NMF{ n_components = 1 }:fit{ {1, 2}, {2, 4}, {3, 6.1} }\n"
             "print(model.reconstruction_err, model:transform{ {2, 4} })",
  .capabilities = MN_TRANSFORM | MN_ITERATE | MN_RANDOM,
  .accepts = MN_SPARSE | MN_NON_NEGATIVE,
  .size = sizeof(struct nmf),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .inverse_transform = inverse_transform,
  .export = export,
  .outputs = outputs,
};
