#include "messages.h"
#include "local_search.h"
#include "table_kernel.h"
#include <math.h>
#include <string.h>

static double rho_of(const mn_messages *m, size_t f)
{
  return m->options.rho ? m->options.rho[f] : 1;
}

/* n_{v->f} to out, its largest value 0; f == SIZE_MAX: the belief of v. A sum over the other factors, since a
 * difference would lose the finite part where a message is MN_LOG_ZERO. */
static void gather(const mn_messages *m, size_t v, size_t f, double *out)
{
  const mn_factor_graph *g = m->g;
  const size_t card = g->card[v];
  for (size_t s = 0; s < card; s++)
    out[s] = mn_is_observed(m->evidence, v) && m->evidence[v] != (int32_t)s ? MN_LOG_ZERO : 0;
  for (size_t k = m->at.start[v]; k < m->at.start[v + 1]; k++) {
    const size_t other = m->at.factor[k];
    const double *message = m->message + m->message_start[g->scope_start[other] + m->at.position[k]];
    const double weight = rho_of(m, other) - (other == f);
    if (!(weight < 0 || weight > 0)) continue;
    for (size_t s = 0; s < card; s++) out[s] += mn_is_log_zero(message[s]) ? MN_LOG_ZERO : weight * message[s];
  }
  double most = out[0];
  for (size_t s = 1; s < card; s++) most = out[s] > most ? out[s] : most;
  if (mn_is_log_zero(most)) most = 0;
  for (size_t s = 0; s < card; s++) out[s] = mn_is_log_zero(out[s]) ? MN_LOG_ZERO : out[s] - most;
}

/* Add a function of the i-th variable of the scope of f to its table. */
static void add_to_table(const mn_messages *m, size_t f, size_t i, const double *in, double *table)
{
  const size_t *scope = mn_scope(m->g, f), n = mn_scope_size(m->g, f), card = m->g->card[scope[i]];
  size_t inner = 1, outer = 1;
  for (size_t j = 0; j < i; j++) outer *= m->g->card[scope[j]];
  for (size_t j = i + 1; j < n; j++) inner *= m->g->card[scope[j]];
  for (size_t o = 0; o < outer; o++)
    for (size_t s = 0; s < card; s++, table += inner)
      for (size_t k = 0; k < inner; k++) table[k] += in[s];
}

/* Where the states of the i-th variable differ, as rows. */
static void to_rows(const mn_messages *m, size_t f, size_t i, const double *table, double *rows)
{
  const size_t *scope = mn_scope(m->g, f), n = mn_scope_size(m->g, f), card = m->g->card[scope[i]];
  size_t inner = 1, outer = 1;
  for (size_t j = 0; j < i; j++) outer *= m->g->card[scope[j]];
  for (size_t j = i + 1; j < n; j++) inner *= m->g->card[scope[j]];
  for (size_t s = 0; s < card; s++)
    for (size_t o = 0; o < outer; o++)
      memcpy(rows + (s * outer + o) * inner, table + (o * card + s) * inner, inner * sizeof *rows);
}

/* table_f / rho_f + sum_u n_{u->f} without the variable `skip` to m->table. */
static size_t fill_table(mn_messages *m, size_t f, size_t skip, const int32_t *state)
{
  const size_t *scope = mn_scope(m->g, f), size = mn_factor_size(m->g, f);
  const double *table = m->g->table + m->g->table_start[f], rho = rho_of(m, f);
  for (size_t k = 0; k < size; k++) m->table[k] = mn_is_log_zero(table[k]) ? MN_LOG_ZERO : table[k] / rho;
  for (size_t i = 0; i < mn_scope_size(m->g, f); i++) {
    if (i == skip) continue;
    if (state && state[scope[i]] != MN_FREE) {
      for (size_t s = 0; s < m->g->card[scope[i]]; s++) m->in[s] = state[scope[i]] == (int32_t)s ? 0 : MN_LOG_ZERO;
    } else {
      gather(m, scope[i], f, m->in);
    }
    add_to_table(m, f, i, m->in, m->table);
  }
  return size;
}

/* Normalize a message; of sums to log sum exp 0, of maxima to maximum 0. */
static void normalize(const mn_messages *m, size_t card, double *message)
{
  double most = message[0], sum = 0;
  for (size_t s = 1; s < card; s++) most = message[s] > most ? message[s] : most;
  if (mn_is_log_zero(most)) most = 0;
  for (size_t s = 0; s < card; s++) sum += exp(message[s] - most);
  const double shift = m->options.maximum || !(sum > 0) ? most : most + log(sum);
  for (size_t s = 0; s < card; s++) message[s] = mn_is_log_zero(message[s]) ? MN_LOG_ZERO : message[s] - shift;
}

double mn_message_update(mn_messages *m, size_t f, size_t i, const int32_t *state)
{
  const size_t card = m->g->card[mn_scope(m->g, f)[i]], size = fill_table(m, f, i, state);
  const double *old = m->message + m->message_start[m->g->scope_start[f] + i];
  to_rows(m, f, i, m->table, m->rows);
  if (m->options.maximum)
    mn_max_rows(card, size / card, m->rows, m->out);
  else
    mn_condition_rows(card, size / card, m->rows, m->out);
  normalize(m, card, m->out);
  double change = 0;
  for (size_t s = 0; s < card; s++) change = fmax(change, fabs(exp(m->out[s]) - exp(old[s])));
  return change;
}

