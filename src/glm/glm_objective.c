#include "glm_objective.h"
#include "../linalg/csr.h"
#include "glm_design.h"
#include <string.h>

enum { MAX_BLOCKS = 32, CHUNK_VALUES = 1 << 15, MAX_CHUNK_ROWS = 1024 };
enum { DEVIANCE, OUT_OF_RANGE, MIN_MEAN, MIN_COMPLEMENT, MEAN_SUM, STATS };

static mn_status init_columns(mn_context *ctx, mn_glm_objective *o)
{
  mn_csr *transposed = MN_NEW(ctx, mn_csr, 1, 1);
  o->score = MN_RAW(ctx, double, o->problem->n, 1);
  if (!transposed || !o->score) return MN_NO_MEMORY;
  o->transposed = transposed;
  return mn_csr_transpose_scratch(ctx, o->problem->sparse, transposed);
}

mn_status mn_glm_objective_init(mn_context *ctx, const mn_glm_problem *m, mn_glm_objective *o)
{
  *o = (mn_glm_objective){ .problem = m };
  o->chunk = CHUNK_VALUES / (mn_glm_mean_row_size(m) + 1) + 16;
  if (o->chunk > MAX_CHUNK_ROWS) o->chunk = MAX_CHUNK_ROWS;
  o->blocks = mn_make_blocks(m->n, o->chunk, MAX_BLOCKS);
  o->buffers = MN_RAW(ctx, double, mn_threads(ctx) * 5, o->chunk);
  o->gradients = MN_RAW(ctx, double, o->blocks.count, m->p + 1);
  o->stats = MN_RAW(ctx, double, o->blocks.count, STATS);
  o->gb = MN_NEW(ctx, double, m->p + 1, 1);
  if (!o->buffers || !o->gradients || !o->stats || !o->gb) return MN_NO_MEMORY;
  if (m->implicit_hessian && m->l1 > 0) MN_TRY(init_columns(ctx, o));
  for (size_t i = 0; i < m->n; i++) {
    o->weight_sum += m->w ? m->w[i] : 1;
    o->mean_y += (m->w ? m->w[i] : 1) * m->y[i];
  }
  o->mean_y = o->mean_y > 0 ? o->mean_y / o->weight_sum : 1;
  return MN_OK;
}

static void collect_mean_stats(const mn_glm_problem *m, size_t n, const double *mu, const double *complement,
                               double *stats)
{
  for (size_t i = 0; i < n; i++) {
    stats[MIN_MEAN] = mu[i] < stats[MIN_MEAN] ? mu[i] : stats[MIN_MEAN];
    stats[MIN_COMPLEMENT] = complement[i] < stats[MIN_COMPLEMENT] ? complement[i] : stats[MIN_COMPLEMENT];
    stats[MEAN_SUM] += mu[i];
  }
  if (isfinite(m->family->mu_min))
    stats[OUT_OF_RANGE] += (double)mn_glm_count_outside(n, mu, m->family->mu_min, DBL_MAX);
  if (isfinite(m->family->mu_max)) stats[OUT_OF_RANGE] += (double)mn_glm_count_outside(n, complement, 0, DBL_MAX);
}

/* Compute linear predictors, means and deviance of a chunk, then its gradient while the rows are in cache. */
static void evaluate_chunk(const mn_glm_objective *o, size_t begin, size_t n, double *work, double *g, double *stats)
{
  const mn_glm_problem *m = o->problem;
  double *eta = work, *mu = eta + o->chunk, *complement = mu + o->chunk, *dmu = complement + o->chunk;
  double *score = o->score ? o->score + begin : dmu + o->chunk;
  mn_glm_row_predictors(m, begin, n, o->b, o->c, eta);
  if (m->offset)
    for (size_t i = 0; i < n; i++) eta[i] += m->offset[begin + i];
  stats[OUT_OF_RANGE] += (double)m->link->inverse(m->link_power, n, eta, mu, complement, dmu);
  collect_mean_stats(m, n, mu, complement, stats);
  if (stats[OUT_OF_RANGE] > 0) return;
  stats[DEVIANCE] += m->family->deviance(m->parameter, n, m->y + begin, mu, complement, dmu, m->w ? m->w + begin : NULL,
                                         score, o->curvature + begin);
  mn_glm_add_gradient(m, begin, n, score, g);
  for (size_t i = 0; i < n; i++) g[m->p] += score[i];
}

