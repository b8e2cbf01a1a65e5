#include "neighbor_descent.h"
#include "../core/threads.h"
#include "../linalg/gemm.h"
#include "../linalg/screen.h"
#include "hnsw_kernel.h"
#include "neighbor_graph.h"
#include "projection.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum {
  LEAF = 1024, /* rows of a leaf, at most, for few neighbors            */
  MIN_LEAVES = 8,
  TREES = 8,      /* before the recall is measured first, then as many more ... */
  MAX_TREES = 32, /* ... up to this many */
  TOGETHER = 4,   /* trees that are built at a time                        */
  BLOCK = MN_PROJECTION_ROWS,
  MIN_COLUMNS = 256, /* from which rows may be projected */
  PROJECTED_COLUMNS = 64
};
static const double target_recall = 0.98;

struct search {
  const mn_space *space;
  const double *rows; /* n x d, embedded */
  size_t d, k;
  mn_neighbor_graph g;
  double *shift, scale;     /* of the rows of the graph */
  mn_projection projection; /* width 0: none            */
  int32_t *found;           /* out */
  double *distance;         /* out */
  mn_blocks blocks;
  char *work; /* workers x bytes */
  size_t bytes;
};

/* --- the rows of the graph --- */

static void convert_rows(void *work, size_t block, size_t worker)
{
  const struct search *s = work;
  const mn_neighbor_graph *g = &s->g;
  double *projected = (double *)(void *)(s->work + worker * s->bytes), norm2;
  for (size_t node = mn_block_begin(&s->blocks, block); node < mn_block_end(&s->blocks, block); node++) {
    const double *row = s->rows + (size_t)g->order[node] * s->d;
    float *out = g->rows + node * g->width;
    if (s->projection.width > 0) {
      mn_projection_apply(&s->projection, 1, row, projected, (char *)(projected + mn_round_up(g->d, 8)));
      for (size_t j = 0; j < g->d; j++) out[j] = (float)projected[j];
    } else
      mn_kernels()->f32->convert(1, s->d, row, s->shift, s->scale, out, &norm2);
    for (size_t j = g->d; j < g->width; j++) out[j] = 0;
  }
}

/* Many columns are replaced by few of a projection if that keeps most distances. */
static mn_status choose_columns(mn_context *ctx, struct search *s)
{
  const size_t n = s->g.n;
  bool pays;
  s->g.d = s->d;
  s->g.k = s->k;
  if (s->d < MIN_COLUMNS) return MN_OK;
  mn_projection projection;
  MN_TRY(mn_projection_init(ctx, &projection, n, s->d, PROJECTED_COLUMNS, s->rows));
  MN_TRY(mn_projection_pays(ctx, &projection, n, s->rows, n, s->rows, s->k, &pays));
  if (!pays) return MN_OK;
  s->projection = projection;
  s->g.d = projection.width;
  s->g.k = s->k + s->k / 2 + 8; /* the k nearest by true distances are among these */
  return MN_OK;
}

static mn_status prepare(mn_context *ctx, struct search *s)
{
  mn_neighbor_graph *g = &s->g;
  MN_TRY(choose_columns(ctx, s));
  g->width = mn_round_up(g->d, MN_SINGLE_LANES);
  g->list = g->k == s->k ? (mn_near *)(void *)s->distance : MN_RAW(ctx, mn_near, g->n, g->k);
  g->order = MN_RAW(ctx, int32_t, g->n, 1);
  g->rows = MN_RAW(ctx, float, g->n, g->width);
  s->shift = MN_RAW(ctx, double, s->d, 1);
  const size_t results = mn_round_up(g->k * sizeof(mn_candidate), 64);
  s->bytes = s->projection.width > 0
                 ? mn_round_up(g->d, 8) * sizeof(double) + mn_round_up(mn_projection_workspace(&s->projection), 64)
                 : 0;
  if (s->bytes < results) s->bytes = results;
  s->work = MN_RAW(ctx, char, mn_threads(ctx), s->bytes);
  if (!g->list || !g->order || !g->rows || !s->shift || !s->work) return MN_NO_MEMORY;
  mn_sample_mean(g->n, s->d, s->rows, s->shift);
  s->scale = mn_power_of_two_scale(g->n, s->d, s->rows, s->d, s->shift);
  for (size_t i = 0; i < g->n; i++) g->order[i] = (int32_t)i;
  for (size_t e = 0; e < g->n * g->k; e++) g->list[e] = (mn_near){ FLT_MAX, MN_NO_LINK };
  return mn_parallel(ctx, s->blocks.count, convert_rows, s);
}

