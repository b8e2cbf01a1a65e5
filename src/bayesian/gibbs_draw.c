/* Draws of the weights, of the variance of the noise and of the scale of the prior.
 *
 * With S = diag(d)^1/2, B = I + S X'X S, R = y'y - y'X S inv(B) S X'y and m degrees of freedom (the weights of the rows
 * less 1 for the constant)
 *
 *     p(y | d) ~ |B|^-1/2 R^-(m/2),    s2 | d ~ IG(m / 2, R / 2),    b = sigma S t,    t ~ N(inv(B) S X'y / sigma,
 * inv(B))
 *
 * by the Cholesky factor of B, whose eigenvalues are at least 1 whatever d. With fewer rows than columns |B| is
 * |I + X D X'|, R is y' inv(I + X D X') y, and by Bhattacharya, Chakraborty & Mallick, Biometrika 103 (2016), for
 * normal u and e
 *
 *     t = u + S X' inv(I + X D X') (y / sigma - X S u - e).
 *
 * Given the weights their common scale hardly moves, so a step of it is tried with the weights and s2 integrated out,
 * as by Johndrow, Orenstein & Bhattacharya, JMLR 21 (2020). */
#include "../linalg/lapack.h"
#include "../linalg/product.h"
#include "gibbs_parts.h"
#include <float.h>
#include <string.h>

mn_status mn_gibbs_room(mn_context *ctx, const mn_gibbs_data *s, mn_gibbs_work *room)
{
  const size_t rows = s->data->rows, order = s->gram ? s->used : rows;
  room->now.l = MN_RAW(ctx, double, order, order);
  room->now.z = MN_RAW(ctx, double, order, 1);
  room->next.l = MN_RAW(ctx, double, order, order);
  room->next.z = MN_RAW(ctx, double, order, 1);
  room->root = MN_RAW(ctx, double, 3, s->used);
  room->v = MN_RAW(ctx, double, s->gram ? 0 : rows, 1);
  if (!room->now.l || !room->now.z || !room->next.l || !room->next.z || !room->root || !room->v) return MN_NO_MEMORY;
  room->t = room->root + s->used;
  room->u = room->root + 2 * s->used;
  return MN_OK;
}

/* --- y given d --- */

/* d within bounds: no weight can tell more extreme ones apart. */
static void take_roots(const mn_gibbs_data *s, const mn_gibbs_state *state, double scale, double *root)
{
  for (size_t j = 0; j < s->used; j++) root[j] = sqrt(fmin(fmax(scale * scale * state->d[j], 1e-30), s->most[j]));
}

static mn_status factor_narrow(mn_context *ctx, const mn_gibbs_data *s, const double *root, mn_gibbs_factor *f)
{
  const size_t p = s->used;
  for (size_t j = 0; j < p; j++) {
    double *row = f->l + j * p;
    for (size_t k = 0; k <= j; k++) row[k] = s->gram[j * p + k] * root[j] * root[k];
    row[j] += 1;
    memset(row + j + 1, 0, (p - j - 1) * sizeof *row);
    f->z[j] = s->xy[j] * root[j];
  }
  MN_TRY(mn_chol(ctx, p, f->l, NULL));
  MN_TRY(mn_chol_lower(ctx, p, 1, f->l, f->z));
  f->logdet = mn_chol_logdet(p, f->l);
  f->rest = s->yy;
  for (size_t j = 0; j < p; j++) f->rest -= f->z[j] * f->z[j];
  return MN_OK;
}

static mn_status factor_wide(mn_context *ctx, const mn_gibbs_data *s, const double *root, double *square,
                             mn_gibbs_factor *f)
{
  const size_t p = s->used, n = s->data->rows;
  for (size_t j = 0; j < p; j++) square[j] = root[j] * root[j];
  MN_TRY(mn_syrk(ctx, p, n, s->column_values, n, square, NULL, f->l, n));
  for (size_t i = 0; i < n; i++) f->l[i * n + i] += 1;
  memcpy(f->z, s->y, n * sizeof *f->z);
  MN_TRY(mn_chol(ctx, n, f->l, NULL));
  MN_TRY(mn_chol_lower(ctx, n, 1, f->l, f->z));
  f->logdet = mn_chol_logdet(n, f->l);
  f->rest = 0;
  for (size_t i = 0; i < n; i++) f->rest += f->z[i] * f->z[i];
  return MN_OK;
}

/* For scale^2 d; y is of variance 1: what lies below is rounding of the sums. */
static mn_status factor(mn_context *ctx, const mn_gibbs_data *s, const mn_gibbs_state *state, double scale,
                        mn_gibbs_work *room, mn_gibbs_factor *f)
{
  take_roots(s, state, scale, room->root);
  MN_TRY(s->gram ? factor_narrow(ctx, s, room->root, f) : factor_wide(ctx, s, room->root, room->u, f));
  f->rest = fmax(f->rest, DBL_EPSILON * s->n);
  return MN_OK;
}