void mn_message_store(mn_messages *m, size_t f, size_t i)
{
  const size_t card = m->g->card[mn_scope(m->g, f)[i]];
  double *old = m->message + m->message_start[m->g->scope_start[f] + i];
  const double keep = m->options.damping;
  for (size_t s = 0; s < card; s++)
    old[s] = mn_is_log_zero(m->out[s]) || mn_is_log_zero(old[s]) ? m->out[s] : keep * old[s] + (1 - keep) * m->out[s];
  if (keep > 0) normalize(m, card, old);
}

/* --- schedules --- */

static mn_status by_factors(mn_context *ctx, mn_messages *m)
{
  for (m->report.n_iter = 1; m->report.n_iter <= m->options.max_iter; m->report.n_iter++) {
    const bool backward = m->report.n_iter % 2 == 0;
    m->report.residual = 0;
    for (size_t k = 0; k < m->g->factors; k++) {
      const size_t f = backward ? m->g->factors - 1 - k : k;
      for (size_t i = 0; i < mn_scope_size(m->g, f); i++) {
        m->report.residual = fmax(m->report.residual, mn_message_update(m, f, i, NULL));
        mn_message_store(m, f, i);
      }
      if (k % 256 == 255) MN_TRY(mn_poll(ctx));
    }
    m->report.converged = m->report.residual <= m->options.tol;
    if (!mn_report_progress(ctx, (double)m->report.n_iter, (double)m->options.max_iter, m->report.residual)) break;
    if (m->report.converged) break;
  }
  return MN_OK;
}

static mn_status in_parallel(mn_context *ctx, mn_messages *m)
{
  const size_t size = m->message_start[m->edges];
  double *old = m->message, *new = MN_NEW(ctx, double, size + 1, 1);
  MN_CHECK_ALLOC(new);
  for (m->report.n_iter = 1; m->report.n_iter <= m->options.max_iter; m->report.n_iter++) {
    m->report.residual = 0;
    memcpy(new, old, size * sizeof *new);
    for (size_t f = 0; f < m->g->factors; f++) {
      for (size_t i = 0; i < mn_scope_size(m->g, f); i++) {
        m->message = old;
        m->report.residual = fmax(m->report.residual, mn_message_update(m, f, i, NULL));
        m->message = new;
        mn_message_store(m, f, i);
      }
      if (f % 256 == 255) MN_TRY(mn_poll(ctx));
    }
    new = old;
    old = m->message;
    m->report.converged = m->report.residual <= m->options.tol;
    if (!mn_report_progress(ctx, (double)m->report.n_iter, (double)m->options.max_iter, m->report.residual)) break;
    if (m->report.converged) break;
  }
  m->message = old;
  return MN_OK;
}

static mn_status begin(mn_context *ctx, mn_messages *m)
{
  const mn_factor_graph *g = m->g;
  m->edges = g->scope_start[g->factors];
  m->message_start = MN_RAW(ctx, size_t, m->edges + 1, 1);
  MN_CHECK_ALLOC(m->message_start);
  m->message_start[0] = 0;
  for (size_t e = 0; e < m->edges; e++) m->message_start[e + 1] = m->message_start[e] + g->card[g->scope[e]];
  m->largest = 1;
  for (size_t v = 0; v < g->variables; v++) m->largest = g->card[v] > m->largest ? g->card[v] : m->largest;
  for (size_t f = 0; f < g->factors; f++) {
    const size_t size = mn_factor_size(g, f);
    m->largest = size > m->largest ? size : m->largest;
  }
  m->message = MN_NEW(ctx, double, m->message_start[m->edges] + 1, 1);
  m->table = MN_RAW(ctx, double, m->largest, 1);
  m->rows = MN_RAW(ctx, double, m->largest, 1);
  m->in = MN_RAW(ctx, double, m->largest, 1);
  m->out = MN_RAW(ctx, double, m->largest, 1);
  if (!m->message || !m->table || !m->rows || !m->in || !m->out) return MN_NO_MEMORY;
  for (size_t e = 0; e < m->edges; e++) normalize(m, g->card[g->scope[e]], m->message + m->message_start[e]);
  return mn_factor_graph_incidence(ctx, g, &m->at);
}

mn_status mn_messages_run(mn_context *ctx, const mn_factor_graph *g, const int32_t *evidence,
                          const mn_message_options *options, mn_messages *out)
{
  *out = (mn_messages){ .g = g, .evidence = evidence, .options = *options };
  MN_TRY(begin(ctx, out));
  if (out->edges == 0) {
    out->report.converged = true;
    return MN_OK;
  }
  if (options->schedule == MN_SCHEDULE_RESIDUAL) {
    MN_TRY(mn_messages_by_residual(ctx, out));
  } else {
    MN_TRY(options->schedule == MN_SCHEDULE_PARALLEL ? in_parallel(ctx, out) : by_factors(ctx, out));
  }
  if (out->report.n_iter > options->max_iter) out->report.n_iter = options->max_iter;
  return mn_cancelled(ctx) ? MN_CANCELLED : MN_OK;
}

