/* Optimal leaf ordering. For each cluster, cost(u, w) is the least sum of the distances between neighbors over the
 * orders of its rows that begin with u and end with w, u in one part and w in the other:
 *
 *     cost(u, w) = min over m, k of cost(u, m) + distance(m, k) + cost(k, w)
 *
 * where m ends the first part and k begins the second. The minimum over m is taken first, for each u and k. */
#include "merges.h"
#include <math.h>

struct order {
  size_t n;
  const double *distance; /* n x n */
  double *cost;           /* n x n: of rows as the ends of the smallest cluster that has both */
  double *partial;        /* n x n: the least cost from u to a row of the other part */
  size_t *first, *size;   /* 2 n: positions in `row` of each cluster, and its rows */
  int32_t *row;           /* n: rows by cluster */
  const mn_merge *merges;
};

/* The rows that can end a cluster which begins with u: those of the part without u; u itself, if it is alone. */
static void other_ends(const struct order *o, size_t cluster, int32_t u_position, size_t *begin, size_t *end)
{
  *begin = o->first[cluster];
  *end = o->first[cluster] + o->size[cluster];
  if (cluster < o->n) return;
  const size_t b = (size_t)o->merges[cluster - o->n].b, middle = o->first[b];
  if ((size_t)u_position < middle)
    *begin = middle;
  else
    *end = middle;
}

/* partial(u, k) for the rows u of cluster a and k of cluster b. */
static void extend_part(const struct order *o, size_t a, size_t b)
{
  const size_t n = o->n;
  for (size_t p = o->first[a]; p < o->first[a] + o->size[a]; p++) {
    const size_t u = (size_t)o->row[p];
    size_t begin, end;
    other_ends(o, a, (int32_t)p, &begin, &end);
    for (size_t r = o->first[b]; r < o->first[b] + o->size[b]; r++) {
      const size_t k = (size_t)o->row[r];
      double least = INFINITY;
      for (size_t q = begin; q < end; q++) {
        const size_t m = (size_t)o->row[q];
        least = fmin(least, o->cost[u * n + m] + o->distance[m * n + k]);
      }
      o->partial[u * n + k] = least;
    }
  }
}

static void join_parts(const struct order *o, size_t a, size_t b)
{
  const size_t n = o->n;
  extend_part(o, a, b);
  for (size_t r = o->first[b]; r < o->first[b] + o->size[b]; r++) {
    const size_t w = (size_t)o->row[r];
    size_t begin, end;
    other_ends(o, b, (int32_t)r, &begin, &end);
    for (size_t p = o->first[a]; p < o->first[a] + o->size[a]; p++) {
      const size_t u = (size_t)o->row[p];
      double least = INFINITY;
      for (size_t q = begin; q < end; q++) {
        const size_t k = (size_t)o->row[q];
        least = fmin(least, o->partial[u * n + k] + o->cost[k * n + w]);
      }
      o->cost[u * n + w] = o->cost[w * n + u] = least;
    }
  }
}

/* Order the clusters from the top, given the rows at both ends: exchange the parts if the first row is in b. */
struct ends {
  int32_t left, right;
};

/* The rows m and k at which the two parts of a cluster with these ends meet. */
static void find_middle(const struct order *o, size_t a, size_t b, const size_t *place, struct ends e, int32_t *m,
                        int32_t *k)
{
  const size_t n = o->n, u = (size_t)e.left, w = (size_t)e.right;
  size_t begin, end, from, to;
  double least = INFINITY;
  other_ends(o, a, (int32_t)place[u], &begin, &end);
  other_ends(o, b, (int32_t)place[w], &from, &to);
  *m = o->row[begin];
  *k = o->row[from];
  for (size_t q = begin; q < end; q++)
    for (size_t r = from; r < to; r++) {
      const size_t x = (size_t)o->row[q], y = (size_t)o->row[r];
      const double cost = o->cost[u * n + x] + o->distance[x * n + y] + o->cost[y * n + w];
      if (!(cost < least)) continue;
      least = cost;
      *m = o->row[q];
      *k = o->row[r];
    }
}

static void exchange_parts(const struct order *o, const size_t *place, struct ends *ends, mn_merge *merges)
{
  for (size_t i = o->n - 1; i-- > 0;) {
    const struct ends e = ends[o->n + i];
    const size_t a = (size_t)merges[i].a, b = (size_t)merges[i].b;
    const bool in_b = place[e.left] >= o->first[b];
    const size_t one = in_b ? b : a, two = in_b ? a : b;
    int32_t m, k;
    find_middle(o, one, two, place, e, &m, &k);
    ends[one] = (struct ends){ e.left, m };
    ends[two] = (struct ends){ k, e.right };
    if (in_b) {
      const int32_t t = merges[i].a;
      merges[i].a = merges[i].b;
      merges[i].b = t;
    }
  }
}

static struct ends best_ends(const struct order *o)
{
  const mn_merge *top = &o->merges[o->n - 2];
  struct ends best = { o->row[0], o->row[o->n - 1] };
  double least = INFINITY;
  for (size_t p = o->first[top->a]; p < o->first[top->a] + o->size[top->a]; p++)
    for (size_t q = o->first[top->b]; q < o->first[top->b] + o->size[top->b]; q++) {
      const double cost = o->cost[(size_t)o->row[p] * o->n + (size_t)o->row[q]];
      if (!(cost < least)) continue;
      least = cost;
      best = (struct ends){ o->row[p], o->row[q] };
    }
  return best;
}

mn_status mn_order_leaves(mn_context *ctx, size_t n, const double *distance, mn_merge *merges)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_merge *given = MN_RAW(ctx, mn_merge, n, 1);
  size_t *place = MN_RAW(ctx, size_t, n, 1);
  struct ends *ends = MN_RAW(ctx, struct ends, n, 2);
  struct order o = { .n = n, .distance = distance, .cost = MN_NEW(ctx, double, n, n) };
  o.partial = MN_RAW(ctx, double, n, n);
  o.first = MN_NEW(ctx, size_t, n, 2);
  o.size = MN_RAW(ctx, size_t, n, 2);
  o.row = MN_RAW(ctx, int32_t, n, 1);
  if (!given || !place || !ends || !o.cost || !o.partial || !o.first || !o.size || !o.row) return MN_NO_MEMORY;
  if (n < 3) return MN_OK;
  for (size_t i = 0; i + 1 < n; i++) given[i] = merges[i];
  o.merges = given;
  for (size_t i = 0; i < n; i++) o.size[i] = 1;
  for (size_t i = 0; i + 1 < n; i++) o.size[n + i] = (size_t)given[i].count;
  for (size_t i = n - 1; i-- > 0;) {
    o.first[given[i].a] = o.first[n + i];
    o.first[given[i].b] = o.first[n + i] + o.size[given[i].a];
  }
  for (size_t i = 0; i < n; i++) {
    o.row[o.first[i]] = (int32_t)i;
    place[i] = o.first[i];
  }
  for (size_t i = 0; i + 1 < n; i++) {
    MN_TRY(mn_poll(ctx));
    join_parts(&o, (size_t)given[i].a, (size_t)given[i].b);
  }
  ends[2 * n - 2] = best_ends(&o);
  exchange_parts(&o, place, ends, merges);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
