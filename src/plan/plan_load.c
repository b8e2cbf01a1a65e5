/* Load compositions from archives that were written by lua/manilius/save.lua. A composition is a group
 *
 *   text "class"     "Pipeline", "FeatureUnion", "ColumnTransformer", or a search, whose field "best" is loaded
 *   group "list"     empty
 *   group "fields"   names: table of texts; models: table of models, compositions, "passthrough" and "drop";
 *                    n_features, fitted, sparse, prefix, sparse_threshold; feature_names: table of texts; and for
 *                    ColumnTransformer chosen: for each part a table of its columns, 1-based
 *
 * A table is a group with the text "type" = "table" and its elements in the group "list". */
#include "plan.h"
#include "../model/save.h"
#include <string.h>

static mn_status bad(const mn_reader *r, const char *what)
{
  return mn_fail(r->ctx, MN_BAD_FILE, "%s: %s", r->label, what);
}

static size_t index_of(const mn_reader *r, const mn_record *record)
{
  return (size_t)(record - r->record);
}

static bool is_text(const mn_reader *r, const mn_record *record, const char *text)
{
  const char *bytes;
  size_t size;
  if (!record || record->kind != MN_RECORD_TEXT) return false;
  if (mn_record_text(r, record, &bytes, &size) != MN_OK) return false;
  return size == strlen(text) && memcmp(bytes, text, size) == 0;
}

/* The elements of a table: records begin .. end-1, `size` of them. */
struct list {
  size_t begin, end, size;
};

/* The table called `name` in the group; name NULL: the group itself is the table. */
static mn_status find_list(const mn_reader *r, size_t group, const char *name, struct list *out)
{
  const mn_record *table = name ? mn_find_record(r, group, name) : &r->record[group];
  if (!table || table->kind != MN_RECORD_GROUP) return bad(r, "a table of a composition is missing");
  const mn_record *list = mn_find_record(r, index_of(r, table), "list");
  if (!list || list->kind != MN_RECORD_GROUP) return bad(r, "a table has no elements");
  *out = (struct list){ .begin = index_of(r, list) + 1, .end = list->after - 1 };
  for (size_t i = out->begin; i < out->end; out->size++)
    i = r->record[i].kind == MN_RECORD_GROUP ? r->record[i].after : i + 1;
  return MN_OK;
}

static size_t next_of(const mn_reader *r, size_t i)
{
  return r->record[i].kind == MN_RECORD_GROUP ? r->record[i].after : i + 1;
}

static mn_status load_names(const mn_reader *r, const struct list *list, mn_names *out)
{
  const char **names = MN_RAW(r->ctx, const char *, list->size, 1);
  MN_CHECK_ALLOC(names);
  size_t n = 0;
  for (size_t i = list->begin; i < list->end; i = next_of(r, i)) {
    const char *bytes;
    size_t size;
    MN_TRY(mn_record_text(r, &r->record[i], &bytes, &size));
    char *copy = MN_NEW(r->ctx, char, size + 1, 1);
    MN_CHECK_ALLOC(copy);
    names[n++] = memcpy(copy, bytes, size);
  }
  return mn_names_init(r->ctx, out, names, n);
}

static mn_status load_chosen(const mn_reader *r, size_t at, size_t n_features, mn_indexes *out)
{
  struct list list;
  if (r->record[at].kind != MN_RECORD_GROUP) return bad(r, "the columns of a part must be a table");
  MN_TRY(find_list(r, at, NULL, &list));
  MN_TRY(mn_indexes_init(r->ctx, out, list.size));
  size_t n = 0;
  for (size_t i = list.begin; i < list.end; i = next_of(r, i)) {
    int64_t column;
    MN_TRY(mn_record_count(r, &r->record[i], &column));
    if (column < 1 || (uint64_t)column > n_features) return bad(r, "a column of a part is out of range");
    out->at[n++] = (int32_t)(column - 1);
  }
  return MN_OK;
}

static mn_status load_flag(const mn_reader *r, size_t group, const char *name, bool *out)
{
  const mn_record *record = mn_find_record(r, group, name);
  return record ? mn_record_flag(r, record, out) : MN_OK;
}

