#include "stratified_solve.h"
#include "../factorization/lapack.h"
#include <float.h>
#include <math.h>
#include <string.h>

static const double MIN_SMOOTHNESS = 1e-100; /* smoothness below which strata are independent */

struct chain {
  size_t k, q, m; /* strata, values, right-hand sides                         */
  double s;       /* weight of the edges */
  double *a;      /* k x q x q, in: A; out: the factor of I + P / s           */
  double *v;      /* k x q x m, in: right-hand sides; out: solutions          */
};

/* x := pinv(P) x for the m columns of x. Overwrites P. */
static mn_status solve_root(mn_context *ctx, size_t q, size_t m, double *p, double *x)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *value = MN_RAW(ctx, double, q, 1), *vector = MN_RAW(ctx, double, q, q),
         *projection = MN_NEW(ctx, double, q, m);
  if (!value || !vector || !projection) return MN_NO_MEMORY;
  MN_TRY(mn_eigh(ctx, q, q, MN_LARGEST, p, value, vector));
  const double threshold = value[0] * (double)(q + 10) * 10 * DBL_EPSILON;
  for (size_t e = 0; e < q && value[e] > threshold; e++)
    for (size_t c = 0; c < m; c++) {
      double sum = 0;
      for (size_t j = 0; j < q; j++) sum += vector[e * q + j] * x[j * m + c];
      projection[e * m + c] = sum / value[e];
    }
  memset(x, 0, q * m * sizeof *x);
  for (size_t e = 0; e < q; e++)
    for (size_t j = 0; j < q; j++)
      for (size_t c = 0; c < m; c++) x[j * m + c] += vector[e * q + j] * projection[e * m + c];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Pass the message of a stratum over an edge of weight s. a holds P and becomes the factor of I + P / s; the message is
 * added to to_a and to_v. Workspace: q x q, and message_v, q x m. */
static mn_status send_message(mn_context *ctx, size_t q, size_t m, double s, double *a, const double *v,
                              double *workspace, double *message_v, double *to_a, double *to_v)
{
  memcpy(workspace, a, q * q * sizeof *workspace);
  memcpy(message_v, v, q * m * sizeof *message_v);
  for (size_t i = 0; i < q; i++)
    for (size_t j = 0; j < q; j++) a[i * q + j] = a[i * q + j] / s + (i == j ? 1 : 0);
  MN_TRY(mn_chol(ctx, q, a, NULL));
  MN_TRY(mn_chol_apply(ctx, q, q, a, workspace));
  MN_TRY(mn_chol_apply(ctx, q, m, a, message_v));
  for (size_t i = 0; i < q; i++)
    for (size_t j = 0; j < q; j++) to_a[i * q + j] += (workspace[i * q + j] + workspace[j * q + i]) / 2;
  for (size_t i = 0; i < q * m; i++) to_v[i] += message_v[i];
  return MN_OK;
}

/* Back substitution over the edge: v := (I + P / s)^-1 (v / s + the solution on the other side). */
static mn_status back_substitute(mn_context *ctx, size_t q, size_t m, double s, const double *factor,
                                 const double *other, double *v)
{
  for (size_t i = 0; i < q * m; i++) v[i] = v[i] / s + other[i];
  return mn_chol_apply(ctx, q, m, factor, v);
}

static mn_status solve_chain(mn_context *ctx, const struct chain *c)
{
  const size_t square = c->q * c->q, block = c->q * c->m;
  double *workspace = MN_RAW(ctx, double, c->q, c->q), *message_v = MN_RAW(ctx, double, c->q, c->m);
  if (!workspace || !message_v) return MN_NO_MEMORY;
  for (size_t k = 0; k + 1 < c->k; k++) {
    MN_TRY(send_message(ctx, c->q, c->m, c->s, c->a + k * square, c->v + k * block, workspace, message_v,
                        c->a + (k + 1) * square, c->v + (k + 1) * block));
    MN_TRY(mn_poll(ctx));
  }
  MN_TRY(solve_root(ctx, c->q, c->m, c->a + (c->k - 1) * square, c->v + (c->k - 1) * block));
  for (size_t k = c->k - 1; k-- > 0;)
    MN_TRY(back_substitute(ctx, c->q, c->m, c->s, c->a + k * square, c->v + (k + 1) * block, c->v + k * block));
  return MN_OK;
}

