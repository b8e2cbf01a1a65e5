#include "independence.h"
#include "counts_kernel.h"
#include "network.h"
#include "../stats/special.h"
#include <math.h>
#include <string.h>

static mn_status make_correlations(mn_context *ctx, const mn_net_columns *d, double **out)
{
  const size_t p = d->nodes;
  double *mean = MN_NEW(ctx, double, p + 1, 1), *c = MN_NEW(ctx, double, p + 1, p);
  if (!mean || !c) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++)
    for (size_t i = 0; d->value[j] && i < d->rows; i++)
      mean[j] += (d->weights ? d->weights[i] : 1) * d->value[j][i] / d->total;
  for (size_t j = 0; j < p; j++)
    for (size_t l = 0; l <= j; l++) {
      if (!d->value[j] || !d->value[l]) continue;
      MN_TRY(mn_poll(ctx));
      double sum = 0;
      for (size_t i = 0; i < d->rows; i++)
        sum += (d->weights ? d->weights[i] : 1) * (d->value[j][i] - mean[j]) * (d->value[l][i] - mean[l]);
      c[j * p + l] = sum;
    }
  for (size_t j = 0; j < p; j++)
    for (size_t l = 0; l < j; l++) {
      const double scale = sqrt(c[j * p + j] * c[l * p + l]);
      c[j * p + l] = c[l * p + j] = scale > 0 ? c[j * p + l] / scale : 0;
    }
  for (size_t j = 0; j < p; j++) c[j * p + j] = 1;
  *out = c;
  return MN_OK;
}

mn_status mn_independence_init(mn_context *ctx, const mn_net_columns *data, enum mn_independence_test test,
                               mn_independence *out)
{
  *out = (mn_independence){ .data = data, .test = test };
  return make_correlations(ctx, data, &out->correlation);
}

size_t mn_test_cells(const mn_net_columns *d, size_t u, size_t v)
{
  const double cells = ((double)d->rows + 4096) * fmax(d->card[u], 1) * fmax(d->card[v], 1);
  return cells < MN_MAX_TABLE ? (size_t)cells : MN_MAX_TABLE;
}

/* --- tables --- */

/* Counts of the values of u (slower) and v in each configuration of the others. Returns the number of configurations
 * with rows; 0 if there is no space. */
static size_t count_tables(const mn_net_columns *d, mn_score_space *space, size_t u, size_t v, size_t k,
                           const int32_t *given)
{
  const size_t r = (size_t)d->card[u], s = (size_t)d->card[v];
  mn_configs *c = &space->configs;
  mn_configs_reset(c, d->rows);
  for (size_t j = 0; j < k; j++) mn_configs_add(c, d, (size_t)given[j]);
  if ((double)c->size * (double)(r * s) > (double)space->cells) return 0;
  for (size_t i = 0; i < d->rows; i++) space->base[i] = (uint32_t)((c->id[i] * r + d->code[u][i]) * s);
  double *sum = space->count;
  const size_t cells = c->size * r * s;
  memset(sum, 0, cells * sizeof *sum);
  if (d->weights) {
    mn_add_cells(d->rows, space->base, d->code[v], 1, d->weights, sum);
    return c->size;
  }
  uint32_t *count = space->count; /* in the first half of the memory of the sums */
  mn_count_cells(d->rows, space->base, d->code[v], 1, count);
  for (size_t i = cells; i-- > 0;) {
    const uint32_t one = count[i];
    sum[i] = one;
  }
  return c->size;
}

/* Sum over the cells of a table of r x s of O log(O / E), or of (O - E)^2 / E. */
static double table_statistic(const double *t, size_t r, size_t s, bool likelihood, double *total)
{
  double sum = 0, all = 0;
  for (size_t i = 0; i < r * s; i++) all += t[i];
  *total = all;
  for (size_t a = 0; a < r; a++) {
    double row = 0;
    for (size_t b = 0; b < s; b++) row += t[a * s + b];
    if (!(row > 0)) continue;
    for (size_t b = 0; b < s; b++) {
      double col = 0;
      for (size_t i = 0; i < r; i++) col += t[i * s + b];
      const double e = row * col / all, o = t[a * s + b];
      if (likelihood && o > 0) sum += o * log(o / e);
      if (!likelihood && e > 0) sum += (o - e) * (o - e) / e;
    }
  }
  return sum;
}

