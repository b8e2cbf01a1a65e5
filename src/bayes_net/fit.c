#include "fit.h"
#include "score.h"
#include "../core/rng.h"
#include "../core/threads.h"
#include <math.h>
#include <string.h>

struct fitting {
  const mn_net_fit *fit;
  mn_family_sums s;
  double *floor, *mean; /* nodes: of numbers, least variance and mean of the known values */
  double *sum, *space;
  double total;
};

/* --- without missing values --- */

static double weight_at(const mn_net_fit *fit, size_t i)
{
  return fit->weights ? fit->weights[i] : 1;
}

/* Means, and floors of the variances, of the known values. */
static void describe_numbers(struct fitting *f)
{
  const mn_matrix *rows = f->fit->rows;
  for (size_t v = 0; v < rows->cols; v++) {
    double total = 0, mean = 0, sum = 0;
    f->mean[v] = 0;
    f->floor[v] = 1;
    if (f->fit->net->card[v] > 0) continue;
    for (size_t i = 0; i < rows->rows; i++) {
      const double x = mn_row(rows, i)[v], w = isnan(x) ? 0 : weight_at(f->fit, i);
      total += w;
      if (w > 0) mean += w / total * (x - mean);
    }
    for (size_t i = 0; i < rows->rows; i++) {
      const double x = mn_row(rows, i)[v], r = isnan(x) ? 0 : x - mean;
      sum += weight_at(f->fit, i) * r * r;
    }
    const double variance = total > 0 ? fmax(sum / total, 1e-12 * mean * mean + 1e-100) : 1;
    f->mean[v] = mean;
    f->floor[v] = MN_VARIANCE_FLOOR * variance;
  }
}

