#include "chow_liu.h"
#include "network.h"
#include "../core/threads.h"
#include <math.h>

struct weighing {
  const mn_independence *test;
  mn_score_space *space;
  size_t given;
  double *weight;
};

/* All pairs of node u with the nodes before it. */
static void weigh(void *work, size_t u, size_t worker)
{
  const struct weighing *w = work;
  const mn_net_columns *d = w->test->data;
  const size_t n = d->nodes;
  for (size_t v = 0; v < u; v++) {
    double information = -1;
    if (u != w->given && v != w->given && (d->card[u] == 0) == (d->card[v] == 0))
      information = mn_node_information(w->test, &w->space[worker], u, v, w->given);
    w->weight[u * n + v] = w->weight[v * n + u] = information;
  }
}

/* Prim's algorithm for the largest sum. */
static void join(size_t n, const double *weight, size_t root, size_t given, double *best, int32_t *parent)
{
  for (size_t v = 0; v < n; v++) {
    best[v] = -INFINITY; /* NaN: in the tree */
    parent[v] = -1;
  }
  size_t next = root;
  if (given != SIZE_MAX) best[given] = (double)NAN;
  while (next < n) {
    best[next] = (double)NAN;
    for (size_t v = 0; v < n; v++) {
      const double w = weight[next * n + v];
      if (v == next || isnan(best[v]) || w < 0 || !(w > best[v])) continue;
      best[v] = w;
      parent[v] = (int32_t)next;
    }
    next = n;
    for (size_t v = 0; v < n; v++)
      if (!isnan(best[v]) && (next == n || best[v] > best[next])) next = v;
  }
}

mn_status mn_chow_liu(mn_context *ctx, const mn_net_columns *data, size_t root, size_t given, int32_t *parent,
                      double *weight)
{
  const size_t n = data->nodes, workers = mn_threads(ctx);
  mn_independence test;
  mn_scorer scorer;
  size_t cells = 1;
  MN_TRY(mn_independence_init(ctx, data, MN_TEST_G, &test));
  MN_TRY(mn_scorer_init(ctx, data, MN_NET_LOGLIK, 1, &scorer));
  struct weighing w = { .test = &test, .given = given, .weight = weight };
  double *best = MN_RAW(ctx, double, n + 1, 1);
  w.space = MN_NEW(ctx, mn_score_space, workers, 1);
  if (!w.weight) w.weight = MN_NEW(ctx, double, n + 1, n);
  if (!w.weight || !w.space || !best) return MN_NO_MEMORY;
  const double classes = given == SIZE_MAX ? 1 : data->card[given];
  for (size_t u = 0; u < n; u++)
    for (size_t v = 0; v < u; v++) {
      const double most = fmin(classes * fmax(data->card[u], 1) * fmax(data->card[v], 1), MN_MAX_TABLE);
      if (most > (double)cells) cells = (size_t)most;
    }
  for (size_t i = 0; i < workers; i++) MN_TRY(mn_score_space_new(ctx, &scorer, cells, &w.space[i]));
  MN_TRY(mn_parallel(ctx, n, weigh, &w));
  join(n, w.weight, root, given, best, parent);
  return MN_OK;
}
