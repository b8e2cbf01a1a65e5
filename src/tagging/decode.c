#include "decode.h"
#include "../core/threads.h"

#define FORBIDDEN (-1e100) /* a score; sums of a million of them are finite */

enum { MAX_BLOCKS = 256 };

extern const mn_class mn_crf, mn_structured_perceptron;

enum mn_normalization mn_normalization_of(const mn_tagger *m)
{
  if (m->base.class == &mn_crf) return MN_NORMALIZE_SEQUENCES;
  return m->base.class == &mn_structured_perceptron ? MN_NORMALIZE_NOTHING : MN_NORMALIZE_TOKENS;
}

/* A pass over sequences: the arguments of mn_decode, mn_score_tags. */
struct decoding {
  const mn_tagger *m;
  const mn_tokens *tokens;
  const mn_constraints *constraints;
  enum mn_normalization normalization;
  mn_chain chain;
  const double *allowed; /* classes x ld: transitions, or FORBIDDEN */
  size_t longest;
  mn_chain_workspace *workspace; /* for each thread */
  double *from;                  /* for each thread: 2 x ld */
  int32_t *back;                 /* for each thread: longest x ld */
  const int32_t *given;          /* tags to be scored */
  int32_t *tags;
  double *scores;
  bool *failed; /* sequences */
  mn_blocks blocks;
};

mn_status mn_tagger_set_features(mn_context *ctx, const mn_tagger *m, const mn_tokens *tokens, mn_chain *chain)
{
  const mn_csr *x = &tokens->of_transitions;
  if (x->rows == 0) return MN_OK;
  const mn_transition_features features = {
    .x = x, .col = x->col, .first = m->first.at, .label = m->label.at, .w = m->coef.at, .factor = 1
  };
  return mn_chain_set_features(ctx, chain, &features);
}

static mn_status allow_transitions(mn_context *ctx, struct decoding *d)
{
  const size_t k = d->chain.classes, ld = d->chain.ld;
  const bool *may_follow = d->constraints ? d->constraints->may_follow : NULL;
  d->allowed = d->chain.transitions;
  if (!may_follow) return MN_OK;
  double *allowed = MN_NEW(ctx, double, k, ld);
  MN_CHECK_ALLOC(allowed);
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < k; j++)
      allowed[i * ld + j] = may_follow[i * k + j] ? d->chain.transitions[i * ld + j] : FORBIDDEN;
  d->allowed = allowed;
  return MN_OK;
}

static mn_status prepare(mn_context *ctx, struct decoding *d)
{
  const size_t threads = mn_threads(ctx), k = mn_levels_size(d->m->base.classes);
  d->normalization = mn_normalization_of(d->m);
  d->longest = d->tokens->longest;
  MN_TRY(mn_chain_init(ctx, k, true, &d->chain));
  if (d->m->transitions.rows > 0) mn_chain_set(&d->chain, d->m->transitions.at);
  MN_TRY(mn_tagger_set_features(ctx, d->m, d->tokens, &d->chain));
  MN_TRY(allow_transitions(ctx, d));
  d->workspace = MN_NEW(ctx, mn_chain_workspace, threads, 1);
  d->from = MN_NEW(ctx, double, threads, 2 * d->chain.ld);
  d->back = MN_RAW(ctx, int32_t, threads * d->longest, d->chain.ld);
  d->failed = MN_NEW(ctx, bool, d->tokens->sequences, 1);
  if (!d->workspace || !d->from || !d->back || !d->failed) return MN_NO_MEMORY;
  for (size_t i = 0; i < threads; i++) MN_TRY(mn_chain_workspace_init(ctx, &d->chain, d->longest, &d->workspace[i]));
  d->blocks = mn_make_blocks(d->tokens->sequences, 1, MAX_BLOCKS);
  return MN_OK;
}

/* The scores of a sequence into ws->score. */
static void score_tokens(const struct decoding *d, size_t s, mn_chain_workspace *ws)
{
  const mn_tagger *m = d->m;
  const mn_csr *x = &d->tokens->x;
  const size_t at = d->tokens->begin[s], n = d->tokens->begin[s + 1] - at;
  mn_chain_scores(n, x->start + at, x->col, x->at, m->first.at, m->label.at, m->coef.at, d->chain.classes, d->chain.ld,
                  ws->score);
}

/* log sum_j exp(score[j] + transitions[i, j]); i NULL: without transitions. */
static double log_sum(const struct decoding *d, const double *score, const double *transitions)
{
  const size_t k = d->chain.classes;
  double most = -INFINITY, sum = 0;
  for (size_t j = 0; j < k; j++) most = fmax(most, score[j] + (transitions ? transitions[j] : 0));
  for (size_t j = 0; j < k; j++) sum += exp(score[j] + (transitions ? transitions[j] : 0) - most);
  /* cppcheck-suppress invalidFunctionArg ; the largest term is 1 */
  return most + log(sum);
}

/* --- the score of given tags --- */

/* Destroys ws->score. */
static double score_sequence(const struct decoding *d, size_t at, size_t n, const int32_t *tag, mn_chain_workspace *ws)
{
  const size_t ld = d->chain.ld;
  double sum = 0;
  for (size_t t = 0; t < n; t++) {
    const double *to = t > 0 ? mn_chain_transitions_to(&d->chain, at + t, d->chain.transitions, ws) : NULL;
    const double *from = to ? to + (size_t)tag[t - 1] * ld : NULL, *score = ws->score + t * ld;
    sum += score[tag[t]] + (from ? from[tag[t]] : 0);
    if (d->normalization == MN_NORMALIZE_TOKENS) sum -= log_sum(d, score, from);
  }
  if (d->normalization != MN_NORMALIZE_SEQUENCES) return sum;
  return sum - mn_chain_log_sum(&d->chain, at, n, ws);
}

