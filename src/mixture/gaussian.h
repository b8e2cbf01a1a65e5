/* Gaussian mixtures
 *
 *     p(x) = weight_0 / V + sum_k weight_k N(x | mean_k, covariance_k)
 *
 * with an optional uniform component of volume V for noise: the parts of the fit. */
#ifndef MN_MIXTURE_GAUSSIAN_H
#define MN_MIXTURE_GAUSSIAN_H
#include "../core/rng.h"
#include "../core/threads.h"
#include "../em/em.h"
#include "../model/operation.h"
#include "../model/program.h"

/* covariance_type: scikit-learn's names, then those of mclust. A name has a letter for the volume, the shape and the
 * orientation of the components: E equal, V varying, I along the axes. */
typedef enum mn_covariance_type {
  MN_FULL,
  MN_TIED_COVARIANCE,
  MN_DIAG,
  MN_SPHERICAL,
  MN_EII,
  MN_VII,
  MN_EEI,
  MN_VEI,
  MN_EVI,
  MN_VVI,
  MN_EEE,
  MN_VEE,
  MN_EVE,
  MN_VVE,
  MN_EEV,
  MN_VEV,
  MN_EVV,
  MN_VVV
} mn_covariance_type;
extern const char *const mn_covariance_types[]; /* for MN_CHOICE */

/* The mclust model of a type: MN_EII or a later one. */
mn_covariance_type mn_covariance_model(int64_t type);
bool mn_covariance_is_diagonal(mn_covariance_type model);

/* Free parameters of the covariances of k components in p dimensions. */
int64_t mn_covariance_parameters(mn_covariance_type model, size_t k, size_t p);

/* The parameters that EM updates, views of one array of mn_gaussians_size doubles. */
typedef struct mn_gaussians {
  size_t k, p, width; /* width: p x p, or p if covariances are diagonal                                  */
  bool diagonal;
  double *weight;      /* k                                                                               */
  double *noise;       /* 1: weight of the uniform component                                              */
  double *mean;        /* k x p                                                                           */
  double *covariance;  /* k x width                                                                       */
  double *root;        /* k x width: upper triangular R with R R' = inv(covariance); its diagonal         */
  double *start;       /* k: log(weight) and the logarithm of the density at the mean                     */
  double *volume;      /* k: det(covariance)^(1/p) of models that iterate; 0 before the first M step      */
  double *orientation; /* p x p: the eigenvectors of EVE and VVE in rows                                  */
} mn_gaussians;

size_t mn_gaussians_size(size_t k, size_t p, bool diagonal);
mn_gaussians mn_gaussians_view(size_t k, size_t p, bool diagonal, double *state);

/* Compute root and start from weight and covariance. *singular: the first component whose covariance is not positive
 * definite, from 1; 0: none. */
mn_status mn_gaussians_factor(mn_context *ctx, const mn_gaussians *g, size_t *singular);

/* Sums over the rows, with weights w_i r_ik, about the means of the E step. */
typedef struct mn_gaussian_sums {
  size_t size;     /* doubles from `count` on, all arrays below in one */
  double *count;   /* k                                 */
  double *sum;     /* k x p: of x - mean                */
  double *scatter; /* k x width: of (x - mean)(x - mean)', or of the squares */
  double *noise;   /* 1                                 */
  double *loglik;  /* 1: sum_i w_i log p(x_i)           */
  double *hard;    /* 1: sum_i w_i log max_k r_ik       */
} mn_gaussian_sums;

mn_gaussian_sums mn_gaussian_sums_view(const mn_gaussians *g, double *at);
mn_status mn_gaussian_sums_init(mn_context *ctx, const mn_gaussians *g, mn_gaussian_sums *sums);

/* One pass over rows. Outputs may be NULL. */
typedef struct mn_gaussian_pass {
  const mn_gaussians *g;
  size_t n;
  const double *x;            /* n x p; no missing values */
  const double *weights;      /* n or NULL */
  double log_noise;           /* logarithm of weight_0 / V; -infinity: no uniform component */
  const int32_t *label;       /* n: instead of the E step, the component that each row belongs to */
  const double *given;        /* n x columns: instead of the E step, responsibilities */
  size_t columns;             /* k, or k + 1 with the uniform component last */
  mn_gaussian_sums *sums;     /* out */
  double *log_density;        /* out: n */
  double *log_responsibility; /* out: n x columns */
} mn_gaussian_pass;

mn_status mn_gaussian_run_pass(mn_context *ctx, const mn_gaussian_pass *pass);

/* The covariances of `model` that maximize the likelihood: g->covariance, volume and orientation, for
 *
 *   count    k: sums of the weights
 *   scatter  k x width: sums of w (x - mean_k)(x - mean_k)', or their diagonals; overwritten */
mn_status mn_fit_covariances(mn_context *ctx, mn_covariance_type model, const mn_gaussians *g, const double *count,
                             double *scatter);

typedef struct mn_gmm {
  mn_estimator base;
  int64_t n_components, covariance_type, init_params, n_init, max_iter, seed; /* parameters */
  double tol, reg_covar, noise, noise_volume;
  mn_vector weights_init;
  mn_matrix means_init, precisions_init, responsibilities_init;
  mn_vector weights; /* learned fields: components */
  mn_matrix means, covariances, precisions_cholesky, noise_box;
  double noise_weight, log_noise_volume, loglik, aic, bic, icl;
  int64_t n_parameters, model; /* model: the mn_covariance_type of the fit */

  /* of BayesianGaussianMixture: parameters */
  int64_t weight_concentration_prior_type;
  double weight_concentration_prior, mean_precision_prior, degrees_of_freedom_prior;
  mn_vector mean_prior;
  mn_matrix covariance_prior;
  /* learned fields */
  mn_matrix weight_concentration;
  mn_vector mean_precision, degrees_of_freedom;
  mn_vector log_offset; /* components: expectation that replaces the logarithm of the weight; empty: GaussianMixture */
  double lower_bound;
} mn_gmm;

