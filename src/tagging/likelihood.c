#include "likelihood.h"

enum {
  UNIT = 256,          /* tokens of a unit if each token is normalized               */
  BLOCK_TOKENS = 2048, /* at least, in a block                                       */
  MAX_BLOCKS = 8,      /* each has a gradient of its own, which costs time to add up */
  PART = 1 << 14       /* coefficients of a task that adds up gradients              */
};

static size_t padded_classes(const mn_tag_training *t)
{
  return (t->classes + 3) / 4 * 4;
}

/* Sequences, or parts of them. */
static mn_status find_units(mn_context *ctx, mn_likelihood *o)
{
  const mn_tokens *tokens = &o->t->tokens;
  o->units = tokens->sequences;
  o->begin = tokens->begin;
  o->longest = tokens->longest;
  if (!o->local) return MN_OK;
  size_t units = 0;
  for (size_t s = 0; s < tokens->sequences; s++) units += (tokens->begin[s + 1] - tokens->begin[s] + UNIT - 1) / UNIT;
  size_t *begin = MN_RAW(ctx, size_t, units + 1, 1);
  bool *continues = MN_RAW(ctx, bool, units, 1);
  if (!begin || !continues) return MN_NO_MEMORY;
  units = 0;
  for (size_t s = 0; s < tokens->sequences; s++)
    for (size_t at = tokens->begin[s]; at < tokens->begin[s + 1]; at += UNIT) {
      continues[units] = at > tokens->begin[s];
      begin[units++] = at;
    }
  begin[units] = tokens->x.rows;
  o->units = units;
  o->begin = begin;
  o->continues = continues;
  o->longest = o->longest < UNIT ? o->longest : UNIT;
  return MN_OK;
}

/* Blocks of units with about as many tokens. */
static mn_status find_blocks(mn_context *ctx, mn_likelihood *o)
{
  const size_t tokens = o->t->tokens.x.rows;
  size_t blocks = tokens / BLOCK_TOKENS, unit = 0;
  blocks = blocks < 1 ? 1 : blocks > MAX_BLOCKS ? MAX_BLOCKS : blocks;
  size_t *block = MN_RAW(ctx, size_t, blocks + 1, 1);
  MN_CHECK_ALLOC(block);
  for (size_t b = 0; b < blocks; b++) {
    while (unit < o->units && o->begin[unit] < b * tokens / blocks) unit++;
    block[b] = unit;
  }
  block[blocks] = o->units;
  o->blocks = blocks;
  o->block = block;
  return MN_OK;
}

static int32_t last_attribute(const mn_csr *x, const int32_t *col, size_t begin, size_t end, int32_t last)
{
  for (size_t e = x->start[begin]; e < x->start[end]; e++) last = col[e] > last ? col[e] : last;
  return last;
}

/* Only the coefficients of attributes up to the last one of a block belong to its gradient. */
static mn_status find_occurring(mn_context *ctx, mn_likelihood *o)
{
  const mn_tag_training *t = o->t;
  size_t *occurring = MN_RAW(ctx, size_t, o->blocks, 1);
  MN_CHECK_ALLOC(occurring);
  for (size_t b = 0; b < o->blocks; b++) {
    const size_t begin = o->begin[o->block[b]], end = o->begin[o->block[b + 1]];
    int32_t last = last_attribute(&t->tokens.x, t->col, begin, end, -1);
    if (t->tokens.of_transitions.rows > 0)
      last = last_attribute(&t->tokens.of_transitions, t->transition_col, begin, end, last);
    occurring[b] = (size_t)t->first[last + 1];
  }
  o->occurring = occurring;
  return MN_OK;
}

mn_status mn_likelihood_init(mn_context *ctx, const mn_tag_training *t, bool local, mn_likelihood *out)
{
  const size_t threads = mn_threads(ctx);
  *out = (mn_likelihood){ .t = t, .local = local };
  MN_TRY(find_units(ctx, out));
  MN_TRY(find_blocks(ctx, out));
  MN_TRY(find_occurring(ctx, out));
  MN_TRY(mn_chain_init(ctx, t->classes, t->transitions, &out->chain));
  MN_TRY(mn_tag_training_set_features(ctx, t, NULL, &out->chain));
  out->width = t->pairs + (t->transitions ? padded_classes(t) * out->chain.ld : 0);
  out->width = (out->width + MN_TAG_LANES - 1) / MN_TAG_LANES * MN_TAG_LANES;
  out->gradients = MN_RAW(ctx, double, out->blocks, out->width);
  out->losses = MN_RAW(ctx, double, out->blocks, 1);
  out->workspace = MN_NEW(ctx, mn_chain_workspace, threads, 1);
  if (!out->gradients || !out->losses || !out->workspace) return MN_NO_MEMORY;
  out->parts = mn_make_blocks(t->n, PART, SIZE_MAX);
  for (size_t i = 0; i < threads; i++)
    MN_TRY(mn_chain_workspace_init(ctx, &out->chain, out->longest, &out->workspace[i]));
  return MN_OK;
}

/* Where the padded sums of transitions begin; aligned. */
static double *transition_sums(const mn_likelihood *o, double *gradient)
{
  return gradient + (o->width - padded_classes(o->t) * o->chain.ld);
}

static double add_sequence(const mn_likelihood *o, size_t at, size_t n, mn_chain_workspace *ws, double *gradient)
{
  const mn_tag_training *t = o->t;
  const mn_csr *x = &t->tokens.x;
  const size_t k = t->classes, ld = o->chain.ld;
  mn_chain_scores(n, x->start + at, t->col, x->at, t->first, t->label, o->w, k, ld, ws->score);
  const double log_sum = mn_chain_add_expectations(&o->chain, at, n, ws, gradient, transition_sums(o, gradient));
  mn_chain_add_expected(n, x->start + at, t->col, x->at, t->first, t->label, ws->p, NULL, k, ld, gradient);
  return log_sum;
}

