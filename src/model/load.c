#include "load.h"
#include "kernel_param.h"
#include <stdio.h>
#include <string.h>

enum { MAX_DIMENSIONS = 32 };

/* The sizes of named dimensions. The first use of a name binds it. */
struct dimension {
  const char *name;
  size_t name_size, size;
};
struct dimensions {
  struct dimension at[MAX_DIMENSIONS];
  size_t size;
};

size_t mn_record_index(const mn_reader *r, const mn_record *record)
{
  return (size_t)(record - r->record);
}

const mn_record *mn_record_group(const mn_reader *r, size_t group, const char *name)
{
  const mn_record *record = mn_find_record(r, group, name);
  return record && record->kind == MN_RECORD_GROUP ? record : NULL;
}

mn_status mn_bad_model(const mn_reader *r, const mn_estimator *model, const char *what)
{
  return mn_fail(r->ctx, MN_BAD_FILE, "%s: %s: %s", r->label, model->class->name, what);
}

/* The size of a list, checked against the number of its records before anything of that size is allocated. */
static mn_status list_size(const mn_reader *r, const mn_record *record, size_t *size)
{
  const size_t group = mn_record_index(r, record), held = record->after - 1 - (group + 1);
  const mn_record *count = mn_find_record(r, group, "size");
  int64_t n = -1;
  if (count) MN_TRY(mn_record_count(r, count, &n));
  if (n < 0 || held < 1 || (uint64_t)n != held - 1)
    return mn_fail(r->ctx, MN_BAD_FILE, "%s: a list of %lld elements has %zu records", r->label, (long long)n, held);
  *size = (size_t)n;
  return MN_OK;
}

static mn_status load_levels_list(const mn_reader *r, const mn_record *record, mn_levels_list *list)
{
  const size_t group = mn_record_index(r, record);
  size_t size;
  MN_TRY(list_size(r, record, &size));
  MN_TRY(mn_levels_list_init(r->ctx, list, size));
  for (size_t i = 0; i < size; i++) {
    const mn_record *levels = &r->record[group + 2 + i];
    if (levels->kind == MN_RECORD_FLAG) continue;
    MN_TRY(mn_record_levels(r, levels, &list->at[i]));
  }
  return MN_OK;
}

mn_status mn_record_names(const mn_reader *r, const mn_record *record, mn_names *names)
{
  const size_t group = mn_record_index(r, record);
  size_t size;
  MN_TRY(list_size(r, record, &size));
  const char **from = MN_RAW(r->ctx, const char *, size, 1);
  MN_CHECK_ALLOC(from);
  for (size_t i = 0; i < size; i++) {
    const char *bytes;
    size_t length;
    MN_TRY(mn_record_text(r, &r->record[group + 2 + i], &bytes, &length));
    char *copy = length < SIZE_MAX ? MN_RAW(r->ctx, char, length + 1, 1) : NULL;
    MN_CHECK_ALLOC(copy);
    if (length > 0) memcpy(copy, bytes, length);
    copy[length] = '\0';
    from[i] = copy;
  }
  return mn_names_init(r->ctx, names, from, size);
}

static mn_status load_value(const mn_reader *r, const mn_record *record, mn_kind kind, void *value)
{
  switch (kind) {
  case MN_KIND_REAL: return mn_record_real(r, record, value);
  case MN_KIND_COUNT:
  case MN_KIND_CHOICE: return mn_record_count(r, record, value);
  case MN_KIND_FLAG: return mn_record_flag(r, record, value);
  case MN_KIND_VECTOR: return mn_record_vector(r, record, value);
  case MN_KIND_MATRIX: return mn_record_matrix(r, record, value);
  case MN_KIND_INDEXES: return mn_record_indexes(r, record, value);
  case MN_KIND_CSR: return mn_record_csr(r, record, value);
  case MN_KIND_LEVELS:
    if (record->kind != MN_RECORD_GROUP) break;
    return load_levels_list(r, record, value);
  case MN_KIND_NAMES:
    if (record->kind != MN_RECORD_GROUP) break;
    return mn_record_names(r, record, value);
  case MN_KIND_TEXT: {
    const char *bytes;
    size_t size;
    MN_TRY(mn_record_text(r, record, &bytes, &size));
    return mn_text_init(r->ctx, value, bytes, size);
  }
  case MN_KIND_KERNEL: return mn_record_kernel(r, record, value);
  case MN_KIND_GROUPS:
  case MN_KIND_COLUMN:
  case MN_KIND_COLUMNS:
  case MN_KIND_COLUMN_VALUES: break; /* only parameters have these kinds */
  }
  return mn_fail(r->ctx, MN_BAD_FILE, "%s: a list must be a group", r->label);
}

