/* Fit of hidden Markov models: the Baum-Welch algorithm, which is EM with the expected counts of forward-backward.
 *
 * Baum, Petrie, Soules & Weiss, Ann. Math. Statist. 41 (1970). */
#include "hmm_fit.h"
#include <stdlib.h>
#include <string.h>

enum { SMALL_PROBLEM = 1 << 20 };

mn_hmm_view mn_hmm_view_of(const mn_hmm_problem *f, const double *state)
{
  return (mn_hmm_view){ .m = f->m,
                        .k = f->k,
                        .topology = f->topology,
                        .layout = f->layout,
                        .chain = state,
                        .emission = state ? (double *)(uintptr_t)state + f->topology.size : NULL };
}

/* --- EM --- */

mn_status mn_hmm_maximize(mn_context *ctx, void *problem, void *workspace, double *state, bool *degenerate)
{
  const mn_hmm_problem *f = problem;
  double *sums = workspace;
  MN_TRY(mn_hmm_maximize_chain(ctx, f->m, &f->topology, f->pattern, sums + 1, state));
  return mn_hmm_maximize_emissions(ctx, &f->layout, sums + 1 + f->topology.size, state + f->topology.size, degenerate);
}

mn_status mn_hmm_expect(mn_context *ctx, void *problem, void *workspace, const double *state, double *objective)
{
  const mn_hmm_problem *f = problem;
  const mn_hmm_view view = mn_hmm_view_of(f, state);
  double loglik;
  size_t impossible;
  const mn_hmm_pass pass = {
    .view = &view, .data = &f->rows, .sums = workspace, .loglik = &loglik, .impossible = &impossible
  };
  MN_TRY(mn_hmm_run_pass(ctx, &pass));
  if (impossible != SIZE_MAX) return mn_hmm_fail_impossible(ctx, f->m, f->data, impossible);
  *objective = -(loglik + mn_hmm_log_prior(&view, f->pattern));
  return MN_OK;
}

static mn_status make_workspace(mn_context *ctx, void *problem, void **out)
{
  const mn_hmm_view view = mn_hmm_view_of(problem, NULL);
  *out = MN_RAW(ctx, double, mn_hmm_sums_size(&view), 1);
  return *out ? MN_OK : MN_NO_MEMORY;
}

static mn_status fail(mn_context *ctx, void *problem, size_t index)
{
  (void)problem, (void)index;
  return mn_fail(ctx, MN_SINGULAR,
                 "HMM: the covariance of a state is singular; increase reg_covar, or reduce n_states or the parameters "
                 "of covariance_type");
}

/* --- the problem --- */

static mn_status count_states(mn_context *ctx, const mn_hmm_model *m, const mn_data *data, size_t *k)
{
  enum { DEFAULT = 2 };
  *k = m->n_states != MN_UNSET ? (size_t)m->n_states : data->code ? data->classes : DEFAULT;
  if (data->code && *k != data->classes)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "HMM: n_states is %zu, but y has %zu states; leave out n_states", *k,
                   data->classes);
  if (*k > data->rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "HMM: n_states must be at most the number of rows, %zu, got %zu", data->rows,
                   *k);
  if (m->max_duration == MN_UNSET) return MN_OK;
  if (*k < 2) return mn_fail(ctx, MN_BAD_ARGUMENT, "HMM: max_duration requires n_states of at least 2");
  return MN_OK;
}

static mn_status prepare(mn_context *ctx, mn_hmm_model *m, const mn_data *data, mn_hmm_problem *f)
{
  *f = (mn_hmm_problem){ .m = m, .data = data, .label = data->code };
  MN_TRY(count_states(ctx, m, data, &f->k));
  f->topology = mn_hmm_make_topology(f->k, (size_t)m->order, m->max_duration == MN_UNSET ? 0 : (size_t)m->max_duration);
  MN_CHECK_ALLOC(f->pattern = MN_RAW(ctx, double, f->topology.rows, f->k));
  MN_TRY(mn_hmm_pattern(ctx, m, &f->topology, f->pattern));
  MN_TRY(mn_mixture_choose_families(ctx, "HMM: emission", &m->emission.name, data, &m->column_emission,
                                    &m->column_levels));
  MN_TRY(mn_hmm_make_layout(ctx, f->k, (size_t)m->n_mix, m->covariance_type, m->reg_covar, m->emission_prior,
                            &m->column_emission, &m->column_levels, &f->layout));
  f->layout.pseudocounts = m->emission_pseudocounts.at;
  MN_TRY(mn_mixture_check_values(ctx, &f->layout.other, data));
  if (m->n_mix > 1 && f->layout.g == 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "HMM: n_mix > 1 requires columns whose emission is gaussian");
  MN_TRY(mn_hmm_data_make(ctx, &f->layout, data, f->label, &f->rows));
  MN_TRY(mn_hmm_prepare_start(ctx, f));
  return mn_hmm_check_given(ctx, f);
}