/* A step of the logarithm of the scale, by Metropolis: of any size from small to large, as the posterior may be narrow
 * or wide. */
static mn_status try_scale(mn_context *ctx, const mn_gibbs *m, const mn_gibbs_prior *prior, const mn_gibbs_data *s,
                           mn_gibbs_work *room, mn_gibbs_state *state)
{
  mn_rng *random = &state->random;
  const double size = 0.25 + mn_random_exponential(random), scale = exp(size * mn_random_normal(random));
  MN_TRY(factor(ctx, s, state, scale, room, &room->next));
  const mn_gibbs_factor *a = &room->now, *b = &room->next;
  const double gain = (a->logdet - b->logdet + s->spare * (log(a->rest) - log(b->rest))) / 2 +
                      prior->log_density(m, state, scale) - prior->log_density(m, state, 1);
  if (!(gain > -mn_random_exponential(random))) return MN_OK;
  const mn_gibbs_factor before = room->now;
  room->now = room->next;
  room->next = before;
  for (size_t j = 0; j < s->used; j++) state->d[j] *= scale * scale;
  prior->rescale(m, state, scale);
  return MN_OK;
}

/* --- the weights given d and s2 --- */

static mn_status draw_narrow(mn_context *ctx, const mn_gibbs_data *s, mn_gibbs_work *room, mn_gibbs_state *state)
{
  for (size_t j = 0; j < s->used; j++) room->t[j] = room->now.z[j] / sqrt(state->s2) + mn_random_normal(&state->random);
  return mn_chol_upper(ctx, s->used, 1, room->now.l, room->t);
}

static mn_status draw_wide(mn_context *ctx, const mn_gibbs_data *s, mn_gibbs_work *room, mn_gibbs_state *state)
{
  const size_t p = s->used, n = s->data->rows;
  double *t = room->t, *u = room->u, *v = room->v;
  for (size_t j = 0; j < p; j++) {
    t[j] = mn_random_normal(&state->random);
    u[j] = t[j] * room->root[j];
  }
  for (size_t i = 0; i < n; i++) v[i] = s->y[i] / sqrt(state->s2) - mn_random_normal(&state->random);
  MN_TRY(mn_gemv(ctx, true, p, n, -1, s->column_values, n, u, 1, v));
  MN_TRY(mn_chol_apply(ctx, n, 1, room->now.l, v));
  MN_TRY(mn_gemv(ctx, false, p, n, 1, s->column_values, n, v, 0, u));
  for (size_t j = 0; j < p; j++) t[j] += u[j] * room->root[j];
  return MN_OK;
}

/* |y - X b|^2 */
static mn_status residual(mn_context *ctx, const mn_gibbs_data *s, const mn_gibbs_work *room, const double *b,
                          double *rss)
{
  const size_t p = s->used, n = s->data->rows;
  if (s->gram) {
    *rss = s->yy;
    for (size_t j = 0; j < p; j++) {
      double product = -2 * s->xy[j];
      for (size_t k = 0; k < p; k++) product += s->gram[j * p + k] * b[k];
      *rss += b[j] * product;
    }
    *rss = fmax(*rss, 0);
    return MN_OK;
  }
  memcpy(room->v, s->y, n * sizeof *room->v);
  MN_TRY(mn_gemv(ctx, true, p, n, -1, s->column_values, n, b, 1, room->v));
  *rss = 0;
  for (size_t i = 0; i < n; i++) *rss += room->v[i] * room->v[i];
  return MN_OK;
}

mn_status mn_gibbs_sweep(mn_context *ctx, const mn_gibbs *m, const mn_gibbs_prior *prior, const mn_gibbs_data *s,
                         mn_gibbs_work *room, mn_gibbs_state *state, double *deviance)
{
  double rss;
  MN_TRY(factor(ctx, s, state, 1, room, &room->now));
  if (prior->log_density(m, state, 1) > -INFINITY) MN_TRY(try_scale(ctx, m, prior, s, room, state));
  const double shape = fmax(s->spare / 2, 0.5);
  state->s2 = fmin(room->now.rest / 2 / mn_random_gamma(&state->random, shape), 1 / DBL_EPSILON);
  take_roots(s, state, 1, room->root);
  MN_TRY(s->gram ? draw_narrow(ctx, s, room, state) : draw_wide(ctx, s, room, state));
  for (size_t j = 0; j < s->used; j++) state->b[j] = sqrt(state->s2) * room->root[j] * room->t[j];
  MN_TRY(residual(ctx, s, room, state->b, &rss));
  *deviance = s->n * log(2 * M_PI * state->s2 * s->y_scale * s->y_scale) + rss / state->s2;
  prior->draw(m, state);
  return mn_poll(ctx);
}

/* --- the rows as the sampler sees them --- */

