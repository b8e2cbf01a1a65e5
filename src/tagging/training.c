#include "training.h"
#include "../linalg/csr.h"

/* The counts of an attribute with each tag or transition. */
struct counts {
  double *sum;     /* labels: of the values, with sample weights */
  int64_t *tokens; /* labels */
};

/* The entries of tokens, or of transitions, by attribute. */
struct entries {
  mn_csr x;
  bool of_transitions;
  size_t labels, first_label; /* what a pair may have, and the number of the first */
};

/* The transitions to a token are numbered by both tags. */
static void count_attribute(const struct entries *by_attribute, size_t a, const mn_data *data, size_t classes,
                            struct counts *c)
{
  const mn_csr *x = &by_attribute->x;
  memset(c->sum, 0, by_attribute->labels * sizeof *c->sum);
  memset(c->tokens, 0, by_attribute->labels * sizeof *c->tokens);
  for (size_t e = x->start[a]; e < x->start[a + 1]; e++) {
    const size_t token = (size_t)x->col[e], before = by_attribute->of_transitions ? (size_t)data->code[token - 1] : 0;
    const size_t l = before * classes + (size_t)data->code[token];
    c->sum[l] += mn_weight(data, token) * x->at[e];
    c->tokens[l]++;
  }
}

static bool has_pair(const struct entries *by_attribute, const mn_tagger *m, int64_t tokens, bool intercept)
{
  const bool all = by_attribute->of_transitions ? m->all_possible_transitions : m->all_possible_states;
  if (all || intercept) return tokens >= (intercept ? 0 : m->min_freq);
  return tokens > 0 && tokens >= m->min_freq;
}

static void rank_entries(const mn_csr *x, size_t row, int32_t *rank, int32_t *n, int32_t *col)
{
  for (size_t e = x->start[row]; e < x->start[row + 1]; e++) {
    int32_t *place = &rank[x->col[e]];
    if (*place < 0) *place = (*n)++;
    col[e] = *place;
  }
}

/* Number the attributes by their first occurrence; order[i] is the attribute of place i. */
static mn_status rank_attributes(mn_context *ctx, mn_tag_training *t, int32_t **order)
{
  const mn_csr *x = &t->tokens.x, *of_transitions = &t->tokens.of_transitions;
  const size_t rows = of_transitions->rows;
  int32_t *rank = MN_RAW(ctx, int32_t, t->attributes, 1), *col = MN_RAW(ctx, int32_t, x->start[x->rows], 1), n = 0;
  int32_t *transition_col = MN_RAW(ctx, int32_t, rows > 0 ? of_transitions->start[rows] : 0, 1);
  *order = MN_RAW(ctx, int32_t, t->attributes, 1);
  if (!rank || !col || !transition_col || !*order) return MN_NO_MEMORY;
  for (size_t a = 0; a < t->attributes; a++) rank[a] = -1;
  for (size_t i = 0; i < x->rows; i++) {
    rank_entries(x, i, rank, &n, col);
    if (rows > 0) rank_entries(of_transitions, i, rank, &n, transition_col);
  }
  for (size_t a = 0; a < t->attributes; a++) {
    if (rank[a] < 0) rank[a] = n++; /* an empty column */
    (*order)[rank[a]] = (int32_t)a;
  }
  t->col = col;
  t->transition_col = transition_col;
  t->rank = rank;
  return MN_OK;
}

static mn_status sort_entries(mn_context *ctx, const mn_tag_training *t, struct entries *of_tokens,
                              struct entries *of_transitions, struct counts *c)
{
  const size_t k = t->classes, labels = t->tokens.of_transitions.rows > 0 ? k * k : k;
  *of_tokens = (struct entries){ .labels = k };
  *of_transitions = (struct entries){ .of_transitions = true, .labels = k * k, .first_label = k };
  MN_TRY(mn_csr_transpose_scratch(ctx, &t->tokens.x, &of_tokens->x));
  if (labels > k) MN_TRY(mn_csr_transpose_scratch(ctx, &t->tokens.of_transitions, &of_transitions->x));
  c->sum = MN_RAW(ctx, double, labels, 1);
  c->tokens = MN_RAW(ctx, int64_t, labels, 1);
  return c->sum && c->tokens ? MN_OK : MN_NO_MEMORY;
}

static bool has_entries(const struct entries *by_attribute, size_t a)
{
  return by_attribute->x.rows > 0 && by_attribute->x.start[a + 1] > by_attribute->x.start[a];
}

/* Count the pairs of the attributes in this order, and set first; label and observed, which may be NULL, are set, too.
 * The entries by attribute need much memory, which is released. */
