#include "code_path.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* An atom depends on the active ones if less than this fraction of its square is orthogonal to them. */
static const double least_fraction = 1e-11;
/* Products that are this fraction of the largest are rounding, and knots that differ by less count as one. */
static const double rounding = 1e-12;

mn_status mn_code_path_init(mn_context *ctx, mn_code_path *s, size_t k, size_t max_size, const double *gram)
{
  *s = (mn_code_path){ .k = k, .max_size = max_size < k ? max_size : k, .gram = gram };
  const size_t m = s->max_size;
  s->atom = MN_RAW(ctx, size_t, m + 1, 1);
  s->sign = MN_RAW(ctx, double, m + 1, 1);
  s->u = MN_RAW(ctx, double, m + 1, 1);
  s->v = MN_RAW(ctx, double, m + 1, 1);
  s->chol = MN_RAW(ctx, double, m, m);
  s->rest = MN_RAW(ctx, double, k, 1);
  s->rate = MN_RAW(ctx, double, k, 1);
  s->active = MN_RAW(ctx, bool, k, 1);
  s->dependent = MN_RAW(ctx, bool, k, 1);
  return s->atom && s->sign && s->u && s->v && s->chol && s->rest && s->rate && s->active && s->dependent
             ? MN_OK
             : MN_NO_MEMORY;
}

static void clear(mn_code_path *s, const double *c)
{
  s->size = 0;
  memset(s->active, 0, s->k * sizeof *s->active);
  memset(s->dependent, 0, s->k * sizeof *s->dependent);
  memset(s->rate, 0, s->k * sizeof *s->rate);
  memcpy(s->rest, c, s->k * sizeof *s->rest);
}

/* Append the row of atom j to L. False: it depends on the active atoms, or there is no place. */
static bool factor(mn_code_path *s, size_t j)
{
  const size_t m = s->size;
  if (m == s->max_size) return false;
  double *row = s->chol + m * s->max_size, rest = s->gram[j * s->k + j];
  for (size_t i = 0; i < m; i++) {
    const double *before = s->chol + i * s->max_size;
    double sum = s->gram[j * s->k + s->atom[i]];
    for (size_t h = 0; h < i; h++) sum -= before[h] * row[h];
    row[i] = sum / before[i];
    rest -= row[i] * row[i];
  }
  if (!(rest > least_fraction * s->gram[j * s->k + j])) return false;
  row[m] = sqrt(rest);
  return true;
}

static void append(mn_code_path *s, size_t j, double sign)
{
  s->atom[s->size] = j;
  s->sign[s->size++] = sign;
  s->active[j] = true;
}

/* Remove the atom at a position, and factor those after it again. */
static void delete (mn_code_path *s, size_t position)
{
  const size_t size = s->size - 1;
  s->active[s->atom[position]] = false;
  memmove(s->atom + position, s->atom + position + 1, (size - position) * sizeof *s->atom);
  memmove(s->sign + position, s->sign + position + 1, (size - position) * sizeof *s->sign);
  for (s->size = position; s->size < size; s->size++)
    if (!factor(s, s->atom[s->size])) break;
  for (size_t i = s->size; i < size; i++) s->active[s->atom[i]] = false;
  memset(s->dependent, 0, s->k * sizeof *s->dependent);
}

/* x := inv(G_AA) x */
static void solve(const mn_code_path *s, double *x)
{
  const size_t ld = s->max_size;
  for (size_t i = 0; i < s->size; i++) {
    for (size_t h = 0; h < i; h++) x[i] -= s->chol[i * ld + h] * x[h];
    x[i] /= s->chol[i * ld + i];
  }
  for (size_t i = s->size; i-- > 0;) {
    x[i] /= s->chol[i * ld + i];
    for (size_t h = 0; h < i; h++) x[h] -= s->chol[i * ld + h] * x[i];
  }
}

