#include "conditional.h"
#include "sample.h"
#include "../core/threads.h"
#include <math.h>
#include <string.h>

/* Standard errors from the means of batches of consecutive samples. */
enum { BATCHES = 20, START_TRIES = 10000 };

struct gibbs {
  const mn_net_sampling *s;
  const mn_sampled *out;
  mn_context *ctx;
  mn_children children;
  size_t per_batch, most_values;
  double *row;  /* chains x nodes */
  double *p;    /* chains x most_values */
  double *mean; /* chains x batches x size */
  bool *failed; /* chains */
};

/* The first row: a sample that agrees with the evidence. */
static bool start_chain(const struct gibbs *g, mn_rng *rng, double *row)
{
  for (size_t i = 0; i < START_TRIES; i++)
    if (mn_sample_row(g->s->net, rng, g->s->evidence, g->s->likelihood, row) > -INFINITY) return true;
  return false;
}

static bool draw_node(const struct gibbs *g, mn_rng *rng, size_t v, double *row, double *p)
{
  const mn_network *net = g->s->net;
  if (net->card[v] == 0) {
    mn_conditional_normal normal;
    if (!mn_conditional_number(net, &g->children, v, row, &normal)) return false;
    row[v] = normal.mean + normal.sd * mn_random_normal(rng);
    return true;
  }
  if (!mn_conditional_values(net, &g->children, v, row, p)) return false;
  const double *soft = g->s->likelihood ? g->s->likelihood[v] : NULL;
  for (size_t y = 0; soft && y < (size_t)net->card[v]; y++) p[y] *= soft[y];
  row[v] = (double)mn_random_weighted(rng, p, (size_t)net->card[v]);
  return true;
}

static bool sweep(const struct gibbs *g, mn_rng *rng, double *row, double *p)
{
  for (size_t v = 0; v < g->s->net->nodes; v++)
    if (isnan(g->s->evidence[v]) && !draw_node(g, rng, v, row, p)) return false;
  return true;
}

static void add_row(const struct gibbs *g, const double *row, double *mean)
{
  const double share = 1 / (double)g->per_batch;
  for (size_t v = 0; v < g->s->net->nodes; v++) {
    const size_t at = g->out->place[v];
    if (g->s->net->card[v] > 0) {
      mean[at + (size_t)row[v]] += share;
    } else {
      mean[at] += share * row[v];
      mean[at + 1] += share * row[v] * row[v];
    }
  }
}

static void run_chain(void *work, size_t chain, size_t worker)
{
  struct gibbs *g = work;
  const mn_cancel_token token = { g->ctx, worker };
  double *row = g->row + chain * g->s->net->nodes, *p = g->p + chain * g->most_values;
  mn_rng rng = mn_stream(g->s->seed, chain);
  g->failed[chain] = !start_chain(g, &rng, row);
  for (size_t i = 0; !g->failed[chain] && i < g->s->burn_in; i++) {
    if (i % 64 == 0 && !mn_task_should_continue(&token)) return;
    g->failed[chain] = !sweep(g, &rng, row, p);
  }
  for (size_t b = 0; b < BATCHES; b++)
    for (size_t i = 0; i < g->per_batch && !g->failed[chain]; i++) {
      if (i % 64 == 0 && !mn_task_should_continue(&token)) return;
      g->failed[chain] = !sweep(g, &rng, row, p);
      add_row(g, row, g->mean + (chain * BATCHES + b) * g->out->size);
    }
}

/* The standard error of the mean of n groups of batches from the spread of the means of the groups. */
static double error_of_groups(const double *mean, size_t stride, size_t n, size_t batches, double all)
{
  double sum = 0;
  for (size_t g = 0; g < n; g++) {
    double own = 0;
    for (size_t b = 0; b < batches; b++) own += mean[(g * batches + b) * stride] / (double)batches;
    sum += (own - all) * (own - all);
  }
  return n > 1 ? sqrt(sum / (double)(n - 1) / (double)n) : 0;
}

/* Means of the batch means. Their error is that of the batches or of the chains, whichever is larger: batches of chains
 * that mix slowly are not independent. */
static void conclude_gibbs(const struct gibbs *g, mn_sampled *out)
{
  const size_t batches = g->s->chains * BATCHES, size = out->size;
  for (size_t i = 0; i < size; i++) {
    double mean = 0;
    for (size_t b = 0; b < batches; b++) mean += g->mean[b * size + i] / (double)batches;
    out->estimate[i] = mean;
    out->error[i] = fmax(error_of_groups(g->mean + i, size, batches, 1, mean),
                         error_of_groups(g->mean + i, size, g->s->chains, BATCHES, mean));
  }
  for (size_t v = 0; v < g->s->net->nodes; v++) {
    const size_t at = out->place[v];
    if (g->s->net->card[v] > 0) continue;
    out->estimate[at + 1] = sqrt(fmax(out->estimate[at + 1] - out->estimate[at] * out->estimate[at], 0));
    out->error[at + 1] = (double)NAN;
  }
}

/* The fewest effective samples of any probability: p (1 - p) / error^2. */
static double effective_samples(const mn_network *net, const mn_sampled *out, double most)
{
  double least = most;
  for (size_t v = 0; v < net->nodes; v++)
    for (size_t i = out->place[v]; net->card[v] > 0 && i < out->place[v + 1]; i++) {
      const double p = out->estimate[i], e = out->error[i];
      if (e > 0 && p * (1 - p) / (e * e) < least) least = p * (1 - p) / (e * e);
    }
  return least;
}

mn_status mn_gibbs_marginals(mn_context *ctx, const mn_net_sampling *s, mn_sampled *out)
{
  const mn_network *net = s->net;
  struct gibbs g = { .s = s, .out = out, .ctx = ctx, .most_values = 1 };
  g.per_batch = s->samples / (s->chains * BATCHES) + 1;
  for (size_t v = 0; v < net->nodes; v++)
    if ((size_t)net->card[v] > g.most_values && net->card[v] > 0) g.most_values = (size_t)net->card[v];
  MN_TRY(mn_children_of(ctx, net, &g.children));
  g.row = MN_RAW(ctx, double, s->chains, net->nodes + 1);
  g.p = MN_RAW(ctx, double, s->chains, g.most_values);
  g.mean = MN_NEW(ctx, double, s->chains *BATCHES, out->size + 1);
  g.failed = MN_NEW(ctx, bool, s->chains, 1);
  if (!g.row || !g.p || !g.mean || !g.failed) return MN_NO_MEMORY;
  MN_TRY(mn_parallel(ctx, s->chains, run_chain, &g));
  for (size_t c = 0; c < s->chains; c++)
    if (g.failed[c])
      return mn_fail(ctx, MN_BAD_DATA,
                     "BayesNet: Gibbs sampling found no row that agrees with the evidence to start "
                     "from; use method = \"exact\"");
  conclude_gibbs(&g, out);
  out->effective = effective_samples(net, out, (double)(s->chains * BATCHES * g.per_batch));
  return MN_OK;
}
