/* The M step of the gates: each node is a multinomial logistic regression of its children's responsibilities h_ij,
 *
 *     f(v) = -sum_i w_i sum_j h_ij log softmax_j(a_i v) + penalty / 2 sum_j |v_j|^2     (the constants not penalised),
 *
 * by Newton's method (iteratively reweighted least squares) in the differences to the last child, each step halved
 * until f does not rise. Few steps are taken, from where the gate is: EM needs no more than that f falls. Jordan &
 * Jacobs, Neural Computation 6 (1994). */
#include "../math/lapack.h"
#include "../math/product.h"
#include "../math/row_softmax.h"
#include "experts.h"
#include <string.h>

enum { MOST_STEPS = 5, MOST_HALVINGS = 30 };

struct gate {
  mn_experts_problem *p;
  size_t k, q;              /* children, columns of a         */
  double *v, *old;          /* k x q                          */
  double *total;            /* n: w_i sum_j h_ij              */
  double *gradient, *step;  /* (k - 1) x q                    */
  double *hessian, *square; /* (k - 1) q of each, q x q       */
  double value;
};

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

static void take_node(struct gate *g, size_t node)
{
  const mn_experts_problem *p = g->p;
  for (size_t i = 0; i < p->n; i++) {
    const double *h = p->score + i * p->children + node * g->k;
    g->total[i] = 0;
    for (size_t j = 0; j < g->k; j++) {
      p->target[i * g->k + j] = mn_weight(p->data, i) * h[j];
      g->total[i] += p->target[i * g->k + j];
    }
  }
}

static void value_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct gate *g = work;
  const mn_experts_problem *p = g->p;
  double value = 0;
  for (size_t i = mn_block_begin(&p->blocks, block); i < mn_block_end(&p->blocks, block); i++) {
    double *share = p->residue + i * g->k;
    mn_row_log_softmax(1, g->k, share);
    for (size_t j = 0; j < g->k; j++) {
      value -= p->target[i * g->k + j] * share[j];
      share[j] = exp(share[j]);
    }
  }
  p->part[block] = value;
}

static double squares(const struct gate *g)
{
  double sum = 0;
  for (size_t j = 0; j < g->k; j++)
    for (size_t c = 1; c < g->q; c++) sum += g->v[j * g->q + c] * g->v[j * g->q + c];
  return sum;
}

/* f at v; the shares of the children into p->residue. */
static mn_status value_of(mn_context *ctx, struct gate *g)
{
  mn_experts_problem *p = g->p;
  MN_TRY(mn_gemm(ctx, false, true, p->n, g->k, g->q, 1, p->a, g->q, g->v, g->q, 0, p->residue, g->k));
  MN_TRY(mn_parallel(ctx, p->blocks.count, value_block, g));
  mn_add_blocks(p->blocks.count, 1, p->part, &g->value);
  g->value += p->gate_penalty / 2 * squares(g);
  return MN_OK;
}

/* Block (i, j) of the Hessian, and its mirror image. sum_j |v_j|^2 in the differences d_j to the last child is
 * sum_j |d_j|^2 - |sum_j d_j|^2 / k. */
static mn_status hessian_block(mn_context *ctx, struct gate *g, size_t i, size_t j)
{
  mn_experts_problem *p = g->p;
  const size_t q = g->q, order = (g->k - 1) * q;
  const double same = i == j ? 1 : 0, penalty = p->gate_penalty * (same - 1 / (double)g->k);
  for (size_t row = 0; row < p->n; row++) {
    const double *share = p->residue + row * g->k;
    p->u[row] = g->total[row] * share[i] * (same - share[j]);
  }
  MN_TRY(mn_syrk(ctx, p->n, q, p->a, q, p->u, NULL, g->square, q));
  for (size_t c = 0; c < q; c++)
    for (size_t d = 0; d < q; d++) {
      const double value = g->square[c * q + d] + (c == d && c > 0 ? penalty : 0);
      g->hessian[(i * q + c) * order + j * q + d] = value;
      g->hessian[(j * q + d) * order + i * q + c] = value;
    }
  return MN_OK;
}

/* sum_i (total_i g_ij - h_ij) a_i + penalty v_j, into `step` with the other sign; of v_j the mean is 0. */
static mn_status make_gradient(mn_context *ctx, struct gate *g)
{
  mn_experts_problem *p = g->p;
  for (size_t j = 0; j + 1 < g->k; j++) {
    for (size_t i = 0; i < p->n; i++) p->u[i] = g->total[i] * p->residue[i * g->k + j] - p->target[i * g->k + j];
    double *part = g->gradient + j * g->q;
    MN_TRY(mn_gemv(ctx, true, p->n, g->q, 1, p->a, g->q, p->u, 0, part));
    for (size_t c = 1; c < g->q; c++) part[c] += p->gate_penalty * g->v[j * g->q + c];
  }
  for (size_t c = 0; c < (g->k - 1) * g->q; c++) g->step[c] = -g->gradient[c];
  return MN_OK;
}

