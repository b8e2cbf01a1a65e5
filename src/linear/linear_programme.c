#include "linear_programme.h"
#include "frisch_newton.h"
#include <string.h>

/* What is told of one target more, `before` being the sum of those before it at their ends. */
static void add_report(mn_context *ctx, mn_report *r, const mn_report *one, double times, double before)
{
  const int64_t rounds = one->n_iter > r->n_iter ? one->n_iter : r->n_iter;
  for (int64_t k = 0; k < rounds; k++) {
    const double objective = times * one->trace.at[k < one->n_iter ? k : one->n_iter - 1];
    if (k < r->n_iter)
      r->trace.at[k] += objective;
    else
      mn_note_round(ctx, r, before + objective);
  }
  r->objective = before + times * one->objective;
  r->converged = r->converged && one->converged;
  r->change = fmax(r->change, one->change);
}

mn_status mn_linear_programmes(mn_context *ctx, const mn_linear_programme *q, mn_linear *linear, double *gap)
{
  mn_report *r = &linear->base.report;
  const size_t n = q->data->rows, p = q->data->features;
  double total = 0, before = 0;
  r->converged = true;
  for (size_t i = 0; i < n; i++) total += mn_weight(q->data, i);
  for (size_t s = 0; s < q->targets; s++) {
    mn_data target = *q->data;
    mn_report one = { 0 };
    double *y = MN_RAW(ctx, double, n, 1);
    MN_NEED(y);
    memcpy(y, q->y + s * n, n * sizeof *y);
    target.y = (mn_matrix){ .at = y, .rows = n, .cols = 1 };
    const mn_status status =
        mn_frisch_newton(ctx, &target, q->quantile, q->l1 * total / q->times, q->fit_intercept, q->max_iter, q->tol,
                         &one, linear->coef.at + s * p, &linear->intercept.at[s]);
    if (status == MN_OK) add_report(ctx, r, &one, q->times, before);
    gap[s] = q->times * one.change * fabs(one.objective);
    before = r->objective;
    mn_vector_free(mn_context_memory(ctx), &one.trace);
    MN_TRY(status);
  }
  return mn_error_status(ctx);
}
