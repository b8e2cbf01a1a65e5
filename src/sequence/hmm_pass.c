/* A pass over sequences: scaled forward-backward in vector lanes for chains whose nodes are the states, and in
 * logarithms for others, and where scaled variables lose what matters.
 *
 * Scaled variables underflow only if a state is less likely than another by more than 2^1000. Such a state is lost; it
 * matters only if later rows make it likely again, which then shows in sum_j alpha_t(j) beta_t(j), where both factors
 * are scaled to about 1: a loss that matters makes it tiny.
 *
 * Rabiner, Proc. IEEE 77 (1989). */
#include "hmm_pass.h"
#include <string.h>

static const double log_two = 0.69314718055994530942;

size_t mn_hmm_sums_size(const mn_hmm_view *view)
{
  return 1 + view->topology.size + view->layout.stats;
}

mn_hmm_part mn_hmm_part_at(const mn_hmm_work *w, size_t task)
{
  const mn_hmm_view *v = w->view;
  mn_hmm_part p = { .loglik = w->parts + task * w->part_size };
  p.counts = p.loglik + 1;
  p.pairs = p.counts + v->topology.size;
  p.emissions = p.pairs + v->layout.w * v->layout.w;
  return p;
}

/* --- one sequence --- */

double mn_hmm_write_forward(const mn_hmm_work *w, size_t first, size_t n, const double *alpha, const double *total,
                            const double *shift, const double *offset)
{
  const mn_hmm_pass *pass = w->pass;
  const size_t k = w->view->k, lanes = w->view->layout.w;
  double sum = 0, shifts = 0;
  for (size_t t = 0; offset && t < n; t++) sum += offset[t];
  for (size_t t = 1; t < n; t++) shifts += shift[t];
  for (size_t t = 0; pass->log_density && t < n; t++) {
    const double before = t > 0 ? log(total[t - 1]) - shift[t] * log_two : 0;
    pass->log_density[first + t] = log(total[t]) - before + (offset ? offset[t] : 0);
  }
  for (size_t t = 0; pass->filtered && t < n; t++)
    for (size_t s = 0; s < k; s++) pass->filtered[(first + t) * k + s] = alpha[t * lanes + s] / total[t];
  for (size_t s = 0; pass->last && first + n == pass->data->data->rows && s < k; s++)
    pass->last[s] = alpha[(n - 1) * lanes + s] / total[n - 1];
  return sum + shifts * log_two + log(total[n - 1]);
}

void mn_hmm_write_posterior(const mn_hmm_work *w, size_t first, size_t n, const double *gamma)
{
  const size_t k = w->view->k;
  double *out = w->pass->posterior;
  for (size_t t = 0; out && t < n; t++) memcpy(out + (first + t) * k, gamma + t * w->view->layout.w, k * sizeof *out);
}

bool mn_hmm_run_in_logs(const mn_hmm_work *w, size_t task, size_t first, size_t n, const double *log_b, double *gamma,
                        double *space, const mn_cancel_token *token)
{
  const mn_hmm_pass *pass = w->pass;
  const size_t k = w->view->k;
  const mn_hmm_part part = mn_hmm_part_at(w, task);
  mn_hmm_log_pass p = { .g = &w->graph,
                        .n = n,
                        .w = w->view->layout.w,
                        .log_b = log_b,
                        .log_density = pass->log_density ? pass->log_density + first : NULL,
                        .filtered = pass->filtered ? pass->filtered + first * k : NULL,
                        .posterior = pass->posterior || pass->sums ? gamma : NULL,
                        .counts = pass->sums ? part.counts : NULL,
                        .last = first + n == pass->data->data->rows ? pass->last : NULL };
  mn_hmm_run_log_pass(&p, space, token);
  if (p.impossible != SIZE_MAX) {
    if (first + p.impossible < w->impossible[task]) w->impossible[task] = first + p.impossible;
    memset(gamma, 0, n * p.w * sizeof *gamma);
    *part.loglik = -INFINITY;
    return false;
  }
  *part.loglik += p.loglik;
  return true;
}

