/* Passes of a smoother over many points, in parallel. */
#include "../core/threads.h"
#include "smoother.h"
#include "smoother_neighbors.h"

struct pass {
  const mn_smoother_plan *plan;
  const mn_matrix *points;
  bool leave_out;
  mn_blocks blocks;
  size_t begin;        /* of the points that the blocks divide                    */
  const int32_t *near; /* their p->neighbors nearest rows; NULL: not searched for */
  double *work;
  size_t work_size;
  mn_smoother_visit visit;
  void *user;
};

static void pass_block(void *work, size_t block, size_t worker)
{
  const struct pass *w = work;
  const mn_smoother_plan *p = w->plan;
  double *q = w->work + worker * w->work_size, *l = q + p->d, *rest = l + p->n;
  for (size_t k = mn_block_begin(&w->blocks, block); k < mn_block_end(&w->blocks, block); k++) {
    const size_t i = w->begin + k;
    mn_smoother_scale_point(p, mn_row(w->points, i), q);
    mn_smoother_weights weights = { p->n, NULL, l };
    if (w->near)
      weights = mn_smoother_weigh_neighbors(p, q, w->near + k * p->neighbors, rest, l);
    else
      mn_smoother_row(p, q, w->leave_out ? i : SIZE_MAX, rest, l);
    w->visit(w->user, i, &weights);
  }
}

enum { BLOCK_VALUES = 1 << 16 };

static mn_status pass_points(mn_context *ctx, struct pass *w, size_t points, size_t row_values)
{
  w->blocks = mn_make_blocks(points, BLOCK_VALUES / (row_values * w->plan->terms + 1) + 1, SIZE_MAX);
  return mn_parallel(ctx, w->blocks.count, pass_block, w);
}

mn_status mn_smoother_pass(mn_context *ctx, const mn_smoother_plan *plan, const mn_matrix *points, bool leave_out,
                           mn_smoother_visit visit, void *user)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct pass w = { .plan = plan, .points = points, .leave_out = leave_out, .visit = visit, .user = user };
  mn_smoother_neighbors neighbors;
  w.work_size = (plan->work_size + 7) / 8 * 8;
  w.work = MN_RAW(ctx, double, mn_threads(ctx), w.work_size);
  MN_CHECK_ALLOC(w.work);
  if (leave_out || !mn_smoother_neighbors_suit(plan, points->rows)) {
    MN_TRY(pass_points(ctx, &w, points->rows, plan->n));
  } else {
    MN_TRY(mn_smoother_neighbors_init(ctx, plan, &neighbors));
    w.near = neighbors.found;
    for (size_t count; w.begin < points->rows; w.begin += count) {
      count = mn_smoother_neighbors_strip(&neighbors, points->rows - w.begin);
      MN_TRY(mn_smoother_neighbors_find(ctx, &neighbors, points, w.begin, count));
      MN_TRY(pass_points(ctx, &w, count, plan->neighbors));
    }
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

struct prediction {
  const double *y;
  double *out;
};

static void predict_row(void *user, size_t i, const mn_smoother_weights *weights)
{
  const struct prediction *w = user;
  w->out[i] = mn_weights_dot(weights, w->y);
}

mn_status mn_smoother_predict(mn_context *ctx, const mn_smoother_plan *plan, const mn_matrix *points, bool leave_out,
                              const double *y, double *out)
{
  struct prediction w = { y, out };
  return mn_smoother_pass(ctx, plan, points, leave_out, predict_row, &w);
}
