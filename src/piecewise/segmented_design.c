/* The design matrix for given breakpoints, and least squares on it. */
#include "../factorization/lapack.h"
#include "segmented.h"
#include <string.h>

size_t mn_segmented_width(const mn_segmented_problem *s, size_t m, bool moves)
{
  if (s->joined) return 2 + s->others + m + (moves ? m : 0);
  return (m + 1) * (s->line ? 2 : 1) + s->others;
}

size_t mn_segmented_design(const mn_segmented_problem *s, const double *psi, size_t m, bool moves)
{
  const size_t q = mn_segmented_width(s, m, moves), width_per_segment = s->line ? 2 : 1;
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
      row[segment * width_per_segment] = 1;
      if (s->line) row[segment * width_per_segment + 1] = z;
    }
    memcpy(row + (s->joined ? 2 : (m + 1) * width_per_segment), s->x + i * s->others, s->others * sizeof *row);
  }
  return q;
}

/* Add the products of columns from..q-1 with those before them and with y, the last row of the triangle. */
static void add_products(const mn_segmented_problem *s, size_t from, size_t q, double *gram)
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

void mn_segmented_precompute(mn_segmented_problem *s)
{
  const size_t q = mn_segmented_design(s, NULL, 0, false);
  memset(s->fixed_gram, 0, (q + 1) * (q + 1) * sizeof *s->fixed_gram);
  add_products(s, 0, q, s->fixed_gram);
  for (size_t i = 0; i < s->n; i++) s->fixed_gram[q * (q + 1) + q] += mn_weight(s->data, i) * s->y[i] * s->y[i];
}

/* Lower triangle of the products of the columns of joined lines and y. */
static void make_gram(const mn_segmented_problem *s, size_t q, double *gram)
{
  const size_t n_fixed = 2 + s->others;
  memset(gram, 0, (q + 1) * (q + 1) * sizeof *gram);
  for (size_t a = 0; a < n_fixed; a++)
    memcpy(gram + a * (q + 1), s->fixed_gram + a * (n_fixed + 1), (a + 1) * sizeof *gram);
  memcpy(gram + q * (q + 1), s->fixed_gram + n_fixed * (n_fixed + 1), n_fixed * sizeof *gram);
  gram[q * (q + 1) + q] = s->fixed_gram[n_fixed * (n_fixed + 1) + n_fixed];
  add_products(s, n_fixed, q, gram);
}

/* Cholesky factorization except for the last pivot, which becomes the residual sum of squares. Returns false if the
 * columns are collinear. */
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

mn_status mn_segmented_least_squares(mn_context *ctx, const mn_segmented_problem *s, size_t q, bool fast, double *coef,
                                     double *rss, size_t *rank)
{
  const size_t width = q + 1;
  double *gram = s->gram;
  mn_rank found = { .rank = q };
  if (fast) make_gram(s, q, gram);
  if (fast && factor(gram, q)) {
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

mn_status mn_segmented_solve(mn_context *ctx, const mn_segmented_problem *s, bool fast, mn_segmented_solution *b)
{
  const size_t q = mn_segmented_design(s, b->psi, b->m, false);
  return mn_segmented_least_squares(ctx, s, q, fast, b->coef, &b->rss, &b->rank);
}

size_t mn_segmented_count_rows(const mn_segmented_problem *s, double v)
{
  size_t low = 0, high = s->n;
  while (low < high) {
    const size_t mid = (low + high) / 2;
    if (s->sorted[mid] <= v)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

bool mn_segmented_is_valid(const mn_segmented_problem *s, const double *psi, size_t m)
{
  size_t begin = 0;
  for (size_t k = 0; k <= m; k++) {
    const size_t end = k < m ? mn_segmented_count_rows(s, psi[k]) : s->n;
    if (end <= begin || !(s->weight_before[end] - s->weight_before[begin] >= s->min_weight)) return false;
    if (s->min_distinct > 1 && !(s->sorted[end - 1] > s->sorted[begin])) return false;
    begin = end;
  }
  return true;
}

mn_status mn_segmented_solution_init(mn_context *ctx, const mn_segmented_problem *s, mn_segmented_solution *b,
                                     size_t capacity)
{
  *b = (mn_segmented_solution){ .rss = INFINITY };
  b->psi = MN_NEW(ctx, double, capacity, 1);
  b->coef = MN_NEW(ctx, double, s->max_width, 1);
  return b->psi && b->coef ? MN_OK : MN_NO_MEMORY;
}

void mn_segmented_solution_copy(const mn_segmented_problem *s, const mn_segmented_solution *from,
                                mn_segmented_solution *to)
{
  to->m = from->m;
  to->rss = from->rss;
  to->rank = from->rank;
  memcpy(to->psi, from->psi, from->m * sizeof *to->psi);
  memcpy(to->coef, from->coef, s->max_width * sizeof *to->coef);
}
