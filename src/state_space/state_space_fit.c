/* Fit of a linear Gaussian state space model: parameters that are not given are learned by EM. The E step smooths each
 * sequence; the M step is least squares on the expected moments of states and observations. Missing values of a row
 * that has others are latent variables, too:
 *
 *     y_mis | y_obs, x ~ N(c_m + H_m x + G (y_obs - c_o - H_o x), R_mm - G R_om),    G = R_mo inv(R_oo)
 *
 * Shumway & Stoffer, J. Time Ser. Anal. 3 (1982); Ghahramani & Hinton, Univ. Toronto CRG-TR-96-2 (1996). */
#include "../em/em.h"
#include "../factorization/lapack.h"
#include "state_space_start.h"
#include <string.h>

/* Expected moments, sums over rows: of pairs of consecutive rows, of rows with an observation, of first rows. */
struct moments {
  double pairs, rows, sequences;
  double *before, *after, *cross; /* d: sums of x_t and x_{t+1}                */
  double *before2, *after2;       /* d x d: x_t x_t', x_{t+1} x_{t+1}'; cross: x_{t+1} x_t' */
  double *x, *x2, *y, *yx, *y2;   /* d, d x d, p, p x d, p x p                 */
  double *first, *first2;         /* d, d x d                                  */
};

struct problem {
  mn_context *ctx;
  const mn_state_space *m;
  const mn_data *data;
  size_t d, p;
  double *start; /* state of EM at the start */
  struct moments moments;
  double *sums;
  size_t sums_size;
};

static size_t moments_size(size_t d, size_t p)
{
  return 3 * d * d + 2 * d + (d + d * d + p + p * d + p * p) + d + d * d;
}

static struct moments moments_of(size_t d, size_t p, double *at)
{
  struct moments s = { .before = at };
  s.after = s.before + d;
  s.cross = s.after + d;
  s.before2 = s.cross + d * d;
  s.after2 = s.before2 + d * d;
  s.x = s.after2 + d * d;
  s.x2 = s.x + d;
  s.y = s.x2 + d * d;
  s.yx = s.y + p;
  s.y2 = s.yx + p * d;
  s.first = s.y2 + p * p;
  s.first2 = s.first + d;
  return s;
}

/* --- E step --- */

/* out += m m' + v */
static void add_second(size_t d, const double *m, const double *v, double *out)
{
  for (size_t a = 0; a < d; a++)
    for (size_t b = 0; b < d; b++) out[a * d + b] += m[a] * m[b] + v[a * d + b];
}

/* E y = offset + slope x of a row given its observed values, and the covariance of its missing ones (p x p). */
static mn_status complete_row(const struct problem *s, const mn_state_space_parts *now, const double *y, double *offset,
                              double *slope, double *cov)
{
  const size_t d = s->d, p = s->p;
  const mn_mark mark = mn_scratch_mark(s->ctx);
  size_t *seen = MN_RAW(s->ctx, size_t, p, 1), *missing = MN_RAW(s->ctx, size_t, p, 1), o = 0, u = 0;
  double *r = MN_RAW(s->ctx, double, p, p), *g = MN_RAW(s->ctx, double, p, p);
  if (!seen || !missing || !r || !g) return MN_NO_MEMORY;
  memset(slope, 0, p * d * sizeof *slope);
  memset(cov, 0, p * p * sizeof *cov);
  for (size_t i = 0; i < p; i++) {
    if (isnan(y[i]))
      missing[u++] = i;
    else
      seen[o++] = i;
    offset[i] = y[i];
  }
  for (size_t i = 0; i < o; i++) {
    for (size_t j = 0; j < o; j++) r[i * o + j] = now->r[seen[i] * p + seen[j]];
    for (size_t j = 0; j < u; j++) g[i * u + j] = now->r[seen[i] * p + missing[j]];
  }
  if (u > 0) MN_TRY(mn_chol_solve(s->ctx, o, u, r, g, NULL)); /* g: o x u, the transposed G */
  for (size_t j = 0; j < u; j++) {
    const size_t k = missing[j];
    offset[k] = now->c[k];
    memcpy(slope + k * d, now->h + k * d, d * sizeof *slope);
    for (size_t l = 0; l < u; l++) cov[k * p + missing[l]] = now->r[k * p + missing[l]];
    for (size_t i = 0; i < o; i++) {
      offset[k] += g[i * u + j] * (y[seen[i]] - now->c[seen[i]]);
      for (size_t a = 0; a < d; a++) slope[k * d + a] -= g[i * u + j] * now->h[seen[i] * d + a];
      for (size_t l = 0; l < u; l++) cov[k * p + missing[l]] -= g[i * u + j] * now->r[seen[i] * p + missing[l]];
    }
  }
  mn_scratch_release(s->ctx, mark);
  return MN_OK;
}