static mn_test_result test_tables(const mn_independence *t, mn_score_space *space, size_t u, size_t v, size_t k,
                                  const int32_t *given)
{
  const mn_net_columns *d = t->data;
  const size_t r = (size_t)d->card[u], s = (size_t)d->card[v];
  const size_t tables = count_tables(d, space, u, v, k, given);
  mn_test_result out = { .df = (double)((r - 1) * (s - 1)) * space->configs.full, .p = 1 };
  const double *sum = space->count;
  double total;
  for (size_t c = 0; c < tables; c++)
    out.statistic += table_statistic(sum + c * r * s, r, s, t->test == MN_TEST_G, &total);
  if (t->test == MN_TEST_G) out.statistic *= 2;
  if (tables > 0 && out.df > 0) out.p = mn_chi2_sf(fmax(out.statistic, 0), out.df);
  return out;
}

/* --- numbers --- */

/* The partial correlation of u and v, from the Cholesky factor of the correlations of (given, u, v). */
static double partial_correlation(const mn_independence *t, double *m, size_t u, size_t v, size_t k,
                                  const int32_t *given)
{
  const size_t n = t->data->nodes, p = k + 2;
  for (size_t i = 0; i < p; i++) {
    const size_t a = i < k ? (size_t)given[i] : i == k ? u : v;
    for (size_t j = 0; j <= i; j++) {
      const size_t b = j < k ? (size_t)given[j] : j == k ? u : v;
      double sum = t->correlation[a * n + b];
      for (size_t l = 0; l < j; l++) sum -= m[i * p + l] * m[j * p + l];
      if (i == j)
        m[i * p + i] = sum > 1e-12 ? sqrt(sum) : 0;
      else
        m[i * p + j] = m[j * p + j] > 0 ? sum / m[j * p + j] : 0;
    }
  }
  const double a = m[p * p - 2], b = m[p * p - 1], scale = sqrt(a * a + b * b);
  return scale > 0 && m[k * p + k] > 0 ? a / scale : 0;
}

static mn_test_result test_numbers(const mn_independence *t, mn_score_space *space, size_t u, size_t v, size_t k,
                                   const int32_t *given)
{
  const double r = partial_correlation(t, space->moment, u, v, k, given), n = t->data->total - (double)k - 3;
  mn_test_result out = { .df = (double)NAN, .p = 1 };
  if (!(n > 0)) return out;
  out.statistic = sqrt(n) * atanh(fmax(-1, fmin(1, r)));
  out.p = 2 * mn_normal_sf(fabs(out.statistic));
  return out;
}

mn_test_result mn_test_independence(const mn_independence *t, mn_score_space *space, size_t u, size_t v, size_t k,
                                    const int32_t *given)
{
  if (t->test == MN_TEST_FISHER_Z) return test_numbers(t, space, u, v, k, given);
  return test_tables(t, space, u, v, k, given);
}

double mn_node_information(const mn_independence *t, mn_score_space *space, size_t u, size_t v, size_t given)
{
  const mn_net_columns *d = t->data;
  if (d->card[u] == 0) {
    const double r = t->correlation[u * d->nodes + v];
    return -0.5 * log1p(-fmin(r * r, 1 - 1e-12));
  }
  const int32_t condition = (int32_t)given;
  const size_t tables = count_tables(d, space, u, v, given != SIZE_MAX, &condition);
  const size_t cells = (size_t)d->card[u] * (size_t)d->card[v];
  double sum = 0, total;
  for (size_t c = 0; c < tables; c++)
    sum +=
        table_statistic((const double *)space->count + c * cells, (size_t)d->card[u], (size_t)d->card[v], true, &total);
  return sum / d->total;
}
