#include "multivariate.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "special.h"
#include <float.h>
#include <math.h>
#include <string.h>

static const double log_of_two_pi = 1.8378770664093454836;

static double total(size_t n, const double *v)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += v[i];
  return sum;
}

static void weighted_mean_row(size_t n, size_t p, const double *x, const double *w, double *mean)
{
  double count = 0;
  memset(mean, 0, p * sizeof *mean);
  for (size_t i = 0; i < n; i++) {
    const double weight = w ? w[i] : 1;
    count += weight;
    for (size_t j = 0; j < p; j++) mean[j] += weight / count * (x[i * p + j] - mean[j]);
  }
}

static mn_status draw_rows(mn_context *ctx, const mn_multivariate *d, size_t n, mn_rng *rng, double *out,
                           void (*draw)(const mn_multivariate *, mn_rng *, double *row))
{
  const size_t poll_every = 1 + 100000 / (1 + d->size);
  for (size_t i = 0; i < n; i++) {
    if (i % poll_every == 0) MN_TRY(mn_poll(ctx));
    draw(d, rng, out + i * d->size);
  }
  return MN_OK;
}

/* --- the normal --- */

static mn_status mvn_log_density(mn_context *ctx, const mn_multivariate *d, size_t n, const double *x, double *out)
{
  const size_t p = d->size;
  const double constant = 0.5 * ((double)p * log_of_two_pi + mn_chol_logdet(p, d->factor));
  double *z = MN_RAW(ctx, double, p, n);
  MN_CHECK_ALLOC(z);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < p; j++) z[j * n + i] = x[i * p + j] - d->vector[j];
  MN_TRY(mn_chol_lower(ctx, p, n, d->factor, z));
  for (size_t i = 0; i < n; i++) out[i] = 0;
  for (size_t j = 0; j < p; j++)
    for (size_t i = 0; i < n; i++) out[i] += z[j * n + i] * z[j * n + i];
  for (size_t i = 0; i < n; i++) out[i] = -constant - 0.5 * out[i];
  return MN_OK;
}
static void mvn_mean(const mn_multivariate *d, double *out)
{
  memcpy(out, d->vector, d->size * sizeof *out);
}
static void mvn_covariance(const mn_multivariate *d, double *out)
{
  const size_t p = d->size;
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) {
      double sum = 0;
      for (size_t k = 0; k <= (i < j ? i : j); k++) sum += d->factor[i * p + k] * d->factor[j * p + k];
      out[i * p + j] = sum;
    }
}
static double mvn_entropy(const mn_multivariate *d)
{
  return 0.5 * ((double)d->size * (log_of_two_pi + 1) + mn_chol_logdet(d->size, d->factor));
}

/* With M = inv(L_q) L_p: (|M|^2 - p)/2 - log |det M| + |inv(L_q) (m_p - m_q)|^2 / 2. */
static mn_status mvn_kl(mn_context *ctx, const mn_multivariate *a, const mn_multivariate *b, double *out)
{
  const size_t p = a->size;
  double *m = MN_RAW(ctx, double, p, p), *shift = MN_RAW(ctx, double, p, 1), sum = 0;
  if (!m || !shift) return MN_NO_MEMORY;
  memcpy(m, a->factor, p * p * sizeof *m);
  for (size_t j = 0; j < p; j++) shift[j] = a->vector[j] - b->vector[j];
  MN_TRY(mn_chol_lower(ctx, p, p, b->factor, m));
  MN_TRY(mn_chol_lower(ctx, p, 1, b->factor, shift));
  for (size_t i = 0; i < p; i++) {
    const double r = m[i * p + i];
    sum += 0.5 * shift[i] * shift[i] + 0.5 * (r - 1) * (r + 1) - log(r);
    for (size_t j = 0; j < i; j++) sum += 0.5 * m[i * p + j] * m[i * p + j];
  }
  *out = sum;
  return MN_OK;
}

