/* Degrees of freedom, residual standard error and intervals of linear smoothers. Cleveland & Devlin, JASA 83 (1988):
 * with S = (I - L)(I - L)', one_delta = tr S and two_delta = tr S^2, sigma^2 = |residuals|^2 / one_delta, and
 * (fitted - mean) / standard error follows approximately Student's t with one_delta^2 / two_delta degrees of freedom.
 */
#include "../linalg/product.h"
#include "../actions/interval.h"
#include "../stats/special.h"
#include "local_fit_kernel.h"
#include "smoother.h"
#include <string.h>

struct traces {
  size_t n;
  const double *y, *root; /* root: n square roots of weights, or NULL */
  double *fitted, *diagonal, *norm2;
  double *residual; /* n x n: rows of I - L; or NULL */
};

static void visit_trace(void *user, size_t i, const mn_smoother_weights *w)
{
  const struct traces *t = user;
  const double own = mn_weight_of_row(w, i);
  double norm2 = (1 - own) * (1 - own), *residual = t->residual ? t->residual + i * t->n : NULL;
  t->fitted[i] = mn_weights_dot(w, t->y);
  t->diagonal[i] = own;
  for (size_t k = 0; k < w->count; k++) {
    const size_t j = mn_row_of_weight(w, k);
    const double scaled = t->root ? t->root[i] / t->root[j] * w->l[k] : w->l[k];
    if (residual) residual[j] = -scaled;
    if (j != i) norm2 += scaled * scaled;
  }
  if (residual) residual[i] = 1 - own;
  t->norm2[i] = norm2;
}

enum { PRODUCT_ROWS = 128 };

