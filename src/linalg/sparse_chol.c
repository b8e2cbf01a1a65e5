#include "sparse_chol.h"
#include "dissection.h"
#include "sparse_chol_kernel.h"
#include <math.h>
#include <string.h>

enum { ROWS_BETWEEN_POLLS = 256 };

/* The lower triangle of the matrix in the new order, and the tree in which the parent of a column is the next one that
 * it changes. */
struct analysis {
  size_t n;
  size_t *start; /* n + 1: row i, columns below i, and the diagonal in diagonal[i] */
  int32_t *col;
  double *at, *diagonal;
  int32_t *parent; /* n; -1: none                                   */
  int32_t *mark;   /* n: the row that has visited a column          */
  int32_t *reach;  /* n: columns of the current row, from the end   */
  int32_t *path;   /* n */
};

static mn_status permute(mn_context *ctx, const mn_csr *a, const int32_t *order, struct analysis *s)
{
  const size_t n = a->rows;
  int32_t *place = MN_RAW(ctx, int32_t, n, 1);
  *s = (struct analysis){ .n = n,
                          .start = MN_RAW(ctx, size_t, n + 1, 1),
                          .col = MN_RAW(ctx, int32_t, a->start[n] + 1, 1),
                          .at = MN_RAW(ctx, double, a->start[n] + 1, 1),
                          .diagonal = MN_NEW(ctx, double, n, 1),
                          .parent = MN_RAW(ctx, int32_t, n, 1),
                          .mark = MN_RAW(ctx, int32_t, n, 1),
                          .reach = MN_RAW(ctx, int32_t, n, 1),
                          .path = MN_RAW(ctx, int32_t, n, 1) };
  if (!place || !s->start || !s->col || !s->at || !s->diagonal || !s->parent || !s->mark || !s->reach || !s->path)
    return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) place[order[i]] = (int32_t)i;
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    s->start[i] = count;
    for (size_t e = a->start[order[i]]; e < a->start[order[i] + 1]; e++) {
      const int32_t j = place[a->col[e]];
      if (j == (int32_t)i) s->diagonal[i] += a->at[e];
      if (j >= (int32_t)i) continue;
      s->col[count] = j;
      s->at[count++] = a->at[e];
    }
  }
  s->start[n] = count;
  return MN_OK;
}

static void find_tree(struct analysis *s)
{
  int32_t *ancestor = s->path;
  for (size_t i = 0; i < s->n; i++) {
    s->parent[i] = ancestor[i] = -1;
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++)
      for (int32_t j = s->col[e], next; j >= 0 && j < (int32_t)i; j = next) {
        next = ancestor[j];
        ancestor[j] = (int32_t)i;
        if (next < 0) s->parent[j] = (int32_t)i;
      }
  }
}

/* The columns of row i of L, below i, so that each comes after those it depends on: reach[top .. n - 1]. Returns top.
 */
static size_t find_reach(struct analysis *s, size_t i)
{
  size_t top = s->n;
  s->mark[i] = (int32_t)i;
  for (size_t e = s->start[i]; e < s->start[i + 1]; e++) {
    size_t length = 0;
    for (int32_t j = s->col[e]; s->mark[j] != (int32_t)i; j = s->parent[j]) {
      s->path[length++] = j;
      s->mark[j] = (int32_t)i;
    }
    while (length > 0) s->reach[--top] = s->path[--length];
  }
  return top;
}

static mn_status allocate(mn_context *ctx, struct analysis *a, mn_sparse_chol *s)
{
  const size_t n = a->n;
  s->start = MN_NEW(ctx, size_t, n + 1, 1);
  MN_CHECK_ALLOC(s->start);
  memset(a->mark, 0xff, n * sizeof *a->mark);
  for (size_t i = 0; i < n; i++) {
    if (i % ROWS_BETWEEN_POLLS == 0) MN_TRY(mn_poll(ctx));
    s->start[i + 1]++; /* the diagonal */
    for (size_t t = find_reach(a, i); t < n; t++) s->start[a->reach[t] + 1]++;
  }
  for (size_t i = 0; i < n; i++) s->start[i + 1] += s->start[i];
  s->row = MN_RAW(ctx, int32_t, s->start[n], 1);
  s->at = MN_RAW(ctx, double, s->start[n], 1);
  return s->row && s->at ? MN_OK : MN_NO_MEMORY;
}

/* Row by row: x = the row of A, from which each column of L takes its part. */
static mn_status factor(mn_context *ctx, struct analysis *a, double shift, mn_sparse_chol *s)
{
  const size_t n = a->n;
  size_t *next = MN_RAW(ctx, size_t, n, 1);
  double *x = MN_NEW(ctx, double, n, 1);
  if (!next || !x) return MN_NO_MEMORY;
  memcpy(next, s->start, n * sizeof *next);
  memset(a->mark, 0xff, n * sizeof *a->mark);
  for (size_t i = 0; i < n; i++) {
    double pivot = a->diagonal[i] + shift;
    if (i % ROWS_BETWEEN_POLLS == 0) MN_TRY(mn_poll(ctx));
    for (size_t e = a->start[i]; e < a->start[i + 1]; e++) x[a->col[e]] += a->at[e];
    for (size_t t = find_reach(a, i); t < n; t++) {
      const size_t j = (size_t)a->reach[t], begin = s->start[j];
      const double value = x[j] / s->at[begin];
      x[j] = 0;
      mn_subtract_sparse(next[j] - begin - 1, s->row + begin + 1, s->at + begin + 1, value, x);
      pivot -= value * value;
      s->row[next[j]] = (int32_t)i;
      s->at[next[j]++] = value;
    }
    s->row[next[i]] = (int32_t)i;
    s->at[next[i]++] = sqrt(fmax(fmax(pivot, shift), 1e-300)); /* exact pivots are not below the shift */
  }
  return MN_OK;
}

mn_status mn_sparse_chol_init(mn_context *ctx, const mn_csr *a, double shift, mn_sparse_chol *s)
{
  struct analysis analysis;
  *s = (mn_sparse_chol){ .n = a->rows, .order = MN_RAW(ctx, int32_t, a->rows, 1) };
  MN_CHECK_ALLOC(s->order);
  MN_TRY(mn_dissection_order(ctx, a, s->order));
  MN_TRY(permute(ctx, a, s->order, &analysis));
  MN_TRY(mn_poll(ctx));
  find_tree(&analysis);
  MN_TRY(allocate(ctx, &analysis, s));
  return factor(ctx, &analysis, shift, s);
}

mn_status mn_sparse_chol_solve(mn_context *ctx, const mn_sparse_chol *s, size_t count, double *x)
{
  enum { LANES = MN_SOLVE_LANES };
  const size_t n = s->n;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *z = MN_RAW(ctx, double, n, LANES);
  MN_CHECK_ALLOC(z);
  for (size_t first = 0; first < count; first += LANES) {
    const size_t lanes = count - first < LANES ? count - first : LANES;
    for (size_t i = 0; i < n; i++)
      for (size_t l = 0; l < LANES; l++) z[i * LANES + l] = l < lanes ? x[(first + l) * n + (size_t)s->order[i]] : 0;
    mn_solve_sparse_factor(n, s->start, s->row, s->at, z);
    for (size_t i = 0; i < n; i++)
      for (size_t l = 0; l < lanes; l++) x[(first + l) * n + (size_t)s->order[i]] = z[i * LANES + l];
    MN_TRY(mn_poll(ctx));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
