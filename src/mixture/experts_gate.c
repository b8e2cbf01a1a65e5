/* The M step of the gates: each node is a multinomial logistic regression of its children's responsibilities
 * (softmax_fit.h). Few steps are taken, from where the gate is: EM needs no more than that the objective falls. Jordan
 * & Jacobs, Neural Computation 6 (1994). */
#include "experts.h"
#include "softmax_fit.h"
#include <string.h>

enum { MOST_STEPS = 5 };

/* Responsibilities of all children, from those of the experts upwards; into score, whose log shares are not needed any
 * more. */
static void collect(mn_experts_problem *p)
{
  const size_t leaves = p->children - p->k; /* where they begin */
  for (size_t i = 0; i < p->n; i++) {
    double *h = p->score + i * p->children;
    memcpy(h + leaves, p->r + i * p->k, p->k * sizeof *h);
    memset(h, 0, leaves * sizeof *h);
    for (size_t c = p->children; c-- > p->branching;) h[c / p->branching - 1] += h[c];
  }
}

static void take_node(const mn_experts_problem *p, mn_softmax_fit *f, size_t node)
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

mn_status mn_experts_maximise_gates(mn_context *ctx, mn_experts_problem *p, mn_experts_state *s)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_softmax_fit f = { .n = p->n,
                       .q = p->p + 1,
                       .k = p->branching,
                       .a = p->a,
                       .constants = 1,
                       .penalty = p->gate_penalty,
                       .scale = p->total,
                       .blocks = p->blocks,
                       .target = p->target,
                       .residue = p->residue,
                       .u = p->u,
                       .part = p->part };
  MN_TRY(mn_softmax_prepare(ctx, &f));
  collect(p);
  for (size_t node = 0; node < p->nodes; node++) {
    f.v = s->v + node * f.k * f.q;
    take_node(p, &f, node);
    MN_TRY(mn_softmax_steps(ctx, &f, MOST_STEPS));
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
