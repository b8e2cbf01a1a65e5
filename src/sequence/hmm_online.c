/* Hidden Markov models after their last row: one more observation, forecasts; and samples. */
#include "../core/rng.h"
#include "../factorization/semidefinite.h"
#include "hmm.h"
#include <string.h>

/* --- advance --- */

/* Nodes after an observation, given those before it; and one step further. */
mn_status mn_hmm_advance(mn_context *ctx, void *self, const void *options)
{
  mn_hmm_model *m = self;
  const mn_vector *row = &((const mn_hmm_advance_options *)options)->row;
  const size_t p = m->column_emission.size;
  mn_hmm_view view;
  mn_hmm_data rows;
  mn_hmm_densities d;
  mn_hmm_graph graph;
  double total = 0, largest = -INFINITY;
  if (row->size != p)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "HMM: advance: row must have %zu values, got %zu", p, row->size);
  const mn_data data = { .x = { .at = row->at, .rows = 1, .cols = p }, .rows = 1, .features = p };
  MN_TRY(mn_hmm_view_make(ctx, m, &view));
  MN_TRY(mn_hmm_data_make(ctx, &view.layout, &data, NULL, &rows));
  MN_TRY(mn_hmm_densities_make(ctx, &view.layout, &rows, view.emission, &d));
  MN_TRY(mn_hmm_graph_make(ctx, &view.topology, view.chain, &graph));
  const size_t nodes = view.topology.nodes;
  double *log_b = MN_RAW(ctx, double, view.layout.w, 1), *now = MN_RAW(ctx, double, nodes, 1);
  double *work = MN_RAW(ctx, double, mn_hmm_emission_workspace(&view.layout) + view.topology.silent, 1);
  if (!log_b || !now || !work) return MN_NO_MEMORY;
  mn_hmm_log_densities(&d, 0, 1, work, log_b);
  for (size_t i = 0; i < nodes; i++) {
    now[i] = m->next_nodes.at[i] > 0 ? log(m->next_nodes.at[i]) + log_b[graph.state[i]] : MN_HMM_LOG_ZERO;
    largest = fmax(largest, now[i]);
  }
  if (!(largest > MN_HMM_IMPOSSIBLE))
    return mn_fail(ctx, MN_BAD_DATA,
                   "HMM: advance: the row is impossible: its probability is zero in every state that may follow");
  for (size_t i = 0; i < nodes; i++) total += now[i] = exp(now[i] - largest);
  memset(m->state_probabilities.at, 0, view.k * sizeof(double));
  for (size_t i = 0; i < nodes; i++) m->state_probabilities.at[graph.state[i]] += now[i] /= total;
  mn_hmm_graph_step(&graph, now, work, m->next_nodes.at);
  return MN_OK;
}

/* --- forecast --- */

/* Means and variances of the columns in each state: k x p; NaN if the family has none. */
static void moments_of_states(const mn_hmm_view *view, double *mean, double *variance)
{
  const mn_hmm_layout *l = &view->layout;
  for (size_t i = 0; i < l->k * l->p; i++) mean[i] = variance[i] = NAN;
  const mn_gaussians g = mn_hmm_gaussians(l, view->emission);
  for (size_t s = 0; s < l->k; s++)
    for (size_t j = 0; j < l->g; j++) {
      double *m = mean + s * l->p + l->g_column[j], *v = variance + s * l->p + l->g_column[j], square = 0;
      *m = 0;
      for (size_t c = s * l->mix; c < (s + 1) * l->mix; c++) {
        const double center = g.mean[c * l->g + j];
        *m += g.weight[c] * center;
        square += g.weight[c] * (g.covariance[c * g.width + (l->diagonal ? j : j * (l->g + 1))] + center * center);
      }
      *v = square - *m * *m;
    }
  for (size_t s = 0; s < l->k; s++)
    for (size_t b = 0; b < l->other.blocks; b++) {
      const mn_mixture_block *block = l->other.block + b;
      const double *t = mn_hmm_block(l, view->emission, s, b);
      const char *name = block->family->name;
      double *m = mean + s * l->p + block->column[0], *v = variance + s * l->p + block->column[0];
      if (strcmp(name, "poisson") == 0) *m = *v = t[0];
      if (strcmp(name, "bernoulli") == 0) *m = t[0], *v = t[0] * (1 - t[0]);
      if (strcmp(name, "exponential") == 0) *m = t[0], *v = t[0] * t[0];
      if (strcmp(name, "gamma") == 0) *m = t[0] * t[1], *v = t[0] * t[1] * t[1];
    }
}

