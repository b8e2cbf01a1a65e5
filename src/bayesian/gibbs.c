/* Running the chains: initialization, parallel sweeps, convergence check. */
#include "gibbs.h"
#include "../stats/mcmc.h"
#include "../linear/folds.h"
#include "gibbs_internal.h"
#include <string.h>

enum { MAX_BLOCK_SWEEPS = 256, BLOCK_FLOPS = 20000000 };

/* Convergence threshold of R-hat (Vehtari et al. 2021). */
static const double max_r_hat = 1.01;

struct run {
  const mn_gibbs *m;
  const mn_gibbs_prior *prior;
  const mn_gibbs_data *s;
  size_t chains, width;      /* values of a draw: used coefficients, intercept, s2, global */
  mn_gibbs_state *state;     /* chains */
  double *draws;             /* chains x capacity x width */
  size_t capacity;           /* draws of each chain */
  size_t done, block_sweeps; /* sweeps after burn-in; sweeps of the current block */
  bool record;               /* burn-in is over */
  double *deviance;          /* chains x MAX_BLOCK_SWEEPS: of the current block */
};

static void record_draw(const struct run *r, size_t chain, size_t at)
{
  const mn_gibbs_data *s = r->s;
  mn_gibbs_state *state = r->state + chain;
  double *out = r->draws + (chain * r->capacity + at) * r->width, intercept = s->mean[s->p];
  for (size_t a = 0; a < s->used; a++) {
    out[a] = state->b[a] * s->y_scale / s->scale[a];
    intercept -= s->mean[s->column[a]] * out[a];
  }
  if (r->m->fit_intercept) intercept += sqrt(state->s2 / s->n) * s->y_scale * mn_random_normal(&state->random);
  out[s->used] = intercept;
  out[s->used + 1] = state->s2 * s->y_scale * s->y_scale;
  out[s->used + 2] = state->global;
}

static mn_status run_chain(mn_context *ctx, void *work, size_t chain)
{
  const struct run *r = work;
  mn_gibbs_state *state = r->state + chain;
  mn_gibbs_workspace ws;
  MN_TRY(mn_gibbs_workspace_init(ctx, r->s, &ws));
  for (size_t i = 0; i < r->block_sweeps; i++) {
    MN_TRY(mn_gibbs_sweep(ctx, r->m, r->prior, r->s, &ws, state, r->deviance + chain * MAX_BLOCK_SWEEPS + i));
    const size_t sweep = r->done + i, thin = (size_t)r->m->thin;
    if (r->record && sweep % thin == 0) record_draw(r, chain, sweep / thin);
  }
  return MN_OK;
}

/* The noise variance starts near the variance of y, several times larger or smaller. */
static mn_status start_chains(mn_context *ctx, struct run *r)
{
  const size_t p = r->s->used;
  for (size_t c = 0; c < r->chains; c++) {
    mn_gibbs_state *state = r->state + c;
    double *values = MN_NEW(ctx, double, 4, p);
    MN_CHECK_ALLOC(values);
    *state =
        (mn_gibbs_state){ .p = p, .b = values, .d = values + p, .local = values + 2 * p, .auxiliary = values + 3 * p };
    state->random = mn_stream(r->m->seed, c);
    state->s2 = exp(mn_random_normal(&state->random));
    r->prior->start(r->m, state);
  }
  return MN_OK;
}

static double mean_deviance(const struct run *r, size_t sweep)
{
  double sum = 0;
  for (size_t c = 0; c < r->chains; c++) sum += r->deviance[c * MAX_BLOCK_SWEEPS + sweep];
  return sum / (double)r->chains;
}

/* Number of sweeps between two calls of the progress callback. */
static size_t block_size(const mn_gibbs_data *s)
{
  const double p = (double)s->used, n = (double)s->data->rows;
  const double flops = 500 * (p + 1) + (s->gram ? p * p * p / 3 : n * n * (p + n / 3));
  return (size_t)fmin(fmax(BLOCK_FLOPS / flops, 1), MAX_BLOCK_SWEEPS);
}

