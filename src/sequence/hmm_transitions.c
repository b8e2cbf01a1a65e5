/* Transitions: which are allowed or share a probability, and the M step of the chain. */
#include "../factorization/lapack.h"
#include "hmm.h"
#include <string.h>

/* --- patterns --- */

static mn_status check_table(mn_context *ctx, const char *name, const mn_matrix *a, size_t rows, size_t k)
{
  if (!a->at || (a->rows == rows && a->cols == k)) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "HMM: %s must be %zu x %zu, got %zu x %zu", name, rows, k, a->rows, a->cols);
}

static bool is_allowed(const mn_hmm_model *m, size_t k, size_t i, size_t j)
{
  if (m->topology == MN_HMM_LEFT_RIGHT && j < i) return false;
  if (m->max_duration != MN_UNSET && i == j) return false;
  return !m->allowed.at || m->allowed.at[i * k + j] > 0;
}

/* Whether no row leads here: with durations, stays of one state after another. */
static bool is_unreachable(const mn_hmm_topology *t, size_t r)
{
  return t->durations > 0 && r >= t->k && (r - t->k) / t->k == r % t->k;
}

mn_status mn_hmm_pattern(mn_context *ctx, const mn_hmm_model *m, const mn_hmm_topology *t, double *pattern)
{
  const size_t k = t->k;
  MN_TRY(check_table(ctx, "allowed", &m->allowed, k, k));
  MN_TRY(check_table(ctx, "tied", &m->tied, t->rows, k));
  double own = 0;
  for (size_t i = 0; m->tied.at && i < t->rows * k; i++) own = fmax(own, m->tied.at[i]);
  for (size_t r = 0; r < t->rows; r++) {
    const size_t state = r % k;
    bool any = false;
    for (size_t j = 0; j < k; j++) {
      const double group = m->tied.at ? m->tied.at[r * k + j] : 0;
      const bool allowed = is_allowed(m, k, state, j);
      pattern[r * k + j] = !allowed || is_unreachable(t, r) ? 0 : group > 0 ? group : (own += 1);
      any = any || allowed;
    }
    if (!any && !(m->topology == MN_HMM_LEFT_RIGHT && m->max_duration != MN_UNSET && state + 1 == k))
      return mn_fail(ctx, MN_BAD_ARGUMENT,
                     "HMM: the transitions from state %zu sum to zero: allowed forbids all of them", state + 1);
  }
  return MN_OK;
}

/* --- tied transitions ---
 *
 * maximize sum_g N_g log theta_g with sum_g m_ig theta_g = 1 for each row i, which has group g m_ig times. Then
 * theta_g = N_g / sum_i lambda_i m_ig, where lambda minimizes sum_i lambda_i - sum_g N_g log sum_i lambda_i m_ig: by
 * Newton's method. */

struct ties {
  size_t rows, k, groups; /* rows: those with a transition that may share its probability */
  size_t *row;            /* rows: their numbers                                        */
  int32_t *group;         /* rows x k: 0.., or -1                                       */
  double *n, *times;      /* groups; rows x groups                                      */
  double *lambda, *rate;  /* rows; groups: sum_i lambda_i m_ig                          */
};

/* Whether a transition of row r may share its probability. */
static bool shares(const mn_hmm_model *m, const double *pattern, size_t r, size_t k)
{
  for (size_t i = r * k; i < (r + 1) * k; i++)
    if (pattern[i] > 0 && m->tied.at[i] > 0) return true;
  return false;
}

/* Number the groups of the rows that share probabilities. */
static mn_status find_groups(mn_context *ctx, const mn_hmm_model *m, const mn_hmm_topology *topology,
                             const double *pattern, struct ties *t)
{
  const size_t k = topology->k;
  *t = (struct ties){ .k = k };
  double *id = MN_RAW(ctx, double, topology->rows, k);
  t->row = MN_RAW(ctx, size_t, topology->rows, 1);
  t->group = MN_RAW(ctx, int32_t, topology->rows, k);
  if (!id || !t->row || !t->group) return MN_NO_MEMORY;
  for (size_t r = 0; r < topology->rows; r++)
    if (shares(m, pattern, r, k)) t->row[t->rows++] = r;
  for (size_t i = 0; i < t->rows * k; i++) {
    const double number = pattern[t->row[i / k] * k + i % k];
    size_t g = 0;
    t->group[i] = -1;
    if (!(number > 0)) continue;
    while (g < t->groups && (id[g] < number || id[g] > number)) g++;
    if (g == t->groups) id[t->groups++] = number;
    t->group[i] = (int32_t)g;
  }
  return MN_OK;
}

