#include "operations.h"
#include "decode.h"
#include "tag_scheme.h"
#include <stdlib.h>

/* The name of a class as a string; in scratch. */
static mn_status class_names(mn_context *ctx, const mn_tagger *m, const char ***out)
{
  const size_t k = mn_levels_size(m->base.classes);
  const char **names = MN_RAW(ctx, const char *, k, 1);
  MN_CHECK_ALLOC(names);
  for (size_t i = 0; i < k; i++) {
    const mn_label label = mn_levels_at(m->base.classes, i);
    const bool text = label.kind == MN_LABEL_TEXT;
    const size_t size = text ? label.as.text.size : 64;
    char *name = MN_NEW(ctx, char, size + 1, 1);
    MN_CHECK_ALLOC(name);
    if (!text)
      mn_format_label(name, size, label);
    else if (size > 0)
      memcpy(name, label.as.text.bytes, size);
    names[i] = name;
  }
  *out = names;
  return MN_OK;
}

/* --- summary --- */

struct summary_options {
  int64_t n;
};

/* What is listed. */
enum entry_kind { ENTRY_FEATURE, ENTRY_TRANSITION, ENTRY_TRANSITION_FEATURE };

/* A coefficient of a pair or a transition. */
struct entry {
  size_t from, to; /* attribute or tag; tag or transition */
  double value;
};

static int by_size(const void *left, const void *right)
{
  const struct entry *a = left, *b = right;
  const double x = fabs(a->value), y = fabs(b->value);
  if (x != y) return x > y ? -1 : 1;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  return (a->to > b->to) - (a->to < b->to);
}

static mn_status collect(mn_context *ctx, const mn_tagger *m, enum entry_kind kind, struct entry **out, size_t *n)
{
  const bool transitions = kind == ENTRY_TRANSITION;
  const size_t k = m->transitions.cols, size = transitions ? k * k : m->coef.size;
  struct entry *e = MN_RAW(ctx, struct entry, size, 1);
  MN_CHECK_ALLOC(e);
  *n = 0;
  *out = e;
  for (size_t i = 0; transitions && i < k * k; i++)
    if (m->transitions.at[i] != 0)
      e[(*n)++] = (struct entry){ .from = i / k, .to = i % k, .value = m->transitions.at[i] };
  for (size_t a = 0; !transitions && a < mn_attributes(m); a++) {
    if (mn_is_attribute_of_transitions(m, a) != (kind == ENTRY_TRANSITION_FEATURE)) continue;
    for (int32_t f = m->first.at[a]; f < m->first.at[a + 1]; f++)
      e[(*n)++] = (struct entry){ .from = a, .to = (size_t)m->label.at[f], .value = m->coef.at[f] };
  }
  MN_TRY(mn_poll(ctx));
  if (*n > 0) qsort(e, *n, sizeof *e, by_size);
  return MN_OK;
}

/* The names of the columns of a Frame; feature or from may be NULL. */
struct columns {
  const char *feature, *from, *to, *value;
};

static mn_status add_entries(mn_context *ctx, const mn_tagger *m, enum entry_kind kind, const char **classes,
                             const struct columns *names, int64_t limit, mn_results *results)
{
  const size_t k = mn_levels_size(m->base.classes);
  struct entry *e;
  size_t n;
  mn_vector *value;
  MN_TRY(collect(ctx, m, kind, &e, &n));
  if (n > (size_t)limit) n = (size_t)limit;
  const char **feature = MN_RAW(ctx, const char *, n, 1), **from = MN_RAW(ctx, const char *, n, 1);
  const char **to = MN_RAW(ctx, const char *, n, 1);
  char *buffer = MN_RAW(ctx, char, n, MN_ATTRIBUTE_NAME);
  if (!feature || !from || !to || !buffer) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    char *own = buffer + i * MN_ATTRIBUTE_NAME;
    feature[i] = kind == ENTRY_TRANSITION ? "" : mn_attribute_name(m, e[i].from, own);
    from[i] = classes[kind == ENTRY_TRANSITION ? e[i].from : kind == ENTRY_FEATURE ? 0 : (e[i].to - k) / k];
    to[i] = classes[kind == ENTRY_TRANSITION_FEATURE ? (e[i].to - k) % k : e[i].to];
  }
  if (names->feature) MN_TRY(mn_result_names(ctx, results, names->feature, feature, n));
  if (names->from) MN_TRY(mn_result_names(ctx, results, names->from, from, n));
  MN_TRY(mn_result_names(ctx, results, names->to, to, n));
  MN_TRY(mn_result_vector(ctx, results, names->value, n, &value));
  for (size_t i = 0; i < n; i++) value->at[i] = e[i].value;
  return MN_OK;
}

