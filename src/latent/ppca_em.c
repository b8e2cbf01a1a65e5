/* The E step finds mean and covariance of z for each row; the M step is, for each column, the regression of its
 * observed values on z and a constant. With d_j = x_j - mean_j of the E step and the sums over the rows that have x_j,
 *
 *     A_j = sum w E{(z, 1)(z, 1)'},   b_j = sum w d_j E{(z, 1)},   (W_j, shift of mean_j) = inv(A_j) b_j,
 *
 * and the noise is what remains of sum w d_j^2. Complete rows share one sum A.
 *
 * Tipping & Bishop, J. R. Statist. Soc. B 61 (1999); Ilin & Raiko, JMLR 11 (2010). */
#include "ppca_em.h"
#include "../core/threads.h"
#include "../em/em.h"
#include "../factorization/lapack.h"
#include "../stats/special.h"
#include <string.h>

enum { LAPLACE_ROUNDS = 2 };

size_t mn_ppca_size(size_t p, size_t k)
{
  return p * k + p + 1;
}

mn_ppca mn_ppca_view(size_t p, size_t k, double *state)
{
  return (mn_ppca){ .p = p, .k = k, .w = state, .mean = state + p * k, .noise = state + p * k + p };
}

mn_ppca_posterior mn_ppca_posterior_view(size_t k, double *at)
{
  return (
      mn_ppca_posterior){ .chol = at, .covariance = at + k * k, .z = at + 2 * k * k, .precision = at + 2 * k * k + k };
}

bool mn_ppca_is_complete(size_t p, const double *x)
{
  for (size_t j = 0; j < p; j++)
    if (isnan(x[j])) return false;
  return true;
}

/* a = L L' in place, for the small positive definite matrices of one row. Returns log det(a). */
static double factor(size_t k, double *a)
{
  double log_det = 0;
  for (size_t j = 0; j < k; j++) {
    for (size_t i = j; i < k; i++) {
      double sum = a[i * k + j];
      for (size_t f = 0; f < j; f++) sum -= a[i * k + f] * a[j * k + f];
      a[i * k + j] = i == j ? sqrt(fmax(sum, DBL_MIN)) : sum / a[j * k + j];
    }
    log_det += 2 * log(a[j * k + j]);
  }
  return log_det;
}

/* b = inv(L L') b. */
static void solve(size_t k, const double *l, double *b)
{
  for (size_t i = 0; i < k; i++) {
    for (size_t j = 0; j < i; j++) b[i] -= l[i * k + j] * b[j];
    b[i] /= l[i * k + i];
  }
  for (size_t i = k; i-- > 0;) {
    for (size_t j = i + 1; j < k; j++) b[i] -= l[j * k + i] * b[j];
    b[i] /= l[i * k + i];
  }
}

/* W_o' W_o + noise times the prior precision of z (k; NULL: 1), and its factor, from which the covariance of z follows.
 * Returns log det. */
static double factor_row(const mn_ppca *m, const double *precision, const double *x, mn_ppca_posterior *f)
{
  const size_t k = m->k;
  memset(f->chol, 0, k * k * sizeof *f->chol);
  f->observed = 0;
  for (size_t j = 0; j < m->p; j++) {
    const double *w = m->w + j * k;
    if (isnan(x[j])) continue;
    f->observed++;
    for (size_t a = 0; a < k; a++)
      for (size_t b = 0; b <= a; b++) f->chol[a * k + b] += w[a] * w[b];
  }
  for (size_t a = 0; a < k; a++) f->chol[a * k + a] += *m->noise * (precision ? precision[a] : 1);
  const double log_det = factor(k, f->chol);
  for (size_t c = 0; c < k; c++) {
    double *column = f->covariance + c * k;
    memset(column, 0, k * sizeof *column);
    column[c] = *m->noise;
    solve(k, f->chol, column);
  }
  return log_det;
}

/* Mean of z and log density, given the factor. The distance (x - mean)' inv(C) (x - mean) is the minimum over z of
 * |x - mean - W z|^2 / noise + z' precision z, which does not cancel. */
static void finish_row(const mn_ppca *m, const double *precision, const double *x, double log_det, mn_ppca_posterior *f)
{
  const size_t k = m->k;
  double rest = 0, length = 0;
  memset(f->z, 0, k * sizeof *f->z);
  for (size_t j = 0; j < m->p; j++)
    for (size_t c = 0; !isnan(x[j]) && c < k; c++) f->z[c] += m->w[j * k + c] * (x[j] - m->mean[j]);
  solve(k, f->chol, f->z);
  for (size_t j = 0; j < m->p; j++) {
    double residual = x[j] - m->mean[j];
    if (isnan(residual)) continue;
    for (size_t c = 0; c < k; c++) residual -= m->w[j * k + c] * f->z[c];
    rest += residual * residual;
  }
  for (size_t c = 0; c < k; c++) {
    const double scale = precision ? precision[c] : 1;
    length += scale * f->z[c] * f->z[c] - log(scale);
  }
  const double count = (double)f->observed;
  f->log_density =
      -(count * MN_LOG_2PI + log_det + (count - (double)k) * log(*m->noise) + rest / *m->noise + length) / 2;
}

