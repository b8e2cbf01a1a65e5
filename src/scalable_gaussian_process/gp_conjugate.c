#include "gp_conjugate.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../gaussian_process/gp_mean.h"
#include "../stats/special.h"
#include <math.h>
#include <string.h>

/* --- products with A --- */

struct operator
{
  const mn_kernel_rows *rows;
  double noise;
  mn_kernel_plan *plan;
  size_t *index; /* 0 .. n - 1                */
  double *block; /* block_rows x n            */
  size_t block_rows;
};

static mn_status operator_new(mn_context *ctx, const mn_kernel *kernel, const mn_kernel_rows *rows, double noise,
                              struct operator* a)
{
  enum { BLOCK_VALUES = 1 << 20, LEAST_ROWS = 48, MOST_ROWS = 480 };
  const size_t n = rows->n, wanted = BLOCK_VALUES / n;
  *a = (struct operator){ .rows = rows, .noise = noise };
  a->block_rows = wanted < LEAST_ROWS ? LEAST_ROWS : wanted > MOST_ROWS ? MOST_ROWS : wanted;
  a->index = MN_RAW(ctx, size_t, n, 1);
  a->block = MN_RAW(ctx, double, a->block_rows, n);
  if (!a->index || !a->block) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) a->index[i] = i;
  return mn_kernel_plan_new(ctx, kernel, rows, &a->plan);
}

/* out = A v, n x m. Each block reaches to the diagonal and serves both triangles. */
static mn_status multiply(mn_context *ctx, const struct operator* a, size_t m, const double *v, double *out)
{
  const size_t n = a->rows->n;
  for (size_t i = 0; i < n * m; i++) out[i] = a->noise * v[i];
  for (size_t i = 0; i < n; i += a->block_rows) {
    const size_t rows = n - i < a->block_rows ? n - i : a->block_rows, end = i + rows;
    MN_TRY(mn_poll(ctx));
    MN_TRY(mn_kernel_plan_rows(ctx, a->plan, rows, a->index + i, end, NULL, a->block, NULL, end));
    MN_TRY(mn_gemm(ctx, false, false, rows, m, end, 1, a->block, end, v, m, 1, out + i * m, m));
    if (i > 0) MN_TRY(mn_gemm(ctx, true, false, i, m, rows, 1, a->block, end, v + i * m, m, 1, out, m));
  }
  return MN_OK;
}

/* --- conjugate gradients, for all columns at once --- */

enum { LANCZOS_STEPS = 100 }; /* that are kept */

struct solve {
  size_t n, m;
  double *r, *z, *direction, *product; /* n x m */
  double *rz, *alpha, *beta, *norm;    /* m     */
  double *alphas, *betas;              /* LANCZOS_STEPS x m: of all steps         */
  double *first;                       /* m: r'inv(P) r at the start              */
  size_t *steps;                       /* m: until the column has converged       */
  size_t n_iter;
  double residual; /* the largest, relative to the right-hand side */
  bool failed;     /* A is not positive definite                   */
};

static mn_status solve_new(mn_context *ctx, size_t n, size_t m, struct solve *s)
{
  double *large = MN_RAW(ctx, double, 4 * n, m), *small = MN_NEW(ctx, double, 5 + 2 * LANCZOS_STEPS, m);
  *s = (struct solve){ .n = n, .m = m, .steps = MN_NEW(ctx, size_t, m, 1) };
  if (!large || !small || !s->steps) return MN_NO_MEMORY;
  double **const wide[] = { &s->r, &s->z, &s->direction, &s->product };
  for (size_t i = 0; i < 4; i++) *wide[i] = large + i * n * m;
  double **const narrow[] = { &s->rz, &s->alpha, &s->beta, &s->norm, &s->first };
  for (size_t i = 0; i < 5; i++) *narrow[i] = small + i * m;
  s->alphas = small + 5 * m;
  s->betas = s->alphas + LANCZOS_STEPS * m;
  return MN_OK;
}

static void column_dots(size_t n, size_t m, const double *a, const double *b, double *out)
{
  for (size_t j = 0; j < m; j++) out[j] = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++) out[j] += a[i * m + j] * b[i * m + j];
}

/* The length of the step of each column; 0 for those that have converged. */
static void find_alpha(struct solve *s, double tol)
{
  double *square = s->beta; /* not yet in use in this step */
  column_dots(s->n, s->m, s->r, s->r, square);
  s->residual = 0;
  for (size_t j = 0; j < s->m; j++) s->residual = fmax(s->residual, s->norm[j] > 0 ? sqrt(square[j]) / s->norm[j] : 0);
  for (size_t j = 0; j < s->m; j++) s->alpha[j] = sqrt(square[j]) > tol * s->norm[j] ? s->rz[j] : 0;
}