/* The workspace of a turn. */
struct space {
  double *b, *alpha, *total, *shift, *offset, *beta, *scale, *pairs, *work, *emission, *logs;
};

static size_t space_size(const mn_hmm_work *w)
{
  const mn_hmm_view *v = w->view;
  const size_t n = w->most_rows, lanes = v->layout.w;
  return 2 * n * lanes + 3 * n + (MN_HMM_SEGMENT + 1) * (lanes + 1) + lanes * (lanes + 1) +
         mn_hmm_emission_workspace(&v->layout) + mn_hmm_log_workspace(&w->graph, n) + 64;
}

static struct space space_at(const mn_hmm_work *w, size_t worker)
{
  const mn_hmm_view *v = w->view;
  const size_t n = w->most_rows, lanes = v->layout.w;
  struct space s = { .b = w->space + worker * w->space_size };
  s.alpha = s.b + n * lanes;
  s.beta = s.alpha + n * lanes;
  s.pairs = s.beta + (MN_HMM_SEGMENT + 1) * lanes;
  s.work = s.pairs + lanes * lanes;
  s.total = s.work + lanes;
  s.shift = s.total + n;
  s.offset = s.shift + n;
  s.scale = s.offset + n;
  s.emission = s.scale + MN_HMM_SEGMENT + 1;
  s.logs = s.emission + mn_hmm_emission_workspace(&v->layout);
  return s;
}

/* The smallest sum of alpha_t beta_t. alpha becomes the posterior; s->pairs is set. */
static double run_backward(const mn_hmm_work *w, const struct space *s, size_t n, const mn_hmm_rows *b, double *alpha)
{
  const size_t k = w->view->k, lanes = w->view->layout.w;
  double least = 1;
  memset(s->pairs, 0, lanes * lanes * sizeof *s->pairs);
  for (size_t end = n; end > 0;) {
    const size_t first = (end - 1) / MN_HMM_SEGMENT * MN_HMM_SEGMENT, last = end == n ? n - 1 : end;
    double *given = s->beta + (last - first) * lanes;
    if (end < n)
      memcpy(given, s->beta, lanes * sizeof *given);
    else
      for (size_t l = 0; l < lanes; l++) given[l] = l < k;
    mn_hmm_backward(first, last + 1, first, k, lanes, w->transposed, b, s->beta, s->scale, s->work);
    const double sum = mn_hmm_posterior(first, end, n - 1, first, k, lanes, b, s->beta, s->scale, alpha,
                                        w->pass->sums ? s->pairs : NULL);
    least = sum > MN_HMM_LEAST_SUM && sum < least ? sum : sum > MN_HMM_LEAST_SUM ? least : 0;
    end = first;
  }
  return least;
}

/* False: scaled variables lose what matters. */
static bool run_scaled(const mn_hmm_work *w, const struct space *s, size_t task, size_t first, size_t n,
                       const mn_hmm_rows *b, double *alpha, const double *offset)
{
  const mn_hmm_view *v = w->view;
  const size_t k = v->k, lanes = v->layout.w;
  const double *density = b->at + (b->row ? (size_t)b->row[0] : 0) * lanes;
  s->total[0] = 0;
  for (size_t l = 0; l < lanes; l++) {
    alpha[l] = l < k ? v->chain[l] * density[l] : 0;
    s->total[0] += alpha[l];
  }
  mn_hmm_forward(1, n, k, lanes, w->a, b, alpha, s->total, s->shift);
  for (size_t t = 0; t < n; t++)
    if (!(s->total[t] > MN_HMM_LEAST_SUM)) return false;
  const double loglik = mn_hmm_write_forward(w, first, n, alpha, s->total, s->shift, offset);
  if (w->backward && !(run_backward(w, s, n, b, alpha) > MN_HMM_LEAST_SUM)) return false;
  const mn_hmm_part part = mn_hmm_part_at(w, task);
  *part.loglik += loglik;
  if (!w->pass->sums) return true;
  for (size_t i = 0; i < lanes * lanes; i++) part.pairs[i] += s->pairs[i];
  for (size_t i = 0; i < k; i++) part.counts[i] += alpha[i];
  return true;
}

