/* EM, or the descent of experts_direct.c, from several starts. Each runs until the mean log likelihood of a row
 * hardly increases; the best one continues to convergence (Biernacki, Celeux & Govaert,
 * Comput. Statist. Data Anal. 41 (2003)). The best has the highest likelihood among those with all variances above the
 * lower bound, if there are any, because an expert that fits few rows exactly makes any likelihood high (McLachlan &
 * Peel, Finite Mixture Models (2000), section 3.10). */
#include "../em/em.h"
#include "experts.h"
#include <stdlib.h>
#include <string.h>

static const double early_em_tol = 1e-5, early_descent_tol = 1e-4;

static double early_tol(const mn_experts *m, const mn_experts_problem *p)
{
  return fmax(m->tol, p->labels > 0 ? early_descent_tol : early_em_tol);
}

/* The objective: minus the log likelihood in the units of the data, plus the penalties. */
static mn_status compute_objective(mn_context *ctx, mn_experts_problem *p, const mn_experts_state *s, double *objective)
{
  double loglik;
  MN_TRY(mn_experts_e_step(ctx, p, s, &loglik));
  *objective = p->total * log(p->scale[p->p]) - loglik + mn_experts_penalty(p, s);
  return MN_OK;
}

static mn_status maximize(mn_context *ctx, void *problem, void *state, double *values, bool *degenerate)
{
  (void)values; /* of the state */
  *degenerate = false;
  return mn_experts_m_step(ctx, problem, state);
}

static mn_status expect(mn_context *ctx, void *problem, void *state, const double *values, double *objective)
{
  (void)values;
  return compute_objective(ctx, problem, state, objective);
}

/* EM iterations from the current responsibilities until the gain per row is less than `tol`. */
static mn_status run_em(mn_context *ctx, const mn_experts *m, mn_experts_problem *p, double tol, mn_experts_state *s,
                        mn_report *r)
{
  const mn_em em = { .problem = p,
                     .state_size = mn_experts_state_size(p),
                     .max_iter = m->max_iter,
                     .tol = tol,
                     .scale = p->total,
                     .maximize = maximize,
                     .expect = expect };
  bool degenerate;
  return mn_em_iterate(ctx, &em, s, r->n_iter > 0 ? r->objective : INFINITY, s->b, r, &degenerate);
}

/* Improve s until the gain per row is less than `tol`. */
static mn_status run(mn_context *ctx, const mn_experts *m, mn_experts_problem *p, double tol, mn_experts_state *s,
                     mn_report *r)
{
  if (p->labels == 0) return run_em(ctx, m, p, tol, s, r);
  if (r->n_iter >= m->max_iter) return MN_OK;
  return mn_experts_descend(ctx, p, tol, m->max_iter, s, r);
}

static mn_status init_start(mn_context *ctx, const mn_experts *m, mn_experts_problem *p, int64_t index,
                            mn_experts_state *s)
{
  mn_rng rng = mn_stream(m->seed, (uint64_t)index);
  memset(s->b, 0, p->k * p->width * sizeof *s->b);
  memset(s->v, 0, p->children * (p->p + 1) * sizeof *s->v);
  MN_TRY(mn_experts_init_responsibilities(ctx, m, p, index, &rng));
  return p->labels > 0 ? mn_experts_start_labels(ctx, p, m->max_iter, s) : MN_OK;
}

