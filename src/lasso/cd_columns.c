/* Coordinate descent on columns: for more columns than rows, and for sparse X. The residual is updated after each step.
 * Anderson extrapolation of the last sweeps is accepted if it lowers the objective. If convergence is still slow,
 * a Newton step is taken on the Gram matrix of the support. */
#include "../core/threads.h"
#include "../linalg/product.h"
#include "cd.h"
#include "cd_kernel.h"
#include <string.h>

enum {
  HISTORY = 5,
  SWEEPS = 10,
  BLOCK_VALUES = 1 << 15,
  FIRST_NEWTON = 20,
  SWEEPS_PER_NEWTON = 10,
  MAX_SUPPORT = 2000
};

static double column_dot(const mn_cd_columns *z, size_t j, const double *r, double shift)
{
  if (z->dense) return mn_cd_dot(z->n, z->dense + j * z->n, r);
  const size_t at = z->start[j];
  return mn_cd_dot_sparse(z->start[j + 1] - at, z->value + at, z->row + at, r) + shift * z->mean[j];
}

/* r -= a z_j */
static void column_subtract(const mn_cd_columns *z, size_t j, double a, double *r, double *shift)
{
  if (z->dense) {
    mn_cd_subtract(z->n, a, z->dense + j * z->n, r);
    return;
  }
  const size_t at = z->start[j];
  mn_cd_subtract_sparse(z->start[j + 1] - at, a, z->value + at, z->row + at, r);
  *shift += a * z->mean[j];
}

static double residual_rss(const mn_cd_columns *z, const double *r, double shift)
{
  if (z->dense || shift == 0) return mn_cd_dot(z->n, r, r);
  double sum = 0;
  for (size_t i = 0; i < z->n; i++) {
    const double residual = r[i] + shift * z->root[i];
    sum += residual * residual;
  }
  return sum;
}

struct dots_work {
  mn_cd *s;
  const size_t *which; /* columns; NULL: all */
  double *out;
  mn_blocks blocks;
};

static void dots_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct dots_work *w = work;
  for (size_t k = mn_block_begin(&w->blocks, block); k < mn_block_end(&w->blocks, block); k++)
    w->out[k] = column_dot(w->s->z, w->which ? w->which[k] : k, w->s->r, w->s->shift);
}

/* out = Z'r for n columns. */
static mn_status dots(mn_context *ctx, mn_cd *s, size_t n, const size_t *which, double *out)
{
  const mn_cd_columns *z = s->z;
  const size_t values = z->dense ? z->n : z->start[z->p] / (z->p > 0 ? z->p : 1) + 1;
  struct dots_work w = {
    .s = s, .which = which, .out = out, .blocks = mn_make_blocks(n, BLOCK_VALUES / values + 1, SIZE_MAX)
  };
  return mn_parallel(ctx, w.blocks.count, dots_block, &w);
}

mn_status mn_cd_columns_refresh(mn_context *ctx, mn_cd *s)
{
  memcpy(s->r, s->v, s->z->n * sizeof *s->r);
  s->shift = 0;
  for (size_t j = 0; j < s->p; j++)
    if (s->b[j] != 0) column_subtract(s->z, j, s->b[j], s->r, &s->shift);
  s->rss = residual_rss(s->z, s->r, s->shift);
  return dots(ctx, s, s->p, NULL, s->g);
}

/* One sweep over the working set, or over its nonzero coefficients. Returns the same as mn_cd_sweep. */
static double sweep(mn_cd *s, const mn_cd_penalty *q, bool all)
{
  double largest = 0;
  for (size_t k = 0; k < s->size; k++) {
    const size_t j = s->set[k];
    const double b = s->b[j], norm = s->z->norm[j], curvature = norm + q->l2;
    if ((!all && b == 0) || !(curvature > 0)) continue;
    const double slope = column_dot(s->z, j, s->r, s->shift) + norm * b, bound = s->bound[k];
    const double beyond = q->positive ? fmax(slope - bound, 0) : copysign(fmax(fabs(slope) - bound, 0), slope);
    const double next = beyond / curvature, delta = next - b;
    if (delta == 0) continue;
    s->b[j] = next;
    column_subtract(s->z, j, delta, s->r, &s->shift);
    largest = fmax(largest, delta * delta * curvature);
  }
  return largest;
}

static double compute_penalty(const mn_cd *s, const mn_cd_penalty *q)
{
  double sum = 0;
  for (size_t k = 0; k < s->size; k++) {
    const double b = s->b[s->set[k]];
    sum += s->bound[k] * fabs(b) + q->l2 / 2 * b * b;
  }
  return sum;
}

static double compute_objective(const mn_cd *s, const mn_cd_penalty *q)
{
  return residual_rss(s->z, s->r, s->shift) / 2 + compute_penalty(s, q);
}

