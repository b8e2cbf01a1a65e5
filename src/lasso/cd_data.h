/* From the data of a fit to problems of coordinate descent, one for each target, and back. */
#ifndef MN_LASSO_CD_DATA_H
#define MN_LASSO_CD_DATA_H
#include "cd.h"
#include "../linear/linear.h"

typedef struct mn_cd_data {
  const mn_data *data;
  size_t p, q;
  double total;     /* sum of the weights                                       */
  double *mean;     /* p + q: of X and y; 0 without a constant                  */
  double *gram;     /* (p + q) x (p + q), divided by total; NULL: columns        */
  mn_cd_columns *z; /* or NULL                                                  */
} mn_cd_data;

/* Gram or columns, by the shape of X; scratch. Who prepares sparse X more than once gives it transposed, too. */
mn_status mn_cd_prepare(mn_context *ctx, const mn_data *data, bool fit_intercept, const mn_csr *transposed,
                        mn_cd_data *out);

/* The Gram matrix of dense X, whatever its shape. */
mn_status mn_cd_prepare_gram(mn_context *ctx, const mn_data *data, bool fit_intercept, mn_cd_data *out);

/* The columns of dense X, whatever its shape. */
mn_status mn_cd_prepare_columns(mn_context *ctx, const mn_data *data, bool fit_intercept, mn_cd_data *out);

/* The problem of a target, at b = 0; or at `b`. */
mn_status mn_cd_target(mn_context *ctx, const mn_cd_data *d, size_t target, mn_cd *out);
mn_status mn_cd_target_at(mn_context *ctx, const mn_cd_data *d, size_t target, const double *b, mn_cd *out);

/* The constant that goes with weights b. */
double mn_cd_intercept(const mn_cd_data *d, size_t target, const double *b);

/* Solve for all targets; coef and intercept of `m`, and its report (objectives are added).
 *
 *   gap     targets, made here
 *   factor  p or NULL */
typedef struct mn_cd_settings {
  double alpha, l1_ratio, tol;
  int64_t max_iter;
  bool positive;
  const double *factor;
} mn_cd_settings;
mn_status mn_cd_fit(mn_context *ctx, const mn_cd_data *d, const mn_cd_settings *settings, mn_linear *m, mn_vector *gap);

/* From `largest` down to eps largest, in equal steps of the logarithm. */
void mn_cd_alpha_grid(double largest, double eps, size_t n, double *alpha);

#endif
