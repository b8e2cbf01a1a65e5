/* The bandwidths are h_j = exp(t_j) r_j, where r is the reference. A common t is chosen on a grid, since the criterion
 * may have several minima, and refined by Brent's method; then the rule loo_columns minimizes over the t_j in turn.
 *
 * Leave-one-out error: Stone, JRSS B 36 (1974). AICc: Hurvich, Simonoff & Tsai, JRSS B 60 (1998), log(RSS / n) +
 * (1 + tr L / n) / (1 - (tr L + 2) / n). Reference: Silverman, Density Estimation (1986), section 4.3. */
#include "bandwidth.h"
#include "../optim/brent.h"
#include "copies.h"
#include <string.h>

static double weight(const mn_smoother *m, size_t i)
{
  return m->weights.size > 0 ? m->weights.at[i] : 1;
}

static double total_weight(const mn_smoother *m)
{
  double total = 0;
  for (size_t i = 0; i < m->y.size; i++) total += weight(m, i);
  return total;
}

static double deviation(const mn_smoother *m, size_t j)
{
  double total = 0, mean = 0, sum = 0;
  for (size_t i = 0; i < m->x.rows; i++) {
    total += weight(m, i);
    mean += weight(m, i) / total * (mn_row(&m->x, i)[j] - mean);
  }
  for (size_t i = 0; i < m->x.rows; i++) {
    const double r = mn_row(&m->x, i)[j] - mean;
    sum += weight(m, i) / total * r * r;
  }
  return sqrt(sum);
}

void mn_reference_bandwidths(const mn_smoother *m, mn_kernel_shape shape, double *bandwidth)
{
  const double rows = mn_effective_rows(m->x.rows, m->weights.size > 0 ? m->weights.at : NULL, NULL);
  const double d = (double)m->x.cols, factor = 1.06 * pow(rows, -1 / (4 + d)) / sqrt(mn_shape_variance(shape));
  for (size_t j = 0; j < m->x.cols; j++) {
    const double s = deviation(m, j) * factor;
    bandwidth[j] = s > 0 ? s : 1;
  }
}

struct search {
  mn_context *ctx;
  const mn_smoother *m;
  mn_smoother_plan *plan;
  mn_bandwidth_rule rule;
  const double *reference; /* d */
  double *t, *bandwidth;   /* d */
  double *fitted;          /* n */
  double *diagonal;        /* n: of L, for AICc */
  size_t column;           /* whose t varies; SIZE_MAX: all */
  double total, rows;      /* sum of the weights, and the rows they stand for */
  mn_status status;        /* of the first evaluation that failed */
};

static void visit_fit(void *user, size_t i, const mn_smoother_weights *w)
{
  const struct search *s = user;
  s->fitted[i] = mn_weights_dot(w, s->m->y.at);
  s->diagonal[i] = mn_weight_of_row(w, i);
}

/* The criterion for the residuals of `fitted`. */
static double criterion(const struct search *s)
{
  double sum = 0, trace = 0;
  for (size_t i = 0; i < s->m->y.size; i++) {
    const double r = s->m->y.at[i] - s->fitted[i];
    sum += weight(s->m, i) / s->total * r * r;
    trace += s->diagonal[i];
  }
  if (s->rule != MN_RULE_AICC) return sum;
  const double rest = 1 - (trace + 2) / s->rows;
  return rest > 0 ? log(sum) + (1 + trace / s->rows) / rest : INFINITY;
}

static double evaluate(void *user, double t)
{
  struct search *s = user;
  if (s->status != MN_OK) return INFINITY;
  for (size_t j = 0; j < s->plan->d; j++) {
    if (s->column == SIZE_MAX || s->column == j) s->t[j] = t;
    s->bandwidth[j] = s->reference[j] * exp(s->t[j]);
  }
  mn_smoother_rescale(&s->m->x, s->plan);
  s->status = mn_smoother_pass(s->ctx, s->plan, &s->m->x, s->rule != MN_RULE_AICC, visit_fit, s);
  return s->status == MN_OK ? criterion(s) : INFINITY;
}

/* Factors of the grid for a common t: powers of 1.5 from about 1/38 to 38. */
enum { GRID_SIDE = 9 };
static const double LOG_STEP = 0.40546510810816438, TOLERANCE = 1e-5;

static mn_status minimize(struct search *s, double low, double high, double *t, double *best)
{
  double refined, value;
  MN_TRY(mn_brent_minimize(s->ctx, evaluate, s, low, high, TOLERANCE, &refined, &value));
  MN_TRY(s->status);
  if (value < *best) {
    *t = refined;
    *best = value;
  }
  evaluate(s, *t);
  return s->status;
}

static mn_status search_common(struct search *s, double *best)
{
  double t = 0;
  *best = INFINITY;
  for (int k = -GRID_SIDE; k <= GRID_SIDE; k++) {
    const double value = evaluate(s, k * LOG_STEP);
    MN_TRY(s->status);
    if (value < *best) {
      *best = value;
      t = k * LOG_STEP;
    }
  }
  return minimize(s, t - LOG_STEP, t + LOG_STEP, &t, best);
}

enum { MAX_CYCLES = 10 };
static const double LOG_RANGE = 1.5, ENOUGH = 1e-6;

static mn_status search_columns(struct search *s, double *best)
{
  for (int cycle = 0; cycle < MAX_CYCLES; cycle++) {
    const double before = *best;
    for (size_t j = 0; j < s->plan->d; j++) {
      double t = s->t[j];
      s->column = j;
      MN_TRY(minimize(s, t - LOG_RANGE, t + LOG_RANGE, &t, best));
    }
    if (!(*best < before * (1 - ENOUGH))) break;
  }
  return MN_OK;
}

mn_status mn_choose_bandwidths(mn_context *ctx, const mn_smoother *m, mn_smoother_plan *plan, mn_bandwidth_rule rule,
                               double *bandwidth, double *value)
{
  *value = (double)NAN;
  if (rule == MN_RULE_REFERENCE) return MN_OK;
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t d = plan->d, n = plan->n;
  double *reference = MN_RAW(ctx, double, d, 1), *t = MN_NEW(ctx, double, d, 1), *fitted = MN_RAW(ctx, double, n, 2);
  if (!reference || !t || !fitted) return MN_NO_MEMORY;
  memcpy(reference, bandwidth, d * sizeof *bandwidth);
  struct search s = { .ctx = ctx,
                      .m = m,
                      .plan = plan,
                      .rule = rule,
                      .reference = reference,
                      .t = t,
                      .bandwidth = bandwidth,
                      .fitted = fitted,
                      .diagonal = fitted + n,
                      .column = SIZE_MAX };
  s.total = total_weight(m);
  s.rows = mn_effective_rows(n, plan->weights, NULL);
  MN_TRY(search_common(&s, value));
  if (rule == MN_RULE_LOO_COLUMNS && d > 1) MN_TRY(search_columns(&s, value));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
