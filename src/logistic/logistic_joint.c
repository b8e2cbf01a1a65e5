/* With similar columns, classes that take turns converge slowly: each undoes part of what the others did. A Newton step
 * for all of them at once, on the nonzero coefficients and the intercepts, avoids that. With fixed signs F is smooth;
 * in the Hessian the coefficients of classes t and u are coupled by
 *
 *     C sum_i w_i p_it ([t = u] - p_iu) x_i x_i'.
 *
 * The quadratic model is minimized with fixed signs: a coefficient that would change its sign stops at 0, and the
 * others continue. The step is halved until F falls.
 *
 * Boehning, Ann. Inst. Stat. Math. 44 (1992), for the Hessian; Nocedal & Wright (2006), section 16.5, for the signs. */
#include "logistic_joint.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "logistic_kernel.h"
#include <math.h>
#include <string.h>

enum { MAX_UNKNOWNS = 2000, MAX_VALUES = 1 << 24, MAX_DROPS = 40, MAX_HALVINGS = 30 };

struct joint_newton {
  const mn_logistic_problem *o;
  size_t n, p, k;
  size_t used, *column;     /* columns with a nonzero coefficient in some class */
  size_t width;             /* used, plus a column of ones where there is an intercept */
  double *x, *mean;         /* n x width: these columns, centered; used */
  size_t m, *unknown;       /* number of unknowns, and their positions in k x width, class by class */
  double *proba;            /* n x k                                                  */
  size_t count, *active;    /* unknowns that have not become 0 on the way */
  double *hessian, *factor; /* m x m                                                  */
  double *gradient, *model_gradient,
      *direction; /* m: gradient at the start, and of the model where the direction leads; the direction */
  double *step;   /* m: step of the active unknowns */
  double *next_score, *coef_change; /* n x k: scores after the step; width x k: change of the coefficients */
};

/* Find the used columns and count the unknowns. */
static mn_status count_unknowns(mn_context *ctx, struct joint_newton *s, const double *b)
{
  s->column = MN_RAW(ctx, size_t, s->p, 1);
  MN_CHECK_ALLOC(s->column);
  for (size_t j = 0; j < s->p; j++) {
    size_t classes = 0;
    for (size_t t = 0; t < s->k; t++) classes += b[t * s->p + j] != 0 || s->o->l1 == 0;
    if (classes > 0) s->column[s->used++] = j;
    s->m += classes;
  }
  s->width = s->used + (s->o->fit_intercept ? 1 : 0);
  s->m += s->o->fit_intercept ? s->k : 0;
  return MN_OK;
}

static mn_status alloc_workspace(mn_context *ctx, struct joint_newton *s)
{
  const size_t n = s->n, k = s->k;
  s->x = MN_RAW(ctx, double, n, s->width);
  s->mean = MN_NEW(ctx, double, s->width, 1);
  s->unknown = MN_RAW(ctx, size_t, s->m, 1);
  s->proba = MN_RAW(ctx, double, n, k);
  s->next_score = MN_RAW(ctx, double, n, k);
  s->hessian = MN_RAW(ctx, double, s->m, s->m);
  s->factor = MN_RAW(ctx, double, s->m, s->m);
  s->gradient = MN_NEW(ctx, double, s->m, 4);
  s->active = MN_RAW(ctx, size_t, s->m, 1);
  s->coef_change = MN_RAW(ctx, double, s->width, k);
  if (!s->x || !s->mean || !s->unknown || !s->proba || !s->next_score || !s->hessian || !s->gradient)
    return MN_NO_MEMORY;
  s->model_gradient = s->gradient + s->m;
  s->direction = s->gradient + 2 * s->m;
  s->step = s->gradient + 3 * s->m;
  return s->coef_change && s->factor && s->active ? MN_OK : MN_NO_MEMORY;
}

