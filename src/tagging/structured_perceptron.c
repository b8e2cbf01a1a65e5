/* Structured perceptron: sequences one by one; where the best tags y* under the current coefficients are not those
 * given, with f(x, y) the sums of features and transitions,
 *
 *     w += tau (f(x, y) - f(x, y*))
 *
 *   perceptron          tau = 1
 *   passive_aggressive  tau = min(C, loss / |f(x, y) - f(x, y*)|^2), the smallest change after which y wins by a margin
 * of the number of wrong tags: loss = wrong tags - (score(y) - score(y*)), 1-best MIRA
 *
 * The average of w over all steps is less sensitive to the last sequences (Collins 2002). */
#include "../core/rng.h"
#include "../sequence/sequences.h"
#include "decode.h"
#include "operations.h"
#include "training.h"

enum { UPDATE_PERCEPTRON, UPDATE_PASSIVE_AGGRESSIVE };
static const char *const updates[] = { "perceptron", "passive_aggressive", NULL };

struct learner {
  const mn_tag_training *t;
  mn_chain chain;
  mn_chain_workspace ws;
  double *from;    /* 2 x ld */
  int32_t *back;   /* longest x ld */
  int32_t *best;   /* longest: tags */
  double *w, *sum; /* n: coefficients, and those times the step of each change: the average is w - sum / steps */
  double steps;
  /* the features that differ between the tags given and the best ones, for |f - f*|^2 */
  double *difference; /* n: 0 between sequences */
  bool *is_changed;   /* n: false between sequences */
  int32_t *changed;
  size_t changes, capacity;
};

static void find_best(struct learner *l, size_t at, size_t n)
{
  const mn_tag_training *t = l->t;
  const mn_csr *x = &t->tokens.x;
  const size_t k = t->classes, ld = l->chain.ld;
  double *now = l->from, *next = l->from + ld;
  mn_chain_scores(n, x->start + at, t->col, x->at, t->first, t->label, l->w, k, ld, l->ws.score);
  memcpy(now, l->ws.score, ld * sizeof *now);
  for (size_t i = 1; i < n; i++) {
    const double *to = mn_chain_transitions_to(&l->chain, at + i, l->chain.transitions, &l->ws);
    mn_chain_best_step(k, ld, to, now, l->ws.score + i * ld, next, l->back + i * ld);
    double *swap = now;
    now = next;
    next = swap;
  }
  size_t last = 0;
  for (size_t j = 1; j < k; j++)
    if (now[j] > now[last]) last = j;
  for (size_t i = n; i-- > 0;) {
    l->best[i] = (int32_t)last;
    if (i > 0) last = (size_t)l->back[i * ld + last];
  }
}

static mn_status add_difference(mn_context *ctx, struct learner *l, size_t f, double by)
{
  if (l->changes == l->capacity) {
    const size_t capacity = 2 * l->capacity + 1024;
    int32_t *changed = MN_GROW(ctx, l->changed, l->changes, capacity);
    MN_CHECK_ALLOC(changed);
    l->changed = changed;
    l->capacity = capacity;
  }
  l->difference[f] += by;
  if (!l->is_changed[f]) l->changed[l->changes++] = (int32_t)f;
  l->is_changed[f] = true;
  return MN_OK;
}

/* The pair of attribute a and a tag, or SIZE_MAX. */
static size_t find_pair(const mn_tag_training *t, int32_t a, int32_t tag)
{
  int32_t low = t->first[a], high = t->first[a + 1];
  while (low < high) {
    const int32_t mid = low + (high - low) / 2;
    if (t->label[mid] < tag)
      low = mid + 1;
    else
      high = mid;
  }
  return low < t->first[a + 1] && t->label[low] == tag ? (size_t)low : SIZE_MAX;
}

/* Add the attributes of a token with the tag, or transition, that is given, and subtract them with the best one. */
static mn_status add_entries(mn_context *ctx, struct learner *l, const mn_csr *x, const int32_t *col, size_t token,
                             size_t given, size_t best)
{
  for (size_t e = x->start[token]; e < x->start[token + 1]; e++) {
    const size_t plus = find_pair(l->t, col[e], (int32_t)given), minus = find_pair(l->t, col[e], (int32_t)best);
    if (plus != SIZE_MAX) MN_TRY(add_difference(ctx, l, plus, x->at[e]));
    if (minus != SIZE_MAX) MN_TRY(add_difference(ctx, l, minus, -x->at[e]));
  }
  return MN_OK;
}

