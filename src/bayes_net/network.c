#include "network.h"
#include "../core/threads.h"
#include "../stats/special.h"
#include <math.h>

size_t mn_table_width(const mn_network *net, size_t v)
{
  if (net->card[v] > 0) return (size_t)net->card[v];
  size_t width = 2;
  for (size_t k = net->start[v]; k < net->start[v + 1]; k++) width += net->card[net->parent[k]] == 0;
  return width;
}

size_t mn_configurations(const mn_network *net, size_t v)
{
  size_t q = 1;
  for (size_t k = net->start[v]; k < net->start[v + 1]; k++) {
    const size_t card = (size_t)net->card[net->parent[k]];
    if (card > 0) q *= card;
  }
  return q;
}

mn_status mn_children_of(mn_context *ctx, const mn_network *net, mn_children *out)
{
  const size_t n = net->nodes, edges = net->start[n];
  out->start = MN_NEW(ctx, size_t, n + 2, 1);
  out->child = MN_RAW(ctx, int32_t, edges + 1, 1);
  if (!out->start || !out->child) return MN_NO_MEMORY;
  for (size_t k = 0; k < edges; k++) out->start[net->parent[k] + 2]++;
  for (size_t u = 2; u <= n; u++) out->start[u] += out->start[u - 1];
  for (size_t v = 0; v < n; v++)
    for (size_t k = net->start[v]; k < net->start[v + 1]; k++)
      out->child[out->start[net->parent[k] + 1]++] = (int32_t)v;
  return MN_OK;
}

/* Walk from a node that was not ordered to its parents until one repeats; out: the cycle, parents first. */
static size_t find_cycle(const mn_network *net, const int32_t *missing, int32_t *out)
{
  const size_t n = net->nodes;
  size_t first = 0, length = 0, seen = 0;
  while (missing[first] < 0) first++;
  int32_t v = (int32_t)first;
  for (;;) {
    for (seen = 0; seen < length && out[seen] != v; seen++) continue;
    if (seen < length || length == n) break;
    out[length++] = v;
    size_t k = net->start[v];
    while (missing[net->parent[k]] < 0) k++;
    v = net->parent[k];
  }
  for (size_t i = seen; i < length; i++) out[i - seen] = out[i];
  length -= seen;
  for (size_t i = 0; i < length / 2; i++) {
    const int32_t swap = out[i];
    out[i] = out[length - 1 - i];
    out[length - 1 - i] = swap;
  }
  return length;
}

bool mn_topological_order(const mn_network *net, int32_t *count, int32_t *order, size_t *cycle)
{
  const size_t n = net->nodes;
  size_t done = 0;
  for (size_t v = 0; v < n; v++) count[v] = 0; /* -1: ordered */
  while (done < n) {
    const size_t before = done;
    for (size_t v = 0; v < n; v++) {
      bool ready = count[v] == 0;
      for (size_t k = net->start[v]; ready && k < net->start[v + 1]; k++) ready = count[net->parent[k]] < 0;
      if (!ready) continue;
      count[v] = -1;
      order[done++] = (int32_t)v;
    }
    if (done > before) continue;
    *cycle = find_cycle(net, count, order);
    return false;
  }
  return true;
}

void mn_mark_ancestors(const mn_network *net, bool *mark)
{
  for (size_t i = net->nodes; i-- > 0;) {
    const int32_t v = net->order[i];
    if (!mark[v]) continue;
    for (size_t k = net->start[v]; k < net->start[v + 1]; k++) mark[net->parent[k]] = true;
  }
}

/* --- d-separation --- */

/* A visit of a node by the ball: from a child (up) or from a parent (down). */
struct ball {
  const mn_network *net;
  const mn_children *children;
  bool *seen; /* 2 x nodes */
  int32_t *stack;
  size_t size;
};

static void visit(struct ball *b, int32_t v, bool down)
{
  bool *seen = b->seen + 2 * v + down;
  if (*seen) return;
  *seen = true;
  b->stack[b->size++] = 2 * v + down;
}

static void visit_all(struct ball *b, int32_t v, bool parents, bool children)
{
  const mn_network *net = b->net;
  for (size_t k = net->start[v]; parents && k < net->start[v + 1]; k++) visit(b, net->parent[k], false);
  const size_t *start = b->children->start;
  for (size_t k = start[v]; children && k < start[v + 1]; k++) visit(b, b->children->child[k], true);
}

mn_status mn_d_connected(mn_context *ctx, const mn_network *net, const bool *from, const bool *observed, bool *reached)
{
  const size_t n = net->nodes;
  mn_children children;
  MN_TRY(mn_children_of(ctx, net, &children));
  bool *ancestor = MN_RAW(ctx, bool, n + 1, 1);
  struct ball b = { .net = net, .children = &children, .seen = MN_NEW(ctx, bool, n + 1, 2) };
  b.stack = MN_RAW(ctx, int32_t, n + 1, 2);
  if (!ancestor || !b.seen || !b.stack) return MN_NO_MEMORY;
  for (size_t v = 0; v < n; v++) ancestor[v] = observed[v];
  mn_mark_ancestors(net, ancestor);
  for (size_t v = 0; v < n; v++)
    if (from[v]) visit(&b, (int32_t)v, false);
  while (b.size > 0) {
    const int32_t top = b.stack[--b.size], v = top / 2;
    const bool down = top % 2;
    if (!down && !observed[v]) visit_all(&b, v, true, true);
    if (down) visit_all(&b, v, ancestor[v], !observed[v]);
  }
  for (size_t v = 0; v < n; v++) reached[v] = !observed[v] && (b.seen[2 * v] || b.seen[2 * v + 1]);
  return MN_OK;
}

/* --- probabilities of rows --- */

size_t mn_configuration(const mn_network *net, size_t v, const double *row)
{
  size_t c = 0;
  for (size_t k = net->start[v]; k < net->start[v + 1]; k++) {
    const int32_t u = net->parent[k];
    if (net->card[u] > 0) c = c * (size_t)net->card[u] + (size_t)row[u];
  }
  return c;
}

double mn_linear_mean(const mn_network *net, size_t v, size_t c, const double *row)
{
  const double *at = net->table + net->at[v] + c * mn_table_width(net, v);
  double mean = *at++;
  for (size_t k = net->start[v]; k < net->start[v + 1]; k++)
    if (net->card[net->parent[k]] == 0) mean += *at++ * row[net->parent[k]];
  return mean;
}

double mn_log_node(const mn_network *net, size_t v, const double *row)
{
  const size_t c = mn_configuration(net, v, row), width = mn_table_width(net, v);
  const double *at = net->table + net->at[v] + c * width;
  if (net->card[v] > 0) return log(at[(size_t)row[v]]);
  const double s = at[width - 1], r = row[v] - mn_linear_mean(net, v, c, row);
  if (!(s > 0)) return r != 0 ? -INFINITY : INFINITY;
  return -0.5 * (MN_LOG_2PI + r * r / (s * s)) - log(s);
}

struct row_task {
  const mn_network *net;
  const mn_matrix *rows;
  double *out;
  mn_blocks blocks;
};

static void log_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct row_task *w = work;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    double sum = 0;
    for (size_t v = 0; v < w->net->nodes; v++) sum += mn_log_node(w->net, v, mn_row(w->rows, i));
    w->out[i] = sum;
  }
}

mn_status mn_log_rows(mn_context *ctx, const mn_network *net, const mn_matrix *rows, double *out)
{
  struct row_task w = { .net = net, .rows = rows, .out = out };
  w.blocks = mn_make_blocks(rows->rows, (1 << 12) / (net->nodes + 1) + 1, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, log_block, &w);
}
