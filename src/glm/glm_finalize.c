/* Results computed once, at the solution: deviances, dispersion, likelihood, information; and theta. */
#include "../optim/brent.h"
#include "../factorization/lapack.h"
#include "../linear/alias.h"
#include "../stats/quantile.h"
#include "../stats/special.h"
#include "glm.h"
#include "glm_engine.h"
#include "glm_objective.h"
#include <string.h>

enum { BLOCK_ROWS = 4096 };

struct theta_work {
  mn_context *ctx;
  const mn_glm_problem *problem;
  const double *mu;
  double theta;
  double *partial; /* blocks */
  mn_blocks blocks;
};

static void theta_score_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct theta_work *w = work;
  const mn_glm_problem *p = w->problem;
  const double t = w->theta, digamma = mn_digamma(t);
  double sum = 0;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double y = p->y[i], mu = w->mu[i];
    const double term = (y > 0 ? mn_digamma(t + y) - digamma : 0) - log1p(mu / t) + (mu - y) / (mu + t);
    sum += p->w ? p->w[i] * term : term;
  }
  w->partial[block] = sum;
}

/* Derivative of the log-likelihood by log theta = x. */
static double theta_score(void *work, double x)
{
  struct theta_work *w = work;
  double sum;
  w->theta = exp(x);
  if (mn_parallel(w->ctx, w->blocks.count, theta_score_block, w) != MN_OK) return (double)NAN;
  mn_sum_blocks(w->blocks.count, 1, w->partial, &sum);
  return sum * w->theta;
}

mn_status mn_glm_estimate_theta(mn_context *ctx, const mn_glm_problem *problem, const double *mu, double *theta,
                                bool *finite)
{
  const double log_min = log(1e-6), log_max = log(1e7);
  struct theta_work w = { .ctx = ctx, .problem = problem, .mu = mu };
  w.blocks = mn_make_blocks(problem->n, BLOCK_ROWS, SIZE_MAX);
  w.partial = MN_RAW(ctx, double, w.blocks.count, 1);
  MN_CHECK_ALLOC(w.partial);
  double excess = 0; /* of the variance over that of Poisson: has the sign of the score as theta goes to infinity */
  for (size_t i = 0; i < problem->n; i++) {
    const double d = problem->y[i] - mu[i];
    excess += (problem->w ? problem->w[i] : 1) * (d * d - problem->y[i]);
  }
  double x = log_max;
  *finite = excess > 0 && theta_score(&w, log_max) < 0;
  if (*finite) x = log_min;
  if (*finite && theta_score(&w, log_min) > 0) MN_TRY(mn_brent_root(ctx, theta_score, &w, log_min, log_max, 0, &x));
  *theta = exp(x);
  return mn_error_status(ctx);
}

enum { PEARSON, LOGLIK, SUMS };

struct residual_work {
  const mn_glm_problem *problem;
  const double *eta, *weights; /* weights: sample weights without trials; NULL: all 1 */
  double *residual;            /* out: deviance residuals */
  double *partial;             /* blocks x SUMS */
  double phi, parameter;
  bool frequency; /* weights count rows; else a weight divides the dispersion */
  mn_blocks blocks;
};

/* Log-likelihood of a row. A precision divides the dispersion where the family has one; R's AIC of gamma and
 * inverse_gaussian counts such rows instead, which would depend on the unit of the weights. */
static double log_likelihood(const struct residual_work *w, double weight, double trials, double y, double mu,
                             double complement)
{
  const mn_glm_family *f = w->problem->family;
  const bool divides = !w->frequency && f->counts_dispersion;
  return (divides ? 1 : weight) *
         f->log_density(w->parameter, divides ? w->phi / weight : w->phi, trials, y, mu, complement);
}

static void sum_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct residual_work *w = work;
  const mn_glm_problem *p = w->problem;
  const mn_glm_family *f = p->family;
  double *partial = w->partial + block * SUMS;
  partial[PEARSON] = partial[LOGLIK] = 0;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double trials = p->trials ? p->trials[i] : 1, weight = w->weights ? w->weights[i] : 1, y = p->y[i];
    double mu, complement, dmu;
    p->link->inverse(p->link_power, 1, w->eta + i, &mu, &complement, &dmu);
    const double square = trials * (y - mu) * (y - mu) / f->variance(w->parameter, mu, complement);
    partial[PEARSON] += weight * square;
    if (f->log_density) partial[LOGLIK] += log_likelihood(w, weight, trials, y, mu, complement);
    const double precision = w->frequency ? trials : weight * trials;
    w->residual[i] = copysign(sqrt(precision * f->unit_deviance(w->parameter, y, mu, complement)), y - mu);
  }
}

