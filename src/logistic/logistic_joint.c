/* Where columns are much alike, classes that take turns creep: each undoes a part of what the others did. A step of
 * Newton's method for all of them at once, on the weights that are not 0 and the constants, ends that. With the signs
 * as they are F is smooth there; in the Hessian, the weights of classes t and u meet through
 *
 *     C sum_i w_i p_it ([t = u] - p_iu) x_i x_i'.
 *
 * The quadratic model is minimised with the signs held: where a weight would change its sign the way ends there, the
 * weight stays 0, and the others go on. A step after which F is no lower is halved.
 *
 * Boehning, Ann. Inst. Stat. Math. 44 (1992), for the Hessian; Nocedal & Wright (2006), section 16.5, for the signs. */
#include "logistic_joint.h"
#include "../linalg/lapack.h"
#include "../linalg/product.h"
#include "logistic_kernel.h"
#include <math.h>
#include <string.h>

enum { MOST_UNKNOWNS = 2000, MOST_VALUES = 1 << 24, MOST_DROPS = 40, HALVINGS = 30 };

struct joint {
  const mn_logistic_cd *o;
  size_t n, p, k;
  size_t used, *column;           /* the columns of which a class has a weight              */
  size_t width;                   /* used, and one more of ones where there is a constant   */
  double *x, *mean;               /* n x width: these columns about their means; used       */
  size_t m, *at;                  /* unknowns: their places in k x width, class by class    */
  double *proba;                  /* n x k                                                  */
  size_t count, *live;            /* those that have not become 0 on the way                */
  double *hessian, *factor;       /* m x m                                                  */
  double *gradient, *slope, *way; /* m: at the start, of the model where the way has come   */
  double *step;                   /* m: of those that are live                              */
  double *next, *move;            /* n x k: scores after the step; width x k: what it adds to the weights */
};

/* The columns that are used, and how many unknowns there are. */
static mn_status find_unknowns(mn_context *ctx, struct joint *s, const double *b)
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

static mn_status make(mn_context *ctx, struct joint *s)
{
  const size_t n = s->n, k = s->k;
  s->x = MN_RAW(ctx, double, n, s->width);
  s->mean = MN_NEW(ctx, double, s->width, 1);
  s->at = MN_RAW(ctx, size_t, s->m, 1);
  s->proba = MN_RAW(ctx, double, n, k);
  s->next = MN_RAW(ctx, double, n, k);
  s->hessian = MN_RAW(ctx, double, s->m, s->m);
  s->factor = MN_RAW(ctx, double, s->m, s->m);
  s->gradient = MN_NEW(ctx, double, s->m, 4);
  s->live = MN_RAW(ctx, size_t, s->m, 1);
  s->move = MN_RAW(ctx, double, s->width, k);
  if (!s->x || !s->mean || !s->at || !s->proba || !s->next || !s->hessian || !s->gradient) return MN_NO_MEMORY;
  s->slope = s->gradient + s->m;
  s->way = s->gradient + 2 * s->m;
  s->step = s->gradient + 3 * s->m;
  return s->move && s->factor && s->live ? MN_OK : MN_NO_MEMORY;
}

/* The columns that are used, about their means where there is a constant, which then is nearly free of them. */
static mn_status lay_out(mn_context *ctx, struct joint *s)
{
  const mn_data *d = s->o->data;
  size_t *place = MN_RAW(ctx, size_t, s->p, 1);
  const double total = mn_total_weight(d);
  MN_CHECK_ALLOC(place);
  for (size_t j = 0; j < s->p; j++) place[j] = SIZE_MAX;
  for (size_t u = 0; u < s->used; u++) place[s->column[u]] = u;
  for (size_t i = 0; i < s->n; i++) {
    double *row = s->x + i * s->width;
    for (size_t u = 0; u < s->width; u++) row[u] = u == s->used ? 1 : d->sparse ? 0 : mn_row(&d->x, i)[s->column[u]];
    for (size_t e = d->sparse ? d->sparse->start[i] : 0; d->sparse && e < d->sparse->start[i + 1]; e++)
      if (place[d->sparse->col[e]] < SIZE_MAX) row[place[d->sparse->col[e]]] = d->sparse->at[e];
    for (size_t u = 0; u < s->used; u++) s->mean[u] += mn_weight(d, i) * row[u];
  }
  for (size_t u = 0; u < s->used; u++) s->mean[u] *= s->o->fit_intercept ? 1 / total : 0;
  for (size_t i = 0; i < s->n; i++)
    for (size_t u = 0; u < s->used; u++) s->x[i * s->width + u] -= s->mean[u];
  return MN_OK;
}

static bool is_constant(const struct joint *s, size_t unknown)
{
  return s->at[unknown] % s->width == s->used;
}

