#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "bayesian_gplvm.h"
#include "../stats/special.h"
#include <string.h>

static const double jitter = 1e-8;

mn_psi_layout mn_psi_make_layout(size_t n, size_t q, size_t m)
{
  mn_psi_layout at = { .n = n, .q = q, .m = m };
  at.log_s = n * q;
  at.z = 2 * n * q;
  at.log_signal = at.z + m * q;
  at.log_relevance = at.log_signal + 1;
  at.log_noise = at.log_relevance + q;
  at.size = at.log_noise + 1;
  return at;
}

static void find_groups(const mn_matrix *x, mn_psi_problem *s)
{
  const size_t n = x->rows, p = x->cols;
  for (size_t j = 0; j < p; j++) {
    size_t g = 0;
    for (; g < s->groups; g++) {
      bool same = true;
      for (size_t i = 0; same && i < n; i++) same = s->present[g * n + i] != isnan(mn_row(x, i)[j]);
      if (same) break;
    }
    if (g == s->groups) {
      s->groups++;
      for (size_t i = 0; i < n; i++) s->present[g * n + i] = !isnan(mn_row(x, i)[j]);
    }
    s->group[j] = g;
    s->columns[g]++;
    for (size_t i = 0; i < n; i++) s->values += s->present[g * n + i];
  }
}

mn_status mn_psi_problem_init(mn_context *ctx, const mn_matrix *x, const double *mean, double unit, size_t q, size_t m,
                              mn_psi_problem *s)
{
  const size_t n = x->rows, p = x->cols;
  *s = (mn_psi_problem){ .at = mn_psi_make_layout(n, q, m), .p = p };
  s->y = MN_RAW(ctx, double, n, p);
  s->group = MN_RAW(ctx, size_t, p, 1);
  s->present = MN_RAW(ctx, bool, p, n);
  s->columns = MN_NEW(ctx, double, p, 1);
  if (!s->y || !s->group || !s->present || !s->columns) return MN_NO_MEMORY;
  find_groups(x, s);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < p; j++) {
      const double value = mn_row(x, i)[j];
      s->y[i * p + j] = isnan(value) ? 0 : (value - mean[j]) / unit;
    }
  double **arrays[] = { &s->k, &s->root, &s->k_inverse, &s->by_k, &s->psi2, &s->a_inverse, &s->by_psi2 };
  for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
    MN_CHECK_ALLOC(*arrays[a] = MN_RAW(ctx, double, a < 4 ? 1 : s->groups, m * m));
  s->psi1 = MN_RAW(ctx, double, n, m);
  s->by_psi1 = MN_RAW(ctx, double, n, m);
  s->e = MN_RAW(ctx, double, m, p);
  return s->psi1 && s->by_psi1 && s->e ? MN_OK : MN_NO_MEMORY;
}

/* --- values --- */

static double psi1_value(const mn_psi_layout *at, const double *v, size_t i, size_t a)
{
  double log_value = v[at->log_signal];
  for (size_t c = 0; c < at->q; c++) {
    const double r = exp(v[at->log_relevance + c]), s = exp(v[at->log_s + i * at->q + c]), den = r * s + 1;
    const double d = v[i * at->q + c] - v[at->z + a * at->q + c];
    log_value -= (log(den) + r * d * d / den) / 2;
  }
  return exp(log_value);
}

/* The part of psi2 of row i and inducing positions a, b; `scale`: what depends on the row only. */
static double psi2_value(const mn_psi_layout *at, const double *v, const double *relevance, const double *den,
                         double scale, size_t i, size_t a, size_t b)
{
  double log_value = scale;
  for (size_t c = 0; c < at->q; c++) {
    const double za = v[at->z + a * at->q + c], zb = v[at->z + b * at->q + c];
    const double e = v[i * at->q + c] - (za + zb) / 2;
    log_value -= relevance[c] * ((za - zb) * (za - zb) / 4 + e * e / den[c]);
  }
  return exp(log_value);
}

