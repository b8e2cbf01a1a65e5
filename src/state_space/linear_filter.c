#include "linear_filter.h"
#include "../factorization/lapack.h"
#include "../factorization/semidefinite.h"
#include "../stats/special.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* P_inf of diffuse states is the identity at the start; below this an element of it is rounding error. */
static const double least_diffuse = 1e-9;

/* --- small matrices --- */

void mn_small_product(size_t r, size_t m, size_t n, const double *a, const double *b, double *c)
{
  for (size_t i = 0; i < r; i++)
    for (size_t j = 0; j < n; j++) {
      double sum = 0;
      for (size_t k = 0; k < m; k++) sum += a[i * m + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

void mn_small_product_bt(size_t r, size_t m, size_t n, const double *a, const double *b, double *c)
{
  for (size_t i = 0; i < r; i++)
    for (size_t j = 0; j < n; j++) {
      double sum = 0;
      for (size_t k = 0; k < m; k++) sum += a[i * m + k] * b[j * m + k];
      c[i * n + j] = sum;
    }
}

void mn_small_product_at(size_t r, size_t m, size_t n, const double *a, const double *b, double *c)
{
  memset(c, 0, r * n * sizeof *c);
  for (size_t k = 0; k < m; k++)
    for (size_t i = 0; i < r; i++)
      for (size_t j = 0; j < n; j++) c[i * n + j] += a[k * r + i] * b[k * n + j];
}

void mn_make_symmetric(size_t n, double *a)
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) a[i * n + j] = a[j * n + i] = 0.5 * (a[i * n + j] + a[j * n + i]);
}

/* --- observations as independent values --- */

static bool is_diagonal(size_t p, const double *r)
{
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++)
      if (i != j && r[i * p + j] != 0) return false;
  return true;
}

/* z, y and variance of the values in `at` (m of them), from R of their own: inv(L) H and inv(L) (y - c) with L L' = R.
 */
static mn_status separate(mn_filter *k, const double *h, const double *r, const size_t *at, const double *y)
{
  const size_t d = k->m->d, p = k->m->p, m = k->count;
  const mn_mark mark = mn_scratch_mark(k->ctx);
  double *l = MN_RAW(k->ctx, double, m, m), *both = MN_RAW(k->ctx, double, m, d + 1);
  if (!l || !both) return MN_NO_MEMORY;
  for (size_t i = 0; i < m; i++) {
    for (size_t j = 0; j < m; j++) l[i * m + j] = r[at[i] * p + at[j]];
    memcpy(both + i * (d + 1), h + at[i] * d, d * sizeof *both);
    both[i * (d + 1) + d] = y[at[i]] - k->m->observation_offset[at[i]];
  }
  MN_TRY(mn_chol(k->ctx, m, l, NULL));
  MN_TRY(mn_chol_lower(k->ctx, m, d + 1, l, both));
  k->log_scale = 0.5 * mn_chol_logdet(m, l);
  for (size_t i = 0; i < m; i++) {
    memcpy(k->z + i * d, both + i * (d + 1), d * sizeof *k->z);
    k->y[i] = both[i * (d + 1) + d];
    k->variance[i] = 1;
  }
  mn_scratch_release(k->ctx, mark);
  return MN_OK;
}

mn_status mn_filter_observe(mn_filter *k, size_t t, const double *y)
{
  const mn_linear_system *s = k->m;
  const size_t d = s->d, p = s->p;
  const double *h = mn_matrix_step(&s->observation, t), *r = mn_matrix_step(&s->observation_cov, t);
  size_t *at = k->at;
  k->count = 0;
  k->log_scale = 0;
  for (size_t i = 0; i < p; i++)
    if (!isnan(y[i])) at[k->count++] = i;
  if (k->count == 0) return MN_OK;
  if (!k->independent) return separate(k, h, r, at, y);
  for (size_t i = 0; i < k->count; i++) {
    memcpy(k->z + i * d, h + at[i] * d, d * sizeof *k->z);
    k->y[i] = y[at[i]] - s->observation_offset[at[i]];
    k->variance[i] = r[at[i] * p + at[i]];
  }
  return MN_OK;
}

/* --- filter --- */

static void multiply_vector(size_t n, const double *a, const double *x, double *y)
{
  for (size_t i = 0; i < n; i++) y[i] = mn_small_dot(n, a + i * n, x);
}

