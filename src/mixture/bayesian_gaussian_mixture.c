/* Variational Gaussian mixtures. The posterior of the parameters is approximated by independent factors,
 *
 *     mean_k | precision_k ~ N(m_k, inv(beta_k precision_k)),    precision_k ~ Wishart(W_k, nu_k),
 *
 * and for the weights by a Dirichlet distribution, or by Beta(a_k, b_k) for the sticks of a truncated Dirichlet
 * process. The E step is that of a Gaussian mixture with the expectations of the logarithms; the M step updates the
 * factors. The lower bound of the log evidence is
 *
 *     sum_i w_i log sum_k exp(E log weight_k N(x_i | mean_k, precision_k)) - KL(factors || priors).
 *
 * covariance_k is inv(nu_k W_k). Tied components share one Wishart factor; axis-parallel W_k are restricted.
 *
 * Bishop, Pattern Recognition and Machine Learning, section 10.2; Blei & Jordan, Bayesian Analysis 1 (2006). */
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../stats/special.h"
#include "gaussian_problem.h"
#include <string.h>

enum { DIRICHLET_PROCESS, DIRICHLET_DISTRIBUTION };
static const char *const prior_types[] = { "dirichlet_process", "dirichlet_distribution", NULL };
static const char *const types[] = { "full", "tied", "diag", "spherical", NULL };

struct problem {
  mn_gmm_problem base;
  double concentration, beta, nu; /* priors */
  const double *mean;             /* p             */
  double *covariance;             /* width         */
  double log_det;                 /* of covariance; 0 if it is singular */
};

/* The parameters beside those of the Gaussians. */
struct factors {
  double *a, *b, *beta, *nu, *offset; /* k each; b: of the Dirichlet process only */
};

static size_t state_size(const mn_gmm_problem *f)
{
  return mn_gaussians_size(f->k, f->p, f->diagonal) + 5 * f->k;
}

static struct factors factors_of(const mn_gmm_problem *f, const double *state)
{
  double *at = (double *)(uintptr_t)state + mn_gaussians_size(f->k, f->p, f->diagonal);
  const size_t k = f->k;
  return (struct factors){ .a = at, .b = at + k, .beta = at + 2 * k, .nu = at + 3 * k, .offset = at + 4 * k };
}

/* E log det(precision) - log det(W). */
static double expected_log_det(size_t p, double nu)
{
  double sum = (double)p * log(2);
  for (size_t j = 0; j < p; j++) sum += mn_digamma((nu - (double)j) / 2);
  return sum;
}

/* E log weight_k, and the expected weights. */
static void expect_weights(const struct problem *q, const struct factors *t, double *log_weight, double *weight)
{
  const size_t k = q->base.k;
  double total = 0, rest = 1, log_rest = 0, sum = 0;
  for (size_t c = 0; c < k; c++) total += t->a[c];
  for (size_t c = 0; c < k; c++) {
    if (q->base.m->weight_concentration_prior_type == DIRICHLET_DISTRIBUTION) {
      log_weight[c] = mn_digamma(t->a[c]) - mn_digamma(total);
      weight[c] = t->a[c] / total;
    } else {
      const double both = t->a[c] + t->b[c], digamma_both = mn_digamma(both);
      log_weight[c] = mn_digamma(t->a[c]) - digamma_both + log_rest;
      log_rest += mn_digamma(t->b[c]) - digamma_both;
      weight[c] = t->a[c] / both * rest;
      rest *= t->b[c] / both;
    }
    sum += weight[c];
  }
  for (size_t c = 0; c < k; c++) weight[c] /= sum;
}

static void update_weights(const struct problem *q, const double *count, const struct factors *t)
{
  double later = 0;
  for (size_t c = q->base.k; c-- > 0;) {
    const bool process = q->base.m->weight_concentration_prior_type == DIRICHLET_PROCESS;
    t->a[c] = (process ? 1 : q->concentration) + count[c];
    t->b[c] = q->concentration + later;
    later += count[c];
  }
}

/* Turn the mean of the rows into the posterior mean, and the scatter about it into inv(W_k). */
static void update_component(const struct problem *q, const mn_gaussians *g, double count, double beta, double *mean,
                             double *scatter)
{
  const size_t p = g->p;
  const double factor = count * q->beta / beta;
  for (size_t i = 0; i < p; i++) {
    const double difference = mean[i] - q->mean[i];
    if (g->diagonal) scatter[i] += factor * difference * difference;
    for (size_t j = 0; !g->diagonal && j < p; j++) scatter[i * p + j] += factor * difference * (mean[j] - q->mean[j]);
  }
  for (size_t j = 0; j < p; j++) mean[j] = (q->beta * q->mean[j] + count * mean[j]) / beta;
}

