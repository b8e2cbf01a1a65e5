/* EM for mixtures of probabilistic PCA and of factor analyzers. The E step is that of Gaussian mixtures; the M step
 * sets weights and means, and then for the covariance S of each component about its mean
 *
 *   PPCA  W = (L - noise I)^(1/2) U of the largest eigenvalues L of S, the noise the mean of the others
 *   FA    one or more steps of EM for factor analysis: with b = inv(I + W inv(Psi) W') W inv(Psi),
 *         W <- inv(I - b W' + b S b') b S,   Psi <- diag(S - W' b S)
 *
 * Neither decreases the likelihood. Tipping & Bishop, Neural Computation 11 (1999); Ghahramani & Hinton, CRG-TR-96-1
 * (1996). */
#include "low_rank_mixture.h"
#include "../decomposition/components.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../mixture/gaussian_problem.h"
#include <string.h>

enum { FACTOR_STEPS = 3 };

/* The problem of the mixture, and the places of W and Psi behind its state. */
struct problem {
  mn_gmm_problem gmm;
  const struct mn_low_rank_mixture *m;
  size_t p, q, k;
  bool isotropic;
};

static double *loadings(const struct problem *f, double *state)
{
  return state + mn_gaussians_size(f->k, f->p, false);
}

static double *noise(const struct problem *f, double *state)
{
  return loadings(f, state) + f->k * f->q * f->p;
}

/* W and noise from the largest eigenvalues of S (p x p). `scale` (p or NULL): standard deviations, in units of which S
 * is taken. */
static mn_status principal_factors(mn_context *ctx, const struct problem *f, const double *s, const double *scale,
                                   double *w, double *psi)
{
  const size_t p = f->p, q = f->q;
  double *work = MN_RAW(ctx, double, p, p), *values = MN_RAW(ctx, double, q, 1), rest = 0;
  if (!work || !values) return MN_NO_MEMORY;
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) work[i * p + j] = s[i * p + j] / (scale ? scale[i] * scale[j] : 1);
  for (size_t j = 0; j < p; j++) rest += work[j * p + j];
  MN_TRY(mn_eigh(ctx, p, q, MN_LARGEST, work, values, w));
  for (size_t c = 0; c < q; c++) rest -= values[c];
  const double variance = fmax(rest / (double)(p - q), DBL_MIN);
  for (size_t c = 0; c < q; c++)
    for (size_t j = 0; j < p; j++) w[c * p + j] *= sqrt(fmax(values[c] - variance, 0)) * (scale ? scale[j] : 1);
  for (size_t j = 0; j < p; j++) psi[j] = variance * (scale ? scale[j] * scale[j] : 1);
  return MN_OK;
}

/* The start of a factor analyzer, in units of standard deviations: noise as what the factors leave of each variance. */
static mn_status start_factors(mn_context *ctx, const struct problem *f, const double *s, double *w, double *psi)
{
  const size_t p = f->p;
  double *scale = MN_RAW(ctx, double, p, 1);
  MN_CHECK_ALLOC(scale);
  for (size_t j = 0; j < p; j++) scale[j] = sqrt(fmax(s[j * p + j], DBL_MIN));
  MN_TRY(principal_factors(ctx, f, s, scale, w, psi));
  for (size_t j = 0; j < p; j++) {
    double explained = 0;
    for (size_t c = 0; c < f->q; c++) explained += w[c * p + j] * w[c * p + j];
    psi[j] = fmax(s[j * p + j] - explained, 0.05 * s[j * p + j]);
  }
  return MN_OK;
}