/* Run all starts; the best goes to `best` and to the report of the model. */
static mn_status choose_start(mn_context *ctx, mn_experts *m, mn_experts_problem *p, mn_experts_state *best)
{
  mn_experts_state s;
  MN_TRY(mn_experts_state_init(ctx, p, &s));
  mn_mark mark = mn_scratch_mark(ctx);
  for (int64_t index = 0; index < m->n_init; index++) {
    mn_report r = { .advice = m->base.report.advice };
    mn_progress_part(ctx, 2 * (size_t)index, 2 * (size_t)m->n_init + 1);
    mn_status status = init_start(ctx, m, p, index, &s);
    mn_progress_part(ctx, 2 * (size_t)index + 1, 2 * (size_t)m->n_init + 1);
    if (status == MN_OK) status = run(ctx, m, p, early_tol(m, p), &s, &r);
    const bool valid = s.floored == 0, best_valid = best->floored == 0, first = index == 0;
    const bool better = status == MN_OK && (first || (valid && !best_valid) ||
                                            (valid == best_valid && r.objective < m->base.report.objective));
    if (better) mn_experts_state_copy(p, &s, best);
    mn_vector_free(mn_context_memory(ctx), better ? &m->base.report.trace : &r.trace);
    if (better) m->base.report = r;
    MN_TRY(status);
    MN_TRY(mn_scratch_recycle(ctx, &mark));
    if (!mn_should_continue(ctx)) break;
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Logistic experts: the scores of each class, or with two classes the log odds of the second. */
static mn_status store_label_experts(mn_context *ctx, mn_experts *m, const mn_experts_problem *p,
                                     const mn_experts_state *s)
{
  const size_t decisions = mn_decisions(&m->base), first = p->q - p->p;
  MN_TRY(mn_matrix_init(ctx, &m->coef, p->k * decisions, p->p));
  MN_TRY(mn_vector_init(ctx, &m->intercept, p->k * decisions));
  for (size_t d = 0; d < p->k * decisions; d++) {
    const double *b = s->b + (decisions == 1 ? 2 * d + 1 : d) * p->q, *reference = decisions == 1 ? b - p->q : NULL;
    double intercept = first > 0 ? b[0] - (reference ? reference[0] : 0) : 0;
    for (size_t j = 0; j < p->p; j++) {
      mn_row(&m->coef, d)[j] = (b[first + j] - (reference ? reference[first + j] : 0)) / p->scale[j];
      intercept -= mn_row(&m->coef, d)[j] * p->center[j];
    }
    m->intercept.at[d] = intercept;
  }
  return MN_OK;
}

static mn_status store_experts(mn_context *ctx, mn_experts *m, const mn_experts_problem *p, const mn_experts_state *s,
                               const size_t *order)
{
  const double unit = p->scale[p->p];
  if (p->labels > 0) return store_label_experts(ctx, m, p, s);
  MN_TRY(mn_matrix_init(ctx, &m->coef, p->k, p->p));
  MN_TRY(mn_vector_init(ctx, &m->intercept, p->k));
  MN_TRY(mn_vector_init(ctx, &m->variance, p->k));
  for (size_t k = 0; k < p->k; k++) {
    const double *b = s->b + order[k] * p->q, *slope = b + (p->q - p->p);
    double intercept = p->q > p->p ? p->center[p->p] + unit * b[0] : 0;
    for (size_t j = 0; j < p->p; j++) {
      mn_row(&m->coef, k)[j] = slope[j] * unit / p->scale[j];
      intercept -= mn_row(&m->coef, k)[j] * p->center[j];
    }
    m->intercept.at[k] = intercept;
    m->variance.at[k] = s->variance[order[k]] * unit * unit;
  }
  return MN_OK;
}

static mn_status store_gates(mn_context *ctx, mn_experts *m, const mn_experts_problem *p, const mn_experts_state *s)
{
  const size_t q = p->p + 1;
  m->branching = (int64_t)p->branching;
  MN_TRY(mn_matrix_init(ctx, &m->gate_coef, p->children, p->p));
  MN_TRY(mn_vector_init(ctx, &m->gate_intercept, p->children));
  for (size_t c = 0; c < p->children; c++) {
    double intercept = s->v[c * q];
    for (size_t j = 0; j < p->p; j++) {
      mn_row(&m->gate_coef, c)[j] = s->v[c * q + 1 + j] / p->scale[j];
      intercept -= mn_row(&m->gate_coef, c)[j] * p->center[j];
    }
    m->gate_intercept.at[c] = intercept;
  }
  return MN_OK;
}

static void count_parameters(mn_experts *m, const mn_experts_problem *p, const mn_experts_state *s)
{
  const int64_t variances = p->labels > 0 ? 0 : m->equal_variance ? 1 : (int64_t)p->k;
  const int64_t gates = p->children > 0 ? (int64_t)(p->nodes * (p->branching - 1)) * p->gate_rank : (int64_t)p->k - 1;
  m->n_parameters = p->expert_rank + variances + gates;
  m->loglik = mn_experts_penalty(p, s) - m->base.report.objective;
  m->aic = 2 * (double)m->n_parameters - 2 * m->loglik;
  m->bic = log(p->total) * (double)m->n_parameters - 2 * m->loglik;
}

struct ranked {
  double weight;
  size_t expert;
};

static int compare_weights(const void *a, const void *b)
{
  const struct ranked *x = a, *y = b;
  if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
  return x->expert < y->expert ? -1 : 1;
}

/* Without gates, order components by decreasing weight, so that two fits can be compared. */
static mn_status find_order(mn_context *ctx, const mn_experts_problem *p, const mn_experts_state *s, size_t **order)
{
  struct ranked *list = MN_RAW(ctx, struct ranked, p->k, 1);
  *order = MN_RAW(ctx, size_t, p->k, 1);
  if (!list || !*order) return MN_NO_MEMORY;
  for (size_t k = 0; k < p->k; k++) list[k] = (struct ranked){ .weight = s->weight[k], .expert = k };
  if (p->children == 0) qsort(list, p->k, sizeof *list, compare_weights);
  for (size_t k = 0; k < p->k; k++) (*order)[k] = list[k].expert;
  return MN_OK;
}

static mn_status store_model(mn_context *ctx, mn_experts *m, const mn_experts_problem *p, const mn_experts_state *s)
{
  size_t *order;
  MN_TRY(find_order(ctx, p, s, &order));
  MN_TRY(store_experts(ctx, m, p, s, order));
  if (p->children > 0)
    MN_TRY(store_gates(ctx, m, p, s));
  else
    MN_TRY(mn_vector_init(ctx, &m->weights, p->k));
  for (size_t k = 0; k < m->weights.size; k++) m->weights.at[k] = s->weight[order[k]];
  MN_TRY(mn_matrix_init(ctx, &m->responsibilities, p->n, p->k));
  for (size_t i = 0; i < p->n; i++)
    for (size_t k = 0; k < p->k; k++) mn_row(&m->responsibilities, i)[k] = p->r[i * p->k + order[k]];
  count_parameters(m, p, s);
  return MN_OK;
}

mn_status mn_experts_fit(mn_context *ctx, mn_experts *m, const mn_data *data, size_t size, size_t branching,
                         size_t children)
{
  mn_experts_problem p = { .k = size, .branching = branching, .children = children };
  p.labels = data->code ? data->classes : 0;
  p.nodes = branching > 0 ? children / branching : 0;
  mn_experts_state s;
  double objective;
  m->base.report.advice =
      p.labels > 0 ? "increase max_iter or tol" : "increase max_iter or tol; EM is slow if experts overlap";
  MN_TRY(mn_experts_prepare(ctx, m, data, &p));
  MN_TRY(mn_experts_state_init(ctx, &p, &s));
  MN_TRY(choose_start(ctx, m, &p, &s));
  MN_TRY(compute_objective(ctx, &p, &s, &objective)); /* responsibilities of the best start */
  const bool finished = m->tol >= early_tol(m, &p) && m->base.report.converged;
  if (mn_should_continue(ctx) && !finished) {
    mn_progress_part(ctx, 2 * (size_t)m->n_init, 2 * (size_t)m->n_init + 1);
    MN_TRY(run(ctx, m, &p, m->tol, &s, &m->base.report));
    MN_TRY(compute_objective(ctx, &p, &s, &objective));
  }
  return store_model(ctx, m, &p, &s);
}

/* Count the children and leaves of a tree of depth `levels`. Returns false if there are more than max_leaves leaves. */
static bool count_tree(size_t branching, size_t levels, size_t max_leaves, size_t *children, size_t *leaves)
{
  *children = 0;
  *leaves = 1;
  for (size_t level = 0; level < levels; level++) {
    if (*leaves > max_leaves / branching) return false;
    *leaves *= branching;
    *children += *leaves;
  }
  return true;
}

mn_status mn_experts_fit_tree(mn_context *ctx, void *self, const mn_data *data)
{
  mn_experts *m = self;
  size_t children, leaves;
  if (count_tree((size_t)m->n_experts, (size_t)m->levels, data->rows, &children, &leaves))
    return mn_experts_fit(ctx, m, data, leaves, (size_t)m->n_experts, children);
  return mn_fail(ctx, MN_BAD_ARGUMENT,
                 "%s: n_experts ^ levels must be at most the number of rows, %zu, got %lld ^ %lld", m->base.class->name,
                 data->rows, (long long)m->n_experts, (long long)m->levels);
}
