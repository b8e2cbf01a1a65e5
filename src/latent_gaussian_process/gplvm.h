/* The Gaussian process latent variable model: each column of X is a Gaussian process of latent positions z_i,
 *
 *     log p(X | Z) = sum_j log N(x_.j - mean_j | 0, unit^2 K(Z, Z)),
 *
 * whose positions and hyperparameters are estimated together, with z_i ~ N(0, I) if `prior` is normal. Columns with the
 * same missing values form a group, which has the rows of K that are present. Lawrence, JMLR 6 (2005). */
#ifndef MN_LATENT_GAUSSIAN_PROCESS_GPLVM_H
#define MN_LATENT_GAUSSIAN_PROCESS_GPLVM_H
#include "../model/class.h"
#include "../model/kernel_param.h"
#include "../model/operation.h"

struct mn_gplvm {
  mn_estimator base;
  int64_t n_components, prior, max_iter, max_rows; /* parameters */
  double tol, back_width;
  bool normalize, back_constraints;
  mn_kernel kernel;
  mn_matrix start;
  mn_kernel fitted_kernel; /* learned fields */
  mn_matrix embedding;     /* rows x components                       */
  mn_matrix training_rows; /* rows x features; may have NaN           */
  mn_matrix back_coef;     /* rows x components, of back constraints  */
  mn_vector mean;          /* features                                */
  double unit, back_length, loglike;
};

enum { MN_GPLVM_NORMAL, MN_GPLVM_NONE };

/* Columns that are present in the same rows. */
typedef struct mn_gplvm_group {
  size_t rows, columns;
  size_t *row, *column;
  size_t depth;    /* min(rows, columns)                                                    */
  double *y;       /* rows x columns: (x - mean) / unit                                     */
  double *root;    /* depth x rows: root' root = y y', all that the likelihood needs of y   */
  double *alpha;   /* rows x columns: inv(K) y, of mn_gplvm_likelihood without gradients    */
  double *inverse; /* rows x rows: inv(K)                                                   */
  double *rotated; /* depth x rows, workspace: root inv(K)                                  */
} mn_gplvm_group;

typedef struct mn_gplvm_groups {
  size_t n, count;
  mn_gplvm_group *group;
  double values;            /* values that are present                                  */
  double *k, *w, *products; /* n x n, workspace: K; derivative of the log likelihood by K; products of a group */
} mn_gplvm_groups;

/* --- gplvm.c: "gplvm1", "gplvm2", ..., also of BayesianGPLVM --- */
void mn_gplvm_output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size);

/* --- gplvm_likelihood.c --- */

/* Groups of the rows x (n x p), in scratch. */
mn_status mn_gplvm_make_groups(mn_context *ctx, size_t n, size_t p, const double *x, const double *mean, double unit,
                               mn_gplvm_groups *groups);

/* log p at positions z (n x q), in units of `unit`, and its gradients by theta and z (n x q); *value is NaN if K is
 * singular. Leaves inverse in the groups, and alpha if both gradients are NULL. */
mn_status mn_gplvm_likelihood(mn_context *ctx, const mn_kernel *kernel, size_t q, const double *z,
                              mn_gplvm_groups *groups, double *value, double *by_theta, double *by_z);

/* --- gplvm_fit.c, gplvm_place.c --- */
mn_status mn_gplvm_fit(mn_context *ctx, void *self, const mn_data *data);

/* Means of the columns without missing values, and the root of their mean variance; 1 if not `normalize`. */
mn_status mn_gplvm_find_scale(mn_context *ctx, const char *who, const mn_data *data, bool normalize, double *mean,
                              double *unit);

/* z (n x q): the principal components at variance 1, with missing values at `center`. */
mn_status mn_gplvm_start_positions(mn_context *ctx, const mn_data *data, const double *center, double unit, size_t q,
                                   double *z);

/* The groups of the training rows with alpha and inverse, for predictions. */
mn_status mn_gplvm_posterior(mn_context *ctx, const struct mn_gplvm *m, mn_gplvm_groups *groups);

/* Mean and variance of all columns at position z, in the units of X; variance may be NULL. work: rows values. */
void mn_gplvm_predict(const struct mn_gplvm *m, const mn_gplvm_groups *groups, const double *z, double *work,
                      double *mean, double *variance);

mn_status mn_gplvm_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);

#endif