/* One step of EM for factor analysis with covariance s. */
static mn_status improve_factors(mn_context *ctx, const struct problem *f, const double *s, double *w, double *psi)
{
  const size_t p = f->p, q = f->q;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *b = MN_RAW(ctx, double, q, p), *bs = MN_RAW(ctx, double, q, p), *a = MN_NEW(ctx, double, q, q);
  if (!b || !bs || !a) return MN_NO_MEMORY;
  for (size_t c = 0; c < q; c++)
    for (size_t j = 0; j < p; j++) b[c * p + j] = w[c * p + j] / psi[j];
  for (size_t c = 0; c < q; c++) a[c * q + c] = 1;
  MN_TRY(mn_gemm(ctx, false, true, q, q, p, 1, b, p, w, p, 1, a, q));
  MN_TRY(mn_chol_solve(ctx, q, p, a, b, NULL));
  MN_TRY(mn_gemm(ctx, false, false, q, p, p, 1, b, p, s, p, 0, bs, p));
  memset(a, 0, q * q * sizeof *a);
  for (size_t c = 0; c < q; c++) a[c * q + c] = 1;
  MN_TRY(mn_gemm(ctx, false, true, q, q, p, -1, b, p, w, p, 1, a, q));
  MN_TRY(mn_gemm(ctx, false, true, q, q, p, 1, bs, p, b, p, 1, a, q));
  memcpy(w, bs, q * p * sizeof *w);
  MN_TRY(mn_chol_solve(ctx, q, p, a, w, NULL));
  for (size_t j = 0; j < p; j++) {
    psi[j] = s[j * p + j];
    for (size_t c = 0; c < q; c++) psi[j] -= w[c * p + j] * bs[c * p + j];
    psi[j] = fmax(psi[j], fmax(1e-10 * s[j * p + j], DBL_MIN));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* W, Psi and the covariance of one component. */
static mn_status fit_component(mn_context *ctx, const struct problem *f, const double *s, double *w, double *psi,
                               double *covariance)
{
  const size_t p = f->p;
  const mn_mark mark = mn_scratch_mark(ctx);
  if (f->isotropic) {
    MN_TRY(principal_factors(ctx, f, s, NULL, w, psi));
  } else {
    if (psi[0] == 0) MN_TRY(start_factors(ctx, f, s, w, psi));
    for (int step = 0; step < FACTOR_STEPS; step++) MN_TRY(improve_factors(ctx, f, s, w, psi));
  }
  MN_TRY(mn_gemm(ctx, true, false, p, p, f->q, 1, w, p, w, p, 0, covariance, p));
  for (size_t j = 0; j < p; j++) covariance[j * p + j] += psi[j];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status maximize(mn_context *ctx, void *problem, void *workspace, double *state, bool *degenerate)
{
  const struct problem *f = problem;
  mn_gaussian_sums *sums = workspace;
  const mn_gaussians g = mn_gmm_state(&f->gmm, state);
  const size_t p = f->p;
  double total = 0;
  size_t singular;
  for (size_t k = 0; k < f->k; k++) total += sums->count[k] += 10 * DBL_EPSILON;
  for (size_t k = 0; k < f->k; k++) g.weight[k] = sums->count[k] / total;
  *g.noise = 0;
  mn_gmm_center_scatter(&f->gmm, &g, sums);
  for (size_t k = 0; k < f->k; k++) {
    double *s = sums->scatter + k * p * p;
    for (size_t i = 0; i < p * p; i++) s[i] /= sums->count[k];
    MN_TRY(
        fit_component(ctx, f, s, loadings(f, state) + k * f->q * p, noise(f, state) + k * p, g.covariance + k * p * p));
  }
  MN_TRY(mn_gaussians_factor(ctx, &g, &singular));
  *degenerate = singular > 0;
  return MN_OK;
}

static mn_status expect(mn_context *ctx, void *problem, void *sums, const double *state, double *objective)
{
  const struct problem *f = problem;
  const mn_gaussians g = mn_gmm_state(&f->gmm, state);
  MN_TRY(mn_gmm_expect(ctx, &f->gmm, &g, sums));
  *objective = -*((const mn_gaussian_sums *)sums)->loglik;
  return MN_OK;
}

static mn_status start(mn_context *ctx, void *problem, void *sums, size_t index, double *state, double *objective)
{
  const struct problem *f = problem;
  const mn_gaussians g = mn_gmm_state(&f->gmm, state);
  memset(loadings(f, state), 0, f->k * (f->q + 1) * f->p * sizeof *state);
  *objective = INFINITY;
  return mn_gmm_start_sums(ctx, &f->gmm, index, &g, sums);
}

static mn_status make_workspace(mn_context *ctx, void *problem, void **sums)
{
  struct problem *f = problem;
  return mn_gmm_workspace(ctx, &f->gmm, sums);
}

static mn_status fail(mn_context *ctx, void *problem, size_t index)
{
  const struct problem *f = problem;
  (void)index;
  return mn_fail(ctx, MN_SINGULAR,
                 "%s: the covariance of a component is singular; increase reg_covar, or reduce n_components or "
                 "n_factors",
                 f->m->gmm.base.class->name);
}

/* Factors of each component along principal axes, by descending length. */
static mn_status store_factors(mn_context *ctx, struct mn_low_rank_mixture *m, const struct problem *f, double *state)
{
  const size_t p = f->p, q = f->q;
  const double *psi = noise(f, state);
  double *lengths = MN_RAW(ctx, double, q, 1), *axes = MN_RAW(ctx, double, q, p);
  if (!lengths || !axes) return MN_NO_MEMORY;
  MN_TRY(mn_matrix_init(ctx, &m->factors, f->k * q, p));
  for (size_t k = 0; k < f->k; k++) {
    MN_TRY(mn_svd(ctx, q, p, loadings(f, state) + k * q * p, NULL, lengths, axes));
    for (size_t c = 0; c < q; c++)
      for (size_t j = 0; j < p; j++) mn_row(&m->factors, k * q + c)[j] = lengths[c] * axes[c * p + j];
  }
  mn_fix_signs(f->k * q, p, m->factors.at);
  if (f->isotropic) {
    MN_TRY(mn_vector_init(ctx, &m->noise_variance, f->k));
    for (size_t k = 0; k < f->k; k++) m->noise_variance.at[k] = psi[k * p];
    return MN_OK;
  }
  MN_TRY(mn_matrix_init(ctx, &m->noise_matrix, f->k, p));
  memcpy(m->noise_matrix.at, psi, f->k * p * sizeof *psi);
  return MN_OK;
}

static mn_status store(mn_context *ctx, struct mn_low_rank_mixture *m, struct problem *f, double *state)
{
  const mn_gaussians g = mn_gmm_state(&f->gmm, state);
  const size_t p = f->p, q = f->q, own = p * q - q * (q - 1) / 2 + (f->isotropic ? 1 : p);
  mn_gmm *gmm = &m->gmm;
  mn_gaussian_sums *sums;
  MN_TRY(mn_gmm_store(ctx, gmm, &f->gmm, &g));
  MN_TRY(store_factors(ctx, m, f, state));
  MN_TRY(mn_gmm_workspace(ctx, &f->gmm, (void **)&sums));
  MN_TRY(mn_gmm_expect(ctx, &f->gmm, &g, sums));
  gmm->loglik = *sums->loglik;
  gmm->n_parameters = (int64_t)(f->k * (own + p + 1) - 1);
  gmm->aic = 2 * (double)gmm->n_parameters - 2 * gmm->loglik;
  gmm->bic = log(f->gmm.total) * (double)gmm->n_parameters - 2 * gmm->loglik;
  gmm->icl = gmm->bic - 2 * *sums->hard;
  return MN_OK;
}

mn_status mn_low_rank_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct mn_low_rank_mixture *m = self;
  const char *who = m->gmm.base.class->name;
  struct problem f = { .m = m, .p = data->features, .q = (size_t)m->n_factors, .k = (size_t)m->gmm.n_components };
  f.isotropic = m->gmm.base.class == &mn_mixture_ppca;
  if (f.q >= f.p)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: n_factors must be less than columns = %zu, got %zu", who, f.p, f.q);
  m->gmm.covariance_type = MN_FULL;
  MN_TRY(mn_gmm_prepare(ctx, &m->gmm, data, &f.gmm));
  mn_em em = mn_gmm_loop(&f.gmm);
  em.problem = &f;
  em.state_size += f.k * (f.q + 1) * f.p;
  em.make_workspace = make_workspace;
  em.start = start;
  em.maximize = maximize;
  em.expect = expect;
  em.fail = fail;
  double *state = MN_NEW(ctx, double, em.state_size, 1);
  MN_CHECK_ALLOC(state);
  MN_TRY(mn_em_fit(ctx, &em, state, &m->gmm.base.report));
  return store(ctx, m, &f, state);
}