static void record(struct solve *s, bool after)
{
  for (size_t j = 0; s->n_iter < LANCZOS_STEPS && j < s->m; j++) {
    if (!(s->alpha[j] > 0)) continue;
    if (after) s->betas[s->n_iter * s->m + j] = s->beta[j];
    if (!after) s->alphas[s->n_iter * s->m + j] = s->alpha[j], s->steps[j] = s->n_iter + 1;
  }
}

static mn_status step(mn_context *ctx, const struct operator* a, const mn_nystrom *p, struct solve *s, double *x)
{
  const size_t n = s->n, m = s->m;
  MN_TRY(multiply(ctx, a, m, s->direction, s->product));
  column_dots(n, m, s->direction, s->product, s->beta);
  for (size_t j = 0; j < m; j++) {
    if (s->alpha[j] > 0 && !(s->beta[j] > 0)) s->failed = true;
    s->alpha[j] = s->beta[j] > 0 ? s->alpha[j] / s->beta[j] : 0;
  }
  record(s, false);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++) {
      x[i * m + j] += s->alpha[j] * s->direction[i * m + j];
      s->r[i * m + j] -= s->alpha[j] * s->product[i * m + j];
    }
  MN_TRY(mn_nystrom_solve(ctx, p, m, s->r, s->z));
  column_dots(n, m, s->r, s->z, s->beta);
  for (size_t j = 0; j < m; j++) {
    const double next = s->beta[j];
    s->beta[j] = s->rz[j] > 0 ? next / s->rz[j] : 0;
    s->rz[j] = next;
  }
  record(s, true);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++) s->direction[i * m + j] = s->z[i * m + j] + s->beta[j] * s->direction[i * m + j];
  s->n_iter++;
  return MN_OK;
}

static mn_status run(mn_context *ctx, const struct operator* a, const mn_nystrom *p, double tol, size_t max_iter,
                     const double *b, double *x, struct solve *s)
{
  const size_t size = s->n * s->m;
  memset(x, 0, size * sizeof *x);
  memcpy(s->r, b, size * sizeof *b);
  MN_TRY(mn_nystrom_solve(ctx, p, s->m, s->r, s->z));
  memcpy(s->direction, s->z, size * sizeof *b);
  column_dots(s->n, s->m, s->r, s->z, s->rz);
  column_dots(s->n, s->m, s->r, s->r, s->norm);
  for (size_t j = 0; j < s->m; j++) s->norm[j] = sqrt(s->norm[j]);
  memcpy(s->first, s->rz, s->m * sizeof *s->first);
  for (s->n_iter = 0; !s->failed;) {
    find_alpha(s, tol);
    if (s->residual <= tol || s->n_iter >= max_iter) return MN_OK;
    MN_TRY(step(ctx, a, p, s, x));
  }
  return MN_OK;
}

/* first' log(T) first of column j, with the tridiagonal matrix T of its iterations: Golub & Meurant, Matrices, Moments
 * and Quadrature (2010), sections 4.1 and 10. NaN if T is not positive definite. */
static mn_status log_form(mn_context *ctx, const struct solve *s, size_t j, double *value)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t k = s->steps[j], m = s->m;
  double *t = MN_NEW(ctx, double, k + 1, k + 1), *values = MN_RAW(ctx, double, k + 1, 1),
         *vectors = MN_RAW(ctx, double, k + 1, k + 1);
  if (!t || !values || !vectors) return MN_NO_MEMORY;
  for (size_t i = 0; i < k; i++) {
    t[i * k + i] = 1 / s->alphas[i * m + j];
    if (i == 0) continue;
    t[i * k + i] += s->betas[(i - 1) * m + j] / s->alphas[(i - 1) * m + j];
    t[i * k + i - 1] = sqrt(s->betas[(i - 1) * m + j]) / s->alphas[(i - 1) * m + j];
  }
  *value = 0;
  if (k > 0) MN_TRY(mn_eigh(ctx, k, k, MN_LARGEST, t, values, vectors));
  for (size_t i = 0; i < k; i++) *value += s->first[j] * vectors[i * k] * vectors[i * k] * log(values[i]);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- likelihood --- */