/* The coefficients of the working set after the last HISTORY + 1 sweeps, for the extrapolation. */
struct history {
  double *at; /* (HISTORY + 1) x size */
  size_t count;
  double *b, *r; /* backup of coefficients and residual: size, n */
};

static mn_status make_history(mn_context *ctx, const mn_cd *s, struct history *h)
{
  h->at = MN_RAW(ctx, double, HISTORY + 1, s->size);
  h->b = MN_RAW(ctx, double, s->size, 1);
  h->r = MN_RAW(ctx, double, s->z->n, 1);
  return h->at && h->b && h->r ? MN_OK : MN_NO_MEMORY;
}

static void record(const mn_cd *s, struct history *h)
{
  if (h->count == HISTORY + 1) {
    memmove(h->at, h->at + s->size, HISTORY * s->size * sizeof *h->at);
    h->count--;
  }
  for (size_t k = 0; k < s->size; k++) h->at[h->count * s->size + k] = s->b[s->set[k]];
  h->count++;
}

/* Coefficients c of sum 1 with U'U c proportional to 1, where U are the differences of the sweeps. False if U is too
 * ill-conditioned. */
static bool mixing_coefs(const struct history *h, size_t size, double c[HISTORY])
{
  double a[HISTORY][HISTORY + 1], trace = 0, sum = 0;
  for (size_t i = 0; i < HISTORY; i++)
    for (size_t j = 0; j <= i; j++) {
      const double *x = h->at + i * size, *y = h->at + j * size;
      double dot = 0;
      for (size_t k = 0; k < size; k++) dot += (x[size + k] - x[k]) * (y[size + k] - y[k]);
      a[i][j] = a[j][i] = dot;
    }
  for (size_t i = 0; i < HISTORY; i++) trace += a[i][i];
  for (size_t i = 0; i < HISTORY; i++) {
    a[i][i] += 1e-12 * trace;
    a[i][HISTORY] = 1;
  }
  for (size_t i = 0; i < HISTORY; i++) { /* positive definite: no pivoting */
    if (!(a[i][i] > 0)) return false;
    for (size_t j = i + 1; j < HISTORY; j++)
      for (size_t k = HISTORY + 1; k-- > i;) a[j][k] -= a[j][i] / a[i][i] * a[i][k];
  }
  for (size_t i = HISTORY; i-- > 0;) {
    c[i] = a[i][HISTORY];
    for (size_t k = i + 1; k < HISTORY; k++) c[i] -= a[i][k] * c[k];
    c[i] /= a[i][i];
  }
  for (size_t i = 0; i < HISTORY; i++) sum += c[i];
  for (size_t i = 0; i < HISTORY; i++) c[i] /= sum;
  return sum > 0 && sum < INFINITY;
}

static void extrapolate(mn_cd *s, const mn_cd_penalty *q, struct history *h)
{
  const double before = compute_objective(s, q), shift = s->shift;
  double c[HISTORY];
  if (h->count <= HISTORY || !mixing_coefs(h, s->size, c)) return;
  memcpy(h->r, s->r, s->z->n * sizeof *h->r);
  for (size_t k = 0; k < s->size; k++) {
    const size_t j = s->set[k];
    double next = 0;
    for (size_t i = 0; i < HISTORY; i++) next += c[i] * h->at[(i + 1) * s->size + k];
    if (q->positive) next = fmax(next, 0);
    h->b[k] = s->b[j];
    if (next != s->b[j]) column_subtract(s->z, j, next - s->b[j], s->r, &s->shift);
    s->b[j] = next;
  }
  h->count = 0;
  if (compute_objective(s, q) < before) return;
  for (size_t k = 0; k < s->size; k++) s->b[s->set[k]] = h->b[k];
  memcpy(s->r, h->r, s->z->n * sizeof *h->r);
  s->shift = shift;
}

