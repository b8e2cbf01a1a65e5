/* What is reckoned once, at the answer: deviances, dispersion, likelihood, information; and theta. */
#include "../optim/brent.h"
#include "../linalg/lapack.h"
#include "../stats/quantile.h"
#include "../stats/special.h"
#include "glm.h"
#include <string.h>

enum { BLOCK_ROWS = 4096 };

/* --- theta of the negative binomial --- */

struct theta_work {
  mn_context *ctx;
  const mn_glm_problem *problem;
  const double *mu;
  double theta;
  double *part; /* of each block */
  mn_blocks blocks;
};

static void theta_of_block(void *work, size_t block, size_t worker)
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
  w->part[block] = sum;
}

/* The derivative of the log-likelihood by theta = exp(x), times theta. */
static double theta_score(void *work, double x)
{
  struct theta_work *w = work;
  double sum;
  w->theta = exp(x);
  if (mn_parallel(w->ctx, w->blocks.count, theta_of_block, w) != MN_OK) return (double)NAN;
  mn_sum_blocks(w->blocks.count, 1, w->part, &sum);
  return sum * w->theta;
}

mn_status mn_glm_theta(mn_context *ctx, const mn_glm_problem *problem, const double *mu, double *theta, bool *finite)
{
  const double least = log(1e-6), most = log(1e7);
  struct theta_work w = { .ctx = ctx, .problem = problem, .mu = mu };
  w.blocks = mn_make_blocks(problem->n, BLOCK_ROWS, SIZE_MAX);
  w.part = MN_RAW(ctx, double, w.blocks.count, 1);
  MN_CHECK_ALLOC(w.part);
  double excess = 0; /* of the variance over that of Poisson: its sign is that of the score at the far end */
  for (size_t i = 0; i < problem->n; i++) {
    const double d = problem->y[i] - mu[i];
    excess += (problem->w ? problem->w[i] : 1) * (d * d - problem->y[i]);
  }
  double x = most;
  *finite = excess > 0 && theta_score(&w, most) < 0;
  if (*finite) x = least;
  if (*finite && theta_score(&w, least) > 0) MN_TRY(mn_brent_root(ctx, theta_score, &w, least, most, 0, &x));
  *theta = exp(x);
  return mn_error_status(ctx);
}

/* --- sums over the rows --- */

enum { PEARSON, LOGLIK, SUMS };

struct sums_work {
  const mn_glm_problem *problem;
  const double *eta, *weights; /* weights: of the rows, without trials; NULL: all 1 */
  double *residual;            /* out: deviance residuals */
  double *part;                /* blocks x SUMS */
  double phi, parameter;
  mn_blocks blocks;
};

static void sums_of_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct sums_work *w = work;
  const mn_glm_problem *p = w->problem;
  const mn_glm_family *f = p->family;
  double *part = w->part + block * SUMS;
  part[PEARSON] = part[LOGLIK] = 0;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double trials = p->trials ? p->trials[i] : 1, weight = w->weights ? w->weights[i] : 1, y = p->y[i];
    double mu, rest, dmu;
    p->link->inverse(p->link_power, 1, w->eta + i, &mu, &rest, &dmu);
    const double square = trials * (y - mu) * (y - mu) / f->variance(w->parameter, mu, rest);
    part[PEARSON] += weight * square;
    if (f->log_density) part[LOGLIK] += weight * f->log_density(w->parameter, w->phi, trials, y, mu, rest);
    w->residual[i] = copysign(sqrt(trials * f->unit(w->parameter, y, mu, rest)), y - mu);
  }
}

