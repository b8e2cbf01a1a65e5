/* The view of a fitted model, and the likeliest path of each sequence.
 *
 * Viterbi, IEEE Trans. Inf. Theory 13 (1967). */
#include "hmm.h"
#include <stdio.h>
#include <string.h>

/* --- view --- */

static void copy_emissions(const mn_hmm_model *m, const mn_hmm_layout *l, double *emission)
{
  const mn_gaussians g = mn_hmm_gaussians(l, emission);
  for (size_t i = 0; i < l->gaussians; i++) g.weight[i] = m->mix_weights.at[i];
  if (l->g > 0) {
    memcpy(g.mean, m->means.at, g.k * l->g * sizeof *g.mean);
    memcpy(g.covariance, m->covariances.at, g.k * g.width * sizeof *g.mean);
  }
  for (size_t s = 0; l->other.blocks > 0 && s < l->k; s++) {
    const double *from = mn_row(&m->emission_parameters, s);
    for (size_t b = 0; b < l->other.blocks; from += l->other.block[b].shown, b++)
      memcpy(mn_hmm_block(l, emission, s, b), from, l->other.block[b].shown * sizeof *from);
  }
}

mn_status mn_hmm_view_make(mn_context *ctx, const mn_hmm_model *m, mn_hmm_view *v)
{
  const size_t k = m->startprob.size, mix = m->mix_weights.at ? m->mix_weights.cols : 1;
  bool degenerate;
  *v = (mn_hmm_view){ .m = m, .k = k };
  v->topology = mn_hmm_make_topology(k, m->transmat.rows > k ? 2 : 1, m->exit.cols);
  MN_TRY(mn_hmm_make_layout(ctx, k, mix, m->covariance_model, m->reg_covar, m->emission_prior, &m->column_emission,
                            &m->column_levels, &v->layout));
  double *chain = MN_RAW(ctx, double, v->topology.size, 1);
  v->emission = MN_NEW(ctx, double, v->layout.size, 1);
  if (!chain || !v->emission) return MN_NO_MEMORY;
  memcpy(chain, m->startprob.at, k * sizeof *chain);
  memcpy(chain + k, m->transmat.at, v->topology.rows * k * sizeof *chain);
  for (size_t i = 0; i < k * m->exit.cols; i++) {
    double *to = chain + k + v->topology.rows * k + 2 * i;
    to[0] = m->exit.at[i];
    to[1] = 1 - m->exit.at[i];
  }
  v->chain = chain;
  copy_emissions(m, &v->layout, v->emission);
  MN_TRY(mn_hmm_derive_emissions(ctx, &v->layout, v->emission, &degenerate));
  return degenerate ? mn_fail(ctx, MN_SINGULAR, "HMM: a covariance is not positive definite") : MN_OK;
}

/* The first categorical column whose value in this row is none of the levels of fit; SIZE_MAX: none. */
static size_t unseen_level(const mn_hmm_model *m, const double *row)
{
  for (size_t j = 0; j < m->column_levels.size; j++) {
    const double levels = m->column_levels.at[j];
    if (levels > 0 && !isnan(row[j]) && !(row[j] >= 0 && row[j] < levels && floor(row[j]) == row[j])) return j;
  }
  return SIZE_MAX;
}

mn_status mn_hmm_fail_impossible(mn_context *ctx, const mn_hmm_model *m, const mn_data *data, size_t row)
{
  size_t s = 0, first = 0;
  while (first + mn_sequence_rows(data, s) <= row) first += mn_sequence_rows(data, s++);
  char where[96] = "";
  if (mn_sequences(data) > 1) snprintf(where, sizeof where, ", row %zu of sequence %zu,", row - first + 1, s + 1);
  const size_t column = unseen_level(m, mn_row(&data->x, row));
  if (column != SIZE_MAX)
    return mn_fail(
        ctx, MN_BAD_DATA,
        "HMM: row %zu of X%s is impossible: fit has not seen the level in column %zu; fit with a Factor that "
        "has all levels, and emission_prior > 1",
        row + 1, where, column + 1);
  return mn_fail(ctx, MN_BAD_DATA,
                 "HMM: row %zu of X%s is impossible: its probability is zero in every state that may follow the rows "
                 "before it; fit with emission_prior > 1 or transmat_prior > 1, or allow more transitions",
                 row + 1, where);
}

/* --- likeliest paths --- */

struct decoding {
  const mn_hmm_view *view;
  mn_hmm_densities densities;
  mn_hmm_graph graph;
  mn_context *ctx;
  size_t *first; /* sequences + 1 */
  mn_blocks blocks;
  double *a; /* k x w: logarithms of transitions */
  double *state, *loglik;
  double *space;
  size_t most, size;
  size_t *impossible; /* blocks */
};

/* log_b, then the workspace of the densities, then that of the path. */
static size_t space_size(const struct decoding *d)
{
  const size_t w = d->view->layout.w, emission = mn_hmm_emission_workspace(&d->view->layout);
  const size_t path =
      d->view->topology.dense ? 2 * w + (d->most * w + 3) / 4 : 2 * d->graph.size + (d->most * d->graph.size + 1) / 2;
  return d->most * w + emission + path + 8;
}