/* The features of the transition from the tag before a token: add their scores to those of the token, or, for its
 * probabilities, what is expected of them to the gradient. */
static void use_features(const mn_likelihood *o, size_t token, double *row, double *gradient)
{
  const mn_tag_training *t = o->t;
  const mn_csr *x = &t->tokens.of_transitions;
  const size_t k = t->classes, from = k + (size_t)t->data->code[token - 1] * k;
  for (size_t e = x->start[token]; e < x->start[token + 1]; e++)
    for (int32_t f = t->first[t->transition_col[e]]; f < t->first[t->transition_col[e] + 1]; f++) {
      const size_t l = (size_t)t->label[f];
      if (l < from || l >= from + k) continue;
      if (gradient)
        gradient[f] += x->at[e] * row[l - from];
      else
        row[l - from] += x->at[e] * o->w[f];
    }
}

/* Tokens that are normalized each. */
static double add_tokens(const mn_likelihood *o, size_t at, size_t n, bool continues, mn_chain_workspace *ws,
                         double *gradient)
{
  const mn_tag_training *t = o->t;
  const mn_csr *x = &t->tokens.x;
  const size_t k = t->classes, ld = o->chain.ld;
  const int32_t *tag = t->data->code + at;
  double sum = 0;
  mn_chain_scores(n, x->start + at, t->col, x->at, t->first, t->label, o->w, k, ld, ws->score);
  for (size_t i = continues ? 0 : 1; o->chain.features.x && i < n; i++)
    use_features(o, at + i, ws->score + i * ld, NULL);
  mn_chain_softmax(n, k, ld, o->chain.transitions, continues, tag, ws->score, ws->log_sum);
  for (size_t i = 0; i < n; i++) sum += ws->log_sum[i] * mn_weight(t->data, at + i);
  mn_chain_add_expected(n, x->start + at, t->col, x->at, t->first, t->label, ws->score,
                        t->data->weights ? t->data->weights + at : NULL, k, ld, gradient);
  for (size_t i = continues ? 0 : 1; t->transitions && i < n; i++) {
    double *to = transition_sums(o, gradient) + (size_t) * (tag + i - 1) * ld;
    for (size_t l = 0; l < k; l++) to[l] += ws->score[i * ld + l];
    if (o->chain.features.x) use_features(o, at + i, ws->score + i * ld, gradient);
  }
  return sum;
}

static void evaluate_block(void *work, size_t block, size_t worker)
{
  const mn_likelihood *o = work;
  double *gradient = o->gradients + block * o->width, loss = 0;
  memset(gradient, 0, o->occurring[block] * sizeof *gradient);
  memset(gradient + o->t->pairs, 0, (o->width - o->t->pairs) * sizeof *gradient);
  for (size_t u = o->block[block]; u < o->block[block + 1]; u++) {
    const size_t at = o->begin[u], n = o->begin[u + 1] - at;
    loss += o->local ? add_tokens(o, at, n, o->continues[u], &o->workspace[worker], gradient)
                     : add_sequence(o, at, n, &o->workspace[worker], gradient);
  }
  o->losses[block] = loss;
}

/* The expected minus the observed number of transition i. */
static double transition_gradient(const mn_likelihood *o, size_t i)
{
  const mn_tag_training *t = o->t;
  const size_t at = i / t->classes * o->chain.ld + i % t->classes;
  double sum = 0;
  if (!t->may_follow[i]) return 0;
  for (size_t b = 0; b < o->blocks; b++) sum += transition_sums(o, o->gradients + b * o->width)[at];
  const bool is_probability = o->local || o->chain.features.x;
  return (is_probability ? sum : sum * o->chain.exponentials[at]) - t->observed[t->pairs + i];
}

static void add_up(void *work, size_t part, size_t worker)
{
  (void)worker;
  const mn_likelihood *o = work;
  const size_t begin = mn_block_begin(&o->parts, part), end = mn_block_end(&o->parts, part);
  const size_t pairs = end < o->t->pairs ? end : o->t->pairs;
  for (size_t f = begin; f < pairs; f++) o->gradient[f] = -o->t->observed[f];
  for (size_t b = 0; b < o->blocks; b++)
    for (size_t f = begin; f < pairs && f < o->occurring[b]; f++) o->gradient[f] += o->gradients[b * o->width + f];
  for (size_t f = begin > o->t->pairs ? begin : o->t->pairs; f < end; f++)
    o->gradient[f] = transition_gradient(o, f - o->t->pairs);
}

mn_status mn_likelihood_evaluate(mn_context *ctx, mn_likelihood *o, const double *w, double *value, double *gradient)
{
  const mn_tag_training *t = o->t;
  o->w = w;
  o->gradient = gradient;
  o->chain.features.w = w;
  o->chain.features.factor = 1;
  if (t->transitions) mn_chain_set(&o->chain, w + t->pairs);
  MN_TRY(mn_parallel(ctx, o->blocks, evaluate_block, o));
  MN_TRY(mn_parallel(ctx, o->parts.count, add_up, o));
  *value = 0;
  for (size_t b = 0; b < o->blocks; b++) *value += o->losses[b];
  for (size_t j = 0; j < t->n; j++) *value -= w[j] * t->observed[j];
  return MN_OK;
}