/* Probabilities of the nodes before the row after the last one. */
static mn_status next_nodes(mn_context *ctx, const mn_hmm_view *view, const mn_hmm_graph *graph, const mn_data *data,
                            double *work, double *out)
{
  const mn_hmm_model *m = view->m;
  const size_t nodes = view->topology.nodes;
  if (data->rows == 0) {
    memcpy(out, m->next_nodes.at, nodes * sizeof *out);
    return MN_OK;
  }
  mn_hmm_data rows;
  double *last = MN_NEW(ctx, double, nodes, 1), loglik;
  size_t impossible;
  MN_CHECK_ALLOC(last);
  MN_TRY(mn_hmm_data_make(ctx, &view->layout, data, NULL, &rows));
  const mn_hmm_pass pass = { .view = view, .data = &rows, .loglik = &loglik, .last = last, .impossible = &impossible };
  MN_TRY(mn_hmm_run_pass(ctx, &pass));
  if (impossible != SIZE_MAX) return mn_hmm_fail_impossible(ctx, m, data, impossible);
  mn_hmm_graph_step(graph, last, work, out);
  return MN_OK;
}

static void forecast_row(const mn_hmm_view *view, const double *probability, const double *mean, const double *variance,
                         double *out_mean, double *out_std)
{
  const size_t p = view->layout.p;
  for (size_t j = 0; j < p; j++) {
    double sum = 0, square = 0;
    for (size_t s = 0; s < view->k; s++) sum += probability[s] * mean[s * p + j];
    for (size_t s = 0; s < view->k; s++) {
      const double apart = mean[s * p + j] - sum;
      square += probability[s] * (variance[s * p + j] + apart * apart);
    }
    out_mean[j] = sum;
    out_std[j] = sqrt(square);
  }
}

