/* One sweep of the sampler: draws of the coefficients, the noise variance and the scale of the prior.
 *
 * With S = diag(d)^1/2, B = I + S X'X S, R = y'y - y'X S inv(B) S X'y and m degrees of freedom (the sum of the sample
 * weights, less 1 for the intercept),
 *
 *     p(y | d) ~ |B|^-1/2 R^-(m/2),    s2 | d ~ IG(m / 2, R / 2),
 *     b = sigma S t,    t ~ N(inv(B) S X'y / sigma, inv(B)),
 *
 * computed by the Cholesky factor of B, whose eigenvalues are at least 1 for any d. With fewer rows than columns, |B|
 * is |I + X D X'|, R is y' inv(I + X D X') y, and for standard normal u and e
 *
 *     t = u + S X' inv(I + X D X') (y / sigma - X S u - e)
 *
 * (Bhattacharya, Chakraborty & Mallick, Biometrika 103 (2016)).
 *
 * Given the coefficients their common scale mixes slowly, so a Metropolis step of the scale is made with the
 * coefficients and s2 integrated out (Johndrow, Orenstein & Bhattacharya, JMLR 21 (2020)). */
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "gibbs_internal.h"
#include <float.h>
#include <string.h>

mn_status mn_gibbs_workspace_init(mn_context *ctx, const mn_gibbs_data *s, mn_gibbs_workspace *ws)
{
  const size_t rows = s->data->rows, order = s->gram ? s->used : rows;
  ws->current.l = MN_RAW(ctx, double, order, order);
  ws->current.z = MN_RAW(ctx, double, order, 1);
  ws->proposal.l = MN_RAW(ctx, double, order, order);
  ws->proposal.z = MN_RAW(ctx, double, order, 1);
  ws->root = MN_RAW(ctx, double, 3, s->used);
  ws->v = MN_RAW(ctx, double, s->gram ? 0 : rows, 1);
  if (!ws->current.l || !ws->current.z || !ws->proposal.l || !ws->proposal.z || !ws->root || !ws->v)
    return MN_NO_MEMORY;
  ws->t = ws->root + s->used;
  ws->u = ws->root + 2 * s->used;
  return MN_OK;
}

/* root_j = scale sqrt(d_j), clamped to the range that makes a difference to the coefficients. */
static void compute_roots(const mn_gibbs_data *s, const mn_gibbs_state *state, double scale, double *root)
{
  for (size_t j = 0; j < s->used; j++) root[j] = sqrt(fmin(fmax(scale * scale * state->d[j], 1e-30), s->max_d[j]));
}

static mn_status factor_tall(mn_context *ctx, const mn_gibbs_data *s, const double *root, mn_gibbs_factor *f)
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

/* Factor for the variances scale^2 d. y has variance 1, so a smaller R is rounding error. */
static mn_status factor(mn_context *ctx, const mn_gibbs_data *s, const mn_gibbs_state *state, double scale,
                        mn_gibbs_workspace *ws, mn_gibbs_factor *f)
{
  compute_roots(s, state, scale, ws->root);
  MN_TRY(s->gram ? factor_tall(ctx, s, ws->root, f) : factor_wide(ctx, s, ws->root, ws->u, f));
  f->rest = fmax(f->rest, DBL_EPSILON * s->n);
  return MN_OK;
}

/* Metropolis step of log(scale). The step size is random because the posterior may be narrow or wide. */
static mn_status propose_scale(mn_context *ctx, const mn_gibbs *m, const mn_gibbs_prior *prior, const mn_gibbs_data *s,
                               mn_gibbs_workspace *ws, mn_gibbs_state *state)
{
  mn_rng *random = &state->random;
  const double size = 0.25 + mn_random_exponential(random), scale = exp(size * mn_random_normal(random));
  MN_TRY(factor(ctx, s, state, scale, ws, &ws->proposal));
  const mn_gibbs_factor *a = &ws->current, *b = &ws->proposal;
  const double gain = (a->logdet - b->logdet + s->df * (log(a->rest) - log(b->rest))) / 2 +
                      prior->log_density(m, state, scale) - prior->log_density(m, state, 1);
  if (!(gain > -mn_random_exponential(random))) return MN_OK;
  const mn_gibbs_factor before = ws->current;
  ws->current = ws->proposal;
  ws->proposal = before;
  for (size_t j = 0; j < s->used; j++) state->d[j] *= scale * scale;
  prior->rescale(m, state, scale);
  return MN_OK;
}

static mn_status draw_tall(mn_context *ctx, const mn_gibbs_data *s, mn_gibbs_workspace *ws, mn_gibbs_state *state)
{
  for (size_t j = 0; j < s->used; j++) ws->t[j] = ws->current.z[j] / sqrt(state->s2) + mn_random_normal(&state->random);
  return mn_chol_upper(ctx, s->used, 1, ws->current.l, ws->t);
}

static mn_status draw_wide(mn_context *ctx, const mn_gibbs_data *s, mn_gibbs_workspace *ws, mn_gibbs_state *state)
{
  const size_t p = s->used, n = s->data->rows;
  double *t = ws->t, *u = ws->u, *v = ws->v;
  for (size_t j = 0; j < p; j++) {
    t[j] = mn_random_normal(&state->random);
    u[j] = t[j] * ws->root[j];
  }
  for (size_t i = 0; i < n; i++) v[i] = s->y[i] / sqrt(state->s2) - mn_random_normal(&state->random);
  MN_TRY(mn_gemv(ctx, true, p, n, -1, s->column_values, n, u, 1, v));
  MN_TRY(mn_chol_apply(ctx, n, 1, ws->current.l, v));
  MN_TRY(mn_gemv(ctx, false, p, n, 1, s->column_values, n, v, 0, u));
  for (size_t j = 0; j < p; j++) t[j] += u[j] * ws->root[j];
  return MN_OK;
}

