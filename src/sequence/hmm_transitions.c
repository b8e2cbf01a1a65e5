/* Transitions: which are allowed or share a probability, and the M step of the chain. */
#include "../factorization/lapack.h"
#include "hmm.h"
#include <string.h>

/* --- patterns --- */

static mn_status check_square(mn_context *ctx, const char *name, const mn_matrix *a, size_t k)
{
  if (!a->at || (a->rows == k && a->cols == k)) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "HMM: %s must be n_states x n_states, %zu x %zu, got %zu x %zu", name, k, k,
                 a->rows, a->cols);
}

/* A group number for each transition: 0 if it is forbidden, else equal for those that share a probability. */
mn_status mn_hmm_pattern(mn_context *ctx, const mn_hmm_model *m, size_t k, double *pattern)
{
  MN_TRY(check_square(ctx, "allowed", &m->allowed, k));
  MN_TRY(check_square(ctx, "tied", &m->tied, k));
  if (m->tied.at && (m->order > 1 || m->max_duration != MN_UNSET))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "HMM: tied requires order = 1 and no max_duration");
  double own = 0;
  for (size_t i = 0; m->tied.at && i < k * k; i++) own = fmax(own, m->tied.at[i]);
  for (size_t i = 0; i < k; i++) {
    bool any = false;
    for (size_t j = 0; j < k; j++) {
      const size_t at = i * k + j;
      bool allowed = !m->allowed.at || m->allowed.at[at] > 0;
      if (m->topology == MN_HMM_LEFT_RIGHT && j < i) allowed = false;
      if (m->max_duration != MN_UNSET && i == j) allowed = false;
      const double group = m->tied.at ? m->tied.at[at] : 0;
      pattern[at] = !allowed ? 0 : group > 0 ? group : (own += 1);
      any = any || allowed;
    }
    if (!any && !(m->topology == MN_HMM_LEFT_RIGHT && m->max_duration != MN_UNSET && i + 1 == k))
      return mn_fail(ctx, MN_BAD_ARGUMENT,
                     "HMM: the transitions from state %zu sum to zero: allowed forbids all of them", i + 1);
  }
  return MN_OK;
}

/* --- tied transitions ---
 *
 * maximize sum_g N_g log theta_g with sum_g m_ig theta_g = 1 for each row i, which has group g m_ig times. Then
 * theta_g = N_g / sum_i lambda_i m_ig, where lambda minimizes sum_i lambda_i - sum_g N_g log sum_i lambda_i m_ig: by
 * Newton's method. */

struct ties {
  size_t k, groups;
  int32_t *group;        /* k x k: 0.., or -1 */
  double *n, *times;     /* groups; k x groups */
  double *lambda, *rate; /* k; groups: sum_i lambda_i m_ig */
};

static mn_status make_ties(mn_context *ctx, size_t k, const double *pattern, const double *counts, double prior,
                           struct ties *t)
{
  *t = (struct ties){ .k = k };
  double *id = MN_RAW(ctx, double, k, k);
  t->group = MN_RAW(ctx, int32_t, k, k);
  t->n = MN_NEW(ctx, double, k, k);
  t->times = MN_NEW(ctx, double, k, k *k);
  t->lambda = MN_NEW(ctx, double, k, 1);
  t->rate = MN_RAW(ctx, double, k, k);
  if (!id || !t->group || !t->n || !t->times || !t->lambda || !t->rate) return MN_NO_MEMORY;
  for (size_t i = 0; i < k * k; i++) {
    size_t g = 0;
    t->group[i] = -1;
    if (!(pattern[i] > 0)) continue;
    while (g < t->groups && (id[g] < pattern[i] || id[g] > pattern[i])) g++;
    if (g == t->groups) id[t->groups++] = pattern[i];
    t->group[i] = (int32_t)g;
    t->n[g] += counts[i] + prior - 1;
    t->times[i / k * k * k + g]++;
  }
  for (size_t g = 0; g < t->groups; g++) {
    double rows = 0;
    t->n[g] = fmax(t->n[g], 1e-10);
    for (size_t i = 0; i < k; i++) rows += t->times[i * k * k + g];
    for (size_t i = 0; i < k; i++) t->lambda[i] += t->n[g] * t->times[i * k * k + g] / rows;
  }
  return MN_OK;
}

/* The dual objective; infinity where it has no value. */
static double dual(struct ties *t, const double *lambda)
{
  double value = 0;
  for (size_t i = 0; i < t->k; i++) value += lambda[i];
  for (size_t g = 0; g < t->groups; g++) {
    t->rate[g] = 0;
    for (size_t i = 0; i < t->k; i++) t->rate[g] += lambda[i] * t->times[i * t->k * t->k + g];
    if (!(t->rate[g] > 0)) return INFINITY;
    value -= t->n[g] * log(t->rate[g]);
  }
  return value;
}