static bool has_transition_features(const mn_tagger *m)
{
  for (size_t a = 0; a < mn_attributes(m); a++)
    if (mn_is_attribute_of_transitions(m, a)) return true;
  return false;
}

static mn_status run_summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  (void)data;
  static const struct columns of_tokens = { "features.feature", NULL, "features.tag", "features.coef" };
  static const struct columns transitions = { NULL, "transitions.from", "transitions.to", "transitions.coef" };
  static const struct columns of_transitions = { "transition_features.feature", "transition_features.from",
                                                 "transition_features.to", "transition_features.coef" };
  const mn_tagger *m = self;
  const struct summary_options *o = options;
  const char **classes;
  MN_TRY(class_names(ctx, m, &classes));
  MN_TRY(add_entries(ctx, m, ENTRY_FEATURE, classes, &of_tokens, o->n, results));
  if (m->transitions.rows > 0) MN_TRY(add_entries(ctx, m, ENTRY_TRANSITION, classes, &transitions, o->n, results));
  if (has_transition_features(m))
    MN_TRY(add_entries(ctx, m, ENTRY_TRANSITION_FEATURE, classes, &of_transitions, o->n, results));
  mn_result_count(results, "n_features", (int64_t)mn_attributes(m));
  mn_result_count(results, "n_coefficients", (int64_t)m->coef.size);
  return MN_OK;
}

/* --- decode --- */

struct decode_options {
  int64_t scheme;
  mn_matrix allowed;
  mn_vector fixed_rows;
  mn_feature_list fixed_tags;
};

static const char *const schemes[] = { "none", "iob2", "iobes", NULL };

/* Also forbid the transitions that are 0 in the option allowed. */
static mn_status add_allowed(mn_context *ctx, const mn_tagger *m, const mn_matrix *allowed, mn_constraints *c)
{
  const size_t k = mn_levels_size(m->base.classes);
  if (!allowed->at) return MN_OK;
  if (allowed->rows != k || allowed->cols != k)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s:decode: allowed must be %zu x %zu, a row and a column for each class, got %zu x %zu",
                   m->base.class->name, k, k, allowed->rows, allowed->cols);
  bool *both = MN_RAW(ctx, bool, k, k);
  MN_CHECK_ALLOC(both);
  for (size_t i = 0; i < k * k; i++) both[i] = allowed->at[i] != 0 && (!c->may_follow || c->may_follow[i]);
  c->may_follow = both;
  return MN_OK;
}

/* The class of tag i of a list of names or numbers. */
static int32_t find_tag(const mn_tagger *m, const mn_feature_list *tags, size_t i)
{
  if (tags->name.size > 0) {
    const char *name = tags->name.at[i];
    return mn_levels_find(m->base.classes,
                          (mn_label){ .kind = MN_LABEL_TEXT, .as.text = { .bytes = name, .size = strlen(name) } });
  }
  return mn_levels_find(m->base.classes, (mn_label){ .kind = MN_LABEL_FLOAT, .as.number = tags->value.at[i] });
}

static mn_status add_fixed(mn_context *ctx, const mn_tagger *m, const struct decode_options *o, size_t rows,
                           mn_constraints *c)
{
  const char *who = m->base.class->name;
  const size_t n = o->fixed_rows.size;
  const size_t tags = o->fixed_tags.name.size > 0 ? o->fixed_tags.name.size : o->fixed_tags.value.size;
  if (n != tags)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s:decode: fixed_tags must have as many tags as fixed_rows rows, %zu, got %zu", who, n, tags);
  if (n == 0) return MN_OK;
  int32_t *fixed = MN_RAW(ctx, int32_t, rows, 1);
  MN_CHECK_ALLOC(fixed);
  for (size_t i = 0; i < rows; i++) fixed[i] = -1;
  for (size_t i = 0; i < n; i++) {
    const double row = o->fixed_rows.at[i];
    const int32_t tag = find_tag(m, &o->fixed_tags, i);
    char number[MN_NUMBER_SIZE];
    if (!(row >= 1 && row <= (double)rows && row == floor(row)))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s:decode: fixed_rows must be rows of X, 1 to %zu, got %s", who, rows,
                     mn_format_number(number, row));
    if (tag < 0)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s:decode: fixed_tags must be classes, got %s at position %zu", who,
                     o->fixed_tags.name.size > 0 ? o->fixed_tags.name.at[i]
                                                 : mn_format_number(number, o->fixed_tags.value.at[i]),
                     i + 1);
    fixed[(size_t)row - 1] = tag;
  }
  c->fixed = fixed;
  return MN_OK;
}