enum { MN_START_KMEANS, MN_START_PLUS_PLUS, MN_START_RANDOM, MN_START_ROWS }; /* init_params */
extern const char *const mn_mixture_starts[];

/* Parameters and learned fields of both classes. */
#define MN_GMM_LOOP                                                                                                    \
  MN_REAL(mn_gmm, reg_covar, 1e-6, MN_AT_LEAST(0), "variance added to each column in each component"),                 \
      MN_COUNT(mn_gmm, max_iter, 100, MN_AT_LEAST(1), "maximum number of iterations"),                                 \
      MN_COUNT(mn_gmm, n_init, 1, MN_CLOSED(1, INT32_MAX), "number of starts; the best result is kept"),               \
      MN_CHOICE(                                                                                                       \
          mn_gmm, init_params, MN_START_KMEANS, mn_mixture_starts,                                                     \
          "components of the rows at the start: kmeans; the nearest of k-means++ centers or of random rows (random_from_data); random")

#define MN_GMM_FIELDS                                                                                                     \
  MN_VECTOR(mn_gmm, weights, "components", "weight of each component"),                                                   \
      MN_MATRIX(mn_gmm, means, "components x features", "mean of each component"),                                        \
      MN_MATRIX(                                                                                                          \
          mn_gmm, covariances, "stacked x features",                                                                      \
          "stacked features x features blocks, one for each component (EEE, tied: one for all); variances, components x " \
          "features, if axes are those of the columns"),                                                                  \
      MN_MATRIX(mn_gmm, precisions_cholesky, "stacked x features",                                                        \
                "upper triangular R with R R' the inverse of each covariance, in the same layout"),                       \
      MN_LEARNED(MN_KIND_COUNT, mn_gmm, model, "", NULL)

/* The component of each row at the beginning of a start: the nearest of k centers, or a random one. `x` is n x p. */
mn_status mn_mixture_start_labels(mn_context *ctx, const mn_data *data, size_t k, int64_t method, mn_rng *rng,
                                  int32_t *label);

/* Rows, divided into complete ones and those with missing values. */
typedef struct mn_split_rows {
  size_t n;                  /* complete rows                                     */
  const double *x, *weights; /* their values and weights (NULL: all 1)          */
  size_t *row;               /* n: their indices; NULL: all rows are complete     */
  size_t incomplete;         /* other rows, with equal patterns next to each other */
  size_t *incomplete_row;    /* their indices                                     */
} mn_split_rows;

mn_status mn_split_missing(mn_context *ctx, const mn_data *data, mn_split_rows *split);

/* Add the rows with missing values to the results of a pass over the complete ones (gaussian_missing.c). Outputs have
 * an entry for each row of data, and may be NULL; those of complete rows are left as they are.
 *
 *   mean, variance  out: rows x p, of the missing values given the observed ones; of observed values the value itself,
 *                   and the variance is left as it is */
mn_status mn_gaussian_missing_pass(mn_context *ctx, const mn_data *data, const mn_split_rows *split,
                                   const mn_gaussian_pass *pass, double *mean, double *variance);

mn_status mn_gmm_fit(mn_context *ctx, void *self, const mn_data *data);

mn_status mn_gmm_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_gmm_log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_gmm_score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_gmm_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
size_t mn_gmm_columns(const void *self);
mn_status mn_gmm_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);
mn_status mn_gmm_check(mn_context *ctx, const void *self);
extern const mn_operation mn_gmm_operations[], mn_gmm_bayesian_operations[];

/* The operations of fitted mixtures, for the tables of models that begin with mn_gmm. */
typedef struct mn_gmm_sample_options {
  int64_t n, seed;
} mn_gmm_sample_options;
typedef struct mn_gmm_covariance_options {
  int64_t component;
} mn_gmm_covariance_options;
extern const mn_param mn_gmm_sample_params[], mn_gmm_covariance_params[];
mn_status mn_gmm_conditional(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results);
mn_status mn_gmm_covariance(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                            mn_results *results);
mn_status mn_gmm_sample(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results);

#define MN_GMM_CONDITIONAL                                                                                             \
  {                                                                                                                    \
    .name = "conditional", .brief = "distribution of the missing values of each row, given its other values",          \
    .returns = "mean, variance (Matrix: rows x features), responsibilities (Matrix: rows x components)",               \
    .needs = MN_NEEDS_X, .run = mn_gmm_conditional                                                                     \
  }

#define MN_GMM_COVARIANCE_AND_SAMPLE                                                                                   \
  { .name = "covariance",                                                                                              \
    .brief = "covariance of a component",                                                                              \
    .returns = "Matrix (features x features)",                                                                         \
    .options = mn_gmm_covariance_params,                                                                               \
    .options_size = sizeof(mn_gmm_covariance_options),                                                                 \
    .run = mn_gmm_covariance },                                                                                        \
  {                                                                                                                    \
    .name = "sample", .brief = "rows drawn from the mixture, and their components",                                    \
    .returns = "X (Matrix: n x features), labels (Vector: n)", .options = mn_gmm_sample_params,                        \
    .options_size = sizeof(mn_gmm_sample_options), .run = mn_gmm_sample                                                \
  }

/* The parameters of a fitted model, in scratch. */
mn_status mn_gmm_view(mn_context *ctx, const mn_gmm *m, mn_gaussians *g);

#endif
