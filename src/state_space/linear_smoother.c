/* Fixed-interval smoothing, backward over the values of each observation: x = a + P r and V = P - P N P, where r and N
 * gather what later values say. With infinite variances r and N are polynomials in 1/k: r0 + r1/k, N0 + N1/k + N2/k^2
 * (Koopman & Durbin, J. Time Ser. Anal. 24 (2003)). */
#include "linear_filter.h"
#include <math.h>
#include <string.h>

struct backward {
  size_t d;
  double *r, *n;             /* d, d x d                     */
  double *r1, *n1, *n2;      /* of P_inf                     */
  double *v0, *v1;           /* d each: workspaces           */
  double *a, *b, *c, *e, *g; /* d x d each: workspaces       */
};

static mn_status make_backward(mn_context *ctx, size_t d, struct backward *s)
{
  double *at = MN_NEW(ctx, double, 8 * d + 4, d);
  MN_CHECK_ALLOC(at);
  *s = (struct backward){ .d = d, .r = at, .r1 = at + d, .v0 = at + 2 * d, .v1 = at + 3 * d };
  double **square[] = { &s->n, &s->n1, &s->n2, &s->a, &s->b, &s->c, &s->e, &s->g };
  for (size_t i = 0; i < sizeof square / sizeof *square; i++) *square[i] = at + 4 * d + i * d * d;
  return MN_OK;
}

/* r := L'r + add z and N := L'N L + weight z z', with L = I - K z' and K = gain / variance. */
static void step_back(size_t d, const double *z, const double *gain, double variance, double add, double weight,
                      double *r, double *n, double *nk)
{
  double inner = 0, moved = 0;
  for (size_t a = 0; a < d; a++) {
    nk[a] = mn_small_dot(d, n + a * d, gain) / variance;
    moved += gain[a] / variance * r[a];
  }
  for (size_t a = 0; a < d; a++) inner += gain[a] / variance * nk[a];
  for (size_t a = 0; a < d; a++) {
    r[a] += (add - moved) * z[a];
    for (size_t b = 0; b < d; b++) n[a * d + b] += z[a] * z[b] * (weight + inner) - nk[a] * z[b] - z[a] * nk[b];
  }
}

/* out += scale (left' m right) */
static void add_sandwich(struct backward *s, const double *left, const double *m, const double *right, double *out)
{
  const size_t d = s->d;
  mn_small_product_at(d, d, d, left, m, s->e);
  mn_small_product(d, d, d, s->e, right, s->g);
  for (size_t i = 0; i < d * d; i++) out[i] += s->g[i];
}

/* The step of a value that ended an infinite variance. L = L0 + L1 / k with L0 = I - K0 z', L1 = -K1 z'. */
static void step_back_diffuse(struct backward *s, const double *z, const double *gain, const double *rise,
                              const mn_filter_value *value)
{
  const size_t d = s->d;
  const double infinite = value->diffuse_variance, finite = value->variance;
  double *l0 = s->a, *l1 = s->b, *next = s->c;
  for (size_t a = 0; a < d; a++) {
    const double k0 = rise[a] / infinite, k1 = (gain[a] - k0 * finite) / infinite;
    for (size_t b = 0; b < d; b++) {
      l0[a * d + b] = (a == b) - k0 * z[b];
      l1[a * d + b] = -k1 * z[b];
    }
  }
  double *r0 = s->v0, *r1 = s->v1;
  for (size_t b = 0; b < d; b++) {
    r0[b] = 0;
    r1[b] = z[b] * value->error / infinite;
    for (size_t a = 0; a < d; a++) {
      r0[b] += l0[a * d + b] * s->r[a];
      r1[b] += l0[a * d + b] * s->r1[a] + l1[a * d + b] * s->r[a];
    }
  }
  memcpy(s->r, r0, d * sizeof *r0);
  memcpy(s->r1, r1, d * sizeof *r1);
  memset(next, 0, d * d * sizeof *next);
  add_sandwich(s, l0, s->n2, l0, next);
  add_sandwich(s, l0, s->n1, l1, next);
  add_sandwich(s, l1, s->n1, l0, next);
  add_sandwich(s, l1, s->n, l1, next);
  for (size_t a = 0; a < d; a++)
    for (size_t b = 0; b < d; b++) s->n2[a * d + b] = next[a * d + b] - z[a] * z[b] * finite / (infinite * infinite);
  memset(next, 0, d * d * sizeof *next);
  add_sandwich(s, l0, s->n1, l0, next);
  add_sandwich(s, l1, s->n, l0, next);
  add_sandwich(s, l0, s->n, l1, next);
  for (size_t a = 0; a < d; a++)
    for (size_t b = 0; b < d; b++) s->n1[a * d + b] = next[a * d + b] + z[a] * z[b] / infinite;
  memset(next, 0, d * d * sizeof *next);
  add_sandwich(s, l0, s->n, l0, next);
  memcpy(s->n, next, d * d * sizeof *next);
}

