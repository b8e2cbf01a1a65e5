#include "state_space_start.h"
#include "../eigen/principal_axes.h"
#include "../factorization/lapack.h"
#include <string.h>

struct given {
  const mn_state_space *m;
  const mn_data *data;
  size_t d, p, n;
};

size_t mn_state_space_parts_size(size_t d, size_t p)
{
  return 3 * d * d + p * d + p + p * p + d;
}

mn_state_space_parts mn_state_space_parts_at(size_t d, size_t p, double *state)
{
  mn_state_space_parts s = { .f = state };
  s.q = s.f + d * d;
  s.h = s.q + d * d;
  s.c = s.h + p * d;
  s.r = s.c + p;
  s.mean = s.r + p * p;
  s.cov = s.mean + d;
  return s;
}

/* X with missing values replaced by the mean of their column, which goes to c. */
static mn_status fill_rows(mn_context *ctx, const mn_data *data, double *x, double *c, double *variance)
{
  const size_t n = data->rows, p = data->features;
  for (size_t j = 0; j < p; j++) {
    double sum = 0, square = 0, count = 0;
    for (size_t i = 0; i < n; i++)
      if (!isnan(mn_row(&data->x, i)[j])) {
        count++;
        sum += (mn_row(&data->x, i)[j] - sum) / count;
      }
    if (count == 0) return mn_fail(ctx, MN_BAD_DATA, "X: column %zu has no values; remove it", j + 1);
    for (size_t i = 0; i < n; i++) {
      const double value = mn_row(&data->x, i)[j];
      x[i * p + j] = isnan(value) ? sum : value;
      square += (x[i * p + j] - sum) * (x[i * p + j] - sum);
    }
    c[j] = sum;
    variance[j] = square > 0 ? square / (double)n : 1;
  }
  return MN_OK;
}

/* States from the principal components of windows of consecutive rows, which contain enough values: z (rows x d), with
 * *count rows of which `next` are followed by the state of the next row. */
struct windows {
  size_t count, width;
  double *z;
  size_t *row;
};

static mn_status make_windows(mn_context *ctx, const struct given *s, const double *x, struct windows *w)
{
  const size_t d = s->d, p = s->p, length = (d + p - 1) / p + (d > p);
  w->width = length;
  w->row = MN_RAW(ctx, size_t, s->n, 1);
  MN_CHECK_ALLOC(w->row);
  for (size_t i = 0, first = 0; i < mn_sequences(s->data); first += mn_sequence_rows(s->data, i), i++)
    for (size_t t = 0; t + length <= mn_sequence_rows(s->data, i); t++) w->row[w->count++] = first + t;
  const size_t width = length * p;
  double *rows = MN_RAW(ctx, double, w->count, width), *mean = MN_RAW(ctx, double, width, 1), trace;
  double *values = MN_RAW(ctx, double, d, 1), *vectors = MN_RAW(ctx, double, d, width);
  w->z = MN_NEW(ctx, double, w->count, d);
  if (!rows || !mean || !values || !vectors || !w->z) return MN_NO_MEMORY;
  if (w->count == 0) return MN_OK;
  for (size_t i = 0; i < w->count; i++) memcpy(rows + i * width, x + w->row[i] * p, width * sizeof *rows);
  MN_TRY(mn_principal_axes(ctx, w->count, width, rows, NULL, d, mean, values, vectors, &trace));
  for (size_t i = 0; i < w->count; i++)
    for (size_t a = 0; a < d; a++)
      for (size_t j = 0; j < width; j++)
        w->z[i * d + a] += (rows[i * width + j] - mean[j]) * vectors[a * width + j] / sqrt(values[a] + 1e-300);
  return MN_OK;
}

/* F and Q by regression of the state on that of the row before; Q has no less than a twentieth of the variance. */
static mn_status start_transition(mn_context *ctx, const struct windows *w, size_t d, mn_state_space_parts *start)
{
  double *before = MN_RAW(ctx, double, w->count, d), *after = MN_RAW(ctx, double, w->count, d);
  double *coef = MN_RAW(ctx, double, d, d), *residual = MN_RAW(ctx, double, d, 1);
  size_t n = 0;
  if (!before || !after || !coef || !residual) return MN_NO_MEMORY;
  for (size_t i = 0; i + 1 < w->count; i++) {
    if (w->row[i + 1] != w->row[i] + 1) continue;
    memcpy(before + n * d, w->z + i * d, d * sizeof *before);
    memcpy(after + n * d, w->z + (i + 1) * d, d * sizeof *after);
    n++;
  }
  if (n < 2 * d) return MN_OK;
  const mn_rows rows = { .n = n, .p = d, .m = d, .x = before, .y = after };
  MN_TRY(mn_least_squares(ctx, &rows, 1e-10, coef, residual, NULL));
  for (size_t a = 0; a < d; a++) {
    for (size_t b = 0; b < d; b++) start->f[a * d + b] = coef[b * d + a];
    start->q[a * d + a] = fmax(residual[a] / (double)n, 0.05);
  }
  return MN_OK;
}

