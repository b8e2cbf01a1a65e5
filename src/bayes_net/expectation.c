#include "fit.h"
#include "inference.h"
#include "../core/worker_pool.h"
#include <math.h>
#include <string.h>

/* Rows with few combinations of missing values are completed in all ways; others need a junction tree. */
enum { MAX_COMPLETIONS = 256, BLOCK_ROWS_EM = 512, MAX_BLOCKS_EM = 32 };

struct expecting {
  const mn_network *net;
  const mn_family_sums *s; /* NULL: only probabilities are wanted */
  const mn_matrix *rows;
  const double *weights;
  double limit;
  double *sum;   /* blocks x (size + 1): the last is the log likelihood */
  double *log_p; /* rows; or NULL */
  mn_blocks blocks;
};

/* One row at a time. */
struct row_work {
  const struct expecting *e;
  double *row, *p, *family; /* nodes; MAX_COMPLETIONS; the largest table */
  int32_t *missing, *affected;
  size_t missings, affecteds;
  mn_net_inference inference;
  bool planned;
  double *sum, weight;
};

static mn_status row_work_new(mn_context *ctx, const struct expecting *e, struct row_work *w)
{
  const mn_network *net = e->net;
  size_t largest = 1;
  for (size_t v = 0; v < net->nodes; v++)
    if (net->at[v + 1] - net->at[v] > largest) largest = net->at[v + 1] - net->at[v];
  *w = (struct row_work){ .e = e, .row = MN_RAW(ctx, double, net->nodes + 1, 1) };
  w->p = MN_RAW(ctx, double, MAX_COMPLETIONS, 1);
  w->family = MN_RAW(ctx, double, largest, 1);
  w->missing = MN_RAW(ctx, int32_t, net->nodes + 1, 1);
  w->affected = MN_RAW(ctx, int32_t, net->nodes + 1, 1);
  return w->row && w->p && w->family && w->missing && w->affected ? MN_OK : MN_NO_MEMORY;
}

/* List missing nodes and the families with one. Returns the number of completions; 0 if they are too many or numbers
 * are missing. */
static size_t inspect(struct row_work *w)
{
  const mn_network *net = w->e->net;
  size_t completions = 1;
  w->missings = w->affecteds = 0;
  for (size_t v = 0; v < net->nodes; v++) {
    if (!mn_family_is_known(net, v, w->row)) w->affected[w->affecteds++] = (int32_t)v;
    if (!isnan(w->row[v])) continue;
    w->missing[w->missings++] = (int32_t)v;
    completions *= (size_t)net->card[v];
    if (completions > MAX_COMPLETIONS) completions = 0;
  }
  return completions;
}

static void complete(struct row_work *w, size_t c)
{
  for (size_t i = 0; i < w->missings; i++) {
    const size_t card = (size_t)w->e->net->card[w->missing[i]];
    w->row[w->missing[i]] = (double)(c % card);
    c /= card;
  }
}

/* The families without missing values: their log probability, and their statistics. */
static double add_known(struct row_work *w)
{
  const mn_network *net = w->e->net;
  double log_p = 0;
  for (size_t v = 0, a = 0; v < net->nodes; v++) {
    if (a < w->affecteds && (size_t)w->affected[a] == v) {
      a++;
      continue;
    }
    log_p += mn_log_node(net, v, w->row);
    if (w->sum) mn_add_family(net, w->e->s, v, w->row, w->weight, w->sum);
  }
  return log_p;
}

static double add_completions(struct row_work *w, size_t completions)
{
  const mn_network *net = w->e->net;
  const double known = add_known(w);
  double highest = -INFINITY, total = 0;
  for (size_t c = 0; c < completions; c++) {
    complete(w, c);
    w->p[c] = 0;
    for (size_t a = 0; a < w->affecteds && w->p[c] > -INFINITY; a++)
      w->p[c] += mn_log_node(net, (size_t)w->affected[a], w->row);
    if (w->p[c] > highest) highest = w->p[c];
  }
  if (!(highest > -INFINITY)) return -INFINITY;
  for (size_t c = 0; c < completions; c++) total += w->p[c] = exp(w->p[c] - highest);
  for (size_t c = 0; w->sum && c < completions; c++) {
    if (!(w->p[c] > 0)) continue;
    complete(w, c);
    for (size_t a = 0; a < w->affecteds; a++)
      mn_add_family(net, w->e->s, (size_t)w->affected[a], w->row, w->weight * w->p[c] / total, w->sum);
  }
  return known + highest + log(total);
}

/* --- by the junction tree --- */

/* Element i of (1, numbers among the parents, v) in the normal; SIZE_MAX for 1. */
static size_t place_of(const mn_network *net, const mn_normal *normal, size_t v, size_t i)
{
  if (i == 0) return SIZE_MAX;
  for (size_t k = net->start[v]; k < net->start[v + 1]; k++)
    if (net->card[net->parent[k]] == 0 && --i == 0) return (size_t)normal->position[net->parent[k]];
  return (size_t)normal->position[v];
}

