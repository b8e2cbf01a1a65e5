#include "projection_forest.h"
#include "../core/rng.h"
#include "../core/threads.h"
#include "hnsw_kernel.h"

enum {
  PIECE = 256, /* rows measured at a time    */
  DRAWS = 3    /* of the second row of a line */
};

mn_status mn_projection_forest_init(mn_context *ctx, mn_projection_forest *f, size_t n, size_t width, size_t levels,
                                    size_t trees, const float *rows)
{
  *f = (mn_projection_forest){ n, width, levels, trees, rows, MN_RAW(ctx, mn_candidate, trees, n) };
  return f->order ? MN_OK : MN_NO_MEMORY;
}

struct level {
  mn_context *ctx;
  const mn_projection_forest *f;
  size_t first, level;
};

/* Two rows of a node: one at random, and the farthest from it of a few others. */
static void draw_line(const mn_projection_forest *f, mn_rng *rng, size_t n, const mn_candidate *at, const float **a,
                      const float **b)
{
  float farthest = -1;
  *a = f->rows + (size_t)at[mn_random_below(rng, n)].index * f->width;
  for (int draw = 0; draw < DRAWS; draw++) {
    const float *row = f->rows + (size_t)at[mn_random_below(rng, n)].index * f->width;
    const float distance = mn_single_distance(f->width, *a, row);
    if (!(distance > farthest)) continue;
    farthest = distance;
    *b = row;
  }
}

/* Half the rows of a node, those on one side of the median, come first. The difference of the squared distances from
 * two points is a projection onto the line through them. */
static void split_node(void *work, size_t item, size_t worker)
{
  const struct level *w = work;
  const mn_projection_forest *f = w->f;
  const mn_cancel_token token = { w->ctx, worker };
  const size_t tree = item >> w->level, node = item - (tree << w->level), below = f->levels - w->level;
  const size_t begin = mn_projection_leaf(f, node << below), end = mn_projection_leaf(f, (node + 1) << below);
  const size_t middle = mn_projection_leaf(f, ((2 * node) + 1) << (below - 1)), n = end - begin;
  mn_candidate *at = f->order + tree * f->n + begin;
  mn_rng rng = mn_stream((int64_t)(w->first + tree), ((uint64_t)1 << w->level) + node);
  const float *a, *b = NULL;
  int32_t id[PIECE];
  float from_a[PIECE], from_b[PIECE];
  draw_line(f, &rng, n, at, &a, &b);
  for (size_t from = 0; from < n; from += PIECE) {
    const size_t count = n - from < PIECE ? n - from : PIECE;
    if (from % MN_CHUNK == 0 && !mn_task_should_continue(&token)) return;
    for (size_t i = 0; i < count; i++) id[i] = at[from + i].index;
    mn_single_distances(count, id, f->width, f->rows, a, from_a);
    mn_single_distances(count, id, f->width, f->rows, b, from_b);
    for (size_t i = 0; i < count; i++) at[from + i].value = (double)(from_a[i] - from_b[i]);
  }
  mn_select_nearest(at, n, middle - begin);
}

mn_status mn_projection_forest_build(mn_context *ctx, mn_projection_forest *f, size_t first, size_t count)
{
  struct level w = { ctx, f, first, 0 };
  for (size_t t = 0; t < count; t++)
    for (size_t i = 0; i < f->n; i++) f->order[t * f->n + i].index = (int32_t)i;
  for (; w.level < f->levels; w.level++) MN_TRY(mn_parallel(ctx, count << w.level, split_node, &w));
  return MN_OK;
}
