#include "prediction.h"
#include "conditional.h"
#include "inference.h"
#include "../core/worker_pool.h"
#include <math.h>
#include <string.h>

enum { BLOCK_ROWS_PREDICT = 512 };

struct predicting {
  const mn_network *net;
  const mn_matrix *rows;
  size_t target;
  double limit;
  mn_children children;
  mn_matrix *out;
  mn_blocks blocks;
};

/* One row after the other. */
struct row_prediction {
  const struct predicting *w;
  double *row, *mean, *sd; /* nodes */
  mn_net_inference inference;
  bool planned;
};

/* Whether the row has all that the target depends on: its parents, its children and their parents. */
static bool blanket_is_known(const struct predicting *w, const double *row)
{
  const mn_network *net = w->net;
  for (size_t k = net->start[w->target]; k < net->start[w->target + 1]; k++)
    if (isnan(row[net->parent[k]])) return false;
  for (size_t i = w->children.start[w->target]; i < w->children.start[w->target + 1]; i++) {
    const size_t c = (size_t)w->children.child[i];
    if (isnan(row[c])) return false;
    for (size_t k = net->start[c]; k < net->start[c + 1]; k++)
      if ((size_t)net->parent[k] != w->target && isnan(row[net->parent[k]])) return false;
  }
  return true;
}

static void fill_nan(double *out, size_t n)
{
  for (size_t i = 0; i < n; i++) out[i] = (double)NAN;
}

static void predict_from_blanket(struct row_prediction *p, double *out)
{
  const struct predicting *w = p->w;
  if (w->net->card[w->target] > 0) {
    if (!mn_conditional_values(w->net, &w->children, w->target, p->row, out)) fill_nan(out, w->out->cols);
    return;
  }
  mn_conditional_normal normal;
  mn_conditional_number(w->net, &w->children, w->target, p->row, &normal);
  out[0] = normal.mean;
  out[1] = normal.sd;
}

static mn_status predict_by_inference(mn_context *ctx, struct row_prediction *p, double *out)
{
  const struct predicting *w = p->w;
  double log_p;
  if (!p->planned) {
    const mn_inference_options o = { .relaxed = SIZE_MAX, .limit = w->limit };
    MN_TRY(mn_inference_init(ctx, w->net, &o, &p->inference));
    p->planned = true;
  }
  p->row[w->target] = (double)NAN;
  MN_TRY(mn_inference_try(ctx, &p->inference, p->row, &log_p));
  if (!(log_p > -INFINITY)) {
    fill_nan(out, w->out->cols);
    return MN_OK;
  }
  MN_TRY(mn_inference_finish(ctx, &p->inference));
  if (w->net->card[w->target] > 0) return mn_inference_marginal(ctx, &p->inference, w->target, out);
  MN_TRY(mn_inference_moments(ctx, &p->inference, p->mean, p->sd));
  out[0] = p->mean[w->target];
  out[1] = p->sd[w->target];
  return MN_OK;
}

static mn_status predict_block(mn_context *ctx, void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct predicting *w = work;
  const size_t n = w->net->nodes;
  const mn_mark mark = mn_scratch_mark(ctx);
  struct row_prediction p = { .w = w, .row = MN_RAW(ctx, double, n + 1, 3) };
  MN_CHECK_ALLOC(p.row);
  p.mean = p.row + n + 1;
  p.sd = p.mean + n + 1;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    memcpy(p.row, mn_row(w->rows, i), n * sizeof *p.row);
    if (blanket_is_known(w, p.row))
      predict_from_blanket(&p, mn_row(w->out, i));
    else
      MN_TRY(predict_by_inference(ctx, &p, mn_row(w->out, i)));
    if (i % 256 == 0) MN_TRY(mn_poll(ctx));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_predict_node(mn_context *ctx, const mn_network *net, const mn_matrix *rows, size_t target, double limit,
                          mn_matrix *out)
{
  struct predicting w = { .net = net, .rows = rows, .target = target, .limit = limit, .out = out };
  w.blocks = mn_make_blocks(rows->rows, BLOCK_ROWS_PREDICT, SIZE_MAX);
  MN_TRY(mn_children_of(ctx, net, &w.children));
  return mn_pool_run(ctx, w.blocks.count, predict_block, &w);
}