/* covariance_k = inv(nu_k W_k). Tied: the mean over the components. Spherical: the mean over the columns. */
static void set_covariances(const struct problem *q, const mn_gaussians *g, const double *nu, double *scatter)
{
  const size_t k = g->k, width = g->width, p = g->p;
  for (size_t j = 0; q->base.model == MN_EEE && j < width; j++) {
    double sum = 0;
    for (size_t c = 0; c < k; c++) sum += scatter[c * width + j] / (double)k;
    for (size_t c = 0; c < k; c++) scatter[c * width + j] = sum;
  }
  for (size_t c = 0; q->base.model == MN_VII && c < k; c++) {
    double sum = 0;
    for (size_t j = 0; j < p; j++) sum += scatter[c * p + j] / (double)p;
    for (size_t j = 0; j < p; j++) scatter[c * p + j] = sum;
  }
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < width; j++)
      g->covariance[c * width + j] = (q->covariance[j] + scatter[c * width + j]) / nu[c];
}

static mn_status maximize(mn_context *ctx, void *problem, void *workspace, double *state, bool *degenerate)
{
  const struct problem *q = problem;
  const mn_gmm_problem *f = &q->base;
  mn_gaussian_sums *sums = workspace;
  const mn_gaussians g = mn_gmm_state(f, state);
  const struct factors t = factors_of(f, state);
  double total = 0;
  size_t singular;
  for (size_t c = 0; c < f->k; c++) total += sums->count[c] += 10 * DBL_EPSILON;
  mn_gmm_center_scatter(f, &g, sums);
  update_weights(q, sums->count, &t);
  for (size_t c = 0; c < f->k; c++) {
    t.beta[c] = q->beta + sums->count[c];
    t.nu[c] = q->nu + (f->model == MN_EEE ? total / (double)f->k : sums->count[c]);
    update_component(q, &g, sums->count[c], t.beta[c], g.mean + c * f->p, sums->scatter + c * g.width);
    g.weight[c] = 1;
  }
  set_covariances(q, &g, t.nu, sums->scatter);
  MN_TRY(mn_gaussians_factor(ctx, &g, &singular));
  *degenerate = singular > 0;
  expect_weights(q, &t, t.offset, g.weight);
  for (size_t c = 0; c < f->k; c++) {
    const double p = (double)f->p;
    t.offset[c] += (expected_log_det(f->p, t.nu[c]) - p * log(t.nu[c]) - p / t.beta[c]) / 2;
    g.start[c] += t.offset[c];
  }
  return MN_OK;
}

/* log B(W, nu), the normalizing constant of the Wishart distribution, from log det(W). */
static double log_wishart(size_t p, double log_det, double nu)
{
  const double d = (double)p, log_pi = 1.14472988584940017414;
  double sum = -nu / 2 * log_det - nu * d / 2 * log(2) - d * (d - 1) / 4 * log_pi;
  for (size_t j = 0; j < p; j++) sum -= mn_lgamma((nu - (double)j) / 2);
  return sum;
}

/* KL divergence of the factors of component c from their priors. */
static double component_divergence(const struct problem *q, const mn_gaussians *g, const struct factors *t, size_t c)
{
  const size_t p = g->p;
  const double *root = g->root + c * g->width, *mean = g->mean + c * p, nu = t->nu[c], ratio = q->beta / t->beta[c];
  double log_det = -(double)p * log(nu), trace = 0, square = 0;
  for (size_t j = 0; j < p; j++) {
    double z = 0;
    log_det += 2 * log(root[g->diagonal ? j : j * (p + 1)]);
    for (size_t i = g->diagonal ? j : 0; i <= j; i++) z += (mean[i] - q->mean[i]) * root[g->diagonal ? j : i * p + j];
    square += z * z;
    if (g->diagonal) trace += q->covariance[j] * root[j] * root[j];
    for (size_t i = 0; !g->diagonal && i <= j; i++)
      for (size_t h = 0; h <= j; h++) trace += q->covariance[i * p + h] * root[i * p + j] * root[h * p + j];
  }
  const double normal = ((double)p * (ratio - 1 - log(ratio)) + q->beta * square) / 2;
  const double wishart = log_wishart(p, log_det, nu) - log_wishart(p, -q->log_det, q->nu) +
                         (nu - q->nu) / 2 * (expected_log_det(p, nu) + log_det) + trace / 2 - nu * (double)p / 2;
  return normal + wishart;
}

