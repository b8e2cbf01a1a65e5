#include "sensitivity.h"
#include <math.h>
#include <string.h>

/* The derivative of sum_i p_i a_i by entry y of a row of `card` entries. */
static double slope(size_t card, const double *p, const double *a, size_t y)
{
  double others = 0, rest = 0;
  for (size_t k = 0; k < card; k++) {
    if (k == y) continue;
    others += p[k] * a[k];
    rest += a[k];
  }
  if (card < 2) return 0;
  return a[y] - (p[y] < 1 ? others / (1 - p[y]) : rest / (double)(card - 1));
}

/* A (query = value) and B (all) for each entry, from the joint of (query, parents, v); or of (parents, v) with the
 * query among them. */
static void split(const mn_network *net, size_t query, size_t value, size_t v, bool apart, const double *joint,
                  double *a, double *b)
{
  const size_t size = net->at[v + 1] - net->at[v];
  for (size_t i = 0; i < size; i++) {
    a[i] = b[i] = 0;
    if (apart) {
      for (size_t y = 0; y < (size_t)net->card[query]; y++) b[i] += joint[y * size + i];
      a[i] = joint[value * size + i];
      continue;
    }
    size_t rest = i / (size_t)net->card[v], state = i % (size_t)net->card[v];
    for (size_t k = net->start[v + 1]; query != v && k-- > net->start[v];) {
      const size_t card = (size_t)net->card[net->parent[k]];
      if ((size_t)net->parent[k] == query) state = rest % card;
      rest /= card;
    }
    b[i] = joint[i];
    a[i] = state == value ? joint[i] : 0;
  }
}

mn_status mn_sensitivity(mn_context *ctx, const mn_network *net, const mn_inference_options *options,
                         const double *evidence, size_t query, size_t value, size_t v, double *derivative)
{
  const size_t k = mn_parent_count(net, v), size = net->at[v + 1] - net->at[v], card = (size_t)net->card[v];
  bool apart = query != v;
  for (size_t j = 0; j < k; j++) apart = apart && (size_t)mn_parents(net, v)[j] != query;
  int32_t *nodes = MN_RAW(ctx, int32_t, k + 2, 1);
  const size_t cells = apart ? size * (size_t)net->card[query] : size;
  double *joint = MN_RAW(ctx, double, cells, 1), *a = MN_RAW(ctx, double, size, 1), *b = MN_RAW(ctx, double, size, 1);
  if (!nodes || !joint || !a || !b) return MN_NO_MEMORY;
  size_t n = 0;
  if (apart) nodes[n++] = (int32_t)query;
  for (size_t j = 0; j < k; j++) nodes[n++] = mn_parents(net, v)[j];
  nodes[n++] = (int32_t)v;
  mn_inference_options o = *options;
  o.relaxed = v;
  o.joints = n;
  o.joint_nodes = nodes;
  mn_net_inference inference;
  double log_p, all = 0, part = 0;
  MN_TRY(mn_inference_init(ctx, net, &o, &inference));
  MN_TRY(mn_inference_run(ctx, &inference, evidence, &log_p));
  MN_TRY(mn_inference_joint(ctx, &inference, joint));
  split(net, query, value, v, apart, joint, a, b);
  const double *p = net->table + net->at[v];
  for (size_t i = 0; i < size; i++) {
    all += p[i] * b[i];
    part += p[i] * a[i];
  }
  if (!(all > 0)) return mn_fail(ctx, MN_BAD_DATA, "BayesNet: the evidence has probability 0");
  for (size_t i = 0; i < size; i++) {
    const size_t row = i - i % card;
    const double da = slope(card, p + row, a + row, i % card), db = slope(card, p + row, b + row, i % card);
    derivative[i] = (da - part / all * db) / all;
  }
  return MN_OK;
}