/* The Gram matrix of k columns of the working set, at positions `which`. Sparse columns are expanded one at a time. */
static mn_status support_gram(mn_context *ctx, const mn_cd *s, size_t k, const size_t *which, double *gram)
{
  const mn_cd_columns *z = s->z;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *dense = MN_NEW(ctx, double, z->dense ? k : 1, z->n);
  MN_CHECK_ALLOC(dense);
  for (size_t i = 0; i < k && z->dense; i++)
    memcpy(dense + i * z->n, z->dense + s->set[which[i]] * z->n, z->n * sizeof *dense);
  if (z->dense) MN_TRY(mn_gemm(ctx, false, true, k, k, z->n, 1, dense, z->n, dense, z->n, 0, gram, k));
  for (size_t i = 0; i < k && !z->dense; i++) {
    const size_t j = s->set[which[i]];
    for (size_t e = z->start[j]; e < z->start[j + 1]; e++) dense[z->row[e]] = z->value[e];
    for (size_t m = 0; m <= i; m++)
      gram[i * k + m] = gram[m * k + i] = column_dot(z, s->set[which[m]], dense, -z->mean[j]);
    for (size_t e = z->start[j]; e < z->start[j + 1]; e++) dense[z->row[e]] = 0;
    MN_TRY(mn_poll(ctx));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* A Newton step on k columns of the support, posed as a problem of its own. */
static mn_status newton_step(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q, size_t k, const size_t *which)
{
  double *buffer = MN_RAW(ctx, double, k, 3);
  mn_cd part = { .p = k, .size = k, .capacity = k, .set_gram = MN_RAW(ctx, double, k, k) };
  if (!buffer || !part.set_gram) return MN_NO_MEMORY;
  part.set_b = buffer;
  part.set_g = buffer + k;
  part.bound = buffer + 2 * k;
  for (size_t i = 0; i < k; i++) {
    const size_t j = s->set[which[i]];
    part.set_b[i] = s->b[j];
    part.set_g[i] = column_dot(s->z, j, s->r, s->shift);
    part.bound[i] = s->bound[which[i]];
  }
  MN_TRY(support_gram(ctx, s, k, which, part.set_gram));
  MN_TRY(mn_cd_newton(ctx, &part, q));
  for (size_t i = 0; i < k; i++) {
    const size_t j = s->set[which[i]];
    if (part.set_b[i] != s->b[j]) column_subtract(s->z, j, part.set_b[i] - s->b[j], s->r, &s->shift);
    s->b[j] = part.set_b[i];
  }
  return MN_OK;
}

/* A Newton step if enough sweeps have passed to pay for it: the Gram matrix of k columns costs about k reads of each
 * column of the support, a sweep two. */
static mn_status newton(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q, int64_t sweeps, struct history *h)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  size_t k = 0;
  if (sweeps < s->last_newton + FIRST_NEWTON) return MN_OK;
  size_t *which = MN_RAW(ctx, size_t, s->size, 1);
  MN_CHECK_ALLOC(which);
  for (size_t i = 0; i < s->size; i++)
    if (s->b[s->set[i]] != 0) which[k++] = i;
  if (k > 0 && k <= MAX_SUPPORT && sweeps >= s->last_newton + FIRST_NEWTON + (int64_t)k / SWEEPS_PER_NEWTON) {
    MN_TRY(newton_step(ctx, s, q, k, which));
    s->last_newton = sweeps;
    h->count = 0;
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* The duality gap of the working set; without a penalty twice the largest gain of a single step. */
static double set_gap(const mn_cd *s, const mn_cd_penalty *q, const double *b, const double *g)
{
  double gain = 0;
  if (q->l1 > 0 || q->l2 > 0)
    return mn_cd_duality_gap(s->size, b, g, s->bound, q->l2, q->positive, residual_rss(s->z, s->r, s->shift));
  for (size_t k = 0; k < s->size; k++) {
    const double norm = s->z->norm[s->set[k]];
    if (norm > 0 && !(q->positive && b[k] == 0 && g[k] < 0)) gain = fmax(gain, g[k] * g[k] / norm);
  }
  return gain;
}

/* One sweep over the working set, then sweeps over its support. */
static mn_status cycle(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q, double max_gap, int64_t max_iter,
                       mn_cd_report *r, struct history *h, bool *stationary)
{
  for (int k = 0; k < SWEEPS && r->n_iter < max_iter; k++) {
    const double gain = sweep(s, q, k == 0);
    r->n_iter++;
    if (k == 0) *stationary = !(gain > MN_CD_ROUNDING * s->yy);
    record(s, h);
    if (s->progress && !s->progress(s->user, compute_objective(s, q))) return MN_OK;
    MN_TRY(mn_poll(ctx));
    if (!(gain > fmax(max_gap / 10, MN_CD_ROUNDING * s->yy))) return MN_OK;
    if (h->count > HISTORY) extrapolate(s, q, h);
  }
  return MN_OK;
}

mn_status mn_cd_columns_inner(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q, double max_gap, int64_t max_iter,
                              mn_cd_report *r, bool *stationary)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct history h = { 0 };
  double *b = MN_RAW(ctx, double, s->size, 1), *g = MN_RAW(ctx, double, s->size, 1);
  if (!b || !g) return MN_NO_MEMORY;
  MN_TRY(make_history(ctx, s, &h));
  for (*stationary = false; !*stationary && r->n_iter < max_iter && mn_should_continue(ctx);) {
    MN_TRY(cycle(ctx, s, q, max_gap, max_iter, r, &h, stationary));
    MN_TRY(dots(ctx, s, s->size, s->set, g));
    for (size_t k = 0; k < s->size; k++) b[k] = s->b[s->set[k]];
    if (set_gap(s, q, b, g) <= max_gap) break;
    MN_TRY(newton(ctx, s, q, r->n_iter, &h));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