/* f(x, y) - f(x, y*). Returns the number of wrong tags. */
static mn_status find_difference(mn_context *ctx, struct learner *l, size_t at, size_t n, size_t *wrong)
{
  const mn_tag_training *t = l->t;
  const mn_csr *of_transitions = &t->tokens.of_transitions;
  const size_t k = t->classes;
  const int32_t *given = t->data->code + at, *best = l->best;
  for (size_t i = 0; i < n; i++) {
    const bool differ = given[i] != best[i];
    *wrong += differ;
    if (differ) MN_TRY(add_entries(ctx, l, &t->tokens.x, t->col, at + i, (size_t)given[i], (size_t)best[i]));
    if (i == 0 || (!differ && given[i - 1] == best[i - 1])) continue;
    const size_t plus = (size_t)given[i - 1] * k + (size_t)given[i], minus = (size_t)best[i - 1] * k + (size_t)best[i];
    MN_TRY(add_difference(ctx, l, t->pairs + plus, 1));
    if (t->may_follow[minus]) MN_TRY(add_difference(ctx, l, t->pairs + minus, -1));
    if (of_transitions->rows > 0)
      MN_TRY(add_entries(ctx, l, of_transitions, t->transition_col, at + i, k + plus, k + minus));
  }
  return MN_OK;
}

static double step_length(const struct learner *l, size_t wrong)
{
  const mn_tagger *m = l->t->model;
  double norm2 = 0, margin = 0;
  if (m->update == UPDATE_PERCEPTRON) return 1;
  for (size_t i = 0; i < l->changes; i++) {
    const double d = l->difference[l->changed[i]];
    norm2 += d * d;
    margin += l->w[l->changed[i]] * d;
  }
  return norm2 > 0 ? fmax(0, fmin(m->C, ((double)wrong - margin) / norm2)) : 0;
}

static void take_step(struct learner *l, double tau)
{
  const size_t k = l->t->classes, pairs = l->t->pairs;
  for (size_t i = 0; i < l->changes; i++) {
    const size_t f = (size_t)l->changed[i];
    l->w[f] += tau * l->difference[f];
    l->sum[f] += l->steps * tau * l->difference[f];
    if (f >= pairs) l->chain.transitions[(f - pairs) / k * l->chain.ld + (f - pairs) % k] = l->w[f];
    l->difference[f] = 0;
    l->is_changed[f] = false;
  }
  l->changes = 0;
}