/* Columns that vary: their squares about the mean are more than rounding. */
static void find_varying(mn_gibbs_data *s, const double *squares, bool standardize, bool unit_length)
{
  static const double rounding = 1e-14;
  for (size_t j = 0; j < s->p; j++) {
    const double length = sqrt(squares[j]);
    if (!(length > rounding * fabs(s->mean[j]) * sqrt(s->n))) continue;
    s->column[s->used] = j;
    s->scale[s->used] = !standardize ? 1 : unit_length ? length : length / sqrt(s->n);
    s->most[s->used] = 1e12 / (squares[j] / s->scale[s->used] / s->scale[s->used]);
    s->used++;
  }
}

static void scale_answers(mn_gibbs_data *s, double square)
{
  const double rounding = 1e-14 * fabs(s->mean[s->p]);
  s->y_scale = sqrt(square / s->n);
  s->yy = s->n;
  if (s->y_scale > rounding) return;
  s->y_scale = 1; /* a constant y: nothing to explain */
  s->yy = 0;
}

static mn_status prepare_narrow(mn_context *ctx, const mn_gibbs *m, bool unit_length, mn_gibbs_data *s)
{
  const mn_data *d = s->data;
  const size_t p = s->p, both = p + 1;
  double *g = MN_RAW(ctx, double, both, both), *squares = MN_RAW(ctx, double, p, 1);
  if (!g || !squares) return MN_NO_MEMORY;
  MN_TRY(mn_gram(ctx, d->rows, p, d->x.at, p, 1, d->y.at, 1, d->weights, m->fit_intercept, &s->n, s->mean, g, both));
  if (!m->fit_intercept) memset(s->mean, 0, both * sizeof *s->mean);
  for (size_t j = 0; j < p; j++) squares[j] = g[j * both + j];
  find_varying(s, squares, m->standardize, unit_length);
  scale_answers(s, g[p * both + p]);
  s->gram = MN_RAW(ctx, double, s->used, s->used);
  s->xy = MN_NEW(ctx, double, s->used, 1);
  if (!s->gram || !s->xy) return MN_NO_MEMORY;
  for (size_t a = 0; a < s->used; a++) {
    const double *row = g + s->column[a] * both;
    for (size_t c = 0; c < s->used; c++) s->gram[a * s->used + c] = row[s->column[c]] / s->scale[a] / s->scale[c];
    if (s->yy > 0) s->xy[a] = row[p] / s->scale[a] / s->y_scale;
  }
  return MN_OK;
}

static mn_status prepare_wide(mn_context *ctx, const mn_gibbs *m, bool unit_length, mn_gibbs_data *s)
{
  const mn_data *d = s->data;
  const size_t p = s->p, n = d->rows;
  double *squares = MN_NEW(ctx, double, p + 1, 1);
  MN_CHECK_ALLOC(squares);
  s->n = mn_linear_means(d, s->mean);
  if (!m->fit_intercept) memset(s->mean, 0, (p + 1) * sizeof *s->mean);
  for (size_t i = 0; i < n; i++) {
    const double w = mn_weight(d, i), off = d->y.at[i] - s->mean[p];
    for (size_t j = 0; j < p; j++) {
      const double z = d->x.at[i * p + j] - s->mean[j];
      squares[j] += w * z * z;
    }
    squares[p] += w * off * off;
  }
  find_varying(s, squares, m->standardize, unit_length);
  scale_answers(s, squares[p]);
  s->column_values = MN_RAW(ctx, double, s->used, n);
  s->y = MN_NEW(ctx, double, n, 1);
  if (!s->column_values || !s->y) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    const double root = sqrt(mn_weight(d, i));
    for (size_t a = 0; a < s->used; a++)
      s->column_values[a * n + i] = root * (d->x.at[i * p + s->column[a]] - s->mean[s->column[a]]) / s->scale[a];
    if (s->yy > 0) s->y[i] = root * (d->y.at[i] - s->mean[p]) / s->y_scale;
  }
  return MN_OK;
}

mn_status mn_gibbs_prepare(mn_context *ctx, const mn_gibbs *m, const mn_data *data, bool unit_length,
                           mn_gibbs_data *out)
{
  const size_t p = data->features;
  *out = (mn_gibbs_data){ .data = data, .p = p };
  out->column = MN_RAW(ctx, size_t, p, 1);
  out->mean = MN_NEW(ctx, double, p + 1, 1);
  out->scale = MN_RAW(ctx, double, p, 1);
  out->most = MN_RAW(ctx, double, p, 1);
  if (!out->column || !out->mean || !out->scale || !out->most) return MN_NO_MEMORY;
  MN_TRY(data->rows < p ? prepare_wide(ctx, m, unit_length, out) : prepare_narrow(ctx, m, unit_length, out));
  out->spare = out->n - (m->fit_intercept ? 1 : 0);
  return MN_OK;
}