mn_status mn_hmm_forecast(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                          mn_results *results)
{
  const mn_hmm_model *m = self;
  const size_t n = (size_t)((const mn_forecast_options *)options)->steps, p = m->column_emission.size;
  mn_hmm_view view;
  mn_hmm_graph graph;
  mn_matrix *states, *mean, *std;
  MN_TRY(mn_hmm_view_make(ctx, m, &view));
  MN_TRY(mn_hmm_graph_make(ctx, &view.topology, view.chain, &graph));
  MN_TRY(mn_result_matrix(ctx, results, "states", n, view.k, &states));
  MN_TRY(mn_result_matrix(ctx, results, "mean", n, p, &mean));
  MN_TRY(mn_result_matrix(ctx, results, "std", n, p, &std));
  const size_t nodes = view.topology.nodes;
  double *now = MN_RAW(ctx, double, nodes, 1), *next = MN_RAW(ctx, double, nodes, 1);
  double *work = MN_RAW(ctx, double, view.topology.silent + 1, 1);
  double *state_mean = MN_RAW(ctx, double, view.k, p), *state_variance = MN_RAW(ctx, double, view.k, p);
  if (!now || !next || !work || !state_mean || !state_variance) return MN_NO_MEMORY;
  moments_of_states(&view, state_mean, state_variance);
  MN_TRY(next_nodes(ctx, &view, &graph, data, work, now));
  for (size_t t = 0; t < n; t++) {
    for (size_t i = 0; i < nodes; i++) mn_row(states, t)[graph.state[i]] += now[i];
    forecast_row(&view, mn_row(states, t), state_mean, state_variance, mn_row(mean, t), mn_row(std, t));
    mn_hmm_graph_step(&graph, now, work, next);
    memcpy(now, next, nodes * sizeof *now);
    if (t % 1024 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* --- sample --- */

static mn_status factor_covariances(mn_context *ctx, const mn_hmm_layout *l, const mn_gaussians *g, double **out)
{
  const size_t p = l->g;
  *out = MN_NEW(ctx, double, g->k, p *p);
  MN_CHECK_ALLOC(*out);
  for (size_t c = 0; c < g->k; c++) {
    double *factor = *out + c * p * p;
    if (l->diagonal)
      for (size_t j = 0; j < p; j++) factor[j * (p + 1)] = sqrt(g->covariance[c * p + j]);
    else
      MN_TRY(mn_semidefinite_factor(ctx, p, g->covariance + c * p * p, "a covariance", factor));
  }
  return MN_OK;
}

static void sample_gaussians(const mn_hmm_layout *l, const mn_gaussians *g, const double *factor, size_t state,
                             mn_rng *rng, double *x)
{
  const size_t p = l->g;
  if (p == 0) return;
  const size_t c = state * l->mix + (l->mix > 1 ? mn_random_weighted(rng, g->weight + state * l->mix, l->mix) : 0);
  for (size_t j = 0; j < p; j++) x[l->g_column[j]] = g->mean[c * p + j];
  for (size_t i = 0; i < p; i++) {
    const double e = mn_random_normal(rng);
    for (size_t j = 0; j < p; j++) x[l->g_column[j]] += factor[c * p * p + j * p + i] * e;
  }
}

/* The node after `node`, and its probability array for the first row. */
static mn_status sample_nodes(mn_context *ctx, const mn_hmm_view *view, size_t n, mn_rng *rng, mn_vector *states)
{
  mn_hmm_graph graph;
  const mn_hmm_topology *t = &view->topology;
  MN_TRY(mn_hmm_graph_make(ctx, t, view->chain, &graph));
  double *now = MN_NEW(ctx, double, t->nodes, 1), *next = MN_RAW(ctx, double, t->nodes, 1);
  double *work = MN_RAW(ctx, double, t->silent + 1, 1);
  if (!now || !next || !work) return MN_NO_MEMORY;
  size_t node = mn_hmm_first_node(t, mn_random_weighted(rng, view->chain, view->k));
  for (size_t i = 0; i < n; i++) {
    states->at[i] = graph.state[node] + 1;
    now[node] = 1;
    mn_hmm_graph_step(&graph, now, work, next);
    now[node] = 0;
    node = mn_random_weighted(rng, next, t->nodes);
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

mn_status mn_hmm_sample(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  const mn_hmm_model *m = self;
  const mn_sample_options *o = options;
  const size_t n = (size_t)o->n;
  mn_rng rng = mn_stream(o->seed, 0);
  mn_hmm_view view;
  mn_matrix *x;
  mn_vector *states;
  double *factor = NULL;
  (void)data;
  MN_TRY(mn_hmm_view_make(ctx, m, &view));
  const mn_hmm_layout *l = &view.layout;
  const mn_gaussians g = mn_hmm_gaussians(l, view.emission);
  for (size_t b = 0; b < l->other.blocks; b++)
    if (!l->other.block[b].family->sample)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "HMM: sample is not available for the emission %s",
                     l->other.block[b].family->name);
  if (l->g > 0) MN_TRY(factor_covariances(ctx, l, &g, &factor));
  double *value = MN_RAW(ctx, double, l->p, 1);
  MN_CHECK_ALLOC(value);
  MN_TRY(mn_result_matrix(ctx, results, "X", n, l->p, &x));
  MN_TRY(mn_result_vector(ctx, results, "states", n, &states));
  MN_TRY(sample_nodes(ctx, &view, n, &rng, states));
  for (size_t i = 0; i < n; i++) {
    const size_t s = (size_t)states->at[i] - 1;
    sample_gaussians(l, &g, factor, s, &rng, mn_row(x, i));
    for (size_t b = 0; b < l->other.blocks; b++) {
      const mn_mixture_block *block = l->other.block + b;
      block->family->sample(block, mn_hmm_block(l, view.emission, s, b), &rng, value);
      for (size_t j = 0; j < block->d; j++) mn_row(x, i)[block->column[j]] = value[j];
    }
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}
