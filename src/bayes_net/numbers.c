#include "numbers.h"
#include "../stats/special.h"
#include <math.h>

enum { MAX_DISCRETE = 48 };

static int32_t root_of(int32_t *set, int32_t v)
{
  while (set[v] != v) v = set[v] = set[set[v]];
  return v;
}

static void join_groups(const mn_network *net, const bool *wanted, int32_t *set)
{
  for (size_t v = 0; v < net->nodes; v++) set[v] = (int32_t)v;
  for (size_t v = 0; v < net->nodes; v++)
    for (size_t k = net->start[v]; wanted[v] && k < net->start[v + 1]; k++) {
      const int32_t u = net->parent[k];
      if (net->card[v] > 0 || net->card[u] > 0 || !wanted[u]) continue;
      const int32_t a = root_of(set, u), b = root_of(set, (int32_t)v);
      set[a > b ? a : b] = a < b ? a : b;
    }
}

static mn_status fill_group(mn_context *ctx, const mn_network *net, const bool *wanted, int32_t *set, size_t root,
                            mn_number_group *g)
{
  const size_t n = net->nodes;
  bool *parent = MN_NEW(ctx, bool, n + 1, 1);
  g->node = MN_RAW(ctx, int32_t, n + 1, 1);
  g->discrete = MN_RAW(ctx, size_t, n + 1, 1);
  if (!parent || !g->node || !g->discrete) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    const int32_t v = net->order[i];
    if (net->card[v] > 0 || !wanted[v] || (size_t)root_of(set, v) != root) continue;
    g->node[g->size++] = v;
    for (size_t k = net->start[v]; k < net->start[v + 1]; k++)
      if (net->card[net->parent[k]] > 0) parent[net->parent[k]] = true;
  }
  double configs = 1;
  for (size_t v = 0; v < n; v++) {
    if (!parent[v]) continue;
    g->discrete[g->parents++] = v;
    configs *= net->card[v];
  }
  if (configs > MN_MAX_TABLE || g->parents > MAX_DISCRETE)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "BayesNet: exact inference needs a normal distribution for each of %.3g configurations of the "
                   "discrete parents of numbers, at most %d are allowed; use method = \"likelihood_weighting\"",
                   configs, (int)MN_MAX_TABLE);
  g->configs = (size_t)configs;
  return MN_OK;
}

mn_status mn_find_number_groups(mn_context *ctx, const mn_network *net, const bool *wanted, mn_number_groups *out)
{
  int32_t *set = MN_RAW(ctx, int32_t, net->nodes + 1, 1);
  size_t count = 0;
  *out = (mn_number_groups){ 0 };
  MN_CHECK_ALLOC(set);
  join_groups(net, wanted, set);
  for (size_t v = 0; v < net->nodes; v++)
    count += net->card[v] == 0 && wanted[v] && root_of(set, (int32_t)v) == (int32_t)v;
  MN_CHECK_ALLOC(out->at = MN_NEW(ctx, mn_number_group, count + 1, 1));
  for (size_t v = 0; v < net->nodes; v++) {
    if (net->card[v] > 0 || !wanted[v] || root_of(set, (int32_t)v) != (int32_t)v) continue;
    mn_number_group *g = &out->at[out->count++];
    MN_TRY(fill_group(ctx, net, wanted, set, v, g));
    if (g->size > out->largest) out->largest = g->size;
  }
  return MN_OK;
}

mn_status mn_normal_new(mn_context *ctx, const mn_network *net, size_t size, mn_normal *out)
{
  out->mean = MN_RAW(ctx, double, size + 1, 1);
  out->cov = MN_RAW(ctx, double, size + 1, size + 1);
  out->variance = MN_RAW(ctx, double, size + 1, 1);
  out->position = MN_RAW(ctx, int32_t, net->nodes + 1, 1);
  return out->mean && out->cov && out->variance && out->position ? MN_OK : MN_NO_MEMORY;
}

/* Covariances of number i with those before it, and its variance: cov(i, j) = sum_k b_k cov(k, j). */
static void add_number(const mn_network *net, const mn_number_group *g, size_t i, const double *table, mn_normal *out)
{
  const size_t n = g->size, v = (size_t)g->node[i], width = mn_table_width(net, v);
  const double *b = table + 1, s = table[width - 1];
  double *row = out->cov + i * n;
  out->mean[i] = table[0];
  for (size_t j = 0; j <= i; j++) row[j] = 0;
  for (size_t k = net->start[v]; k < net->start[v + 1]; k++) {
    if (net->card[net->parent[k]] > 0) continue;
    const size_t u = (size_t)out->position[net->parent[k]];
    out->mean[i] += *b * out->mean[u];
    for (size_t j = 0; j < i; j++) row[j] += *b * out->cov[u * n + j];
    b++;
  }
  for (size_t j = 0; j < i; j++) out->cov[j * n + i] = row[j];
  row[i] = s * s;
  b = table + 1;
  for (size_t k = net->start[v]; k < net->start[v + 1]; k++)
    if (net->card[net->parent[k]] == 0) row[i] += *b++ * row[out->position[net->parent[k]]];
}

void mn_normal_of_group(const mn_network *net, const mn_number_group *g, const double *row, mn_normal *out)
{
  for (size_t i = 0; i < g->size; i++) {
    const size_t v = (size_t)g->node[i];
    out->position[v] = (int32_t)i;
    add_number(net, g, i, net->table + net->at[v] + mn_configuration(net, v, row) * mn_table_width(net, v), out);
  }
}

double mn_normal_condition(const mn_number_group *g, const double *row, mn_normal *normal)
{
  const size_t n = g->size;
  double log_p = 0, *c = normal->cov;
  for (size_t i = 0; i < n; i++) normal->variance[i] = c[i * n + i];
  for (size_t i = 0; i < n; i++) {
    const double x = row[g->node[i]], pivot = c[i * n + i], r = x - normal->mean[i];
    if (isnan(x)) continue;
    if (!(pivot > 1e-13 * normal->variance[i])) { /* determined by the others */
      if (fabs(r) > 1e-6 * (fabs(x) + sqrt(normal->variance[i]))) log_p = -INFINITY;
      continue;
    }
    log_p -= 0.5 * (MN_LOG_2PI + log(pivot) + r * r / pivot);
    for (size_t j = 0; j < n; j++) {
      const double b = c[j * n + i] / pivot;
      if (j == i) continue;
      normal->mean[j] += b * r;
      for (size_t k = 0; k < n; k++)
        if (k != i) c[j * n + k] -= b * c[i * n + k];
    }
    normal->mean[i] = x;
    for (size_t j = 0; j < n; j++) c[i * n + j] = c[j * n + i] = 0;
  }
  return log_p;
}

double mn_normal_peak(const mn_number_group *g, const double *row, mn_normal *normal)
{
  const size_t n = g->size;
  double log_p = 0, *c = normal->cov;
  for (size_t i = 0; i < n; i++) {
    const double pivot = c[i * n + i];
    if (!isnan(row[g->node[i]]) || !(pivot > 1e-13 * normal->variance[i])) continue;
    log_p -= 0.5 * (MN_LOG_2PI + log(pivot));
    for (size_t j = i + 1; j < n; j++)
      for (size_t k = i + 1; k < n; k++) c[j * n + k] -= c[j * n + i] * c[i * n + k] / pivot;
  }
  return log_p;
}
