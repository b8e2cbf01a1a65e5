#include "mondrian_store.h"
#include "widen.h"

mn_mondrian_tree mn_mondrian_tree_of(const mn_mondrian *m, size_t tree)
{
  const size_t slots = m->time.size / m->root.size, places = m->weight.size, p = m->base.n_features;
  const size_t first = tree * slots, values = m->tally.cols, boxes = m->lower.rows / m->root.size;
  const bool has_boxes = m->box.at != NULL; /* not before they are derived from what was loaded */
  return (mn_mondrian_tree){
    .root = m->root.at + tree,
    .used = m->used.at + tree,
    .boxed = has_boxes ? m->boxed.at + tree : NULL,
    .child = m->child.at + 2 * first,
    .parent = m->parent.at + first,
    .feature = m->feature.at + first,
    .head = m->head.at + first,
    .held = m->held.at + first,
    .next = m->next.at + tree * places,
    .cut = m->cut.at + first,
    .time = m->time.at + first,
    .box = has_boxes ? m->box.at + first : NULL,
    .lower = has_boxes ? m->lower.at + tree * boxes * p : NULL,
    .upper = has_boxes ? m->upper.at + tree * boxes * p : NULL,
    .tally = m->tally.at + first * values,
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
    .labels = m->base.classes != NULL,
  };
}

/* --- rows --- */

void mn_mondrian_free_places(mn_context *ctx, mn_mondrian_places *made)
{
  mn_memory *memory = mn_context_memory(ctx);
  mn_indexes_free(memory, &made->next);
  mn_matrix_free(memory, &made->x);
  mn_vector_free(memory, &made->y);
  mn_vector_free(memory, &made->weight);
}

static mn_status fill_places(mn_context *ctx, const mn_mondrian *m, size_t places, mn_mondrian_places *made)
{
  MN_TRY(mn_widen_indexes(ctx, &m->next, mn_mondrian_trees(m), places, &made->next));
  MN_TRY(mn_widen_matrix(ctx, &m->x, m->base.n_features, 1, places, &made->x));
  MN_TRY(mn_widen_vector(ctx, &m->y, 1, places, &made->y));
  return mn_widen_vector(ctx, &m->weight, 1, places, &made->weight);
}

mn_status mn_mondrian_make_places(mn_context *ctx, const mn_mondrian *m, size_t places, mn_mondrian_places *made)
{
  *made = (mn_mondrian_places){ 0 };
  const mn_status status = fill_places(ctx, m, places, made);
  if (status != MN_OK) mn_mondrian_free_places(ctx, made);
  return status;
}

void mn_mondrian_take_places(mn_context *ctx, mn_mondrian *m, mn_mondrian_places *made)
{
  mn_mondrian_places old = { .next = m->next, .x = m->x, .y = m->y, .weight = m->weight };
  mn_mondrian_free_places(ctx, &old);
  m->next = made->next;
  m->x = made->x;
  m->y = made->y;
  m->weight = made->weight;
}

/* --- nodes --- */

static mn_mondrian_slots slots_of(const mn_mondrian *m)
{
  return (mn_mondrian_slots){
    .index = { m->child, m->parent, m->feature, m->head, m->held, m->box },
    .cut = m->cut,
    .time = m->time,
    .table = { m->tally, m->lower, m->upper },
  };
}

static void free_slots(mn_context *ctx, mn_mondrian_slots *made)
{
  mn_memory *memory = mn_context_memory(ctx);
  for (size_t i = 0; i < MN_NODE_INDEXES; i++) mn_indexes_free(memory, &made->index[i]);
  for (size_t i = 0; i < MN_NODE_TABLES; i++) mn_matrix_free(memory, &made->table[i]);
  mn_vector_free(memory, &made->cut);
  mn_vector_free(memory, &made->time);
}

static mn_status fill_slots(mn_context *ctx, const mn_mondrian *m, size_t slots, size_t boxes, mn_mondrian_slots *made)
{
  const mn_mondrian_slots old = slots_of(m);
  const size_t trees = mn_mondrian_trees(m), p = m->base.n_features;
  const size_t cols[MN_NODE_TABLES] = { m->base.classes ? mn_levels_size(m->base.classes) : 3, p, p };
  if (slots > (size_t)INT32_MAX / 2)
    return mn_fail(ctx, MN_BAD_DATA, "%s: a tree must have fewer than 2^30 nodes", m->base.class->name);
  for (size_t i = 0; i < MN_NODE_INDEXES; i++)
    MN_TRY(mn_widen_indexes(ctx, &old.index[i], trees, i == 0 ? 2 * slots : slots, &made->index[i]));
  for (size_t i = 0; i < MN_NODE_TABLES; i++)
    MN_TRY(mn_widen_matrix(ctx, &old.table[i], cols[i], trees, i == 0 ? slots : boxes, &made->table[i]));
  MN_TRY(mn_widen_vector(ctx, &old.cut, trees, slots, &made->cut));
  return mn_widen_vector(ctx, &old.time, trees, slots, &made->time);
}

mn_status mn_mondrian_make_slots(mn_context *ctx, const mn_mondrian *m, size_t slots, size_t boxes,
                                 mn_mondrian_slots *made)
{
  *made = (mn_mondrian_slots){ 0 };
  const mn_status status = fill_slots(ctx, m, slots, boxes, made);
  if (status != MN_OK) free_slots(ctx, made);
  return status;
}

void mn_mondrian_take_slots(mn_context *ctx, mn_mondrian *m, mn_mondrian_slots *made)
{
  mn_mondrian_slots old = slots_of(m);
  free_slots(ctx, &old);
  m->child = made->index[0];
  m->parent = made->index[1];
  m->feature = made->index[2];
  m->head = made->index[3];
  m->held = made->index[4];
  m->box = made->index[5];
  m->cut = made->cut;
  m->time = made->time;
  m->tally = made->table[0];
  m->lower = made->table[1];
  m->upper = made->table[2];
}

mn_status mn_mondrian_make_boxes(mn_context *ctx, mn_mondrian *m, size_t boxes)
{
  const size_t trees = mn_mondrian_trees(m);
  MN_TRY(mn_indexes_init(ctx, &m->box, m->time.size));
  MN_TRY(mn_indexes_init(ctx, &m->boxed, trees));
  MN_TRY(mn_matrix_init(ctx, &m->lower, trees * boxes, m->base.n_features));
  return mn_matrix_init(ctx, &m->upper, trees * boxes, m->base.n_features);
}