/* --- tasks --- */

static void run_turn(const mn_hmm_work *w, const struct space *s, size_t task, size_t from, size_t to,
                     const mn_cancel_token *token)
{
  const mn_hmm_layout *l = &w->view->layout;
  const size_t begin = w->first[from], end = w->first[to];
  const bool dense = w->view->topology.dense, direct = w->densities.direct != NULL;
  if (!direct || !dense) mn_hmm_log_densities(&w->densities, begin, end, s->emission, s->b);
  if (!direct && dense) mn_hmm_normalize(end - begin, l->w, s->b, s->offset);
  for (size_t i = from; i < to; i++) {
    const size_t first = w->first[i], n = w->first[i + 1] - first, at = first - begin;
    double *b = s->b + at * l->w, *alpha = s->alpha + at * l->w;
    const mn_hmm_rows rows = { .at = direct ? w->densities.direct : b,
                               .row = direct ? w->densities.data->code[0] + first : NULL };
    if (n == 0) continue;
    if (!dense || !run_scaled(w, s, task, first, n, &rows, alpha, direct ? NULL : s->offset + at)) {
      if (dense) mn_hmm_log_densities(&w->densities, first, first + n, s->emission, b);
      mn_hmm_run_in_logs(w, task, first, n, b, alpha, s->logs, token);
    }
    mn_hmm_write_posterior(w, first, n, alpha);
  }
  if (w->pass->sums)
    mn_hmm_add_emissions(&w->densities, begin, end, s->alpha, s->emission, mn_hmm_part_at(w, task).emissions, w->given);
}

static bool is_long(const mn_hmm_work *w, size_t sequence)
{
  return w->view->topology.dense && w->first[sequence + 1] - w->first[sequence] >= MN_HMM_LONG_ROWS;
}

static void run_group(void *work, size_t task, size_t worker)
{
  const mn_hmm_work *w = work;
  const struct space s = space_at(w, worker);
  const mn_cancel_token token = { .ctx = w->ctx, .worker = worker };
  for (size_t from = w->group[task], to; from < w->group[task + 1]; from = to) {
    if (!mn_task_should_continue(&token)) return;
    to = from + 1;
    if (is_long(w, from)) continue;
    while (to < w->group[task + 1] && !is_long(w, to) && w->first[to + 1] - w->first[from] <= MN_HMM_BLOCK_ROWS) to++;
    run_turn(w, &s, task, from, to, &token);
  }
}

/* --- a pass --- */

static mn_status make_matrices(mn_context *ctx, mn_hmm_work *w)
{
  const mn_hmm_view *v = w->view;
  const size_t k = v->k, lanes = v->layout.w;
  w->backward = w->pass->sums || w->pass->posterior;
  if (!v->topology.dense) return MN_OK;
  w->a = MN_NEW(ctx, double, lanes, lanes);
  w->transposed = MN_NEW(ctx, double, lanes, lanes);
  if (!w->a || !w->transposed) return MN_NO_MEMORY;
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < k; j++) {
      const double p = mn_hmm_transitions(&v->topology, v->chain)[i * k + j];
      w->a[i * lanes + j] = w->transposed[j * lanes + i] = p;
      w->backward = w->backward || p < 1e-100;
    }
  return MN_OK;
}