/* --- results --- */

static mn_status to_probabilities(mn_context *ctx, size_t n, double *x)
{
  double most = x[0], sum = 0;
  for (size_t i = 1; i < n; i++) most = x[i] > most ? x[i] : most;
  if (mn_is_log_zero(most))
    return mn_fail(ctx, MN_BAD_DATA, "FactorGraph: the messages contradict each other: all states%s have probability 0",
                   " that agree with the evidence");
  for (size_t i = 0; i < n; i++) x[i] -= most;
  mn_table_exp(n, x);
  for (size_t i = 0; i < n; i++) sum += x[i];
  for (size_t i = 0; i < n; i++) x[i] /= sum;
  return MN_OK;
}

mn_status mn_messages_marginal(mn_context *ctx, mn_messages *m, size_t variable, double *out)
{
  gather(m, variable, SIZE_MAX, out);
  return to_probabilities(ctx, m->g->card[variable], out);
}

mn_status mn_messages_factor_marginal(mn_context *ctx, mn_messages *m, size_t factor, double *out)
{
  const size_t size = fill_table(m, factor, SIZE_MAX, NULL);
  memcpy(out, m->table, size * sizeof *out);
  return to_probabilities(ctx, size, out);
}

static double entropy(size_t n, const double *p)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    if (p[i] > 0) sum -= p[i] * log(p[i]);
  return sum;
}

mn_status mn_messages_log_partition(mn_context *ctx, mn_messages *m, double *out)
{
  const mn_factor_graph *g = m->g;
  double total = 0;
  for (size_t f = 0; f < g->factors; f++) {
    const size_t size = mn_factor_size(g, f);
    const double *table = g->table + g->table_start[f];
    MN_TRY(mn_messages_factor_marginal(ctx, m, f, m->rows));
    for (size_t k = 0; k < size; k++)
      if (m->rows[k] > 0) total += m->rows[k] * table[k];
    total += rho_of(m, f) * entropy(size, m->rows);
    if (f % 1024 == 0) MN_TRY(mn_poll(ctx));
  }
  for (size_t v = 0; v < g->variables; v++) {
    double count = 1;
    for (size_t k = m->at.start[v]; k < m->at.start[v + 1]; k++) count -= rho_of(m, m->at.factor[k]);
    MN_TRY(mn_messages_marginal(ctx, m, v, m->in));
    total += count * entropy(g->card[v], m->in);
  }
  *out = total;
  return MN_OK;
}

/* --- decoding --- */

/* The best state of v given the decided variables, with max-marginals for the others. */
static void decide(mn_messages *m, size_t v, double *sum, int32_t *state)
{
  const size_t card = m->g->card[v];
  for (size_t s = 0; s < card; s++) sum[s] = 0;
  for (size_t k = m->at.start[v]; k < m->at.start[v + 1]; k++) {
    const size_t f = m->at.factor[k];
    mn_message_update(m, f, m->at.position[k], state);
    for (size_t s = 0; s < card; s++) sum[s] += rho_of(m, f) * m->out[s];
  }
  state[v] = 0;
  for (size_t s = 1; s < card; s++)
    if (sum[s] > sum[state[v]]) state[v] = (int32_t)s;
}

mn_status mn_messages_decode(mn_context *ctx, mn_messages *m, int32_t *state)
{
  const mn_factor_graph *g = m->g;
  size_t *queue = MN_RAW(ctx, size_t, g->variables + 1, 1), begin_at = 0, end = 0;
  bool *queued = MN_NEW(ctx, bool, g->variables + 1, 1);
  double *sum = MN_RAW(ctx, double, m->largest, 1);
  if (!queue || !queued || !sum) return MN_NO_MEMORY;
  for (size_t v = 0; v < g->variables; v++) {
    state[v] = mn_is_observed(m->evidence, v) ? m->evidence[v] : MN_FREE;
    if (state[v] != MN_FREE) queued[v] = true, queue[end++] = v;
  }
  for (size_t root = 0; root < g->variables; root++) {
    if (!queued[root]) queued[root] = true, queue[end++] = root;
    for (; begin_at < end; begin_at++) {
      const size_t v = queue[begin_at];
      if (state[v] == MN_FREE) decide(m, v, sum, state);
      for (size_t k = m->at.start[v]; k < m->at.start[v + 1]; k++) {
        const size_t f = m->at.factor[k];
        for (size_t i = g->scope_start[f]; i < g->scope_start[f + 1]; i++)
          if (!queued[g->scope[i]]) queued[g->scope[i]] = true, queue[end++] = g->scope[i];
      }
      if (begin_at % 1024 == 0) MN_TRY(mn_poll(ctx));
    }
  }
  double score;
  return mn_improve_state(ctx, g, &m->at, m->evidence, state, &score);
}