mn_status mn_filter_new(mn_context *ctx, const mn_linear_system *m, mn_filter *k)
{
  const size_t d = m->d, p = m->p;
  *k = (mn_filter){ .ctx = ctx, .m = m };
  k->state.mean = MN_RAW(ctx, double, d, 1);
  k->state.cov = MN_RAW(ctx, double, d, d);
  k->state.diffuse = MN_RAW(ctx, double, d, d);
  k->state.factor = MN_RAW(ctx, double, d, d);
  k->z = MN_RAW(ctx, double, p, d);
  k->y = MN_RAW(ctx, double, p, 1);
  k->variance = MN_RAW(ctx, double, p, 1);
  k->gain = MN_RAW(ctx, double, p, d);
  k->diffuse_gain = MN_RAW(ctx, double, p, d);
  k->value = MN_NEW(ctx, mn_filter_value, p, 1);
  k->at = MN_RAW(ctx, size_t, p, 1);
  k->root = MN_RAW(ctx, double, d, d);
  k->previous = MN_RAW(ctx, double, d, d);
  k->work = MN_RAW(ctx, double, 4 * d + 1, d);
  const void *all[] = { k->state.mean, k->state.cov, k->state.diffuse, k->state.factor, k->z,
                        k->y,          k->variance,  k->gain,          k->diffuse_gain, k->value,
                        k->at,         k->root,      k->previous,      k->work };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!all[i]) return MN_NO_MEMORY;
  k->independent = !m->observation_cov.varies && is_diagonal(p, m->observation_cov.at);
  k->invariant = !m->transition.varies && !m->state_cov.varies && !m->observation.varies && !m->observation_cov.varies;
  if (m->square_root && !m->state_cov.varies)
    MN_TRY(mn_semidefinite_factor(ctx, d, m->state_cov.at, "state_cov", k->root));
  return MN_OK;
}

/* Factor P once no variance is infinite. */
static mn_status factorize(mn_filter *k)
{
  if (!k->m->square_root || k->state.is_diffuse) return MN_OK;
  return mn_semidefinite_factor(k->ctx, k->m->d, k->state.cov, "the covariance of the state", k->state.factor);
}

mn_status mn_filter_start(mn_filter *k)
{
  const mn_linear_system *s = k->m;
  const size_t d = s->d;
  memcpy(k->state.mean, s->start_mean, d * sizeof *k->state.mean);
  memcpy(k->state.cov, s->start_cov, d * d * sizeof *k->state.cov);
  memset(k->state.diffuse, 0, d * d * sizeof *k->state.diffuse);
  k->state.is_diffuse = false;
  for (size_t i = 0; s->diffuse && i < d; i++)
    if (s->diffuse[i]) {
      k->state.diffuse[i * d + i] = 1;
      k->state.is_diffuse = true;
    }
  k->steady = false;
  return factorize(k);
}

/* A value that ends an infinite variance. */
static double update_diffuse(mn_filter *k, size_t i, double error, double variance, double infinite)
{
  const size_t d = k->m->d;
  const double *gain = k->gain + i * d, *rise = k->diffuse_gain + i * d;
  mn_filter_state *s = &k->state;
  for (size_t a = 0; a < d; a++) {
    s->mean[a] += rise[a] / infinite * error;
    for (size_t b = 0; b < d; b++) {
      s->cov[a * d + b] += (rise[a] * rise[b] * variance / infinite - gain[a] * rise[b] - rise[a] * gain[b]) / infinite;
      s->diffuse[a * d + b] -= rise[a] * rise[b] / infinite;
    }
  }
  return -0.5 * (MN_LOG_2PI + log(infinite));
}

/* L := L - (gain / F) f' / (1 + sqrt(r / F)) with f = L'z, F = f'f + r: Potter's form, from which P = L L'. */
static void update_factor(mn_filter *k, const double *f, const double *gain, double variance, double noise)
{
  const size_t d = k->m->d;
  const double scale = 1 / (variance * (1 + sqrt(noise / variance)));
  mn_filter_state *s = &k->state;
  for (size_t a = 0; a < d; a++)
    for (size_t c = 0; c < d; c++) s->factor[a * d + c] -= scale * gain[a] * f[c];
}

/* The gain P z of value i, and z'P z. */
static double find_gain(mn_filter *k, const double *z, double *gain, double *f)
{
  const size_t d = k->m->d;
  if (!k->m->square_root || k->state.is_diffuse) {
    multiply_vector(d, k->state.cov, z, gain);
    return mn_small_dot(d, z, gain);
  }
  for (size_t c = 0; c < d; c++) f[c] = 0;
  for (size_t a = 0; a < d; a++)
    for (size_t c = 0; c < d; c++) f[c] += k->state.factor[a * d + c] * z[a];
  for (size_t a = 0; a < d; a++) gain[a] = mn_small_dot(d, k->state.factor + a * d, f);
  return mn_small_dot(d, f, f);
}

