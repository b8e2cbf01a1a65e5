/* Gradient descent with momentum and gains: Jacobs, Neural Networks 1 (1988). The affinities are multiplied by
 * `early_exaggeration` in the first iterations and by `exaggeration` in the others. */
#include "tsne.h"
#include <math.h>
#include <string.h>

enum {
  DIVERGENCE_EVERY = 10, /* iterations: the divergence takes as long as a gradient */
  CHECK_EVERY = 50       /* iterations between tests of convergence                */
};

/* More iterations are not advised if the divergence has fallen by at most this fraction since the last test. */
static const double settled = 0.01;

/* Of the automatic rate: rows / max(exaggeration, 1), as Belkina et al., Nature Communications 10 (2019), over 4, since
 * their gradient lacks that factor. */
static const double least_rate = 50;

struct descent {
  struct mn_tsne *model;
  mn_tsne_forces *forces;
  double *update, *gain; /* n x dims                                  */
  double *square, *mean; /* of each block: squared gradient; dims     */
  double momentum, exaggeration, rate, scale;
  mn_blocks blocks;
  double best, previous; /* least divergence; divergence at the last test */
  int64_t best_iter;
};

/* One row: gradient, gains, and the step. Returns the squared norm of the gradient times its gains. */
static double step_row(const struct descent *d, size_t i)
{
  const mn_tsne_forces *f = d->forces;
  const double push = 1 / f->normalization;
  double square = 0, length = 0;
  for (size_t e = i * f->dims; e < (i + 1) * f->dims; e++) {
    const double gradient = d->scale * (d->exaggeration * f->attraction[e] - push * f->repulsion[e]);
    const bool turned = d->update[e] * gradient < 0;
    d->gain[e] = fmax(turned ? d->gain[e] + 0.2 : d->gain[e] * 0.8, 0.01);
    const double scaled = d->gain[e] * gradient;
    d->update[e] = d->momentum * d->update[e] - d->rate * scaled;
    square += scaled * scaled;
    length += d->update[e] * d->update[e];
  }
  const double most = d->model->max_step_norm, shrink = length > most * most ? most / sqrt(length) : 1;
  for (size_t e = i * f->dims; e < (i + 1) * f->dims; e++) {
    d->update[e] *= shrink;
    f->y[e] += d->update[e];
  }
  return square;
}

static void step_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct descent *d = work;
  const size_t dims = d->forces->dims;
  double *mean = d->mean + block * dims;
  d->square[block] = 0;
  for (size_t c = 0; c < dims; c++) mean[c] = 0;
  for (size_t i = mn_block_begin(&d->blocks, block); i < mn_block_end(&d->blocks, block); i++) {
    d->square[block] += step_row(d, i);
    for (size_t c = 0; c < dims; c++) mean[c] += d->forces->y[i * dims + c] / (double)d->forces->n;
  }
}

static bool is_bounded(size_t n, const double *y)
{
  const double bound = 1e60;
  for (size_t e = 0; e < n; e++)
    if (!(fabs(y[e]) <= bound)) return false;
  return true;
}

/* One step of all rows, after which the map is centered. *norm = that of the gradient. */
static mn_status step(mn_context *ctx, struct descent *d, double *norm)
{
  mn_tsne_forces *f = d->forces;
  MN_TRY(mn_parallel(ctx, d->blocks.count, step_block, d));
  double square = 0, *mean = d->mean + d->blocks.count * f->dims;
  for (size_t b = 0; b < d->blocks.count; b++) square += d->square[b];
  mn_sum_blocks(d->blocks.count, f->dims, d->mean, mean);
  for (size_t i = 0; i < f->n; i++)
    for (size_t c = 0; c < f->dims; c++) f->y[i * f->dims + c] -= mean[c];
  *norm = sqrt(square);
  if (is_bounded(f->n * f->dims, f->y)) return MN_OK;
  return mn_fail(ctx, MN_SINGULAR, "%s: the map diverges; decrease learning_rate or max_step_norm", mn_tsne_name);
}