static mn_status burn_in(mn_context *ctx, struct run *r, size_t block)
{
  const size_t wanted = (size_t)r->m->burn_in;
  const double total = (double)(r->m->burn_in + r->m->max_iter);
  bool proceed = true;
  for (size_t done = 0; proceed && done < wanted; done += r->block_sweeps) {
    r->block_sweeps = wanted - done < block ? wanted - done : block;
    MN_TRY(mn_folds_run(ctx, r->chains, run_chain, r));
    proceed = mn_report_progress(ctx, (double)(done + r->block_sweeps), total, mean_deviance(r, r->block_sweeps - 1));
  }
  return mn_error_status(ctx);
}

/* Allocate for the draws of `sweeps` sweeps of each chain. */
static mn_status reserve_draws(mn_context *ctx, struct run *r, size_t sweeps)
{
  const size_t thin = (size_t)r->m->thin, capacity = (sweeps - 1) / thin + 1, before = r->capacity;
  if (capacity <= before) return MN_OK;
  if (capacity > SIZE_MAX / r->chains) return mn_fail(ctx, MN_NO_MEMORY, "not enough memory for %zu draws", capacity);
  double *larger = MN_RAW(ctx, double, r->chains *capacity, r->width);
  MN_CHECK_ALLOC(larger);
  for (size_t c = 0; c < r->chains && before > 0; c++)
    memcpy(larger + c * capacity * r->width, r->draws + c * before * r->width, before * r->width * sizeof *larger);
  r->draws = larger;
  r->capacity = capacity;
  return MN_OK;
}

/* Run until there are `wanted` sweeps or the user cancels; at least one. */
static mn_status sweep_until(mn_context *ctx, struct run *r, mn_report *report, size_t block, size_t wanted)
{
  const double total = (double)(r->m->burn_in + r->m->max_iter);
  bool proceed = true;
  MN_TRY(reserve_draws(ctx, r, wanted));
  while (proceed && r->done < wanted) {
    r->block_sweeps = wanted - r->done < block ? wanted - r->done : block;
    if (!mn_should_continue(ctx)) r->block_sweeps = 1; /* canceled during burn-in: one sweep gives a model */
    MN_TRY(mn_folds_run(ctx, r->chains, run_chain, r));
    for (size_t i = 0; i < r->block_sweeps; i++)
      if (!mn_record_round(ctx, report, mean_deviance(r, i))) return mn_error_status(ctx);
    r->done += r->block_sweeps;
    proceed = mn_report_progress(ctx, (double)r->m->burn_in + (double)r->done, total, report->objective);
  }
  return mn_error_status(ctx);
}

static size_t count_draws(const struct run *r)
{
  return (r->done - 1) / (size_t)r->m->thin + 1;
}

struct diagnose_task {
  const struct run *r;
  mn_chain_report *at; /* width */
};

/* Diagnostics of parameter j. */
static mn_status diagnose(mn_context *ctx, void *work, size_t j)
{
  const struct diagnose_task *d = work;
  const struct run *r = d->r;
  const size_t n_draws = count_draws(r);
  double *draws = MN_RAW(ctx, double, r->chains, n_draws);
  MN_CHECK_ALLOC(draws);
  for (size_t c = 0; c < r->chains; c++)
    for (size_t i = 0; i < n_draws; i++) draws[c * n_draws + i] = r->draws[(c * r->capacity + i) * r->width + j];
  return mn_mcmc_diagnostics(ctx, r->chains, n_draws, draws, d->at + j);
}

