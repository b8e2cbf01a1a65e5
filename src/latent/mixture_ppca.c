/* Mixtures of probabilistic PCA and of factor analyzers: parameters, learned fields and class tables. */
#include "low_rank_mixture.h"
#include <stdio.h>
#include <string.h>

typedef struct mn_low_rank_mixture mixture;

static size_t outputs(const void *self)
{
  return ((const mixture *)self)->factors.rows;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  const size_t q = (size_t)((const mixture *)self)->n_factors;
  (void)inputs;
  snprintf(text, size, "component%zu_factor%zu", j / q + 1, j % q + 1);
}

/* Check a loaded model. */
static mn_status check(mn_context *ctx, const void *self)
{
  const mixture *m = self;
  const size_t k = m->gmm.weights.size;
  MN_TRY(mn_gmm_check(ctx, self));
  bool valid = m->factors.rows == k * (size_t)m->n_factors && m->gmm.model == MN_VVV && m->gmm.noise_weight == 0;
  for (size_t c = 0; valid && c < k; c++)
    for (size_t j = 0; valid && j < m->factors.cols; j++) valid = mn_low_rank_noise(m, c, j) > 0;
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "%s: factors and noise are inconsistent", m->gmm.base.class->name);
}

/* reconstruct, and the operations of Gaussian mixtures. */
#define RECONSTRUCT                                                                                                    \
  {                                                                                                                    \
    .name = "reconstruct",                                                                                             \
    .brief = "rows without noise: expectation of mean_k + z W_k given X; missing values filled",                       \
    .returns = "Matrix: rows x features", .needs = MN_NEEDS_X, .run = mn_low_rank_reconstruct                          \
  }

static const mn_operation operations[] = {
  RECONSTRUCT,
  MN_GMM_CONDITIONAL,
  MN_GMM_COVARIANCE_AND_SAMPLE,
  { .name = NULL },
};

static const mn_param params[] = {
  MN_COUNT(mn_gmm, n_components, 1, MN_CLOSED(1, INT32_MAX), "number of components"),
  MN_COUNT(mixture, n_factors, 1, MN_AT_LEAST(1), "number of factors of each component, less than the columns of X"),
  MN_REAL(mn_gmm, tol, 1e-4, MN_AT_LEAST(0),
          "stop when an iteration increases the mean log likelihood per row by at most this"),
  MN_GMM_LOOP,
  MN_SEED(mn_gmm, seed),
  MN_END,
};

#define SHARED_FIELDS                                                                                                  \
  MN_GMM_FIELDS,                                                                                                       \
      MN_MATRIX(mixture, factors, "latents x features",                                                                \
                "rows W_k of loadings: n_factors for each component, along principal axes"),                           \
      MN_NUMBER(mn_gmm, loglik, "log likelihood"), MN_NUMBER(mn_gmm, aic, "2 n_parameters - 2 loglik"),                \
      MN_NUMBER(mn_gmm, bic, "n_parameters log(n) - 2 loglik, n being the sum of the sample weights"),                 \
      MN_NUMBER(mn_gmm, icl, "bic minus twice the log probability of each row's likeliest component"),                 \
      MN_INTEGER(mn_gmm, n_parameters, "number of free parameters")

static const mn_field ppca_fields[] = {
  SHARED_FIELDS,
  MN_VECTOR(mixture, noise_variance, "components", "noise variance of each component"),
  MN_END,
};

static const mn_field fa_fields[] = {
  SHARED_FIELDS,
  { .name = "noise_variance",
    .kind = MN_KIND_MATRIX,
    .offset = offsetof(mixture, noise_matrix),
    .shape = "components x features",
    .brief = "noise variance of each column in each component" },
  MN_END,
};

#define SHARED                                                                                                         \
  .family = "mixture", .capabilities = MN_CLUSTER | MN_DENSITY | MN_TRANSFORM | MN_ITERATE | MN_RANDOM,                \
  .accepts = MN_WEIGHTS | MN_MISSING, .size = sizeof(mixture), .params = params, .operations = operations,             \
  .fit = mn_low_rank_fit, .predict = mn_gmm_predict, .log_proba = mn_gmm_log_proba, .components = mn_gmm_columns,      \
  .score_samples = mn_gmm_score_samples, .transform = mn_low_rank_transform, .outputs = outputs,                       \
  .output_name = output_name, .export = mn_low_rank_export, .export_tolerance = 1e-9, .check = check

const mn_class mn_mixture_ppca = {
  .name = "MixturePPCA",
  .brief = "Mixture of probabilistic PCA: clusters that are planes with noise.",
  .objective = "-sum_i w_i log sum_k weight_k N(x_i | mean_k, W_k' W_k + noise_k I)",
  .source = "Tipping & Bishop, Neural Computation 11 (1999)",
  .notes = "Each component is a density around a plane of n_factors dimensions, so that together they follow a curved "
           "surface piece by piece. transform gives for each component its coordinates times its probability. Missing "
           "values are integrated out. EM finds local optima: increase n_init. Compare bic for n_components and "
           "n_factors. Noise that differs by column: MixtureFactorAnalyzers.",
  .example = "local flat, steep = ml.Matrix{ {1, 0.1} }, ml.Matrix{ {0.1, 1} }\n"
             "local Z, e = ml.normal(60, 1, 1), ml.normal(60, 2, 2) * 0.05\n"
             "local X = ml.vcat(Z * flat, Z * steep + 3) + ml.vcat(e, e)\n"
             "local model = ml.MixturePPCA{ n_components = 2 }:fit(X)\n"
             "print(model.means, model.factors)",
  .fields = ppca_fields,
  SHARED,
};

const mn_class mn_mixture_factor_analyzers = {
  .name = "MixtureFactorAnalyzers",
  .brief = "Mixture of factor analyzers: clusters with few factors each.",
  .objective = "-sum_i w_i log sum_k weight_k N(x_i | mean_k, W_k' W_k + diag(psi_k))",
  .source = "Ghahramani & Hinton, CRG-TR-96-1 (1996); McLachlan & Peel, Finite Mixture Models (2000), chapter 8",
  .notes =
      "Covariances of few parameters for many columns, each with its own noise in each component; with the same "
      "noise for all columns: MixturePPCA. transform gives for each component its coordinates times its probability. "
      "Missing values are integrated out. EM finds local optima: increase n_init. Compare bic for n_components and "
      "n_factors.",
  .example = "local X = ml.read_csv('examples/data/iris.csv'):drop{ 'species' }:matrix()\n"
             "local model = ml.MixtureFactorAnalyzers{ n_components = 3, n_factors = 1 }:fit(X)\n"
             "print(model.means, model.bic)",
  .fields = fa_fields,
  SHARED,
};