static double dense_path(const struct decoding *d, size_t n, const double *log_b, double *delta, uint16_t *from,
                         double *state, const mn_cancel_token *token)
{
  const size_t k = d->view->k, w = d->view->layout.w;
  size_t best = 0;
  for (size_t s = 0; s < w; s++) delta[s] = s < k ? d->graph.log_start[s] + log_b[s] : MN_HMM_LOG_ZERO;
  /* In pieces of an even number of rows, so that the last row of each is the first of the next. */
  for (size_t t = 0; t + 1 < n && mn_task_should_continue(token); t += MN_CHUNK) {
    const size_t rows = n - t > MN_CHUNK + 1 ? MN_CHUNK + 1 : n - t;
    const mn_hmm_rows b = { .at = log_b + t * w };
    mn_hmm_viterbi(rows, k, w, d->a, &b, delta, from + t * w);
    if (rows % 2 == 0) memcpy(delta, delta + w, w * sizeof *delta);
  }
  for (size_t s = 1; s < k; s++) best = delta[s] > delta[best] ? s : best;
  const double value = delta[best];
  for (size_t t = n; t-- > 0;) {
    state[t] = (double)best;
    best = t > 0 ? from[t * w + best] : best;
  }
  return value;
}

static void decode_sequence(const struct decoding *d, size_t block, size_t s, double *space,
                            const mn_cancel_token *token)
{
  const size_t w = d->view->layout.w, first = d->first[s], n = d->first[s + 1] - first;
  double *log_b = space, *emission = log_b + d->most * w;
  double *delta = emission + mn_hmm_emission_workspace(&d->view->layout), value;
  if (n == 0) return;
  mn_hmm_log_densities(&d->densities, first, first + n, emission, log_b);
  if (d->view->topology.dense)
    value = dense_path(d, n, log_b, delta, (uint16_t *)(void *)(delta + 2 * w), d->state + first, token);
  else
    value = mn_hmm_log_viterbi(&d->graph, n, w, log_b, delta, (int32_t *)(void *)(delta + 2 * d->graph.size),
                               d->state + first, token);
  if (d->loglik) d->loglik[s] = value > MN_HMM_IMPOSSIBLE ? value : -INFINITY;
  if (!(value > MN_HMM_IMPOSSIBLE) && d->impossible[block] == SIZE_MAX) d->impossible[block] = s;
}

static void decode_block(void *work, size_t block, size_t worker)
{
  const struct decoding *d = work;
  const mn_cancel_token token = { .ctx = d->ctx, .worker = worker };
  for (size_t s = mn_block_begin(&d->blocks, block); s < mn_block_end(&d->blocks, block); s++) {
    if (s % 16 == 0 && !mn_task_should_continue(&token)) return;
    decode_sequence(d, block, s, d->space + worker * d->size, &token);
  }
}

static mn_status make_decoding(mn_context *ctx, const mn_hmm_data *data, struct decoding *d)
{
  const mn_hmm_view *v = d->view;
  const size_t k = v->k, w = v->layout.w, sequences = mn_sequences(data->data);
  MN_TRY(mn_hmm_densities_make(ctx, &v->layout, data, v->emission, &d->densities));
  MN_TRY(mn_hmm_graph_make(ctx, &v->topology, v->chain, &d->graph));
  d->first = MN_NEW(ctx, size_t, sequences + 1, 1);
  MN_CHECK_ALLOC(d->first);
  for (size_t s = 0; s < sequences; s++) {
    const size_t n = mn_sequence_rows(data->data, s);
    d->first[s + 1] = d->first[s] + n;
    d->most = n > d->most ? n : d->most;
  }
  d->blocks = mn_make_blocks(sequences, 1, 256);
  d->size = (space_size(d) + 7) / 8 * 8;
  d->space = MN_RAW(ctx, double, mn_threads(ctx), d->size);
  d->impossible = MN_RAW(ctx, size_t, d->blocks.count, 1);
  d->a = MN_RAW(ctx, double, k, w);
  if (!d->space || !d->impossible || !d->a) return MN_NO_MEMORY;
  for (size_t i = 0; i < d->blocks.count; i++) d->impossible[i] = SIZE_MAX;
  for (size_t i = 0; v->topology.dense && i < k; i++)
    for (size_t j = 0; j < w; j++) {
      const double p = j < k ? mn_hmm_transitions(&v->topology, v->chain)[i * k + j] : 0;
      d->a[i * w + j] = p > 0 ? log(p) : MN_HMM_LOG_ZERO;
    }
  return MN_OK;
}

/* The row at which forward variables become zero. */
static mn_status fail_impossible(mn_context *ctx, const mn_hmm_view *view, const mn_hmm_data *data)
{
  double loglik;
  size_t row = 0;
  const mn_hmm_pass pass = { .view = view, .data = data, .loglik = &loglik, .impossible = &row };
  MN_TRY(mn_hmm_run_pass(ctx, &pass));
  return mn_hmm_fail_impossible(ctx, view->m, data->data, row == SIZE_MAX ? 0 : row);
}

mn_status mn_hmm_decode(mn_context *ctx, const mn_hmm_view *view, const mn_hmm_data *data, double *state,
                        double *loglik)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct decoding d = { .view = view, .ctx = ctx, .state = state, .loglik = loglik };
  MN_TRY(make_decoding(ctx, data, &d));
  MN_TRY(mn_parallel(ctx, d.blocks.count, decode_block, &d));
  for (size_t b = 0; b < d.blocks.count; b++)
    if (d.impossible[b] != SIZE_MAX) return fail_impossible(ctx, view, data);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
