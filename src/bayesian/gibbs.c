/* The chains: from their starts, through sweeps in parallel, until they agree. */
#include "gibbs.h"
#include "../stats/mcmc.h"
#include "../linear/folds.h"
#include "gibbs_parts.h"
#include <string.h>

enum { MOST_SWEEPS = 256, BLOCK_FLOPS = 20000000 };

/* Chains agree whose R-hat is at most this (Vehtari et al. 2021). */
static const double agreed = 1.01;

struct run {
  const mn_gibbs *m;
  const mn_gibbs_prior *prior;
  const mn_gibbs_data *s;
  size_t chains, width;  /* values kept of a sweep: used weights, constant, s2, global */
  mn_gibbs_state *state; /* chains */
  double *kept;          /* chains x room x width */
  size_t room;           /* draws that there is room for in each chain */
  size_t done, count;    /* sweeps after burn-in; sweeps of this block */
  bool keep;             /* burn-in is over */
  double *deviance;      /* chains x MOST_SWEEPS: of this block */
};

/* --- one chain --- */

static void record(const struct run *r, size_t chain, size_t at)
{
  const mn_gibbs_data *s = r->s;
  mn_gibbs_state *state = r->state + chain;
  double *out = r->kept + (chain * r->room + at) * r->width, constant = s->mean[s->p];
  for (size_t a = 0; a < s->used; a++) {
    out[a] = state->b[a] * s->y_scale / s->scale[a];
    constant -= s->mean[s->column[a]] * out[a];
  }
  if (r->m->fit_intercept) constant += sqrt(state->s2 / s->n) * s->y_scale * mn_random_normal(&state->random);
  out[s->used] = constant;
  out[s->used + 1] = state->s2 * s->y_scale * s->y_scale;
  out[s->used + 2] = state->global;
}

static mn_status run_chain(mn_context *ctx, void *work, size_t chain)
{
  const struct run *r = work;
  mn_gibbs_state *state = r->state + chain;
  mn_gibbs_work room;
  MN_TRY(mn_gibbs_room(ctx, r->s, &room));
  for (size_t i = 0; i < r->count; i++) {
    MN_TRY(mn_gibbs_sweep(ctx, r->m, r->prior, r->s, &room, state, r->deviance + chain * MOST_SWEEPS + i));
    const size_t sweep = r->done + i, thin = (size_t)r->m->thin;
    if (r->keep && sweep % thin == 0) record(r, chain, sweep / thin);
  }
  return MN_OK;
}

/* The variance of the noise starts about that of y, several times larger or smaller. */
static mn_status start_chains(mn_context *ctx, struct run *r)
{
  const size_t p = r->s->used;
  for (size_t c = 0; c < r->chains; c++) {
    mn_gibbs_state *state = r->state + c;
    double *room = MN_NEW(ctx, double, 4, p);
    MN_CHECK_ALLOC(room);
    *state = (mn_gibbs_state){ .p = p, .b = room, .d = room + p, .local = room + 2 * p, .hidden = room + 3 * p };
    state->random = mn_stream(r->m->seed, c);
    state->s2 = exp(mn_random_normal(&state->random));
    r->prior->start(r->m, state);
  }
  return MN_OK;
}

/* --- all chains --- */

static double mean_deviance(const struct run *r, size_t sweep)
{
  double sum = 0;
  for (size_t c = 0; c < r->chains; c++) sum += r->deviance[c * MOST_SWEEPS + sweep];
  return sum / (double)r->chains;
}

/* How many sweeps go by between two looks at the user. */
static size_t block_size(const mn_gibbs_data *s)
{
  const double p = (double)s->used, n = (double)s->data->rows;
  const double flops = 500 * (p + 1) + (s->gram ? p * p * p / 3 : n * n * (p + n / 3));
  return (size_t)fmin(fmax(BLOCK_FLOPS / flops, 1), MOST_SWEEPS);
}

static mn_status burn_in(mn_context *ctx, struct run *r, size_t block)
{
  const size_t wanted = (size_t)r->m->burn_in;
  const double total = (double)(r->m->burn_in + r->m->max_iter);
  bool go_on = true;
  for (size_t done = 0; go_on && done < wanted; done += r->count) {
    r->count = wanted - done < block ? wanted - done : block;
    MN_TRY(mn_folds_run(ctx, r->chains, run_chain, r));
    go_on = mn_report_progress(ctx, (double)(done + r->count), total, mean_deviance(r, r->count - 1));
  }
  return mn_error_status(ctx);
}

/* Room for the draws of `sweeps` sweeps in each chain. */
static mn_status make_room(mn_context *ctx, struct run *r, size_t sweeps)
{
  const size_t thin = (size_t)r->m->thin, room = (sweeps - 1) / thin + 1, before = r->room;
  if (room <= before) return MN_OK;
  if (room > SIZE_MAX / r->chains) return mn_fail(ctx, MN_NO_MEMORY, "not enough memory for %zu draws", room);
  double *larger = MN_RAW(ctx, double, r->chains *room, r->width);
  MN_CHECK_ALLOC(larger);
  for (size_t c = 0; c < r->chains && before > 0; c++)
    memcpy(larger + c * room * r->width, r->kept + c * before * r->width, before * r->width * sizeof *larger);
  r->kept = larger;
  r->room = room;
  return MN_OK;
}

