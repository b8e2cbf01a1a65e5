#include "learning.h"
#include "../core/threads.h"
#include "../optim/lbfgs.h"
#include "local_search.h"
#include "sampling.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Equal rows that lack states. */
struct row_group {
  const int32_t *state;
  size_t variables, count;
};

struct learner {
  mn_context *ctx;
  mn_factor_graph g; /* its table is what is being learned */
  const mn_factor_graph *first;
  size_t tables;
  const mn_states *data;
  const mn_learning *o;
  mn_incidence at;
  mn_junction_tree tree;
  double *moments; /* share of rows that use each element, of the rows that have all states */
  struct row_group *incomplete;
  size_t groups; /* of them */
  double *work;  /* of the largest factor; of the largest number of states for each worker */
  size_t most;   /* states */
  /* pseudo-likelihood by blocks of rows */
  mn_blocks blocks;
  double *parts, *value;
  /* L-BFGS over the elements that are learned */
  size_t frees, *free;
  double *table, *gradient;
  mn_status status;
};

static size_t element(const mn_factor_graph *g, size_t f, const int32_t *state)
{
  size_t index = 0;
  for (size_t i = g->scope_start[f]; i < g->scope_start[f + 1]; i++)
    index = index * g->card[g->scope[i]] + (size_t)state[g->scope[i]];
  return g->table_start[f] + index;
}

/* sum[element] += weight for all elements that a state uses. */
static void add_elements(const mn_factor_graph *g, const int32_t *state, double weight, double *sum)
{
  for (size_t f = 0; f < g->factors; f++) sum[element(g, f, state)] += weight;
}

static bool is_complete(const int32_t *state, size_t variables)
{
  for (size_t v = 0; v < variables; v++)
    if (state[v] == MN_FREE) return false;
  return true;
}

static int compare_rows(const void *a, const void *b)
{
  const struct row_group *x = a, *y = b;
  for (size_t v = 0; v < x->variables; v++)
    if (x->state[v] != y->state[v]) return x->state[v] < y->state[v] ? -1 : 1;
  return 0;
}

/* Count the elements of complete rows, and group the others. */
static mn_status count_rows(struct learner *l)
{
  const size_t n = l->g.variables, rows = l->data->rows;
  size_t found = 0;
  MN_CHECK_ALLOC(l->incomplete = MN_RAW(l->ctx, struct row_group, rows + 1, 1));
  for (size_t i = 0; i < rows; i++) {
    const int32_t *state = l->data->at + i * n;
    if (is_complete(state, n))
      add_elements(&l->g, state, 1 / (double)rows, l->moments);
    else
      l->incomplete[found++] = (struct row_group){ state, n, 1 };
  }
  qsort(l->incomplete, found, sizeof *l->incomplete, compare_rows);
  for (size_t i = 0; i < found; i++) {
    struct row_group *last = l->incomplete + (l->groups > 0 ? l->groups - 1 : 0);
    if (l->groups > 0 && compare_rows(last, &l->incomplete[i]) == 0)
      last->count++;
    else
      l->incomplete[l->groups++] = l->incomplete[i];
  }
  return MN_OK;
}

static mn_status begin(mn_context *ctx, const mn_factor_graph *g, size_t tables, const mn_states *data,
                       const mn_learning *o, struct learner *l)
{
  size_t largest = 1;
  *l = (struct learner){ .ctx = ctx, .g = *g, .first = g, .tables = tables, .data = data, .o = o, .most = 1 };
  for (size_t f = 0; f < g->factors; f++) largest = mn_factor_size(g, f) > largest ? mn_factor_size(g, f) : largest;
  for (size_t v = 0; v < g->variables; v++) l->most = g->card[v] > l->most ? g->card[v] : l->most;
  l->moments = MN_NEW(ctx, double, tables + 1, 1);
  l->work = MN_RAW(ctx, double, largest, 1);
  if (!l->moments || !l->work) return MN_NO_MEMORY;
  MN_TRY(count_rows(l));
  MN_TRY(mn_factor_graph_incidence(ctx, g, &l->at));
  if (o->method == MN_LEARN_PSEUDO_LIKELIHOOD) {
    l->blocks = mn_make_blocks(data->rows, 32, 32);
    l->parts = MN_RAW(ctx, double, l->blocks.count + 1, tables + 1);
    l->value = MN_RAW(ctx, double, mn_threads(ctx) + 1, l->most);
    return l->parts && l->value ? MN_OK : MN_NO_MEMORY;
  }
  if (o->method == MN_LEARN_MOMENT_MATCHING && !o->by_messages)
    return mn_junction_tree_plan(ctx, o->who, NULL, &l->g, NULL, MN_ELIMINATION_AUTO, o->limit, &l->tree);
  return MN_OK;
}

