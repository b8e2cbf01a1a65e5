/* Generative topographic mapping: the struct, its mapping from latent space to data, and passes over rows.
 *
 *     y(u) = sum_m w_m phi_m(u) + b,    phi_m(u) = exp(-|u - mu_m|^2 / (2 s^2)),
 *     p(x) = 1/K sum_k N(x | y(u_k), v I)
 *
 * The u_k are a regular grid in [-1, 1]^q, the nodes, and the mu_m a coarser one; s is basis_width times the distance
 * between neighbors of the latter. Bishop, Svensen & Williams, Neural Computation 10 (1998). */
#ifndef MN_TOPOGRAPHIC_GTM_H
#define MN_TOPOGRAPHIC_GTM_H
#include "../core/threads.h"
#include "../model/class.h"
#include "../model/operation.h"
#include "../model/program.h"

typedef struct mn_gtm_model {
  mn_estimator base;
  int64_t n_components, grid_size, basis_size, projection, max_iter; /* parameters */
  double basis_width, alpha, tol;
  mn_matrix latent_points; /* learned fields: nodes x components */
  mn_matrix centers;       /* nodes x features                   */
  mn_matrix coef;          /* basis x features                   */
  mn_vector intercept;     /* features                           */
  double noise_variance, loglike;
} mn_gtm_model;

enum { MN_GTM_MEAN, MN_GTM_MODE };

/* --- the mapping: gtm_map.c --- */

/* Point `index` of a regular grid of size^q points in [-1, 1]^q, whose last coordinate varies fastest. */
void mn_gtm_grid_point(size_t size, size_t q, size_t index, double *point);

/* size^q; SIZE_MAX if it is larger than `most`. */
size_t mn_gtm_power(size_t size, size_t q, size_t most);

/* out (n x basis): the basis functions at n points u (n x q), rows ldo apart. */
void mn_gtm_basis(const mn_gtm_model *m, size_t n, const double *u, double *out, size_t ldo);

/* out (n x features) = y(u) */
mn_status mn_gtm_map(mn_context *ctx, const mn_gtm_model *m, size_t n, const double *u, double *out);

/* The Jacobian dy / du at one point: out is q x features. phi: basis values of workspace. */
void mn_gtm_jacobian(const mn_gtm_model *m, const double *u, double *phi, double *out);

/* --- passes over rows: gtm_pass.c --- */

/* What a pass needs of the model, relative to `origin`, and what it finds. Outputs that are NULL are left out. */
typedef struct mn_gtm_pass {
  const mn_data *data;
  size_t k, p, q;
  const double *origin;           /* p: subtracted from rows      */
  const double *y;                /* k x p: centers minus origin  */
  const double *latent;           /* k x q                        */
  double noise_variance;          /* > 0                          */
  bool missing;                   /* the data have missing values */
  double *sums;                   /* mn_gtm_sums_size             */
  double *log_density;            /* n                            */
  double *responsibility;         /* n x k             */
  double *mean, *mode, *variance; /* n x q             */
  double *entropy;                /* n                 */
} mn_gtm_pass;

/* Sums of a pass over rows with weights w and responsibilities r:
 *   weight   sum_i w_i r_ik: k values, or k x p over the rows in which the column is present, if `missing`
 *   rx       k x p: sum_i w_i r_ik (x_i - origin)
 *   scalars  log likelihood; sum_i w_i |x_i - origin|^2; sum_i w_i times the number of values present */
typedef struct mn_gtm_sums {
  double *weight, *rx, *scalars;
} mn_gtm_sums;
size_t mn_gtm_sums_size(const mn_gtm_pass *pass);
mn_gtm_sums mn_gtm_sums_of(const mn_gtm_pass *pass, double *sums);

mn_status mn_gtm_run_pass(mn_context *ctx, const mn_gtm_pass *pass);

bool mn_gtm_has_missing(const mn_data *data);

/* --- fit: gtm_fit.c --- */
mn_status mn_gtm_fit(mn_context *ctx, void *self, const mn_data *data);

#endif