/* --- the fitted model --- */

static mn_status store_gaussians(mn_context *ctx, mn_hmm_model *m, const mn_hmm_problem *f, const double *emission)
{
  const mn_hmm_layout *l = &f->layout;
  if (l->g == 0) return MN_OK;
  const mn_gaussians g = mn_hmm_gaussians(l, emission);
  MN_TRY(mn_matrix_init(ctx, &m->mix_weights, f->k, l->mix));
  MN_TRY(mn_matrix_init(ctx, &m->means, g.k, l->g));
  MN_TRY(mn_matrix_init(ctx, &m->covariances, g.k * g.width / l->g, l->g));
  memcpy(m->mix_weights.at, g.weight, g.k * sizeof *g.weight);
  memcpy(m->means.at, g.mean, g.k * l->g * sizeof *g.mean);
  memcpy(m->covariances.at, g.covariance, g.k * g.width * sizeof *g.covariance);
  m->n_parameters += (int64_t)(g.k * l->g + f->k * (l->mix - 1)) + mn_covariance_parameters(l->model, g.k, l->g);
  return MN_OK;
}

/* Levels that occur. */
static mn_status count_levels(mn_context *ctx, const mn_hmm_problem *f, size_t block, int64_t *out)
{
  const size_t levels = f->layout.other.block[block].levels;
  bool *seen = MN_NEW(ctx, bool, levels + 2, 1);
  MN_CHECK_ALLOC(seen);
  *out = 0;
  for (size_t i = 0; i < f->data->rows; i++) seen[f->rows.code[block][i]] = true;
  for (size_t i = 0; i < levels; i++) *out += seen[i];
  return MN_OK;
}

