/* Logistic experts: multinomial logistic regressions with a score for each class; the scores sum to 0.
 *
 * E: the density of a row is the probability of its label. M: a softmax regression with weights w_i r_ik
 * (softmax_fit.h), by a few Newton steps from the current coefficients, which never increase the objective. Jordan &
 * Jacobs, Neural Computation 6 (1994). */
#include "../linalg/product.h"
#include "../linalg/row_softmax.h"
#include "experts.h"
#include "softmax_fit.h"
#include <string.h>

enum { MAX_STEPS = 5 };

mn_status mn_experts_label_scores(mn_context *ctx, mn_experts_problem *p, const mn_experts_state *s)
{
  const size_t scores = p->k * p->labels;
  return mn_gemm(ctx, false, true, p->n, scores, p->q, 1, p->e, p->q, s->b, p->q, 0, p->label_score, scores);
}

void mn_experts_label_densities(const mn_experts_problem *p, size_t row, double *log_density)
{
  double *score = p->label_score + row * p->k * p->labels;
  mn_row_log_softmax(p->k, p->labels, score);
  for (size_t k = 0; k < p->k; k++) log_density[k] = score[k * p->labels + (size_t)p->data->code[row]];
}

mn_status mn_experts_fit_labels(mn_context *ctx, mn_experts_problem *p, double *b)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_softmax_fit f = { .n = p->n,
                       .q = p->q,
                       .k = p->labels,
                       .a = p->e,
                       .unpenalized = p->q - p->p,
                       .penalty = p->expert_penalty,
                       .scale = p->total,
                       .blocks = p->blocks,
                       .v = b,
                       .target = p->target,
                       .residual = p->residual,
                       .u = p->u,
                       .part = p->part };
  MN_TRY(mn_softmax_prepare(ctx, &f));
  memcpy(f.total, p->u, p->n * sizeof *f.total);
  memset(f.target, 0, p->n * p->labels * sizeof *f.target);
  for (size_t i = 0; i < p->n; i++) f.target[i * p->labels + (size_t)p->data->code[i]] = f.total[i];
  MN_TRY(mn_softmax_steps(ctx, &f, MAX_STEPS));
  p->expert_rank += p->design_rank * (int64_t)(p->labels - 1);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

double mn_experts_label_penalty(const mn_experts_problem *p, const mn_experts_state *s)
{
  double sum = 0;
  for (size_t c = 0; c < p->k * p->labels; c++)
    for (size_t j = p->q - p->p; j < p->q; j++) sum += s->b[c * p->q + j] * s->b[c * p->q + j];
  return p->expert_penalty / 2 * sum;
}
