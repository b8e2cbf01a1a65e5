/* Partial least squares regression, PLS2: y on the scores t of X, by deflation (pls.h). The importance of column j in
 * projection is
 *
 *     VIP_j^2 = p sum_a s_a w_ja^2 / sum_a s_a,     s_a = q_a'q_a t_a't_a
 *
 * Wold, Sjostrom & Eriksson, Chemometr. Intell. Lab. Syst. 58 (2001). */
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "deflation.h"
#include <string.h>

/* The rotations of y: the transposed pseudoinverse of its weights C, from the singular values of C. */
static mn_status rotate_targets(mn_context *ctx, mn_pls *m)
{
  const size_t q = m->y.weights.rows, k = m->y.weights.cols, shorter = q < k ? q : k;
  double *u = MN_RAW(ctx, double, q, shorter), *s = MN_RAW(ctx, double, shorter, 1);
  double *vt = MN_RAW(ctx, double, shorter, k);
  if (!u || !s || !vt) return MN_NO_MEMORY;
  MN_TRY(mn_svd(ctx, q, k, m->y.weights.at, u, s, vt));
  const double least = DBL_EPSILON * (double)(q > k ? q : k) * (shorter > 0 ? s[0] : 0);
  for (size_t t = 0; t < q; t++)
    for (size_t a = 0; a < shorter; a++) u[t * shorter + a] *= s[a] > least ? 1 / s[a] : 0;
  return mn_gemm(ctx, false, false, q, k, shorter, 1, u, shorter, vt, k, 0, m->y.rotations.at, k);
}

static mn_status find_importance(mn_context *ctx, mn_pls *m)
{
  const size_t p = m->x.weights.rows, k = m->x.weights.cols;
  double total = 0;
  MN_TRY(mn_vector_init(ctx, &m->vip, p));
  for (size_t a = 0; a < k; a++) {
    const double share = m->y.explained.at[a];
    total += share;
    for (size_t j = 0; j < p; j++) m->vip.at[j] += share * mn_row(&m->x.weights, j)[a] * mn_row(&m->x.weights, j)[a];
  }
  for (size_t j = 0; total > 0 && j < p; j++) m->vip.at[j] = sqrt((double)p * m->vip.at[j] / total);
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_pls *m = self;
  mn_pls_work s;
  MN_TRY(mn_pls_start(ctx, m, data, data->rows < data->features ? data->rows : data->features, &s));
  MN_TRY(mn_pls_deflate(ctx, &s, false));
  MN_TRY(rotate_targets(ctx, m));
  MN_TRY(find_importance(ctx, m));
  mn_pls_fix_signs(m);
  return mn_pls_predictor(ctx, m);
}

static const mn_field fields[] = {
  MN_PLS_FIELDS,
  MN_VECTOR(mn_pls, vip, "features", "variable importance in projection; their mean square is 1"),
  MN_END,
};

const mn_class mn_pls_regression = {
  .name = "PLSRegression",
  .family = "decomposition",
  .brief = "Partial least squares: regression on few components of many collinear columns.",
  .objective = "maximize cov(X w, y c) with |w| = |c| = 1, then subtract the scores from X and y",
  .source =
      "Wold, Sjostrom & Eriksson, Chemometr. Intell. Lab. Syst. 58 (2001); Wegelin, Univ. Washington TR 364 (2000)",
  .notes =
      "Several columns of y are fitted jointly (PLS2). Weights are exact singular vectors, the limit of NIPALS, whose "
      "iterations in other libraries stop at tol. intercept is for X as it is, that of scikit-learn for centered X. "
      "Columns with vip above 1 are usually called important. Choose n_components by cross-validation.",
  .example = "local X = ml.normal(40, 6, 1)\n"
             "local model = ml.PLSRegression{ n_components = 2 }:fit(X, X:col(1) * 3 - X:col(4))\n"
             "print(model.vip, model.y_explained_variance_ratio)",
  MN_PLS_REGRESSOR,
  .fields = fields,
  .fit = fit,
};
