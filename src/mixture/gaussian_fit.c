/* EM for Gaussian mixtures. The M step sets the means and the covariances of the model for the sums of the E step;
 * reg_covar is added to the diagonal of the covariance of each component, as if its rows had this variance more. */
#include "../factorization/lapack.h"
#include "gaussian_problem.h"
#include "gaussian_kernel.h"
#include <string.h>

static mn_status maximize(mn_context *ctx, void *problem, void *workspace, double *state, bool *degenerate)
{
  const mn_gmm_problem *f = problem;
  mn_gaussian_sums *sums = workspace;
  const mn_gaussians g = mn_gmm_state(f, state);
  double total = *sums->noise;
  size_t singular;
  for (size_t k = 0; k < f->k; k++) total += sums->count[k] += 10 * DBL_EPSILON;
  for (size_t k = 0; k < f->k; k++) g.weight[k] = sums->count[k] / total;
  *g.noise = *sums->noise / total;
  mn_gmm_center_scatter(f, &g, sums);
  MN_TRY(mn_fit_covariances(ctx, f->model, &g, sums->count, sums->scatter));
  MN_TRY(mn_gaussians_factor(ctx, &g, &singular));
  *degenerate = singular > 0;
  return MN_OK;
}

/* The covariance that belongs to a given precision matrix. */
static mn_status invert_precision(mn_context *ctx, const mn_gmm_problem *f, size_t k, double *covariance)
{
  const mn_matrix *given = &f->m->precisions_init;
  const size_t p = f->p;
  const double *from = given->at + (given->rows == p && f->k > 1 ? 0 : k * p * p);
  size_t minor;
  if (f->diagonal) {
    for (size_t j = 0; j < p; j++) covariance[j] = 1 / given->at[k * p + j];
    return MN_OK;
  }
  memcpy(covariance, from, p * p * sizeof *covariance);
  MN_TRY(mn_chol_try(ctx, p, covariance, NULL, &minor));
  if (minor > 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: precisions_init of component %zu must be positive definite",
                   f->m->base.class->name, k + 1);
  return mn_chol_inverse(ctx, p, covariance);
}

/* Replace parameters of the start by given ones. */
static mn_status use_given(mn_context *ctx, const mn_gmm_problem *f, const mn_gaussians *g)
{
  const mn_gmm *m = f->m;
  size_t singular;
  if (m->weights_init.at) memcpy(g->weight, m->weights_init.at, f->k * sizeof *g->weight);
  if (m->means_init.at) memcpy(g->mean, m->means_init.at, f->k * f->p * sizeof *g->mean);
  for (size_t k = 0; m->precisions_init.at && k < f->k; k++)
    MN_TRY(invert_precision(ctx, f, k, g->covariance + k * g->width));
  *g->noise = f->columns > f->k ? m->noise : 0;
  for (size_t k = 0; k < f->k; k++) g->weight[k] *= 1 - *g->noise;
  return mn_gaussians_factor(ctx, g, &singular);
}

static void copy_learned(const mn_gmm *m, const mn_gaussians *g)
{
  const bool tied = m->covariances.rows < g->k * g->width / g->p;
  memcpy(g->weight, m->weights.at, g->k * sizeof *g->weight);
  memcpy(g->mean, m->means.at, g->k * g->p * sizeof *g->mean);
  *g->noise = m->noise_weight;
  for (size_t k = 0; k < g->k; k++) {
    memcpy(g->covariance + k * g->width, m->covariances.at + (tied ? 0 : k * g->width), g->width * sizeof(double));
    memcpy(g->root + k * g->width, m->precisions_cholesky.at + (tied ? 0 : k * g->width), g->width * sizeof(double));
  }
}

mn_status mn_gmm_view(mn_context *ctx, const mn_gmm *m, mn_gaussians *g)
{
  const double log_two_pi = 1.83787706640934548356;
  const size_t k = m->weights.size, p = m->means.cols;
  const bool diagonal = mn_covariance_is_diagonal((mn_covariance_type)m->model);
  double *state = MN_NEW(ctx, double, mn_gaussians_size(k, p, diagonal), 1);
  MN_CHECK_ALLOC(state);
  *g = mn_gaussians_view(k, p, diagonal, state);
  copy_learned(m, g);
  for (size_t c = 0; c < k; c++) {
    const double log_weight = m->log_offset.size > 0 ? m->log_offset.at[c] : log(g->weight[c]);
    g->start[c] = fmax(log_weight, MN_LEAST_LOG / 2) - (double)p / 2 * log_two_pi;
    for (size_t j = 0; j < p; j++) g->start[c] += log(g->root[c * g->width + (diagonal ? j : j * (p + 1))]);
  }
  return MN_OK;
}