static mn_status solve_star(mn_context *ctx, const struct chain *c)
{
  const size_t square = c->q * c->q, block = c->q * c->m;
  double *workspace = MN_RAW(ctx, double, c->q, c->q), *message_v = MN_RAW(ctx, double, c->q, c->m);
  double *hub = MN_NEW(ctx, double, c->q, c->q), *hub_v = MN_NEW(ctx, double, c->q, c->m);
  if (!workspace || !message_v || !hub || !hub_v) return MN_NO_MEMORY;
  for (size_t k = 0; k < c->k; k++) {
    MN_TRY(send_message(ctx, c->q, c->m, c->s, c->a + k * square, c->v + k * block, workspace, message_v, hub, hub_v));
    MN_TRY(mn_poll(ctx));
  }
  MN_TRY(solve_root(ctx, c->q, c->m, hub, hub_v));
  for (size_t k = 0; k < c->k; k++)
    MN_TRY(back_substitute(ctx, c->q, c->m, c->s, c->a + k * square, hub_v, c->v + k * block));
  return MN_OK;
}

/* t = t0 - Z (I + s E'Z)^-1 s E't0, where E't is t of the first stratum minus t of the last, and Z is the solution of
 * the chain for the right-hand sides E. */
static mn_status solve_ring(mn_context *ctx, const struct chain *c, double *r)
{
  const size_t k = c->k, q = c->q, m = q + 1, last = (k - 1) * q;
  struct chain augmented = *c;
  augmented.m = m;
  augmented.v = MN_NEW(ctx, double, k *q, m);
  double *inner = MN_RAW(ctx, double, q, q), *jump = MN_RAW(ctx, double, q, 1);
  if (!augmented.v || !inner || !jump) return MN_NO_MEMORY;
  for (size_t i = 0; i < k * q; i++) augmented.v[i * m] = r[i];
  for (size_t j = 0; j < q; j++) {
    augmented.v[j * m + 1 + j] = 1;
    augmented.v[(last + j) * m + 1 + j] = -1;
  }
  MN_TRY(solve_chain(ctx, &augmented));
  for (size_t i = 0; i < q; i++) {
    jump[i] = c->s * (augmented.v[i * m] - augmented.v[(last + i) * m]);
    for (size_t j = 0; j < q; j++)
      inner[i * q + j] = c->s * (augmented.v[i * m + 1 + j] - augmented.v[(last + i) * m + 1 + j]) + (i == j ? 1 : 0);
  }
  MN_TRY(mn_chol_solve(ctx, q, 1, inner, jump, NULL));
  for (size_t i = 0; i < k * q; i++) {
    r[i] = augmented.v[i * m];
    for (size_t j = 0; j < q; j++) r[i] -= augmented.v[i * m + 1 + j] * jump[j];
  }
  return MN_OK;
}

mn_status mn_stratified_solve(mn_context *ctx, int64_t graph, double smoothness, size_t k, size_t q, double *a,
                              double *r)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct chain c = { .k = k, .q = q, .m = 1, .s = smoothness, .a = a, .v = r };
  if (!(smoothness > MIN_SMOOTHNESS)) {
    for (size_t i = 0; i < k; i++) MN_TRY(solve_root(ctx, q, 1, a + i * q * q, r + i * q));
  } else if (graph == MN_COMPLETE) {
    c.s = smoothness * (double)k;
    MN_TRY(solve_star(ctx, &c));
  } else {
    MN_TRY(graph == MN_RING && k > 2 ? solve_ring(ctx, &c, r) : solve_chain(ctx, &c));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
