#include "cd.h"
#include <string.h>

static mn_status make_state(mn_context *ctx, mn_cd *s)
{
  s->b = MN_NEW(ctx, double, s->p, 1);
  s->g = MN_RAW(ctx, double, s->p, 1);
  s->set = MN_RAW(ctx, size_t, s->p, 1);
  s->in_set = MN_NEW(ctx, bool, s->p, 1);
  s->bound = MN_RAW(ctx, double, s->p, 1);
  s->rss = s->yy;
  return s->b && s->g && s->set && s->in_set && s->bound ? MN_OK : MN_NO_MEMORY;
}

mn_status mn_cd_from_gram(mn_context *ctx, mn_cd *s, size_t p, const double *gram, size_t ld, const double *c,
                          double yy)
{
  *s = (mn_cd){ .p = p, .yy = yy, .gram = gram, .ld = ld, .c = c };
  MN_TRY(make_state(ctx, s));
  memcpy(s->g, c, p * sizeof *c);
  return MN_OK;
}

mn_status mn_cd_from_columns(mn_context *ctx, mn_cd *s, const mn_cd_columns *z, const double *v)
{
  *s = (mn_cd){ .p = z->p, .z = z, .v = v, .r = MN_RAW(ctx, double, z->n, 1) };
  MN_CHECK_ALLOC(s->r);
  memcpy(s->r, v, z->n * sizeof *v);
  MN_TRY(make_state(ctx, s));
  MN_TRY(mn_cd_columns_refresh(ctx, s));
  s->yy = s->rss;
  return MN_OK;
}

static double factor_of(const double *factor, size_t j)
{
  return factor ? factor[j] : 1;
}

double mn_cd_max_l1(const mn_cd *s, const double *factor, bool positive)
{
  double largest = 0;
  for (size_t j = 0; j < s->p; j++)
    largest = fmax(largest, (positive ? s->g[j] : fabs(s->g[j])) / factor_of(factor, j));
  return largest;
}

/* Gap of the dual point v - Zb, by the Fenchel conjugate of the elastic net. No term is negative. */
static double conjugate_gap(size_t p, const double *b, const double *g, const double *bound, double l2, bool positive)
{
  double sum = 0;
  for (size_t j = 0; j < p; j++) {
    if (isinf(bound[j])) continue;
    const double beyond = fmax((positive ? g[j] : fabs(g[j])) - bound[j], 0);
    sum += fmax(bound[j] * fabs(b[j]) + l2 / 2 * b[j] * b[j] - g[j] * b[j] + beyond * beyond / (2 * l2), 0);
  }
  return sum;
}

/* The elastic net is a Lasso with the residual (v - Zb, -sqrt(l2) b). Returns the gap of the dual point that is this
 * residual, scaled by t <= 1 to be feasible: (1 - t)^2 A / 2 + sum_j (l1 |b_j| - t (g_j - l2 b_j) b_j), where A is the
 * sum of squares of the residual. */
static double scaled_gap(size_t p, const double *b, const double *g, const double *bound, double l2, bool positive,
                         double rss)
{
  double largest = 0, sum = 0, norm = rss;
  for (size_t j = 0; j < p; j++) {
    const double slope = g[j] - l2 * b[j];
    if (bound[j] > 0) largest = fmax(largest, (positive ? slope : fabs(slope)) / bound[j]);
    norm += l2 * b[j] * b[j];
  }
  const double scale = largest > 1 ? 1 / largest : 1;
  for (size_t j = 0; j < p; j++)
    if (b[j] != 0) sum += fmax(bound[j] * fabs(b[j]) - scale * (g[j] - l2 * b[j]) * b[j], 0);
  return (1 - scale) * (1 - scale) * norm / 2 + sum;
}

double mn_cd_duality_gap(size_t p, const double *b, const double *g, const double *bound, double l2, bool positive,
                         double rss)
{
  bool free = false;
  for (size_t j = 0; j < p; j++) free = free || bound[j] == 0;
  const double scaled = free ? INFINITY : scaled_gap(p, b, g, bound, l2, positive, rss);
  return l2 > 0 ? fmin(scaled, conjugate_gap(p, b, g, bound, l2, positive)) : scaled;
}

/* Without a penalty there is no dual: twice the largest gain of a single step. */
static double max_step_gain(const mn_cd *s, bool positive)
{
  double largest = 0;
  for (size_t j = 0; j < s->p; j++) {
    const double norm = s->z ? s->z->norm[j] : s->gram[j * s->ld + j];
    if (positive && s->b[j] == 0 && s->g[j] < 0) continue;
    if (norm > 0) largest = fmax(largest, s->g[j] * s->g[j] / norm);
  }
  return largest;
}

