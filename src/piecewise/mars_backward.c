/* The backward pass of MARS, on the triangle R of the terms and the products z of the orthonormal columns with the
 * targets, R coef = z. Removing term j raises the RSS by
 *
 *     sum_targets coef_j^2 / |row j of R^-1|^2.
 *
 * The term with the smallest increase is removed, and rotations make R triangular again; what they move to the last
 * element of z is the increase of the RSS. The squares of z also give the RSS of the first k remaining terms for all k:
 * a subset that is better than the one reached by elimination replaces it, as in the regression subsets of Miller
 * (Appl. Statist. 41, 1992) and in earth for one target. Seber & Lee, Linear Regression Analysis (2003), section 11.8.
 */
#include "mars.h"

struct subset {
  size_t size, targets, ld;
  size_t *term;    /* size                                       */
  double *r, *z;   /* rows ld apart: size x size; size x targets */
  double *inverse; /* rows ld apart                              */
  double *coef;    /* targets x size                             */
};

/* R^-1, upper triangular like R. */
static void invert(struct subset *s)
{
  const size_t m = s->size, ld = s->ld;
  for (size_t j = 0; j < m; j++) {
    s->inverse[j * ld + j] = 1 / s->r[j * ld + j];
    for (size_t i = j; i-- > 0;) {
      double sum = 0;
      for (size_t k = i + 1; k <= j; k++) sum += s->r[i * ld + k] * s->inverse[k * ld + j];
      s->inverse[i * ld + j] = -sum / s->r[i * ld + i];
    }
  }
}

static void solve(struct subset *s)
{
  for (size_t t = 0; t < s->targets; t++)
    for (size_t i = s->size; i-- > 0;) {
      double sum = s->z[i * s->targets + t];
      for (size_t k = i + 1; k < s->size; k++) sum -= s->r[i * s->ld + k] * s->coef[t * s->size + k];
      s->coef[t * s->size + i] = sum / s->r[i * s->ld + i];
    }
}

/* The term other than the intercept whose removal raises the RSS least. */
static size_t find_cheapest_term(const struct subset *s)
{
  size_t best = 1;
  double lowest = INFINITY;
  for (size_t j = 1; j < s->size; j++) {
    double up = 0, down = 0;
    for (size_t t = 0; t < s->targets; t++) up += s->coef[t * s->size + j] * s->coef[t * s->size + j];
    for (size_t k = j; k < s->size; k++) down += s->inverse[j * s->ld + k] * s->inverse[j * s->ld + k];
    if (up / down < lowest) lowest = up / down, best = j;
  }
  return best;
}

static void rotate(double *a, double *b, size_t from, size_t count, double c, double s)
{
  for (size_t k = from; k < count; k++) {
    const double x = a[k], y = b[k];
    a[k] = c * x + s * y;
    b[k] = c * y - s * x;
  }
}

/* Remove a term; returns the increase of the RSS. */
static double remove_term(struct subset *s, size_t removed)
{
  const size_t m = s->size, ld = s->ld;
  double rise = 0;
  for (size_t j = removed; j + 1 < m; j++) s->term[j] = s->term[j + 1];
  for (size_t i = 0; i < m; i++)
    for (size_t j = removed; j + 1 < m; j++) s->r[i * ld + j] = s->r[i * ld + j + 1];
  for (size_t j = removed; j + 1 < m; j++) {
    double *top = s->r + j * ld, *under = top + ld;
    const double norm = hypot(top[j], under[j]), c = top[j] / norm, sine = under[j] / norm;
    rotate(top, under, j, m - 1, c, sine);
    under[j] = 0;
    rotate(s->z + j * s->targets, s->z + (j + 1) * s->targets, 0, s->targets, c, sine);
  }
  for (size_t t = 0; t < s->targets; t++) rise += s->z[(m - 1) * s->targets + t] * s->z[(m - 1) * s->targets + t];
  s->size--;
  return rise;
}

static mn_status init_subset(mn_context *ctx, const mn_mars_basis *b, struct subset *s)
{
  const size_t m = b->terms;
  *s = (struct subset){ .size = m, .targets = b->targets, .ld = m };
  s->term = MN_RAW(ctx, size_t, m, 1);
  s->r = MN_NEW(ctx, double, m, m);
  s->z = MN_RAW(ctx, double, m, b->targets);
  s->inverse = MN_NEW(ctx, double, m, m);
  s->coef = MN_RAW(ctx, double, m, b->targets);
  if (!s->term || !s->r || !s->z || !s->inverse || !s->coef) return MN_NO_MEMORY;
  for (size_t i = 0; i < m; i++) {
    s->term[i] = i;
    for (size_t j = i; j < m; j++) s->r[i * m + j] = b->triangle[i * b->max_terms + j];
    for (size_t t = 0; t < b->targets; t++) s->z[i * b->targets + t] = b->scores[i * b->targets + t];
  }
  return MN_OK;
}

/* Record the remaining terms, and with `prefixes` their first 1, 2, ... terms, if they are the best subset of that size
 * so far. */
static void record_subsets(const struct subset *s, double total_rss, bool prefixes, double *rss, double *member)
{
  double tail = total_rss;
  for (size_t k = s->size; k > 0; k--) {
    if (k == s->size || prefixes)
      if (tail < rss[k - 1] * (1 - 1e-10)) {
        rss[k - 1] = tail;
        for (size_t i = 0; i < s->ld; i++) member[(k - 1) * s->ld + i] = 0;
        for (size_t i = 0; i < k; i++) member[(k - 1) * s->ld + s->term[i]] = 1;
      }
    for (size_t t = 0; t < s->targets; t++) tail += s->z[(k - 1) * s->targets + t] * s->z[(k - 1) * s->targets + t];
  }
}

mn_status mn_mars_backward(mn_context *ctx, const mn_mars_basis *b, bool prefixes, double *rss, double *member)
{
  struct subset s;
  double rss_now = b->rss;
  MN_TRY(init_subset(ctx, b, &s));
  for (size_t k = 0; k < b->terms; k++) rss[k] = INFINITY;
  record_subsets(&s, rss_now, prefixes, rss, member);
  while (s.size > 1) {
    MN_TRY(mn_poll(ctx));
    solve(&s);
    invert(&s);
    rss_now += remove_term(&s, find_cheapest_term(&s));
    record_subsets(&s, rss_now, prefixes, rss, member);
  }
  return MN_OK;
}

mn_status mn_mars_solve(mn_context *ctx, const mn_mars_basis *b, const double *member, double *coef)
{
  struct subset s;
  MN_TRY(init_subset(ctx, b, &s));
  for (size_t i = b->terms; i-- > 0;)
    if (member[i] == 0) remove_term(&s, i);
  solve(&s);
  for (size_t k = 0; k < s.size * s.targets; k++) coef[k] = s.coef[k];
  return MN_OK;
}
