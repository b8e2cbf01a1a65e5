/* Advice for a fit that did not converge. */
#include "check.h"

/* Whether the root mean square of the nonzero values of every column is between 0.05 and 20. */
static mn_status have_similar_scales(mn_context *ctx, const mn_data *data, bool *similar)
{
  const size_t p = data->features;
  double *sum = MN_NEW(ctx, double, p, 2), *count = sum ? sum + p : NULL;
  MN_CHECK_ALLOC(sum);
  const mn_csr *s = data->sparse;
  for (size_t i = 0; i < data->rows; i++) {
    const size_t first = s ? s->start[i] : i * p, last = s ? s->start[i + 1] : (i + 1) * p;
    for (size_t e = first; e < last; e++) {
      const double x = s ? s->at[e] : data->x.at[e];
      const size_t j = s ? (size_t)s->col[e] : e - first;
      sum[j] += x * x;
      count[j] += x != 0;
    }
  }
  *similar = true;
  for (size_t j = 0; j < p; j++) {
    const double square = count[j] > 0 ? sum[j] / count[j] : 1;
    *similar = *similar && square >= 0.05 * 0.05 && square <= 20.0 * 20.0;
  }
  return MN_OK;
}

mn_status mn_choose_advice(mn_context *ctx, mn_estimator *model, const mn_data *data)
{
  mn_report *r = &model->report;
  bool similar;
  if (r->converged || isnan(r->change) || !r->scaled_advice) return MN_OK;
  MN_TRY(have_similar_scales(ctx, data, &similar));
  if (similar) r->advice = r->scaled_advice;
  return MN_OK;
}
