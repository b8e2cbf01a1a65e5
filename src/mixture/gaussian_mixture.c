/* Gaussian mixture: parameters, learned fields and the class table. The fit is in gaussian_fit.c. */
#include "component_warning.h"
#include "gaussian.h"

/* Check a loaded model. */
mn_status mn_gmm_check(mn_context *ctx, const void *self)
{
  const mn_gmm *m = self;
  const size_t k = m->weights.size, p = m->means.cols;
  bool valid = (m->log_offset.size == 0 || m->log_offset.size == k) && m->model >= MN_EII && m->model <= MN_VVV &&
               m->noise_weight >= 0;
  if (valid) {
    const bool diagonal = mn_covariance_is_diagonal((mn_covariance_type)m->model);
    const size_t rows = diagonal ? k : m->model == MN_EEE ? p : k * p;
    valid = m->covariances.rows == rows && m->precisions_cholesky.rows == rows;
    for (size_t i = 0; valid && i < rows; i++) /* diagonals */
      for (size_t j = diagonal ? 0 : i % p; valid && j < (diagonal ? p : i % p + 1); j++)
        valid = mn_row(&m->precisions_cholesky, i)[j] > 0 && mn_row(&m->covariances, i)[j] > 0;
  }
  for (size_t c = 0; valid && c < k; c++) valid = m->weights.at[c] >= 0;
  if (valid) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: weights, covariances and model are inconsistent", m->base.class->name);
}

static void warning(const void *self, mn_text_buffer *text)
{
  const mn_gmm *m = self;
  mn_component_warning(m->n_components, &m->weights, text);
}

static const mn_param params[] = {
  MN_COUNT(mn_gmm, n_components, 1, MN_CLOSED(1, INT32_MAX), "number of components"),
  MN_CHOICE(
      mn_gmm, covariance_type, MN_FULL, mn_covariance_types,
      "full: VVV, tied: EEE, diag: VVI, spherical: VII; or volume, shape and orientation of the components: Equal, Varying, "
      "or I for spheres and axes"),
  MN_REAL(mn_gmm, tol, 1e-3, MN_AT_LEAST(0),
          "stop when an iteration increases the mean log likelihood per row by at most this"),
  MN_GMM_LOOP,
  MN_REALS(mn_gmm, weights_init, MN_CLOSED(0, 1), "initial weights of the components; nil: by init_params"),
  MN_TABLE(mn_gmm, means_init, MN_NO_LIMITS(),
           "initial means, components x features; then rows start in the nearest component. nil: by init_params"),
  MN_TABLE(mn_gmm, precisions_init, MN_NO_LIMITS(),
           "initial inverse covariances, in the layout of covariances; nil: by init_params"),
  MN_TABLE(mn_gmm, responsibilities_init, MN_CLOSED(0, 1),
           "initial probability of each component for each row; nil: by init_params"),
  MN_REAL(mn_gmm, noise, 0, MN_CLOSED(0, 0.9),
          "initial weight of a uniform component for noise, whose rows predict labels -1; 0: none"),
  MN_REAL(mn_gmm, noise_volume, MN_UNSET_REAL, MN_GREATER_THAN(0),
          "volume of the uniform component, in the product of the units; nil: of the box that contains X"),
  MN_SEED(mn_gmm, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_GMM_FIELDS,
  MN_NUMBER(mn_gmm, noise_weight, "weight of the uniform component"),
  MN_LEARNED(MN_KIND_REAL, mn_gmm, log_noise_volume, "", NULL),
  MN_MATRIX(mn_gmm, noise_box, "2? x features?",
            "least and largest value of each column, between which noise is uniform; empty without noise, and if "
            "noise_volume is given"),
  MN_NUMBER(mn_gmm, loglik, "log likelihood"),
  MN_NUMBER(mn_gmm, aic, "2 n_parameters - 2 loglik"),
  MN_NUMBER(mn_gmm, bic, "n_parameters log(n) - 2 loglik, n being the sum of the sample weights"),
  MN_NUMBER(mn_gmm, icl, "bic minus twice the log probability of each row's likeliest component"),
  MN_INTEGER(mn_gmm, n_parameters, "number of free parameters"),
  MN_END,
};

const mn_class mn_gaussian_mixture = {
  .name = "GaussianMixture",
  .family = "mixture",
  .brief = "Mixture of normal distributions: density, clusters, missing values.",
  .objective = "-sum_i w_i log sum_k weight_k N(x_i | mean_k, covariance_k)",
  .source = "Dempster, Laird & Rubin, J. R. Statist. Soc. B 39 (1977); Celeux & Govaert, Pattern Recognition 28 (1995)",
  .notes =
      "covariance_type has scikit-learn's names and mclust's fourteen. Missing values are integrated out; transform replaces "
      "them by their expectation, so a model of X and y together predicts y (see conditional). bic and icl: lower is "
      "better, minus those of mclust. As in scikit-learn the default reg_covar is 1e-6, in squared units of X. EM finds "
      "local optima: increase n_init. ml.select_mixture compares models. Exported programs agree to 1e-9.",
  .example = "local X = ml.read_csv('examples/data/faithful.csv')\n"
             "local model = ml.GaussianMixture{ n_components = 2 }:fit(X)\n"
             "print(model.means, model.loglik, model:predict_proba{ {3, 70} })",
  .capabilities = MN_CLUSTER | MN_DENSITY | MN_TRANSFORM | MN_ITERATE | MN_RANDOM,
  .accepts = MN_WEIGHTS | MN_MISSING,
  .size = sizeof(mn_gmm),
  .params = params,
  .fields = fields,
  .operations = mn_gmm_operations,
  .fit = mn_gmm_fit,
  .predict = mn_gmm_predict,
  .log_proba = mn_gmm_log_proba,
  .components = mn_gmm_columns,
  .score_samples = mn_gmm_score_samples,
  .transform = mn_gmm_transform,
  .export = mn_gmm_export,
  .export_tolerance = 1e-9,
  .check = mn_gmm_check,
  .warning = warning,
};