/* 2 r s + 1 for each component, and the logarithm of the factor of the row. */
static double row_scale(const mn_psi_layout *at, const double *v, const double *relevance, size_t i, double *den)
{
  double scale = 2 * v[at->log_signal];
  for (size_t c = 0; c < at->q; c++) {
    den[c] = 2 * relevance[c] * exp(v[at->log_s + i * at->q + c]) + 1;
    scale -= log(den[c]) / 2;
  }
  return scale;
}

static void find_kernel(mn_psi_problem *s, const double *v, const double *relevance)
{
  const size_t m = s->at.m, q = s->at.q;
  for (size_t a = 0; a < m; a++)
    for (size_t b = 0; b < m; b++) {
      double distance = 0;
      for (size_t c = 0; c < q; c++) {
        const double d = v[s->at.z + a * q + c] - v[s->at.z + b * q + c];
        distance += relevance[c] * d * d;
      }
      s->k[a * m + b] = exp(v[s->at.log_signal] - distance / 2) + (a == b ? jitter * exp(v[s->at.log_signal]) : 0);
    }
}

static mn_status find_psi(mn_context *ctx, mn_psi_problem *s, const double *v, const double *relevance, double *den)
{
  const size_t n = s->at.n, m = s->at.m;
  memset(s->psi2, 0, s->groups * m * m * sizeof *s->psi2);
  for (size_t i = 0; i < n; i++) {
    const double scale = row_scale(&s->at, v, relevance, i, den);
    if (i % 64 == 0) MN_TRY(mn_poll(ctx));
    for (size_t a = 0; a < m; a++) {
      s->psi1[i * m + a] = psi1_value(&s->at, v, i, a);
      for (size_t b = 0; b <= a; b++) {
        const double value = psi2_value(&s->at, v, relevance, den, scale, i, a, b);
        for (size_t g = 0; g < s->groups; g++)
          if (s->present[g * n + i]) s->psi2[(g * m + a) * m + b] += value;
      }
    }
  }
  for (size_t g = 0; g < s->groups; g++)
    for (size_t a = 0; a < m; a++)
      for (size_t b = 0; b < a; b++) s->psi2[(g * m + b) * m + a] = s->psi2[(g * m + a) * m + b];
  return MN_OK;
}

/* --- the bound, and its derivatives by K, psi1, psi2 and the noise --- */

static double product_sum(size_t n, const double *x, const double *y)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

/* e of the columns of a group, from inv(A); out: m x p, other columns are not changed. */
static void solve_columns(mn_psi_problem *s, size_t g, const double *c)
{
  const size_t m = s->at.m, p = s->p;
  const double *inverse = s->a_inverse + g * m * m;
  for (size_t j = 0; j < p; j++) {
    if (s->group[j] != g) continue;
    for (size_t a = 0; a < m; a++) {
      double sum = 0;
      for (size_t b = 0; b < m; b++) sum += inverse[a * m + b] * c[b * p + j];
      s->e[a * p + j] = sum;
    }
  }
}