static double weight_divergence(const struct problem *q, const struct factors *t)
{
  const size_t k = q->base.k;
  const double prior = q->concentration, count = (double)k;
  double total = 0, sum = 0;
  if (q->base.m->weight_concentration_prior_type == DIRICHLET_PROCESS) {
    for (size_t c = 0; c < k; c++) {
      const double a = t->a[c], b = t->b[c];
      sum += mn_lbeta(1, prior) - mn_lbeta(a, b) + (a - 1) * mn_digamma(a) + (b - prior) * mn_digamma(b) +
             (1 - a + prior - b) * mn_digamma(a + b);
    }
    return sum;
  }
  for (size_t c = 0; c < k; c++) total += t->a[c];
  sum = mn_lgamma(total) - mn_lgamma(count * prior) + count * mn_lgamma(prior);
  for (size_t c = 0; c < k; c++)
    sum += (t->a[c] - prior) * (mn_digamma(t->a[c]) - mn_digamma(total)) - mn_lgamma(t->a[c]);
  return sum;
}

static mn_status expect(mn_context *ctx, void *problem, void *workspace, const double *state, double *objective)
{
  const struct problem *q = problem;
  mn_gaussian_sums *sums = workspace;
  const mn_gaussians g = mn_gmm_state(&q->base, state);
  const struct factors t = factors_of(&q->base, state);
  MN_TRY(mn_gmm_expect(ctx, &q->base, &g, sums));
  *objective = weight_divergence(q, &t) - *sums->loglik;
  for (size_t c = 0; c < g.k; c++) *objective += component_divergence(q, &g, &t, c);
  return MN_OK;
}

static mn_status start(mn_context *ctx, void *problem, void *sums, size_t index, double *state, double *objective)
{
  const struct problem *q = problem;
  const mn_gaussians g = mn_gmm_state(&q->base, state);
  *objective = INFINITY;
  return mn_gmm_start_sums(ctx, &q->base, index, &g, sums);
}

static mn_status fail(mn_context *ctx, void *problem, size_t index)
{
  (void)problem;
  (void)index;
  return mn_fail(ctx, MN_SINGULAR,
                 "BayesianGaussianMixture: the covariance of a component is singular; increase reg_covar, or set "
                 "covariance_prior");
}

/* covariance_prior, or the covariance of the rows. */
static mn_status set_covariance_prior(mn_context *ctx, struct problem *q)
{
  const mn_gmm_problem *f = &q->base;
  const mn_matrix *given = &f->m->covariance_prior;
  const size_t p = f->p, width = f->diagonal ? p : p * p;
  double *gram = MN_RAW(ctx, double, p, p), sum = 0;
  q->covariance = MN_RAW(ctx, double, width, 1);
  if (!gram || !q->covariance) return MN_NO_MEMORY;
  MN_TRY(mn_gmm_check_shape(ctx, f->m, "covariance_prior", given, f->diagonal ? 1 : p, p));
  if (given->at) {
    memcpy(q->covariance, given->at, width * sizeof *q->covariance);
    return MN_OK;
  }
  if (!(f->total > 1))
    return mn_fail(ctx, MN_BAD_DATA, "covariance_prior = nil requires at least 2 rows; set covariance_prior");
  MN_TRY(mn_gram(ctx, f->data->rows, p, f->data->x.at, p, 0, NULL, 0, f->data->weights, true, NULL, NULL, gram, p));
  for (size_t j = 0; j < width; j++) q->covariance[j] = gram[f->diagonal ? j * (p + 1) : j] / (f->total - 1);
  for (size_t j = 0; j < p; j++) sum += gram[j * (p + 1)] / (f->total - 1) / (double)p;
  for (size_t j = 0; f->model == MN_VII && j < p; j++) q->covariance[j] = sum;
  return MN_OK;
}

static bool is_symmetric(size_t p, const double *c)
{
  bool symmetric = true;
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < i; j++)
      symmetric &= fabs(c[i * p + j] - c[j * p + i]) <= 1e-8 * sqrt(c[i * (p + 1)] * c[j * (p + 1)]);
  return symmetric;
}