/* Gather the used columns, centered with an intercept, which makes it nearly orthogonal to them. */
static mn_status gather_columns(mn_context *ctx, struct joint_newton *s)
{
  const mn_data *d = s->o->data;
  size_t *position = MN_RAW(ctx, size_t, s->p, 1);
  const double total = mn_total_weight(d);
  MN_CHECK_ALLOC(position);
  for (size_t j = 0; j < s->p; j++) position[j] = SIZE_MAX;
  for (size_t u = 0; u < s->used; u++) position[s->column[u]] = u;
  for (size_t i = 0; i < s->n; i++) {
    double *row = s->x + i * s->width;
    for (size_t u = 0; u < s->width; u++) row[u] = u == s->used ? 1 : d->sparse ? 0 : mn_row(&d->x, i)[s->column[u]];
    for (size_t e = d->sparse ? d->sparse->start[i] : 0; d->sparse && e < d->sparse->start[i + 1]; e++)
      if (position[d->sparse->col[e]] < SIZE_MAX) row[position[d->sparse->col[e]]] = d->sparse->at[e];
    for (size_t u = 0; u < s->used; u++) s->mean[u] += mn_weight(d, i) * row[u];
  }
  for (size_t u = 0; u < s->used; u++) s->mean[u] *= s->o->fit_intercept ? 1 / total : 0;
  for (size_t i = 0; i < s->n; i++)
    for (size_t u = 0; u < s->used; u++) s->x[i * s->width + u] -= s->mean[u];
  return MN_OK;
}

static bool is_intercept(const struct joint_newton *s, size_t unknown)
{
  return s->unknown[unknown] % s->width == s->used;
}

/* Coefficient of an unknown that is not an intercept. */
static double *coefficient_of(const struct joint_newton *s, size_t unknown, double *b)
{
  return b + s->unknown[unknown] / s->width * s->p + s->column[s->unknown[unknown] % s->width];
}

/* List the unknowns: class by class, the nonzero coefficients and the intercept. */
static void list_unknowns(struct joint_newton *s, const double *b)
{
  s->m = 0;
  for (size_t t = 0; t < s->k; t++)
    for (size_t u = 0; u < s->width; u++)
      if (u == s->used || s->o->l1 == 0 || b[t * s->p + s->column[u]] != 0) s->unknown[s->m++] = t * s->width + u;
}

static double penalty_at(const struct joint_newton *s, double *b)
{
  double sum = 0;
  for (size_t a = 0; a < s->m; a++) {
    if (is_intercept(s, a)) continue;
    const double value = *coefficient_of(s, a, b);
    sum += s->o->l1 * fabs(value) + s->o->l2 / 2 * value * value;
  }
  return sum;
}

/* Gradient with fixed signs, and the probabilities. */
static mn_status compute_gradient(mn_context *ctx, struct joint_newton *s, double *b, const double *score, double *loss)
{
  const mn_data *d = s->o->data;
  memcpy(s->proba, score, s->n * s->k * sizeof *score);
  *loss = mn_softmax_loss(s->n, s->k, s->k, s->proba, d->code, d->weights);
  MN_TRY(mn_gemm(ctx, true, false, s->width, s->k, s->n, s->o->C, s->x, s->width, s->proba, s->k, 0, s->coef_change,
                 s->k));
  for (size_t a = 0; a < s->m; a++) {
    s->gradient[a] = s->coef_change[s->unknown[a] % s->width * s->k + s->unknown[a] / s->width];
    if (is_intercept(s, a)) continue;
    const double value = *coefficient_of(s, a, b);
    s->gradient[a] += s->o->l2 * value + (s->o->l1 > 0 ? copysign(s->o->l1, value) : 0);
  }
  for (size_t i = 0; i < s->n; i++) { /* from w (p - y) to p */
    const double w = mn_weight(d, i);
    double *row = s->proba + i * s->k;
    for (size_t t = 0; t < s->k; t++) row[t] = w > 0 ? row[t] / w : 0;
    row[d->code[i]] += w > 0 ? 1 : 0;
  }
  return MN_OK;
}

