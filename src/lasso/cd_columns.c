/* Coordinate descent on columns: for more columns than rows, and for sparse X. The residual follows each step. The
 * limit of a run of sweeps is guessed by Anderson's extrapolation, and taken where it lowers the objective; where that
 * is slow, too, a Newton step is taken on the Gram matrix of the columns that have weights. */
#include "../core/threads.h"
#include "../linalg/product.h"
#include "cd.h"
#include "cd_kernel.h"
#include <string.h>

enum { KEPT = 5, SWEEPS = 10, BLOCK_VALUES = 1 << 15, FIRST_NEWTON = 20, SWEEPS_PER_NEWTON = 10, MOST_SUPPORT = 2000 };

static double column_dot(const mn_cd_columns *z, size_t j, const double *r, double shift)
{
  if (z->dense) return mn_cd_dot(z->n, z->dense + j * z->n, r);
  const size_t at = z->start[j];
  return mn_cd_dot_sparse(z->start[j + 1] - at, z->value + at, z->row + at, r) + shift * z->mean[j];
}

/* r -= a z_j */
static void column_take(const mn_cd_columns *z, size_t j, double a, double *r, double *shift)
{
  if (z->dense) {
    mn_cd_subtract(z->n, a, z->dense + j * z->n, r);
    return;
  }
  const size_t at = z->start[j];
  mn_cd_subtract_sparse(z->start[j + 1] - at, a, z->value + at, z->row + at, r);
  *shift += a * z->mean[j];
}

static double square_of(const mn_cd_columns *z, const double *r, double shift)
{
  if (z->dense || shift == 0) return mn_cd_dot(z->n, r, r);
  double sum = 0;
  for (size_t i = 0; i < z->n; i++) {
    const double whole = r[i] + shift * z->root[i];
    sum += whole * whole;
  }
  return sum;
}

struct pass {
  mn_cd *s;
  const size_t *which; /* the columns; NULL: all */
  double *out;
  mn_blocks blocks;
};

static void dots_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct pass *w = work;
  for (size_t k = mn_block_begin(&w->blocks, block); k < mn_block_end(&w->blocks, block); k++)
    w->out[k] = column_dot(w->s->z, w->which ? w->which[k] : k, w->s->r, w->s->shift);
}

/* out = Z'r, of n columns. */
static mn_status dots(mn_context *ctx, mn_cd *s, size_t n, const size_t *which, double *out)
{
  const mn_cd_columns *z = s->z;
  const size_t values = z->dense ? z->n : z->start[z->p] / (z->p > 0 ? z->p : 1) + 1;
  struct pass w = {
    .s = s, .which = which, .out = out, .blocks = mn_make_blocks(n, BLOCK_VALUES / values + 1, SIZE_MAX)
  };
  return mn_parallel(ctx, w.blocks.count, dots_block, &w);
}

mn_status mn_cd_columns_refresh(mn_context *ctx, mn_cd *s)
{
  memcpy(s->r, s->v, s->z->n * sizeof *s->r);
  s->shift = 0;
  for (size_t j = 0; j < s->p; j++)
    if (s->b[j] != 0) column_take(s->z, j, s->b[j], s->r, &s->shift);
  s->squares = square_of(s->z, s->r, s->shift);
  return dots(ctx, s, s->p, NULL, s->g);
}

/* One sweep over the set, or only over what is not 0 there. Returns as mn_cd_sweep. */
static double sweep(mn_cd *s, const mn_cd_penalty *q, bool all)
{
  double largest = 0;
  for (size_t k = 0; k < s->size; k++) {
    const size_t j = s->set[k];
    const double b = s->b[j], norm = s->z->norm[j], curvature = norm + q->l2;
    if ((!all && b == 0) || !(curvature > 0)) continue;
    const double slope = column_dot(s->z, j, s->r, s->shift) + norm * b, least = s->bound[k];
    const double beyond = q->positive ? fmax(slope - least, 0) : copysign(fmax(fabs(slope) - least, 0), slope);
    const double next = beyond / curvature, delta = next - b;
    if (delta == 0) continue;
    s->b[j] = next;
    column_take(s->z, j, delta, s->r, &s->shift);
    largest = fmax(largest, delta * delta * curvature);
  }
  return largest;
}

static double penalty_of(const mn_cd *s, const mn_cd_penalty *q)
{
  double sum = 0;
  for (size_t k = 0; k < s->size; k++) {
    const double b = s->b[s->set[k]];
    sum += s->bound[k] * fabs(b) + q->l2 / 2 * b * b;
  }
  return sum;
}

static double objective_of(const mn_cd *s, const mn_cd_penalty *q)
{
  return square_of(s->z, s->r, s->shift) / 2 + penalty_of(s, q);
}