static mn_status make_ties(mn_context *ctx, const mn_hmm_model *m, const mn_hmm_topology *topology,
                           const double *pattern, const double *counts, struct ties *t)
{
  MN_TRY(find_groups(ctx, m, topology, pattern, t));
  const size_t k = t->k;
  t->n = MN_NEW(ctx, double, t->groups, 1);
  t->times = MN_NEW(ctx, double, t->rows, t->groups);
  t->lambda = MN_NEW(ctx, double, t->rows, 1);
  t->rate = MN_RAW(ctx, double, t->groups, 1);
  if (!t->n || !t->times || !t->lambda || !t->rate) return MN_NO_MEMORY;
  for (size_t i = 0; i < t->rows * k; i++) {
    if (t->group[i] < 0) continue;
    t->n[t->group[i]] += counts[t->row[i / k] * k + i % k];
    t->times[i / k * t->groups + (size_t)t->group[i]]++;
  }
  for (size_t g = 0; g < t->groups; g++) {
    double rows = 0;
    t->n[g] = fmax(t->n[g], 1e-10);
    for (size_t i = 0; i < t->rows; i++) rows += t->times[i * t->groups + g];
    for (size_t i = 0; i < t->rows; i++) t->lambda[i] += t->n[g] * t->times[i * t->groups + g] / rows;
  }
  return MN_OK;
}

/* The dual objective; infinity where it has no value. */
static double dual(struct ties *t, const double *lambda)
{
  double value = 0;
  for (size_t i = 0; i < t->rows; i++) value += lambda[i];
  for (size_t g = 0; g < t->groups; g++) {
    t->rate[g] = 0;
    for (size_t i = 0; i < t->rows; i++) t->rate[g] += lambda[i] * t->times[i * t->groups + g];
    if (!(t->rate[g] > 0)) return INFINITY;
    value -= t->n[g] * log(t->rate[g]);
  }
  return value;
}