static void begin_phase(struct descent *d, bool early)
{
  struct mn_tsne *m = d->model;
  const size_t values = d->forces->n * d->forces->dims;
  d->exaggeration = early ? m->early_exaggeration : m->exaggeration;
  d->momentum = early ? m->initial_momentum : m->final_momentum;
  const double automatic = fmax((double)d->forces->n / fmax(d->exaggeration, 1) / 4, least_rate);
  d->rate = isnan(m->learning_rate) ? automatic : m->learning_rate;
  m->effective_learning_rate = d->rate;
  for (size_t e = 0; e < values; e++) {
    d->update[e] = 0;
    d->gain[e] = 1;
  }
  d->best = d->previous = INFINITY;
}

/* Whether to stop: no progress, or a gradient of 0. Without that the map may still be good enough. */
static bool test(struct descent *d, mn_report *r, double norm)
{
  const double now = d->forces->divergence;
  r->change = norm;
  r->advice = d->previous - now <= settled * fabs(now) ? NULL : "increase max_iter";
  d->previous = now;
  if (now < d->best) {
    d->best = now;
    d->best_iter = r->n_iter;
  }
  r->converged = norm <= d->model->min_grad_norm || r->n_iter - d->best_iter >= d->model->n_iter_without_progress;
  return r->converged;
}

static void keep_snapshot(struct mn_tsne *m, const mn_tsne_forces *f, int64_t iteration)
{
  if (m->snapshot_interval == MN_UNSET || iteration % m->snapshot_interval != 0) return;
  const size_t values = f->n * f->dims, at = (size_t)(iteration / m->snapshot_interval - 1);
  memcpy(m->snapshots.at + at * values, f->y, values * sizeof *f->y);
}

static mn_status iterate(mn_context *ctx, struct mn_tsne *m, struct descent *d)
{
  mn_report *r = &m->base.report;
  mn_tsne_forces *f = d->forces;
  double norm;
  bool stop = false, current = false;
  *r = (mn_report){ .advice = "increase max_iter beyond early_exaggeration_iter" };
  MN_TRY(mn_tsne_forces_find(ctx, f, true));
  do {
    const int64_t iteration = r->n_iter + 1;
    if (iteration == 1 || iteration == m->early_exaggeration_iter + 1)
      begin_phase(d, iteration <= m->early_exaggeration_iter);
    MN_TRY(step(ctx, d, &norm));
    current = iteration % DIVERGENCE_EVERY == 0 || iteration == m->max_iter;
    MN_TRY(mn_tsne_forces_find(ctx, f, current));
    keep_snapshot(m, f, iteration);
    if (!mn_round(ctx, r, m->max_iter, f->divergence)) break;
    if (iteration > m->early_exaggeration_iter && iteration % CHECK_EVERY == 0) stop = test(d, r, norm);
  } while (!stop && r->n_iter < m->max_iter);
  if (!current) MN_TRY(mn_tsne_forces_find(ctx, f, true));
  r->objective = m->kl_divergence = f->divergence;
  return MN_OK;
}

mn_status mn_tsne_descend(mn_context *ctx, struct mn_tsne *m, mn_tsne_forces *f)
{
  const mn_blocks blocks = mn_make_blocks(f->n, 1024, SIZE_MAX);
  struct descent d = { .model = m,
                       .forces = f,
                       .update = MN_RAW(ctx, double, f->n, f->dims),
                       .gain = MN_RAW(ctx, double, f->n, f->dims),
                       .square = MN_RAW(ctx, double, blocks.count, 1),
                       .mean = MN_RAW(ctx, double, blocks.count + 1, f->dims),
                       .scale = 2 * (f->dof + 1) / f->dof,
                       .blocks = blocks };
  if (!d.update || !d.gain || !d.square || !d.mean) return MN_NO_MEMORY;
  if (m->snapshot_interval != MN_UNSET) {
    const size_t most = (size_t)(m->max_iter / m->snapshot_interval);
    MN_TRY(mn_matrix_init(ctx, &m->snapshots, most * f->n, f->dims));
  }
  MN_TRY(iterate(ctx, m, &d));
  if (m->snapshot_interval != MN_UNSET)
    m->snapshots.rows = (size_t)(m->base.report.n_iter / m->snapshot_interval) * f->n;
  return MN_OK;
}