/* The terms of one group. e_e = E E' of its columns, m x m; work: m x m. */
static mn_status add_group(mn_context *ctx, mn_psi_problem *s, size_t g, double b, double signal, const double *c,
                           double *value, double *by_b, double *e_e, double *work)
{
  const size_t m = s->at.m, n = s->at.n, p = s->p;
  const double d = s->columns[g], *psi2 = s->psi2 + g * m * m;
  double *inverse = s->a_inverse + g * m * m, rows = 0;
  size_t minor;
  for (size_t i = 0; i < n; i++) rows += s->present[g * n + i];
  for (size_t i = 0; i < m * m; i++) inverse[i] = s->k[i] + b * psi2[i];
  MN_TRY(mn_chol_try(ctx, m, inverse, NULL, &minor));
  if (minor > 0) {
    *value = NAN;
    return MN_OK;
  }
  *value += d / 2 * (mn_chol_logdet(m, s->root) - mn_chol_logdet(m, inverse) - rows * (MN_LOG_2PI - log(b)));
  MN_TRY(mn_chol_inverse(ctx, m, inverse));
  solve_columns(s, g, c);
  memset(e_e, 0, m * m * sizeof *e_e);
  double fit = 0;
  for (size_t j = 0; j < p; j++) {
    if (s->group[j] != g) continue;
    for (size_t a1 = 0; a1 < m; a1++) {
      fit += s->e[a1 * p + j] * c[a1 * p + j];
      for (size_t a2 = 0; a2 < m; a2++) e_e[a1 * m + a2] += s->e[a1 * p + j] * s->e[a2 * p + j];
    }
  }
  const double trace = product_sum(m * m, s->k_inverse, psi2);
  *value += b * b / 2 * fit + b * d / 2 * (trace - rows * signal);
  *by_b += rows * d / (2 * b) - d / 2 * product_sum(m * m, inverse, psi2) + b * fit -
           b * b / 2 * product_sum(m * m, e_e, psi2) + d / 2 * (trace - rows * signal);
  MN_TRY(mn_gemm(ctx, false, false, m, m, m, 1, s->k_inverse, m, psi2, m, 0, work, m));
  MN_TRY(mn_gemm(ctx, false, false, m, m, m, -b * d / 2, work, m, s->k_inverse, m, 1, s->by_k, m));
  for (size_t i = 0; i < m * m; i++) {
    s->by_psi2[g * m * m + i] = b * d / 2 * (s->k_inverse[i] - inverse[i]) - b * b * b / 2 * e_e[i];
    s->by_k[i] += d / 2 * (s->k_inverse[i] - inverse[i]) - b * b / 2 * e_e[i];
  }
  return MN_OK;
}

/* F without the divergence; the derivative by b, and by log signal through psi0. */
static mn_status find_bound(mn_context *ctx, mn_psi_problem *s, double b, double signal, double *value, double *by_b)
{
  const size_t n = s->at.n, m = s->at.m, p = s->p;
  double *c = MN_RAW(ctx, double, m, p), *e_e = MN_RAW(ctx, double, m, m), *work = MN_RAW(ctx, double, m, m);
  size_t minor;
  if (!c || !e_e || !work) return MN_NO_MEMORY;
  memcpy(s->root, s->k, m * m * sizeof *s->k);
  MN_TRY(mn_chol_try(ctx, m, s->root, NULL, &minor));
  *value = minor > 0 ? NAN : 0;
  if (minor > 0) return MN_OK;
  memcpy(s->k_inverse, s->root, m * m * sizeof *s->root);
  MN_TRY(mn_chol_inverse(ctx, m, s->k_inverse));
  MN_TRY(mn_gemm(ctx, true, false, m, p, n, 1, s->psi1, m, s->y, p, 0, c, p));
  memset(s->by_k, 0, m * m * sizeof *s->by_k);
  const double squares = product_sum(n * p, s->y, s->y);
  *value = -b / 2 * squares;
  *by_b = -squares / 2;
  for (size_t g = 0; g < s->groups && !isnan(*value); g++)
    MN_TRY(add_group(ctx, s, g, b, signal, c, value, by_b, e_e, work));
  return mn_gemm(ctx, false, true, n, m, p, b * b, s->y, p, s->e, p, 0, s->by_psi1, m);
}

/* --- derivatives by the variables --- */

static void add_kernel(const mn_psi_problem *s, const double *v, const double *relevance, double *g)
{
  const mn_psi_layout *at = &s->at;
  const size_t m = at->m, q = at->q;
  for (size_t a = 0; a < m; a++)
    for (size_t b = 0; b < m; b++) {
      const double weight = s->by_k[a * m + b] * s->k[a * m + b];
      g[at->log_signal] += weight;
      for (size_t c = 0; c < q; c++) {
        const double d = v[at->z + a * q + c] - v[at->z + b * q + c];
        g[at->z + a * q + c] -= 2 * weight * relevance[c] * d;
        g[at->log_relevance + c] -= weight * relevance[c] * d * d / 2;
      }
    }
}