/* Least squares in each configuration from the rows themselves, which is more accurate than from sums. */
static mn_status fit_number(mn_context *ctx, struct fitting *f, const mn_net_columns *d, size_t v, double *table)
{
  const mn_network *net = f->fit->net;
  const size_t configs = mn_configurations(net, v), width = mn_table_width(net, v), p = d->nodes + 2;
  const mn_mark mark = mn_scratch_mark(ctx);
  uint32_t *order = MN_RAW(ctx, uint32_t, d->rows + 1, 1), *config = MN_RAW(ctx, uint32_t, d->rows + 1, 1);
  size_t *first = MN_NEW(ctx, size_t, configs + 2, 1);
  double *moment = MN_RAW(ctx, double, p, p + 2), *coef = MN_RAW(ctx, double, p, 1);
  if (!order || !config || !first || !moment || !coef) return MN_NO_MEMORY;
  for (size_t i = 0; i < d->rows; i++) {
    size_t c = 0;
    for (size_t k = net->start[v]; k < net->start[v + 1]; k++) {
      const size_t u = (size_t)net->parent[k];
      if (net->card[u] > 0) c = c * (size_t)net->card[u] + d->code[u][i];
    }
    config[i] = (uint32_t)c;
    first[c + 2]++;
  }
  for (size_t c = 2; c <= configs; c++) first[c] += first[c - 1];
  for (size_t i = 0; i < d->rows; i++) order[first[config[i] + 1]++] = (uint32_t)i;
  for (size_t c = 0; c < configs; c++) {
    const size_t n = first[c + 1] - first[c];
    double *to = table + net->at[v] + c * width;
    const uint32_t *rows = order + (n > 0 ? first[c] : 0); /* without rows: as all of them together */
    const mn_number_fit ls = mn_fit_numbers(d, rows, n > 0 ? n : d->rows, v, mn_parent_count(net, v),
                                            mn_parents(net, v), f->floor[v], moment, coef);
    memcpy(to, coef, (width - 1) * sizeof *to);
    to[width - 1] = sqrt(ls.variance);
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status fit_complete(mn_context *ctx, struct fitting *f, double *table, double *log_likelihood)
{
  mn_network net = *f->fit->net;
  mn_net_columns d;
  MN_TRY(mn_make_net_columns(ctx, f->fit->rows, net.card, f->fit->weights, &d));
  for (size_t v = 0; v < net.nodes; v++) {
    MN_TRY(mn_poll(ctx));
    if (net.card[v] == 0) {
      MN_TRY(fit_number(ctx, f, &d, v, table));
      continue;
    }
    mn_family_counts(&d, v, mn_parent_count(&net, v), mn_parents(&net, v), f->sum + f->s.at[v]);
    mn_estimate_table(&net, &f->s, v, f->sum, f->fit->prior, f->floor, f->space, table);
  }
  double *log_p = MN_RAW(ctx, double, f->fit->rows->rows + 1, 1);
  MN_CHECK_ALLOC(log_p);
  net.table = table;
  MN_TRY(mn_log_rows(ctx, &net, f->fit->rows, log_p));
  *log_likelihood = 0;
  for (size_t i = 0; i < f->fit->rows->rows; i++)
    if (weight_at(f->fit, i) > 0) *log_likelihood += weight_at(f->fit, i) * log_p[i];
  return MN_OK;
}

/* --- expectation maximization --- */

/* Random tables for node v, of which nothing is known. */
static void start_random(const struct fitting *f, size_t v, mn_rng *rng, double *table)
{
  const mn_network *net = f->fit->net;
  const size_t width = mn_table_width(net, v);
  for (size_t i = net->at[v]; i < net->at[v + 1]; i += width) {
    double total = 0;
    if (net->card[v] == 0) {
      memset(table + i, 0, width * sizeof *table);
      table[i] = f->mean[v] + sqrt(f->floor[v] / MN_VARIANCE_FLOOR) * mn_random_normal(rng);
      table[i + width - 1] = sqrt(f->floor[v] / MN_VARIANCE_FLOOR);
      continue;
    }
    for (size_t y = 0; y < width; y++) total += table[i + y] = 0.25 + mn_random_uniform(rng);
    for (size_t y = 0; y < width; y++) table[i + y] /= total;
  }
}

/* Tables from the rows in which the family is known, with one row for each cell added; random where there are none, and
 * in other starts than the first. */
static void start_tables(const struct fitting *f, size_t index, double *table)
{
  const mn_network *net = f->fit->net;
  mn_rng rng = mn_stream(f->fit->seed, index);
  memset(f->sum, 0, f->s.size * sizeof *f->sum);
  for (size_t v = 0; v < net->nodes; v++) {
    double known = 0;
    for (size_t i = 0; i < f->fit->rows->rows; i++) {
      const double *row = mn_row(f->fit->rows, i), w = weight_at(f->fit, i);
      if (!(w > 0) || !mn_family_is_known(net, v, row)) continue;
      known += w;
      mn_add_family(net, &f->s, v, row, w, f->sum);
    }
    const mn_table_prior prior = { .ess = f->fit->prior.ess, .pseudo = f->fit->prior.pseudo + 1 };
    if (known > 0)
      mn_estimate_table(net, &f->s, v, f->sum, prior, f->floor, f->space, table);
    else
      start_random(f, v, &rng, table);
  }
}

static mn_status expect(mn_context *ctx, void *problem, void *workspace, const double *state, double *objective)
{
  struct fitting *f = problem;
  mn_network net = *f->fit->net;
  double log_p;
  (void)workspace;
  net.table = state;
  MN_TRY(mn_expected_sums(ctx, &net, &f->s, f->fit->rows, f->fit->weights, f->fit->limit, f->sum, &log_p));
  *objective = -log_p - mn_log_prior(&net, f->fit->prior);
  return MN_OK;
}

static mn_status maximize(mn_context *ctx, void *problem, void *workspace, double *state, bool *degenerate)
{
  const struct fitting *f = problem;
  (void)ctx;
  (void)workspace;
  *degenerate = false;
  for (size_t v = 0; v < f->fit->net->nodes; v++)
    mn_estimate_table(f->fit->net, &f->s, v, f->sum, f->fit->prior, f->floor, f->space, state);
  return MN_OK;
}

static mn_status start(mn_context *ctx, void *problem, void *workspace, size_t index, double *state, double *objective)
{
  const struct fitting *f = problem;
  const mn_network *net = f->fit->net;
  if (net->table && index == 0)
    memcpy(state, net->table, net->at[net->nodes] * sizeof *state);
  else
    start_tables(f, index, state);
  return expect(ctx, problem, workspace, state, objective);
}

static mn_status fail(mn_context *ctx, void *problem, size_t index)
{
  (void)problem;
  (void)index;
  return mn_fail(ctx, MN_SINGULAR, "BayesNet: EM found no tables of finite likelihood; set equivalent_sample_size > 0");
}

static bool any_missing(const mn_net_fit *fit)
{
  const mn_matrix *rows = fit->rows;
  for (size_t i = 0; i < rows->rows; i++)
    for (size_t v = 0; weight_at(fit, i) > 0 && v < rows->cols; v++)
      if (isnan(mn_row(rows, i)[v])) return true;
  return false;
}

mn_status mn_net_fit_tables(mn_context *ctx, const mn_net_fit *fit, double *table, double *log_likelihood,
                            mn_report *report)
{
  const mn_network *net = fit->net;
  struct fitting f = { .fit = fit };
  MN_TRY(mn_family_sums_layout(ctx, net, &f.s));
  f.sum = MN_NEW(ctx, double, f.s.size + 1, 1);
  f.floor = MN_RAW(ctx, double, net->nodes + 1, 1);
  f.mean = MN_RAW(ctx, double, net->nodes + 1, 1);
  f.space = MN_RAW(ctx, double, mn_estimate_space(net), 1);
  if (!f.sum || !f.floor || !f.mean || !f.space) return MN_NO_MEMORY;
  for (size_t i = 0; i < fit->rows->rows; i++) f.total += weight_at(fit, i);
  describe_numbers(&f);
  *report = (mn_report){ .converged = true };
  if (!any_missing(fit)) return fit_complete(ctx, &f, table, log_likelihood);
  const mn_em em = { .problem = &f,
                     .state_size = net->at[net->nodes],
                     .starts = fit->starts,
                     .max_iter = (int64_t)fit->max_iter,
                     .tol = fit->tol,
                     .scale = f.total,
                     .start = start,
                     .maximize = maximize,
                     .expect = expect,
                     .fail = fail };
  MN_TRY(mn_em_fit(ctx, &em, table, report));
  mn_network fitted = *net;
  fitted.table = table;
  *log_likelihood = -report->objective - mn_log_prior(&fitted, fit->prior);
  return MN_OK;
}
