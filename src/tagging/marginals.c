#include "../core/threads.h"
#include "decode.h"

enum { MAX_BLOCKS = 256 };

struct marginals {
  const mn_tagger *m;
  const mn_tokens *tokens;
  enum mn_normalization normalization;
  mn_chain chain;
  double *transposed;            /* classes x ld: transitions to the row from the column */
  mn_chain_workspace *workspace; /* for each thread */
  int32_t *back;                 /* for each thread: ld */
  mn_matrix *out;
  mn_blocks blocks;
};

/* MEMM: p(y_t) = sum_i p(y_{t-1} = i) p(y_t | i, x_t), into ws->p. */
static void forward_tokens(const struct marginals *w, size_t at, size_t n, mn_chain_workspace *ws)
{
  const size_t k = w->chain.classes, ld = w->chain.ld;
  int32_t tag[2] = { 0 };
  double sum;
  memset(ws->p, 0, n * ld * sizeof *ws->p);
  for (size_t t = 0; t < n; t++) {
    const double *to = t > 0 ? mn_chain_transitions_to(&w->chain, at + t, w->chain.transitions, ws) : NULL;
    for (size_t i = 0; i < (t > 0 ? k : 1); i++) {
      double *p = ws->alpha;
      tag[0] = (int32_t)i;
      memcpy(p, ws->score + t * ld, ld * sizeof *p);
      mn_chain_softmax(1, k, ld, to, t > 0, tag + 1, p, &sum);
      const double weight = t > 0 ? ws->p[(t - 1) * ld + i] : 1;
      for (size_t l = 0; l < k; l++) ws->p[t * ld + l] += weight * p[l];
    }
  }
}

static void transpose(size_t k, size_t ld, const double *from, double *to)
{
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < k; j++) to[j * ld + i] = from[i * ld + j];
}

/* The transitions to a token: to the row from the column. */
static const double *transposed_to(const struct marginals *w, size_t token, mn_chain_workspace *ws)
{
  const double *scores = mn_chain_transitions_to(&w->chain, token, w->chain.transitions, ws);
  if (scores == w->chain.transitions) return w->transposed;
  transpose(w->chain.classes, w->chain.ld, scores, ws->exponentials);
  return ws->exponentials;
}

/* The score of the best sequence with each tag at t: those of the best before and of the best behind it. */
static void max_marginals(const struct marginals *w, size_t at, size_t n, mn_chain_workspace *ws, int32_t *back)
{
  const size_t k = w->chain.classes, ld = w->chain.ld;
  double *behind = ws->alpha, *zero = ws->log_sum; /* rows of ld */
  memcpy(ws->p, ws->score, ld * sizeof *ws->p);
  for (size_t t = 1; t < n; t++) {
    const double *to = mn_chain_transitions_to(&w->chain, at + t, w->chain.transitions, ws);
    mn_chain_best_step(k, ld, to, ws->p + (t - 1) * ld, ws->score + t * ld, ws->p + t * ld, back);
  }
  memset(zero, 0, ld * sizeof *zero);
  memset(behind, 0, ld * sizeof *behind);
  for (size_t t = n - 1; t-- > 0;) {
    double *from = ws->score + (t + 1) * ld, *p = ws->p + t * ld;
    for (size_t l = 0; l < k; l++) from[l] += behind[l];
    mn_chain_best_step(k, ld, transposed_to(w, at + t + 1, ws), from, zero, behind, back);
    for (size_t l = 0; l < k; l++) p[l] += behind[l];
  }
}

static void run_block(void *work, size_t block, size_t worker)
{
  const struct marginals *w = work;
  const mn_tagger *m = w->m;
  const mn_csr *x = &w->tokens->x;
  mn_chain_workspace *ws = &w->workspace[worker];
  const size_t k = w->chain.classes, ld = w->chain.ld;
  for (size_t s = mn_block_begin(&w->blocks, block); s < mn_block_end(&w->blocks, block); s++) {
    const size_t at = w->tokens->begin[s], n = w->tokens->begin[s + 1] - at;
    mn_chain_scores(n, x->start + at, x->col, x->at, m->first.at, m->label.at, m->coef.at, k, ld, ws->score);
    switch (w->normalization) {
    case MN_NORMALIZE_SEQUENCES: mn_chain_marginals(&w->chain, at, n, ws); break;
    case MN_NORMALIZE_TOKENS: forward_tokens(w, at, n, ws); break;
    case MN_NORMALIZE_NOTHING: max_marginals(w, at, n, ws, w->back + worker * ld); break;
    }
    for (size_t t = 0; t < n; t++) memcpy(mn_row(w->out, at + t), ws->p + t * ld, k * sizeof *ws->p);
  }
}

/* p: the marginals, not their logs. */
static mn_status run(mn_context *ctx, const mn_tagger *m, const mn_tokens *tokens, mn_matrix *out)
{
  const size_t threads = mn_threads(ctx), k = mn_levels_size(m->base.classes);
  struct marginals w = { .m = m, .tokens = tokens, .normalization = mn_normalization_of(m), .out = out };
  MN_TRY(mn_chain_init(ctx, k, true, &w.chain));
  if (m->transitions.rows > 0) mn_chain_set(&w.chain, m->transitions.at);
  MN_TRY(mn_tagger_set_features(ctx, m, tokens, &w.chain));
  w.transposed = MN_NEW(ctx, double, k, w.chain.ld);
  w.back = MN_RAW(ctx, int32_t, threads, w.chain.ld);
  w.workspace = MN_NEW(ctx, mn_chain_workspace, threads, 1);
  if (!w.transposed || !w.back || !w.workspace) return MN_NO_MEMORY;
  transpose(k, w.chain.ld, w.chain.transitions, w.transposed);
  for (size_t i = 0; i < threads; i++) /* at least ld tokens: log_sum is also a row */
    MN_TRY(mn_chain_workspace_init(ctx, &w.chain, tokens->longest + w.chain.ld, &w.workspace[i]));
  w.blocks = mn_make_blocks(tokens->sequences, 1, MAX_BLOCKS);
  return mn_parallel(ctx, w.blocks.count, run_block, &w);
}

static mn_status read_and_run(mn_context *ctx, const mn_tagger *m, const mn_data *data, mn_matrix *out)
{
  mn_tokens tokens;
  mn_status status = mn_tokens_read(ctx, m, data, &tokens);
  if (status == MN_OK) status = run(ctx, m, &tokens, out);
  mn_tokens_free(ctx, &tokens);
  return status;
}

mn_status mn_tagger_log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  MN_TRY(read_and_run(ctx, self, data, out));
  for (size_t i = 0; i < out->rows; i++) {
    double *p = mn_row(out, i), sum = 0;
    for (size_t l = 0; l < out->cols; l++) sum += p[l];
    for (size_t l = 0; l < out->cols; l++) p[l] = log(p[l] / sum);
  }
  return MN_OK;
}

mn_status mn_tagger_decision(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const size_t k = mn_levels_size(((const mn_tagger *)self)->base.classes);
  mn_matrix all = { .at = MN_RAW(ctx, double, data->rows, k), .rows = data->rows, .cols = k };
  MN_CHECK_ALLOC(all.at);
  MN_TRY(read_and_run(ctx, self, data, &all));
  for (size_t i = 0; i < out->rows; i++) {
    const double *score = mn_row(&all, i);
    if (k == 2)
      mn_row(out, i)[0] = score[1] - score[0];
    else
      memcpy(mn_row(out, i), score, k * sizeof *score);
  }
  return MN_OK;
}