/* Solve for the step, with as much on the diagonal as it takes. */
static mn_status solve(mn_context *ctx, struct gate *g)
{
  const size_t order = (g->k - 1) * g->q;
  double largest = 0;
  size_t minor = 1;
  for (size_t c = 0; c < order; c++) largest = fmax(largest, g->hessian[c * order + c]);
  const mn_mark mark = mn_scratch_mark(ctx);
  double *l = MN_RAW(ctx, double, order, order);
  MN_NEED(l);
  for (double jitter = 1e-12; minor > 0 && jitter < 1; jitter *= 1e3) {
    memcpy(l, g->hessian, order * order * sizeof *l);
    for (size_t c = 0; c < order; c++) l[c * order + c] += jitter * largest + DBL_MIN;
    MN_TRY(mn_chol_try(ctx, order, l, NULL, &minor));
  }
  if (minor == 0)
    MN_TRY(mn_chol_apply(ctx, order, 1, l, g->step));
  else
    memset(g->step, 0, order * sizeof *g->step);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* v = old + share step, in weights that add up to 0 over the children. */
static void move(struct gate *g, double share)
{
  for (size_t c = 0; c < g->q; c++) {
    double sum = 0;
    for (size_t j = 0; j + 1 < g->k; j++) sum += g->step[j * g->q + c];
    for (size_t j = 0; j < g->k; j++) {
      const double step = (j + 1 < g->k ? g->step[j * g->q + c] : 0) - sum / (double)g->k;
      g->v[j * g->q + c] = g->old[j * g->q + c] + share * step;
    }
  }
}

/* One step of Newton's method. *done: f cannot fall by more than rounding. */
static mn_status newton(mn_context *ctx, struct gate *g, bool *done)
{
  const double before = g->value;
  double slope = 0;
  MN_TRY(make_gradient(ctx, g));
  for (size_t i = 0; i + 1 < g->k; i++)
    for (size_t j = 0; j <= i; j++) MN_TRY(hessian_block(ctx, g, i, j));
  MN_TRY(solve(ctx, g));
  for (size_t c = 0; c < (g->k - 1) * g->q; c++) slope += g->gradient[c] * g->step[c];
  *done = true;
  if (!(-slope > 1e-13 * (fabs(before) + g->p->total * 1e-3))) return MN_OK;
  memcpy(g->old, g->v, g->k * g->q * sizeof *g->v);
  double share = 1;
  for (size_t t = 0; t < MOST_HALVINGS; t++, share /= 2) {
    move(g, share);
    MN_TRY(value_of(ctx, g));
    if (g->value <= before + 1e-4 * share * slope) {
      *done = !(before - g->value > 1e-10 * g->p->total);
      return MN_OK;
    }
  }
  memcpy(g->v, g->old, g->k * g->q * sizeof *g->v);
  g->value = before;
  return MN_OK;
}

static mn_status make_gate(mn_context *ctx, mn_experts_problem *p, struct gate *g)
{
  const size_t k = g->k = p->branching, q = g->q = p->p + 1, order = (k - 1) * q;
  g->p = p;
  g->old = MN_RAW(ctx, double, k, q);
  g->total = MN_RAW(ctx, double, p->n, 1);
  g->gradient = MN_RAW(ctx, double, order, 1);
  g->step = MN_RAW(ctx, double, order, 1);
  g->hessian = MN_RAW(ctx, double, order, order);
  g->square = MN_RAW(ctx, double, q, q);
  return g->old && g->total && g->gradient && g->step && g->hessian && g->square ? MN_OK : MN_NO_MEMORY;
}

mn_status mn_experts_maximise_gates(mn_context *ctx, mn_experts_problem *p, mn_experts_state *s)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct gate g;
  MN_TRY(make_gate(ctx, p, &g));
  collect(p);
  for (size_t node = 0; node < p->nodes; node++) {
    bool done = false;
    g.v = s->v + node * g.k * g.q;
    take_node(&g, node);
    MN_TRY(value_of(ctx, &g));
    for (size_t step = 0; step < MOST_STEPS && !done; step++) MN_TRY(newton(ctx, &g, &done));
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
  return p->gate_penalty / 2 * sum;
}
