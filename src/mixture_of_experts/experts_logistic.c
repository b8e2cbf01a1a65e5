/* Logistic experts: multinomial logistic regressions with a score for each class; the scores sum to 0.
 *
 * The density of a row is the probability of its label. Jordan & Jacobs, Neural Computation 6 (1994). */
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

mn_status mn_experts_fit_labels(mn_context *ctx, const mn_experts_problem *p, size_t count, const size_t *row,
                                double *b)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const double weight = p->total / (double)p->n;
  double *a = MN_RAW(ctx, double, count, p->q);
  MN_CHECK_ALLOC(a);
  mn_softmax_fit f = { .n = count,
                       .q = p->q,
                       .k = p->labels,
                       .a = a,
                       .unpenalized = p->q - p->p,
                       .penalty = p->expert_penalty,
                       .scale = weight * (double)count,
                       .blocks = mn_make_blocks(count, 256, SIZE_MAX),
                       .v = b,
                       .target = p->target,
                       .residual = p->residual,
                       .u = p->u,
                       .part = MN_RAW(ctx, double, count, 1) };
  MN_CHECK_ALLOC(f.part);
  MN_TRY(mn_softmax_prepare(ctx, &f));
  memset(f.target, 0, count * p->labels * sizeof *f.target);
  for (size_t i = 0; i < count; i++) {
    memcpy(a + i * p->q, p->e + row[i] * p->q, p->q * sizeof *a);
    f.target[i * p->labels + (size_t)p->data->code[row[i]]] = f.total[i] = weight;
  }
  MN_TRY(mn_softmax_steps(ctx, &f, MAX_STEPS));
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
