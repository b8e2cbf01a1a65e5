/* Chains of Gibbs sampling, of which the state with the largest joint density is kept. */
#include "../core/threads.h"
#include "../linalg/ordered.h"
#include "../linear/folds.h"
#include "indian_buffet.h"
#include <string.h>

/* The best state of a chain so far. */
struct best {
  double *z; /* n x capacity */
  size_t k;
  double alpha, noise, feature, log_joint;
};

struct run {
  mn_buffet b;
  size_t chains;
  mn_buffet_chain *chain;
  struct best *best;
};

static void keep(const struct run *r, size_t i)
{
  const mn_buffet_chain *c = r->chain + i;
  struct best *best = r->best + i;
  if (c->k == 0 || !(c->log_joint > best->log_joint)) return;
  memcpy(best->z, c->z, r->b.n * r->b.capacity * sizeof *best->z);
  best->k = c->k;
  best->alpha = c->alpha;
  best->noise = c->noise;
  best->feature = c->feature;
  best->log_joint = c->log_joint;
}

static mn_status sweep(mn_context *ctx, void *work, size_t i)
{
  const struct run *r = work;
  MN_TRY(mn_buffet_sweep(ctx, &r->b, r->chain + i));
  keep(r, i);
  return MN_OK;
}

static mn_status prepare(mn_context *ctx, const struct indian_buffet *m, const mn_data *data, struct run *r)
{
  const size_t values = data->rows * data->features;
  r->b = (mn_buffet){ .x = data->x.at,
                      .n = data->rows,
                      .p = data->features,
                      .capacity = (size_t)m->max_components,
                      .square = mn_ordered_dot(values, data->x.at, data->x.at),
                      .concentration = m->concentration };
  r->b.mean_square = r->b.square / (double)values;
  if (!isfinite(r->b.square))
    return mn_fail(ctx, MN_BAD_DATA, "IndianBuffetProcess: the squares of X overflow; scale the columns");
  if (!(r->b.mean_square > 0)) return mn_fail(ctx, MN_BAD_DATA, "IndianBuffetProcess: all values of X are 0");
  r->chains = (size_t)m->n_init;
  r->chain = MN_NEW(ctx, mn_buffet_chain, r->chains, 1);
  r->best = MN_NEW(ctx, struct best, r->chains, 1);
  if (!r->chain || !r->best) return MN_NO_MEMORY;
  for (size_t i = 0; i < r->chains; i++) {
    MN_TRY(mn_buffet_chain_init(ctx, &r->b, m->seed, i, r->chain + i));
    r->best[i] = (struct best){ .z = MN_RAW(ctx, double, r->b.n, r->b.capacity), .log_joint = -INFINITY };
    MN_CHECK_ALLOC(r->best[i].z);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static const struct best *best_of(const struct run *r)
{
  const struct best *best = r->best;
  for (size_t i = 1; i < r->chains; i++)
    if (r->best[i].log_joint > best->log_joint) best = r->best + i;
  return best;
}

/* Sweep until the largest joint density has not risen for long. counts: capacity + 1, of the states by number of
 * features since the last rise. */
static mn_status run(mn_context *ctx, struct indian_buffet *m, struct run *r, double *counts)
{
  mn_report *report = &m->base.report;
  double best = -INFINITY;
  int64_t since = 0;
  bool proceed = true;
  report->advice = "increase max_iter";
  while (proceed && !report->converged && report->n_iter < m->max_iter) {
    double now = -INFINITY;
    MN_TRY(mn_folds_run(ctx, r->chains, sweep, r));
    for (size_t i = 0; i < r->chains; i++) now = fmax(now, r->chain[i].log_joint);
    const double reached = best_of(r)->log_joint;
    const bool rises = reached > best + m->tol * (double)r->b.n;
    since = rises ? 0 : since + 1;
    if (rises) memset(counts, 0, (r->b.capacity + 1) * sizeof *counts);
    for (size_t i = 0; i < r->chains; i++) counts[r->chain[i].k] += 1 / (double)r->chains;
    report->change = rises && isfinite(best) ? (reached - best) / (double)r->b.n : 0;
    if (rises) best = reached;
    report->converged = since >= m->n_iter_no_change;
    proceed = mn_round(ctx, report, m->max_iter, -now);
  }
  return mn_error_status(ctx);
}

/* The best state, features by descending number of rows. */
static mn_status store(mn_context *ctx, struct indian_buffet *m, const struct run *r, const double *counts)
{
  const mn_buffet *b = &r->b;
  const struct best *best = best_of(r);
  const size_t k = best->k, cap = b->capacity;
  mn_buffet_chain *c = r->chain;
  size_t *order = MN_RAW(ctx, size_t, k + 1, 1), most = cap;
  double *count = MN_NEW(ctx, double, k + 1, 1), total = 0;
  if (!order || !count) return MN_NO_MEMORY;
  if (k == 0) return mn_fail(ctx, MN_BAD_DATA, "IndianBuffetProcess: no features were found; X may be noise about 0");
  for (size_t f = 0; f < k; f++) {
    size_t at = f;
    for (size_t i = 0; i < b->n; i++) count[f] += best->z[i * cap + f];
    for (; at > 0 && count[order[at - 1]] < count[f]; at--) order[at] = order[at - 1];
    order[at] = f;
  }
  c->k = k;
  c->alpha = best->alpha;
  c->noise = best->noise;
  c->feature = best->feature;
  MN_TRY(mn_vector_init(ctx, &m->counts, k));
  for (size_t f = 0; f < k; f++) c->count[f] = m->counts.at[f] = count[order[f]];
  for (size_t i = 0; i < b->n; i++)
    for (size_t f = 0; f < k; f++) c->z[i * cap + f] = best->z[i * cap + order[f]];
  MN_TRY(mn_buffet_refresh(ctx, b, c, false));
  MN_TRY(mn_matrix_init(ctx, &m->components, k, b->p));
  MN_TRY(mn_matrix_init(ctx, &m->covariance, k, k));
  MN_TRY(mn_matrix_init(ctx, &m->assignments, b->n, k));
  memcpy(m->components.at, c->mean, k * b->p * sizeof *c->mean);
  for (size_t f = 0; f < k; f++)
    for (size_t d = 0; d < k; d++) mn_row(&m->covariance, f)[d] = c->noise * c->m[f * cap + d];
  for (size_t i = 0; i < b->n; i++) memcpy(mn_row(&m->assignments, i), c->z + i * cap, k * sizeof *c->z);
  while (most > 1 && !(counts[most] > 0)) most--;
  for (size_t f = 0; f <= most; f++) total += counts[f];
  MN_TRY(mn_vector_init(ctx, &m->count_distribution, most));
  for (size_t f = 1; f <= most; f++) m->count_distribution.at[f - 1] = total > 0 ? counts[f] / total : 0;
  m->alpha = c->alpha;
  m->noise_variance = c->noise;
  m->feature_variance = c->feature;
  m->log_joint = c->log_joint;
  m->n = (int64_t)b->n;
  return MN_OK;
}

mn_status mn_buffet_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct indian_buffet *m = self;
  struct run r;
  MN_TRY(prepare(ctx, m, data, &r));
  double *counts = MN_NEW(ctx, double, r.b.capacity + 1, 1);
  MN_CHECK_ALLOC(counts);
  MN_TRY(run(ctx, m, &r, counts));
  return store(ctx, m, &r, counts);
}
