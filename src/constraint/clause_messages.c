#include "clause_messages.h"
#include <math.h>
#include <string.h>

static const double TINY = 1e-14;

mn_status mn_clause_messages_new(mn_context *ctx, mn_partial *p, mn_clause_messages *q)
{
  const mn_formula *f = p->f;
  q->p = p;
  q->longest = 0;
  for (size_t c = 0; c < f->m; c++) {
    const size_t length = (size_t)(f->start[c + 1] - f->start[c]);
    if (length > q->longest) q->longest = length;
  }
  q->eta = MN_NEW(ctx, double, (size_t)f->start[f->m] + 1, 1);
  q->product = MN_NEW(ctx, double, f->n + 1, 2);
  q->zeros = MN_NEW(ctx, int32_t, f->n + 1, 2);
  q->ratio = MN_NEW(ctx, double, q->longest + 1, 3);
  q->order = MN_NEW(ctx, size_t, f->m + 1, 1);
  return q->eta && q->product && q->zeros && q->ratio && q->order ? MN_OK : MN_NO_MEMORY;
}

void mn_clause_messages_draw(mn_clause_messages *q, mn_rng *rng)
{
  for (int32_t e = 0; e < q->p->f->start[q->p->f->m]; e++) q->eta[e] = mn_random_uniform(rng);
}

/* The two products of each free variable from its messages: factors replaced one by one would let rounding errors grow.
 */
static void compute_products(mn_clause_messages *q)
{
  const mn_partial *p = q->p;
  for (size_t v = 0; v < p->f->n; v++) {
    q->product[2 * v] = q->product[2 * v + 1] = 1;
    q->zeros[2 * v] = q->zeros[2 * v + 1] = 0;
    for (size_t k = p->first[v]; k < p->first[v + 1] && p->value[v] == 0; k++) {
      const size_t e = p->edge[k], side = 2 * v + (p->f->literal[e] < 0);
      if (p->satisfied[p->clause[e]] > 0) continue;
      if (1 - q->eta[e] < TINY)
        q->zeros[side]++;
      else
        q->product[side] *= 1 - q->eta[e];
    }
  }
}

static double whole(const mn_clause_messages *q, size_t side)
{
  return q->zeros[side] > 0 ? 0 : q->product[side];
}

/* The product of a side without one of its factors. */
static double without(const mn_clause_messages *q, size_t side, double factor)
{
  if (factor < TINY) return q->zeros[side] > 1 ? 0 : q->product[side];
  return q->zeros[side] > 0 ? 0 : q->product[side] / factor;
}

static void replace(mn_clause_messages *q, size_t side, double old, double factor)
{
  if (old < TINY)
    q->zeros[side]--;
  else
    q->product[side] /= old;
  if (factor < TINY)
    q->zeros[side]++;
  else
    q->product[side] *= factor;
}

/* New messages of clause c; returns the largest change. */
static double update(mn_clause_messages *q, size_t c)
{
  const mn_partial *p = q->p;
  const size_t begin = (size_t)p->f->start[c], length = (size_t)p->f->start[c + 1] - begin;
  double *ratio = q->ratio, *before = ratio + q->longest, *after = before + q->longest, change = 0;
  for (size_t k = 0; k < length; k++) {
    const int32_t literal = p->f->literal[begin + k];
    const size_t v = mn_literal_variable(literal), side = 2 * v + (literal < 0);
    ratio[k] = 1; /* a fixed variable violates a clause that is not satisfied */
    if (p->value[v] != 0) continue;
    const double satisfies = whole(q, side ^ 1);
    const double violates = (1 - q->rho * satisfies) * without(q, side, 1 - q->eta[begin + k]);
    ratio[k] = violates + satisfies > 0 ? violates / (violates + satisfies) : 0.5;
  }
  for (size_t k = 0; k < length; k++) before[k] = k > 0 ? before[k - 1] * ratio[k - 1] : 1;
  for (size_t k = length; k-- > 0;) after[k] = k + 1 < length ? after[k + 1] * ratio[k + 1] : 1;
  for (size_t k = 0; k < length; k++) {
    const int32_t literal = p->f->literal[begin + k];
    const size_t v = mn_literal_variable(literal);
    if (p->value[v] != 0) continue;
    const double value = before[k] * after[k], old = q->eta[begin + k];
    replace(q, 2 * v + (literal < 0), 1 - old, 1 - value);
    q->eta[begin + k] = value;
    change = fmax(change, fabs(value - old));
  }
  return change;
}

mn_status mn_clause_messages_run(mn_context *ctx, mn_clause_messages *q, mn_rng *rng, size_t *sweeps, bool *converged)
{
  size_t active = 0;
  for (size_t c = 0; c < q->p->f->m; c++)
    if (q->p->satisfied[c] == 0) q->order[active++] = c;
  *converged = false;
  for (size_t i = 0; i < q->max_iter && !*converged; i++) {
    double change = 0;
    compute_products(q);
    mn_shuffle(rng, q->order, active);
    for (size_t k = 0; k < active; k++) change = fmax(change, update(q, q->order[k]));
    ++*sweeps;
    *converged = change <= q->tol;
    MN_TRY(mn_poll(ctx));
  }
  compute_products(q);
  return MN_OK;
}

void mn_clause_bias(const mn_clause_messages *q, size_t v, double bias[3])
{
  const double positive = whole(q, 2 * v), negative = whole(q, 2 * v + 1);
  bias[0] = (1 - q->rho * positive) * negative;
  bias[1] = (1 - q->rho * negative) * positive;
  bias[2] = q->rho * positive * negative;
  const double sum = bias[0] + bias[1] + bias[2];
  for (int k = 0; k < 3; k++) bias[k] = sum > 0 ? bias[k] / sum : (k < 2 ? 0.5 : 0);
}
