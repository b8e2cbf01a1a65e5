#include "score.h"
#include "bge.h"
#include "counts_kernel.h"
#include "network.h"
#include "../stats/special.h"
#include <math.h>
#include <string.h>

static double x_log_x(double x)
{
  return x > 0 ? x * log(x) : 0;
}

static double weight_of(const mn_net_columns *d, size_t i)
{
  return d->weights ? d->weights[i] : 1;
}

static double variance_of(const mn_net_columns *d, size_t v)
{
  double mean = 0, sum = 0;
  for (size_t i = 0; i < d->rows; i++) mean += weight_of(d, i) * d->value[v][i];
  mean /= d->total;
  for (size_t i = 0; i < d->rows; i++) {
    const double r = d->value[v][i] - mean;
    sum += weight_of(d, i) * r * r;
  }
  const double scale = 1e-12 * (mean * mean) + 1e-100;
  return fmax(sum / d->total, scale);
}

mn_status mn_scorer_init(mn_context *ctx, const mn_net_columns *data, enum mn_net_criterion criterion, double ess,
                         mn_scorer *out)
{
  *out = (mn_scorer){ .data = data, .criterion = criterion, .ess = ess };
  MN_CHECK_ALLOC(out->variance = MN_NEW(ctx, double, data->nodes + 1, 1));
  for (size_t v = 0; v < data->nodes; v++)
    if (data->card[v] == 0) out->variance[v] = variance_of(data, v);
  if (criterion == MN_NET_BGE) return mn_bge_sums(ctx, data, &out->sums);
  if (data->weights) return MN_OK;
  MN_CHECK_ALLOC(out->x_log_x = MN_RAW(ctx, double, data->rows + 1, 1));
  out->x_log_x[0] = 0;
  for (size_t i = 1; i <= data->rows; i++) out->x_log_x[i] = (double)i * log((double)i);
  return MN_OK;
}

mn_status mn_score_space_new(mn_context *ctx, const mn_scorer *s, size_t cells, mn_score_space *out)
{
  const size_t rows = s->data->rows, p = s->data->nodes + 2;
  *out = (mn_score_space){ .cells = cells };
  MN_TRY(mn_configs_new(ctx, rows, &out->configs));
  out->base = MN_RAW(ctx, uint32_t, rows + 1, 1);
  out->count = MN_RAW(ctx, double, cells + 1, 1);
  out->order = MN_RAW(ctx, uint32_t, 3 * rows + 8200, 1);
  out->moment = MN_RAW(ctx, double, p, p + 2);
  out->coef = MN_RAW(ctx, double, p, 1);
  out->list = MN_RAW(ctx, int32_t, p, 1);
  if (!out->coef || !out->list) return MN_NO_MEMORY;
  return out->base && out->count && out->order && out->moment ? MN_OK : MN_NO_MEMORY;
}

size_t mn_score_cells(const mn_scorer *s, size_t v, size_t k, const int32_t *parents)
{
  const mn_net_columns *d = s->data;
  double configs = 1;
  if (d->card[v] == 0) return 1;
  for (size_t j = 0; j < k; j++) configs = fmin(configs * fmax(d->card[parents[j]], 1), (double)d->rows + 4096);
  const double cells = configs * d->card[v];
  return cells > MN_MAX_TABLE ? 0 : (size_t)cells;
}

/* --- discrete nodes --- */

/* The score of counts[blocks x card], one block for each configuration, with `full` configurations in all. */
static double score_counts(const mn_scorer *s, const uint32_t *count, size_t blocks, size_t card, double full)
{
  double sum = 0;
  for (size_t b = 0; b < blocks; b++, count += card) {
    uint32_t total = 0;
    for (size_t y = 0; y < card; y++) {
      total += count[y];
      sum += s->x_log_x[count[y]];
    }
    sum -= s->x_log_x[total];
  }
  const double k = full * (double)(card - 1);
  const double price = s->criterion == MN_NET_AIC ? 1 : s->criterion == MN_NET_BIC ? 0.5 * log(s->data->total) : 0;
  return sum - price * k;
}

static double score_sums(const mn_scorer *s, const double *sum, size_t blocks, size_t card, double full)
{
  double score = 0;
  for (size_t b = 0; b < blocks; b++, sum += card) {
    double total = 0;
    for (size_t y = 0; y < card; y++) {
      total += sum[y];
      score += x_log_x(sum[y]);
    }
    score -= x_log_x(total);
  }
  const double k = full * (double)(card - 1);
  const double price = s->criterion == MN_NET_AIC ? 1 : s->criterion == MN_NET_BIC ? 0.5 * log(s->data->total) : 0;
  return score - price * k;
}