/* Sweeps until there are `wanted` of them, or the user says stop; one at least. */
static mn_status sweep_until(mn_context *ctx, struct run *r, mn_report *report, size_t block, size_t wanted)
{
  const double total = (double)(r->m->burn_in + r->m->max_iter);
  bool go_on = true;
  MN_TRY(make_room(ctx, r, wanted));
  while (go_on && r->done < wanted) {
    r->count = wanted - r->done < block ? wanted - r->done : block;
    if (!mn_should_continue(ctx)) r->count = 1; /* stopped while it burnt in: the least there can be */
    MN_TRY(mn_folds_run(ctx, r->chains, run_chain, r));
    for (size_t i = 0; i < r->count; i++)
      if (!mn_record_round(ctx, report, mean_deviance(r, i))) return mn_error_status(ctx);
    r->done += r->count;
    go_on = mn_report_progress(ctx, (double)r->m->burn_in + (double)r->done, total, report->objective);
  }
  return mn_error_status(ctx);
}

/* --- do they agree? --- */

static size_t kept_of(const struct run *r)
{
  return (r->done - 1) / (size_t)r->m->thin + 1;
}

struct diagnosis {
  const struct run *r;
  mn_chain_report *at; /* width */
};

/* Of the parameter `j`; the constant follows from the others and is left out. */
static mn_status diagnose(mn_context *ctx, void *work, size_t j)
{
  const struct diagnosis *d = work;
  const struct run *r = d->r;
  const size_t kept = kept_of(r);
  double *draws = MN_RAW(ctx, double, r->chains, kept);
  MN_CHECK_ALLOC(draws);
  for (size_t c = 0; c < r->chains; c++)
    for (size_t i = 0; i < kept; i++) draws[c * kept + i] = r->kept[(c * r->room + i) * r->width + j];
  return mn_mcmc_diagnostics(ctx, r->chains, kept, draws, d->at + j);
}

static mn_status judge(mn_context *ctx, mn_gibbs *m, const struct run *r, mn_chain_report *at)
{
  mn_report *report = &m->linear.base.report;
  struct diagnosis d = { .r = r, .at = at };
  MN_TRY(mn_folds_run(ctx, r->width, diagnose, &d));
  m->worst_r_hat = 1;
  m->least_ess = INFINITY;
  for (size_t j = 0; j < r->width; j++) {
    if (j == r->s->used) continue;
    const double ess = fmin(at[j].ess, at[j].ess_tail);
    m->worst_r_hat = at[j].r_hat <= m->worst_r_hat ? m->worst_r_hat : isnan(at[j].r_hat) ? INFINITY : at[j].r_hat;
    m->least_ess = ess >= m->least_ess ? m->least_ess : isnan(at[j].ess) ? 0 : ess;
  }
  report->change = m->worst_r_hat - 1;
  report->converged = m->worst_r_hat <= agreed && m->least_ess >= m->min_ess;
  report->advice = m->worst_r_hat > agreed ? "the chains do not agree (worst_r_hat): raise max_iter or burn_in"
                                           : "too few effective draws (least_ess): raise max_iter";
  return MN_OK;
}

static mn_status sample(mn_context *ctx, mn_gibbs *m, struct run *r, mn_chain_report *at)
{
  mn_report *report = &m->linear.base.report;
  const size_t block = block_size(r->s), most = (size_t)m->max_iter;
  size_t wanted = (size_t)m->draws;
  MN_TRY(burn_in(ctx, r, block));
  r->keep = true;
  do {
    if (wanted > most) wanted = most;
    MN_TRY(sweep_until(ctx, r, report, block, wanted));
    MN_TRY(judge(ctx, m, r, at));
    wanted *= 2;
  } while (!report->converged && r->done < most && mn_should_continue(ctx));
  return mn_error_status(ctx);
}

/* --- fit --- */

/* What is there of the chains, one after the other without gaps. */
static void close_gaps(struct run *r)
{
  const size_t kept = kept_of(r);
  for (size_t c = 1; c < r->chains && kept < r->room; c++)
    memmove(r->kept + c * kept * r->width, r->kept + c * r->room * r->width, kept * r->width * sizeof *r->kept);
}

static mn_status learn_agreement(mn_context *ctx, mn_gibbs *m, const mn_gibbs_data *s, const mn_chain_report *at)
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
  r.deviance = MN_NEW(ctx, double, r.chains, MOST_SWEEPS);
  mn_chain_report *at = MN_NEW(ctx, mn_chain_report, r.width, 1);
  if (!r.state || !r.deviance || !at) return MN_NO_MEMORY;
  MN_TRY(start_chains(ctx, &r));
  MN_TRY(sample(ctx, m, &r, at));
  m->n = s.n;
  MN_TRY(learn_agreement(ctx, m, &s, at));
  const size_t kept = kept_of(&r);
  m->kept = (int64_t)kept;
  close_gaps(&r);
  return mn_gibbs_learn(ctx, m, &s, r.chains * kept, r.kept);
}