/* Moments of the observation of a row whose state has the mean x and the second moment x2. */
static mn_status add_observation(struct problem *s, const mn_state_space_parts *now, const double *y, const double *x,
                                 const double *x2, double *work)
{
  const size_t d = s->d, p = s->p;
  struct moments *to = &s->moments;
  double *offset = work, *slope = offset + p, *cov = slope + p * d, *mean = cov + p * p, *moved = mean + p;
  size_t seen = 0;
  for (size_t i = 0; i < p; i++) seen += isnan(y[i]) ? 0 : 1;
  if (seen == 0) return MN_OK;
  MN_TRY(complete_row(s, now, y, offset, slope, cov));
  mn_small_product(p, d, d, slope, x2, moved);
  for (size_t i = 0; i < p; i++) {
    mean[i] = offset[i];
    for (size_t a = 0; a < d; a++) mean[i] += slope[i * d + a] * x[a];
  }
  to->rows++;
  for (size_t a = 0; a < d; a++) to->x[a] += x[a];
  for (size_t i = 0; i < d * d; i++) to->x2[i] += x2[i];
  for (size_t i = 0; i < p; i++) {
    to->y[i] += mean[i];
    for (size_t a = 0; a < d; a++) to->yx[i * d + a] += offset[i] * x[a] + moved[i * d + a];
    for (size_t j = 0; j < p; j++) {
      double square = offset[i] * mean[j] + (mean[i] - offset[i]) * offset[j] + cov[i * p + j];
      for (size_t a = 0; a < d; a++) square += moved[i * d + a] * slope[j * d + a];
      to->y2[i * p + j] += square;
    }
  }
  return MN_OK;
}

static void add_pair(struct problem *s, const double *before, const double *after, const double *vb, const double *va,
                     const double *cross)
{
  const size_t d = s->d;
  struct moments *to = &s->moments;
  to->pairs++;
  add_second(d, before, vb, to->before2);
  add_second(d, after, va, to->after2);
  for (size_t a = 0; a < d; a++) {
    to->before[a] += before[a];
    to->after[a] += after[a];
    for (size_t b = 0; b < d; b++) to->cross[a * d + b] += after[a] * before[b] + cross[a * d + b];
  }
}