static mn_status start_observation(mn_context *ctx, const struct windows *w, const double *x, size_t d, size_t p,
                                   const double *variance, mn_state_space_parts *start)
{
  double *y = MN_RAW(ctx, double, w->count, p), *coef = MN_RAW(ctx, double, d, p),
         *residual = MN_RAW(ctx, double, p, 1);
  if (!y || !coef || !residual) return MN_NO_MEMORY;
  if (w->count < 2 * d) return MN_OK;
  for (size_t i = 0; i < w->count; i++)
    for (size_t j = 0; j < p; j++) y[i * p + j] = x[w->row[i] * p + j] - start->c[j];
  const mn_rows rows = { .n = w->count, .p = d, .m = p, .x = w->z, .y = y };
  MN_TRY(mn_least_squares(ctx, &rows, 1e-10, coef, residual, NULL));
  for (size_t j = 0; j < p; j++) {
    for (size_t a = 0; a < d; a++) start->h[j * d + a] = coef[a * p + j];
    start->r[j * p + j] = fmax(residual[j] / (double)w->count, 0.05 * variance[j]);
  }
  return MN_OK;
}

/* With a given H: states of the size that explains the variance of X, from the state of the first row. */
static mn_status start_for_observation(mn_context *ctx, const struct given *s, const double *x, const double *variance,
                                       mn_state_space_parts *start)
{
  const size_t d = s->d, p = s->p;
  double total = 0, squares = 0;
  double *y = MN_RAW(ctx, double, p, 1);
  MN_CHECK_ALLOC(y);
  memcpy(start->h, s->m->observation.at, p * d * sizeof *start->h);
  for (size_t j = 0; j < p; j++) total += variance[j];
  for (size_t i = 0; i < p * d; i++) squares += start->h[i] * start->h[i];
  const double unit = squares > 0 ? total / squares : 1;
  for (size_t a = 0; a < d; a++) {
    start->q[a * d + a] = unit / 10;
    start->cov[a * d + a] = unit;
  }
  for (size_t j = 0; j < p; j++)
    y[j] = x[j] - (s->m->observation_offset.at ? s->m->observation_offset.at[j] : start->c[j]);
  const mn_rows rows = { .n = p, .p = d, .m = 1, .x = start->h, .y = y };
  return mn_least_squares(ctx, &rows, 1e-10, start->mean, NULL, NULL);
}

static void take_given(const mn_matrix *given, double *to)
{
  if (given->at) memcpy(to, given->at, given->rows * given->cols * sizeof *to);
}

mn_status mn_state_space_first_guess(mn_context *ctx, const mn_state_space *m, const mn_data *data,
                                     mn_state_space_parts *start)
{
  const size_t d = m->state_intercept.size, p = data->features;
  const struct given given = { .m = m, .data = data, .d = d, .p = p, .n = data->rows }, *s = &given;
  double *x = MN_RAW(ctx, double, s->n, p), *variance = MN_RAW(ctx, double, p, 1);
  if (!x || !variance) return MN_NO_MEMORY;
  MN_TRY(fill_rows(ctx, s->data, x, start->c, variance));
  for (size_t a = 0; a < d; a++) {
    start->f[a * d + a] = 0.9;
    if (a + 1 < d) start->f[a * d + a + 1] = 0.1;
    start->q[a * d + a] = start->cov[a * d + a] = 1;
  }
  for (size_t j = 0; j < p; j++) {
    start->h[j * d + j % d] = sqrt(variance[j]);
    start->r[j * p + j] = variance[j] / 2;
  }
  if (m->observation.at) {
    MN_TRY(start_for_observation(ctx, s, x, variance, start));
  } else {
    struct windows w = { 0 };
    MN_TRY(make_windows(ctx, s, x, &w));
    MN_TRY(start_transition(ctx, &w, d, start));
    MN_TRY(start_observation(ctx, &w, x, d, p, variance, start));
  }
  take_given(&m->transition, start->f);
  take_given(&m->observation, start->h);
  take_given(&m->state_cov, start->q);
  take_given(&m->observation_cov, start->r);
  take_given(&m->initial_cov, start->cov);
  if (m->observation_offset.at) memcpy(start->c, m->observation_offset.at, p * sizeof *start->c);
  if (m->initial_mean.at) memcpy(start->mean, m->initial_mean.at, d * sizeof *start->mean);
  return MN_OK;
}