static mn_status load_class_weight(const mn_reader *r, size_t group, mn_estimator *model)
{
  const mn_record *found = mn_record_group(r, group, "class_weight");
  if (!found) return MN_OK;
  const size_t inside = mn_record_index(r, found);
  const mn_record *balanced = mn_find_record(r, inside, "balanced"), *labels = mn_find_record(r, inside, "labels"),
                  *weight = mn_find_record(r, inside, "weight");
  bool is_balanced = false;
  if (balanced) MN_TRY(mn_record_flag(r, balanced, &is_balanced));
  if (!labels || !weight) return mn_set_class_weight(r->ctx, model, is_balanced, NULL, NULL);
  const mn_levels *levels = NULL;
  mn_vector weights = { 0 };
  mn_status status = mn_record_levels(r, labels, &levels);
  if (status == MN_OK) status = mn_record_vector(r, weight, &weights);
  if (status == MN_OK && weights.size != mn_levels_size(levels))
    status = mn_bad_model(r, model, "the class weights do not match their labels");
  if (status == MN_OK) status = mn_set_class_weight(r->ctx, model, is_balanced, levels, weights.at);
  mn_levels_release(mn_context_memory(r->ctx), levels);
  mn_vector_free(mn_context_memory(r->ctx), &weights);
  return status;
}

static mn_status load_fields(const mn_reader *r, size_t group, const mn_field *fields, mn_estimator *model)
{
  for (const mn_field *f = fields; f && f->name; f++) {
    const mn_record *record = f->derived ? NULL : mn_find_record(r, group, f->name);
    if (record) MN_TRY(load_value(r, record, f->kind, mn_member(model, f->offset)));
    if (!record && f->optional) *(double *)mn_member(model, f->offset) = (double)NAN;
  }
  return MN_OK;
}

/* The word at *shape, which moves behind the word and a following " x ". */
static size_t next_word(const char **shape, const char **word)
{
  *word = *shape;
  const size_t size = strcspn(*shape, " <");
  *shape += size;
  if (strncmp(*shape, " x ", 3) == 0) *shape += 3;
  return size;
}

/* Bind a dimension, or compare with its bound size. Size 0 means that the value is absent, which requires a name like
 * "rows?", or that the model was fitted without columns. */
static bool bind_size(struct dimensions *d, const char *name, size_t name_size, size_t size)
{
  const bool optional = name_size > 0 && name[name_size - 1] == '?';
  if (size == 0 && optional) return true;
  if (optional) name_size--;
  if (name_size > 0 && name[0] >= '0' && name[0] <= '9') return size == (size_t)(name[0] - '0'); /* a literal size */
  for (size_t i = 0; i < d->size; i++)
    if (d->at[i].name_size == name_size && memcmp(d->at[i].name, name, name_size) == 0) return d->at[i].size == size;
  if (size == 0 || d->size == MAX_DIMENSIONS) return false;
  d->at[d->size++] = (struct dimension){ .name = name, .name_size = name_size, .size = size };
  return true;
}

static bool bind_word(struct dimensions *d, const char **shape, size_t size)
{
  const char *word;
  const size_t word_size = next_word(shape, &word);
  return word_size == 0 || bind_size(d, word, word_size, size);
}

static bool all_within(const mn_indexes *v, int32_t least, size_t limit)
{
  for (size_t i = 0; i < v->size; i++)
    if (v->at[i] < least || (v->at[i] >= 0 && (size_t)v->at[i] >= limit)) return false;
  return true;
}

/* Whether the values of an index field are below the dimension named after "<". */
static bool check_indexes(const struct dimensions *d, const mn_indexes *v, const char *shape)
{
  const char *limit = strchr(shape, '<');
  if (!limit) return true;
  limit += strspn(limit, "< ");
  const size_t size = strcspn(limit, "? ");
  const int32_t least = strstr(limit, " or -1") ? -1 : 0;
  for (size_t i = 0; i < d->size; i++)
    if (size == d->at[i].name_size && memcmp(d->at[i].name, limit, size) == 0)
      return all_within(v, least, d->at[i].size);
  return limit[size] == '?' && all_within(v, least, 0);
}