/* What the extrapolation works on: the weights of the set after the last KEPT + 1 sweeps. */
struct history {
  double *at; /* (KEPT + 1) x size */
  size_t count;
  double *b, *r; /* to go back to: size, n */
};

static mn_status make_history(mn_context *ctx, const mn_cd *s, struct history *h)
{
  h->at = MN_RAW(ctx, double, KEPT + 1, s->size);
  h->b = MN_RAW(ctx, double, s->size, 1);
  h->r = MN_RAW(ctx, double, s->z->n, 1);
  return h->at && h->b && h->r ? MN_OK : MN_NO_MEMORY;
}

static void remember(const mn_cd *s, struct history *h)
{
  if (h->count == KEPT + 1) {
    memmove(h->at, h->at + s->size, KEPT * s->size * sizeof *h->at);
    h->count--;
  }
  for (size_t k = 0; k < s->size; k++) h->at[h->count * s->size + k] = s->b[s->set[k]];
  h->count++;
}

/* Weights c with U'U c ~ 1, sum 1, for U the differences of the sweeps; false: they are too much alike. */
static bool mix(const struct history *h, size_t size, double c[KEPT])
{
  double a[KEPT][KEPT + 1], trace = 0, sum = 0;
  for (size_t i = 0; i < KEPT; i++)
    for (size_t j = 0; j <= i; j++) {
      const double *x = h->at + i * size, *y = h->at + j * size;
      double dot = 0;
      for (size_t k = 0; k < size; k++) dot += (x[size + k] - x[k]) * (y[size + k] - y[k]);
      a[i][j] = a[j][i] = dot;
    }
  for (size_t i = 0; i < KEPT; i++) trace += a[i][i];
  for (size_t i = 0; i < KEPT; i++) {
    a[i][i] += 1e-12 * trace;
    a[i][KEPT] = 1;
  }
  for (size_t i = 0; i < KEPT; i++) { /* positive definite: no pivoting */
    if (!(a[i][i] > 0)) return false;
    for (size_t j = i + 1; j < KEPT; j++)
      for (size_t k = KEPT + 1; k-- > i;) a[j][k] -= a[j][i] / a[i][i] * a[i][k];
  }
  for (size_t i = KEPT; i-- > 0;) {
    c[i] = a[i][KEPT];
    for (size_t k = i + 1; k < KEPT; k++) c[i] -= a[i][k] * c[k];
    c[i] /= a[i][i];
  }
  for (size_t i = 0; i < KEPT; i++) sum += c[i];
  for (size_t i = 0; i < KEPT; i++) c[i] /= sum;
  return sum > 0 && sum < INFINITY;
}

static void extrapolate(mn_cd *s, const mn_cd_penalty *q, struct history *h)
{
  const double before = objective_of(s, q), shift = s->shift;
  double c[KEPT];
  if (h->count <= KEPT || !mix(h, s->size, c)) return;
  memcpy(h->r, s->r, s->z->n * sizeof *h->r);
  for (size_t k = 0; k < s->size; k++) {
    const size_t j = s->set[k];
    double next = 0;
    for (size_t i = 0; i < KEPT; i++) next += c[i] * h->at[(i + 1) * s->size + k];
    if (q->positive) next = fmax(next, 0);
    h->b[k] = s->b[j];
    if (next != s->b[j]) column_take(s->z, j, next - s->b[j], s->r, &s->shift);
    s->b[j] = next;
  }
  h->count = 0;
  if (objective_of(s, q) < before) return;
  for (size_t k = 0; k < s->size; k++) s->b[s->set[k]] = h->b[k];
  memcpy(s->r, h->r, s->z->n * sizeof *h->r);
  s->shift = shift;
}