static double update_value(mn_filter *k, size_t i)
{
  const size_t d = k->m->d;
  const double *z = k->z + i * d;
  double *gain = k->gain + i * d, *f = k->work;
  mn_filter_value *value = &k->value[i];
  mn_filter_state *s = &k->state;
  *value = (mn_filter_value){ .error = k->y[i] - mn_small_dot(d, z, s->mean), .variance = value->variance };
  if (!k->steady) value->variance = find_gain(k, z, gain, f) + k->variance[i];
  if (s->is_diffuse) {
    multiply_vector(d, s->diffuse, z, k->diffuse_gain + i * d);
    const double infinite = mn_small_dot(d, z, k->diffuse_gain + i * d);
    if (infinite > least_diffuse * mn_small_dot(d, z, z)) {
      value->used = true;
      value->diffuse_variance = infinite;
      return update_diffuse(k, i, value->error, value->variance, infinite);
    }
  }
  if (!(value->variance > DBL_MIN)) return 0;
  value->used = true;
  const double share = value->error / value->variance;
  for (size_t a = 0; a < d; a++) s->mean[a] += gain[a] * share;
  if (!k->steady) {
    if (k->m->square_root && !s->is_diffuse)
      update_factor(k, f, gain, value->variance, k->variance[i]);
    else
      for (size_t a = 0; a < d; a++)
        for (size_t b = 0; b < d; b++) s->cov[a * d + b] -= gain[a] * gain[b] / value->variance;
  }
  return -0.5 * (MN_LOG_2PI + log(value->variance) + value->error * share);
}

mn_status mn_filter_update(mn_filter *k, size_t t, const double *y, double *loglike)
{
  const size_t d = k->m->d;
  MN_TRY(mn_filter_observe(k, t, y));
  if (k->count < k->m->p) k->steady = false;
  if (k->invariant && !k->steady) memcpy(k->previous, k->state.cov, d * d * sizeof *k->previous);
  double sum = -k->log_scale;
  for (size_t i = 0; i < k->count; i++) sum += update_value(k, i);
  if (k->m->square_root && !k->state.is_diffuse && !k->steady)
    mn_small_product_bt(d, d, d, k->state.factor, k->state.factor, k->state.cov);
  *loglike = sum;
  return MN_OK;
}

/* L of F L L'F' + Q = L L': R' of the QR factorization of the rows L'F' and root'. */
static mn_status predict_factor(mn_filter *k, const double *f, size_t t)
{
  const size_t d = k->m->d;
  const mn_mark mark = mn_scratch_mark(k->ctx);
  double *rows = MN_RAW(k->ctx, double, 2 * d, d), *r = MN_RAW(k->ctx, double, d, d), *moved = k->work;
  if (!rows || !r) return MN_NO_MEMORY;
  if (k->m->state_cov.varies)
    MN_TRY(mn_semidefinite_factor(k->ctx, d, mn_matrix_step(&k->m->state_cov, t), "state_cov", k->root));
  mn_small_product(d, d, d, f, k->state.factor, moved);
  for (size_t a = 0; a < d; a++)
    for (size_t c = 0; c < d; c++) {
      rows[c * d + a] = moved[a * d + c];
      rows[(d + c) * d + a] = k->root[a * d + c];
    }
  MN_TRY(mn_qr(k->ctx, 2 * d, d, rows, NULL, r));
  for (size_t a = 0; a < d; a++)
    for (size_t c = 0; c < d; c++) k->state.factor[a * d + c] = r[c * d + a];
  mn_small_product_bt(d, d, d, k->state.factor, k->state.factor, k->state.cov);
  mn_scratch_release(k->ctx, mark);
  return MN_OK;
}

/* Whether P of the next row is that of this one, to rounding. */
static bool has_converged(const mn_filter *k)
{
  const size_t d = k->m->d;
  if (!k->invariant || k->state.is_diffuse || k->count < k->m->p) return false;
  for (size_t a = 0; a < d; a++)
    for (size_t b = 0; b < d; b++) {
      const double scale = sqrt(k->state.cov[a * d + a] * k->state.cov[b * d + b]);
      if (!(fabs(k->state.cov[a * d + b] - k->previous[a * d + b]) <= 1e-14 * scale)) return false;
    }
  return true;
}

static bool is_zero(size_t n, const double *a)
{
  double largest = 0;
  for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(a[i]));
  return largest <= least_diffuse;
}