/* Whether a value has the shape of its field. Absent values pass here; the class checks them. */
static bool check_shape(struct dimensions *d, const mn_field *f, const void *value)
{
  const char *shape = f->shape;
  switch (f->kind) {
  case MN_KIND_VECTOR: return bind_word(d, &shape, ((const mn_vector *)value)->size);
  case MN_KIND_INDEXES: return bind_word(d, &shape, ((const mn_indexes *)value)->size);
  case MN_KIND_LEVELS: return bind_word(d, &shape, ((const mn_levels_list *)value)->size);
  case MN_KIND_NAMES: return bind_word(d, &shape, ((const mn_names *)value)->size);
  case MN_KIND_MATRIX: {
    const mn_matrix *m = value;
    return bind_word(d, &shape, m->rows) && bind_word(d, &shape, m->cols);
  }
  case MN_KIND_CSR: {
    const mn_csr *s = value;
    return bind_word(d, &shape, s->rows) && bind_word(d, &shape, s->cols);
  }
  case MN_KIND_REAL:
  case MN_KIND_COUNT:
  case MN_KIND_FLAG:
  case MN_KIND_CHOICE:
  case MN_KIND_TEXT:
  case MN_KIND_GROUPS:
  case MN_KIND_KERNEL: break;
  case MN_KIND_COLUMN:
  case MN_KIND_COLUMNS:
  case MN_KIND_COLUMN_VALUES: break;
  }
  return true;
}

/* Whether a value is allocated but has no elements: it would be mistaken for a present optional value. */
static bool is_empty_but_present(mn_kind kind, const void *value)
{
  switch (kind) {
  case MN_KIND_VECTOR: return ((const mn_vector *)value)->at && ((const mn_vector *)value)->size == 0;
  case MN_KIND_INDEXES: return ((const mn_indexes *)value)->at && ((const mn_indexes *)value)->size == 0;
  case MN_KIND_LEVELS: return ((const mn_levels_list *)value)->at && ((const mn_levels_list *)value)->size == 0;
  case MN_KIND_NAMES: return ((const mn_names *)value)->at && ((const mn_names *)value)->size == 0;
  case MN_KIND_MATRIX: {
    const mn_matrix *m = value;
    return m->at && (m->rows == 0 || m->cols == 0);
  }
  case MN_KIND_CSR: {
    const mn_csr *s = value;
    return s->start && (s->rows == 0 || s->cols == 0);
  }
  case MN_KIND_REAL:
  case MN_KIND_COUNT:
  case MN_KIND_FLAG:
  case MN_KIND_CHOICE:
  case MN_KIND_TEXT:
  case MN_KIND_GROUPS:
  case MN_KIND_KERNEL: break;
  case MN_KIND_COLUMN:
  case MN_KIND_COLUMNS:
  case MN_KIND_COLUMN_VALUES: break;
  }
  return false;
}

/* No fit counts this far, and sums of such counts do not overflow. */
#define MAX_COUNT (INT64_C(1) << 53)

/* The dimensions that are known from the base fields. */
static struct dimensions base_dimensions(const mn_estimator *model)
{
  struct dimensions d = { .size = 1, .at = { { .name = "features", .name_size = 8, .size = model->n_features } } };
  if (model->class->capabilities & MN_REGRESS || model->class->accepts & MN_Y_REALS)
    bind_size(&d, "targets", 7, model->n_targets);
  if (model->classes) {
    bind_size(&d, "classes", 7, mn_levels_size(model->classes));
    bind_size(&d, "decisions", 9, mn_decisions(model));
    bind_size(&d, "scores", 6, mn_decisions(model));
  } else if (model->class->capabilities & MN_REGRESS)
    bind_size(&d, "scores", 6, model->n_targets);
  return d;
}

/* Shapes, counts and indexes of all fields. */
static mn_status check_fields(const mn_reader *r, const mn_estimator *model)
{
  struct dimensions d = base_dimensions(model);
  char text[128];
  for (const mn_field *f = model->class->fields; f && f->name; f++) {
    const void *value = mn_member(model, f->offset);
    if (f->derived) continue;
    if (check_shape(&d, f, value) && (model->n_features == 0 || !is_empty_but_present(f->kind, value))) continue;
    snprintf(text, sizeof text, "'%s' must have the shape %s", f->name, f->shape);
    return mn_bad_model(r, model, text);
  }
  for (const mn_field *f = model->class->fields; f && f->name; f++) {
    const int64_t *count = f->kind == MN_KIND_COUNT ? mn_member(model, f->offset) : NULL;
    if (count && (*count < -MAX_COUNT || *count > MAX_COUNT)) return mn_bad_model(r, model, "a count is out of range");
  }
  for (const mn_field *f = model->class->fields; f && f->name; f++)
    if (f->kind == MN_KIND_INDEXES && !check_indexes(&d, mn_member(model, f->offset), f->shape))
      return mn_bad_model(r, model, "an index is out of range");
  return MN_OK;
}

