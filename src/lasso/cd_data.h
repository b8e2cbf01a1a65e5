/* Conversion of training data to problems of coordinate descent, one for each target, and of their solutions to models.
 */
#ifndef MN_LASSO_CD_DATA_H
#define MN_LASSO_CD_DATA_H
#include "cd.h"
#include "../linear/linear.h"

typedef struct mn_cd_data {
  const mn_data *data;
  size_t p, q;
  double total;     /* sum of the sample weights                                */
  double *mean;     /* p + q: of X and y; 0 without an intercept                */
  double *gram;     /* (p + q) x (p + q), divided by total; NULL: column form     */
  mn_cd_columns *z; /* NULL: Gram form                                          */
} mn_cd_data;

/* Gram or column form, by the shape of X; scratch. `transposed` may be NULL; it saves transposing the same sparse X
 * again. */
mn_status mn_cd_prepare(mn_context *ctx, const mn_data *data, bool fit_intercept, const mn_csr *transposed,
                        mn_cd_data *out);

/* Gram form of dense X of any shape. */
mn_status mn_cd_prepare_gram(mn_context *ctx, const mn_data *data, bool fit_intercept, mn_cd_data *out);

/* Column form of dense X of any shape. */
mn_status mn_cd_prepare_columns(mn_context *ctx, const mn_data *data, bool fit_intercept, mn_cd_data *out);

/* The problem of one target, at b = 0 or at the given b. */
mn_status mn_cd_target(mn_context *ctx, const mn_cd_data *d, size_t target, mn_cd *out);
mn_status mn_cd_target_at(mn_context *ctx, const mn_cd_data *d, size_t target, const double *b, mn_cd *out);

/* The intercept that belongs to coefficients b. */
double mn_cd_intercept(const mn_cd_data *d, size_t target, const double *b);

/* Solve for all targets: sets coef, intercept and report of `m` (objectives are added up).
 *
 *   gap     out: duality gap of each target; allocated here
 *   factor  p, or NULL */
typedef struct mn_cd_settings {
  double alpha, l1_ratio, tol;
  int64_t max_iter;
  bool positive;
  const double *factor;
} mn_cd_settings;
mn_status mn_cd_fit(mn_context *ctx, const mn_cd_data *d, const mn_cd_settings *settings, mn_linear *m, mn_vector *gap);

/* n values from `largest` down to eps largest, evenly spaced in the logarithm. */
void mn_cd_alpha_grid(double largest, double eps, size_t n, double *alpha);

#endif