/* An element that is not learned: fixed, or 0. */
static bool is_kept(const struct learner *l, size_t k)
{
  return mn_is_log_zero(l->first->table[k]) || (l->o->fixed && l->o->fixed[k]);
}

/* --- moment matching --- */

/* gradient += weight times the probabilities of the elements. */
static mn_status add_marginals(struct learner *l, mn_messages *m, double weight, double *gradient)
{
  const mn_factor_graph *g = &l->g;
  for (size_t f = 0; f < g->factors; f++) {
    MN_TRY(m ? mn_messages_factor_marginal(l->ctx, m, f, l->work)
             : mn_junction_tree_factor_marginal(l->ctx, &l->tree, f, l->work));
    for (size_t k = 0; k < mn_factor_size(g, f); k++) gradient[g->table_start[f] + k] += weight * l->work[k];
  }
  return MN_OK;
}

/* log of the sum over the states that agree with `evidence`, and weight times its gradient. */
static mn_status add_exact(struct learner *l, const int32_t *evidence, double weight, double *total, double *gradient)
{
  MN_TRY(mn_junction_tree_collect(l->ctx, &l->tree, evidence, total));
  MN_TRY(mn_junction_tree_distribute(l->ctx, &l->tree));
  return add_marginals(l, NULL, weight, gradient);
}

/* The mean over rows of log p(states that the row has) = log Z(given these) - log Z. */
static mn_status moments(struct learner *l, double *objective, double *gradient)
{
  const mn_factor_graph *g = &l->g;
  double total = 0, score = 0;
  for (size_t k = 0; k < l->tables; k++) {
    gradient[k] = l->moments[k];
    if (l->moments[k] > 0) score += l->moments[k] * g->table[k];
  }
  for (size_t i = 0; i < l->groups; i++) {
    const double weight = (double)l->incomplete[i].count / (double)l->data->rows;
    MN_TRY(add_exact(l, l->incomplete[i].state, weight, &total, gradient));
    score += weight * total;
    MN_TRY(mn_poll(l->ctx));
  }
  if (l->o->by_messages) {
    const mn_message_options options = { .damping = 0.2, .tol = 1e-8, .max_iter = 2000 };
    mn_messages m;
    MN_TRY(mn_messages_run(l->ctx, g, NULL, &options, &m));
    MN_TRY(mn_messages_log_partition(l->ctx, &m, &total));
    MN_TRY(add_marginals(l, &m, -1, gradient));
  } else
    MN_TRY(add_exact(l, NULL, -1, &total, gradient));
  *objective = score - total;
  return MN_OK;
}

/* --- pseudo-likelihood --- */

/* log p(x_v | others), and its gradient. */
static double add_conditional(const struct learner *l, int32_t *state, size_t v, double *p, double *gradient)
{
  const mn_factor_graph *g = &l->g;
  const size_t card = g->card[v];
  const int32_t own = state[v];
  double most, sum = 0;
  mn_conditional(g, &l->at, state, v, p);
  most = p[0];
  for (size_t s = 1; s < card; s++) most = fmax(most, p[s]);
  const double value = p[own] - most;
  for (size_t s = 0; s < card; s++) sum += p[s] = exp(p[s] - most);
  for (size_t k = l->at.start[v]; k < l->at.start[v + 1]; k++)
    for (size_t s = 0; s < card; s++) {
      state[v] = (int32_t)s;
      gradient[element(g, l->at.factor[k], state)] += (s == (size_t)own) - p[s] / sum;
    }
  state[v] = own;
  return value - log(sum);
}