static mn_status full_gap(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q, double *gap)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  if (q->l1 == 0 && q->l2 == 0) {
    *gap = max_step_gain(s, q->positive);
    return MN_OK;
  }
  double *bound = MN_RAW(ctx, double, s->p, 1);
  MN_CHECK_ALLOC(bound);
  for (size_t j = 0; j < s->p; j++) bound[j] = q->l1 * factor_of(q->factor, j);
  *gap = mn_cd_duality_gap(s->p, s->b, s->g, bound, q->l2, q->positive, s->rss);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status add_column(mn_context *ctx, mn_cd *s, size_t j)
{
  s->in_set[j] = true;
  if (s->gram) return mn_cd_gram_add(ctx, s, j);
  s->set[s->size++] = j;
  return MN_OK;
}

/* Add nonzero coefficients, and columns whose gradient exceeds min_slope f_j, to the working set. */
static mn_status extend_set(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q, double min_slope, size_t *added)
{
  *added = 0;
  for (size_t j = 0; j < s->p; j++) {
    const double f = factor_of(q->factor, j), slope = q->positive ? s->g[j] : fabs(s->g[j]);
    if (s->in_set[j] || isinf(f) || (s->b[j] == 0 && !(slope > min_slope * f))) continue;
    MN_TRY(add_column(ctx, s, j));
    (*added)++;
  }
  return MN_OK;
}

/* The gradient above which columns enter the working set: l1, or more if many columns violate the optimality
 * conditions, so that about as many enter as are in the support. Found by bisection. */
static double entry_bound(const mn_cd *s, const mn_cd_penalty *q)
{
  enum { MIN_ADDED = 100, BISECTIONS = 30 };
  size_t support = 0, violations = 0;
  double high = 0;
  for (size_t j = 0; j < s->p; j++) {
    const double slope = (q->positive ? s->g[j] : fabs(s->g[j])) / factor_of(q->factor, j);
    support += s->b[j] != 0;
    if (s->in_set[j] || !(slope > q->l1)) continue;
    violations++;
    high = fmax(high, slope);
  }
  const size_t max_added = 2 * support > MIN_ADDED ? 2 * support : MIN_ADDED;
  if (s->gram || violations <= max_added) return q->l1;
  double low = q->l1;
  for (int round = 0; round < BISECTIONS; round++) {
    const double mid = (low + high) / 2;
    size_t count = 0;
    for (size_t j = 0; j < s->p; j++)
      count += !s->in_set[j] && (q->positive ? s->g[j] : fabs(s->g[j])) / factor_of(q->factor, j) > mid;
    if (count > max_added) low = mid;
    if (count <= max_added && count > 0) return mid;
    if (count == 0) high = mid;
  }
  return low;
}

static double objective_of(const mn_cd *s, const mn_cd_penalty *q)
{
  double sum = s->rss / 2;
  for (size_t j = 0; j < s->p; j++)
    if (s->b[j] != 0) sum += q->l1 * factor_of(q->factor, j) * fabs(s->b[j]) + q->l2 / 2 * s->b[j] * s->b[j];
  return sum;
}

mn_status mn_cd_solve(mn_context *ctx, mn_cd *s, const mn_cd_penalty *q, double before, double tol, int64_t max_iter,
                      mn_cd_report *r)
{
  static const double refine_below = 1e-9;
  const double max_gap = tol * s->yy;
  bool stationary = false;
  size_t added;
  *r = (mn_cd_report){ .gap = INFINITY };
  s->last_newton = 0;
  MN_TRY(extend_set(ctx, s, q, before > q->l1 ? fmax(2 * q->l1 - before, 0) : entry_bound(s, q), &added));
  for (;;) {
    const double target = s->gram ? max_gap / 2 : fmax(max_gap / 2, 0.1 * r->gap < INFINITY ? 0.1 * r->gap : 0);
    for (size_t k = 0; k < s->size; k++) s->bound[k] = q->l1 * factor_of(q->factor, s->set[k]);
    MN_TRY((s->gram ? mn_cd_gram_inner : mn_cd_columns_inner)(ctx, s, q, target, max_iter, r, &stationary));
    MN_TRY(s->gram ? mn_cd_gram_refresh(ctx, s, tol < refine_below) : mn_cd_columns_refresh(ctx, s));
    MN_TRY(full_gap(ctx, s, q, &r->gap));
    r->converged = r->gap <= max_gap;
    if (r->converged || r->n_iter >= max_iter || !mn_should_continue(ctx)) break;
    MN_TRY(extend_set(ctx, s, q, entry_bound(s, q), &added));
    r->converged = stationary && added == 0;
    if (r->converged) break;
  }
  r->objective = objective_of(s, q);
  return mn_error_status(ctx);
}