/* The logarithm of the determinant of the prior; 0 if it is not positive definite, or singular up to rounding. */
static mn_status factor_covariance_prior(mn_context *ctx, struct problem *q, bool *valid)
{
  const size_t p = q->base.p;
  const double *c = q->covariance;
  double *l = MN_RAW(ctx, double, p, p), log_det = 0;
  size_t minor = 0;
  MN_CHECK_ALLOC(l);
  memcpy(l, c, (q->base.diagonal ? p : p * p) * sizeof *l);
  if (!q->base.diagonal) MN_TRY(mn_chol_try(ctx, p, l, NULL, &minor));
  *valid = minor == 0;
  for (size_t j = 0; *valid && j < p; j++) {
    const double pivot = q->base.diagonal ? l[j] : l[j * (p + 1)] * l[j * (p + 1)];
    *valid = pivot > (q->base.diagonal ? 0 : 100 * DBL_EPSILON * c[j * (p + 1)]);
    log_det += log(pivot);
  }
  *valid &= isfinite(log_det);
  q->log_det = *valid ? log_det : 0;
  return MN_OK;
}

/* Add reg_covar to the covariance of the rows if that is singular: a component without rows has no other. */
static mn_status check_covariance_prior(mn_context *ctx, struct problem *q)
{
  const mn_gmm_problem *f = &q->base;
  const bool given = f->m->covariance_prior.at != NULL;
  bool valid;
  MN_TRY(factor_covariance_prior(ctx, q, &valid));
  if (given && (!valid || (!f->diagonal && !is_symmetric(f->p, q->covariance))))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "BayesianGaussianMixture: covariance_prior must be %s",
                   f->diagonal ? "> 0" : "symmetric and positive definite");
  if (valid) return MN_OK;
  for (size_t j = 0; j < f->p; j++) q->covariance[f->diagonal ? j : j * (f->p + 1)] += f->m->reg_covar;
  return factor_covariance_prior(ctx, q, &valid);
}

static mn_status set_priors(mn_context *ctx, struct problem *q)
{
  const mn_gmm_problem *f = &q->base;
  const mn_gmm *m = f->m;
  const size_t p = f->p;
  char number[MN_NUMBER_SIZE];
  q->concentration = isnan(m->weight_concentration_prior) ? 1 / (double)f->k : m->weight_concentration_prior;
  q->beta = m->mean_precision_prior;
  q->nu = isnan(m->degrees_of_freedom_prior) ? (double)p : m->degrees_of_freedom_prior;
  q->mean = m->mean_prior.at ? m->mean_prior.at : f->mean;
  if (!(q->nu > (double)p - 1))
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "BayesianGaussianMixture: degrees_of_freedom_prior must be > features - 1 = %zu, got %s", p - 1,
                   mn_format_number(number, q->nu));
  if (m->mean_prior.at && m->mean_prior.size != p)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "BayesianGaussianMixture: mean_prior must have %zu values, got %zu", p,
                   m->mean_prior.size);
  MN_TRY(set_covariance_prior(ctx, q));
  return check_covariance_prior(ctx, q);
}

static mn_status store(mn_context *ctx, mn_gmm *m, const struct problem *q, double *state)
{
  const mn_gaussians g = mn_gmm_state(&q->base, state);
  const struct factors t = factors_of(&q->base, state);
  const bool process = m->weight_concentration_prior_type == DIRICHLET_PROCESS;
  MN_TRY(mn_gmm_store(ctx, m, &q->base, &g));
  MN_TRY(mn_matrix_init(ctx, &m->weight_concentration, g.k, 1 + process));
  MN_TRY(mn_vector_init(ctx, &m->mean_precision, g.k));
  MN_TRY(mn_vector_init(ctx, &m->degrees_of_freedom, g.k));
  MN_TRY(mn_vector_init(ctx, &m->log_offset, g.k));
  for (size_t c = 0; c < g.k; c++) {
    mn_row(&m->weight_concentration, c)[0] = t.a[c];
    if (process) mn_row(&m->weight_concentration, c)[1] = t.b[c];
    m->mean_precision.at[c] = t.beta[c];
    m->degrees_of_freedom.at[c] = t.nu[c];
    m->log_offset.at[c] = t.offset[c];
  }
  m->lower_bound = -m->base.report.objective;
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_gmm *m = self;
  struct problem q = { 0 };
  MN_TRY(mn_gmm_prepare(ctx, m, data, &q.base));
  MN_TRY(set_priors(ctx, &q));
  mn_em em = mn_gmm_loop(&q.base);
  em.problem = &q;
  em.state_size = state_size(&q.base);
  em.start = start;
  em.maximize = maximize;
  em.expect = expect;
  em.fail = fail;
  double *state = MN_RAW(ctx, double, em.state_size, 1);
  MN_CHECK_ALLOC(state);
  MN_TRY(mn_em_fit(ctx, &em, state, &m->base.report));
  return store(ctx, m, &q, state);
}