/* The Gram matrix of k columns of the set, at `which`: two of the sparse ones meet in one of them laid out. */
static mn_status support_gram(mn_context *ctx, const mn_cd *s, size_t k, const size_t *which, double *gram)
{
  const mn_cd_columns *z = s->z;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *laid = MN_NEW(ctx, double, z->dense ? k : 1, z->n);
  MN_CHECK_ALLOC(laid);
  for (size_t i = 0; i < k && z->dense; i++)
    memcpy(laid + i * z->n, z->dense + s->set[which[i]] * z->n, z->n * sizeof *laid);
  if (z->dense) MN_TRY(mn_gemm(ctx, false, true, k, k, z->n, 1, laid, z->n, laid, z->n, 0, gram, k));
  for (size_t i = 0; i < k && !z->dense; i++) {
    const size_t j = s->set[which[i]];
    for (size_t e = z->start[j]; e < z->start[j + 1]; e++) laid[z->row[e]] = z->value[e];
    for (size_t m = 0; m <= i; m++)
      gram[i * k + m] = gram[m * k + i] = column_dot(z, s->set[which[m]], laid, -z->mean[j]);
    for (size_t e = z->start[j]; e < z->start[j + 1]; e++) laid[z->row[e]] = 0;
    MN_TRY(mn_poll(ctx));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* The Newton step of k columns with weights, a problem of its own: their Gram matrix, weights and slopes. */
static mn_status newton_of(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q, size_t k, const size_t *which)
{
  double *of_each = MN_RAW(ctx, double, k, 3);
  mn_cd part = { .p = k, .size = k, .room = k, .packed = MN_RAW(ctx, double, k, k) };
  if (!of_each || !part.packed) return MN_NO_MEMORY;
  part.set_b = of_each;
  part.set_g = of_each + k;
  part.bound = of_each + 2 * k;
  for (size_t i = 0; i < k; i++) {
    const size_t j = s->set[which[i]];
    part.set_b[i] = s->b[j];
    part.set_g[i] = column_dot(s->z, j, s->r, s->shift);
    part.bound[i] = s->bound[which[i]];
  }
  MN_TRY(support_gram(ctx, s, k, which, part.packed));
  MN_TRY(mn_cd_newton(ctx, &part, q));
  for (size_t i = 0; i < k; i++) {
    const size_t j = s->set[which[i]];
    if (part.set_b[i] != s->b[j]) column_take(s->z, j, part.set_b[i] - s->b[j], s->r, &s->shift);
    s->b[j] = part.set_b[i];
  }
  return MN_OK;
}

/* A Newton step where sweeps enough have gone by to pay for it; a sweep reads each column that has a weight twice, and
 * the Gram matrix takes k of such reads. */
static mn_status newton(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q, int64_t sweeps, struct history *h)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  size_t k = 0;
  if (sweeps < s->newton + FIRST_NEWTON) return MN_OK;
  size_t *which = MN_RAW(ctx, size_t, s->size, 1);
  MN_CHECK_ALLOC(which);
  for (size_t i = 0; i < s->size; i++)
    if (s->b[s->set[i]] != 0) which[k++] = i;
  if (k > 0 && k <= MOST_SUPPORT && sweeps >= s->newton + FIRST_NEWTON + (int64_t)k / SWEEPS_PER_NEWTON) {
    MN_TRY(newton_of(ctx, s, q, k, which));
    s->newton = sweeps;
    h->count = 0;
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Twice the gain of the best step, where there is no penalty; else the duality gap of the set. */
static double set_gap(const mn_cd *s, const mn_cd_penalty *q, const double *b, const double *g)
{
  double gain = 0;
  if (q->l1 > 0 || q->l2 > 0)
    return mn_cd_duality_gap(s->size, b, g, s->bound, q->l2, q->positive, square_of(s->z, s->r, s->shift));
  for (size_t k = 0; k < s->size; k++) {
    const double norm = s->z->norm[s->set[k]];
    if (norm > 0 && !(q->positive && b[k] == 0 && g[k] < 0)) gain = fmax(gain, g[k] * g[k] / norm);
  }
  return gain;
}

/* A sweep over the set, then some over what is not 0. */
static mn_status cycle(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q, double wanted, int64_t max_iter,
                       mn_cd_report *r, struct history *h, bool *still)
{
  for (int k = 0; k < SWEEPS && r->n_iter < max_iter; k++) {
    const double gain = sweep(s, q, k == 0);
    r->n_iter++;
    if (k == 0) *still = !(gain > MN_CD_ROUNDING * s->yy);
    remember(s, h);
    if (s->note && !s->note(s->user, objective_of(s, q))) return MN_OK;
    MN_TRY(mn_poll(ctx));
    if (!(gain > fmax(wanted / 10, MN_CD_ROUNDING * s->yy))) return MN_OK;
    if (h->count > KEPT) extrapolate(s, q, h);
  }
  return MN_OK;
}

mn_status mn_cd_columns_inner(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q, double wanted, int64_t max_iter,
                              mn_cd_report *r, bool *still)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct history h = { 0 };
  double *b = MN_RAW(ctx, double, s->size, 1), *g = MN_RAW(ctx, double, s->size, 1);
  if (!b || !g) return MN_NO_MEMORY;
  MN_TRY(make_history(ctx, s, &h));
  for (*still = false; !*still && r->n_iter < max_iter && mn_should_continue(ctx);) {
    MN_TRY(cycle(ctx, s, q, wanted, max_iter, r, &h, still));
    MN_TRY(dots(ctx, s, s->size, s->set, g));
    for (size_t k = 0; k < s->size; k++) b[k] = s->b[s->set[k]];
    if (set_gap(s, q, b, g) <= wanted) break;
    MN_TRY(newton(ctx, s, q, r->n_iter, &h));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