/* mean + L z for standard normal z, in blocks of rows: Z L' is one product. */
static mn_status mvn_sample(mn_context *ctx, const mn_multivariate *d, size_t n, mn_rng *rng, double *out)
{
  enum { ELEMENTS = 1 << 19 };
  const size_t p = d->size, block = p > 0 && p < ELEMENTS ? ELEMENTS / p : 1;
  double *z = MN_RAW(ctx, double, block < n ? block : n, p), *l = MN_NEW(ctx, double, p, p);
  if (!z || !l) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) memcpy(l + j * p, d->factor + j * p, (j + 1) * sizeof *l);
  for (size_t begin = 0; begin < n; begin += block, out += block * p) {
    const size_t rows = n - begin < block ? n - begin : block;
    for (size_t i = 0; i < rows * p; i++) z[i] = mn_random_normal(rng);
    for (size_t i = 0; i < rows; i++) memcpy(out + i * p, d->vector, p * sizeof *out);
    MN_TRY(mn_gemm(ctx, false, true, rows, p, p, 1, z, p, l, p, 1, out, p));
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}
static mn_status mvn_fit(mn_context *ctx, size_t n, size_t p, const double *x, const double *w, double *vector,
                         double *covariance, double *trials)
{
  double count = 0;
  (void)ctx;
  (void)trials;
  weighted_mean_row(n, p, x, w, vector);
  memset(covariance, 0, p * p * sizeof *covariance);
  for (size_t i = 0; i < n; i++) count += w ? w[i] : 1;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < p; j++) {
      const double share = (w ? w[i] : 1) / count * (x[i * p + j] - vector[j]);
      for (size_t k = 0; k < p; k++) covariance[j * p + k] += share * (x[i * p + k] - vector[k]);
    }
  return MN_OK;
}

/* --- Dirichlet --- */

static double log_beta(const mn_multivariate *d)
{
  double sum = -mn_lgamma(total(d->size, d->vector));
  for (size_t j = 0; j < d->size; j++) sum += mn_lgamma(d->vector[j]);
  return sum;
}
static mn_status dirichlet_log_density(mn_context *ctx, const mn_multivariate *d, size_t n, const double *x,
                                       double *out)
{
  const size_t p = d->size;
  const double constant = log_beta(d);
  (void)ctx;
  for (size_t i = 0; i < n; i++) {
    const double *row = x + i * p;
    bool inside = !(fabs(total(p, row) - 1) > 1e-9);
    out[i] = -constant;
    for (size_t j = 0; j < p; j++) {
      inside = inside && !(row[j] < 0);
      if (d->vector[j] != 1) out[i] += (d->vector[j] - 1) * log(row[j]);
    }
    if (!inside) out[i] = -INFINITY;
  }
  return MN_OK;
}
static void dirichlet_mean(const mn_multivariate *d, double *out)
{
  const double sum = total(d->size, d->vector);
  for (size_t j = 0; j < d->size; j++) out[j] = d->vector[j] / sum;
}
static void dirichlet_covariance(const mn_multivariate *d, double *out)
{
  const size_t p = d->size;
  const double sum = total(p, d->vector);
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) out[i * p + j] = d->vector[i] / sum * ((i == j) - d->vector[j] / sum) / (sum + 1);
}
static double dirichlet_entropy(const mn_multivariate *d)
{
  const double sum = total(d->size, d->vector);
  double out = log_beta(d) + (sum - (double)d->size) * mn_digamma(sum);
  for (size_t j = 0; j < d->size; j++) out -= (d->vector[j] - 1) * mn_digamma(d->vector[j]);
  return out;
}
static mn_status dirichlet_kl(mn_context *ctx, const mn_multivariate *a, const mn_multivariate *b, double *out)
{
  const double digamma_sum = mn_digamma(total(a->size, a->vector));
  (void)ctx;
  *out = log_beta(b) - log_beta(a);
  for (size_t j = 0; j < a->size; j++) *out += (a->vector[j] - b->vector[j]) * (mn_digamma(a->vector[j]) - digamma_sum);
  return MN_OK;
}

/* Uniform on the open interval (0, 1). */
static double open_uniform(mn_rng *rng)
{
  return ((double)(mn_random_u64(rng) >> 12) + 0.5) * 0x1p-52;
}

/* Normalized gamma variables, computed by their logarithms because those of small shapes underflow: gamma(a) is gamma(a
 * + 1) u^(1/a). */
static void dirichlet_draw(const mn_multivariate *d, mn_rng *rng, double *row)
{
  double largest = -INFINITY, sum = 0;
  for (size_t j = 0; j < d->size; j++) {
    const double a = d->vector[j], gamma_draw = mn_gamma_quantile(open_uniform(rng), a + 1, 1);
    row[j] = log(gamma_draw) + log(open_uniform(rng)) / a;
    largest = fmax(largest, row[j]);
  }
  for (size_t j = 0; j < d->size; j++) sum += row[j] = exp(row[j] - largest);
  for (size_t j = 0; j < d->size; j++) row[j] /= sum;
}

