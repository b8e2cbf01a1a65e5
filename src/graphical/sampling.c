#include "sampling.h"
#include "../core/worker_pool.h"
#include "local_search.h"
#include <math.h>
#include <string.h>

struct job {
  const mn_factor_graph *g;
  const int32_t *evidence;
  const mn_sampling *options;
  mn_sampling_result *out;
  mn_incidence at;
  size_t width;
  double *sums;     /* chains x variables x width */
  double *accepted; /* chains */
  /* Swendsen-Wang */
  double *bond; /* of each factor: the probability of a bond between equal neighbors; < 0: not a pair */
  /* annealing */
  size_t temperatures;
  double *weight;
  int64_t seed;
};

/* A chain, in the memory of its worker. */
struct chain {
  const struct job *job;
  mn_rng rng;
  int32_t *state;
  double *work, *sums;
  size_t *root;    /* clusters */
  double *cluster; /* variables x width: sums of the factors of single variables of each cluster */
  double proposals, accepted;
};

static size_t draw_state(mn_rng *rng, size_t card, double beta, double *value)
{
  double most = value[0];
  for (size_t s = 1; s < card; s++) most = fmax(most, value[s]);
  for (size_t s = 0; s < card; s++) value[s] = exp(beta * (value[s] - most));
  return mn_random_weighted(rng, value, card);
}

void mn_gibbs_states(const mn_factor_graph *g, const mn_incidence *at, const int32_t *evidence, double beta,
                     mn_rng *rng, int32_t *state, double *work)
{
  for (size_t v = 0; v < g->variables; v++) {
    if (mn_is_observed(evidence, v)) continue;
    mn_conditional(g, at, state, v, work);
    state[v] = (int32_t)draw_state(rng, g->card[v], beta, work);
  }
}

static void start_state(const struct job *job, mn_rng *rng, int32_t *state)
{
  for (size_t v = 0; v < job->g->variables; v++)
    state[v] = mn_is_observed(job->evidence, v) ? job->evidence[v] : (int32_t)mn_random_below(rng, job->g->card[v]);
}

/* --- sweeps --- */

/* Gibbs; the conditional probabilities are added to the sums, which is more precise than the states. */
static void gibbs(struct chain *c, bool is_counted)
{
  const mn_factor_graph *g = c->job->g;
  for (size_t v = 0; v < g->variables; v++) {
    double *sums = c->sums + v * c->job->width, total = 0;
    if (mn_is_observed(c->job->evidence, v)) {
      if (is_counted) sums[c->state[v]] += 1;
      continue;
    }
    mn_conditional(g, &c->job->at, c->state, v, c->work);
    c->state[v] = (int32_t)draw_state(&c->rng, g->card[v], 1, c->work);
    if (!is_counted) continue;
    for (size_t s = 0; s < g->card[v]; s++) total += c->work[s];
    for (size_t s = 0; s < g->card[v]; s++) sums[s] += c->work[s] / total;
  }
}

static void count_states(struct chain *c, bool is_counted)
{
  for (size_t v = 0; v < c->job->g->variables && is_counted; v++) c->sums[v * c->job->width + (size_t)c->state[v]] += 1;
}

static void metropolis(struct chain *c, bool is_counted)
{
  const mn_factor_graph *g = c->job->g;
  for (size_t v = 0; v < g->variables; v++) {
    if (mn_is_observed(c->job->evidence, v) || g->card[v] == 1) continue;
    size_t to = mn_random_below(&c->rng, g->card[v] - 1);
    to += to >= (size_t)c->state[v];
    mn_conditional(g, &c->job->at, c->state, v, c->work);
    const double gain = c->work[to] - c->work[c->state[v]];
    c->proposals++;
    if (!(gain >= 0 || mn_random_uniform(&c->rng) < exp(gain))) continue;
    c->accepted++;
    c->state[v] = (int32_t)to;
  }
  count_states(c, is_counted);
}

static size_t root_of(size_t *root, size_t v)
{
  while (root[v] != v) v = root[v] = root[root[v]];
  return v;
}