static mn_status check_base(const mn_reader *r, const mn_estimator *model)
{
  const mn_class *class = model->class;
  const size_t limit = INT32_MAX;
  const size_t min_features = class->accepts & MN_NO_COLUMNS ? 0 : 1;
  if (model->n_features < min_features || model->n_features > limit || model->n_targets > limit)
    return mn_bad_model(r, model, "the number of features is out of range");
  if (model->report.n_iter < 0 || model->report.n_iter > MAX_COUNT)
    return mn_bad_model(r, model, "the number of iterations is out of range");
  if (class->capabilities & MN_REGRESS && model->n_targets < 1)
    return mn_bad_model(r, model, "the number of targets is out of range");
  if (class->capabilities & MN_REGRESS && !(class->accepts & MN_MULTITARGET) && model->n_targets > 1)
    return mn_bad_model(r, model, "there must be 1 target");
  if (class->capabilities & MN_CLASSIFY && (!model->classes || mn_levels_size(model->classes) < 2))
    return mn_bad_model(r, model, "there must be at least 2 classes");
  if (model->feature_names.at && model->feature_names.size != model->n_features)
    return mn_bad_model(r, model, "the number of feature names differs from that of features");
  if (model->feature_levels.at && model->feature_levels.size != model->n_features)
    return mn_bad_model(r, model, "the number of feature levels differs from that of features");
  return MN_OK;
}

static mn_status load_learned(const mn_reader *r, size_t group, mn_estimator *model)
{
  const mn_record *head = mn_record_group(r, group, "head"), *learned = mn_record_group(r, group, "learned"),
                  *classes = mn_find_record(r, group, "classes");
  if (!head || !learned) return mn_bad_model(r, model, "the learned fields are missing");
  MN_TRY(load_fields(r, mn_record_index(r, head), mn_base_fields(), model));
  if (classes) MN_TRY(mn_record_levels(r, classes, &model->classes));
  model->report.trace_capacity = model->report.trace.size;
  MN_TRY(check_base(r, model));
  MN_TRY(load_fields(r, mn_record_index(r, learned), model->class->fields, model));
  MN_TRY(check_fields(r, model));
  model->fitted = true;
  if (model->class->check) MN_TRY(model->class->check(r->ctx, model));
  return model->class->derive ? model->class->derive(r->ctx, model) : MN_OK;
}

static mn_status load_params(const mn_reader *r, size_t group, mn_estimator *model)
{
  MN_TRY(mn_load_params(r, group, model));
  return load_class_weight(r, group, model);
}

/* The parameters that were set after the fit. */
static mn_status load_settings(const mn_reader *r, size_t group, mn_estimator *model)
{
  const mn_record *found = mn_record_group(r, group, "settings");
  if (!found) return MN_OK;
  model->settings = mn_estimator_new(r->ctx, model->class);
  if (!model->settings) return MN_NO_MEMORY;
  return load_params(r, mn_record_index(r, found), model->settings);
}

static mn_status load_into(const mn_reader *r, size_t group, mn_estimator *model)
{
  const mn_record *fitted = mn_find_record(r, group, "fitted");
  bool is_fitted = false;
  MN_TRY(load_params(r, group, model));
  if (fitted) MN_TRY(mn_record_flag(r, fitted, &is_fitted));
  if (!is_fitted) return MN_OK;
  MN_TRY(load_settings(r, group, model));
  return load_learned(r, group, model);
}

bool mn_holds_estimator(const mn_reader *r, size_t group)
{
  const mn_record *named = mn_find_record(r, group, "estimator"), *fitted = mn_find_record(r, group, "fitted");
  return named && named->kind == MN_RECORD_TEXT && fitted && fitted->kind == MN_RECORD_FLAG;
}

mn_estimator *mn_load_estimator(const mn_reader *r, size_t group)
{
  const mn_record *named = mn_find_record(r, group, "estimator");
  const char *bytes = "";
  size_t size = 0;
  char name[64];
  if (!named || mn_record_text(r, named, &bytes, &size) != MN_OK || size >= sizeof name) {
    mn_fail(r->ctx, MN_BAD_FILE, "%s: the name of the estimator is missing", r->label);
    return NULL;
  }
  memcpy(name, bytes, size);
  name[size] = '\0';
  const mn_class *class = mn_class_named(name);
  if (!class) {
    mn_fail(r->ctx, MN_BAD_FILE, "%s: this version of manilius has no estimator '%s'", r->label, name);
    return NULL;
  }
  mn_estimator *model = mn_estimator_new(r->ctx, class);
  if (!model) return NULL;
  if (load_into(r, group, model) == MN_OK) return model;
  mn_prefix_error(r->ctx, r->label); /* checks of the class do not know the file */
  mn_estimator_free(mn_context_memory(r->ctx), model);
  return NULL;
}