static mn_status add_normal(mn_context *ctx, void *user, const mn_number_group *g, double p, const mn_normal *normal)
{
  struct row_work *w = user;
  const mn_network *net = w->e->net;
  (void)ctx;
  for (size_t i = 0; i < g->size; i++) {
    const size_t v = (size_t)g->node[i], width = mn_table_width(net, v);
    double *m = w->sum + w->e->s->at[v] + mn_configuration(net, v, w->inference.row) * width * width;
    for (size_t a = 0; a < width; a++) {
      const size_t x = place_of(net, normal, v, a);
      for (size_t b = 0; b <= a; b++) {
        const size_t y = place_of(net, normal, v, b);
        double product = x == SIZE_MAX ? 1 : normal->mean[x];
        product *= y == SIZE_MAX ? 1 : normal->mean[y];
        if (y != SIZE_MAX) product += normal->cov[x * g->size + y];
        m[a * width + b] += w->weight * p * product;
      }
    }
  }
  return MN_OK;
}

static mn_status add_posterior(mn_context *ctx, struct row_work *w, const double *row, double *log_p)
{
  const mn_network *net = w->e->net;
  if (!w->planned) {
    const mn_inference_options o = { .relaxed = SIZE_MAX, .limit = w->e->limit };
    MN_TRY(mn_inference_init(ctx, net, &o, &w->inference));
    w->planned = true;
  }
  MN_TRY(mn_inference_try(ctx, &w->inference, row, log_p));
  if (!w->sum || !(*log_p > -INFINITY)) return MN_OK;
  MN_TRY(mn_inference_finish(ctx, &w->inference));
  for (size_t v = 0; v < net->nodes; v++) {
    if (net->card[v] == 0) continue;
    double *to = w->sum + w->e->s->at[v];
    if (mn_family_is_known(net, v, row)) {
      mn_add_family(net, w->e->s, v, row, w->weight, w->sum);
      continue;
    }
    MN_TRY(mn_inference_family(ctx, &w->inference, v, w->family));
    for (size_t i = 0; i < net->at[v + 1] - net->at[v]; i++) to[i] += w->weight * w->family[i];
  }
  for (size_t g = 0; g < w->inference.groups.count; g++)
    MN_TRY(mn_inference_normals(ctx, &w->inference, g, add_normal, w));
  return MN_OK;
}

static mn_status add_row(mn_context *ctx, struct row_work *w, size_t i, double *log_p)
{
  const struct expecting *e = w->e;
  memcpy(w->row, mn_row(e->rows, i), e->net->nodes * sizeof *w->row);
  w->weight = e->weights ? e->weights[i] : 1;
  bool missing_number = false;
  for (size_t v = 0; v < e->net->nodes; v++) missing_number |= e->net->card[v] == 0 && isnan(w->row[v]);
  const size_t completions = missing_number ? 0 : inspect(w);
  if (completions > 0) {
    *log_p = add_completions(w, completions);
    return MN_OK;
  }
  return add_posterior(ctx, w, mn_row(e->rows, i), log_p);
}

static mn_status expect_block(mn_context *ctx, void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct expecting *e = work;
  const mn_mark mark = mn_scratch_mark(ctx);
  struct row_work w;
  MN_TRY(row_work_new(ctx, e, &w));
  double *sum = e->sum ? e->sum + block * (e->s->size + 1) : NULL;
  w.sum = sum;
  for (size_t i = mn_block_begin(&e->blocks, block); i < mn_block_end(&e->blocks, block); i++) {
    double log_p;
    if (e->weights && !(e->weights[i] > 0)) continue;
    MN_TRY(add_row(ctx, &w, i, &log_p));
    if (e->log_p) e->log_p[i] = log_p;
    if (sum && !(log_p > -INFINITY))
      return mn_fail(ctx, MN_BAD_DATA,
                     "BayesNet: row %zu has probability 0 under the tables that EM started from; "
                     "set equivalent_sample_size > 0 or other tables",
                     i + 1);
    if (sum) sum[e->s->size] += w.weight * log_p;
    if (i % 64 == 0) MN_TRY(mn_poll(ctx));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_expected_sums(mn_context *ctx, const mn_network *net, const mn_family_sums *s, const mn_matrix *rows,
                           const double *weights, double limit, double *sum, double *log_p)
{
  struct expecting e = { .net = net, .s = s, .rows = rows, .weights = weights, .limit = limit };
  const mn_mark mark = mn_scratch_mark(ctx);
  e.blocks = mn_make_blocks(rows->rows, BLOCK_ROWS_EM, MAX_BLOCKS_EM);
  MN_CHECK_ALLOC(e.sum = MN_NEW(ctx, double, e.blocks.count, s->size + 1));
  double *all = MN_RAW(ctx, double, s->size + 1, 1);
  MN_CHECK_ALLOC(all);
  MN_TRY(mn_pool_run(ctx, e.blocks.count, expect_block, &e));
  mn_sum_blocks(e.blocks.count, s->size + 1, e.sum, all);
  memcpy(sum, all, s->size * sizeof *sum);
  *log_p = all[s->size];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_log_incomplete_rows(mn_context *ctx, const mn_network *net, const mn_matrix *rows, double limit,
                                 double *out)
{
  struct expecting e = { .net = net, .rows = rows, .limit = limit, .log_p = out };
  e.blocks = mn_make_blocks(rows->rows, BLOCK_ROWS_EM, MAX_BLOCKS_EM);
  return mn_pool_run(ctx, e.blocks.count, expect_block, &e);
}
