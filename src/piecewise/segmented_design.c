/* Columns for given breakpoints, and least squares on them. */
#include "../linalg/lapack.h"
#include "segmented.h"
#include <string.h>

size_t mn_segments_width(const mn_segments *s, size_t m, bool moves)
{
  if (s->joined) return 2 + s->others + m + (moves ? m : 0);
  return (m + 1) * (s->line ? 2 : 1) + s->others;
}

size_t mn_segments_design(const mn_segments *s, const double *psi, size_t m, bool moves)
{
  const size_t q = mn_segments_width(s, m, moves), own = s->line ? 2 : 1;
  for (size_t i = 0; i < s->n; i++) {
    double *row = s->design + i * q;
    const double z = s->z[i];
    memset(row, 0, q * sizeof *row);
    if (s->joined) {
      row[0] = 1;
      row[1] = z;
      for (size_t k = 0; k < m; k++) row[2 + s->others + k] = z > psi[k] ? z - psi[k] : 0;
      for (size_t k = 0; moves && k < m; k++) row[2 + s->others + m + k] = z > psi[k] ? -1 : 0;
    } else {
      size_t segment = 0;
      while (segment < m && z > psi[segment]) segment++;
      row[segment * own] = 1;
      if (s->line) row[segment * own + 1] = z;
    }
    memcpy(row + (s->joined ? 2 : (m + 1) * own), s->x + i * s->others, s->others * sizeof *row);
  }
  return q;
}

/* Add the products of columns from..q-1 with those before them and with y, which is the last row. */
static void add_products(const mn_segments *s, size_t from, size_t q, double *gram)
{
  for (size_t i = 0; i < s->n; i++) {
    const double *row = s->design + i * q, w = mn_weight(s->data, i);
    for (size_t a = from; a < q; a++) {
      if (row[a] == 0) continue;
      for (size_t b = 0; b <= a; b++) gram[a * (q + 1) + b] += w * row[a] * row[b];
      gram[q * (q + 1) + a] += w * row[a] * s->y[i];
    }
  }
}

void mn_segments_fix(mn_segments *s)
{
  const size_t q = mn_segments_design(s, NULL, 0, false);
  memset(s->fixed, 0, (q + 1) * (q + 1) * sizeof *s->fixed);
  add_products(s, 0, q, s->fixed);
  for (size_t i = 0; i < s->n; i++) s->fixed[q * (q + 1) + q] += mn_weight(s->data, i) * s->y[i] * s->y[i];
}

/* The lower triangle of the products of the columns of joined lines, and y. */
static void make_gram(const mn_segments *s, size_t q, double *gram)
{
  const size_t fixed = 2 + s->others;
  memset(gram, 0, (q + 1) * (q + 1) * sizeof *gram);
  for (size_t a = 0; a < fixed; a++) memcpy(gram + a * (q + 1), s->fixed + a * (fixed + 1), (a + 1) * sizeof *gram);
  memcpy(gram + q * (q + 1), s->fixed + fixed * (fixed + 1), fixed * sizeof *gram);
  gram[q * (q + 1) + q] = s->fixed[fixed * (fixed + 1) + fixed];
  add_products(s, fixed, q, gram);
}

/* Cholesky of all but the last pivot, which is then what is left of y'y. False: columns depend on each other. */
static bool factor(double *gram, size_t q)
{
  const size_t width = q + 1;
  for (size_t a = 0; a <= q; a++) {
    for (size_t b = 0; b <= a; b++) {
      double value = gram[a * width + b];
      for (size_t c = 0; c < b; c++) value -= gram[a * width + c] * gram[b * width + c];
      if (b < a) {
        gram[a * width + b] = value / gram[b * width + b];
      } else if (a < q) {
        if (!(value > 1e-9 * gram[a * width + a])) return false;
        gram[a * width + a] = sqrt(value);
      } else {
        gram[a * width + a] = fmax(value, 0);
      }
    }
  }
  return true;
}

mn_status mn_segments_least_squares(mn_context *ctx, const mn_segments *s, size_t q, bool roughly, double *coef,
                                    double *rss, size_t *rank)
{
  const size_t width = q + 1;
  double *gram = s->gram;
  mn_rank found = { .rank = q };
  if (roughly) make_gram(s, q, gram);
  if (roughly && factor(gram, q)) {
    *rss = gram[q * width + q];
    for (size_t a = q; a-- > 0;) {
      coef[a] = gram[q * width + a];
      for (size_t b = a + 1; b < q; b++) coef[a] -= gram[b * width + a] * coef[b];
      coef[a] /= gram[a * width + a];
    }
  } else {
    const mn_rows rows = { .n = s->n, .p = q, .m = 1, .x = s->design, .y = s->y, .weights = s->data->weights };
    MN_TRY(mn_least_squares(ctx, &rows, 0, coef, rss, &found));
  }
  if (rank) *rank = found.rank;
  return MN_OK;
}

mn_status mn_segments_solve(mn_context *ctx, const mn_segments *s, bool roughly, mn_broken *b)
{
  const size_t q = mn_segments_design(s, b->psi, b->m, false);
  return mn_segments_least_squares(ctx, s, q, roughly, b->coef, &b->rss, &b->rank);
}

size_t mn_segments_rows_to(const mn_segments *s, double v)
{
  size_t low = 0, high = s->n;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (s->sorted[middle] <= v)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool mn_segments_allow(const mn_segments *s, const double *psi, size_t m)
{
  size_t begin = 0;
  for (size_t k = 0; k <= m; k++) {
    const size_t end = k < m ? mn_segments_rows_to(s, psi[k]) : s->n;
    if (end <= begin || !(s->before[end] - s->before[begin] >= s->least)) return false;
    if (s->distinct > 1 && !(s->sorted[end - 1] > s->sorted[begin])) return false;
    begin = end;
  }
  return true;
}

mn_status mn_broken_make(mn_context *ctx, const mn_segments *s, mn_broken *b, size_t most)
{
  *b = (mn_broken){ .rss = INFINITY };
  b->psi = MN_NEW(ctx, double, most, 1);
  b->coef = MN_NEW(ctx, double, s->widest, 1);
  return b->psi && b->coef ? MN_OK : MN_NO_MEMORY;
}

void mn_broken_copy(const mn_segments *s, const mn_broken *from, mn_broken *to)
{
  to->m = from->m;
  to->rss = from->rss;
  to->rank = from->rank;
  memcpy(to->psi, from->psi, from->m * sizeof *to->psi);
  memcpy(to->coef, from->coef, s->widest * sizeof *to->coef);
}
