#include "distance_matrix.h"
#include "../core/threads.h"

struct measuring {
  const mn_row_distances *rows;
  double *distance;
  mn_blocks blocks;
};

static void measure_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct measuring *w = work;
  const size_t n = w->blocks.n;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++)
    mn_measure_row(w->rows, i, 0, n, w->distance + i * n);
}

mn_status mn_distances_within(mn_context *ctx, const char *who, mn_metric metric, const mn_points *points, double *out)
{
  mn_row_distances rows;
  MN_TRY(mn_row_distances_init(ctx, who, &rows, metric, points));
  struct measuring w = { &rows, out, mn_make_blocks(points->n, 8, SIZE_MAX) };
  return mn_parallel(ctx, w.blocks.count, measure_block, &w);
}

struct queries {
  const mn_space *space;
  const double *x, *others; /* embedded, but for haversine */
  size_t width, count;
  double *out; /* rows x count */
  mn_blocks blocks;
};

static void query_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct queries *q = work;
  for (size_t i = mn_block_begin(&q->blocks, block); i < mn_block_end(&q->blocks, block); i++)
    for (size_t c = 0; c < q->count; c++)
      q->out[i * q->count + c] =
          mn_space_distance(q->space, mn_space_measure(q->space, q->x + i * q->width, q->others + c * q->width));
}

/* The rows in the coordinates of the space, in scratch if they differ from `x`. */
static mn_status embed(mn_context *ctx, const mn_space *space, size_t n, const double *x, const double **out)
{
  const mn_points points = { .n = n, .d = (size_t)space->d, .x = x };
  *out = x;
  if (!mn_space_embeds(space) || space->kind == MN_METRIC_HAVERSINE) return MN_OK;
  double *z = MN_RAW(ctx, double, n, (size_t)space->width);
  MN_CHECK_ALLOC(z);
  *out = z;
  return mn_space_embed(ctx, space, &points, false, z);
}

mn_status mn_distances_between(mn_context *ctx, const mn_space *space, size_t n, const double *x, size_t count,
                               const double *others, double *out)
{
  struct queries q = { .space = space,
                       .width = (size_t)(space->kind == MN_METRIC_HAVERSINE ? space->d : space->width),
                       .count = count,
                       .out = out,
                       .blocks = mn_make_blocks(n, 64, SIZE_MAX) };
  MN_TRY(embed(ctx, space, n, x, &q.x));
  MN_TRY(embed(ctx, space, count, others, &q.others));
  return mn_parallel(ctx, q.blocks.count, query_block, &q);
}
