#include "glm_objective.h"
#include "../linalg/csr.h"
#include "glm_design.h"
#include <string.h>

enum { MOST_BLOCKS = 32, PIECE_VALUES = 1 << 15, MOST_PIECE = 1024 };
enum { DEVIANCE, OUTSIDE, LEAST_MEAN, LEAST_REST, SUM_OF_MEANS, FACTS };

static mn_status prepare_columns(mn_context *ctx, mn_glm_objective *o)
{
  mn_csr *turned = MN_NEW(ctx, mn_csr, 1, 1);
  o->score = MN_RAW(ctx, double, o->problem->n, 1);
  if (!turned || !o->score) return MN_NO_MEMORY;
  o->turned = turned;
  return mn_csr_turn(ctx, o->problem->sparse, turned);
}

mn_status mn_glm_prepare(mn_context *ctx, const mn_glm_problem *m, mn_glm_objective *o)
{
  *o = (mn_glm_objective){ .problem = m };
  o->piece = PIECE_VALUES / (mn_glm_row_values(m) + 1) + 16;
  if (o->piece > MOST_PIECE) o->piece = MOST_PIECE;
  o->blocks = mn_make_blocks(m->n, o->piece, MOST_BLOCKS);
  o->work = MN_RAW(ctx, double, mn_threads(ctx) * 5, o->piece);
  o->sums = MN_RAW(ctx, double, o->blocks.count, m->p + 1);
  o->facts = MN_RAW(ctx, double, o->blocks.count, FACTS);
  o->gb = MN_NEW(ctx, double, m->p + 1, 1);
  if (!o->work || !o->sums || !o->facts || !o->gb) return MN_NO_MEMORY;
  if (m->by_products && m->l1 > 0) MN_TRY(prepare_columns(ctx, o));
  for (size_t i = 0; i < m->n; i++) {
    o->weights += m->w ? m->w[i] : 1;
    o->mean_answer += (m->w ? m->w[i] : 1) * m->y[i];
  }
  o->mean_answer = o->mean_answer > 0 ? o->mean_answer / o->weights : 1;
  return MN_OK;
}

static void note_means(const mn_glm_problem *m, size_t n, const double *mu, const double *rest, double *facts)
{
  for (size_t i = 0; i < n; i++) {
    facts[LEAST_MEAN] = mu[i] < facts[LEAST_MEAN] ? mu[i] : facts[LEAST_MEAN];
    facts[LEAST_REST] = rest[i] < facts[LEAST_REST] ? rest[i] : facts[LEAST_REST];
    facts[SUM_OF_MEANS] += mu[i];
  }
  if (isfinite(m->family->low)) facts[OUTSIDE] += (double)mn_glm_outside(n, mu, m->family->low, DBL_MAX);
  if (isfinite(m->family->high)) facts[OUTSIDE] += (double)mn_glm_outside(n, rest, 0, DBL_MAX);
}

/* Linear predictors, means, deviance, and back to the same rows for the gradient while they are in cache. */
static void value_of_piece(const mn_glm_objective *o, size_t begin, size_t n, double *work, double *g, double *facts)
{
  const mn_glm_problem *m = o->problem;
  double *eta = work, *mu = eta + o->piece, *rest = mu + o->piece, *dmu = rest + o->piece;
  double *score = o->score ? o->score + begin : dmu + o->piece;
  mn_glm_rows(m, begin, n, o->b, o->c, eta);
  if (m->offset)
    for (size_t i = 0; i < n; i++) eta[i] += m->offset[begin + i];
  facts[OUTSIDE] += (double)m->link->inverse(m->link_power, n, eta, mu, rest, dmu);
  note_means(m, n, mu, rest, facts);
  if (facts[OUTSIDE] > 0) return;
  facts[DEVIANCE] += m->family->deviance(m->parameter, n, m->y + begin, mu, rest, dmu, m->w ? m->w + begin : NULL,
                                         score, o->curvature + begin);
  mn_glm_add_gradient(m, begin, n, score, g);
  for (size_t i = 0; i < n; i++) g[m->p] += score[i];
}

static void value_of_block(void *work, size_t block, size_t worker)
{
  const mn_glm_objective *o = work;
  const size_t p = o->problem->p, end = mn_block_end(&o->blocks, block);
  double *g = o->sums + block * (p + 1), *facts = o->facts + block * FACTS;
  memset(g, 0, (p + 1) * sizeof *g);
  memset(facts, 0, FACTS * sizeof *facts);
  facts[LEAST_MEAN] = facts[LEAST_REST] = INFINITY;
  for (size_t begin = mn_block_begin(&o->blocks, block); begin < end; begin += o->piece)
    value_of_piece(o, begin, end - begin < o->piece ? end - begin : o->piece, o->work + worker * 5 * o->piece, g,
                   facts);
}

static void gather_facts(mn_glm_objective *o, mn_glm_state *s)
{
  double outside = 0, means = 0;
  s->deviance = 0;
  o->least_mean = o->least_rest = INFINITY;
  for (size_t k = 0; k < o->blocks.count; k++) {
    const double *facts = o->facts + k * FACTS;
    s->deviance += facts[DEVIANCE];
    outside += facts[OUTSIDE];
    means += facts[SUM_OF_MEANS];
    o->least_mean = fmin(o->least_mean, facts[LEAST_MEAN]);
    o->least_rest = fmin(o->least_rest, facts[LEAST_REST]);
  }
  o->mean_of_means = means / (double)o->problem->n;
  if (outside > 0 || !isfinite(s->deviance)) s->deviance = INFINITY;
  if (s->deviance < 0) s->deviance = 0; /* rounding of a perfect fit */
}

mn_status mn_glm_value(mn_context *ctx, mn_glm_objective *o, mn_glm_state *s)
{
  const mn_glm_problem *m = o->problem;
  double square = 0, sizes = 0;
  o->b = s->b;
  o->c = s->c;
  o->curvature = s->curvature;
  MN_TRY(mn_parallel(ctx, o->blocks.count, value_of_block, o));
  mn_sum_blocks(o->blocks.count, m->p + 1, o->sums, o->gb);
  o->gc = m->fit_intercept ? o->gb[m->p] : 0;
  for (size_t j = 0; j < m->p; j++) {
    o->gb[j] += m->penalty * s->b[j];
    square += s->b[j] * s->b[j];
    sizes += fabs(s->b[j]);
  }
  gather_facts(o, s);
  s->value = s->deviance / 2 + m->penalty / 2 * square + m->l1 * sizes;
  return MN_OK;
}

struct predictor_work {
  const mn_glm_problem *m;
  const double *b;
  double c, *eta;
  mn_blocks blocks;
};

static void predictor_of_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct predictor_work *w = work;
  const mn_glm_problem *m = w->m;
  const size_t begin = mn_block_begin(&w->blocks, block), end = mn_block_end(&w->blocks, block);
  mn_glm_rows(m, begin, end - begin, w->b, w->c, w->eta + begin);
  if (m->offset)
    for (size_t i = begin; i < end; i++) w->eta[i] += m->offset[i];
}

mn_status mn_glm_predictor(mn_context *ctx, const mn_glm_problem *m, const double *b, double c, double *eta)
{
  struct predictor_work w = { .m = m, .b = b, .c = c, .eta = eta };
  w.blocks = mn_make_blocks(m->n, PIECE_VALUES / (mn_glm_row_values(m) + 1) + 16, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, predictor_of_block, &w);
}