/* Block of the Hessian for two classes. */
static mn_status add_pair(mn_context *ctx, struct joint_newton *s, size_t t, size_t u, const size_t *first)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *w = MN_RAW(ctx, double, s->n, 1), *gram = MN_RAW(ctx, double, s->width, s->width);
  if (!w || !gram) return MN_NO_MEMORY;
  for (size_t i = 0; i < s->n; i++) {
    const double *row = s->proba + i * s->k;
    w[i] = s->o->C * mn_weight(s->o->data, i) * row[t] * ((t == u ? 1 : 0) - row[u]);
  }
  MN_TRY(mn_syrk(ctx, s->n, s->width, s->x, s->width, w, NULL, gram, s->width));
  for (size_t a = first[t]; a < first[t + 1]; a++)
    for (size_t c = first[u]; c < first[u + 1]; c++)
      s->hessian[a * s->m + c] = s->hessian[c * s->m + a] =
          gram[s->unknown[a] % s->width * s->width + s->unknown[c] % s->width];
  mn_scratch_release(ctx, mark);
  return mn_poll(ctx);
}

/* The whole Hessian. A common shift of the intercepts changes nothing: that direction gets curvature of its own. */
static mn_status compute_hessian(mn_context *ctx, struct joint_newton *s)
{
  size_t *first = MN_RAW(ctx, size_t, s->k + 1, 1), a = 0;
  double max_curvature = 0;
  MN_CHECK_ALLOC(first);
  for (size_t t = 0; t <= s->k; t++) {
    while (a < s->m && s->unknown[a] / s->width < t) a++;
    first[t] = a;
  }
  for (size_t t = 0; t < s->k; t++)
    for (size_t u = 0; u <= t; u++) MN_TRY(add_pair(ctx, s, t, u, first));
  for (size_t i = 0; i < s->m; i++)
    if (is_intercept(s, i)) max_curvature = fmax(max_curvature, s->hessian[i * s->m + i]);
  for (size_t i = 0; i < s->m; i++) {
    if (!is_intercept(s, i)) s->hessian[i * s->m + i] += s->o->l2;
    for (size_t j = 0; j < s->m && is_intercept(s, i); j++)
      s->hessian[i * s->m + j] += is_intercept(s, j) ? max_curvature : 0;
  }
  return MN_OK;
}

/* Newton step of the active unknowns. Where columns are collinear a small multiple of the identity is added; the long
 * step then ends at the next coefficient that becomes 0. *found: a step exists. */
static mn_status solve_step(mn_context *ctx, struct joint_newton *s, bool *found)
{
  const size_t n = s->count;
  double largest = 0;
  size_t minor = 1;
  for (double jitter = 0; minor > 0 && jitter<1e-5; jitter = jitter> 0 ? 100 * jitter : 1e-13) {
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j <= i; j++) s->factor[i * n + j] = s->hessian[s->active[i] * s->m + s->active[j]];
    for (size_t i = 0; i < n; i++) largest = fmax(largest, s->factor[i * n + i]);
    for (size_t i = 0; i < n; i++) s->factor[i * n + i] += jitter * largest;
    MN_TRY(mn_chol_try(ctx, n, s->factor, NULL, &minor));
  }
  *found = minor == 0;
  for (size_t i = 0; i < n; i++) s->step[i] = -s->model_gradient[s->active[i]];
  return *found ? mn_chol_apply(ctx, n, 1, s->factor, s->step) : MN_OK;
}

/* Follow the step to its end or until a coefficient becomes 0, which is then no longer active. Returns whether that
 * happened. */
static bool step_to_sign_change(struct joint_newton *s, double *b)
{
  double step_length = 1;
  size_t first = s->count, kept = 0;
  const size_t before = s->count;
  for (size_t i = 0; i < s->count && s->o->l1 > 0; i++) {
    if (is_intercept(s, s->active[i])) continue;
    const double value = *coefficient_of(s, s->active[i], b) + s->direction[s->active[i]];
    if (!(value * s->step[i] < 0 && -value / s->step[i] <= step_length)) continue;
    step_length = -value / s->step[i];
    first = i;
  }
  for (size_t i = 0; i < s->count; i++) {
    const size_t a = s->active[i];
    for (size_t c = 0; c < s->m; c++) s->model_gradient[c] += step_length * s->step[i] * s->hessian[a * s->m + c];
    s->direction[a] = i == first ? -*coefficient_of(s, a, b) : s->direction[a] + step_length * s->step[i];
    if (i != first) s->active[kept++] = a;
  }
  s->count = kept;
  return kept < before;
}