/* All values of row t. k has observed the row. */
static void step_back_row(const mn_filter *k, struct backward *s, size_t t, const mn_filter_path *path)
{
  const size_t d = s->d, p = k->m->p;
  for (size_t i = k->count; i-- > 0;) {
    const double *z = k->z + i * d, *gain = path->gain + (t * p + i) * d;
    const mn_filter_value *value = &path->value[t * p + i];
    if (!value->used) continue;
    if (value->diffuse_variance > 0) {
      step_back_diffuse(s, z, gain, path->diffuse_gain + (t * p + i) * d, value);
      continue;
    }
    const double f = value->variance;
    step_back(d, z, gain, f, value->error / f, 1 / f, s->r, s->n, s->a);
    if (t >= path->diffuse_rows) continue;
    step_back(d, z, gain, f, 0, 0, s->r1, s->n1, s->a);
    memset(s->v0, 0, d * sizeof *s->v0);
    step_back(d, z, gain, f, 0, 0, s->v0, s->n2, s->a);
  }
}

/* r := F'r, N := F'N F */
static void transpose_step(struct backward *s, const double *f, double *r, double *n)
{
  const size_t d = s->d;
  mn_small_product_at(d, d, 1, f, r, s->a);
  memcpy(r, s->a, d * sizeof *r);
  mn_small_product_at(d, d, d, f, n, s->a);
  mn_small_product(d, d, d, s->a, f, n);
  mn_make_symmetric(d, n);
}

/* V -= P N Q + its transpose if P and Q differ */
static void subtract(struct backward *s, const double *p, const double *n, const double *q, double *v)
{
  const size_t d = s->d;
  mn_small_product(d, d, d, p, n, s->a);
  mn_small_product(d, d, d, s->a, q, s->b);
  for (size_t a = 0; a < d; a++)
    for (size_t b = 0; b < d; b++) v[a * d + b] -= s->b[a * d + b] + (p == q ? 0 : s->b[b * d + a]);
}

static void smooth_row(struct backward *s, size_t t, const mn_filter_path *path, double *mean, double *cov)
{
  const size_t d = s->d;
  const double *p = path->cov + t * d * d, *infinite = t < path->diffuse_rows ? path->diffuse + t * d * d : NULL;
  double *v = s->c;
  memcpy(v, p, d * d * sizeof *v);
  subtract(s, p, s->n, p, v);
  for (size_t a = 0; a < d; a++) {
    mean[t * d + a] = path->mean[t * d + a] + mn_small_dot(d, p + a * d, s->r);
    if (infinite) mean[t * d + a] += mn_small_dot(d, infinite + a * d, s->r1);
  }
  if (infinite) {
    subtract(s, infinite, s->n1, p, v);
    subtract(s, infinite, s->n2, infinite, v);
  }
  mn_make_symmetric(d, v);
  if (cov) memcpy(cov + t * d * d, v, d * d * sizeof *v);
}

/* Cov(x_{t+1}, x_t) = (I - P_{t+1} N_t) F P_{t|t}, before r and N leave row t + 1. */
static void find_cross(const mn_filter *k, struct backward *s, size_t t, const double *f, const mn_filter_path *path,
                       double *cross)
{
  const size_t d = s->d, p = k->m->p;
  const double *next = path->cov + (t + 1) * d * d;
  memcpy(s->a, path->cov + t * d * d, d * d * sizeof *s->a);
  for (size_t i = 0; i < p; i++) {
    const double *gain = path->gain + (t * p + i) * d;
    const mn_filter_value *value = &path->value[t * p + i];
    for (size_t a = 0; i < k->count && value->used && a < d; a++)
      for (size_t b = 0; b < d; b++) s->a[a * d + b] -= gain[a] * gain[b] / value->variance;
  }
  mn_small_product(d, d, d, f, s->a, s->b);
  mn_small_product(d, d, d, s->n, s->b, s->a);
  mn_small_product(d, d, d, next, s->a, s->c);
  for (size_t i = 0; i < d * d; i++) cross[t * d * d + i] = s->b[i] - s->c[i];
}

mn_status mn_filter_smooth(mn_filter *k, size_t first, const double *y, const mn_filter_path *path, double *mean,
                           double *cov, double *cross)
{
  const size_t d = k->m->d, p = k->m->p;
  const mn_mark mark = mn_scratch_mark(k->ctx);
  struct backward s;
  MN_TRY(make_backward(k->ctx, d, &s));
  for (size_t t = path->n; t-- > 0;) {
    const double *f = mn_matrix_step(&k->m->transition, first + t);
    MN_TRY(mn_filter_observe(k, first + t, y + (first + t) * p));
    if (t + 1 < path->n) {
      if (cross) find_cross(k, &s, t, f, path, cross);
      transpose_step(&s, f, s.r, s.n);
      if (t < path->diffuse_rows) {
        transpose_step(&s, f, s.r1, s.n1);
        memset(s.v0, 0, d * sizeof *s.v0);
        transpose_step(&s, f, s.v0, s.n2);
      }
    }
    step_back_row(k, &s, t, path);
    smooth_row(&s, t, path, mean, cov);
    if (t % 256 == 0) MN_TRY(mn_poll(k->ctx));
  }
  mn_scratch_release(k->ctx, mark);
  return MN_OK;
}