static mn_status sum_rows(mn_context *ctx, struct mn_glm *m, const mn_data *data, const mn_glm_problem *problem,
                          const mn_glm_state *state)
{
  static const double levels[5] = { 0, 0.25, 0.5, 0.75, 1 };
  const mn_observations observations = mn_glm_observations(m);
  struct residual_work w = { .problem = problem, .weights = data->weights, .parameter = m->parameter };
  w.frequency = mn_is_frequency(&observations);
  double *eta = MN_RAW(ctx, double, problem->n, 1), sums[SUMS];
  w.blocks = mn_make_blocks(problem->n, BLOCK_ROWS, SIZE_MAX);
  w.residual = MN_RAW(ctx, double, problem->n, 1);
  w.partial = MN_RAW(ctx, double, w.blocks.count, SUMS);
  w.phi = m->deviance / mn_observation_count(&observations);
  if (!eta || !w.residual || !w.partial) return MN_NO_MEMORY;
  MN_TRY(mn_glm_linear_predictor(ctx, problem, state->b, state->c, eta));
  w.eta = eta;
  MN_TRY(mn_parallel(ctx, w.blocks.count, sum_block, &w));
  mn_sum_blocks(w.blocks.count, SUMS, w.partial, sums);
  m->pearson_chi2 = sums[PEARSON];
  m->loglik = problem->family->log_density && !m->quasi ? sums[LOGLIK] : (double)NAN;
  MN_TRY(mn_vector_init(ctx, &m->residuals, 5));
  return mn_quantiles(ctx, problem->n, w.residual, w.frequency ? data->weights : NULL, 5, levels, m->residuals.at);
}

static mn_status null_deviance(mn_context *ctx, struct mn_glm *m, const mn_glm_problem *problem)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_glm_problem null = *problem;
  mn_glm_state state = { 0 };
  bool converged;
  double sum = 0, total = 0;
  null.p = 0;
  null.x = null.y; /* not read, there are no columns */
  null.sparse = NULL;
  null.implicit_hessian = false;
  null.penalty = null.l1 = 0;
  null.information = false;
  for (size_t i = 0; i < null.n; i++) {
    sum += (null.w ? null.w[i] : 1) * null.y[i];
    total += null.w ? null.w[i] : 1;
  }
  if (null.fit_intercept && null.offset) {
    MN_TRY(mn_glm_state_init(ctx, &null, &state));
    MN_TRY(mn_glm_minimize(ctx, &null, m->tol, 100, NULL, &state, &converged));
    m->null_deviance = state.deviance;
    mn_scratch_release(ctx, mark);
    return MN_OK;
  }
  m->null_deviance = 0;
  for (size_t i = 0; i < null.n; i++) {
    const double eta = null.offset ? null.offset[i] : 0;
    double mu = sum / total, complement = 1 - mu, dmu;
    if (!null.fit_intercept && null.link->inverse(null.link_power, 1, &eta, &mu, &complement, &dmu) > 0)
      mu = (double)NAN;
    if (!(mu > null.family->mu_min || sum == 0)) mu = (double)NAN;
    m->null_deviance += (null.w ? null.w[i] : 1) * null.family->unit_deviance(m->parameter, null.y[i], mu, complement);
  }
  return MN_OK;
}

/* The inverse of the information of the independent columns, found from its square root: with eigenvectors V and
 * eigenvalues D, column j of sqrt(D) V' has the inner products of column j of X. `gram` has columns of norm 1 or 0. */
