#include "merges.h"
#include "../spanning_tree/components.h"
#include "../stats/argsort.h"
#include <math.h>
#include <string.h>

static mn_status sort_by_height(mn_context *ctx, size_t m, mn_merge *merges)
{
  double *height = MN_RAW(ctx, double, m, 1);
  size_t *order = MN_RAW(ctx, size_t, m, 1);
  mn_merge *copy = MN_RAW(ctx, mn_merge, m, 1);
  if (!height || !order || !copy) return MN_NO_MEMORY;
  for (size_t i = 0; i < m; i++) height[i] = merges[i].height;
  if (m > 0) memcpy(copy, merges, m * sizeof *copy);
  MN_TRY(mn_argsort(ctx, m, height, 1, order));
  for (size_t i = 0; i < m; i++) merges[i] = copy[order[i]];
  return MN_OK;
}

mn_status mn_number_merges(mn_context *ctx, size_t n, bool sort, mn_merge *merges)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  int32_t *parent = MN_RAW(ctx, int32_t, n, 1), *cluster = MN_RAW(ctx, int32_t, n, 1);
  double *count = MN_RAW(ctx, double, n, 1);
  if (!parent || !cluster || !count) return MN_NO_MEMORY;
  if (sort) MN_TRY(sort_by_height(ctx, n - 1, merges));
  mn_components_init(parent, n);
  for (size_t i = 0; i < n; i++) {
    cluster[i] = (int32_t)i;
    count[i] = 1;
  }
  for (size_t i = 0; i + 1 < n; i++) {
    const int32_t x = mn_component(parent, merges[i].a), y = mn_component(parent, merges[i].b);
    const int32_t a = cluster[x], b = cluster[y], root = x < y ? x : y;
    mn_components_join(parent, x, y);
    count[root] = count[x] + count[y];
    cluster[root] = (int32_t)(n + i);
    merges[i] = (mn_merge){ a < b ? a : b, a < b ? b : a, merges[i].height, count[root] };
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

void mn_merges_to_matrix(size_t m, const mn_merge *merges, double *matrix)
{
  for (size_t i = 0; i < m; i++, matrix += 4) {
    matrix[0] = merges[i].a + 1;
    matrix[1] = merges[i].b + 1;
    matrix[2] = merges[i].height;
    matrix[3] = merges[i].count;
  }
}

/* Whether a number from 1 names a cluster that exists before merge i of m and was not joined to another; then it is. */
static bool take_cluster(double number, size_t i, size_t m, bool *joined)
{
  if (!(number >= 1 && number <= (double)(m + 1 + i)) || number != floor(number)) return false;
  const size_t cluster = (size_t)number - 1;
  const bool free = !joined[cluster];
  joined[cluster] = true;
  return free;
}

mn_status mn_merges_from_matrix(mn_context *ctx, const char *who, mn_status status, size_t m, const double *matrix,
                                mn_merge *merges)
{
  bool *joined = MN_NEW(ctx, bool, m + 1, 2);
  MN_CHECK_ALLOC(joined);
  for (size_t i = 0; i < m; i++) {
    const double *row = matrix + 4 * i;
    if (!take_cluster(row[0], i, m, joined) || !take_cluster(row[1], i, m, joined) || !(fabs(row[2]) < INFINITY))
      return mn_fail(ctx, status,
                     "%s: each merge must join two clusters that exist and were not joined before, at a finite height; "
                     "merge %zu does not",
                     who, i + 1);
    const int32_t a = (int32_t)row[0] - 1, b = (int32_t)row[1] - 1, n = (int32_t)m + 1;
    const double count = (a < n ? 1 : merges[a - n].count) + (b < n ? 1 : merges[b - n].count);
    if (!(row[3] >= count && row[3] <= count))
      return mn_fail(ctx, status,
                     "%s: column 4 must be the number of rows of the new cluster, got %g instead of %g in "
                     "row %zu",
                     who, row[3], count, i + 1);
    merges[i] = (mn_merge){ a, b, row[2], count };
  }
  return MN_OK;
}

/* Labels from the merges that are made, which include all merges before them in their cluster. */
static mn_status label_rows(mn_context *ctx, size_t n, const mn_merge *merges, const bool *made, int32_t *label,
                            size_t *clusters)
{
  int32_t *top = MN_RAW(ctx, int32_t, n, 2), *number = MN_RAW(ctx, int32_t, n, 2);
  if (!top || !number) return MN_NO_MEMORY;
  for (size_t i = 0; i < 2 * n; i++) {
    top[i] = (int32_t)i;
    number[i] = -1;
  }
  for (size_t i = n - 1; i-- > 0;)
    if (made[i]) top[merges[i].a] = top[merges[i].b] = top[n + i];
  *clusters = 0;
  for (size_t i = 0; i < n; i++) {
    int32_t *own = &number[top[i]];
    if (*own < 0) *own = (int32_t)(*clusters)++;
    label[i] = *own;
  }
  return MN_OK;
}

mn_status mn_cut_count(mn_context *ctx, size_t n, const mn_merge *merges, size_t k, int32_t *label, size_t *clusters)
{
  bool *made = MN_NEW(ctx, bool, n, 1);
  MN_CHECK_ALLOC(made);
  for (size_t i = 0; i + k < n; i++) made[i] = true;
  return label_rows(ctx, n, merges, made, label, clusters);
}

/* The largest height of a merge and those before it in its cluster. */
static double highest(size_t n, const mn_merge *m, const double *height)
{
  double most = m->height;
  if ((size_t)m->a >= n) most = fmax(most, height[(size_t)m->a - n]);
  if ((size_t)m->b >= n) most = fmax(most, height[(size_t)m->b - n]);
  return most;
}

mn_status mn_cut_height(mn_context *ctx, size_t n, const mn_merge *merges, double height, bool inclusive,
                        int32_t *label, size_t *clusters)
{
  bool *made = MN_NEW(ctx, bool, n, 1);
  double *most = MN_RAW(ctx, double, n, 1);
  if (!made || !most) return MN_NO_MEMORY;
  for (size_t i = 0; i + 1 < n; i++) {
    most[i] = highest(n, &merges[i], most);
    made[i] = inclusive ? most[i] <= height : most[i] < height;
  }
  return label_rows(ctx, n, merges, made, label, clusters);
}

static double count_of(size_t n, const mn_merge *merges, int32_t cluster)
{
  return (size_t)cluster < n ? 1 : merges[(size_t)cluster - n].count;
}

/* The position of the first row of each cluster in the leaf order: 2 n - 1 values. */
static size_t *first_positions(mn_context *ctx, size_t n, const mn_merge *merges)
{
  size_t *first = MN_NEW(ctx, size_t, n, 2);
  for (size_t i = n - 1; first && i-- > 0;) {
    first[merges[i].a] = first[n + i];
    first[merges[i].b] = first[n + i] + (size_t)count_of(n, merges, merges[i].a);
  }
  return first;
}

mn_status mn_leaf_order(mn_context *ctx, size_t n, const mn_merge *merges, int32_t *order)
{
  const size_t *first = first_positions(ctx, n, merges);
  MN_CHECK_ALLOC(first);
  for (size_t i = 0; i < n; i++) order[first[i]] = (int32_t)i;
  return MN_OK;
}

mn_status mn_cophenetic(mn_context *ctx, size_t n, const mn_merge *merges, double *out)
{
  const size_t *first = first_positions(ctx, n, merges);
  int32_t *order = MN_RAW(ctx, int32_t, n, 1);
  if (!first || !order) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) order[first[i]] = (int32_t)i;
  for (size_t i = 0; i < n; i++) out[i * n + i] = 0;
  for (size_t m = 0; m + 1 < n; m++) {
    const int32_t a = merges[m].a, b = merges[m].b;
    const size_t a_end = first[a] + (size_t)count_of(n, merges, a), b_end = first[b] + (size_t)count_of(n, merges, b);
    for (size_t i = first[a]; i < a_end; i++) {
      MN_TRY(mn_poll(ctx));
      for (size_t j = first[b]; j < b_end; j++) {
        const size_t x = (size_t)order[i], y = (size_t)order[j];
        out[x * n + y] = out[y * n + x] = merges[m].height;
      }
    }
  }
  return MN_OK;
}