/* u, v and the products of the atoms with the residual. */
static void update(mn_code_path *s, const double *c)
{
  for (size_t i = 0; i < s->size; i++) {
    s->u[i] = c[s->atom[i]];
    s->v[i] = s->sign[i];
  }
  solve(s, s->u);
  solve(s, s->v);
  memcpy(s->rest, c, s->k * sizeof *s->rest);
  memset(s->rate, 0, s->k * sizeof *s->rate);
  for (size_t i = 0; i < s->size; i++) {
    const double *restrict row = s->gram + s->atom[i] * s->k, u = s->u[i], v = s->v[i];
    double *restrict rest = s->rest, *restrict rate = s->rate;
    for (size_t j = 0; j < s->k; j++) {
      rest[j] -= u * row[j];
      rate[j] += v * row[j];
    }
  }
}

static double largest_magnitude(size_t n, const double *x)
{
  double largest = 0;
  for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  return largest;
}

void mn_code_pursue(mn_code_path *s, size_t count, const double *c, double *b)
{
  const double least = rounding * largest_magnitude(s->k, c);
  clear(s, c);
  memset(b, 0, s->k * sizeof *b);
  while (s->size < count && s->size < s->max_size) {
    double largest = least;
    size_t best = s->k;
    for (size_t j = 0; j < s->k; j++) {
      if (s->active[j] || !(fabs(s->rest[j]) > largest * (1 + rounding))) continue;
      largest = fabs(s->rest[j]);
      best = j;
    }
    if (best == s->k || !factor(s, best)) break;
    append(s, best, 1);
    update(s, c);
  }
  for (size_t i = 0; i < s->size; i++) b[s->atom[i]] = s->u[i];
}

/* What happens next as alpha decreases. */
struct event {
  double alpha, sign; /* alpha 0: nothing */
  size_t atom;        /* to add, or k */
  size_t position;    /* of the active atom to remove, or the number of them */
};

/* The alpha, not above `now`, at which atom j joins with a sign; 0: never. */
static double joining_alpha(const mn_code_path *s, size_t j, double sign, double now, double least)
{
  const double rate = 1 - sign * s->rate[j], rest = sign * s->rest[j];
  return rate > 0 && rest > least ? fmin(rest / rate, now) : 0;
}

/* The alpha at which the active atom at a position has the coefficient 0; 0: never. */
static double removal_alpha(const mn_code_path *s, size_t position, double now)
{
  const double size = s->sign[position] * s->u[position], slope = s->sign[position] * s->v[position];
  return slope < 0 && size < 0 ? fmin(size / slope, now) : 0;
}

static struct event next_event(const mn_code_path *s, bool lasso, bool positive, double now, double least)
{
  struct event next = { .sign = 1, .atom = s->k, .position = s->size };
  for (size_t i = 0; lasso && i < s->size; i++) {
    const double at = removal_alpha(s, i, now);
    if (at <= next.alpha * (1 + rounding)) continue;
    next.alpha = at;
    next.position = i;
  }
  for (size_t j = 0; j < s->k; j++) {
    if (s->active[j] || s->dependent[j]) continue;
    const double up = joining_alpha(s, j, 1, now, least), down = positive ? 0 : joining_alpha(s, j, -1, now, least);
    const double at = fmax(up, down);
    if (at <= next.alpha * (1 + rounding)) continue;
    next = (struct event){ .alpha = at, .sign = up >= down ? 1 : -1, .atom = j, .position = s->size };
  }
  return next;
}

void mn_code_follow(mn_code_path *s, size_t count, double alpha, bool positive, size_t max_steps, const double *c,
                    double *b)
{
  const double least = rounding * largest_magnitude(s->k, c);
  double now = INFINITY;
  clear(s, c);
  memset(b, 0, s->k * sizeof *b);
  for (size_t step = 0; step < max_steps;) {
    const struct event next = next_event(s, count == 0, positive, now, least);
    now = fmax(next.alpha, alpha);
    if (next.alpha <= alpha || (count > 0 && s->size == count)) break;
    if (next.atom == s->k) {
      delete (s, next.position);
    } else if (factor(s, next.atom)) {
      append(s, next.atom, next.sign);
    } else {
      s->dependent[next.atom] = true;
      continue;
    }
    update(s, c);
    step++;
  }
  for (size_t i = 0; i < s->size; i++) {
    const double value = s->u[i] - now * s->v[i];
    b[s->atom[i]] = count == 0 && value * s->sign[i] < 0 ? 0 : value; /* the other sign is rounding */
  }
}
