/* L1 penalties, and hinge losses of few columns, by the solvers of descent.h, which divide the objective by the sum of
 * the costs. A penalized intercept becomes a coefficient of a further column there. */
#include "../linalg/csr.h"
#include "../loss/descent.h"
#include "linear_svm_model.h"
#include <string.h>

static mn_status add_dense_column(mn_context *ctx, const mn_linear_svm *s, mn_data *out)
{
  out->x = (mn_matrix){ .at = MN_RAW(ctx, double, s->n, s->p + 1), .rows = s->n, .cols = s->p + 1 };
  MN_CHECK_ALLOC(out->x.at);
  for (size_t i = 0; i < s->n; i++) {
    memcpy(mn_row(&out->x, i), mn_row(&s->data->x, i), s->p * sizeof(double));
    mn_row(&out->x, i)[s->p] = s->scaling;
  }
  return MN_OK;
}

static mn_status add_sparse_column(mn_context *ctx, const mn_linear_svm *s, mn_data *out)
{
  const mn_csr *from = s->data->sparse;
  const size_t size = from->start[s->n] + s->n;
  mn_csr *to = MN_NEW(ctx, mn_csr, 1, 1);
  MN_CHECK_ALLOC(to);
  *to = (mn_csr){ .rows = s->n, .cols = s->p + 1 };
  to->start = MN_RAW(ctx, size_t, s->n + 1, 1);
  to->col = MN_RAW(ctx, int32_t, size, 1);
  to->at = MN_RAW(ctx, double, size, 1);
  if (!to->start || !to->col || !to->at) return MN_NO_MEMORY;
  for (size_t i = 0; i <= s->n; i++) to->start[i] = from->start[i] + i;
  for (size_t i = 0; i < s->n; i++) {
    const size_t begin = from->start[i], length = from->start[i + 1] - begin;
    memcpy(to->at + to->start[i], from->at + begin, length * sizeof *to->at);
    memcpy(to->col + to->start[i], from->col + begin, length * sizeof *to->col);
    to->at[to->start[i + 1] - 1] = s->scaling;
    to->col[to->start[i + 1] - 1] = (int32_t)s->p;
  }
  out->sparse = to;
  return MN_OK;
}

static size_t loss_of(const mn_linear_svm *s, const struct mn_linear_svm_model *m)
{
  if (m->linear.base.class->capabilities & MN_CLASSIFY) return s->squared ? MN_LOSS_SQUARED_HINGE : MN_LOSS_HINGE;
  return s->squared ? MN_LOSS_SQUARED_EPSILON_INSENSITIVE : MN_LOSS_EPSILON_INSENSITIVE;
}

/* F at b and c, and with an L1 norm its distance from the dual at the slopes, shrunk until |X'g| <= 1 in each column.
 */
static mn_status finish(mn_context *ctx, const mn_linear_svm *s, bool l1, const double *b, double *c,
                        mn_linear_svm_result *r)
{
  double *z = MN_RAW(ctx, double, s->n, 1), *g = MN_RAW(ctx, double, s->n, 1), *image = MN_RAW(ctx, double, s->p, 1);
  double total = 0, linear = 0, square = 0, largest = 1, sum = 0;
  if (!z || !g || !image) return MN_NO_MEMORY;
  MN_TRY(mn_svm_scores(ctx, s, b, z));
  if (s->intercept == MN_SVM_FREE) MN_TRY(mn_svm_best_intercept(ctx, s, z, c));
  const double loss = mn_svm_loss(s, z, *c);
  if (!l1) {
    r->objective = loss + mn_svm_penalty(s, b, *c);
    return MN_OK;
  }
  for (size_t i = 0; i < s->n; i++) {
    const double residual = s->target[i] - z[i] - *c;
    g[i] = 2 * (s->up[i] * fmax(residual - s->tube, 0) - s->down[i] * fmax(-residual - s->tube, 0));
    sum += g[i];
    linear += s->target[i] * g[i] - s->tube * fabs(g[i]);
    square += g[i] * g[i] / (4 * mn_svm_cost(s, i));
  }
  MN_TRY(mn_svm_transposed(ctx, s, g, image));
  for (size_t j = 0; j < s->p; j++) {
    total += fabs(b[j]);
    largest = fmax(largest, fabs(image[j]));
  }
  if (s->intercept == MN_SVM_PENALIZED) {
    total += fabs(*c) / s->scaling;
    largest = fmax(largest, fabs(sum) * s->scaling);
  }
  r->objective = loss + total;
  if (s->squared) r->gap = fmax(r->objective - (linear / largest - square / largest / largest), 0);
  return MN_OK;
}