static mn_status dirichlet_sample(mn_context *ctx, const mn_multivariate *d, size_t n, mn_rng *rng, double *out)
{
  return draw_rows(ctx, d, n, rng, out, dirichlet_draw);
}

/* Mean log-likelihood per row, given the mean logarithms. */
static double dirichlet_value(size_t p, const double *alpha, const double *logs)
{
  const mn_multivariate d = { .size = p, .vector = alpha };
  double sum = -log_beta(&d);
  for (size_t j = 0; j < p; j++) sum += (alpha[j] - 1) * logs[j];
  return sum;
}

/* A Newton step: the Hessian is diagonal plus a constant (Minka, Estimating a Dirichlet distribution (2000), section
 * 1). Returns the largest relative change of an alpha. */
static double dirichlet_step(size_t p, const double *alpha, const double *logs, double *step)
{
  const double sum = total(p, alpha), digamma_sum = mn_digamma(sum), z = mn_trigamma(sum);
  double numerator = 0, denominator = -1 / z, largest = 0;
  for (size_t j = 0; j < p; j++) {
    const double q = mn_trigamma(alpha[j]);
    step[j] = logs[j] - mn_digamma(alpha[j]) + digamma_sum;
    numerator += step[j] / q;
    denominator += 1 / q;
  }
  const double shift = numerator / denominator; /* H = -diag(q) + z: inv(H) g = -(g - b) / q */
  for (size_t j = 0; j < p; j++) {
    step[j] = (step[j] - shift) / mn_trigamma(alpha[j]);
    largest = fmax(largest, fabs(step[j]) / alpha[j]);
  }
  return largest;
}