/* The squared Frobenius norm of A A', A n x n, by blocks of rows. */
static mn_status product_norm2(mn_context *ctx, size_t n, const double *a, double *out)
{
  double *block = MN_RAW(ctx, double, PRODUCT_ROWS, n);
  MN_CHECK_ALLOC(block);
  *out = 0;
  for (size_t begin = 0; begin < n; begin += PRODUCT_ROWS) {
    const size_t rows = n - begin < PRODUCT_ROWS ? n - begin : PRODUCT_ROWS;
    MN_TRY(mn_gemm(ctx, false, true, rows, begin + rows, n, 1, a + begin * n, n, a, n, 0, block, n));
    for (size_t i = 0; i < rows; i++) /* values left of the block stand for those above it, too */
      *out += 2 * mn_fast_norm2(begin, block + i * n, NULL) + mn_fast_norm2(rows, block + i * n + begin, NULL);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* Square roots of the weights; copies beyond the first of each row add an identity matrix to I - L. */
static mn_status repeat_rows(mn_context *ctx, const mn_smoother *m, struct traces *t, double *extra)
{
  double *root = MN_RAW(ctx, double, t->n, 1);
  MN_CHECK_ALLOC(root);
  for (size_t i = 0; i < t->n; i++) {
    root[i] = sqrt(m->weights.at[i]);
    *extra += m->weights.at[i] - 1;
  }
  t->root = root;
  return MN_OK;
}

enum {
  AUTO_EXACT_ROWS = 2000, /* a fit takes less than a second */
  MAX_EXACT_ROWS = 20000  /* rows x rows numbers are 3.2 GB */
};

mn_status mn_smoother_compute_statistics(mn_context *ctx, mn_smoother *m, const mn_smoother_plan *plan, int64_t kind,
                                         bool repeated, double *fitted)
{
  if (kind == MN_STATISTICS_EXACT && plan->n > MAX_EXACT_ROWS)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: statistics = 'exact' is limited to %d rows, got %zu; use statistics = 'trace' or 'none'",
                   m->base.class->name, MAX_EXACT_ROWS, plan->n);
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t n = plan->n;
  double *work = MN_RAW(ctx, double, n, 2), extra = 0;
  MN_CHECK_ALLOC(work);
  struct traces t = { .n = n, .y = m->y.at, .fitted = fitted, .diagonal = work, .norm2 = work + n };
  if (repeated && m->weights.size > 0) MN_TRY(repeat_rows(ctx, m, &t, &extra));
  if (kind == MN_STATISTICS_EXACT || (kind == MN_STATISTICS_AUTO && n <= AUTO_EXACT_ROWS)) {
    t.residual = MN_NEW(ctx, double, n, n);
    MN_CHECK_ALLOC(t.residual);
  }
  MN_TRY(mn_smoother_pass(ctx, plan, &m->x, false, visit_trace, &t));
  m->trace_hat = 0;
  m->one_delta = extra;
  for (size_t i = 0; i < n; i++) {
    m->trace_hat += t.diagonal[i];
    m->one_delta += t.norm2[i];
  }
  m->enp = m->one_delta + 2 * m->trace_hat - (double)n - extra;
  if (t.residual) {
    MN_TRY(product_norm2(ctx, n, t.residual, &m->two_delta));
    m->two_delta += extra;
  }
  m->df = t.residual ? m->one_delta * m->one_delta / m->two_delta : m->one_delta;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Below this, one_delta is rounding: the fit passes through all points. */
static const double NO_FREEDOM = 1e-9;

void mn_smoother_set_sigma(mn_smoother *m, const double *residuals)
{
  const double sum = mn_fast_norm2(m->y.size, residuals, m->weights.size > 0 ? m->weights.at : NULL);
  if (m->one_delta > NO_FREEDOM)
    m->sigma = sqrt(sum / m->one_delta);
  else
    m->df = m->sigma = (double)NAN;
}

static const char *const interval_kinds[] = { "prediction", "confidence", NULL };

const mn_param mn_smoother_interval_params[] = {
  MN_REAL(mn_smoother_interval_options, level, 0.95, MN_OPEN(0, 1), "coverage of the intervals"),
  MN_CHOICE(mn_smoother_interval_options, kind, 0, interval_kinds,
            "prediction: interval for a new observation; confidence: for its mean"),
  MN_END,
};

static mn_status require_sigma(mn_context *ctx, const mn_smoother *m, const char *operation)
{
  const char *who = m->base.class->name;
  if (isfinite(m->sigma)) return MN_OK;
  if (isnan(m->one_delta))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s requires a fit with statistics = 'exact' or 'trace'", who, operation);
  return mn_fail(ctx, MN_SINGULAR,
                 "%s: %s requires residual degrees of freedom, but the fit passes through all points; increase the "
                 "bandwidth or span",
                 who, operation);
}

struct errors {
  const mn_smoother *m;
  const double *inverse_weights; /* n, or NULL */
  double noise;                  /* variance of the new observation in sigma^2 */
  double *fit, *std_error;
};

static void visit_error(void *user, size_t i, const mn_smoother_weights *w)
{
  const struct errors *e = user;
  double norm2 = 0;
  for (size_t k = 0; k < w->count; k++)
    norm2 += w->l[k] * w->l[k] * (e->inverse_weights ? e->inverse_weights[mn_row_of_weight(w, k)] : 1);
  e->fit[i] = mn_weights_dot(w, e->m->y.at);
  e->std_error[i] = e->m->sigma * sqrt(norm2 + e->noise);
}

static mn_status standard_errors(mn_context *ctx, const mn_smoother *m, mn_smoother_plan_function make,
                                 const mn_data *data, double noise, double *fit, double *std_error)
{
  mn_smoother_plan plan;
  struct errors e = { .m = m, .noise = noise, .fit = fit, .std_error = std_error };
  MN_TRY(make(ctx, m, &plan));
  if (m->weights.size > 0) {
    double *inverse = MN_RAW(ctx, double, m->weights.size, 1);
    MN_CHECK_ALLOC(inverse);
    for (size_t i = 0; i < m->weights.size; i++) inverse[i] = 1 / m->weights.at[i];
    e.inverse_weights = inverse;
  }
  return mn_smoother_pass(ctx, &plan, &data->x, false, visit_error, &e);
}

static void set_limits(const mn_smoother *m, double level, const mn_vector *fit, const mn_vector *std_error,
                       mn_vector *low, mn_vector *high)
{
  const double quantile = mn_t_isf((1 - level) / 2, m->df);
  for (size_t i = 0; i < fit->size; i++) {
    low->at[i] = fit->at[i] - quantile * std_error->at[i];
    high->at[i] = fit->at[i] + quantile * std_error->at[i];
  }
}

mn_status mn_smoother_intervals(mn_context *ctx, const mn_smoother *m, mn_smoother_plan_function make,
                                const mn_data *data, const mn_smoother_interval_options *options, mn_results *results)
{
  mn_vector *fit, *low, *high, *std_error;
  MN_TRY(require_sigma(ctx, m, "intervals"));
  MN_TRY(mn_result_vector(ctx, results, "intervals.fit", data->rows, &fit));
  MN_TRY(mn_result_vector(ctx, results, "intervals.low", data->rows, &low));
  MN_TRY(mn_result_vector(ctx, results, "intervals.high", data->rows, &high));
  MN_TRY(mn_result_vector(ctx, results, "intervals.std_error", data->rows, &std_error));
  MN_TRY(standard_errors(ctx, m, make, data, options->kind == 0 ? 1 : 0, fit->at, std_error->at));
  set_limits(m, options->level, fit, std_error, low, high);
  return MN_OK;
}

mn_status mn_smoother_predict_interval(mn_context *ctx, const mn_smoother *m, mn_smoother_plan_function make,
                                       const mn_data *data, double level, mn_results *results)
{
  mn_intervals out;
  MN_TRY(require_sigma(ctx, m, "predict_interval"));
  MN_TRY(mn_intervals_make(ctx, results, data->rows, &out));
  MN_TRY(standard_errors(ctx, m, make, data, 1, out.mean->at, out.std->at));
  set_limits(m, level, out.mean, out.std, out.low, out.high);
  return MN_OK;
}