/* The weight of an unknown that is no constant. */
static double *weight_of(const struct joint *s, size_t unknown, double *b)
{
  return b + s->at[unknown] / s->width * s->p + s->column[s->at[unknown] % s->width];
}

/* Classes in turn; in each the weights that are not 0, and the constant. */
static void list_unknowns(struct joint *s, const double *b)
{
  s->m = 0;
  for (size_t t = 0; t < s->k; t++)
    for (size_t u = 0; u < s->width; u++)
      if (u == s->used || s->o->l1 == 0 || b[t * s->p + s->column[u]] != 0) s->at[s->m++] = t * s->width + u;
}

static double penalty_of(const struct joint *s, double *b)
{
  double sum = 0;
  for (size_t a = 0; a < s->m; a++) {
    if (is_constant(s, a)) continue;
    const double value = *weight_of(s, a, b);
    sum += s->o->l1 * fabs(value) + s->o->l2 / 2 * value * value;
  }
  return sum;
}

/* The gradient with the signs as they are, and the probabilities. Returns the loss. */
static mn_status find_gradient(mn_context *ctx, struct joint *s, double *b, const double *score, double *loss)
{
  const mn_data *d = s->o->data;
  memcpy(s->proba, score, s->n * s->k * sizeof *score);
  *loss = mn_softmax_loss(s->n, s->k, s->k, s->proba, d->code, d->weights);
  MN_TRY(mn_gemm(ctx, true, false, s->width, s->k, s->n, s->o->C, s->x, s->width, s->proba, s->k, 0, s->move, s->k));
  for (size_t a = 0; a < s->m; a++) {
    s->gradient[a] = s->move[s->at[a] % s->width * s->k + s->at[a] / s->width];
    if (is_constant(s, a)) continue;
    const double value = *weight_of(s, a, b);
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

/* The part of the Hessian of two classes. */
static mn_status add_pair(mn_context *ctx, struct joint *s, size_t t, size_t u, const size_t *first)
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
      s->hessian[a * s->m + c] = s->hessian[c * s->m + a] = gram[s->at[a] % s->width * s->width + s->at[c] % s->width];
  mn_scratch_release(ctx, mark);
  return mn_poll(ctx);
}

/* All of it. The constants may be moved alike, which changes nothing: that direction gets a curvature of its own. */
static mn_status find_hessian(mn_context *ctx, struct joint *s)
{
  size_t *first = MN_RAW(ctx, size_t, s->k + 1, 1), a = 0;
  double hold = 0;
  MN_CHECK_ALLOC(first);
  for (size_t t = 0; t <= s->k; t++) {
    while (a < s->m && s->at[a] / s->width < t) a++;
    first[t] = a;
  }
  for (size_t t = 0; t < s->k; t++)
    for (size_t u = 0; u <= t; u++) MN_TRY(add_pair(ctx, s, t, u, first));
  for (size_t i = 0; i < s->m; i++)
    if (is_constant(s, i)) hold = fmax(hold, s->hessian[i * s->m + i]);
  for (size_t i = 0; i < s->m; i++) {
    if (!is_constant(s, i)) s->hessian[i * s->m + i] += s->o->l2;
    for (size_t j = 0; j < s->m && is_constant(s, i); j++) s->hessian[i * s->m + j] += is_constant(s, j) ? hold : 0;
  }
  return MN_OK;
}

/* The step of those that are live, helped by a little of the identity where columns follow from others: then it leads
 * far, and ends at the next weight that becomes 0. *found: is there one? */
static mn_status find_step(mn_context *ctx, struct joint *s, bool *found)
{
  const size_t n = s->count;
  double largest = 0;
  size_t minor = 1;
  for (double jitter = 0; minor > 0 && jitter<1e-5; jitter = jitter> 0 ? 100 * jitter : 1e-13) {
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j <= i; j++) s->factor[i * n + j] = s->hessian[s->live[i] * s->m + s->live[j]];
    for (size_t i = 0; i < n; i++) largest = fmax(largest, s->factor[i * n + i]);
    for (size_t i = 0; i < n; i++) s->factor[i * n + i] += jitter * largest;
    MN_TRY(mn_chol_try(ctx, n, s->factor, NULL, &minor));
  }
  *found = minor == 0;
  for (size_t i = 0; i < n; i++) s->step[i] = -s->slope[s->live[i]];
  return *found ? mn_chol_apply(ctx, n, 1, s->factor, s->step) : MN_OK;
}