static mn_status newton_step(mn_context *ctx, struct ties *t, double *step, double *largest)
{
  const size_t k = t->rows, wide = t->groups;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *hessian = MN_NEW(ctx, double, k, k), trace = 0;
  MN_CHECK_ALLOC(hessian);
  *largest = 0;
  for (size_t i = 0; i < k; i++) {
    step[i] = -1;
    for (size_t g = 0; g < t->groups; g++) {
      const double theta = t->n[g] / t->rate[g], times = t->times[i * wide + g];
      if (!(times > 0)) continue;
      step[i] += times * theta;
      for (size_t j = 0; j < k; j++) hessian[i * k + j] += times * t->times[j * wide + g] * theta / t->rate[g];
    }
    *largest = fmax(*largest, fabs(step[i]));
    trace += hessian[i * k + i];
  }
  for (size_t i = 0; i < k; i++) hessian[i * k + i] += 1e-12 * trace;
  MN_TRY(mn_chol_solve(ctx, k, 1, hessian, step, NULL));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Set the rows that share probabilities. */
static mn_status maximize_tied(mn_context *ctx, const mn_hmm_model *m, const mn_hmm_topology *topology,
                               const double *pattern, const double *counts, double *transitions)
{
  enum { MOST = 200 };
  const mn_mark mark = mn_scratch_mark(ctx);
  struct ties t;
  MN_TRY(make_ties(ctx, m, topology, pattern, counts, &t));
  double *step = MN_RAW(ctx, double, t.rows + 1, 1), *trial = MN_RAW(ctx, double, t.rows + 1, 1);
  double largest = t.rows > 0 ? (double)INFINITY : 0;
  if (!step || !trial) return MN_NO_MEMORY;
  for (int round = 0; t.rows > 0 && round < MOST; round++) {
    const double value = dual(&t, t.lambda);
    double size = 1;
    MN_TRY(newton_step(ctx, &t, step, &largest));
    if (largest < 1e-13) break;
    for (int halving = 0; halving < 60; halving++, size /= 2) {
      for (size_t i = 0; i < t.rows; i++) trial[i] = t.lambda[i] + size * step[i];
      if (dual(&t, trial) <= value + 1e-12 * fabs(value)) break;
    }
    for (size_t i = 0; i < t.rows; i++) t.lambda[i] += size * step[i];
  }
  if (!(largest < 1e-6))
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "HMM: no probabilities satisfy tied: the transitions from each state must add up to 1");
  (void)dual(&t, t.lambda);
  for (size_t i = 0; i < t.rows * t.k; i++) {
    const int32_t g = t.group[i];
    transitions[t.row[i / t.k] * t.k + i % t.k] = g < 0 ? 0 : t.n[g] / t.rate[g];
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- M step --- */

/* Add the prior counts: those of Dirichlet distributions, less 1, and those given one by one. */
static void add_prior(const mn_hmm_model *m, const mn_hmm_topology *t, double *counts)
{
  const size_t k = t->k;
  for (size_t s = 0; s < k; s++)
    counts[s] += m->startprob_prior - 1 + (m->startprob_pseudocounts.at ? m->startprob_pseudocounts.at[s] : 0);
  for (size_t i = 0; i < t->rows * k; i++)
    counts[k + i] += m->transmat_prior - 1 + (m->transmat_pseudocounts.at ? m->transmat_pseudocounts.at[i] : 0);
}

/* Probabilities in proportion to counts where they are not forbidden; they stay if there are none. */
static void maximize_row(size_t k, const double *pattern, const double *counts, double *p)
{
  double total = 0;
  for (size_t j = 0; j < k; j++)
    if (!pattern || pattern[j] > 0) total += fmax(counts[j], 0);
  for (size_t j = 0; total > 0 && j < k; j++) p[j] = !pattern || pattern[j] > 0 ? fmax(counts[j], 0) / total : 0;
}

mn_status mn_hmm_maximize_chain(mn_context *ctx, const mn_hmm_model *m, const mn_hmm_topology *t, const double *pattern,
                                double *counts, double *chain)
{
  const size_t k = t->k, exits = k + t->rows * k;
  add_prior(m, t, counts);
  if (m->topology == MN_HMM_LEFT_RIGHT)
    for (size_t s = 0; s < k; s++) chain[s] = s == 0;
  else
    maximize_row(k, NULL, counts, chain);
  for (size_t r = 0; r < t->rows; r++) maximize_row(k, pattern + r * k, counts + k + r * k, chain + k + r * k);
  if (m->tied.at) MN_TRY(maximize_tied(ctx, m, t, pattern, counts + k, chain + k));
  for (size_t i = 0; i < k * t->durations; i++) maximize_row(2, NULL, counts + exits + 2 * i, chain + exits + 2 * i);
  return MN_OK;
}

static double log_prior(double count, double probability)
{
  return count > 0 ? count * log(probability) : 0;
}

double mn_hmm_log_prior(const mn_hmm_view *view, const double *pattern)
{
  const mn_hmm_model *m = view->m;
  const mn_hmm_topology *t = &view->topology;
  const size_t k = view->k;
  const double *first = m->startprob_pseudocounts.at, *next = m->transmat_pseudocounts.at;
  double sum = mn_hmm_emission_log_prior(&view->layout, view->emission);
  for (size_t s = 0; m->topology != MN_HMM_LEFT_RIGHT && s < k; s++)
    sum += log_prior(m->startprob_prior - 1 + (first ? first[s] : 0), view->chain[s]);
  for (size_t i = 0; i < t->rows * k; i++)
    if (pattern[i] > 0) sum += log_prior(m->transmat_prior - 1 + (next ? next[i] : 0), view->chain[k + i]);
  return sum;
}
