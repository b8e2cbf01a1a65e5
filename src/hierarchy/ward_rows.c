/* Ward's linkage by the nearest-neighbor chain with the means of the clusters in place of a matrix of distances:
 *
 *     height(A, B)^2 = 2 |A| |B| / (|A| + |B|) |mean(A) - mean(B)|^2
 *
 * Memory O(n d), so that the clusters stay in the cache. Means are kept by column, in chunks, without gaps: the last
 * cluster moves to the place of one that is removed. Ties are broken by the lowest index of a row. */
#include "../search/distance_block.h"
#include "linkage.h"
#include <math.h>

enum { CHUNK = 64 };

/* Clusters are named by one of their rows. */
struct means {
  size_t active, d;
  double *column; /* chunks x d x CHUNK   */
  double *size;   /* n, by place          */
  int32_t *row;   /* n, by place: names   */
  int32_t *place; /* n, by name; -1: none */
  double *point;  /* d: one mean          */
};

static double *mean_at(const struct means *m, size_t place)
{
  return m->column + place / CHUNK * (m->d * CHUNK) + place % CHUNK;
}

static mn_status init_means(mn_context *ctx, const mn_points *rows, struct means *m)
{
  const size_t n = rows->n, d = rows->d;
  *m = (struct means){ n,
                       d,
                       MN_NEW(ctx, double, (n + CHUNK - 1) / CHUNK, d * CHUNK),
                       MN_RAW(ctx, double, n, 1),
                       MN_RAW(ctx, int32_t, n, 1),
                       MN_RAW(ctx, int32_t, n, 1),
                       MN_RAW(ctx, double, d, 1) };
  if (!m->column || !m->size || !m->row || !m->place || !m->point) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    double *to = mean_at(m, i);
    for (size_t j = 0; j < d; j++) to[j * CHUNK] = rows->x[i * d + j];
    m->size[i] = 1;
    m->row[i] = m->place[i] = (int32_t)i;
  }
  return MN_OK;
}

struct nearest {
  int32_t row;
  double height2;
};

/* Whether an item of a chunk is nearer than the nearest so far. */
static bool is_nearer(double height2, int32_t row, const struct nearest *n)
{
  return height2 < n->height2 || (!(height2 > n->height2) && row < n->row);
}

/* The nearest cluster of x: `before`, if no other is nearer. */
static struct nearest nearest_mean(const struct means *m, int32_t x, const struct nearest *before)
{
  const size_t own = (size_t)m->place[x];
  const double nx = m->size[own], least_factor = 2 * nx / (nx + 1);
  struct nearest found = *before;
  bool by_row = before->row == INT32_MAX; /* ties are broken by the row, but `before` wins them */
  double distance2[CHUNK];
  for (size_t j = 0; j < m->d; j++) m->point[j] = mean_at(m, own)[j * CHUNK];
  for (size_t from = 0; from < m->active; from += CHUNK) {
    const size_t count = m->active - from < CHUNK ? m->active - from : CHUNK;
    const size_t padded = (count + MN_LANES - 1) / MN_LANES * MN_LANES;
    mn_block_distances(MN_FORM_SQUARES, 2, padded, CHUNK, m->d, mean_at(m, from), m->point, distance2);
    for (size_t i = 0; i < count; i++) {
      if (distance2[i] * least_factor > found.height2 || from + i == own) continue;
      const double ni = m->size[from + i], height2 = 2 * nx * ni / (nx + ni) * distance2[i];
      if (!(by_row ? is_nearer(height2, m->row[from + i], &found) : height2 < found.height2)) continue;
      found = (struct nearest){ m->row[from + i], height2 };
      by_row = true;
    }
  }
  return found;
}

/* Cluster y becomes the merger of x and y; the last cluster moves to the place of x. */
static void merge_means(struct means *m, int32_t x, int32_t y)
{
  const size_t a = (size_t)m->place[x], b = (size_t)m->place[y], last = --m->active;
  const double total = m->size[a] + m->size[b], share = m->size[a] / total;
  for (size_t j = 0; j < m->d; j++) {
    double *mean = &mean_at(m, b)[j * CHUNK];
    *mean += share * (mean_at(m, a)[j * CHUNK] - *mean);
  }
  m->size[b] = total;
  for (size_t j = 0; j < m->d; j++) mean_at(m, a)[j * CHUNK] = mean_at(m, last)[j * CHUNK];
  m->size[a] = m->size[last];
  m->row[a] = m->row[last];
  m->place[m->row[a]] = (int32_t)a;
  m->place[x] = -1;
}

mn_status mn_link_ward_rows(mn_context *ctx, const mn_points *rows, mn_merge *merges)
{
  const size_t n = rows->n;
  struct means m;
  MN_TRY(init_means(ctx, rows, &m));
  int32_t *chain = MN_RAW(ctx, int32_t, n, 1);
  MN_CHECK_ALLOC(chain);
  double *height2 = MN_RAW(ctx, double, n, 1); /* of each in the chain from the one before */
  MN_CHECK_ALLOC(height2);
  int32_t first = 0; /* the first row that names a cluster */
  for (size_t made = 0, length = 0; made + 1 < n;) {
    MN_TRY(mn_poll(ctx));
    while (m.place[first] < 0) first++;
    if (length == 0) chain[length++] = first;
    struct nearest before = { INT32_MAX, INFINITY };
    if (length > 1) before = (struct nearest){ chain[length - 2], height2[length - 1] };
    const int32_t x = chain[length - 1];
    const struct nearest y = nearest_mean(&m, x, &before);
    if (length > 1 && y.row == before.row) {
      const int32_t low = x < y.row ? x : y.row, high = x < y.row ? y.row : x;
      merge_means(&m, low, high);
      merges[made++] = (mn_merge){ .a = low, .b = high, .height = sqrt(y.height2) };
      length -= 2;
    } else {
      height2[length] = y.height2;
      chain[length++] = y.row;
    }
  }
  return MN_OK;
}