static mn_status check_convergence(mn_context *ctx, mn_gibbs *m, const struct run *r, mn_chain_report *at)
{
  mn_report *report = &m->linear.base.report;
  struct diagnose_task d = { .r = r, .at = at };
  MN_TRY(mn_folds_run(ctx, r->width, diagnose, &d));
  m->worst_r_hat = 1;
  m->least_ess = INFINITY;
  for (size_t j = 0; j < r->width; j++) {
    if (j == r->s->used) continue; /* the intercept follows from the other parameters */
    const double ess = fmin(at[j].ess, at[j].ess_tail);
    m->worst_r_hat = at[j].r_hat <= m->worst_r_hat ? m->worst_r_hat : isnan(at[j].r_hat) ? INFINITY : at[j].r_hat;
    m->least_ess = ess >= m->least_ess ? m->least_ess : isnan(at[j].ess) ? 0 : ess;
  }
  report->change = m->worst_r_hat - 1;
  report->converged = m->worst_r_hat <= max_r_hat && m->least_ess >= m->min_ess;
  report->advice = m->worst_r_hat > max_r_hat ? "the chains disagree (worst_r_hat); increase max_iter or burn_in"
                                              : "too few effective draws (least_ess); increase max_iter";
  return MN_OK;
}

static mn_status sample(mn_context *ctx, mn_gibbs *m, struct run *r, mn_chain_report *at)
{
  mn_report *report = &m->linear.base.report;
  const size_t block = block_size(r->s), max_sweeps = (size_t)m->max_iter;
  size_t wanted = (size_t)m->draws;
  MN_TRY(burn_in(ctx, r, block));
  r->record = true;
  do {
    if (wanted > max_sweeps) wanted = max_sweeps;
    MN_TRY(sweep_until(ctx, r, report, block, wanted));
    MN_TRY(check_convergence(ctx, m, r, at));
    wanted *= 2;
  } while (!report->converged && r->done < max_sweeps && mn_should_continue(ctx));
  return mn_error_status(ctx);
}

/* Move the draws of all chains together, chain after chain. */
static void compact_draws(struct run *r)
{
  const size_t n_draws = count_draws(r);
  for (size_t c = 1; c < r->chains && n_draws < r->capacity; c++)
    memmove(r->draws + c * n_draws * r->width, r->draws + c * r->capacity * r->width,
            n_draws * r->width * sizeof *r->draws);
}

static mn_status store_diagnostics(mn_context *ctx, mn_gibbs *m, const mn_gibbs_data *s, const mn_chain_report *at)
{
  MN_TRY(mn_vector_init(ctx, &m->r_hat, s->p));
  MN_TRY(mn_vector_init(ctx, &m->ess, s->p));
  MN_TRY(mn_vector_init(ctx, &m->ess_tail, s->p));
  for (size_t j = 0; j < s->p; j++) m->r_hat.at[j] = m->ess.at[j] = m->ess_tail.at[j] = NAN;
  for (size_t a = 0; a < s->used; a++) {
    m->r_hat.at[s->column[a]] = at[a].r_hat;
    m->ess.at[s->column[a]] = at[a].ess;
    m->ess_tail.at[s->column[a]] = at[a].ess_tail;
  }
  return MN_OK;
}

mn_status mn_gibbs_fit(mn_context *ctx, mn_gibbs *m, const mn_data *data, const mn_gibbs_prior *prior)
{
  mn_gibbs_data s;
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  MN_TRY(mn_gibbs_prepare(ctx, m, data, prior->unit_length, &s));
  struct run r = { .m = m, .prior = prior, .s = &s, .chains = (size_t)m->chains, .width = s.used + 3 };
  r.state = MN_NEW(ctx, mn_gibbs_state, r.chains, 1);
  r.deviance = MN_NEW(ctx, double, r.chains, MAX_BLOCK_SWEEPS);
  mn_chain_report *at = MN_NEW(ctx, mn_chain_report, r.width, 1);
  if (!r.state || !r.deviance || !at) return MN_NO_MEMORY;
  MN_TRY(start_chains(ctx, &r));
  MN_TRY(sample(ctx, m, &r, at));
  m->n = s.n;
  MN_TRY(store_diagnostics(ctx, m, &s, at));
  const size_t n_draws = count_draws(&r);
  m->kept = (int64_t)n_draws;
  compact_draws(&r);
  return mn_gibbs_learn(ctx, m, &s, r.chains * n_draws, r.draws);
}