mn_status mn_conjugate_new(mn_context *ctx, const mn_conjugate_problem *p, mn_conjugate_state *s)
{
  const size_t n = p->rows.n, h = p->columns - p->q;
  *s = (mn_conjugate_state){ .c = MN_RAW(ctx, double, n, p->q),
                             .solved = MN_RAW(ctx, double, n, p->columns),
                             .precision = MN_NEW(ctx, double, h + 1, h + 1),
                             .b = MN_NEW(ctx, double, h + 1, p->q) };
  return s->c && s->solved && s->precision && s->b ? MN_OK : MN_NO_MEMORY;
}

/* Memory of an evaluation: both parts of the columns that are solved for, [r z]. */
struct evaluation {
  const mn_kernel *kernel;
  const mn_conjugate_problem *problem;
  mn_conjugate_state *state;
  mn_nystrom p;
  struct operator a;
  struct solve solve;
  size_t m;                 /* columns + probes */
  double *right, *solution; /* n x m            */
  double *z;                /* n x probes       */
};

static mn_status prepare(mn_context *ctx, struct evaluation *e, bool *failed)
{
  const mn_conjugate_problem *p = e->problem;
  const size_t n = p->rows.n, c = p->columns;
  e->m = c + p->probes;
  e->right = MN_RAW(ctx, double, n, e->m);
  e->solution = MN_RAW(ctx, double, n, e->m);
  e->z = MN_RAW(ctx, double, n, p->probes);
  if (!e->right || !e->solution || !e->z) return MN_NO_MEMORY;
  MN_TRY(mn_nystrom_new(ctx, e->kernel, &p->rows, p->noise, p->rank, &e->p));
  *failed = !isfinite(e->p.log_det);
  if (*failed) return MN_OK;
  e->state->jitter = e->p.jitter;
  MN_TRY(operator_new(ctx, e->kernel, &p->rows, p->noise + e->p.jitter, &e->a));
  MN_TRY(solve_new(ctx, n, e->m, &e->solve));
  MN_TRY(mn_nystrom_draw(ctx, &e->p, p->seed, p->probes, e->z));
  for (size_t i = 0; i < n; i++) {
    memcpy(e->right + i * e->m, p->r + i * c, c * sizeof *e->right);
    memcpy(e->right + i * e->m + c, e->z + i * p->probes, p->probes * sizeof *e->right);
  }
  return MN_OK;
}

/* The value, and c, from the solutions. */
static mn_status find_likelihood(mn_context *ctx, const struct evaluation *e)
{
  const mn_conjugate_problem *p = e->problem;
  mn_conjugate_state *s = e->state;
  const size_t n = p->rows.n, c = p->columns, q = p->q;
  double *square = MN_RAW(ctx, double, c, c), log_det = e->p.log_det, sum;
  bool failed;
  MN_CHECK_ALLOC(square);
  for (size_t i = 0; i < n; i++) memcpy(s->solved + i * c, e->solution + i * e->m, c * sizeof *s->solved);
  MN_TRY(mn_gemm(ctx, true, false, c, c, n, 1, p->r, c, s->solved, c, 0, square, c));
  MN_TRY(mn_gp_eliminate_mean(ctx, q, c, square, s->precision, s->b, &sum, &failed));
  if (failed) return MN_OK;
  for (size_t j = 0; j < p->probes; j++) {
    double form;
    MN_TRY(log_form(ctx, &e->solve, c + j, &form));
    log_det += form / (double)p->probes;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t t = 0; t < q; t++) {
      s->c[i * q + t] = s->solved[i * c + t];
      for (size_t k = q; k < c; k++) s->c[i * q + t] -= s->solved[i * c + k] * s->b[(k - q) * q + t];
    }
  s->log_likelihood = -0.5 * (sum + (double)q * (log_det + (double)n * MN_LOG_2PI));
  return MN_OK;
}

/* Columns f and g with f g' = sum_t c_t c_t' - q / probes (u v' + v u') / 2: the weights of dA. */
static void find_factors(const struct evaluation *e, const double *v, double *f, double *g)
{
  const mn_conjugate_problem *p = e->problem;
  const size_t n = p->rows.n, q = p->q, width = q + 2 * p->probes;
  const double scale = -0.5 * (double)q / (double)p->probes;
  for (size_t i = 0; i < n; i++) {
    for (size_t t = 0; t < q; t++) f[i * width + t] = g[i * width + t] = e->state->c[i * q + t];
    for (size_t j = 0; j < p->probes; j++) {
      const double one = e->solution[i * e->m + p->columns + j], other = v[i * p->probes + j];
      f[i * width + q + j] = scale * one;
      g[i * width + q + j] = other;
      f[i * width + q + p->probes + j] = scale * other;
      g[i * width + q + p->probes + j] = one;
    }
  }
}

