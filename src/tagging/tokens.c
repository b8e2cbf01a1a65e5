#include "tokens.h"
#include "../linalg/csr.h"
#include "../sequence/sequences.h"
#include "template.h"
#include <stdio.h>

/* --- sequences --- */

static mn_status find_sequences(mn_context *ctx, const mn_data *data, mn_tokens *out)
{
  const size_t n = mn_sequences(data);
  size_t *begin = MN_RAW(ctx, size_t, n + 1, 1);
  MN_CHECK_ALLOC(begin);
  begin[0] = 0;
  out->longest = 0;
  for (size_t s = 0; s < n; s++) {
    const size_t rows = mn_sequence_rows(data, s);
    begin[s + 1] = begin[s] + rows;
    if (rows > out->longest) out->longest = rows;
  }
  out->sequences = n;
  out->begin = begin;
  return MN_OK;
}

/* --- strings made of columns --- */

extern const mn_class mn_log_linear;

struct finder {
  const mn_data *data;
  const char *const *names; /* of the columns, or NULL */
  mn_template template;     /* without pieces: column=text */
  const size_t *begin;
  size_t *sequence; /* rows */
};

/* The text of a cell, in `buffer` if it is a number. Codes are those before they were mapped to the levels of fit. */
static const char *cell_text(const mn_data *data, size_t row, size_t j, char buffer[64], size_t *size)
{
  const mn_levels *const *all = data->original_levels ? data->original_levels : data->levels;
  const mn_levels *levels = all ? all[j] : NULL;
  const double *at = data->original ? data->original : data->x.at, value = at[row * data->features + j];
  if (levels) {
    const mn_label label = mn_levels_at(levels, (size_t)value);
    if (label.kind == MN_LABEL_TEXT) {
      *size = label.as.text.size;
      return label.as.text.bytes;
    }
    mn_format_label(buffer, 64, label);
  } else {
    mn_format_number(buffer, value);
  }
  *size = strlen(buffer);
  return buffer;
}

static mn_status append_macro(mn_context *ctx, const struct finder *f, const mn_template_piece *piece, size_t row,
                              mn_analysis *a)
{
  const size_t first = f->begin[f->sequence[row]], end = f->begin[f->sequence[row] + 1];
  const int64_t at = (int64_t)row + piece->offset;
  char buffer[64];
  size_t size;
  if (at >= (int64_t)first && at < (int64_t)end) {
    const char *text = cell_text(f->data, (size_t)at, piece->column, buffer, &size);
    return mn_template_append(ctx, piece, text, size, a);
  }
  const bool before = at < (int64_t)first;
  const int64_t distance = before ? (int64_t)first - at : at - (int64_t)end + 1;
  size = (size_t)snprintf(buffer, sizeof buffer, "_B%c%lld", before ? '-' : '+', (long long)distance);
  return mn_append_to_term(ctx, a, buffer, size);
}

static mn_status find_by_template(mn_context *ctx, const void *finder, size_t row, mn_analysis *a)
{
  const struct finder *f = finder;
  const bool is_first = row == f->begin[f->sequence[row]];
  mn_begin_terms(a);
  for (size_t i = 0; i < f->template.pieces; i++) {
    const mn_template_piece *piece = &f->template.piece[i];
    if (is_first && piece->of_transition) continue;
    MN_TRY(mn_append_to_term(ctx, a, piece->bytes, piece->size));
    if (piece->column != SIZE_MAX) MN_TRY(append_macro(ctx, f, piece, row, a));
    if (piece->ends_line) MN_TRY(mn_end_term(ctx, a, 1));
  }
  return MN_OK;
}

/* column=text for factors, the column with its value for numbers. */
static mn_status find_cells(mn_context *ctx, const void *finder, size_t row, mn_analysis *a)
{
  const struct finder *f = finder;
  char buffer[64];
  mn_begin_terms(a);
  for (size_t j = 0; j < f->data->features; j++) {
    const bool text = f->data->levels && f->data->levels[j];
    if (!f->names) snprintf(buffer, sizeof buffer, "x%zu", j + 1);
    const char *name = f->names ? f->names[j] : buffer;
    MN_TRY(mn_append_to_term(ctx, a, name, strlen(name)));
    if (text) {
      size_t size;
      const char *cell = cell_text(f->data, row, j, buffer, &size);
      MN_TRY(mn_append_to_term(ctx, a, "=", 1));
      MN_TRY(mn_append_to_term(ctx, a, cell, size));
    }
    MN_TRY(mn_end_term(ctx, a, text ? 1 : f->data->x.at[row * f->data->features + j]));
  }
  return MN_OK;
}

