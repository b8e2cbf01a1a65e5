/* Comparing the rows of leaves: products screen, differences decide. */
#include "../core/threads.h"
#include "hnsw_kernel.h"
#include "neighbor_graph.h"
#include <float.h>
#include <math.h>

enum {
  STRIP = 64, /* rows of a leaf that are multiplied at a time */
  SPARE = 8,  /* candidates kept beyond k                     */
  AHEAD = 8   /* rows fetched ahead                           */
};

struct leaves {
  const mn_neighbor_graph *g;
  const mn_projection_forest *f;
  const mn_candidate *order; /* of one tree */
  const mn_gemm_kernel *kernel;
  size_t most, bytes; /* rows of a leaf, rounded up; of the workspace of a worker */
  char *work;
};

/* The workspace of one worker. */
struct leaf_work {
  float *block;        /* most x width: the rows relative to the first */
  float *bias;         /* half their squared lengths                   */
  float *score;        /* STRIP x most */
  char *packed, *left; /* operands of the product */
  int32_t *index;      /* most */
  double *value;       /* most */
  float *distance;     /* most */
  mn_candidate *near;  /* most */
  mn_near *merged;     /* k    */
};

/* Split the memory; returns its size. */
static size_t divide(const struct leaves *w, char *memory, struct leaf_work *s)
{
  char *at = memory;
  s->block = mn_next_piece(&at, w->most * w->g->width * sizeof *s->block);
  s->bias = mn_next_piece(&at, w->most * sizeof *s->bias);
  s->score = mn_next_piece(&at, STRIP * w->most * sizeof *s->score);
  s->packed = mn_next_piece(&at, mn_gemm_packed_bytes(w->kernel, w->most, w->g->d));
  s->left = mn_next_piece(&at, mn_gemm_left_bytes(w->kernel, STRIP, w->g->d));
  s->index = mn_next_piece(&at, w->most * sizeof *s->index);
  s->value = mn_next_piece(&at, w->most * sizeof *s->value);
  s->distance = mn_next_piece(&at, w->most * sizeof *s->distance);
  s->near = mn_next_piece(&at, w->most * sizeof *s->near);
  s->merged = mn_next_piece(&at, w->g->k * sizeof *s->merged);
  return (size_t)(at - memory);
}

/* Load the row of a node, and the end of its list. */
static void fetch(const mn_neighbor_graph *g, size_t node)
{
  const float *row = mn_node_row(g, node);
  for (size_t j = 0; j < g->width; j += MN_SINGLE_LANES) __builtin_prefetch(row + j);
  __builtin_prefetch(mn_near_list(g, node) + g->k - 1);
}

/* The rows of a leaf relative to the first one, and copies of it up to `cols`. Returns a bound on the rounding errors
 * of scores. */
static double center_rows(const mn_neighbor_graph *g, const mn_candidate *at, size_t n, size_t cols,
                          const struct leaf_work *s)
{
  const float *center = mn_node_row(g, (size_t)at[0].index);
  float largest = 0;
  for (size_t i = 0; i < cols; i++) {
    if (i + AHEAD < n) fetch(g, (size_t)at[i + AHEAD].index);
    float *row = s->block + i * g->width;
    const float *from = mn_node_row(g, (size_t)at[i < n ? i : 0].index);
    for (size_t j = 0; j < g->width; j++) row[j] = from[j] - center[j];
    const float norm2 = mn_single_distance(g->width, from, center);
    s->bias[i] = i < n ? norm2 / 2 : FLT_MAX / 4;
    if (norm2 > largest) largest = norm2;
  }
  return 4 * FLT_EPSILON * (double)largest;
}

/* Merge the nodes of a leaf that products find near to the i-th into its list. */
static void join_node(const struct leaves *w, const mn_candidate *at, size_t i, size_t cols, double rounding,
                      const float *score, const struct leaf_work *s)
{
  const mn_neighbor_graph *g = w->g;
  const size_t node = (size_t)at[i].index;
  mn_near *list = mn_near_list(g, node);
  const double farthest = (double)list[g->k - 1].distance;
  const double limit = fmin(farthest / 2 - (double)s->bias[i] + rounding, FLT_MAX / 8);
  size_t found = w->kernel->find_below(cols, score, s->bias, limit, s->index, s->value), count = 0;
  for (size_t e = 0; e < found; e++) s->near[e] = (mn_candidate){ s->value[e], at[s->index[e]].index };
  if (found > g->k + SPARE) {
    mn_select_nearest(s->near, found, g->k + SPARE);
    found = g->k + SPARE;
  }
  for (size_t e = 0; e < found; e++) s->index[e] = s->near[e].index;
  mn_single_distances(found, s->index, g->width, g->rows, mn_node_row(g, node), s->distance);
  for (size_t e = 0; e < found; e++)
    if ((double)s->distance[e] <= farthest && s->index[e] != (int32_t)node)
      s->near[count++] = (mn_candidate){ (double)s->distance[e], s->index[e] };
  mn_near_merge(list, g->k, s->near, count, s->merged);
}

static void join_leaf(void *work, size_t leaf, size_t worker)
{
  const struct leaves *w = work;
  const mn_neighbor_graph *g = w->g;
  const size_t begin = mn_projection_leaf(w->f, leaf), n = mn_projection_leaf(w->f, leaf + 1) - begin;
  const size_t cols = mn_round_up(n, w->kernel->nr);
  const mn_cancel_token token = { g->ctx, worker };
  const mn_candidate *at = w->order + begin;
  struct leaf_work s;
  divide(w, w->work + worker * w->bytes, &s);
  const double rounding = center_rows(g, at, n, cols, &s);
  mn_gemm_pack(w->kernel, cols, g->d, 0, cols, (mn_operand){ s.block, 1, g->width }, s.packed);
  for (size_t from = 0; from < n && mn_task_should_continue(&token); from += STRIP) {
    const size_t rows = mn_min_size(STRIP, n - from);
    mn_gemm_packed(w->kernel, rows, cols, g->d, -1, (mn_operand){ s.block + from * g->width, g->width, 1 }, s.packed, 0,
                   cols, 0, s.score, cols, s.left);
    for (size_t i = 0; i < rows; i++) join_node(w, at, from + i, cols, rounding, s.score + i * cols, &s);
  }
}

mn_status mn_graph_join_leaves(mn_neighbor_graph *g, mn_projection_forest *f, size_t first, size_t trees)
{
  const mn_mark mark = mn_scratch_mark(g->ctx);
  struct leaves w = { .g = g, .f = f, .kernel = mn_kernels()->f32 };
  struct leaf_work none;
  w.most = mn_round_up((g->n >> f->levels) + 1, w.kernel->nr);
  w.bytes = divide(&w, NULL, &none);
  w.work = MN_RAW(g->ctx, char, mn_threads(g->ctx), w.bytes);
  MN_CHECK_ALLOC(w.work);
  for (size_t t = 0; t < trees; t += f->trees) {
    const size_t count = mn_min_size(f->trees, trees - t);
    MN_TRY(mn_projection_forest_build(g->ctx, f, first + t, count));
    for (size_t tree = 0; tree < count; tree++) {
      w.order = f->order + tree * f->n;
      MN_TRY(mn_parallel(g->ctx, (size_t)1 << f->levels, join_leaf, &w));
    }
  }
  mn_scratch_release(g->ctx, mark);
  return MN_OK;
}