static mn_status sum_rows(mn_context *ctx, struct mn_glm *m, const mn_data *data, const mn_glm_problem *problem,
                          const mn_glm_state *state)
{
  static const double levels[5] = { 0, 0.25, 0.5, 0.75, 1 };
  struct sums_work w = { .problem = problem, .weights = data->weights, .parameter = m->parameter };
  double *eta = MN_RAW(ctx, double, problem->n, 1), sums[SUMS];
  w.blocks = mn_make_blocks(problem->n, BLOCK_ROWS, SIZE_MAX);
  w.residual = MN_RAW(ctx, double, problem->n, 1);
  w.part = MN_RAW(ctx, double, w.blocks.count, SUMS);
  w.phi = m->deviance / m->n;
  if (!eta || !w.residual || !w.part) return MN_NO_MEMORY;
  MN_TRY(mn_glm_predictor(ctx, problem, state->b, state->c, eta));
  w.eta = eta;
  MN_TRY(mn_parallel(ctx, w.blocks.count, sums_of_block, &w));
  mn_sum_blocks(w.blocks.count, SUMS, w.part, sums);
  m->pearson_chi2 = sums[PEARSON];
  m->loglik = problem->family->log_density && !m->quasi ? sums[LOGLIK] : (double)NAN;
  MN_TRY(mn_vector_init(ctx, &m->residuals, 5));
  return mn_quantiles(ctx, problem->n, w.residual, data->weights, 5, levels, m->residuals.at);
}

/* --- the model without columns --- */

static mn_status null_deviance(mn_context *ctx, struct mn_glm *m, const mn_glm_problem *problem)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_glm_problem null = *problem;
  mn_glm_state state = { 0 };
  bool converged;
  double sum = 0, total = 0;
  null.p = 0;
  null.x = null.y; /* no columns: not read */
  null.sparse = NULL;
  null.by_products = false;
  null.penalty = null.l1 = 0;
  null.information = false;
  for (size_t i = 0; i < null.n; i++) {
    sum += (null.w ? null.w[i] : 1) * null.y[i];
    total += null.w ? null.w[i] : 1;
  }
  if (null.fit_intercept && null.offset) {
    MN_TRY(mn_glm_begin(ctx, &null, &state));
    MN_TRY(mn_glm_minimise(ctx, &null, m->tol, 100, NULL, &state, &converged));
    m->null_deviance = state.deviance;
    mn_scratch_release(ctx, mark);
    return MN_OK;
  }
  m->null_deviance = 0;
  for (size_t i = 0; i < null.n; i++) {
    const double eta = null.offset ? null.offset[i] : 0;
    double mu = sum / total, rest = 1 - mu, dmu;
    if (!null.fit_intercept && null.link->inverse(null.link_power, 1, &eta, &mu, &rest, &dmu) > 0) mu = (double)NAN;
    if (!(mu > null.family->low || sum == 0)) mu = (double)NAN;
    m->null_deviance += (null.w ? null.w[i] : 1) * null.family->unit(m->parameter, null.y[i], mu, rest);
  }
  return MN_OK;
}

/* --- information --- */

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
    for (size_t j = 0; j < p; j++)
      m->unscaled.at[i * p + j] = state->gram[i * p + j] / m->spread.at[i] / m->spread.at[j];
  const bool meant = m->alpha == 0 && state->rank == p;
  if (meant) MN_TRY(mn_chol_try(ctx, p, m->unscaled.at, NULL, &minor));
  if (meant && minor == 0) return mn_chol_inverse(ctx, p, m->unscaled.at);
  for (size_t i = 0; i < p * p; i++) m->unscaled.at[i] = (double)NAN;
  return MN_OK;
}

mn_status mn_glm_finish(mn_context *ctx, struct mn_glm *m, const mn_data *data, const mn_glm_problem *problem,
                        const mn_glm_state *state)
{
  const double constant = m->fit_intercept;
  const mn_glm_family *f = problem->family;
  m->deviance = state->deviance;
  m->rank = (int64_t)state->rank;
  m->df_residual = m->n - (double)m->rank - constant;
  m->df_null = m->n - constant;
  m->null_deviance = m->pearson_chi2 = m->dispersion = m->loglik = m->aic = m->bic = (double)NAN;
  if (!m->inference) return MN_OK;
  MN_TRY(sum_rows(ctx, m, data, problem, state));
  MN_TRY(null_deviance(ctx, m, problem));
  const bool estimated = f->free_dispersion || m->quasi;
  m->dispersion = !estimated ? 1 : m->df_residual > 0 ? m->pearson_chi2 / m->df_residual : (double)NAN;
  const bool theta = m->family_code == MN_NEGATIVE_BINOMIAL && isnan(m->theta);
  const double parameters = (double)m->rank + constant + f->counts_dispersion + theta;
  m->aic = -2 * m->loglik + 2 * parameters;
  m->bic = -2 * m->loglik + log(m->n) * parameters;
  return keep_information(ctx, m, problem, state);
}
