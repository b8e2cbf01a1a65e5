/* Separate segments: the exact minimum by dynamic programming over rows in the order of z,
 *
 *     best(s + 1, j) = min_i best(s, i) + cost(i, j),
 *
 * where cost is the residual sum of squares of a line or a level through rows i to j - 1, updated one row at a time
 * (Welford). With other columns, their coefficients and the breakpoints are updated in turn until the RSS does not
 * decrease. Bai & Perron 2003. */
#include "segmented.h"
#include <string.h>

enum { POLL_ROWS = 64, MAX_ITER = 50 };

struct moments {
  double weight, z, y, zz, zy, yy;
};

static void add_row(struct moments *s, double w, double z, double y)
{
  s->weight += w;
  const double dz = z - s->z, dy = y - s->y, share = w / s->weight;
  s->z += share * dz;
  s->y += share * dy;
  s->zz += w * dz * (z - s->z);
  s->zy += w * dz * (y - s->y);
  s->yy += w * dy * (y - s->y);
}

static double residual_square(const struct moments *s, bool line)
{
  const double slope = line && s->zz > 0 ? s->zy / s->zz : 0;
  return fmax(s->yy - slope * s->zy, 0);
}

struct table {
  size_t segments, rows;
  double *best;  /* (segments + 1) x (rows + 1) */
  int32_t *from; /* the same                    */
};

/* Extend all partitions that end before row i by a segment that begins with row i. */
static void extend(const mn_segmented_problem *s, const double *y, struct table *t, size_t i)
{
  const size_t width = t->rows + 1;
  struct moments moments = { 0 };
  size_t distinct = 0;
  for (size_t j = i; j < t->rows; j++) {
    add_row(&moments, mn_weight(s->data, s->order[j]), s->sorted[j], y[s->order[j]]);
    distinct += j == i || s->sorted[j] > s->sorted[j - 1];
    if (j + 1 < t->rows && !(s->sorted[j + 1] > s->sorted[j])) continue; /* rows with equal z stay together */
    if (distinct < s->min_distinct || !(s->weight_before[j + 1] - s->weight_before[i] >= s->min_weight)) continue;
    const double cost = residual_square(&moments, s->line);
    for (size_t k = 0; k < t->segments; k++) {
      const double value = t->best[k * width + i] + cost;
      if (!(value < t->best[(k + 1) * width + j + 1])) continue;
      t->best[(k + 1) * width + j + 1] = value;
      t->from[(k + 1) * width + j + 1] = (int32_t)i;
    }
  }
}

/* Breakpoints of the best partition of y into m + 1 segments. */
static mn_status find_partition(mn_context *ctx, const mn_segmented_problem *s, const double *y, size_t m,
                                struct table *t, double *psi, bool *found)
{
  const size_t width = t->rows + 1;
  for (size_t c = 0; c < (t->segments + 1) * width; c++) t->best[c] = INFINITY;
  t->best[0] = 0;
  for (size_t i = 0; i < t->rows; i++) {
    if (i > 0 && !(s->sorted[i] > s->sorted[i - 1])) continue;
    if (i % POLL_ROWS == 0) MN_TRY(mn_poll(ctx));
    bool reached = false;
    for (size_t k = 0; k < t->segments; k++) reached = reached || t->best[k * width + i] < INFINITY;
    if (reached) extend(s, y, t, i);
  }
  *found = t->best[t->segments * width + t->rows] < INFINITY;
  size_t end = t->rows;
  for (size_t k = m; *found && k > 0; k--) {
    end = (size_t)t->from[(k + 1) * width + end];
    psi[k - 1] = s->sorted[end - 1];
  }
  return MN_OK;
}

/* y minus the contribution of the other columns in b. */
static void subtract_others(const mn_segmented_problem *s, const mn_segmented_solution *b, double *y)
{
  const double *weight = b->coef + (mn_segmented_width(s, b->m, false) - s->others);
  for (size_t i = 0; i < s->n; i++) {
    y[i] = s->y[i];
    for (size_t j = 0; j < s->others; j++) y[i] -= s->x[i * s->others + j] * weight[j];
  }
}

mn_status mn_segmented_partition(mn_context *ctx, const mn_segmented_problem *s, size_t m, mn_segmented_solution *b,
                                 bool *found)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct table t = { .segments = m + 1, .rows = s->n };
  t.best = MN_RAW(ctx, double, m + 2, s->n + 1);
  t.from = MN_NEW(ctx, int32_t, m + 2, s->n + 1);
  double *y = MN_RAW(ctx, double, s->n, 1);
  mn_segmented_solution next;
  if (!t.best || !t.from || !y) return MN_NO_MEMORY;
  MN_TRY(mn_segmented_solution_init(ctx, s, &next, m));
  double rss_before = INFINITY;
  subtract_others(s, b, y); /* start from the solution with fewer breakpoints */
  for (size_t iter = 0; iter < MAX_ITER; iter++) {
    MN_TRY(find_partition(ctx, s, y, m, &t, next.psi, found));
    if (!*found) break;
    next.m = m;
    MN_TRY(mn_segmented_solve(ctx, s, false, &next));
    if (!(next.rss < rss_before)) break;
    mn_segmented_solution_copy(s, &next, b);
    rss_before = next.rss;
    if (s->others == 0) break;
    subtract_others(s, b, y);
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