mn_status mn_filter_predict(mn_filter *k, size_t t)
{
  const mn_linear_system *s = k->m;
  const size_t d = s->d;
  const double *f = mn_matrix_step(&s->transition, t), *q = mn_matrix_step(&s->state_cov, t);
  mn_filter_state *state = &k->state;
  double *moved = k->work, *next = moved + d * d, *old = next + d * d, *mean = old + d * d;
  multiply_vector(d, f, state->mean, mean);
  for (size_t a = 0; a < d; a++) state->mean[a] = mean[a] + s->state_offset[a];
  if (k->steady) return MN_OK;
  if (state->is_diffuse) {
    mn_small_product(d, d, d, f, state->diffuse, moved);
    mn_small_product_bt(d, d, d, moved, f, state->diffuse);
    mn_make_symmetric(d, state->diffuse);
  }
  if (s->square_root && !state->is_diffuse) {
    MN_TRY(predict_factor(k, f, t));
    k->steady = has_converged(k);
    return MN_OK;
  }
  mn_small_product(d, d, d, f, state->cov, moved);
  mn_small_product_bt(d, d, d, moved, f, next);
  for (size_t i = 0; i < d * d; i++) next[i] += q[i];
  mn_make_symmetric(d, next);
  memcpy(state->cov, next, d * d * sizeof *next);
  if (state->is_diffuse && is_zero(d * d, state->diffuse)) {
    state->is_diffuse = false;
    return factorize(k);
  }
  k->steady = has_converged(k);
  return MN_OK;
}

/* --- series --- */

mn_status mn_filter_path_new(mn_context *ctx, const mn_linear_system *m, size_t n, mn_filter_path *path)
{
  const size_t d = m->d, p = m->p;
  *path = (mn_filter_path){ .mean = MN_RAW(ctx, double, n, d),
                            .cov = MN_RAW(ctx, double, n, d *d),
                            .gain = MN_RAW(ctx, double, n, p *d),
                            .value = MN_RAW(ctx, mn_filter_value, n, p) };
  return path->mean && path->cov && path->gain && path->value ? MN_OK : MN_NO_MEMORY;
}

/* Append row t of a path that still has infinite variances, before its observation is used. */
static mn_status grow_diffuse(mn_filter *k, mn_filter_path *path)
{
  const size_t d = k->m->d, p = k->m->p, rows = path->diffuse_rows;
  if (rows == path->diffuse_capacity) {
    path->diffuse_capacity = rows > 0 ? 2 * rows : 2 * d;
    path->diffuse = MN_GROW(k->ctx, path->diffuse, rows * d * d, path->diffuse_capacity * d * d);
    path->diffuse_gain = MN_GROW(k->ctx, path->diffuse_gain, rows * p * d, path->diffuse_capacity * p * d);
    if (!path->diffuse || !path->diffuse_gain) return MN_NO_MEMORY;
  }
  memcpy(path->diffuse + rows * d * d, k->state.diffuse, d * d * sizeof *path->diffuse);
  path->diffuse_rows++;
  return MN_OK;
}

static void store_values(const mn_filter *k, size_t t, mn_filter_path *path)
{
  const size_t d = k->m->d, p = k->m->p;
  memcpy(path->gain + t * p * d, k->gain, p * d * sizeof *path->gain);
  memcpy(path->value + t * p, k->value, p * sizeof *path->value);
  if (t < path->diffuse_rows)
    memcpy(path->diffuse_gain + t * p * d, k->diffuse_gain, p * d * sizeof *path->diffuse_gain);
}

/* The covariance of the state given rows up to its own, which a steady filter does not form. */
static void filtered_cov(const mn_filter *k, double *cov)
{
  const size_t d = k->m->d;
  memcpy(cov, k->state.cov, d * d * sizeof *cov);
  for (size_t i = 0; k->steady && i < k->count; i++)
    for (size_t a = 0; k->value[i].used && a < d; a++)
      for (size_t b = 0; b < d; b++) cov[a * d + b] -= k->gain[i * d + a] * k->gain[i * d + b] / k->value[i].variance;
  for (size_t i = 0; k->state.is_diffuse && i < d * d; i++)
    if (fabs(k->state.diffuse[i]) > least_diffuse) cov[i] = k->state.diffuse[i] * INFINITY;
}

mn_status mn_filter_rows(mn_filter *k, size_t first, size_t n, const double *y, mn_filter_path *path, double *loglike,
                         double *mean, double *cov)
{
  const size_t d = k->m->d, p = k->m->p;
  double one;
  if (path) path->n = n;
  MN_TRY(mn_filter_start(k));
  for (size_t t = 0; t < n; t++) {
    if (path) {
      memcpy(path->mean + t * d, k->state.mean, d * sizeof *path->mean);
      memcpy(path->cov + t * d * d, k->state.cov, d * d * sizeof *path->cov);
      if (k->state.is_diffuse) MN_TRY(grow_diffuse(k, path));
    }
    MN_TRY(mn_filter_update(k, first + t, y + (first + t) * p, &one));
    if (loglike) loglike[t] = one;
    if (path) store_values(k, t, path);
    if (mean) memcpy(mean + t * d, k->state.mean, d * sizeof *mean);
    if (cov) filtered_cov(k, cov + t * d * d);
    if (t + 1 < n) MN_TRY(mn_filter_predict(k, first + t));
    if (t % 256 == 0) MN_TRY(mn_poll(k->ctx));
  }
  return MN_OK;
}
