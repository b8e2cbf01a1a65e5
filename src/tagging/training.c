#include "training.h"
#include "../linalg/csr.h"

/* The counts of an attribute with each tag. */
struct counts {
  double *sum;     /* classes: of the values, with sample weights */
  int64_t *tokens; /* classes */
};

static void count_attribute(const mn_csr *by_attribute, size_t a, const mn_data *data, size_t classes, struct counts *c)
{
  memset(c->sum, 0, classes * sizeof *c->sum);
  memset(c->tokens, 0, classes * sizeof *c->tokens);
  for (size_t e = by_attribute->start[a]; e < by_attribute->start[a + 1]; e++) {
    const size_t token = (size_t)by_attribute->col[e];
    c->sum[data->code[token]] += mn_weight(data, token) * by_attribute->at[e];
    c->tokens[data->code[token]]++;
  }
}

static bool has_pair(const mn_tagger *m, int64_t tokens, bool intercept)
{
  if (m->all_possible_states || intercept) return tokens >= (intercept ? 0 : m->min_freq);
  return tokens > 0 && tokens >= m->min_freq;
}

/* Number the attributes by their first occurrence; order[i] is the attribute of place i. */
static mn_status rank_attributes(mn_context *ctx, mn_tag_training *t, int32_t **order)
{
  const mn_csr *x = &t->tokens.x;
  const size_t entries = x->start[x->rows];
  int32_t *rank = MN_RAW(ctx, int32_t, t->attributes, 1), *col = MN_RAW(ctx, int32_t, entries, 1), n = 0;
  *order = MN_RAW(ctx, int32_t, t->attributes, 1);
  if (!rank || !col || !*order) return MN_NO_MEMORY;
  for (size_t a = 0; a < t->attributes; a++) rank[a] = -1;
  for (size_t e = 0; e < entries; e++) {
    int32_t *place = &rank[x->col[e]];
    if (*place < 0) *place = n++;
    col[e] = *place;
  }
  for (size_t a = 0; a < t->attributes; a++) {
    if (rank[a] < 0) rank[a] = n++; /* an empty column */
    (*order)[rank[a]] = (int32_t)a;
  }
  t->col = col;
  t->rank = rank;
  return MN_OK;
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
  mn_csr by_attribute;
  MN_TRY(mn_csr_transpose_scratch(ctx, &t->tokens.x, &by_attribute));
  struct counts c = { .sum = MN_RAW(ctx, double, t->classes, 1), .tokens = MN_RAW(ctx, int64_t, t->classes, 1) };
  if (!c.sum || !c.tokens) return MN_NO_MEMORY;
  for (size_t i = 0; i < t->attributes; i++) {
    const size_t a = (size_t)order[i];
    const bool intercept = m->fit_intercept && a + 1 == t->attributes;
    if (i % POLL_EVERY == 0) MN_TRY(mn_poll(ctx));
    first[i] = (int32_t)pairs;
    count_attribute(&by_attribute, a, t->data, t->classes, &c);
    for (size_t l = 0; l < t->classes; l++) {
      if (!has_pair(m, c.tokens[l], intercept)) continue;
      if (label) label[pairs] = (int32_t)l;
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