static mn_status newton_step(mn_context *ctx, struct ties *t, double *step, double *largest)
{
  const size_t k = t->k, wide = k * k;
  double *hessian = MN_NEW(ctx, double, k, k), trace = 0;
  MN_CHECK_ALLOC(hessian);
  *largest = 0;
  for (size_t i = 0; i < k; i++) {
    step[i] = -1;
    for (size_t g = 0; g < t->groups; g++) {
      const double theta = t->n[g] / t->rate[g], times = t->times[i * wide + g];
      step[i] += times * theta;
      for (size_t j = 0; j < k; j++) hessian[i * k + j] += times * t->times[j * wide + g] * theta / t->rate[g];
    }
    *largest = fmax(*largest, fabs(step[i]));
    trace += hessian[i * k + i];
  }
  for (size_t i = 0; i < k; i++) hessian[i * k + i] += 1e-12 * trace;
  return mn_chol_solve(ctx, k, 1, hessian, step, NULL);
}

static mn_status maximize_tied(mn_context *ctx, size_t k, const double *pattern, double prior, const double *counts,
                               double *transitions)
{
  enum { MOST = 200 };
  const mn_mark mark = mn_scratch_mark(ctx);
  struct ties t;
  MN_TRY(make_ties(ctx, k, pattern, counts, prior, &t));
  double *step = MN_RAW(ctx, double, k, 1), *trial = MN_RAW(ctx, double, k, 1), largest = INFINITY;
  if (!step || !trial) return MN_NO_MEMORY;
  for (int round = 0; round < MOST; round++) {
    const double value = dual(&t, t.lambda);
    double size = 1;
    MN_TRY(newton_step(ctx, &t, step, &largest));
    if (largest < 1e-13) break;
    for (int halving = 0; halving < 60; halving++, size /= 2) {
      for (size_t i = 0; i < k; i++) trial[i] = t.lambda[i] + size * step[i];
      if (dual(&t, trial) <= value + 1e-12 * fabs(value)) break;
    }
    for (size_t i = 0; i < k; i++) t.lambda[i] += size * step[i];
  }
  if (!(largest < 1e-6))
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "HMM: no probabilities satisfy tied: the transitions from each state must add up to 1");
  (void)dual(&t, t.lambda);
  for (size_t i = 0; i < k * k; i++) {
    const int32_t g = t.group[i];
    transitions[i] = g < 0 ? 0 : t.n[g] / t.rate[g];
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- M step --- */

/* The mode of the posterior of probabilities that are not forbidden; they stay if there is neither count nor prior. */
static void maximize_row(size_t k, const double *pattern, double prior, const double *counts, double *p)
{
  double total = 0;
  for (size_t j = 0; j < k; j++)
    if (!pattern || pattern[j] > 0) total += fmax(counts[j] + prior - 1, 0);
  for (size_t j = 0; total > 0 && j < k; j++)
    p[j] = !pattern || pattern[j] > 0 ? fmax(counts[j] + prior - 1, 0) / total : 0;
}

mn_status mn_hmm_maximize_chain(mn_context *ctx, const mn_hmm_model *m, const mn_hmm_topology *t, const double *pattern,
                                const double *counts, double *chain)
{
  const size_t k = t->k, exits = k + t->rows * k;
  if (m->topology == MN_HMM_LEFT_RIGHT)
    for (size_t s = 0; s < k; s++) chain[s] = s == 0;
  else
    maximize_row(k, NULL, m->startprob_prior, counts, chain);
  if (m->tied.at) MN_TRY(maximize_tied(ctx, k, pattern, m->transmat_prior, counts + k, chain + k));
  for (size_t r = 0; !m->tied.at && r < t->rows; r++)
    maximize_row(k, pattern + r % k * k, m->transmat_prior, counts + k + r * k, chain + k + r * k);
  for (size_t i = 0; i < k * t->durations; i++) maximize_row(2, NULL, 1, counts + exits + 2 * i, chain + exits + 2 * i);
  return MN_OK;
}

double mn_hmm_log_prior(const mn_hmm_view *view, const double *pattern)
{
  const mn_hmm_model *m = view->m;
  const mn_hmm_topology *t = &view->topology;
  const size_t k = view->k;
  double sum = mn_hmm_emission_log_prior(&view->layout, view->emission);
  for (size_t s = 0; m->startprob_prior > 1 && m->topology != MN_HMM_LEFT_RIGHT && s < k; s++)
    sum += (m->startprob_prior - 1) * log(view->chain[s]);
  for (size_t i = 0; m->transmat_prior > 1 && i < t->rows * k; i++)
    if (pattern[i % (k * k)] > 0) sum += (m->transmat_prior - 1) * log(view->chain[k + i]);
  return sum;
}
