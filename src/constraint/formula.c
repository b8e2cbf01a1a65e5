#include "formula.h"
#include <string.h>

mn_status mn_partial_new(mn_context *ctx, const mn_formula *f, mn_partial *p)
{
  const size_t edges = (size_t)f->start[f->m];
  p->f = f;
  p->first = MN_NEW(ctx, size_t, f->n + 2, 1);
  p->edge = MN_RAW(ctx, size_t, edges + 1, 1);
  p->clause = MN_RAW(ctx, size_t, edges + 1, 1);
  p->value = MN_RAW(ctx, int8_t, f->n + 1, 1);
  p->satisfied = MN_RAW(ctx, int32_t, f->m + 1, 1);
  p->left = MN_RAW(ctx, int32_t, f->m + 1, 1);
  p->queue = MN_RAW(ctx, size_t, f->m + 1, 1);
  if (!p->first || !p->edge || !p->clause || !p->value || !p->satisfied || !p->left || !p->queue) return MN_NO_MEMORY;
  for (size_t c = 0; c < f->m; c++)
    for (int32_t e = f->start[c]; e < f->start[c + 1]; e++) {
      p->clause[e] = c;
      p->first[mn_literal_variable(f->literal[e]) + 2]++;
    }
  for (size_t v = 0; v < f->n; v++) p->first[v + 2] += p->first[v + 1];
  for (size_t e = 0; e < edges; e++) p->edge[p->first[mn_literal_variable(f->literal[e]) + 1]++] = e;
  mn_partial_reset(p);
  return MN_OK;
}

void mn_partial_reset(mn_partial *p)
{
  memset(p->value, 0, p->f->n);
  memset(p->satisfied, 0, p->f->m * sizeof *p->satisfied);
  for (size_t c = 0; c < p->f->m; c++) p->left[c] = p->f->start[c + 1] - p->f->start[c];
  p->free = p->f->n;
}

/* Set one variable; clauses that become unit clauses are appended to the queue. */
static bool set_literal(mn_partial *p, int32_t literal, size_t *queued)
{
  const size_t v = mn_literal_variable(literal);
  bool consistent = true;
  p->value[v] = literal > 0 ? 1 : -1;
  p->free--;
  for (size_t k = p->first[v]; k < p->first[v + 1]; k++) {
    const size_t e = p->edge[k], c = p->clause[e];
    p->left[c]--;
    if (p->f->literal[e] == literal) p->satisfied[c]++;
    if (p->satisfied[c] > 0) continue;
    if (p->left[c] == 0) consistent = false;
    if (p->left[c] == 1) p->queue[(*queued)++] = c;
  }
  return consistent;
}

static int32_t free_literal(const mn_partial *p, size_t c)
{
  for (int32_t e = p->f->start[c]; e < p->f->start[c + 1]; e++)
    if (p->value[mn_literal_variable(p->f->literal[e])] == 0) return p->f->literal[e];
  return 0;
}

/* A clause has one free literal only once, so the queue never holds more than m clauses. */
static bool empty_queue(mn_partial *p, size_t queued)
{
  for (size_t at = 0; at < queued; at++) {
    const size_t c = p->queue[at];
    if (p->satisfied[c] == 0 && !set_literal(p, free_literal(p, c), &queued)) return false;
  }
  return true;
}

bool mn_partial_units(mn_partial *p)
{
  size_t queued = 0;
  for (size_t c = 0; c < p->f->m; c++) {
    if (p->satisfied[c] > 0) continue;
    if (p->left[c] == 0) return false;
    if (p->left[c] == 1) p->queue[queued++] = c;
  }
  return empty_queue(p, queued);
}

bool mn_partial_fix(mn_partial *p, int32_t literal)
{
  size_t queued = 0;
  return set_literal(p, literal, &queued) && empty_queue(p, queued);
}