/* Along the step until it ends, or a weight is 0, which then is no longer live. Was it so? */
static bool walk(struct joint *s, double *b)
{
  double share = 1;
  size_t first = s->count, kept = 0;
  const size_t before = s->count;
  for (size_t i = 0; i < s->count && s->o->l1 > 0; i++) {
    if (is_constant(s, s->live[i])) continue;
    const double value = *weight_of(s, s->live[i], b) + s->way[s->live[i]];
    if (!(value * s->step[i] < 0 && -value / s->step[i] <= share)) continue;
    share = -value / s->step[i];
    first = i;
  }
  for (size_t i = 0; i < s->count; i++) {
    const size_t a = s->live[i];
    for (size_t c = 0; c < s->m; c++) s->slope[c] += share * s->step[i] * s->hessian[a * s->m + c];
    s->way[a] = i == first ? -*weight_of(s, a, b) : s->way[a] + share * s->step[i];
    if (i != first) s->live[kept++] = a;
  }
  s->count = kept;
  return kept < before;
}

/* The way to the minimum of the model with the signs held; what the model falls on it through *gain. */
static mn_status find_way(mn_context *ctx, struct joint *s, double *b, double *gain)
{
  bool go_on = true;
  memcpy(s->slope, s->gradient, s->m * sizeof *s->slope);
  for (s->count = 0; s->count < s->m; s->count++) s->live[s->count] = s->count;
  for (int drops = 0; go_on && s->count > 0 && drops < MOST_DROPS; drops++) {
    MN_TRY(find_step(ctx, s, &go_on));
    go_on = go_on && walk(s, b);
    MN_TRY(mn_poll(ctx));
  }
  *gain = 0;
  for (size_t a = 0; a < s->m; a++) *gain -= s->way[a] * (s->gradient[a] + s->slope[a]) / 2;
  return MN_OK;
}

/* Where `share` of the way leads: the weights there through `trial` (k x p), the scores through s->next. */
static mn_status reach(mn_context *ctx, struct joint *s, double share, double *b, const double *score, double *trial)
{
  memset(s->move, 0, s->width * s->k * sizeof *s->move);
  for (size_t a = 0; a < s->m; a++) {
    s->move[s->at[a] % s->width * s->k + s->at[a] / s->width] = share * s->way[a];
    if (!is_constant(s, a)) *weight_of(s, a, trial) = *weight_of(s, a, b) + share * s->way[a];
  }
  memcpy(s->next, score, s->n * s->k * sizeof *score);
  return mn_gemm(ctx, false, false, s->n, s->k, s->width, 1, s->x, s->width, s->move, s->k, 1, s->next, s->k);
}

/* Along the way, by halves until F is lower. */
static mn_status go(mn_context *ctx, struct joint *s, double before, double *b, double *c, double *score, double *value)
{
  const mn_data *d = s->o->data;
  double *trial = MN_NEW(ctx, double, s->k, s->p), *lost = MN_RAW(ctx, double, s->n, s->k), share = 1;
  if (!trial || !lost) return MN_NO_MEMORY;
  for (int halvings = 0; halvings < HALVINGS; halvings++, share /= 2) {
    MN_TRY(reach(ctx, s, share, b, score, trial));
    memcpy(lost, s->next, s->n * s->k * sizeof *lost);
    const double loss = mn_softmax_loss(s->n, s->k, s->k, lost, d->code, d->weights);
    const double now = s->o->C * loss + penalty_of(s, trial);
    if (!(now < before)) continue;
    memcpy(b, trial, s->k * s->p * sizeof *b);
    memcpy(score, s->next, s->n * s->k * sizeof *score);
    for (size_t t = 0; t < s->k; t++)
      for (size_t u = 0; u < s->width; u++)
        c[t] += u == s->used ? s->move[u * s->k + t] : -s->mean[u] * s->move[u * s->k + t];
    *value = now;
    return MN_OK;
  }
  return MN_OK;
}

mn_status mn_logistic_joint_step(mn_context *ctx, const mn_logistic_cd *o, double *b, double *c, double *score,
                                 double *value, double *gain)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct joint s = { .o = o, .n = o->data->rows, .p = o->data->features, .k = o->decisions };
  double loss;
  *gain = (double)NAN;
  MN_TRY(find_unknowns(ctx, &s, b));
  if (s.m == 0 || s.m > MOST_UNKNOWNS || s.n > MOST_VALUES / s.width) {
    mn_scratch_release(ctx, mark);
    return MN_OK;
  }
  MN_TRY(make(ctx, &s));
  list_unknowns(&s, b);
  MN_TRY(lay_out(ctx, &s));
  MN_TRY(find_gradient(ctx, &s, b, score, &loss));
  MN_TRY(find_hessian(ctx, &s));
  MN_TRY(find_way(ctx, &s, b, gain));
  MN_TRY(go(ctx, &s, o->C * loss + penalty_of(&s, b), b, c, score, value));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
