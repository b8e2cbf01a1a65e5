#include "mondrian_storage.h"
#include "resize_parts.h"

mn_mondrian_tree mn_mondrian_tree_view(const mn_mondrian *m, size_t tree)
{
  const size_t slots = m->time.size / m->root.size, capacity = m->weight.size, p = m->base.n_features;
  const size_t first = tree * slots, values = m->stats.cols, boxes = m->lower.rows / m->root.size;
  const bool has_boxes = m->box.at != NULL; /* boxes are missing until they are derived from the loaded rows */
  return (mn_mondrian_tree){
    .root = m->root.at + tree,
    .used = m->used.at + tree,
    .box_count = has_boxes ? m->box_count.at + tree : NULL,
    .child = m->child.at + 2 * first,
    .parent = m->parent.at + first,
    .feature = m->feature.at + first,
    .head = m->head.at + first,
    .row_count = m->row_count.at + first,
    .next = m->next.at + tree * capacity,
    .threshold = m->threshold.at + first,
    .time = m->time.at + first,
    .box = has_boxes ? m->box.at + first : NULL,
    .lower = has_boxes ? m->lower.at + tree * boxes * p : NULL,
    .upper = has_boxes ? m->upper.at + tree * boxes * p : NULL,
    .stats = m->stats.at + first * values,
    .x = m->x.at,
    .y = m->y.at,
    .weight = m->weight.at,
    .features = p,
    .values = values,
    .slots = slots,
    .boxes = boxes,
    .lifetime = m->horizon,
    .min_weight = (double)m->min_samples_split,
    .slope = m->slope,
    .noise = m->noise,
    .is_classifier = m->base.classes != NULL,
  };
}

/* --- rows --- */

void mn_mondrian_free_rows(mn_context *ctx, mn_mondrian_rows *out)
{
  mn_memory *memory = mn_context_memory(ctx);
  mn_indexes_free(memory, &out->next);
  mn_matrix_free(memory, &out->x);
  mn_vector_free(memory, &out->y);
  mn_vector_free(memory, &out->weight);
}

static mn_status fill_positions(mn_context *ctx, const mn_mondrian *m, size_t capacity, mn_mondrian_rows *out)
{
  MN_TRY(mn_resize_parts_indexes(ctx, &m->next, mn_mondrian_trees(m), capacity, &out->next));
  MN_TRY(mn_resize_parts_matrix(ctx, &m->x, m->base.n_features, 1, capacity, &out->x));
  MN_TRY(mn_resize_parts_vector(ctx, &m->y, 1, capacity, &out->y));
  return mn_resize_parts_vector(ctx, &m->weight, 1, capacity, &out->weight);
}

mn_status mn_mondrian_alloc_rows(mn_context *ctx, const mn_mondrian *m, size_t capacity, mn_mondrian_rows *out)
{
  *out = (mn_mondrian_rows){ 0 };
  const mn_status status = fill_positions(ctx, m, capacity, out);
  if (status != MN_OK) mn_mondrian_free_rows(ctx, out);
  return status;
}

void mn_mondrian_set_rows(mn_context *ctx, mn_mondrian *m, mn_mondrian_rows *out)
{
  mn_mondrian_rows old = { .next = m->next, .x = m->x, .y = m->y, .weight = m->weight };
  mn_mondrian_free_rows(ctx, &old);
  m->next = out->next;
  m->x = out->x;
  m->y = out->y;
  m->weight = out->weight;
}

/* --- nodes --- */

static mn_mondrian_slots slots_of(const mn_mondrian *m)
{
  return (mn_mondrian_slots){
    .index = { m->child, m->parent, m->feature, m->head, m->row_count, m->box },
    .threshold = m->threshold,
    .time = m->time,
    .table = { m->stats, m->lower, m->upper },
  };
}

static void free_slots(mn_context *ctx, mn_mondrian_slots *out)
{
  mn_memory *memory = mn_context_memory(ctx);
  for (size_t i = 0; i < MN_NODE_INDEXES; i++) mn_indexes_free(memory, &out->index[i]);
  for (size_t i = 0; i < MN_NODE_TABLES; i++) mn_matrix_free(memory, &out->table[i]);
  mn_vector_free(memory, &out->threshold);
  mn_vector_free(memory, &out->time);
}

static mn_status fill_slots(mn_context *ctx, const mn_mondrian *m, size_t slots, size_t boxes, mn_mondrian_slots *out)
{
  const mn_mondrian_slots old = slots_of(m);
  const size_t trees = mn_mondrian_trees(m), p = m->base.n_features;
  const size_t cols[MN_NODE_TABLES] = { m->base.classes ? mn_levels_size(m->base.classes) : 3, p, p };
  if (slots > (size_t)INT32_MAX / 2)
    return mn_fail(ctx, MN_BAD_DATA, "%s: a tree needs 2^30 or more nodes", m->base.class->name);
  for (size_t i = 0; i < MN_NODE_INDEXES; i++)
    MN_TRY(mn_resize_parts_indexes(ctx, &old.index[i], trees, i == 0 ? 2 * slots : slots, &out->index[i]));
  for (size_t i = 0; i < MN_NODE_TABLES; i++)
    MN_TRY(mn_resize_parts_matrix(ctx, &old.table[i], cols[i], trees, i == 0 ? slots : boxes, &out->table[i]));
  MN_TRY(mn_resize_parts_vector(ctx, &old.threshold, trees, slots, &out->threshold));
  return mn_resize_parts_vector(ctx, &old.time, trees, slots, &out->time);
}

mn_status mn_mondrian_alloc_slots(mn_context *ctx, const mn_mondrian *m, size_t slots, size_t boxes,
                                  mn_mondrian_slots *out)
{
  *out = (mn_mondrian_slots){ 0 };
  const mn_status status = fill_slots(ctx, m, slots, boxes, out);
  if (status != MN_OK) free_slots(ctx, out);
  return status;
}

void mn_mondrian_set_slots(mn_context *ctx, mn_mondrian *m, mn_mondrian_slots *out)
{
  mn_mondrian_slots old = slots_of(m);
  free_slots(ctx, &old);
  m->child = out->index[0];
  m->parent = out->index[1];
  m->feature = out->index[2];
  m->head = out->index[3];
  m->row_count = out->index[4];
  m->box = out->index[5];
  m->threshold = out->threshold;
  m->time = out->time;
  m->stats = out->table[0];
  m->lower = out->table[1];
  m->upper = out->table[2];
}

mn_status mn_mondrian_alloc_boxes(mn_context *ctx, mn_mondrian *m, size_t boxes)
{
  const size_t trees = mn_mondrian_trees(m);
  MN_TRY(mn_indexes_init(ctx, &m->box, m->time.size));
  MN_TRY(mn_indexes_init(ctx, &m->box_count, trees));
  MN_TRY(mn_matrix_init(ctx, &m->lower, trees * boxes, m->base.n_features));
  return mn_matrix_init(ctx, &m->upper, trees * boxes, m->base.n_features);
}