static void run_rows(void *work, size_t block, size_t worker)
{
  struct learner *l = work;
  const size_t n = l->g.variables;
  double *part = l->parts + block * (l->tables + 1), *p = l->value + worker * l->most;
  memset(part, 0, (l->tables + 1) * sizeof *part);
  for (size_t i = mn_block_begin(&l->blocks, block); i < mn_block_end(&l->blocks, block); i++)
    for (size_t v = 0; v < n; v++) part[l->tables] += add_conditional(l, l->data->at + i * n, v, p, part);
}

static mn_status pseudo_likelihood(struct learner *l, double *objective, double *gradient)
{
  const double rows = (double)l->data->rows;
  double *sum = MN_RAW(l->ctx, double, l->tables + 1, 1);
  MN_CHECK_ALLOC(sum);
  MN_TRY(mn_parallel(l->ctx, l->blocks.count, run_rows, l));
  mn_sum_blocks(l->blocks.count, l->tables + 1, l->parts, sum);
  for (size_t k = 0; k < l->tables; k++) gradient[k] = sum[k] / rows;
  *objective = sum[l->tables] / rows;
  return MN_OK;
}

/* --- optimization --- */

static mn_status evaluate(struct learner *l, double *objective, double *gradient)
{
  const mn_mark mark = mn_scratch_mark(l->ctx);
  MN_TRY(l->o->method == MN_LEARN_PSEUDO_LIKELIHOOD ? pseudo_likelihood(l, objective, gradient)
                                                    : moments(l, objective, gradient));
  mn_scratch_release(l->ctx, mark);
  for (size_t k = 0; k < l->tables; k++)
    if (is_kept(l, k)) gradient[k] = 0;
  return MN_OK;
}

/* The tables of the junction tree are kept from one evaluation to the next. */
static mn_status first_run(struct learner *l)
{
  double total;
  if (l->o->method != MN_LEARN_MOMENT_MATCHING || l->o->by_messages) return MN_OK;
  return mn_junction_tree_collect(l->ctx, &l->tree, NULL, &total);
}

/* x: the free elements of the tables. */
static double objective_of(void *problem, const double *x, double *gradient)
{
  struct learner *l = problem;
  double value = 0;
  for (size_t k = 0; k < l->frees; k++) l->table[l->free[k]] = x[k];
  l->g.table = l->table;
  l->status = evaluate(l, &value, l->gradient);
  value = -value;
  for (size_t k = 0; k < l->frees; k++) {
    value += l->o->l2 / 2 * x[k] * x[k];
    gradient[k] = l->status == MN_OK ? l->o->l2 * x[k] - l->gradient[l->free[k]] : 0;
  }
  return value;
}

static mn_status by_lbfgs(struct learner *l, double *table, mn_learning_report *report)
{
  const mn_lbfgs_options options = { .max_iter = l->o->max_iter,
                                     .gradient_tolerance = 1e-8,
                                     .objective_tolerance = l->o->tol };
  mn_lbfgs_report done;
  double *x = MN_RAW(l->ctx, double, l->tables + 1, 1);
  l->gradient = MN_RAW(l->ctx, double, l->tables + 1, 1);
  l->free = MN_RAW(l->ctx, size_t, l->tables + 1, 1);
  if (!x || !l->gradient || !l->free) return MN_NO_MEMORY;
  l->table = table;
  for (size_t k = 0; k < l->tables; k++)
    if (!is_kept(l, k)) l->free[l->frees++] = k;
  for (size_t k = 0; k < l->frees; k++) x[k] = table[l->free[k]];
  const mn_status status = mn_lbfgs(l->ctx, l->frees, x, objective_of, l, &options, &done);
  MN_TRY(l->status);
  MN_TRY(status);
  for (size_t k = 0; k < l->frees; k++) table[l->free[k]] = x[k];
  l->g.table = table;
  MN_TRY(evaluate(l, &report->objective, l->gradient));
  report->n_iter = done.n_iter;
  report->converged = done.converged;
  return MN_OK;
}