/* --- the graph --- */

static size_t leaf_size(size_t k)
{
  return 4 * k > LEAF ? 4 * k : LEAF;
}

static size_t count_levels(size_t n, size_t leaf)
{
  size_t levels = 0;
  while (n >> levels >= leaf) levels++;
  return levels;
}

/* Nodes of a leaf of one tree follow each other, so that what is near is near in memory, too. */
static mn_status order_nodes(mn_context *ctx, struct search *s, mn_projection_forest *f)
{
  MN_TRY(mn_projection_forest_build(ctx, f, 0, 1));
  for (size_t i = 0; i < f->n; i++) s->g.order[i] = f->order[i].index;
  return mn_parallel(ctx, s->blocks.count, convert_rows, s);
}

static mn_status build_graph(mn_context *ctx, struct search *s)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_neighbor_graph *g = &s->g;
  mn_projection_forest f;
  double recall = 0;
  MN_TRY(mn_projection_forest_init(ctx, &f, g->n, g->width, count_levels(g->n, leaf_size(g->k)), TOGETHER, g->rows));
  MN_TRY(order_nodes(ctx, s, &f));
  for (size_t trees = 0, more = TREES; trees < MAX_TREES && recall < target_recall; more = trees) {
    MN_TRY(mn_graph_join_leaves(g, &f, 1 + trees, more));
    MN_TRY(mn_graph_descend(g));
    MN_TRY(mn_graph_recall(g, &recall));
    trees += more;
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- the results --- */

static void measure_rows(void *work, size_t block, size_t worker)
{
  const struct search *s = work;
  const mn_neighbor_graph *g = &s->g;
  mn_candidate *near = (mn_candidate *)(void *)(s->work + worker * s->bytes);
  for (size_t row = mn_block_begin(&s->blocks, block); row < mn_block_end(&s->blocks, block); row++) {
    for (size_t e = 0; e < g->k; e++) {
      const int32_t other = g->order[mn_linked_node(g->list[row * g->k + e].link)];
      const double value = mn_space_measure(s->space, s->rows + row * s->d, s->rows + (size_t)other * s->d);
      near[e] = (mn_candidate){ value <= DBL_MAX ? value : (double)INFINITY, other };
    }
    mn_sort_nearest(near, g->k);
    for (size_t e = 0; e < s->k; e++) {
      s->found[row * s->k + e] = near[e].index;
      s->distance[row * s->k + e] = near[e].value;
    }
  }
}

bool mn_descent_possible(const mn_space *space, size_t n, size_t k)
{
  return space->form == MN_FORM_SQUARES && space->kind != MN_METRIC_HAVERSINE && n < MN_NO_LINK &&
         n / leaf_size(2 * k + 8) >= MIN_LEAVES;
}

mn_status mn_neighbor_descent(mn_context *ctx, const mn_space *space, size_t n, const double *rows, size_t k,
                              int32_t *found, double *distance)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct search s = { .space = space,
                      .rows = rows,
                      .d = (size_t)space->width,
                      .k = k,
                      .g = { .ctx = ctx, .n = n },
                      .found = found,
                      .distance = distance,
                      .blocks = mn_make_blocks(n, BLOCK, SIZE_MAX) };
  MN_TRY(prepare(ctx, &s));
  MN_TRY(build_graph(ctx, &s));
  MN_TRY(mn_parallel(ctx, s.blocks.count, measure_rows, &s));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