static mn_status add_sequence(struct problem *s, const mn_state_space_parts *now, mn_filter *k, size_t first, size_t n,
                              double *loglike)
{
  const size_t d = s->d, p = s->p;
  mn_context *ctx = s->ctx;
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_filter_path path;
  double *mean = MN_RAW(ctx, double, n, d), *cov = MN_RAW(ctx, double, n, d *d), *like = MN_RAW(ctx, double, n, 1);
  double *cross = MN_RAW(ctx, double, n, d *d), *x2 = MN_RAW(ctx, double, d, d);
  double *work = MN_RAW(ctx, double, p, 2 * d + p + 2);
  if (!mean || !cov || !like || !cross || !x2 || !work) return MN_NO_MEMORY;
  MN_TRY(mn_filter_path_new(ctx, k->m, n, &path));
  MN_TRY(mn_filter_rows(k, first, n, s->data->x.at, &path, like, NULL, NULL));
  MN_TRY(mn_filter_smooth(k, first, s->data->x.at, &path, mean, cov, cross));
  for (size_t t = 0; t < n; t++) {
    *loglike += like[t];
    memset(x2, 0, d * d * sizeof *x2);
    add_second(d, mean + t * d, cov + t * d * d, x2);
    MN_TRY(add_observation(s, now, mn_row(&s->data->x, first + t), mean + t * d, x2, work));
    if (t + 1 < n)
      add_pair(s, mean + t * d, mean + (t + 1) * d, cov + t * d * d, cov + (t + 1) * d * d, cross + t * d * d);
  }
  s->moments.sequences++;
  for (size_t a = 0; a < d; a++) s->moments.first[a] += mean[a];
  add_second(d, mean, cov, s->moments.first2);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_linear_system system_of(const struct problem *s, const mn_state_space_parts *now)
{
  const size_t d = s->d, p = s->p;
  return (mn_linear_system){ .d = d,
                             .p = p,
                             .transition = { now->f, false, d * d },
                             .state_cov = { now->q, false, d * d },
                             .observation = { now->h, false, p * d },
                             .observation_cov = { now->r, false, p * p },
                             .state_offset = s->m->state_intercept.at,
                             .observation_offset = now->c,
                             .start_mean = now->mean,
                             .start_cov = now->cov,
                             .square_root = s->m->square_root };
}

static mn_status expect(mn_context *ctx, void *problem, void *workspace, const double *state, double *objective)
{
  struct problem *s = problem;
  const mn_state_space_parts now = mn_state_space_parts_at(s->d, s->p, (double *)state);
  const mn_linear_system system = system_of(s, &now);
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_filter k;
  double loglike = 0;
  (void)workspace;
  memset(s->sums, 0, s->sums_size * sizeof *s->sums);
  s->moments = moments_of(s->d, s->p, s->sums);
  MN_TRY(mn_filter_new(ctx, &system, &k));
  for (size_t i = 0, first = 0; i < mn_sequences(s->data); first += mn_sequence_rows(s->data, i), i++)
    MN_TRY(add_sequence(s, &now, &k, first, mn_sequence_rows(s->data, i), &loglike));
  mn_scratch_release(ctx, mark);
  *objective = -loglike;
  return MN_OK;
}

/* --- M step --- */

/* coef (k x d) of least squares with the moments yx (k x d) and x2 (d x d), which is overwritten. */
static mn_status regress(mn_context *ctx, size_t k, size_t d, const double *yx, double *x2, double *coef,
                         bool *degenerate)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  size_t minor;
  double *right = MN_RAW(ctx, double, d, k);
  MN_CHECK_ALLOC(right);
  MN_TRY(mn_chol_try(ctx, d, x2, NULL, &minor));
  *degenerate = *degenerate || minor > 0;
  if (minor == 0) {
    for (size_t i = 0; i < k; i++)
      for (size_t a = 0; a < d; a++) right[a * k + i] = yx[i * d + a];
    MN_TRY(mn_chol_apply(ctx, d, k, x2, right));
    for (size_t i = 0; i < k; i++)
      for (size_t a = 0; a < d; a++) coef[i * d + a] = right[a * k + i];
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static void keep_diagonal(size_t n, double *a)
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      if (i != j) a[i * n + j] = 0;
}

/* (y2 - yx B' - B yx' + B x2 B' - offsets) / n, the mean squared residual of y - B x - o: k x k. */
static void residual_cov(size_t k, size_t d, double n, const double *y2, const double *yx, const double *x2,
                         const double *y, const double *x, const double *coef, const double *offset, double *work,
                         double *cov)
{
  mn_small_product(k, d, d, coef, x2, work);
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < k; j++) {
      double sum = y2[i * k + j] - offset[i] * y[j] - y[i] * offset[j] + n * offset[i] * offset[j];
      for (size_t a = 0; a < d; a++)
        sum += coef[i * d + a] * (x[a] * offset[j] - yx[j * d + a]) +
               coef[j * d + a] * (x[a] * offset[i] - yx[i * d + a]) + work[i * d + a] * coef[j * d + a];
      cov[i * k + j] = sum / n;
    }
  mn_make_symmetric(k, cov);
}