/* The learned fields of COLUMNS and UNION. */
static mn_status load_learned(const mn_reader *r, size_t fields, mn_plan *plan)
{
  MN_TRY(load_flag(r, fields, "fitted", &plan->fitted));
  MN_TRY(load_flag(r, fields, "sparse", &plan->sparse));
  MN_TRY(load_flag(r, fields, "prefix", &plan->prefix));
  if (!plan->fitted) return MN_OK;
  const mn_record *width = mn_find_record(r, fields, "n_features");
  int64_t n_features = 0;
  if (width) MN_TRY(mn_record_count(r, width, &n_features));
  if (n_features < 1 || n_features > INT32_MAX) return bad(r, "the number of features is out of range");
  plan->n_features = (size_t)n_features;
  struct list list;
  if (mn_find_record(r, fields, "feature_names")) {
    MN_TRY(find_list(r, fields, "feature_names", &list));
    if (list.size != plan->n_features) return bad(r, "the number of feature names differs from that of features");
    MN_TRY(load_names(r, &list, &plan->feature_names));
  }
  if (plan->kind != MN_PLAN_COLUMNS) return MN_OK;
  MN_TRY(find_list(r, fields, "chosen", &list));
  if (list.size != plan->parts) return bad(r, "a composition has parts without columns");
  size_t p = 0;
  for (size_t i = list.begin; i < list.end; i = next_of(r, i))
    MN_TRY(load_chosen(r, i, plan->n_features, &plan->part[p++].chosen));
  return MN_OK;
}

static mn_status load_parts(const mn_reader *r, size_t fields, const struct list *models, mn_plan *plan)
{
  struct list names;
  mn_names texts = { 0 };
  MN_TRY(find_list(r, fields, "names", &names));
  if (names.size != models->size) return bad(r, "a composition has parts without names");
  mn_status status = load_names(r, &names, &texts);
  size_t p = 0;
  for (size_t i = models->begin; status == MN_OK && i < models->end; i = next_of(r, i)) {
    mn_plan_part *part = &plan->part[p];
    status = mn_text_init(r->ctx, &part->name, texts.at[p], strlen(texts.at[p]));
    p++;
    if (status != MN_OK || (plan->kind == MN_PLAN_COLUMNS && is_text(r, &r->record[i], "drop"))) continue;
    part->plan = mn_load_plan(r, i);
    if (!part->plan) status = mn_error_status(r->ctx);
  }
  mn_value_free(mn_context_memory(r->ctx), MN_KIND_NAMES, &texts);
  return status;
}

static mn_plan *finish(const mn_reader *r, mn_plan *plan, mn_status status)
{
  if (status == MN_OK) return plan;
  mn_plan_free(mn_context_memory(r->ctx), plan);
  return NULL;
}

static mn_plan *load_composition(const mn_reader *r, mn_plan_kind kind, size_t fields)
{
  struct list models;
  if (find_list(r, fields, "models", &models) != MN_OK) return NULL;
  if (models.size == 0) {
    bad(r, "a composition has no parts");
    return NULL;
  }
  mn_plan *plan = mn_plan_new(r->ctx, kind, models.size);
  if (!plan) return NULL;
  mn_status status = load_parts(r, fields, &models, plan);
  if (status == MN_OK && kind != MN_PLAN_CHAIN) status = load_learned(r, fields, plan);
  return finish(r, plan, status);
}

static mn_plan *load_model(const mn_reader *r, size_t at)
{
  mn_plan *plan = mn_plan_new(r->ctx, MN_PLAN_MODEL, 0);
  if (!plan) return NULL;
  plan->model = mn_load_estimator(r, at);
  return finish(r, plan, plan->model ? MN_OK : mn_error_status(r->ctx));
}

static mn_plan *load_object(const mn_reader *r, size_t at)
{
  const mn_record *class = mn_find_record(r, at, "class"), *fields = mn_find_record(r, at, "fields");
  if (!class || !fields || fields->kind != MN_RECORD_GROUP) {
    bad(r, "a group is neither a model nor a composition");
    return NULL;
  }
  const size_t inside = index_of(r, fields);
  const mn_record *best = mn_find_record(r, inside, "best");
  if (is_text(r, class, "Pipeline")) return load_composition(r, MN_PLAN_CHAIN, inside);
  if (is_text(r, class, "FeatureUnion")) return load_composition(r, MN_PLAN_UNION, inside);
  if (is_text(r, class, "ColumnTransformer")) return load_composition(r, MN_PLAN_COLUMNS, inside);
  if (best && best->kind == MN_RECORD_GROUP) return mn_load_plan(r, index_of(r, best));
  bad(r, "the model has a class that is written in Lua; load it in Lua");
  return NULL;
}

mn_plan *mn_load_plan(const mn_reader *r, size_t at)
{
  const mn_record *record = &r->record[at];
  if (is_text(r, record, "passthrough")) return mn_plan_new(r->ctx, MN_PLAN_PASS, 0);
  if (record->kind != MN_RECORD_GROUP) {
    bad(r, "a model is missing");
    return NULL;
  }
  return mn_holds_estimator(r, at) ? load_model(r, at) : load_object(r, at);
}