static void evaluate_block(void *work, size_t block, size_t worker)
{
  const mn_glm_objective *o = work;
  const size_t p = o->problem->p, end = mn_block_end(&o->blocks, block);
  double *g = o->gradients + block * (p + 1), *stats = o->stats + block * STATS;
  memset(g, 0, (p + 1) * sizeof *g);
  memset(stats, 0, STATS * sizeof *stats);
  stats[MIN_MEAN] = stats[MIN_COMPLEMENT] = INFINITY;
  for (size_t begin = mn_block_begin(&o->blocks, block); begin < end; begin += o->chunk)
    evaluate_chunk(o, begin, end - begin < o->chunk ? end - begin : o->chunk, o->buffers + worker * 5 * o->chunk, g,
                   stats);
}

static void sum_stats(mn_glm_objective *o, mn_glm_state *s)
{
  double out_of_range = 0, means = 0;
  s->deviance = 0;
  o->min_mean = o->min_complement = INFINITY;
  for (size_t k = 0; k < o->blocks.count; k++) {
    const double *stats = o->stats + k * STATS;
    s->deviance += stats[DEVIANCE];
    out_of_range += stats[OUT_OF_RANGE];
    means += stats[MEAN_SUM];
    o->min_mean = fmin(o->min_mean, stats[MIN_MEAN]);
    o->min_complement = fmin(o->min_complement, stats[MIN_COMPLEMENT]);
  }
  o->mean_mu = means / (double)o->problem->n;
  if (out_of_range > 0 || !isfinite(s->deviance)) s->deviance = INFINITY;
  if (s->deviance < 0) s->deviance = 0; /* rounding of a perfect fit */
}

mn_status mn_glm_evaluate(mn_context *ctx, mn_glm_objective *o, mn_glm_state *s)
{
  const mn_glm_problem *m = o->problem;
  double square = 0, absolute = 0;
  o->b = s->b;
  o->c = s->c;
  o->curvature = s->curvature;
  MN_TRY(mn_parallel(ctx, o->blocks.count, evaluate_block, o));
  mn_sum_blocks(o->blocks.count, m->p + 1, o->gradients, o->gb);
  o->gc = m->fit_intercept ? o->gb[m->p] : 0;
  for (size_t j = 0; j < m->p; j++) {
    o->gb[j] += m->penalty * s->b[j];
    square += s->b[j] * s->b[j];
    absolute += fabs(s->b[j]);
  }
  sum_stats(o, s);
  s->value = s->deviance / 2 + m->penalty / 2 * square + m->l1 * absolute;
  return MN_OK;
}

struct predictor_work {
  const mn_glm_problem *m;
  const double *b;
  double c, *eta;
  mn_blocks blocks;
};

static void predict_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct predictor_work *w = work;
  const mn_glm_problem *m = w->m;
  const size_t begin = mn_block_begin(&w->blocks, block), end = mn_block_end(&w->blocks, block);
  mn_glm_row_predictors(m, begin, end - begin, w->b, w->c, w->eta + begin);
  if (m->offset)
    for (size_t i = begin; i < end; i++) w->eta[i] += m->offset[i];
}

mn_status mn_glm_linear_predictor(mn_context *ctx, const mn_glm_problem *m, const double *b, double c, double *eta)
{
  struct predictor_work w = { .m = m, .b = b, .c = c, .eta = eta };
  w.blocks = mn_make_blocks(m->n, CHUNK_VALUES / (mn_glm_mean_row_size(m) + 1) + 16, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, predict_block, &w);
}