void mn_ppca_row(const mn_ppca *m, const double *x, mn_ppca_posterior *f)
{
  finish_row(m, NULL, x, factor_row(m, NULL, x, f), f);
}

void mn_ppca_laplace_row(const mn_ppca *m, const double *x, int rounds, double *xi, mn_ppca_posterior *f)
{
  const double root = 1.41421356237309504880, least = 1e-8;
  const size_t k = m->k;
  double *precision = f->precision;
  for (int round = 0; round <= rounds; round++) {
    for (size_t c = 0; c < k && round > 0; c++)
      xi[c] = fmax(sqrt(f->covariance[c * (k + 1)] + f->z[c] * f->z[c]), least);
    for (size_t c = 0; c < k; c++) precision[c] = root / xi[c];
    finish_row(m, precision, x, factor_row(m, precision, x, f), f);
  }
  for (size_t c = 0; c < k; c++) f->log_density += (MN_LOG_2PI - log(2 * precision[c])) / 2 - xi[c] / root;
}

/* The sums of the E step; those of a block of rows have the same layout. q = k + 1. */
struct sums {
  double *shared;  /* q x q: A of the complete rows              */
  double *own;     /* p x q x q: A of the others, for each column */
  double *product; /* p x q: b                                   */
  double *square;  /* 1: sum w d^2                                */
  double *count;   /* 1: sum of the weights of observed values    */
  double *loglik;  /* 1                                           */
};

struct problem {
  const mn_data *data;
  size_t p, k, q;
  double floor, *xi;
  mn_ppca model; /* of the E step */
  mn_blocks blocks;
  size_t width, space_size;
  double *part, *space, *total; /* blocks x width; workers x space_size; width */
  double *system;               /* q x q and q */
};

static struct sums view_sums(const struct problem *s, double *at)
{
  const size_t p = s->p, q = s->q;
  double *own = at + q * q, *product = own + p * q * q, *rest = product + p * q;
  return (struct sums){ at, own, product, rest, rest + 1, rest + 2 };
}

/* Add w (z, 1)(z, 1)' and the covariance of z. */
static void add_moments(size_t k, double w, const mn_ppca_posterior *f, double *a)
{
  const size_t q = k + 1;
  for (size_t i = 0; i < k; i++) {
    for (size_t j = 0; j < k; j++) a[i * q + j] += w * (f->z[i] * f->z[j] + f->covariance[i * k + j]);
    a[i * q + k] += w * f->z[i];
    a[k * q + i] += w * f->z[i];
  }
  a[k * q + k] += w;
}

static void add_row(const struct problem *s, const double *x, double w, const mn_ppca_posterior *f, struct sums *sums)
{
  const size_t k = s->k, q = s->q;
  const bool complete = f->observed == s->p;
  *sums->loglik += w * f->log_density;
  *sums->count += w * (double)f->observed;
  if (complete) add_moments(k, w, f, sums->shared);
  for (size_t j = 0; j < s->p; j++) {
    const double d = x[j] - s->model.mean[j];
    double *b = sums->product + j * q;
    if (isnan(d)) continue;
    for (size_t c = 0; c < k; c++) b[c] += w * d * f->z[c];
    b[k] += w * d;
    *sums->square += w * d * d;
    if (!complete) add_moments(k, w, f, sums->own + j * q * q);
  }
}

/* The posterior covariance of complete rows is the same for all. */
static void expect_block(void *work, size_t block, size_t worker)
{
  const struct problem *s = work;
  const size_t half = s->space_size / 2;
  struct sums sums = view_sums(s, s->part + block * s->width);
  mn_ppca_posterior full = mn_ppca_posterior_view(s->k, s->space + worker * s->space_size);
  mn_ppca_posterior other = mn_ppca_posterior_view(s->k, s->space + worker * s->space_size + half);
  double log_det = (double)NAN;
  memset(s->part + block * s->width, 0, s->width * sizeof *s->part);
  for (size_t i = mn_block_begin(&s->blocks, block); i < mn_block_end(&s->blocks, block); i++) {
    const double *x = mn_row(&s->data->x, i), w = mn_weight(s->data, i);
    if (s->xi) {
      mn_ppca_laplace_row(&s->model, x, LAPLACE_ROUNDS, s->xi + i * s->k, &other);
      add_row(s, x, w, &other, &sums);
    } else if (mn_ppca_is_complete(s->p, x)) {
      if (isnan(log_det)) log_det = factor_row(&s->model, NULL, x, &full);
      finish_row(&s->model, NULL, x, log_det, &full);
      add_row(s, x, w, &full, &sums);
    } else {
      mn_ppca_row(&s->model, x, &other);
      add_row(s, x, w, &other, &sums);
    }
  }
}