/* --- contrastive divergence --- */

/* One step on rows begin .. end - 1; `chain` has their states, or goes on from the last step. */
static void step(struct learner *l, size_t pass, size_t begin_row, size_t end, int32_t *chain, double *gradient,
                 double rate, double *table)
{
  const mn_factor_graph *g = &l->g;
  const size_t n = g->variables, count = end - begin_row;
  memset(gradient, 0, l->tables * sizeof *gradient);
  for (size_t i = begin_row; i < end; i++) {
    const int32_t *row = l->data->at + i * n;
    int32_t *state = chain + (l->o->persistent ? i : 0) * n;
    mn_rng rng = mn_stream(l->o->seed, pass * l->data->rows + i);
    if (!l->o->persistent) memcpy(state, row, n * sizeof *state);
    for (size_t k = 0; k < l->o->sweeps; k++) mn_gibbs_states(g, &l->at, NULL, 1, &rng, state, l->work);
    add_elements(g, row, 1 / (double)count, gradient);
    add_elements(g, state, -1 / (double)count, gradient);
  }
  for (size_t k = 0; k < l->tables; k++)
    if (!is_kept(l, k)) table[k] += rate * (gradient[k] - l->o->l2 * table[k]);
}

/* The result is the mean over the second half of the passes. */
static mn_status by_divergence(struct learner *l, double *table, mn_learning_report *report)
{
  const size_t rows = l->data->rows, n = l->g.variables, batch = l->o->batch < rows ? l->o->batch : rows;
  double *gradient = MN_RAW(l->ctx, double, l->tables + 1, 1), *mean = MN_NEW(l->ctx, double, l->tables + 1, 1);
  int32_t *chain = MN_RAW(l->ctx, int32_t, rows + 1, n + 1);
  l->work = MN_RAW(l->ctx, double, l->most, 1);
  if (!gradient || !mean || !chain || !l->work) return MN_NO_MEMORY;
  memcpy(chain, l->data->at, rows * n * sizeof *chain);
  l->g.table = table;
  size_t averaged = 0;
  for (size_t pass = 0; pass < l->o->max_iter; pass++) {
    const double rate = l->o->rate / (1 + 10 * (double)pass / (double)l->o->max_iter);
    for (size_t i = 0; i < rows; i += batch) {
      step(l, pass, i, rows - i < batch ? rows : i + batch, chain, gradient, rate, table);
      MN_TRY(mn_poll(l->ctx));
    }
    report->n_iter++;
    if (2 * pass >= l->o->max_iter) {
      averaged++;
      for (size_t k = 0; k < l->tables; k++) mean[k] += (table[k] - mean[k]) / (double)averaged;
    }
    if (!mn_report_progress(l->ctx, (double)pass + 1, (double)l->o->max_iter, (double)NAN)) break;
  }
  if (mn_cancelled(l->ctx)) return MN_CANCELLED;
  for (size_t k = 0; k < l->tables && averaged > 0; k++)
    if (!is_kept(l, k)) table[k] = mean[k];
  report->objective = (double)NAN;
  report->converged = true;
  return MN_OK;
}

mn_status mn_learning_gradient(mn_context *ctx, const mn_factor_graph *g, size_t tables, const mn_states *data,
                               const mn_learning *options, double *objective, double *gradient)
{
  struct learner l;
  MN_TRY(begin(ctx, g, tables, data, options, &l));
  MN_TRY(first_run(&l));
  return evaluate(&l, objective, gradient);
}

mn_status mn_learn_tables(mn_context *ctx, const mn_factor_graph *g, size_t tables, const mn_states *data,
                          const mn_learning *options, double *table, mn_learning_report *report)
{
  struct learner l;
  *report = (mn_learning_report){ 0 };
  MN_TRY(begin(ctx, g, tables, data, options, &l));
  MN_TRY(first_run(&l));
  memcpy(table, g->table, tables * sizeof *table);
  return options->method == MN_LEARN_CONTRASTIVE_DIVERGENCE ? by_divergence(&l, table, report)
                                                            : by_lbfgs(&l, table, report);
}
