#include "messages.h"
#include <math.h>
#include <string.h>

/* A heap of edges by the change that their message would make, with the messages to be stored. */
struct queue {
  size_t size, *edge, *place; /* place[edge]: where it is in the heap */
  double *change;             /* of each edge */
  double *candidate;          /* laid out as the messages */
  size_t *factor;             /* of each edge */
};

static bool precedes(const struct queue *q, size_t a, size_t b)
{
  return q->change[a] > q->change[b] || (!(q->change[a] < q->change[b]) && a < b);
}

static void put(struct queue *q, size_t at, size_t edge)
{
  q->edge[at] = edge;
  q->place[edge] = at;
}

/* Move the edge to where its change belongs. */
static void restore(struct queue *q, size_t edge)
{
  size_t i = q->place[edge];
  for (; i > 0 && precedes(q, edge, q->edge[(i - 1) / 2]); i = (i - 1) / 2) put(q, i, q->edge[(i - 1) / 2]);
  for (size_t child = 2 * i + 1; child < q->size; child = 2 * i + 1) {
    if (child + 1 < q->size && precedes(q, q->edge[child + 1], q->edge[child])) child++;
    if (!precedes(q, q->edge[child], edge)) break;
    put(q, i, q->edge[child]);
    i = child;
  }
  put(q, i, edge);
}

static void renew(mn_messages *m, struct queue *q, size_t edge)
{
  const size_t f = q->factor[edge], start = m->message_start[edge], card = m->message_start[edge + 1] - start;
  q->change[edge] = mn_message_update(m, f, edge - m->g->scope_start[f], NULL);
  memcpy(q->candidate + start, m->out, card * sizeof *m->out);
  restore(q, edge);
}

static mn_status begin(mn_context *ctx, mn_messages *m, struct queue *q)
{
  const size_t n = m->edges;
  q->size = n;
  q->edge = MN_RAW(ctx, size_t, n, 1);
  q->place = MN_RAW(ctx, size_t, n, 1);
  q->factor = MN_RAW(ctx, size_t, n, 1);
  q->change = MN_NEW(ctx, double, n, 1);
  q->candidate = MN_RAW(ctx, double, m->message_start[n] + 1, 1);
  if (!q->edge || !q->place || !q->factor || !q->change || !q->candidate) return MN_NO_MEMORY;
  for (size_t f = 0; f < m->g->factors; f++)
    for (size_t e = m->g->scope_start[f]; e < m->g->scope_start[f + 1]; e++) q->factor[e] = f;
  for (size_t e = 0; e < n; e++) put(q, e, e);
  for (size_t e = 0; e < n; e++) {
    renew(m, q, e);
    if (e % 256 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* Store the message of the edge, and renew those that depend on it. */
static void pass(mn_messages *m, struct queue *q, size_t edge)
{
  const mn_factor_graph *g = m->g;
  const size_t f = q->factor[edge], v = g->scope[edge], start = m->message_start[edge];
  memcpy(m->out, q->candidate + start, (m->message_start[edge + 1] - start) * sizeof *m->out);
  mn_message_store(m, f, edge - g->scope_start[f]);
  for (size_t k = m->at.start[v]; k < m->at.start[v + 1]; k++) {
    const size_t other = m->at.factor[k];
    if (other == f && !m->options.rho) continue;
    for (size_t e = g->scope_start[other]; e < g->scope_start[other + 1]; e++)
      if (g->scope[e] != v) renew(m, q, e);
  }
  renew(m, q, edge); /* with damping it has not yet arrived */
}

mn_status mn_messages_by_residual(mn_context *ctx, mn_messages *m)
{
  struct queue q = { 0 };
  MN_TRY(begin(ctx, m, &q));
  for (m->report.n_iter = 1; m->report.n_iter <= m->options.max_iter; m->report.n_iter++) {
    for (size_t k = 0; k < m->edges && q.change[q.edge[0]] > m->options.tol; k++) {
      pass(m, &q, q.edge[0]);
      if (k % 256 == 255) MN_TRY(mn_poll(ctx));
    }
    m->report.residual = q.change[q.edge[0]];
    m->report.converged = m->report.residual <= m->options.tol;
    if (!mn_report_progress(ctx, (double)m->report.n_iter, (double)m->options.max_iter, m->report.residual)) break;
    if (m->report.converged) break;
  }
  return MN_OK;
}
