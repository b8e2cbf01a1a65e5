/* Singular vectors of the covariance of X and y, without deflation:
 *
 *     X'Y / (sum_i w_i - 1) = U diag(s) V',     scores X U and Y V
 *
 * Bookstein, Sampson & Streissguth, Dev. Psychol. 32 (1996). */
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "pls.h"

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_pls *m = self;
  mn_pls_work s;
  MN_TRY(mn_pls_start(ctx, m, data, mn_pls_shortest(data), &s));
  const size_t p = s.x.cols, q = s.y.cols, shorter = p < q ? p : q;
  double *cross = MN_RAW(ctx, double, p, q), *u = MN_RAW(ctx, double, p, shorter);
  double *singular = MN_RAW(ctx, double, shorter, 1), *vt = MN_RAW(ctx, double, shorter, q);
  if (!cross || !u || !singular || !vt) return MN_NO_MEMORY;
  MN_TRY(mn_gemm(ctx, true, false, p, q, s.rows, 1 / (s.total - 1), s.x.at, p, s.y.at, q, 0, cross, q));
  MN_TRY(mn_svd(ctx, p, q, cross, u, singular, vt));
  MN_TRY(mn_vector_init(ctx, &m->covariances, s.k));
  for (size_t c = 0; c < s.k; c++) {
    m->covariances.at[c] = singular[c];
    for (size_t j = 0; j < p; j++) mn_row(&m->x.weights, j)[c] = u[j * shorter + c];
    for (size_t t = 0; t < q; t++) mn_row(&m->y.weights, t)[c] = vt[c * q + t];
  }
  m->n_found = (int64_t)s.k;
  mn_pls_fix_signs(m);
  return MN_OK;
}

static const mn_field fields[] = {
  MN_PLS_COMMON_FIELDS,
  MN_VECTOR(mn_pls, covariances, "components", "covariance of the scores of X and y, descending"),
  MN_END,
};

const mn_class mn_pls_svd = {
  .name = "PLSSVD",
  .family = "decomposition",
  .brief = "Singular vectors of the covariance of X and y: scores of largest covariance.",
  .objective = "maximize cov(X u, y v) with |u| = |v| = 1, each u and v orthogonal to the previous ones",
  .source = "Bookstein, Sampson & Streissguth, Dev. Psychol. 32 (1996)",
  .notes = "scores(X, y) gives the scores of both. The first component is that of PLSCanonical. The largest element of "
           "each column of x_weights in magnitude is positive.",
  .example = "local X = ml.normal(40, 4, 1)\n"
             "local Y = X:slice(1, 40, 1, 2) + ml.normal(40, 2, 2)\n"
             "local model = ml.PLSSVD{ n_components = 2 }:fit(X, Y)\n"
             "print(model.covariances, model.x_weights)",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_WEIGHTS | MN_MULTITARGET | MN_JOINT_TARGETS | MN_Y_REALS,
  MN_PLS_TRANSFORMER,
  .fields = fields,
  .fit = fit,
};