static double count_at(const mn_scorer *s, const void *count, size_t i)
{
  return s->data->weights ? ((const double *)count)[i] : ((const uint32_t *)count)[i];
}

/* The marginal likelihood with Dirichlet priors: `cell` for each cell. */
static double dirichlet(const mn_scorer *s, const void *count, size_t blocks, size_t card, double cell)
{
  const double start = mn_lgamma(cell), whole = mn_lgamma(cell * (double)card);
  double score = 0;
  for (size_t b = 0; b < blocks; b++) {
    double total = 0;
    for (size_t y = 0; y < card; y++) {
      const double n = count_at(s, count, b * card + y);
      if (n > 0) score += mn_lgamma(cell + n) - start;
      total += n;
    }
    if (total > 0) score += whole - mn_lgamma(cell * (double)card + total);
  }
  return score;
}

static double score_table(const mn_scorer *s, const void *count, size_t blocks, size_t card, double full)
{
  if (s->criterion == MN_NET_BDEU) return dirichlet(s, count, blocks, card, s->ess / (full * (double)card));
  if (s->criterion == MN_NET_K2) return dirichlet(s, count, blocks, card, 1);
  if (s->data->weights) return score_sums(s, count, blocks, card, full);
  return score_counts(s, count, blocks, card, full);
}

static void count_pairs(const mn_scorer *s, const uint32_t *base, const uint16_t *code, size_t stride, size_t cells,
                        void *count)
{
  const mn_net_columns *d = s->data;
  memset(count, 0, cells * (d->weights ? sizeof(double) : sizeof(uint32_t)));
  if (d->weights)
    mn_add_cells(d->rows, base, code, (uint32_t)stride, d->weights, count);
  else
    mn_count_cells(d->rows, base, code, (uint32_t)stride, count);
}

static void add_parents(const mn_scorer *s, mn_configs *c, size_t k, const int32_t *parents)
{
  mn_configs_reset(c, s->data->rows);
  for (size_t j = 0; j < k; j++)
    if (s->data->card[parents[j]] > 0) mn_configs_add(c, s->data, (size_t)parents[j]);
}

void mn_score_prepare(const mn_scorer *s, mn_score_space *prepared, size_t v, size_t k, const int32_t *parents)
{
  const uint32_t card = (uint32_t)s->data->card[v];
  add_parents(s, &prepared->configs, k, parents);
  for (size_t i = 0; i < s->data->rows; i++) prepared->base[i] = prepared->configs.id[i] * card + s->data->code[v][i];
}

double mn_score_with(const mn_scorer *s, const mn_score_space *prepared, mn_score_space *space, size_t v, size_t u)
{
  const size_t card = (size_t)s->data->card[v], other = (size_t)s->data->card[u];
  const size_t stride = prepared->configs.size * card;
  if ((double)stride * (double)other > (double)space->cells) return -INFINITY;
  count_pairs(s, prepared->base, s->data->code[u], stride, stride * other, space->count);
  return score_table(s, space->count, prepared->configs.size * other, card, prepared->configs.full * (double)other);
}

static double score_discrete(const mn_scorer *s, mn_score_space *space, size_t v, size_t k, const int32_t *parents)
{
  const size_t card = (size_t)s->data->card[v];
  add_parents(s, &space->configs, k, parents);
  const size_t blocks = space->configs.size;
  if ((double)blocks * (double)card > (double)space->cells) return -INFINITY;
  for (size_t i = 0; i < s->data->rows; i++) space->base[i] = space->configs.id[i] * (uint32_t)card;
  count_pairs(s, space->base, s->data->code[v], 1, blocks * card, space->count);
  return score_table(s, space->count, blocks, card, space->configs.full);
}

void mn_family_counts(const mn_net_columns *data, size_t v, size_t k, const int32_t *parents, double *sum)
{
  for (size_t i = 0; i < data->rows; i++) {
    size_t c = 0;
    for (size_t j = 0; j < k; j++)
      if (data->card[parents[j]] > 0) c = c * (size_t)data->card[parents[j]] + data->code[parents[j]][i];
    sum[c * (size_t)data->card[v] + data->code[v][i]] += weight_of(data, i);
  }
}

/* --- numbers --- */

double mn_variance_floor(const mn_scorer *s, size_t v)
{
  return MN_VARIANCE_FLOOR * s->variance[v];
}