static mn_status prepare_finder(mn_context *ctx, const mn_tagger *m, const mn_data *data, const mn_tokens *tokens,
                                struct finder *f)
{
  f->data = data;
  f->names = m->base.feature_names.size > 0 ? (const char *const *)m->base.feature_names.at : NULL;
  f->begin = tokens->begin;
  f->sequence = MN_RAW(ctx, size_t, data->rows, 1);
  MN_CHECK_ALLOC(f->sequence);
  for (size_t s = 0; s < tokens->sequences; s++)
    for (size_t t = tokens->begin[s]; t < tokens->begin[s + 1]; t++) f->sequence[t] = s;
  if (!m->template.bytes) return MN_OK;
  return mn_template_parse(ctx, m->base.class->name, m->base.class != &mn_log_linear, m->template.bytes, data->features,
                           f->names, &f->template);
}

/* --- reading --- */

static bool has_levels(const mn_data *data)
{
  for (size_t j = 0; data->levels && j < data->features; j++)
    if (data->levels[j]) return true;
  return false;
}

/* How the attributes of X are found. */
static mn_status find_source(mn_context *ctx, const mn_tagger *m, const mn_data *data, int64_t *source)
{
  const char *who = m->base.class->name;
  if (m->template.bytes && (data->records || data->sparse))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: template needs X with columns of texts, a Frame, got %s", who,
                   data->sparse ? "a sparse matrix" : "a list of features");
  *source = data->records                           ? MN_FROM_RECORDS
            : m->template.bytes || has_levels(data) ? MN_FROM_TEMPLATE
                                                    : MN_FROM_COLUMNS;
  return MN_OK;
}

/* The columns of X, without zeros if it is dense. */
static mn_status read_columns(mn_context *ctx, const mn_data *data, mn_tokens *out)
{
  if (data->sparse) {
    out->x = *data->sparse;
    return MN_OK;
  }
  const size_t capacity = mn_count_nonzeros(&data->x);
  MN_TRY(mn_csr_init(ctx, &out->x, data->rows, data->features, capacity));
  out->owns_x = true;
  mn_csr_from_dense(&data->x, capacity, &out->x);
  return MN_OK;
}

/* Which attributes are of transitions: by name in fit, then by the tags of their coefficients. */
static mn_status find_kinds(mn_context *ctx, const mn_tagger *m, const mn_vocabulary *learned, size_t attributes,
                            const bool **out)
{
  bool *of_transitions = MN_RAW(ctx, bool, attributes, 1);
  MN_CHECK_ALLOC(of_transitions);
  for (size_t a = 0; a < attributes; a++) {
    const char *name = learned ? learned->terms.at[a] : NULL;
    of_transitions[a] = name ? mn_is_of_transition(name, strlen(name)) : mn_is_attribute_of_transitions(m, a);
  }
  *out = of_transitions;
  return MN_OK;
}

/* Move the features of transitions from x to a matrix of their own. */
static mn_status split(mn_context *ctx, const mn_tagger *m, const mn_vocabulary *learned, mn_tokens *t)
{
  mn_csr *x = &t->x, *to = &t->of_transitions;
  const size_t entries = x->start[x->rows];
  const bool *of_transitions;
  size_t moved = 0, kept = 0, next = 0;
  MN_TRY(find_kinds(ctx, m, learned, x->cols, &of_transitions));
  for (size_t e = 0; e < entries; e++) moved += of_transitions[x->col[e]];
  MN_TRY(mn_csr_init(ctx, to, x->rows, x->cols, moved));
  for (size_t i = 0, e = 0; i < x->rows; i++) {
    for (const size_t end = x->start[i + 1]; e < end; e++) {
      mn_csr *s = of_transitions[x->col[e]] ? to : x;
      size_t *at = s == to ? &next : &kept;
      s->col[*at] = x->col[e];
      s->at[(*at)++] = x->at[e];
    }
    x->start[i + 1] = kept;
    to->start[i + 1] = next;
  }
  return MN_OK;
}

