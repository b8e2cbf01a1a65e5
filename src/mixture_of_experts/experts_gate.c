/* The M step of the gates: each node is a multinomial logistic regression of its children's responsibilities
 * (softmax_fit.h). A few steps from the current coefficients suffice, because generalized EM only requires that the
 * objective decrease. Jordan & Jacobs, Neural Computation 6 (1994). */
#include "experts.h"
#include "softmax_fit.h"
#include <string.h>

enum { MAX_STEPS = 5 };

/* Responsibilities of all children, summed from the experts upward; into score, whose values are no longer needed. */
static void sum_responsibilities(mn_experts_problem *p)
{
  const size_t leaves = p->children - p->k; /* index of the first leaf */
  for (size_t i = 0; i < p->n; i++) {
    double *h = p->score + i * p->children;
    memcpy(h + leaves, p->r + i * p->k, p->k * sizeof *h);
    memset(h, 0, leaves * sizeof *h);
    for (size_t c = p->children; c-- > p->branching;) h[c / p->branching - 1] += h[c];
  }
}

static void set_targets(const mn_experts_problem *p, mn_softmax_fit *f, size_t node)
{
  for (size_t i = 0; i < p->n; i++) {
    const double *h = p->score + i * p->children + node * f->k;
    f->total[i] = 0;
    for (size_t j = 0; j < f->k; j++) {
      f->target[i * f->k + j] = mn_weight(p->data, i) * h[j];
      f->total[i] += f->target[i * f->k + j];
    }
  }
}

mn_status mn_experts_fit_gates(mn_context *ctx, mn_experts_problem *p, mn_experts_state *s)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_softmax_fit f = { .n = p->n,
                       .q = p->p + 1,
                       .k = p->branching,
                       .a = p->a,
                       .unpenalized = 1,
                       .penalty = p->gate_penalty,
                       .scale = p->total,
                       .blocks = p->blocks,
                       .target = p->target,
                       .residual = p->residual,
                       .u = p->u,
                       .part = p->part };
  MN_TRY(mn_softmax_prepare(ctx, &f));
  sum_responsibilities(p);
  for (size_t node = 0; node < p->nodes; node++) {
    f.v = s->v + node * f.k * f.q;
    set_targets(p, &f, node);
    MN_TRY(mn_softmax_steps(ctx, &f, MAX_STEPS));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

double mn_experts_penalty(const mn_experts_problem *p, const mn_experts_state *s)
{
  const size_t q = p->p + 1;
  double sum = 0;
  for (size_t c = 0; c < p->children; c++)
    for (size_t j = 1; j < q; j++) sum += s->v[c * q + j] * s->v[c * q + j];
  return p->gate_penalty / 2 * sum + mn_experts_label_penalty(p, s);
}