static mn_status learn_transition(struct problem *s, mn_state_space_parts *now, double *work, bool *degenerate)
{
  const size_t d = s->d;
  const struct moments *e = &s->moments;
  const double *b = s->m->state_intercept.at;
  if (!(e->pairs > 0)) return MN_OK;
  if (!s->m->transition.at) {
    double *yx = work, *x2 = work + d * d;
    memcpy(x2, e->before2, d * d * sizeof *x2);
    for (size_t i = 0; i < d; i++)
      for (size_t a = 0; a < d; a++) yx[i * d + a] = e->cross[i * d + a] - b[i] * e->before[a];
    MN_TRY(regress(s->ctx, d, d, yx, x2, now->f, degenerate));
  }
  if (s->m->state_cov.at || *degenerate) return MN_OK;
  residual_cov(d, d, e->pairs, e->after2, e->cross, e->before2, e->after, e->before, now->f, b, work, now->q);
  if (s->m->state_noise == MN_COV_DIAGONAL) keep_diagonal(d, now->q);
  return MN_OK;
}

/* H and c together: the moments of x with a constant 1. */
static mn_status learn_observation(struct problem *s, mn_state_space_parts *now, double *work, bool *degenerate)
{
  const size_t d = s->d, p = s->p, d1 = d + 1;
  const struct moments *e = &s->moments;
  const bool learns_h = !s->m->observation.at, learns_c = !s->m->observation_offset.at;
  double *yx = work, *x2 = yx + p * d1, *coef = x2 + d1 * d1;
  const size_t width = learns_c ? d1 : d;
  for (size_t i = 0; learns_h && i < p; i++) {
    for (size_t a = 0; a < d; a++) yx[i * width + a] = e->yx[i * d + a] - (learns_c ? 0 : now->c[i] * e->x[a]);
    if (learns_c) yx[i * width + d] = e->y[i];
  }
  for (size_t a = 0; a < width; a++)
    for (size_t b = 0; b < width; b++)
      x2[a * width + b] = a < d && b < d ? e->x2[a * d + b] : a < d ? e->x[a] : b < d ? e->x[b] : e->rows;
  if (learns_h) MN_TRY(regress(s->ctx, p, width, yx, x2, coef, degenerate));
  if (*degenerate) return MN_OK;
  for (size_t i = 0; i < p; i++) {
    if (learns_h) memcpy(now->h + i * d, coef + i * width, d * sizeof *coef);
    if (learns_h && learns_c) now->c[i] = coef[i * width + d];
    if (learns_h || !learns_c) continue;
    now->c[i] = e->y[i] / e->rows;
    for (size_t a = 0; a < d; a++) now->c[i] -= now->h[i * d + a] * e->x[a] / e->rows;
  }
  if (s->m->observation_cov.at) return MN_OK;
  residual_cov(p, d, e->rows, e->y2, e->yx, e->x2, e->y, e->x, now->h, now->c, work, now->r);
  if (s->m->observation_noise == MN_COV_DIAGONAL) keep_diagonal(p, now->r);
  return MN_OK;
}

static void learn_start(const struct problem *s, mn_state_space_parts *now)
{
  const size_t d = s->d;
  const struct moments *e = &s->moments;
  if (!s->m->initial_mean.at)
    for (size_t a = 0; a < d; a++) now->mean[a] = e->first[a] / e->sequences;
  if (s->m->initial_cov.at) return;
  for (size_t a = 0; a < d; a++)
    for (size_t b = 0; b < d; b++)
      now->cov[a * d + b] =
          (e->first2[a * d + b] - e->first[a] * now->mean[b] - now->mean[a] * e->first[b]) / e->sequences +
          now->mean[a] * now->mean[b];
  mn_make_symmetric(d, now->cov);
}