/* Strings: learned if `learned` is not NULL, else among those of the model. */
static mn_status read_strings(mn_context *ctx, const mn_tagger *m, const mn_data *data, mn_vocabulary *learned,
                              mn_tokens *out)
{
  const struct mn_term_limits limits = { .max_documents = (double)INFINITY, .max_features = MN_UNSET };
  struct finder f = { 0 };
  mn_term_source source = { .who = m->base.class->name, .separator = "=" };
  mn_data rows = *data;
  double *documents;
  if (!data->records) {
    MN_TRY(prepare_finder(ctx, m, data, out, &f));
    source.find = f.template.pieces > 0 ? find_by_template : find_cells;
    source.finder = &f;
    rows.levels = NULL;
  }
  const mn_status status = learned ? mn_vocabulary_learn(ctx, &rows, &source, &limits, learned, &documents, &out->x)
                                   : mn_vocabulary_count(ctx, &rows, &source, &m->vocabulary, false, &out->x);
  out->owns_x = true;
  return status == MN_OK && f.template.has_transition_features ? split(ctx, m, learned, out) : status;
}

/* Append the constant attribute behind the others. */
static mn_status add_intercept(mn_context *ctx, mn_tokens *t)
{
  mn_csr to = { 0 };
  const mn_csr from = t->x;
  MN_TRY(mn_csr_init(ctx, &to, from.rows, from.cols + 1, from.start[from.rows] + from.rows));
  for (size_t i = 0; i < from.rows; i++) {
    const size_t begin = from.start[i], n = from.start[i + 1] - begin, at = to.start[i];
    if (n > 0) {
      memcpy(to.col + at, from.col + begin, n * sizeof *to.col);
      memcpy(to.at + at, from.at + begin, n * sizeof *to.at);
    }
    to.col[at + n] = (int32_t)from.cols;
    to.at[at + n] = 1;
    to.start[i + 1] = at + n + 1;
  }
  mn_tokens_free(ctx, t);
  t->x = to;
  t->owns_x = true;
  return MN_OK;
}

mn_status mn_tokens_learn(mn_context *ctx, mn_tagger *m, const mn_data *data, mn_tokens *out)
{
  *out = (mn_tokens){ 0 };
  MN_TRY(find_sequences(ctx, data, out));
  MN_TRY(find_source(ctx, m, data, &m->source));
  if (m->source == MN_FROM_COLUMNS)
    MN_TRY(read_columns(ctx, data, out));
  else
    MN_TRY(read_strings(ctx, m, data, &m->vocabulary, out));
  return m->fit_intercept ? add_intercept(ctx, out) : MN_OK;
}

mn_status mn_tokens_read(mn_context *ctx, const mn_tagger *m, const mn_data *data, mn_tokens *out)
{
  static const char *const names[] = { "columns of numbers", "a list of features", "columns of texts" };
  int64_t source;
  *out = (mn_tokens){ 0 };
  MN_TRY(find_sequences(ctx, data, out));
  MN_TRY(find_source(ctx, m, data, &source));
  if (source != m->source)
    return mn_fail(ctx, MN_BAD_DATA, "%s: X must be %s, as in fit, got %s", m->base.class->name, names[m->source],
                   names[source]);
  if (source == MN_FROM_COLUMNS)
    MN_TRY(read_columns(ctx, data, out));
  else
    MN_TRY(read_strings(ctx, m, data, NULL, out));
  return m->fit_intercept ? add_intercept(ctx, out) : MN_OK;
}

void mn_tokens_free(mn_context *ctx, mn_tokens *tokens)
{
  if (tokens->owns_x) mn_csr_free(mn_context_memory(ctx), &tokens->x);
  mn_csr_free(mn_context_memory(ctx), &tokens->of_transitions);
  tokens->owns_x = false;
}