/* Minimize the model with fixed signs; *gain: by how much the model falls. */
static mn_status minimize_model(mn_context *ctx, struct joint_newton *s, double *b, double *gain)
{
  bool keep_going = true;
  memcpy(s->model_gradient, s->gradient, s->m * sizeof *s->model_gradient);
  for (s->count = 0; s->count < s->m; s->count++) s->active[s->count] = s->count;
  for (int drops = 0; keep_going && s->count > 0 && drops < MAX_DROPS; drops++) {
    MN_TRY(solve_step(ctx, s, &keep_going));
    keep_going = keep_going && step_to_sign_change(s, b);
    MN_TRY(mn_poll(ctx));
  }
  *gain = 0;
  for (size_t a = 0; a < s->m; a++) *gain -= s->direction[a] * (s->gradient[a] + s->model_gradient[a]) / 2;
  return MN_OK;
}

/* Coefficients (in `trial`, k x p) and scores (in s->next_score) at a fraction of the direction. */
static mn_status evaluate_step(mn_context *ctx, struct joint_newton *s, double step_length, double *b,
                               const double *score, double *trial)
{
  memset(s->coef_change, 0, s->width * s->k * sizeof *s->coef_change);
  for (size_t a = 0; a < s->m; a++) {
    s->coef_change[s->unknown[a] % s->width * s->k + s->unknown[a] / s->width] = step_length * s->direction[a];
    if (!is_intercept(s, a)) *coefficient_of(s, a, trial) = *coefficient_of(s, a, b) + step_length * s->direction[a];
  }
  memcpy(s->next_score, score, s->n * s->k * sizeof *score);
  return mn_gemm(ctx, false, false, s->n, s->k, s->width, 1, s->x, s->width, s->coef_change, s->k, 1, s->next_score,
                 s->k);
}

/* Backtrack until F is lower. */
static mn_status line_search(mn_context *ctx, struct joint_newton *s, double before, double *b, double *c,
                             double *score, double *value)
{
  const mn_data *d = s->o->data;
  double *trial = MN_NEW(ctx, double, s->k, s->p), *residual = MN_RAW(ctx, double, s->n, s->k), step_length = 1;
  if (!trial || !residual) return MN_NO_MEMORY;
  for (int halvings = 0; halvings < MAX_HALVINGS; halvings++, step_length /= 2) {
    MN_TRY(evaluate_step(ctx, s, step_length, b, score, trial));
    memcpy(residual, s->next_score, s->n * s->k * sizeof *residual);
    const double loss = mn_softmax_loss(s->n, s->k, s->k, residual, d->code, d->weights);
    const double now = s->o->C * loss + penalty_at(s, trial);
    if (!(now < before)) continue;
    memcpy(b, trial, s->k * s->p * sizeof *b);
    memcpy(score, s->next_score, s->n * s->k * sizeof *score);
    for (size_t t = 0; t < s->k; t++)
      for (size_t u = 0; u < s->width; u++)
        c[t] += u == s->used ? s->coef_change[u * s->k + t] : -s->mean[u] * s->coef_change[u * s->k + t];
    *value = now;
    return MN_OK;
  }
  return MN_OK;
}

mn_status mn_logistic_joint_step(mn_context *ctx, const mn_logistic_problem *o, double *b, double *c, double *score,
                                 double *value, double *gain)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct joint_newton s = { .o = o, .n = o->data->rows, .p = o->data->features, .k = o->decisions };
  double loss;
  *gain = (double)NAN;
  MN_TRY(count_unknowns(ctx, &s, b));
  if (s.m == 0 || s.m > MAX_UNKNOWNS || s.n > MAX_VALUES / s.width) {
    mn_scratch_release(ctx, mark);
    return MN_OK;
  }
  MN_TRY(alloc_workspace(ctx, &s));
  list_unknowns(&s, b);
  MN_TRY(gather_columns(ctx, &s));
  MN_TRY(compute_gradient(ctx, &s, b, score, &loss));
  MN_TRY(compute_hessian(ctx, &s));
  MN_TRY(minimize_model(ctx, &s, b, gain));
  MN_TRY(line_search(ctx, &s, o->C * loss + penalty_at(&s, b), b, c, score, value));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