static mn_status run_pass(mn_context *ctx, struct learner *l, const size_t *order, size_t *wrong)
{
  const mn_tokens *tokens = &l->t->tokens;
  *wrong = 0;
  for (size_t i = 0; i < tokens->sequences; i++, l->steps++) {
    const size_t at = tokens->begin[order[i]], n = tokens->begin[order[i] + 1] - at;
    size_t errors = 0;
    find_best(l, at, n);
    MN_TRY(find_difference(ctx, l, at, n, &errors));
    if (errors > 0) take_step(l, step_length(l, errors));
    *wrong += errors;
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status init(mn_context *ctx, const mn_tag_training *t, struct learner *l)
{
  const size_t longest = t->tokens.longest;
  *l = (struct learner){ .t = t, .steps = 1 };
  MN_TRY(mn_chain_init(ctx, t->classes, true, &l->chain));
  l->w = MN_NEW(ctx, double, t->n, 1);
  MN_TRY(mn_tag_training_set_features(ctx, t, l->w, &l->chain));
  MN_TRY(mn_chain_workspace_init(ctx, &l->chain, longest, &l->ws));
  l->from = MN_NEW(ctx, double, 2, l->chain.ld);
  l->back = MN_RAW(ctx, int32_t, longest, l->chain.ld);
  l->best = MN_RAW(ctx, int32_t, longest, 1);
  l->sum = MN_NEW(ctx, double, t->n, 1);
  l->difference = MN_NEW(ctx, double, t->n, 1);
  l->is_changed = MN_NEW(ctx, bool, t->n, 1);
  return l->from && l->back && l->best && l->w && l->sum && l->difference && l->is_changed ? MN_OK : MN_NO_MEMORY;
}

static mn_status learn(mn_context *ctx, mn_tagger *m, const mn_tag_training *t)
{
  struct learner l;
  mn_report *r = &m->base.report;
  size_t *order = MN_RAW(ctx, size_t, t->tokens.sequences, 1), wrong;
  MN_CHECK_ALLOC(order);
  MN_TRY(init(ctx, t, &l));
  for (size_t s = 0; s < t->tokens.sequences; s++) order[s] = s;
  for (size_t pass = 0; pass < (size_t)m->max_iter; pass++) {
    mn_rng rng = mn_stream(m->seed, pass);
    mn_shuffle(&rng, order, t->tokens.sequences);
    MN_TRY(run_pass(ctx, &l, order, &wrong));
    r->change = (double)wrong / (double)t->tokens.x.rows;
    r->converged = wrong == 0;
    if (!mn_round(ctx, r, m->max_iter, r->change) || r->converged) break;
  }
  for (size_t f = 0; m->averaged && f < t->n; f++) l.w[f] -= l.sum[f] / l.steps;
  return mn_tag_training_store(ctx, t, l.w);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_tag_training t;
  mn_status status = mn_tag_training_init(ctx, self, data, true, &t);
  if (status == MN_OK) status = learn(ctx, self, &t);
  mn_tokens_free(ctx, &t.tokens);
  return status;
}

static const mn_param params[] = {
  MN_TAGGER_SEQUENCE_TEMPLATE,
  MN_CHOICE(mn_tagger, update, UPDATE_PERCEPTRON, updates,
            "perceptron adds the difference of features; passive_aggressive (MIRA) the smallest step to a margin"),
  MN_REAL(mn_tagger, C, 1, MN_GREATER_THAN(0), "longest step of passive_aggressive"),
  MN_FLAG(mn_tagger, averaged, true, "average the coefficients over all steps"),
  MN_TAGGER_STATES,
  MN_TAGGER_TRANSITIONS,
  MN_COUNT(mn_tagger, max_iter, 10, MN_CLOSED(1, 1e9), "number of passes over X; fewer if all tags are right"),
  MN_SEED(mn_tagger, seed),
  MN_END,
};

static const mn_field fields[] = { MN_TAGGER_SEQUENCE_FIELDS, MN_END };

const mn_class mn_structured_perceptron = {
  .name = "StructuredPerceptron",
  .brief = "Tags of sequences by the averaged perceptron, or margin-infused updates (MIRA).",
  .objective = "w += tau (f(x, y) - f(x, y*)) where the best tags y* are wrong",
  .source = "Collins (EMNLP 2002); Crammer & Singer, JMLR 3 (2003)",
  .notes = "X and lengths as for CRF. Learns in a few passes, without probabilities: decision_function is the score of "
           "the best sequence with each tag. The trace is the share of wrong tags in each pass.",
  .example = "local X = { { \"the\" }, { \"dog\" }, { \"barks\" }, { \"dogs\" }, { \"bark\" } }\n"
             "local y = { \"DET\", \"NOUN\", \"VERB\", \"NOUN\", \"VERB\" }\n"
             "local model = ml.StructuredPerceptron{}:fit(X, y, { lengths = { 3, 2 } })\n"
             "print(model:predict{ { \"the\" }, { \"bark\" } })",
  MN_TAGGER_MEMBERS,
  .capabilities = MN_CLASSIFY | MN_ITERATE | MN_RANDOM | MN_NOISY_OBJECTIVE,
  .accepts = MN_SPARSE | MN_FACTORS | MN_RECORDS | MN_LENGTHS,
  .params = params,
  .fields = fields,
  .operations = mn_tagger_operations,
  .fit = fit,
  .predict = mn_tagger_predict,
  .decision = mn_tagger_decision,
  .export = mn_sequence_export,
};