/* Whether no g within its bounds can pull a coefficient away from 0: sum_i cost_i |x_ij| <= 1 for each column. The
 * interior point method would meet costs that vanish beside the L1 norm. */
static mn_status costs_are_negligible(mn_context *ctx, const mn_linear_svm *s, bool *out)
{
  const mn_csr *x = s->data->sparse;
  double *pull = MN_NEW(ctx, double, s->p, 1), total = 0;
  MN_CHECK_ALLOC(pull);
  for (size_t i = 0; i < s->n; i++) {
    const double cost = mn_svm_cost(s, i);
    total += cost;
    for (size_t e = x ? x->start[i] : 0; e < (x ? x->start[i + 1] : s->p); e++)
      pull[x ? (size_t)x->col[e] : e] += cost * fabs(x ? x->at[e] : mn_row(&s->data->x, i)[e]);
  }
  *out = s->intercept != MN_SVM_PENALIZED || total * s->scaling <= 1;
  for (size_t j = 0; j < s->p; j++) *out = *out && pull[j] <= 1;
  return MN_OK;
}

struct scaled_progress {
  const mn_linear_svm *s;
  double unit; /* F in the unit of the objective of descent.h */
};

static bool report_progress(void *user, double objective)
{
  const struct scaled_progress *t = user;
  return t->s->progress(t->s->user, objective * t->unit);
}

static mn_descent make_descent(const struct mn_linear_svm_model *m, const mn_data *data, struct scaled_progress *t)
{
  const bool l1 = m->penalty == MN_SVM_L1;
  const mn_linear_svm *s = t->s;
  const double unit = t->unit;
  return (mn_descent){ .data = data,
                       .y = s->target,
                       .loss = &mn_linear_losses[loss_of(s, m)],
                       .parameter = s->tube,
                       .l1 = l1 ? 1 / unit : 0,
                       .l2 = l1 ? 0 : 1 / unit,
                       .tol = sqrt(s->tol) / 10,
                       .fit_intercept = s->intercept == MN_SVM_FREE,
                       .max_iter = s->max_iter,
                       .seed = s->seed,
                       .progress = report_progress,
                       .user = t };
}

/* Those solvers stop by other tests, so they continue with a smaller tolerance until the gap is small enough. */
mn_status mn_svm_solve_descent(mn_context *ctx, const mn_linear_svm *s, const struct mn_linear_svm_model *m, double *b,
                               double *c, mn_linear_svm_result *r)
{
  enum { ATTEMPTS = 6 };
  static const double min_l1_gap = 1e-7; /* the certificate of an L1 norm is of first order in the error */
  const bool extra = s->intercept == MN_SVM_PENALIZED;
  mn_data data = *s->data;
  data.features = s->p + extra;
  if (extra) MN_TRY((s->data->sparse ? add_sparse_column : add_dense_column)(ctx, s, &data));
  bool negligible = false;
  if (m->penalty == MN_SVM_L1) MN_TRY(costs_are_negligible(ctx, s, &negligible));
  if (negligible) {
    r->converged = true;
    return finish(ctx, s, true, b, c, r);
  }
  struct scaled_progress progress = { s, m->C * mn_total_weight(s->data) };
  mn_descent d = make_descent(m, &data, &progress);
  mn_descent_result found = { .converged = true };
  double *all = MN_RAW(ctx, double, s->p + 1, 1), *u = MN_RAW(ctx, double, s->p + 2, 1);
  if (!all || !u) return MN_NO_MEMORY;
  MN_TRY(mn_descent_init(ctx, &d));
  MN_TRY(mn_descent_set_target(ctx, &d, u));
  for (int attempt = 0; attempt < ATTEMPTS && found.converged && !r->converged; attempt++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    if (d.start_value > 0)
      MN_TRY((s->squared ? mn_descent_solve_coordinate : mn_descent_solve_interior)(ctx, &d, u, &found));
    MN_TRY(mn_error_status(ctx));
    mn_descent_to_coefficients(&d, u, all, c);
    memcpy(b, all, s->p * sizeof *b);
    if (extra) *c = all[s->p] * s->scaling;
    r->gap = found.duality_gap * progress.unit;
    MN_TRY(finish(ctx, s, m->penalty == MN_SVM_L1, b, c, r));
    r->converged = r->gap <= (s->squared ? fmax(s->tol, min_l1_gap) : s->tol) * r->objective;
    d.tol /= 10;
    d.subgradient_tol /= 10;
    mn_scratch_release(ctx, mark);
  }
  return MN_OK;
}