static mn_status read_pairs(mn_context *ctx, const mn_tag_training *t, const int32_t *order, int32_t *first,
                            int32_t *label, double *observed)
{
  enum { POLL_EVERY = 4096 };
  const mn_tagger *m = t->model;
  const mn_mark mark = mn_scratch_mark(ctx);
  size_t pairs = 0;
  struct entries of_tokens, of_transitions;
  struct counts c;
  MN_TRY(sort_entries(ctx, t, &of_tokens, &of_transitions, &c));
  for (size_t i = 0; i < t->attributes; i++) {
    const size_t a = (size_t)order[i];
    const bool intercept = m->fit_intercept && a + 1 == t->attributes;
    const struct entries *x = has_entries(&of_transitions, a) ? &of_transitions : &of_tokens;
    if (i % POLL_EVERY == 0) MN_TRY(mn_poll(ctx));
    first[i] = (int32_t)pairs;
    count_attribute(x, a, t->data, t->classes, &c);
    for (size_t l = 0; l < x->labels; l++) {
      if (!has_pair(x, m, c.tokens[l], intercept)) continue;
      if (label) label[pairs] = (int32_t)(x->first_label + l);
      if (observed) observed[pairs] = c.sum[l];
      pairs++;
    }
    if (pairs > INT32_MAX)
      return mn_fail(ctx, MN_BAD_DATA, "%s: X has more than %d pairs of a feature and a tag; increase min_freq",
                     m->base.class->name, INT32_MAX);
  }
  first[t->attributes] = (int32_t)pairs;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status find_pairs(mn_context *ctx, mn_tag_training *t)
{
  int32_t *order, *label;
  MN_TRY(rank_attributes(ctx, t, &order));
  int32_t *first = MN_RAW(ctx, int32_t, t->attributes + 1, 1);
  MN_CHECK_ALLOC(first);
  MN_TRY(read_pairs(ctx, t, order, first, NULL, NULL));
  t->first = first;
  t->pairs = (size_t)first[t->attributes];
  t->n = t->pairs + (t->transitions ? t->classes * t->classes : 0);
  if (t->pairs == 0)
    return mn_fail(ctx, MN_BAD_DATA, "%s: no feature is left; decrease min_freq", t->model->base.class->name);
  label = MN_RAW(ctx, int32_t, t->pairs, 1);
  t->observed = MN_NEW(ctx, double, t->n, 1);
  if (!label || !t->observed) return MN_NO_MEMORY;
  t->label = label;
  return read_pairs(ctx, t, order, first, label, t->observed);
}

static mn_status find_transitions(mn_context *ctx, mn_tag_training *t, double *observed)
{
  const size_t k = t->classes;
  bool *may_follow = MN_NEW(ctx, bool, k, k);
  MN_CHECK_ALLOC(may_follow);
  for (size_t s = 0; s < t->tokens.sequences; s++)
    for (size_t i = t->tokens.begin[s] + 1; i < t->tokens.begin[s + 1]; i++)
      observed[(size_t)t->data->code[i - 1] * k + (size_t)t->data->code[i]] += 1;
  for (size_t i = 0; i < k * k; i++) {
    const bool common = observed[i] >= (double)t->model->min_freq;
    may_follow[i] = common && (t->model->all_possible_transitions || observed[i] > 0);
    if (!may_follow[i]) observed[i] = 0;
  }
  t->may_follow = may_follow;
  return MN_OK;
}

/* The intercept is not penalized. */
static mn_status set_penalties(mn_context *ctx, mn_tag_training *t)
{
  const mn_tagger *m = t->model;
  const int32_t *free = m->fit_intercept ? &t->first[t->rank[t->attributes - 1]] : NULL; /* pairs without penalty */
  t->l2 = MN_RAW(ctx, double, t->n + 1, 1);
  MN_CHECK_ALLOC(t->l2);
  if (m->c1 > 0) {
    t->l1 = MN_RAW(ctx, double, t->n + 1, 1);
    MN_CHECK_ALLOC(t->l1);
  }
  for (size_t j = 0; j < t->n; j++) {
    const bool penalized = !free || j < (size_t)free[0] || j >= (size_t)free[1];
    t->l2[j] = penalized ? m->c2 : 0;
    if (t->l1) t->l1[j] = penalized ? m->c1 : 0;
  }
  return MN_OK;
}

mn_status mn_tag_training_init(mn_context *ctx, mn_tagger *m, const mn_data *data, bool transitions,
                               mn_tag_training *out)
{
  *out = (mn_tag_training){ .model = m, .data = data, .classes = data->classes, .transitions = transitions };
  MN_TRY(mn_tokens_learn(ctx, m, data, &out->tokens));
  out->attributes = out->tokens.x.cols;
  MN_TRY(find_pairs(ctx, out));
  if (transitions) MN_TRY(find_transitions(ctx, out, out->observed + out->pairs));
  return set_penalties(ctx, out);
}

mn_status mn_tag_training_set_features(mn_context *ctx, const mn_tag_training *t, const double *w, mn_chain *chain)
{
  if (t->tokens.of_transitions.rows == 0) return MN_OK;
  const mn_transition_features features = {
    .x = &t->tokens.of_transitions, .col = t->transition_col, .first = t->first, .label = t->label, .w = w, .factor = 1
  };
  return mn_chain_set_features(ctx, chain, &features);
}

mn_status mn_tag_training_store(mn_context *ctx, const mn_tag_training *t, const double *w)
{
  mn_tagger *m = t->model;
  size_t kept = 0, next = 0;
  for (size_t f = 0; f < t->pairs; f++) kept += w[f] != 0;
  MN_TRY(mn_indexes_init(ctx, &m->first, t->attributes + 1));
  if (kept > 0) MN_TRY(mn_indexes_init(ctx, &m->label, kept));
  if (kept > 0) MN_TRY(mn_vector_init(ctx, &m->coef, kept));
  for (size_t a = 0; a < t->attributes; a++) {
    m->first.at[a] = (int32_t)next;
    const int32_t *pairs = &t->first[t->rank[a]];
    for (int32_t f = pairs[0]; f < pairs[1]; f++) {
      if (w[f] == 0) continue;
      m->label.at[next] = t->label[f];
      m->coef.at[next++] = w[f];
    }
  }
  m->first.at[t->attributes] = (int32_t)next;
  if (!t->transitions) return MN_OK;
  MN_TRY(mn_matrix_init(ctx, &m->transitions, t->classes, t->classes));
  memcpy(m->transitions.at, w + t->pairs, t->classes * t->classes * sizeof *w);
  return MN_OK;
}