static mn_status keep_alias(mn_context *ctx, struct mn_glm *m, size_t p, size_t max_rank, const double *gram)
{
  static const double tolerance = 1e-7, min_eigenvalue = 1e-13; /* that of R's glm; that of glm_engine.c */
  double *h = MN_RAW(ctx, double, p, p), *value = MN_RAW(ctx, double, p, 1), *vector = MN_RAW(ctx, double, p, p);
  double *column = MN_NEW(ctx, double, p, p);
  mn_alias alias;
  if (!h || !value || !vector || !column) return MN_NO_MEMORY;
  memcpy(h, gram, p * p * sizeof *h);
  MN_TRY(mn_eigh(ctx, p, p, MN_LARGEST, h, value, vector));
  for (size_t k = 0; k < max_rank && value[k] > min_eigenvalue * value[0]; k++)
    for (size_t j = 0; j < p; j++) column[j * p + k] = sqrt(value[k]) * vector[k * p + j];
  MN_TRY(mn_alias_find(ctx, p, column, max_rank, tolerance, &alias));
  const size_t dependent = p - alias.rank;
  m->rank = (int64_t)alias.rank;
  memcpy(m->unscaled.at, alias.inverse, p * p * sizeof *alias.inverse);
  MN_TRY(mn_indexes_init(ctx, &m->dependent, dependent));
  MN_TRY(mn_matrix_init(ctx, &m->alias, dependent, p));
  memcpy(m->dependent.at, alias.dependent, dependent * sizeof *alias.dependent);
  for (size_t d = 0; d < dependent; d++)
    for (size_t j = 0; j < p; j++)
      m->alias.at[d * p + j] = alias.combination[d * p + j] * m->spread.at[alias.dependent[d]] / m->spread.at[j];
  return MN_OK;
}

static mn_status keep_information(mn_context *ctx, struct mn_glm *m, const mn_glm_problem *problem,
                                  const mn_glm_state *state)
{
  const size_t p = problem->p;
  MN_TRY(mn_vector_init(ctx, &m->mean, p));
  MN_TRY(mn_vector_init(ctx, &m->spread, p));
  MN_TRY(mn_matrix_init(ctx, &m->unscaled, p, p));
  m->total = state->total;
  for (size_t j = 0; j < p; j++) {
    const double square = state->gram[j * p + j];
    m->mean.at[j] = state->mean[j];
    m->spread.at[j] = square > 0 ? sqrt(square) : 1;
  }
  size_t minor = 1;
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++) {
      const double value = state->gram[i * p + j] / m->spread.at[i] / m->spread.at[j];
      m->unscaled.at[i * p + j] = m->alpha > 0 ? (double)NAN : value;
    }
  if (m->alpha > 0 || p == 0) return MN_OK;
  double *gram = MN_RAW(ctx, double, p, p);
  MN_CHECK_ALLOC(gram);
  memcpy(gram, m->unscaled.at, p * p * sizeof *gram);
  if (state->rank == p) MN_TRY(mn_chol_try(ctx, p, m->unscaled.at, NULL, &minor));
  if (minor == 0) return mn_chol_inverse(ctx, p, m->unscaled.at);
  return keep_alias(ctx, m, p, state->rank, gram);
}

mn_status mn_glm_finalize(mn_context *ctx, struct mn_glm *m, const mn_data *data, const mn_glm_problem *problem,
                          const mn_glm_state *state)
{
  const mn_observations observations = mn_glm_observations(m);
  const double has_intercept = m->fit_intercept, n = mn_observation_count(&observations);
  const mn_glm_family *f = problem->family;
  m->deviance = state->deviance;
  m->rank = (int64_t)state->rank;
  if (m->inference) MN_TRY(keep_information(ctx, m, problem, state));
  m->df_residual = n - (double)m->rank - has_intercept;
  m->df_null = n - has_intercept;
  m->null_deviance = m->pearson_chi2 = m->dispersion = m->loglik = m->aic = m->bic = (double)NAN;
  if (!m->inference) return MN_OK;
  MN_TRY(sum_rows(ctx, m, data, problem, state));
  MN_TRY(null_deviance(ctx, m, problem));
  const bool estimated = f->free_dispersion || m->quasi;
  m->dispersion = !estimated ? 1 : m->df_residual > 0 ? m->pearson_chi2 / m->df_residual : (double)NAN;
  const bool theta = m->family_code == MN_NEGATIVE_BINOMIAL && isnan(m->theta);
  const double parameters = (double)m->rank + has_intercept + f->counts_dispersion + theta;
  m->aic = -2 * m->loglik + 2 * parameters;
  m->bic = -2 * m->loglik + log(n) * parameters;
  return MN_OK;
}