static void score_block(void *work, size_t block, size_t worker)
{
  const struct decoding *d = work;
  for (size_t s = mn_block_begin(&d->blocks, block); s < mn_block_end(&d->blocks, block); s++) {
    const size_t at = d->tokens->begin[s];
    score_tokens(d, s, &d->workspace[worker]);
    d->scores[s] = score_sequence(d, at, d->tokens->begin[s + 1] - at, d->given + at, &d->workspace[worker]);
  }
}

mn_status mn_score_tags(mn_context *ctx, const mn_tagger *m, const mn_tokens *tokens, const int32_t *tags,
                        double *scores)
{
  struct decoding d = { .m = m, .tokens = tokens, .given = tags, .scores = scores };
  MN_TRY(prepare(ctx, &d));
  return mn_parallel(ctx, d.blocks.count, score_block, &d);
}

/* --- the best tags --- */

/* to = the scores of the best sequences before a token, less the logs of the sums of MEMM. */
static void step_from(const struct decoding *d, size_t token, const double *best, const double *score,
                      mn_chain_workspace *ws, double *to)
{
  const size_t ld = d->chain.ld;
  memcpy(to, best, ld * sizeof *to);
  if (d->normalization != MN_NORMALIZE_TOKENS) return;
  const double *transitions = mn_chain_transitions_to(&d->chain, token, d->chain.transitions, ws);
  for (size_t i = 0; i < d->chain.classes; i++) to[i] -= log_sum(d, score, transitions + i * ld);
}

/* Forbid tags of a token: other than the fixed one, and those that cannot begin or end a sequence. */
static void forbid(const struct decoding *d, size_t row, const bool *allowed, double *best)
{
  const int32_t fixed = d->constraints && d->constraints->fixed ? d->constraints->fixed[row] : -1;
  for (size_t l = 0; l < d->chain.classes; l++)
    if ((fixed >= 0 && (int32_t)l != fixed) || (allowed && !allowed[l])) best[l] += FORBIDDEN;
}

/* Viterbi's algorithm. False: no sequence is allowed. */
static bool find_best(const struct decoding *d, size_t at, size_t n, mn_chain_workspace *ws, double *from,
                      int32_t *back, int32_t *tag)
{
  const size_t k = d->chain.classes, ld = d->chain.ld;
  const mn_constraints none = { 0 }, *c = d->constraints ? d->constraints : &none;
  double *best = from + ld;
  memcpy(best, ws->score, ld * sizeof *best);
  forbid(d, at, c->starts, best);
  for (size_t t = 1; t < n; t++) {
    const double *score = ws->score + t * ld;
    step_from(d, at + t, best, score, ws, from);
    mn_chain_best_step(k, ld, mn_chain_transitions_to(&d->chain, at + t, d->allowed, ws), from, score, best,
                       back + t * ld);
    forbid(d, at + t, NULL, best);
  }
  if (c->ends) forbid(d, at + n - 1, c->ends, best);
  size_t last = 0;
  for (size_t l = 1; l < k; l++)
    if (best[l] > best[last]) last = l;
  for (size_t t = n; t-- > 0;) {
    tag[t] = (int32_t)last;
    if (t > 0) last = (size_t)back[t * ld + last];
  }
  return best[tag[n - 1]] > FORBIDDEN / 2;
}

static void decode_block(void *work, size_t block, size_t worker)
{
  const struct decoding *d = work;
  mn_chain_workspace *ws = &d->workspace[worker];
  double *from = d->from + worker * 2 * d->chain.ld;
  int32_t *back = d->back + worker * d->longest * d->chain.ld;
  for (size_t s = mn_block_begin(&d->blocks, block); s < mn_block_end(&d->blocks, block); s++) {
    const size_t at = d->tokens->begin[s], n = d->tokens->begin[s + 1] - at;
    score_tokens(d, s, ws);
    d->failed[s] = !find_best(d, at, n, ws, from, back, d->tags + at);
    if (d->scores) d->scores[s] = score_sequence(d, at, n, d->tags + at, ws);
  }
}

mn_status mn_decode(mn_context *ctx, const mn_tagger *m, const mn_tokens *tokens, const mn_constraints *constraints,
                    int32_t *tags, double *scores)
{
  struct decoding d = { .m = m, .tokens = tokens, .constraints = constraints, .tags = tags, .scores = scores };
  MN_TRY(prepare(ctx, &d));
  MN_TRY(mn_parallel(ctx, d.blocks.count, decode_block, &d));
  for (size_t s = 0; s < tokens->sequences; s++)
    if (d.failed[s])
      return mn_fail(ctx, MN_BAD_DATA, "%s: the constraints allow no tags for sequence %zu (rows %zu to %zu)",
                     m->base.class->name, s + 1, tokens->begin[s] + 1, tokens->begin[s + 1]);
  return MN_OK;
}

mn_status mn_tagger_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_tagger *m = self;
  mn_tokens tokens;
  int32_t *tags = MN_RAW(ctx, int32_t, data->rows, 1);
  MN_CHECK_ALLOC(tags);
  mn_status status = mn_tokens_read(ctx, m, data, &tokens);
  if (status == MN_OK) status = mn_decode(ctx, m, &tokens, NULL, tags, NULL);
  mn_tokens_free(ctx, &tokens);
  for (size_t i = 0; status == MN_OK && i < data->rows; i++) out->at[i] = tags[i];
  return status;
}