/* Divide the sequences into groups of similar numbers of rows, by the data only. */
static mn_status make_groups(mn_context *ctx, mn_hmm_work *w, const mn_data *data)
{
  const size_t sequences = mn_sequences(data);
  const size_t size = data->rows / MN_HMM_GROUPS + MN_HMM_BLOCK_ROWS;
  w->first = MN_RAW(ctx, size_t, sequences + 1, 1);
  w->group = MN_RAW(ctx, size_t, data->rows / size + 3, 1);
  if (!w->first || !w->group) return MN_NO_MEMORY;
  w->first[0] = w->group[0] = 0;
  for (size_t s = 0; s < sequences; s++) w->first[s + 1] = w->first[s] + mn_sequence_rows(data, s);
  for (size_t s = 0; s < sequences; s++) {
    const size_t n = w->first[s + 1] - w->first[s];
    if (!is_long(w, s) && n > w->most_rows) w->most_rows = n;
    if (w->first[s + 1] - w->first[w->group[w->groups]] >= size || s + 1 == sequences) w->group[++w->groups] = s + 1;
  }
  if (w->most_rows < MN_HMM_BLOCK_ROWS) w->most_rows = data->rows < MN_HMM_BLOCK_ROWS ? data->rows : MN_HMM_BLOCK_ROWS;
  return MN_OK;
}

static mn_status make_parts(mn_context *ctx, mn_hmm_work *w)
{
  const mn_hmm_view *v = w->view;
  w->part_size = 1 + v->topology.size + v->layout.w * v->layout.w + v->layout.stats;
  w->parts = MN_NEW(ctx, double, w->groups + 1, w->part_size);
  w->impossible = MN_RAW(ctx, size_t, w->groups + 1, 1);
  w->space_size = (space_size(w) + 7) / 8 * 8;
  w->space = MN_RAW(ctx, double, mn_threads(ctx), w->space_size);
  w->given = MN_RAW(ctx, double, w->pass->data->incomplete.rows + 1, v->layout.gaussians + 1);
  if (!w->parts || !w->impossible || !w->space || !w->given) return MN_NO_MEMORY;
  for (size_t i = 0; i <= w->groups; i++) w->impossible[i] = SIZE_MAX;
  return MN_OK;
}

static mn_status finish(mn_context *ctx, const mn_hmm_work *w)
{
  const mn_hmm_pass *pass = w->pass;
  const mn_hmm_topology *t = &w->view->topology;
  const size_t k = w->view->k, lanes = w->view->layout.w;
  double *total = MN_RAW(ctx, double, w->part_size, 1);
  size_t impossible = SIZE_MAX;
  MN_CHECK_ALLOC(total);
  mn_sum_blocks(w->groups + 1, w->part_size, w->parts, total);
  for (size_t i = 0; i <= w->groups; i++) impossible = w->impossible[i] < impossible ? w->impossible[i] : impossible;
  if (pass->impossible) *pass->impossible = impossible;
  if (pass->loglik) *pass->loglik = total[0];
  if (!pass->sums) return MN_OK;
  double *counts = total + 1, *pairs = counts + t->size;
  for (size_t i = 0; t->dense && i < k; i++)
    for (size_t j = 0; j < k; j++) counts[k + i * k + j] += pairs[i * lanes + j] * w->a[i * lanes + j];
  memcpy(pass->sums, total, (1 + t->size) * sizeof *total);
  memcpy(pass->sums + 1 + t->size, pairs + lanes * lanes, w->view->layout.stats * sizeof *total);
  return mn_hmm_finish_sums(ctx, &w->densities, pass->sums + 1 + t->size, w->given);
}

mn_status mn_hmm_run_pass(mn_context *ctx, const mn_hmm_pass *pass)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_hmm_view *v = pass->view;
  mn_hmm_work w = { .pass = pass, .view = v, .ctx = ctx };
  MN_TRY(mn_hmm_densities_make(ctx, &v->layout, pass->data, v->emission, &w.densities));
  MN_TRY(mn_hmm_graph_make(ctx, &v->topology, v->chain, &w.graph));
  MN_TRY(make_matrices(ctx, &w));
  MN_TRY(make_groups(ctx, &w, pass->data->data));
  MN_TRY(make_parts(ctx, &w));
  MN_TRY(mn_parallel(ctx, w.groups, run_group, &w));
  for (size_t s = 0; s < mn_sequences(pass->data->data); s++)
    if (is_long(&w, s)) MN_TRY(mn_hmm_run_long(&w, w.groups, w.first[s], w.first[s + 1] - w.first[s]));
  MN_TRY(finish(ctx, &w));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