static mn_status expect(mn_context *ctx, void *problem, void *workspace, const double *state, double *objective)
{
  struct problem *s = problem;
  (void)workspace;
  s->model = mn_ppca_view(s->p, s->k, (double *)(uintptr_t)state);
  MN_TRY(mn_parallel(ctx, s->blocks.count, expect_block, s));
  mn_sum_blocks(s->blocks.count, s->width, s->part, s->total);
  *objective = -*view_sums(s, s->total).loglik;
  return MN_OK;
}

static mn_status maximize(mn_context *ctx, void *problem, void *workspace, double *state, bool *degenerate)
{
  struct problem *s = problem;
  const size_t q = s->q;
  const struct sums sums = view_sums(s, s->total);
  mn_ppca m = mn_ppca_view(s->p, s->k, state);
  double *solution = s->system + q * q, rest = *sums.square;
  (void)workspace;
  for (size_t j = 0; j < s->p; j++) {
    const double *b = sums.product + j * q;
    size_t minor;
    for (size_t i = 0; i < q * q; i++) s->system[i] = sums.shared[i] + sums.own[j * q * q + i];
    memcpy(solution, b, q * sizeof *b);
    MN_TRY(mn_chol_try(ctx, q, s->system, NULL, &minor));
    *degenerate = minor > 0;
    if (*degenerate) return MN_OK;
    MN_TRY(mn_chol_apply(ctx, q, 1, s->system, solution));
    memcpy(m.w + j * s->k, solution, s->k * sizeof *solution);
    m.mean[j] += solution[s->k];
    for (size_t c = 0; c < q; c++) rest -= solution[c] * b[c];
  }
  *m.noise = fmax(rest / *sums.count, s->floor);
  return MN_OK;
}

mn_status mn_ppca_fit(mn_context *ctx, const mn_data *data, size_t k, double tol, double floor, int64_t max_iter,
                      double *xi, double *state, mn_report *report)
{
  enum { MIN_BLOCK = 128, MAX_BLOCKS = 16 };
  const size_t p = data->features, q = k + 1;
  struct problem s = { .data = data, .p = p, .k = k, .q = q, .floor = floor, .xi = xi };
  double objective;
  bool degenerate;
  s.blocks = mn_make_blocks(data->rows, MIN_BLOCK, MAX_BLOCKS);
  s.width = q * q + p * q * q + p * q + 3;
  s.space_size = 4 * (k + 1) * k;
  s.part = MN_RAW(ctx, double, s.blocks.count, s.width);
  s.space = MN_RAW(ctx, double, mn_threads(ctx), s.space_size);
  s.total = MN_RAW(ctx, double, s.width, 1);
  s.system = MN_RAW(ctx, double, q + 1, q);
  if (!s.part || !s.space || !s.total || !s.system) return MN_NO_MEMORY;
  const mn_em em = { .problem = &s,
                     .state_size = mn_ppca_size(p, k),
                     .starts = 1,
                     .max_iter = max_iter,
                     .tol = tol,
                     .scale = mn_total_weight(data),
                     .maximize = maximize,
                     .expect = expect };
  MN_TRY(expect(ctx, &s, NULL, state, &objective));
  MN_TRY(mn_em_iterate(ctx, &em, NULL, objective, state, report, &degenerate));
  if (!degenerate) return MN_OK;
  return mn_fail(ctx, MN_SINGULAR, "a column of X has too few values; remove it, or reduce n_components");
}

mn_status mn_ppca_fill(mn_context *ctx, const char *who, const mn_data *data, mn_data *filled, bool *missing)
{
  const size_t n = data->rows, p = data->features;
  *missing = false;
  *filled = *data;
  for (size_t i = 0; i < n * p && !*missing; i++) *missing = isnan(data->x.at[i]);
  if (!*missing) return MN_OK;
  filled->x.at = MN_RAW(ctx, double, n, p);
  MN_CHECK_ALLOC(filled->x.at);
  for (size_t j = 0; j < p; j++) {
    double mean = 0, total = 0;
    for (size_t i = 0; i < n; i++) {
      const double x = mn_row(&data->x, i)[j], w = mn_weight(data, i);
      if (isnan(x)) continue;
      total += w;
      mean += w / total * (x - mean);
    }
    if (!(total > 0))
      return mn_fail(ctx, MN_BAD_DATA, "%s: column %zu of X has only missing values; remove it", who, j + 1);
    for (size_t i = 0; i < n; i++) {
      const double x = mn_row(&data->x, i)[j];
      filled->x.at[i * p + j] = isnan(x) ? mean : x;
    }
  }
  return MN_OK;
}
