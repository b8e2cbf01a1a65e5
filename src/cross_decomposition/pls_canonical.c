/* Canonical partial least squares, PLS-W2A: pairs of scores of X and y with the largest covariance, both deflated by
 * their own scores (pls.h).
 *
 * Wegelin, A Survey of Partial Least Squares Methods, University of Washington (2000). */
#include "deflation.h"

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_pls *m = self;
  mn_pls_work s;
  MN_TRY(mn_pls_start(ctx, m, data, mn_pls_shortest(data), &s));
  MN_TRY(mn_pls_deflate(ctx, &s, true));
  mn_pls_fix_signs(m);
  return mn_pls_predictor(ctx, m);
}

static const mn_field fields[] = { MN_PLS_FIELDS, MN_END };

const mn_class mn_pls_canonical = {
  .name = "PLSCanonical",
  .family = "decomposition",
  .brief = "Canonical partial least squares: paired scores of X and y, X and y on a par.",
  .objective = "maximize cov(X w, y c) with |w| = |c| = 1, then subtract the own scores from X and from y",
  .source = "Wegelin, Univ. Washington TR 364 (2000)",
  .notes = "scores(X, y) gives the scores of both. Weights are exact singular vectors, the limit of NIPALS, whose "
           "iterations in other libraries stop at tol. CCA maximizes the correlation instead of the covariance; "
           "PLSRegression is meant for predictions.",
  .example = "local X = ml.normal(40, 4, 1)\n"
             "local Y = X:slice(1, 40, 1, 2) + ml.normal(40, 2, 2)\n"
             "local model = ml.PLSCanonical{ n_components = 2 }:fit(X, Y)\n"
             "print(model.correlations, model.x_weights)",
  MN_PLS_REGRESSOR,
  .fields = fields,
  .fit = fit,
};