static mn_status maximize(mn_context *ctx, void *problem, void *workspace, double *state, bool *degenerate)
{
  struct problem *s = problem;
  const size_t d1 = s->d + 1, p = s->p;
  mn_state_space_parts now = mn_state_space_parts_at(s->d, p, state);
  const mn_mark mark = mn_scratch_mark(ctx);
  double *work = MN_RAW(ctx, double, d1 + p, 3 * (d1 + p));
  MN_CHECK_ALLOC(work);
  (void)workspace;
  MN_TRY(learn_transition(s, &now, work, degenerate));
  if (!*degenerate) MN_TRY(learn_observation(s, &now, work, degenerate));
  if (!*degenerate && s->m->initialization == MN_START_DEFAULT) learn_start(s, &now);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status begin(mn_context *ctx, void *problem, void *workspace, size_t index, double *state, double *objective)
{
  struct problem *s = problem;
  (void)index;
  memcpy(state, s->start, mn_state_space_parts_size(s->d, s->p) * sizeof *state);
  return expect(ctx, problem, workspace, state, objective);
}

static mn_status fail(mn_context *ctx, void *problem, size_t index)
{
  const struct problem *s = problem;
  (void)index;
  return mn_fail(ctx, MN_SINGULAR, "%s: the states are not determined by the data; use fewer states",
                 s->m->base.class->name);
}

/* --- fit --- */

static void store_matrix(const double *from, mn_matrix *to)
{
  memcpy(to->at, from, to->rows * to->cols * sizeof *from);
}

/* Matrices may be given for each row; then the others are given, too. */
static mn_status learn(mn_context *ctx, mn_state_space *m, const mn_data *data, mn_state_space_parts *found)
{
  const size_t d = m->state_intercept.size, p = data->features, size = mn_state_space_parts_size(d, p);
  struct problem s = { .ctx = ctx, .m = m, .data = data, .d = d, .p = p };
  s.start = MN_NEW(ctx, double, size, 1);
  s.sums_size = moments_size(d, p);
  s.sums = MN_NEW(ctx, double, s.sums_size, 1);
  double *state = MN_RAW(ctx, double, size, 1);
  if (!s.start || !s.sums || !state) return MN_NO_MEMORY;
  mn_state_space_parts start = mn_state_space_parts_at(d, p, s.start);
  MN_TRY(mn_state_space_first_guess(ctx, m, data, &start));
  const mn_em em = { .problem = &s,
                     .state_size = size,
                     .starts = 1,
                     .max_iter = m->max_iter,
                     .tol = m->tol,
                     .scale = (double)data->rows,
                     .advice = "increase max_iter or tol; EM is slow where observations say little about the states",
                     .start = begin,
                     .maximize = maximize,
                     .expect = expect,
                     .fail = fail };
  MN_TRY(mn_em_fit(ctx, &em, state, &m->base.report));
  *found = mn_state_space_parts_at(d, p, state);
  return MN_OK;
}

mn_status mn_state_space_learn(mn_context *ctx, mn_state_space *m, const mn_data *data)
{
  mn_state_space_parts found;
  MN_TRY(mn_state_space_init_system(ctx, m, m->state_intercept.size, data->features));
  MN_TRY(learn(ctx, m, data, &found));
  store_matrix(found.f, &m->transition_matrix);
  store_matrix(found.q, &m->state_covariance);
  store_matrix(found.h, &m->observation_matrix);
  store_matrix(found.r, &m->observation_covariance);
  store_matrix(found.cov, &m->start_covariance);
  memcpy(m->observation_intercept.at, found.c, m->observation_intercept.size * sizeof *found.c);
  memcpy(m->start_mean.at, found.mean, m->start_mean.size * sizeof *found.mean);
  return MN_OK;
}

/* What is not given is the identity. */
static void adopt_matrix(const mn_matrix *given, mn_matrix *to)
{
  if (given->at) {
    store_matrix(given->at, to);
    return;
  }
  for (size_t i = 0; i < to->rows && i < to->cols; i++) mn_row(to, i)[i] = 1;
}

mn_status mn_state_space_adopt(mn_context *ctx, mn_state_space *m, const mn_data *data)
{
  const size_t d = m->state_intercept.size, p = data->features;
  MN_TRY(mn_state_space_init_system(ctx, m, d, p));
  adopt_matrix(&m->transition, &m->transition_matrix);
  adopt_matrix(&m->state_cov, &m->state_covariance);
  adopt_matrix(&m->observation, &m->observation_matrix);
  adopt_matrix(&m->observation_cov, &m->observation_covariance);
  if (m->observation_offset.at)
    memcpy(m->observation_intercept.at, m->observation_offset.at, p * sizeof *m->observation_offset.at);
  if (m->initial_mean.at) memcpy(m->start_mean.at, m->initial_mean.at, d * sizeof *m->start_mean.at);
  if (m->initial_cov.at || m->initialization == MN_START_DEFAULT) adopt_matrix(&m->initial_cov, &m->start_covariance);
  return MN_OK;
}