static void swendsen_wang(struct chain *c, bool is_counted)
{
  const mn_factor_graph *g = c->job->g;
  const size_t width = c->job->width;
  for (size_t v = 0; v < g->variables; v++) c->root[v] = v;
  memset(c->cluster, 0, g->variables * width * sizeof *c->cluster);
  for (size_t f = 0; f < g->factors; f++) {
    const size_t *scope = mn_scope(g, f);
    if (c->job->bond[f] < 0 || c->state[scope[0]] != c->state[scope[1]]) continue;
    if (mn_random_uniform(&c->rng) < c->job->bond[f]) c->root[root_of(c->root, scope[0])] = root_of(c->root, scope[1]);
  }
  for (size_t f = 0; f < g->factors; f++) {
    const size_t *scope = mn_scope(g, f);
    if (c->job->bond[f] >= 0 || mn_scope_size(g, f) == 0) continue;
    double *sum = c->cluster + root_of(c->root, scope[0]) * width;
    for (size_t s = 0; s < g->card[scope[0]]; s++) sum[s] += g->table[g->table_start[f] + s];
  }
  for (size_t v = 0; v < g->variables; v++)
    for (size_t s = 0; s < g->card[v] && mn_is_observed(c->job->evidence, v); s++)
      if ((int32_t)s != c->job->evidence[v]) c->cluster[root_of(c->root, v) * width + s] += 16 * MN_LOG_ZERO;
  for (size_t v = 0; v < g->variables; v++)
    if (c->root[v] == v) c->state[v] = (int32_t)draw_state(&c->rng, g->card[v], 1, c->cluster + v * width);
  for (size_t v = 0; v < g->variables; v++) c->state[v] = c->state[root_of(c->root, v)];
  count_states(c, is_counted);
}

/* --- chains --- */

static mn_status begin_chain(mn_context *ctx, const struct job *job, int64_t seed, size_t item, struct chain *c)
{
  const size_t n = job->g->variables + 1;
  *c = (struct chain){ .job = job, .rng = mn_stream(seed, item) };
  c->state = MN_RAW(ctx, int32_t, n, 1);
  c->work = MN_RAW(ctx, double, job->width, 1);
  c->root = MN_RAW(ctx, size_t, n, 1);
  c->cluster = MN_RAW(ctx, double, job->bond ? n : 1, job->width);
  if (!c->state || !c->work || !c->root || !c->cluster) return MN_NO_MEMORY;
  start_state(job, &c->rng, c->state);
  return MN_OK;
}

static mn_status run_chain(mn_context *ctx, void *work, size_t item, size_t worker)
{
  (void)worker;
  struct job *job = work;
  const mn_sampling *o = job->options;
  const size_t n = job->g->variables;
  struct chain c;
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(begin_chain(ctx, job, o->seed, item, &c));
  c.sums = job->sums + item * n * job->width;
  void (*sweep)(struct chain *, bool) = o->sampler == MN_SAMPLER_GIBBS        ? gibbs
                                        : o->sampler == MN_SAMPLER_METROPOLIS ? metropolis
                                                                              : swendsen_wang;
  for (size_t k = 0; k < o->burn_in + o->draws * o->thin; k++) {
    const bool is_counted = k >= o->burn_in;
    sweep(&c, is_counted);
    MN_TRY(mn_poll(ctx));
    if (!is_counted || (k - o->burn_in) % o->thin != o->thin - 1) continue;
    const size_t draw = item * o->draws + (k - o->burn_in) / o->thin;
    job->out->trace[draw] = mn_factor_graph_score(job->g, c.state);
    for (size_t v = 0; v < n && job->out->states; v++) job->out->states[draw * n + v] = c.state[v] + 1;
  }
  job->accepted[item] = c.proposals > 0 ? c.accepted / c.proposals : 1;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Averages over the chains, in their order, and their standard errors. */
static void average(const struct job *job, mn_sampling_result *out)
{
  const mn_sampling *o = job->options;
  const size_t size = job->g->variables * job->width;
  const double m = (double)o->chains, sweeps = (double)(o->draws * o->thin);
  for (size_t i = 0; i < size; i++) {
    double mean = 0, square = 0;
    for (size_t c = 0; c < o->chains; c++) mean += job->sums[c * size + i] / sweeps / m;
    for (size_t c = 0; c < o->chains; c++) square += pow(job->sums[c * size + i] / sweeps - mean, 2);
    out->marginals[i] = mean;
    if (out->std_error) out->std_error[i] = o->chains > 1 ? sqrt(square / (m - 1) / m) : NAN;
  }
  out->acceptance = 0;
  for (size_t c = 0; c < o->chains; c++) out->acceptance += job->accepted[c] / m;
}

/* The probability of a bond, or -1 for a factor of one variable. */
static mn_status find_bond(mn_context *ctx, const char *who, const mn_factor_graph *g, size_t f, double *bond)
{
  const size_t n = mn_scope_size(g, f), *scope = mn_scope(g, f), card = g->card[scope[0]];
  const double *t = g->table + g->table_start[f];
  *bond = -1;
  if (n == 1) return MN_OK;
  bool fits = n == 2 && g->card[scope[1]] == card && card > 1 && t[0] >= t[1];
  for (size_t i = 0; fits && i < card * card; i++) fits = fabs(t[i] - t[i % (card + 1) == 0 ? 0 : 1]) < 1e-12;
  if (!fits)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: Swendsen-Wang requires pairs that are more probable when equal (Ising, Potts), but factor %zu "
                   "is none; use \"gibbs\"",
                   who, f + 1);
  *bond = 1 - exp(t[1] - t[0]);
  return MN_OK;
}