static mn_status dirichlet_search(mn_context *ctx, size_t p, const double *logs, double *alpha)
{
  double *step = MN_RAW(ctx, double, p, 1), *trial = MN_RAW(ctx, double, p, 1);
  if (!step || !trial) return MN_NO_MEMORY;
  double value = dirichlet_value(p, alpha, logs);
  for (int round = 0; round < 500; round++) {
    const double largest = dirichlet_step(p, alpha, logs, step);
    double length = 1;
    for (int halvings = 0; halvings < 60; halvings++, length /= 2) {
      for (size_t j = 0; j < p; j++) trial[j] = alpha[j] * exp(fmax(-3, fmin(3, length * step[j] / alpha[j])));
      const double now = dirichlet_value(p, trial, logs);
      if (!(now >= value - 1e-13 * fabs(value))) continue;
      value = now;
      memcpy(alpha, trial, p * sizeof *alpha);
      break;
    }
    if (largest <= 1e-14) break;
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* Starts from the moment estimate, with alpha_0 from the variances of all columns together. */
static mn_status dirichlet_fit(mn_context *ctx, size_t n, size_t p, const double *x, const double *w, double *vector,
                               double *covariance, double *trials)
{
  (void)covariance;
  (void)trials;
  double *logs = MN_NEW(ctx, double, p, 1), count = 0, spread = 0, simplex_variance = 0;
  MN_CHECK_ALLOC(logs);
  weighted_mean_row(n, p, x, w, vector);
  for (size_t i = 0; i < n; i++) count += w ? w[i] : 1;
  for (size_t i = 0; i < n; i++) {
    const double *row = x + i * p, share = (w ? w[i] : 1) / count;
    if (!(fabs(total(p, row) - 1) <= 1e-9))
      return mn_fail(ctx, MN_BAD_DATA, "dirichlet: the shares in a row must sum to 1; those of row %zu do not", i + 1);
    for (size_t j = 0; j < p; j++) {
      if (!(row[j] > 0))
        return mn_fail(ctx, MN_BAD_DATA, "dirichlet: shares must be > 0; column %zu of row %zu is not", j + 1, i + 1);
      logs[j] += share * log(row[j]);
      spread += share * (row[j] - vector[j]) * (row[j] - vector[j]);
    }
  }
  for (size_t j = 0; j < p; j++) simplex_variance += vector[j] * (1 - vector[j]);
  if (!(spread > 1e-14 * simplex_variance))
    return mn_fail(ctx, MN_BAD_DATA, "dirichlet: rows must differ; otherwise alpha is not finite");
  const double sum = fmax(simplex_variance / spread - 1, 1e-3);
  for (size_t j = 0; j < p; j++) vector[j] *= sum;
  return dirichlet_search(ctx, p, logs, vector);
}

/* --- multinomial --- */

static mn_status multinomial_log_density(mn_context *ctx, const mn_multivariate *d, size_t n, const double *x,
                                         double *out)
{
  const size_t p = d->size;
  const double constant = mn_lgamma(d->trials + 1);
  (void)ctx;
  for (size_t i = 0; i < n; i++) {
    const double *row = x + i * p, sum = total(p, row);
    bool inside = sum == d->trials || isnan(sum);
    out[i] = constant;
    for (size_t j = 0; j < p; j++) {
      inside = inside && !(row[j] < 0) && !(row[j] != floor(row[j]) && !isnan(row[j]));
      out[i] -= mn_lgamma(row[j] + 1);
      if (row[j] != 0) out[i] += row[j] * log(d->vector[j]);
    }
    if (!inside) out[i] = -INFINITY;
  }
  return MN_OK;
}
static void multinomial_mean(const mn_multivariate *d, double *out)
{
  for (size_t j = 0; j < d->size; j++) out[j] = d->trials * d->vector[j];
}
static void multinomial_covariance(const mn_multivariate *d, double *out)
{
  for (size_t i = 0; i < d->size; i++)
    for (size_t j = 0; j < d->size; j++) out[i * d->size + j] = d->trials * d->vector[i] * ((i == j) - d->vector[j]);
}
static double log_factorial(double k)
{
  return mn_lgamma(k + 1);
}

/* Each count is marginally binomial, and each term of the log density depends on one count. */
static double multinomial_entropy(const mn_multivariate *d)
{
  double out = -mn_lgamma(d->trials + 1);
  for (size_t j = 0; j < d->size; j++) {
    const double share = d->vector[j];
    if (share > 0) out += mn_binomial_expectation(d->trials, share, log_factorial) - d->trials * share * log(share);
  }
  return out;
}
static mn_status multinomial_kl(mn_context *ctx, const mn_multivariate *a, const mn_multivariate *b, double *out)
{
  (void)ctx;
  *out = a->trials == b->trials ? 0 : INFINITY;
  for (size_t j = 0; j < a->size; j++)
    if (a->vector[j] > 0 && a->trials > 0) *out += a->trials * a->vector[j] * log(a->vector[j] / b->vector[j]);
  return MN_OK;
}
static void multinomial_draw(const mn_multivariate *d, mn_rng *rng, double *row)
{
  double left = d->trials, remaining_probability = 1;
  for (size_t j = 0; j + 1 < d->size; j++) {
    row[j] = left > 0 && remaining_probability > 0
                 ? mn_binomial_draw(left, fmin(d->vector[j] / remaining_probability, 1), rng)
                 : 0;
    left -= row[j];
    remaining_probability -= d->vector[j];
  }
  row[d->size - 1] = left;
}
static mn_status multinomial_sample(mn_context *ctx, const mn_multivariate *d, size_t n, mn_rng *rng, double *out)
{
  return draw_rows(ctx, d, n, rng, out, multinomial_draw);
}

static mn_status multinomial_fit(mn_context *ctx, size_t n, size_t p, const double *x, const double *w, double *vector,
                                 double *covariance, double *trials)
{
  (void)w;
  (void)covariance;
  *trials = total(p, x);
  for (size_t i = 0; i < n; i++) {
    const double sum = total(p, x + i * p);
    if (sum != *trials)
      return mn_fail(
          ctx, MN_BAD_DATA,
          "multinomial: all rows must have the same sum, %g as in row 1, got %g in row %zu; to estimate p only, add the rows up",
          *trials, sum, i + 1);
    for (size_t j = 0; j < p; j++)
      if (!(x[i * p + j] >= 0 && x[i * p + j] == floor(x[i * p + j])))
        return mn_fail(ctx, MN_BAD_DATA, "multinomial: counts must be whole numbers >= 0; column %zu of row %zu is not",
                       j + 1, i + 1);
  }
  if (!(*trials > 0)) return mn_fail(ctx, MN_BAD_DATA, "multinomial: at least one count must be > 0");
  weighted_mean_row(n, p, x, w, vector);
  for (size_t j = 0; j < p; j++) vector[j] /= *trials;
  return MN_OK;
}

#define SLOTS(code)                                                                                                    \
  .log_density = code##_log_density, .mean = code##_mean, .covariance = code##_covariance, .entropy = code##_entropy,  \
  .kl = code##_kl, .sample = code##_sample, .fit = code##_fit

const mn_multivariate_kind mn_multivariate_kinds[] = {
  { .name = "multivariate_normal", SLOTS(mvn) },
  { .name = "dirichlet", SLOTS(dirichlet) },
  { .name = "multinomial", SLOTS(multinomial) },
  { .name = NULL },
};