double mn_solve_moments(size_t k, double *m, double *coef)
{
  const size_t p = k + 1;
  for (size_t i = 0; i < p; i++) {
    const double before = m[i * p + i];
    for (size_t j = 0; j < i; j++) {
      for (size_t l = 0; l < j; l++) m[i * p + j] -= m[i * p + l] * m[j * p + l];
      m[i * p + j] = m[j * p + j] > 0 ? m[i * p + j] / m[j * p + j] : 0;
      m[i * p + i] -= m[i * p + j] * m[i * p + j];
    }
    if (i < k) m[i * p + i] = m[i * p + i] > 1e-11 * before ? sqrt(m[i * p + i]) : 0;
  }
  for (size_t i = k; i-- > 0;) {
    double b = m[k * p + i];
    for (size_t l = i + 1; l < k; l++) b -= m[l * p + i] * coef[l];
    coef[i] = m[i * p + i] > 0 ? b / m[i * p + i] : 0;
  }
  return m[k * p + k];
}

static double value_at(const mn_net_columns *d, size_t v, size_t k, const double *number, size_t j, size_t i)
{
  return d->value[j < k ? (size_t)number[j] : v][i];
}

/* The numbers among the parents; behind the moments. Returns how many. */
static size_t select_numbers(const mn_net_columns *d, size_t k, const int32_t *parents, double *number)
{
  size_t m = 0;
  for (size_t j = 0; j < k; j++)
    if (d->card[parents[j]] == 0) number[m++] = parents[j];
  return m;
}

mn_number_fit mn_fit_numbers(const mn_net_columns *data, const uint32_t *rows, size_t n, size_t v, size_t k,
                             const int32_t *parents, double floor, double *moment, double *coef)
{
  const size_t all = data->nodes + 2;
  double *mean = moment + all * all;
  double *number = mean + all;
  const size_t m = select_numbers(data, k, parents, number), p = m + 1;
  mn_number_fit fit = { .variance = floor };
  memset(moment, 0, p * p * sizeof *moment);
  memset(mean, 0, p * sizeof *mean);
  for (size_t i = 0; i < n; i++) fit.total += weight_of(data, rows[i]);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < p; j++)
      mean[j] += weight_of(data, rows[i]) / fit.total * value_at(data, v, m, number, j, rows[i]);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < p; j++) {
      const double a = weight_of(data, rows[i]) * (value_at(data, v, m, number, j, rows[i]) - mean[j]);
      for (size_t l = 0; l <= j; l++) moment[j * p + l] += a * (value_at(data, v, m, number, l, rows[i]) - mean[l]);
    }
  const double rss = mn_solve_moments(m, moment, coef + 1);
  coef[0] = mean[m];
  for (size_t j = 0; j < m; j++) coef[0] -= coef[1 + j] * mean[j];
  if (fit.total > 0) fit.variance = fmax(rss / fit.total, floor);
  return fit;
}

/* Rows by configuration: order[first[c]..first[c+1]). */
static uint32_t *sort_rows(const mn_net_columns *d, mn_score_space *space)
{
  const mn_configs *c = &space->configs;
  uint32_t *first = space->order + d->rows;
  memset(first, 0, (c->size + 2) * sizeof *first);
  for (size_t i = 0; i < d->rows; i++) first[c->id[i] + 2]++;
  for (size_t b = 2; b <= c->size; b++) first[b] += first[b - 1];
  for (size_t i = 0; i < d->rows; i++) space->order[first[c->id[i] + 1]++] = (uint32_t)i;
  return first;
}

static double score_numbers(const mn_scorer *s, mn_score_space *space, size_t v, size_t k, const int32_t *parents)
{
  const mn_net_columns *d = s->data;
  add_parents(s, &space->configs, k, parents);
  const uint32_t *first = sort_rows(d, space);
  double score = 0, numbers = 0;
  for (size_t j = 0; j < k; j++) numbers += d->card[parents[j]] == 0;
  for (size_t c = 0; c < space->configs.size; c++) {
    const mn_number_fit fit = mn_fit_numbers(d, space->order + first[c], first[c + 1] - first[c], v, k, parents,
                                             mn_variance_floor(s, v), space->moment, space->coef);
    score -= 0.5 * fit.total * (MN_LOG_2PI + 1 + log(fit.variance));
  }
  const double free = space->configs.full * (numbers + 2);
  const double price = s->criterion == MN_NET_AIC ? 1 : s->criterion == MN_NET_BIC ? 0.5 * log(d->total) : 0;
  return score - price * free;
}

double mn_score_node(const mn_scorer *s, mn_score_space *space, size_t v, size_t k, const int32_t *parents)
{
  if (s->criterion == MN_NET_BGE) return mn_bge_score(s->data, s->sums, s->ess, v, k, parents, space->moment);
  if (s->data->card[v] > 0) return score_discrete(s, space, v, k, parents);
  return score_numbers(s, space, v, k, parents);
}