static size_t most_states(const mn_factor_graph *g)
{
  size_t most = 1;
  for (size_t v = 0; v < g->variables; v++) most = g->card[v] > most ? g->card[v] : most;
  return most;
}

mn_status mn_sample_graph(mn_context *ctx, const char *who, const mn_factor_graph *g, const int32_t *evidence,
                          const mn_sampling *options, mn_sampling_result *out)
{
  struct job job = { .g = g, .evidence = evidence, .options = options, .out = out, .width = out->width };
  if (job.width < most_states(g)) job.width = most_states(g);
  MN_TRY(mn_factor_graph_incidence(ctx, g, &job.at));
  job.sums = MN_NEW(ctx, double, options->chains * g->variables + 1, job.width);
  job.accepted = MN_NEW(ctx, double, options->chains + 1, 1);
  if (!job.sums || !job.accepted) return MN_NO_MEMORY;
  if (options->sampler == MN_SAMPLER_SWENDSEN_WANG) {
    job.bond = MN_RAW(ctx, double, g->factors + 1, 1);
    MN_CHECK_ALLOC(job.bond);
    for (size_t f = 0; f < g->factors; f++) MN_TRY(find_bond(ctx, who, g, f, &job.bond[f]));
  }
  MN_TRY(mn_pool_run(ctx, options->chains, run_chain, &job));
  average(&job, out);
  return MN_OK;
}

/* --- annealed importance sampling --- */

static mn_status anneal(mn_context *ctx, void *work, size_t item, size_t worker)
{
  (void)worker;
  struct job *job = work;
  struct chain c;
  const double steps = (double)job->temperatures;
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(begin_chain(ctx, job, job->seed, item, &c));
  double weight = 0;
  for (size_t k = 1; k <= job->temperatures; k++) {
    weight += mn_factor_graph_score(job->g, c.state) / steps;
    mn_gibbs_states(job->g, &job->at, job->evidence, (double)k / steps, &c.rng, c.state, c.work);
    MN_TRY(mn_poll(ctx));
  }
  job->weight[item] = weight;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_annealed_partition(mn_context *ctx, const mn_factor_graph *g, const int32_t *evidence, size_t particles,
                                size_t temperatures, int64_t seed, double *log_partition, double *std_error)
{
  struct job job = {
    .g = g, .evidence = evidence, .width = most_states(g), .temperatures = temperatures, .seed = seed
  };
  MN_TRY(mn_factor_graph_incidence(ctx, g, &job.at));
  job.weight = MN_NEW(ctx, double, particles + 1, 1);
  MN_CHECK_ALLOC(job.weight);
  MN_TRY(mn_pool_run(ctx, particles, anneal, &job));
  double uniform = 0, most = job.weight[0], sum = 0, square = 0;
  for (size_t v = 0; v < g->variables; v++)
    if (!mn_is_observed(evidence, v)) uniform += log((double)g->card[v]);
  for (size_t i = 1; i < particles; i++) most = fmax(most, job.weight[i]);
  for (size_t i = 0; i < particles; i++) sum += exp(job.weight[i] - most);
  const double n = (double)particles, mean = sum / n;
  for (size_t i = 0; i < particles; i++) square += pow(exp(job.weight[i] - most) - mean, 2);
  *log_partition = uniform + most + log(mean);
  *std_error = sqrt(square / (n - 1) / n) / mean;
  return MN_OK;
}