static mn_status fail(mn_context *ctx, void *problem, size_t index)
{
  const mn_gmm_problem *f = problem;
  (void)index;
  return mn_fail(ctx, MN_SINGULAR,
                 "%s: the covariance of a component is singular; increase reg_covar, or reduce n_components or the "
                 "parameters of covariance_type",
                 f->m->base.class->name);
}

static mn_status check_given(mn_context *ctx, const mn_gmm_problem *f)
{
  const mn_gmm *m = f->m;
  const mn_matrix *precisions = &m->precisions_init;
  char number[MN_NUMBER_SIZE];
  double sum = 0;
  if (m->weights_init.at && m->weights_init.size != f->k)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "GaussianMixture: weights_init must have %zu values, got %zu", f->k,
                   m->weights_init.size);
  for (size_t k = 0; k < m->weights_init.size; k++) sum += m->weights_init.at[k];
  if (m->weights_init.at && !(fabs(sum - 1) <= 1e-6))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "GaussianMixture: weights_init must add up to 1, got %s",
                   mn_format_number(number, sum));
  if (f->diagonal || !(precisions->rows == f->p && f->model == MN_EEE))
    MN_TRY(mn_gmm_check_shape(ctx, m, "precisions_init", precisions, f->diagonal ? f->k : f->k * f->p, f->p));
  for (size_t i = 0; f->diagonal && i < precisions->rows * precisions->cols; i++)
    if (!(precisions->at[i] > 0))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "GaussianMixture: precisions_init must be > 0, got %s",
                     mn_format_number(number, precisions->at[i]));
  return MN_OK;
}

static mn_status expect(mn_context *ctx, void *problem, void *sums, const double *state, double *objective)
{
  const mn_gaussians g = mn_gmm_state(problem, state);
  MN_TRY(mn_gmm_expect(ctx, problem, &g, sums));
  *objective = -*((const mn_gaussian_sums *)sums)->loglik;
  return MN_OK;
}

static mn_status start(mn_context *ctx, void *problem, void *sums, size_t index, double *state, double *objective)
{
  const mn_gmm_problem *f = problem;
  const mn_gmm *m = f->m;
  const mn_gaussians g = mn_gmm_state(f, state);
  bool degenerate;
  MN_TRY(mn_gmm_start_sums(ctx, f, index, &g, sums));
  *objective = INFINITY;
  if (!m->weights_init.at && !m->means_init.at && !m->precisions_init.at && f->columns == f->k) return MN_OK;
  MN_TRY(maximize(ctx, problem, sums, state, &degenerate));
  if (degenerate && !m->precisions_init.at) return MN_OK; /* the first iteration finds this again */
  MN_TRY(use_given(ctx, f, &g));
  return expect(ctx, problem, sums, state, objective);
}

static mn_status store(mn_context *ctx, mn_gmm *m, const mn_gmm_problem *f, double *state)
{
  const mn_gaussians g = mn_gmm_state(f, state);
  mn_gaussian_sums *sums;
  MN_TRY(mn_gmm_store(ctx, m, f, &g));
  MN_TRY(mn_gmm_workspace(ctx, (void *)(uintptr_t)f, (void **)&sums));
  MN_TRY(mn_gmm_expect(ctx, f, &g, sums));
  m->noise_weight = f->columns > f->k ? *g.noise : 0;
  m->log_noise_volume = f->log_noise_volume;
  if (f->noise_box) {
    MN_TRY(mn_matrix_init(ctx, &m->noise_box, 2, f->p));
    memcpy(m->noise_box.at, f->noise_box, 2 * f->p * sizeof *f->noise_box);
  }
  m->loglik = *sums->loglik;
  m->n_parameters = mn_covariance_parameters(f->model, f->k, f->p) + (int64_t)(f->k * f->p + f->columns - 1);
  m->aic = 2 * (double)m->n_parameters - 2 * m->loglik;
  m->bic = log(f->total) * (double)m->n_parameters - 2 * m->loglik;
  m->icl = m->bic - 2 * *sums->hard;
  return MN_OK;
}

mn_status mn_gmm_fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_gmm *m = self;
  mn_gmm_problem f;
  MN_TRY(mn_gmm_prepare(ctx, m, data, &f));
  MN_TRY(check_given(ctx, &f));
  mn_em em = mn_gmm_loop(&f);
  em.start = start;
  em.maximize = maximize;
  em.expect = expect;
  em.fail = fail;
  double *state = MN_RAW(ctx, double, em.state_size, 1);
  MN_CHECK_ALLOC(state);
  MN_TRY(mn_em_fit(ctx, &em, state, &m->base.report));
  return store(ctx, m, &f, state);
}
