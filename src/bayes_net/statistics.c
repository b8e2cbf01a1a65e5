#include "statistics.h"
#include "score.h"
#include <math.h>
#include <string.h>

/* Numbers among v and its parents, and 1. */
static size_t moment_size(const mn_network *net, size_t v)
{
  return mn_table_width(net, v); /* a, b_1 .., s: one each for 1, parents, v */
}

mn_status mn_family_sums_layout(mn_context *ctx, const mn_network *net, mn_family_sums *out)
{
  out->size = 0;
  MN_CHECK_ALLOC(out->at = MN_RAW(ctx, size_t, net->nodes + 1, 1));
  for (size_t v = 0; v < net->nodes; v++) {
    const size_t width = moment_size(net, v), cells = net->card[v] > 0 ? width : width * width;
    out->at[v] = out->size;
    out->size += mn_configurations(net, v) * cells;
  }
  out->at[net->nodes] = out->size;
  return MN_OK;
}

bool mn_family_is_known(const mn_network *net, size_t v, const double *row)
{
  if (isnan(row[v])) return false;
  for (size_t k = net->start[v]; k < net->start[v + 1]; k++)
    if (isnan(row[net->parent[k]])) return false;
  return true;
}

/* Element i of (1, parents, v). */
static double element(const mn_network *net, size_t v, const double *row, size_t i)
{
  if (i == 0) return 1;
  for (size_t k = net->start[v]; k < net->start[v + 1]; k++)
    if (net->card[net->parent[k]] == 0 && --i == 0) return row[net->parent[k]];
  return row[v];
}

void mn_add_family(const mn_network *net, const mn_family_sums *s, size_t v, const double *row, double w, double *sum)
{
  const size_t c = mn_configuration(net, v, row), p = moment_size(net, v);
  if (net->card[v] > 0) {
    sum[s->at[v] + c * p + (size_t)row[v]] += w;
    return;
  }
  double *m = sum + s->at[v] + c * p * p;
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j <= i; j++) m[i * p + j] += w * element(net, v, row, i) * element(net, v, row, j);
}

double mn_cell_prior(const mn_network *net, size_t v, mn_table_prior prior)
{
  return prior.pseudo + prior.ess / (double)(mn_configurations(net, v) * (size_t)net->card[v]);
}

static void estimate_values(size_t card, const double *sum, double prior, double *table)
{
  double total = 0;
  for (size_t y = 0; y < card; y++) total += sum[y] + prior;
  for (size_t y = 0; y < card; y++) table[y] = total > 0 ? (sum[y] + prior) / total : 1 / (double)card;
}

/* Least squares from the sums m of products, p x p, lower triangle. */
static void estimate_number(size_t p, const double *m, double floor, double *space, double *table)
{
  const size_t k = p - 2;
  const double n = m[0];
  memset(table, 0, p * sizeof *table);
  table[p - 1] = sqrt(floor);
  if (!(n > 0)) return;
  for (size_t i = 1; i < p; i++)
    for (size_t j = 1; j <= i; j++) space[(i - 1) * (p - 1) + j - 1] = m[i * p + j] - m[i * p] * m[j * p] / n;
  const double rss = mn_solve_moments(k, space, table + 1);
  table[0] = m[(p - 1) * p] / n;
  for (size_t j = 0; j < k; j++) table[0] -= table[1 + j] * m[(j + 1) * p] / n;
  table[p - 1] = sqrt(fmax(rss / n, floor));
}

/* A configuration without rows is estimated as all of them together. */
static void sum_configurations(size_t configs, size_t cells, const double *sum, double *all)
{
  memset(all, 0, cells * sizeof *all);
  for (size_t c = 0; c < configs; c++)
    for (size_t i = 0; i < cells; i++) all[i] += sum[c * cells + i];
}

void mn_estimate_table(const mn_network *net, const mn_family_sums *s, size_t v, const double *sum,
                       mn_table_prior prior, const double *floor, double *space, double *table)
{
  const size_t configs = mn_configurations(net, v), p = moment_size(net, v);
  double *to = table + net->at[v];
  if (net->card[v] > 0) {
    for (size_t c = 0; c < configs; c++)
      estimate_values(p, sum + s->at[v] + c * p, mn_cell_prior(net, v, prior), to + c * p);
    return;
  }
  double *all = space, *work = space + p * p;
  sum_configurations(configs, p * p, sum + s->at[v], all);
  for (size_t c = 0; c < configs; c++) {
    const double *m = sum + s->at[v] + c * p * p;
    estimate_number(p, m[0] > 0 ? m : all, floor[v], work, to + c * p);
  }
}

size_t mn_estimate_space(const mn_network *net)
{
  size_t most = 1;
  for (size_t v = 0; v < net->nodes; v++) {
    const size_t p = moment_size(net, v);
    if (net->card[v] == 0 && 2 * p * p > most) most = 2 * p * p;
  }
  return most;
}

double mn_log_prior(const mn_network *net, mn_table_prior prior)
{
  double sum = 0;
  for (size_t v = 0; v < net->nodes; v++) {
    const double a = net->card[v] > 0 ? mn_cell_prior(net, v, prior) : 0;
    for (size_t i = net->at[v]; a > 0 && i < net->at[v + 1]; i++) sum += a * log(net->table[i]);
  }
  return sum;
}