/* |y - X b|^2 */
static mn_status residual(mn_context *ctx, const mn_gibbs_data *s, const mn_gibbs_workspace *ws, const double *b,
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
  memcpy(ws->v, s->y, n * sizeof *ws->v);
  MN_TRY(mn_gemv(ctx, true, p, n, -1, s->column_values, n, b, 1, ws->v));
  *rss = 0;
  for (size_t i = 0; i < n; i++) *rss += ws->v[i] * ws->v[i];
  return MN_OK;
}

mn_status mn_gibbs_sweep(mn_context *ctx, const mn_gibbs *m, const mn_gibbs_prior *prior, const mn_gibbs_data *s,
                         mn_gibbs_workspace *ws, mn_gibbs_state *state, double *deviance)
{
  double rss;
  MN_TRY(factor(ctx, s, state, 1, ws, &ws->current));
  if (prior->log_density(m, state, 1) > -INFINITY) MN_TRY(propose_scale(ctx, m, prior, s, ws, state));
  const double shape = fmax(s->df / 2, 0.5);
  state->s2 = fmin(ws->current.rest / 2 / mn_random_gamma(&state->random, shape), 1 / DBL_EPSILON);
  compute_roots(s, state, 1, ws->root);
  MN_TRY(s->gram ? draw_tall(ctx, s, ws, state) : draw_wide(ctx, s, ws, state));
  for (size_t j = 0; j < s->used; j++) state->b[j] = sqrt(state->s2) * ws->root[j] * ws->t[j];
  MN_TRY(residual(ctx, s, ws, state->b, &rss));
  *deviance = s->n * log(2 * M_PI * state->s2 * s->y_scale * s->y_scale) + rss / state->s2;
  prior->draw(m, state);
  return mn_poll(ctx);
}

/* Find the columns that are not constant: their deviations from the mean exceed rounding error. */
static void find_varying(mn_gibbs_data *s, const double *squares, bool standardize, bool unit_length)
{
  static const double rounding = 1e-14;
  for (size_t j = 0; j < s->p; j++) {
    const double length = sqrt(squares[j]);
    if (!(length > rounding * fabs(s->mean[j]) * sqrt(s->n))) continue;
    s->column[s->used] = j;
    s->scale[s->used] = !standardize ? 1 : unit_length ? length : length / sqrt(s->n);
    s->max_d[s->used] = 1e12 / (squares[j] / s->scale[s->used] / s->scale[s->used]);
    s->used++;
  }
}

static void scale_targets(mn_gibbs_data *s, double square)
{
  const double rounding = 1e-14 * fabs(s->mean[s->p]);
  s->y_scale = sqrt(square / s->n);
  s->yy = s->n;
  if (s->y_scale > rounding) return;
  s->y_scale = 1; /* y is constant */
  s->yy = 0;
}

static mn_status prepare_tall(mn_context *ctx, const mn_gibbs *m, bool unit_length, mn_gibbs_data *s)
{
  const mn_data *d = s->data;
  const size_t p = s->p, order = p + 1;
  double *g = MN_RAW(ctx, double, order, order), *squares = MN_RAW(ctx, double, p, 1);
  if (!g || !squares) return MN_NO_MEMORY;
  MN_TRY(mn_gram(ctx, d->rows, p, d->x.at, p, 1, d->y.at, 1, d->weights, m->fit_intercept, &s->n, s->mean, g, order));
  if (!m->fit_intercept) memset(s->mean, 0, order * sizeof *s->mean);
  for (size_t j = 0; j < p; j++) squares[j] = g[j * order + j];
  find_varying(s, squares, m->standardize, unit_length);
  scale_targets(s, g[p * order + p]);
  s->gram = MN_RAW(ctx, double, s->used, s->used);
  s->xy = MN_NEW(ctx, double, s->used, 1);
  if (!s->gram || !s->xy) return MN_NO_MEMORY;
  for (size_t a = 0; a < s->used; a++) {
    const double *row = g + s->column[a] * order;
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
  MN_TRY(mn_linear_means(ctx, d, s->mean, &s->n));
  if (!m->fit_intercept) memset(s->mean, 0, (p + 1) * sizeof *s->mean);
  for (size_t i = 0; i < n; i++) {
    const double w = mn_weight(d, i), deviation = d->y.at[i] - s->mean[p];
    for (size_t j = 0; j < p; j++) {
      const double z = d->x.at[i * p + j] - s->mean[j];
      squares[j] += w * z * z;
    }
    squares[p] += w * deviation * deviation;
  }
  find_varying(s, squares, m->standardize, unit_length);
  scale_targets(s, squares[p]);
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
  out->max_d = MN_RAW(ctx, double, p, 1);
  if (!out->column || !out->mean || !out->scale || !out->max_d) return MN_NO_MEMORY;
  MN_TRY(data->rows < p ? prepare_wide(ctx, m, unit_length, out) : prepare_tall(ctx, m, unit_length, out));
  out->df = out->n - (m->fit_intercept ? 1 : 0);
  return MN_OK;
}
