/* Kernels in archives. Nodes are saved by name, since the order of mn_kernel_op may change; that of mn_prior_family may
 * not. */
#include "kernel_param.h"
#include <math.h>
#include <string.h>

static void write_text(mn_writer *w, const char *name, const char *text)
{
  mn_write_text(w, name, text, strlen(text));
}

static void write_node(mn_writer *w, const mn_kernel_node *node)
{
  if (node->function && w->status == MN_OK)
    w->status = mn_fail(w->ctx, MN_BAD_ARGUMENT,
                        "a kernel that is a Lua function cannot be saved; fit with kernel = \"precomputed\" instead");
  mn_write_group(w, "");
  write_text(w, "part", mn_kernel_types[node->op].label);
  mn_write_real(w, "exponent", mn_kernel_part_exponent(node));
  mn_write_count(w, "hyperparameters", (int64_t)node->count);
  mn_write_count(w, "columns", (int64_t)node->columns);
  mn_write_end(w);
}

void mn_write_kernel(mn_writer *w, const char *name, const mn_kernel *k)
{
  if (k->nodes == 0) {
    if (k->name != MN_KERNEL_NONE) write_text(w, name, mn_kernel_name(k->name));
    return;
  }
  mn_write_group(w, name);
  write_text(w, "type", "kernel");
  mn_write_group(w, "parts");
  for (size_t i = 0; i < k->nodes; i++) write_node(w, &k->node[i]);
  mn_write_end(w);
  mn_write_group(w, "hyperparameters");
  for (size_t i = 0; i < k->hypers; i++) {
    const mn_hyperparameter *h = &k->hyper[i];
    double values[] = { h->value, h->low, h->high, h->fixed, h->prior.family, h->prior.a, h->prior.b };
    mn_write_vector(w, "", &(mn_vector){ .at = values, .size = h->prior.family == MN_PRIOR_NONE ? 4 : 7 });
  }
  mn_write_end(w);
  mn_write_indexes(w, "columns", &(mn_indexes){ .at = k->column, .size = k->columns });
  mn_write_text(w, "names", k->names, k->names_size);
  mn_write_end(w);
}

static mn_status bad(const mn_reader *r)
{
  return mn_fail(r->ctx, MN_BAD_FILE, "%s: a kernel is damaged", r->label);
}

static size_t index_of(const mn_reader *r, const mn_record *record)
{
  return (size_t)(record - r->record);
}

/* The group called `name`, and the number of records directly in it. */
static const mn_record *find_list(const mn_reader *r, size_t group, const char *name, size_t *n)
{
  const mn_record *list = mn_find_record(r, group, name);
  *n = 0;
  if (!list || list->kind != MN_RECORD_GROUP) return NULL;
  for (size_t i = index_of(r, list) + 1; i + 1 < list->after; (*n)++)
    i = r->record[i].kind == MN_RECORD_GROUP ? r->record[i].after : i + 1;
  return list;
}

static mn_status read_node(const mn_reader *r, size_t group, mn_kernel_node *node, size_t *hypers, size_t *columns)
{
  const mn_record *part = mn_find_record(r, group, "part"), *exponent = mn_find_record(r, group, "exponent"),
                  *count = mn_find_record(r, group, "hyperparameters"), *column = mn_find_record(r, group, "columns");
  const char *label;
  size_t size;
  int64_t n, m;
  if (!part || !exponent || !count || !column) return bad(r);
  MN_TRY(mn_record_text(r, part, &label, &size));
  MN_TRY(mn_record_real(r, exponent, &node->exponent));
  MN_TRY(mn_record_count(r, count, &n));
  MN_TRY(mn_record_count(r, column, &m));
  if (n < 0 || m < 0 || n > INT32_MAX || m > INT32_MAX) return bad(r);
  node->op = mn_kernel_find_part(label, size, &node->exponent);
  node->first = *hypers;
  node->count = (size_t)n;
  node->first_column = *columns;
  node->columns = (size_t)m;
  *hypers += node->count;
  *columns += node->columns;
  return MN_OK;
}

static mn_status read_nodes(const mn_reader *r, const mn_record *list, mn_kernel *k)
{
  size_t node = 0, hypers = 0, columns = 0;
  for (size_t i = index_of(r, list) + 1; i + 1 < list->after; i = r->record[i].after, node++) {
    if (r->record[i].kind != MN_RECORD_GROUP) return bad(r);
    MN_TRY(read_node(r, i, &k->node[node], &hypers, &columns));
  }
  return hypers == k->hypers && columns == k->columns ? MN_OK : bad(r);
}

static mn_status read_hypers(const mn_reader *r, const mn_record *list, mn_kernel *k)
{
  for (size_t i = 0; i < k->hypers; i++) {
    mn_vector v = { 0 };
    MN_TRY(mn_record_vector(r, &r->record[index_of(r, list) + 1 + i], &v));
    const bool has_prior = v.size == 7 && v.at[4] >= 1 && v.at[4] < MN_PRIORS && v.at[4] == floor(v.at[4]);
    const bool fits = v.size == 4 || has_prior;
    if (fits)
      k->hyper[i] = (mn_hyperparameter){ .value = v.at[0], .low = v.at[1], .high = v.at[2], .fixed = v.at[3] > 0 };
    if (has_prior) k->hyper[i].prior = (mn_prior){ (mn_prior_family)v.at[4], v.at[5], v.at[6] };
    mn_vector_free(mn_context_memory(r->ctx), &v);
    if (!fits) return bad(r);
  }
  return MN_OK;
}

static mn_status read_group(const mn_reader *r, size_t group, mn_indexes *columns, mn_kernel *k)
{
  size_t nodes, hypers, names_size;
  const mn_record *parts = find_list(r, group, "parts", &nodes),
                  *list = find_list(r, group, "hyperparameters", &hypers),
                  *column = mn_find_record(r, group, "columns"), *name = mn_find_record(r, group, "names");
  const char *names;
  if (!parts || !list || !column || !name || nodes == 0 || nodes > MN_KERNEL_MAX_NODES) return bad(r);
  MN_TRY(mn_record_indexes(r, column, columns));
  MN_TRY(mn_record_text(r, name, &names, &names_size));
  MN_TRY(mn_kernel_init(r->ctx, k, nodes, hypers, columns->size, names_size));
  if (columns->size > 0) memcpy(k->column, columns->at, columns->size * sizeof *k->column);
  if (names_size > 0) memcpy(k->names, names, names_size);
  MN_TRY(read_nodes(r, parts, k));
  MN_TRY(read_hypers(r, list, k));
  return mn_kernel_validate(r->ctx, r->label, k);
}

mn_status mn_record_kernel(const mn_reader *r, const mn_record *record, mn_kernel *out)
{
  mn_memory *memory = mn_context_memory(r->ctx);
  *out = (mn_kernel){ 0 };
  if (record->kind == MN_RECORD_TEXT) {
    char name[32] = "";
    const char *bytes;
    size_t size;
    MN_TRY(mn_record_text(r, record, &bytes, &size));
    if (size < sizeof name) memcpy(name, bytes, size);
    out->name = mn_kernel_named(name);
    return out->name != MN_KERNEL_NONE ? MN_OK : bad(r);
  }
  if (record->kind != MN_RECORD_GROUP) return bad(r);
  mn_indexes columns = { 0 };
  const mn_status status = read_group(r, index_of(r, record), &columns, out);
  mn_indexes_free(memory, &columns);
  if (status != MN_OK) mn_kernel_free(memory, out);
  return status;
}