static mn_status add_tags(mn_context *ctx, const mn_tagger *m, size_t rows, const int32_t *tags, mn_results *results)
{
  const char **classes, **names = MN_RAW(ctx, const char *, rows, 1);
  MN_CHECK_ALLOC(names);
  MN_TRY(class_names(ctx, m, &classes));
  for (size_t i = 0; i < rows; i++) names[i] = classes[tags[i]];
  return mn_result_names(ctx, results, "tags", names, rows);
}

static mn_status run_decode(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                            mn_results *results)
{
  const mn_tagger *m = self;
  const struct decode_options *o = options;
  mn_constraints c = { 0 };
  mn_tokens tokens;
  mn_vector *scores;
  int32_t *tags = MN_RAW(ctx, int32_t, data->rows, 1);
  MN_CHECK_ALLOC(tags);
  if (o->scheme != MN_SCHEME_NONE) MN_TRY(mn_scheme_constraints(ctx, m, (enum mn_tag_scheme)o->scheme, &c));
  MN_TRY(add_allowed(ctx, m, &o->allowed, &c));
  MN_TRY(add_fixed(ctx, m, o, data->rows, &c));
  mn_status status = mn_tokens_read(ctx, m, data, &tokens);
  if (status == MN_OK) status = mn_result_vector(ctx, results, "scores", tokens.sequences, &scores);
  if (status == MN_OK) status = mn_decode(ctx, m, &tokens, &c, tags, scores->at);
  mn_tokens_free(ctx, &tokens);
  return status == MN_OK ? add_tags(ctx, m, data->rows, tags, results) : status;
}

/* --- log_likelihood --- */

static mn_status run_log_likelihood(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                    mn_results *results)
{
  (void)options;
  mn_tokens tokens;
  mn_vector *scores;
  mn_status status = mn_tokens_read(ctx, self, data, &tokens);
  if (status == MN_OK) status = mn_result_vector(ctx, results, "scores", tokens.sequences, &scores);
  if (status == MN_OK) status = mn_score_tags(ctx, self, &tokens, data->code, scores->at);
  mn_tokens_free(ctx, &tokens);
  return status;
}

static const mn_param summary_params[] = {
  MN_COUNT(struct summary_options, n, 20, MN_CLOSED(1, 1e9), "number of features and of transitions"),
  MN_END,
};

static const mn_param decode_params[] = {
  MN_CHOICE(struct decode_options, scheme, MN_SCHEME_NONE, schemes,
            "allow only sequences of spans: iob2 (B-LOC I-LOC O) or iobes (also E-LOC S-LOC)"),
  MN_TABLE(struct decode_options, allowed, MN_NO_LIMITS(),
           "classes x classes: 0 forbids the transition from the class of the row to that of the column; nil: all are "
           "allowed"),
  MN_REALS(struct decode_options, fixed_rows, MN_AT_LEAST(1), "rows of X whose tags are known; nil: none"),
  { .name = "fixed_tags",
    .kind = MN_KIND_COLUMNS,
    .offset = offsetof(struct decode_options, fixed_tags),
    .initial = (double)NAN,
    MN_NO_LIMITS(),
    .labels = true,
    .brief = "the tags of these rows" },
  MN_END,
};

const mn_operation mn_tagger_operations[] = {
  { .name = "summary",
    .brief = "the features and transitions with the largest coefficients",
    .returns = "features, transitions and, if the template has lines B, transition_features (Frames), n_features, "
               "n_coefficients",
    .options = summary_params,
    .options_size = sizeof(struct summary_options),
    .run = run_summary },
  { .name = "decode",
    .brief = "the best tags under constraints, and their log probability, for each sequence",
    .returns = "scores (sequences), tags (rows)",
    .needs = MN_NEEDS_X,
    .options = decode_params,
    .options_size = sizeof(struct decode_options),
    .run = run_decode },
  { .name = "log_likelihood",
    .brief = "the log probability of given tags of each sequence; of a perceptron the score",
    .returns = "Vector: sequences",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .run = run_log_likelihood },
  { .name = NULL },
};