static mn_status store_others(mn_context *ctx, mn_hmm_model *m, const mn_hmm_problem *f, const double *emission)
{
  const mn_hmm_layout *l = &f->layout;
  size_t at = 0;
  if (l->other.blocks == 0) return MN_OK;
  MN_TRY(mn_matrix_init(ctx, &m->emission_parameters, f->k, l->other.shown));
  for (size_t b = 0; b < l->other.blocks; at += l->other.block[b].shown, b++) {
    int64_t free_ones = l->other.block[b].family->free_parameters(l->other.block + b);
    for (size_t s = 0; s < f->k; s++)
      memcpy(mn_row(&m->emission_parameters, s) + at, mn_hmm_block(l, emission, s, b),
             l->other.block[b].shown * sizeof *emission);
    if (l->other.block[b].levels > 0) {
      MN_TRY(count_levels(ctx, f, b, &free_ones));
      free_ones = free_ones > 1 ? free_ones - 1 : 0;
    }
    m->n_parameters += (int64_t)f->k * free_ones;
  }
  return MN_OK;
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Tied probabilities: groups, less one for each different sum of groups that must be 1. `sorted`: rows x k. */
static int64_t count_tied(size_t rows, size_t k, const double *pattern, double *sorted)
{
  int64_t n = 0;
  for (size_t i = 0; i < rows * k; i++) {
    bool seen = !(pattern[i] > 0);
    for (size_t h = 0; !seen && h < i; h++) seen = compare(pattern + h, pattern + i) == 0;
    n += !seen;
  }
  memcpy(sorted, pattern, rows * k * sizeof *sorted);
  for (size_t i = 0; i < rows; i++) {
    qsort(sorted + i * k, k, sizeof *sorted, compare);
    bool seen = !(sorted[i * k + k - 1] > 0);
    for (size_t h = 0; !seen && h < i; h++) seen = memcmp(sorted + h * k, sorted + i * k, k * sizeof *sorted) == 0;
    n -= !seen;
  }
  return n;
}

/* Free probabilities: of each row one less than what is allowed. */
static int64_t count_chain(const mn_hmm_model *m, const mn_hmm_topology *t, const double *pattern, double *sorted)
{
  const size_t k = t->k;
  int64_t n = m->topology == MN_HMM_LEFT_RIGHT ? 0 : (int64_t)k - 1;
  for (size_t r = 0; !m->tied.at && r < t->rows; r++) {
    int64_t allowed = 0;
    for (size_t j = 0; j < k; j++) allowed += pattern[r * k + j] > 0;
    n += allowed > 0 ? allowed - 1 : 0;
  }
  if (m->tied.at) n += count_tied(t->rows, k, pattern, sorted);
  return n + (int64_t)(k * t->durations);
}

static mn_status store_chain(mn_context *ctx, mn_hmm_model *m, const mn_hmm_problem *f, const double *state)
{
  const mn_hmm_topology *t = &f->topology;
  const double *exits = mn_hmm_exits(t, state);
  MN_TRY(mn_vector_init(ctx, &m->startprob, f->k));
  MN_TRY(mn_matrix_init(ctx, &m->transmat, t->rows, f->k));
  memcpy(m->startprob.at, state, f->k * sizeof *state);
  memcpy(m->transmat.at, mn_hmm_transitions(t, state), t->rows * f->k * sizeof *state);
  if (t->durations > 0) MN_TRY(mn_matrix_init(ctx, &m->exit, f->k, t->durations));
  for (size_t i = 0; i < f->k * t->durations; i++) m->exit.at[i] = exits[2 * i];
  double *sorted = MN_RAW(ctx, double, t->rows, f->k);
  MN_CHECK_ALLOC(sorted);
  m->n_parameters = count_chain(m, t, f->pattern, sorted);
  return MN_OK;
}

/* The likelihood without labels, and where the chain is after the last row. */
static mn_status finish(mn_context *ctx, mn_hmm_model *m, const mn_hmm_problem *f, const double *state)
{
  const mn_hmm_view view = mn_hmm_view_of(f, state);
  mn_hmm_data rows = f->rows;
  mn_hmm_graph graph;
  size_t impossible;
  rows.label = NULL;
  double *last = MN_NEW(ctx, double, f->topology.nodes, 1), *work = MN_RAW(ctx, double, f->topology.silent + 1, 1);
  if (!last || !work) return MN_NO_MEMORY;
  const mn_hmm_pass pass = {
    .view = &view, .data = &rows, .loglik = &m->loglik, .last = last, .impossible = &impossible
  };
  MN_TRY(mn_hmm_run_pass(ctx, &pass));
  if (impossible != SIZE_MAX) return mn_hmm_fail_impossible(ctx, m, f->data, impossible);
  MN_TRY(mn_hmm_graph_make(ctx, &f->topology, state, &graph));
  MN_TRY(mn_vector_init(ctx, &m->next_nodes, f->topology.nodes));
  MN_TRY(mn_vector_init(ctx, &m->state_probabilities, f->k));
  mn_hmm_graph_step(&graph, last, work, m->next_nodes.at);
  for (size_t i = 0; i < f->topology.nodes; i++) m->state_probabilities.at[mn_hmm_state_of(&f->topology, i)] += last[i];
  m->aic = 2 * (double)m->n_parameters - 2 * m->loglik;
  m->bic = log((double)f->data->rows) * (double)m->n_parameters - 2 * m->loglik;
  return MN_OK;
}

/* The start as the model. */
static mn_status adopt(mn_context *ctx, mn_hmm_model *m, mn_hmm_problem *f, double *state)
{
  void *sums;
  double objective;
  if (!mn_hmm_is_given(f))
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "HMM: learn = false requires startprob_init, transmat_init, and means_init with covariances_init or "
                   "emission_init for the columns");
  MN_TRY(make_workspace(ctx, f, &sums));
  MN_TRY(mn_hmm_start(ctx, f, sums, 0, state, &objective));
  m->base.report.converged = true;
  return mn_record_round(ctx, &m->base.report, objective) ? MN_OK : MN_NO_MEMORY;
}

mn_status mn_hmm_fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_hmm_model *m = self;
  mn_hmm_problem f;
  MN_TRY(prepare(ctx, m, data, &f));
  const mn_em em = { .problem = &f,
                     .state_size = f.topology.size + f.layout.size,
                     .starts = f.label ? 1 : (size_t)m->n_init,
                     .starts_in_threads = data->rows * f.k * (f.k + f.layout.p) < SMALL_PROBLEM,
                     .max_iter = m->max_iter,
                     .tol = m->tol,
                     .scale = (double)data->rows,
                     .advice = "increase max_iter or tol; EM is slow if states overlap",
                     .make_workspace = make_workspace,
                     .start = mn_hmm_start,
                     .maximize = mn_hmm_maximize,
                     .expect = mn_hmm_expect,
                     .fail = fail };
  double *state = MN_RAW(ctx, double, em.state_size, 1);
  MN_CHECK_ALLOC(state);
  MN_TRY(m->learn ? mn_em_fit(ctx, &em, state, &m->base.report) : adopt(ctx, m, &f, state));
  m->covariance_model = (int64_t)f.layout.model;
  MN_TRY(store_chain(ctx, m, &f, state));
  MN_TRY(store_gaussians(ctx, m, &f, state + f.topology.size));
  MN_TRY(store_others(ctx, m, &f, state + f.topology.size));
  return finish(ctx, m, &f, state);
}