static const mn_param params[] = {
  MN_COUNT(mn_gmm, n_components, 1, MN_CLOSED(1, INT32_MAX),
           "largest number of components; superfluous ones get a weight near 0"),
  MN_CHOICE(mn_gmm, covariance_type, MN_FULL, types,
            "covariances: any; one for all components; along the axes; or spheres"),
  MN_REAL(mn_gmm, tol, 1e-3, MN_AT_LEAST(0),
          "stop when an iteration increases the lower bound, divided by the number of rows, by at most this"),
  MN_GMM_LOOP,
  MN_TABLE(mn_gmm, responsibilities_init, MN_CLOSED(0, 1),
           "initial probability of each component for each row; nil: by init_params"),
  MN_CHOICE(mn_gmm, weight_concentration_prior_type, DIRICHLET_PROCESS, prior_types,
            "prior of the weights: sticks of a truncated Dirichlet process, or a Dirichlet distribution"),
  MN_REAL(mn_gmm, weight_concentration_prior, MN_UNSET_REAL, MN_GREATER_THAN(0),
          "concentration of that prior; a small value prefers few components. nil: 1 / n_components"),
  MN_REAL(mn_gmm, mean_precision_prior, 1, MN_GREATER_THAN(0),
          "rows that the prior of a mean counts as; a large value draws the means to mean_prior"),
  MN_REALS(mn_gmm, mean_prior, MN_NO_LIMITS(), "prior mean; nil: the mean of X"),
  MN_REAL(mn_gmm, degrees_of_freedom_prior, MN_UNSET_REAL, MN_GREATER_THAN(0),
          "degrees of freedom of the Wishart prior, > features - 1; nil: the number of features"),
  MN_TABLE(
      mn_gmm, covariance_prior, MN_NO_LIMITS(),
      "scale of the Wishart prior, features x features, or 1 x features for diag and spherical; nil: the covariance of "
      "X, plus reg_covar if that is singular"),
  MN_SEED(mn_gmm, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_GMM_FIELDS,
  MN_MATRIX(mn_gmm, weight_concentration, "components x concentrations",
            "parameters of the Dirichlet distribution, or of Beta(a, b) for each stick"),
  MN_VECTOR(mn_gmm, mean_precision, "components", "rows that each mean rests on, prior included"),
  MN_VECTOR(mn_gmm, degrees_of_freedom, "components", "degrees of freedom of each Wishart distribution"),
  MN_LEARNED(MN_KIND_VECTOR, mn_gmm, log_offset, "components", NULL),
  MN_NUMBER(mn_gmm, lower_bound, "lower bound of the log evidence"),
  MN_END,
};

const mn_class mn_bayesian_gaussian_mixture = {
  .name = "BayesianGaussianMixture",
  .family = "mixture",
  .brief = "Variational Gaussian mixture, which finds the number of components.",
  .objective = "KL(q(weights, means, precisions) || priors) - E log p(X | weights, means, precisions)",
  .source =
      "Bishop, Pattern Recognition and Machine Learning (2006), section 10.2; Blei & Jordan, Bayesian Analysis 1 (2006)",
  .notes =
      "Priors and updates are scikit-learn's, whose lower_bound omits constants and belongs to the previous E step. With a "
      "Dirichlet distribution, one component and reg_covar = 0 the bound is the log evidence itself. Components that X does not need keep a small "
      "weight. Exported programs agree to 1e-9.",
  .example = "local X = ml.read_csv('examples/data/faithful.csv')\n"
             "local model = ml.BayesianGaussianMixture{ n_components = 6, max_iter = 500 }:fit(X)\n"
             "print(model.weights)",
  .capabilities = MN_CLUSTER | MN_DENSITY | MN_ITERATE | MN_RANDOM,
  .accepts = MN_WEIGHTS,
  .missing_alternatives = "GaussianMixture",
  .size = sizeof(mn_gmm),
  .params = params,
  .fields = fields,
  .operations = mn_gmm_bayesian_operations,
  .fit = fit,
  .predict = mn_gmm_predict,
  .log_proba = mn_gmm_log_proba,
  .components = mn_gmm_columns,
  .score_samples = mn_gmm_score_samples,
  .export = mn_gmm_export,
  .export_tolerance = 1e-9,
  .check = mn_gmm_check,
};