static void add_psi1(const mn_psi_problem *s, const double *v, const double *relevance, size_t i, double *g)
{
  const mn_psi_layout *at = &s->at;
  const size_t m = at->m, q = at->q;
  for (size_t a = 0; a < m; a++) {
    const double weight = s->by_psi1[i * m + a] * s->psi1[i * m + a];
    g[at->log_signal] += weight;
    for (size_t c = 0; c < q; c++) {
      const double r = relevance[c], variance = exp(v[at->log_s + i * q + c]), den = r * variance + 1;
      const double d = v[i * q + c] - v[at->z + a * q + c], t = r * d / den;
      g[i * q + c] -= weight * t;
      g[at->z + a * q + c] += weight * t;
      g[at->log_s + i * q + c] += weight * variance * (t * t - r / den) / 2;
      g[at->log_relevance + c] -= weight * r * (variance / den + d * d / (den * den)) / 2;
    }
  }
}

static void add_psi2(const mn_psi_problem *s, const double *v, const double *relevance, double *den, size_t i,
                     double *g)
{
  const mn_psi_layout *at = &s->at;
  const size_t n = at->n, m = at->m, q = at->q;
  const double scale = row_scale(at, v, relevance, i, den);
  for (size_t a = 0; a < m; a++)
    for (size_t b = 0; b <= a; b++) {
      double weight = 0;
      for (size_t h = 0; h < s->groups; h++)
        if (s->present[h * n + i]) weight += s->by_psi2[(h * m + a) * m + b];
      weight *= (a == b ? 1 : 2) * psi2_value(at, v, relevance, den, scale, i, a, b);
      g[at->log_signal] += 2 * weight;
      for (size_t c = 0; c < q; c++) {
        const double r = relevance[c], variance = exp(v[at->log_s + i * q + c]);
        const double za = v[at->z + a * q + c], zb = v[at->z + b * q + c], d = za - zb;
        const double e = v[i * q + c] - (za + zb) / 2, t = e / den[c];
        g[i * q + c] -= 2 * weight * r * t;
        g[at->z + a * q + c] += weight * r * (t - d / 2);
        g[at->z + b * q + c] += weight * r * (t + d / 2);
        g[at->log_s + i * q + c] += weight * variance * (2 * r * r * t * t - r / den[c]);
        g[at->log_relevance + c] -= weight * r * (variance / den[c] + d * d / 4 + t * t);
      }
    }
}

mn_status mn_psi_bound(mn_context *ctx, mn_psi_problem *s, const double *v, double *value, double *gradient)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_psi_layout *at = &s->at;
  const double signal = exp(v[at->log_signal]), b = exp(-v[at->log_noise]);
  double *relevance = MN_RAW(ctx, double, at->q, 1), *den = MN_RAW(ctx, double, at->q, 1), by_b = 0;
  if (!relevance || !den) return MN_NO_MEMORY;
  for (size_t c = 0; c < at->q; c++) relevance[c] = exp(v[at->log_relevance + c]);
  find_kernel(s, v, relevance);
  MN_TRY(find_psi(ctx, s, v, relevance, den));
  MN_TRY(find_bound(ctx, s, b, signal, value, &by_b));
  for (size_t i = 0; i < at->n * at->q; i++) *value -= (v[i] * v[i] + exp(v[at->log_s + i]) - v[at->log_s + i] - 1) / 2;
  if (gradient && !isnan(*value)) {
    memset(gradient, 0, at->size * sizeof *gradient);
    add_kernel(s, v, relevance, gradient);
    for (size_t i = 0; i < at->n; i++) {
      if (i % 64 == 0) MN_TRY(mn_poll(ctx));
      add_psi1(s, v, relevance, i, gradient);
      add_psi2(s, v, relevance, den, i, gradient);
    }
    for (size_t i = 0; i < at->n * at->q; i++) {
      gradient[i] -= v[i];
      gradient[at->log_s + i] -= (exp(v[at->log_s + i]) - 1) / 2;
    }
    gradient[at->log_signal] -= b / 2 * s->values * signal;
    gradient[at->log_noise] -= b * by_b;
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