/* gradient = sum_ij (f g')_ij dA_ij, by blocks of rows, with the columns up to the diagonal. */
static mn_status weigh(mn_context *ctx, const struct evaluation *e, size_t width, const double *f, const double *g,
                       double *gradient)
{
  const mn_kernel_rows *rows = &e->problem->rows;
  const size_t n = rows->n, thetas = mn_kernel_free_count(e->kernel);
  double *part = MN_RAW(ctx, double, thetas, 1), *diagonal = MN_RAW(ctx, double, n, 1),
         *zero = MN_NEW(ctx, double, n, 1);
  if (!part || !diagonal || !zero) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i += e->a.block_rows) {
    const size_t size = n - i < e->a.block_rows ? n - i : e->a.block_rows, end = i + size;
    const mn_kernel_rows left = { .n = size, .d = rows->d, .x = rows->x + i * rows->d },
                         right = { .n = end, .d = rows->d, .x = rows->x };
    double *w = e->a.block;
    MN_TRY(mn_poll(ctx));
    MN_TRY(mn_gemm(ctx, false, true, size, end, width, 1, f + i * width, width, g, width, 0, w, end));
    for (size_t a = 0; a < size; a++) {
      diagonal[i + a] = w[a * end + i + a];
      for (size_t b = 0; b < i; b++) w[a * end + b] *= 2;
    }
    MN_TRY(mn_kernel_cross_gradient_dot(ctx, e->kernel, &left, &right, w, end, part, NULL));
    for (size_t j = 0; j < thetas; j++) gradient[j] += part[j];
  }
  MN_TRY(mn_kernel_diagonal_gradient_dot(ctx, e->kernel, rows, zero, diagonal, part));
  for (size_t j = 0; j < thetas; j++) gradient[j] += part[j];
  return MN_OK;
}

static mn_status find_gradient(mn_context *ctx, const struct evaluation *e, double *gradient)
{
  const mn_conjugate_problem *p = e->problem;
  const size_t n = p->rows.n, width = p->q + 2 * p->probes, thetas = mn_kernel_free_count(e->kernel);
  double *f = MN_RAW(ctx, double, n, width), *g = MN_RAW(ctx, double, n, width), *v = MN_RAW(ctx, double, n, p->probes),
         *of_p = MN_NEW(ctx, double, thetas, 1);
  if (!f || !g || !v || !of_p) return MN_NO_MEMORY;
  MN_TRY(mn_nystrom_solve(ctx, &e->p, p->probes, e->z, v));
  find_factors(e, v, f, g);
  for (size_t j = 0; j < thetas; j++) gradient[j] = 0;
  MN_TRY(weigh(ctx, e, width, f, g, gradient));
  MN_TRY(mn_nystrom_gradient(ctx, &e->p, p->probes, v, of_p));
  for (size_t j = 0; j < thetas; j++) gradient[j] = 0.5 * (gradient[j] - (double)p->q * of_p[j]);
  return MN_OK;
}

mn_status mn_conjugate_evaluate(mn_context *ctx, const mn_kernel *kernel, const mn_conjugate_problem *p,
                                mn_conjugate_state *s, double *gradient)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct evaluation e = { .kernel = kernel, .problem = p, .state = s };
  bool failed;
  s->log_likelihood = (double)NAN;
  MN_TRY(prepare(ctx, &e, &failed));
  if (!failed) {
    MN_TRY(run(ctx, &e.a, &e.p, p->tol, p->max_iter, e.right, e.solution, &e.solve));
    s->n_iter = e.solve.n_iter;
    s->residual = e.solve.residual;
    failed = e.solve.failed;
  }
  if (!failed) MN_TRY(find_likelihood(ctx, &e));
  if (gradient && isfinite(s->log_likelihood)) MN_TRY(find_gradient(ctx, &e, gradient));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_conjugate_solve(mn_context *ctx, const mn_kernel *kernel, const mn_conjugate_problem *p, size_t m,
                             const double *b, double *x)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_nystrom preconditioner;
  struct operator a;
  struct solve s;
  MN_TRY(mn_nystrom_new(ctx, kernel, &p->rows, p->noise, p->rank, &preconditioner));
  MN_TRY(operator_new(ctx, kernel, &p->rows, p->noise + preconditioner.jitter, &a));
  MN_TRY(solve_new(ctx, p->rows.n, m, &s));
  MN_TRY(run(ctx, &a, &preconditioner, p->tol, p->max_iter, b, x, &s));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
