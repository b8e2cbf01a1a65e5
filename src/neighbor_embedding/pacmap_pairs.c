#include "../manifold/neighbor_table.h"
#include "pacmap_pairs.h"
#include "../core/rng.h"
#include "../core/threads.h"
#include <math.h>

enum { CANDIDATES = 50 /* nearest rows besides `near` that may be near by scaled distance */, DRAWN = 6 };

struct pairs {
  const mn_neighbor_index *index;
  size_t n, width; /* of the rows on which distances are measured */
  const double *rows;
  mn_pacmap_counts counts;
  int64_t seed;
  int32_t *near, *mid, *far;
  size_t k; /* candidates of each row, nearest first */
  const int32_t *found;
  double *distance, *scale;
  mn_candidate *heap; /* for each worker: counts.near */
  mn_blocks blocks;
};

/* The mean distance to the 4th to 6th neighbor, or of the last one if there are fewer than four. */
static double local_scale(size_t k, const double *distance)
{
  const size_t first = k > 3 ? 3 : k - 1, end = k < 6 ? k : 6;
  double sum = 0;
  for (size_t j = first; j < end; j++) sum += distance[j];
  return fmax(sum / (double)(end - first), 1e-10);
}

static void pick_near(const struct pairs *p, size_t i, mn_candidate *heap)
{
  const size_t count = p->counts.near;
  mn_heap_clear(heap, count);
  for (size_t j = 0; j < p->k; j++) {
    const double d = p->distance[i * p->k + j];
    const size_t other = (size_t)p->found[i * p->k + j];
    /* ties are broken by distance */
    mn_heap_offer(heap, count, (mn_candidate){ d * d / (p->scale[i] * p->scale[other]), (int32_t)j });
  }
  mn_heap_sort(heap, count);
  for (size_t j = 0; j < count; j++) p->near[i * count + j] = p->found[i * p->k + (size_t)heap[j].index];
}

static bool contains(size_t n, const int32_t *list, int32_t value)
{
  for (size_t j = 0; j < n; j++)
    if (list[j] == value) return true;
  return false;
}

/* A row other than i and those of two lists, which do not contain all. */
static int32_t draw(mn_rng *rng, size_t n, size_t i, size_t a, const int32_t *list, size_t b, const int32_t *other)
{
  for (;;) {
    const int32_t row = (int32_t)mn_random_below(rng, n);
    if ((size_t)row != i && !contains(a, list, row) && !contains(b, other, row)) return row;
  }
}

/* The second nearest of several rows that were not picked before. */
static int32_t pick_mid(const struct pairs *p, mn_rng *rng, size_t i, size_t picked, const int32_t *before)
{
  const size_t rest = p->n - 1 - picked, count = rest < DRAWN ? rest : DRAWN;
  int32_t drawn[DRAWN];
  mn_candidate best = { INFINITY, INT32_MAX }, second = best;
  for (size_t t = 0; t < count; t++) {
    drawn[t] = draw(rng, p->n, i, t, drawn, picked, before);
    const mn_candidate item = {
      mn_space_measure(&p->index->space, p->rows + i * p->width, p->rows + (size_t)drawn[t] * p->width), drawn[t]
    };
    if (t == 0 || mn_is_nearer(item, best)) {
      second = best;
      best = item;
    } else if (mn_is_nearer(item, second)) {
      second = item;
    }
  }
  return count > 1 ? second.index : best.index;
}

static void pair_block(void *work, size_t block, size_t worker)
{
  const struct pairs *p = work;
  const mn_pacmap_counts c = p->counts;
  for (size_t i = mn_block_begin(&p->blocks, block); i < mn_block_end(&p->blocks, block); i++) {
    mn_rng rng = mn_stream(p->seed, i + 1);
    int32_t *near = p->near + i * c.near, *mid = p->mid + i * c.mid, *far = p->far + i * c.far;
    pick_near(p, i, p->heap + worker * c.near);
    for (size_t j = 0; j < c.mid; j++) mid[j] = pick_mid(p, &rng, i, j, mid);
    for (size_t j = 0; j < c.far; j++) far[j] = draw(&rng, p->n, i, c.near, near, j, far);
  }
}

mn_status mn_pacmap_pairs(mn_context *ctx, const mn_neighbor_index *index, const mn_points *rows, bool angular,
                          mn_pacmap_counts counts, int64_t seed, int32_t *near, int32_t *mid, int32_t *far)
{
  const size_t n = rows->n, k = counts.near + CANDIDATES < n - 1 ? counts.near + CANDIDATES : n - 1;
  int32_t *found = MN_RAW(ctx, int32_t, n, k);
  struct pairs p = { .index = index,
                     .n = n,
                     .width = (size_t)index->space.width,
                     .rows = index->embedded.at ? index->embedded.at : rows->x,
                     .counts = counts,
                     .seed = seed,
                     .near = near,
                     .mid = mid,
                     .far = far,
                     .k = k,
                     .found = found,
                     .distance = MN_RAW(ctx, double, n, k),
                     .scale = MN_RAW(ctx, double, n, 1),
                     .heap = MN_RAW(ctx, mn_candidate, mn_threads(ctx), counts.near),
                     .blocks = mn_make_blocks(n, 64, SIZE_MAX) };
  if (!found || !p.distance || !p.scale || !p.heap) return MN_NO_MEMORY;
  MN_TRY(mn_neighbor_nearest(ctx, index, rows, NULL, k, found, p.distance));
  MN_TRY(mn_check_neighbor_distances(ctx, "PaCMAP", n, k, p.distance));
  for (size_t i = 0; angular && i < n * k; i++) p.distance[i] = sqrt(2 * p.distance[i]);
  for (size_t i = 0; i < n; i++) p.scale[i] = local_scale(k, p.distance + i * k);
  return mn_parallel(ctx, p.blocks.count, pair_block, &p);
}
