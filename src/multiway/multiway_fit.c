/* From X and y to the arrays of a tree. */
#include "multiway_grow.h"

static mn_status make_fields(mn_context *ctx, mn_multiway *m, size_t nodes, const mn_bush *b)
{
  MN_TRY(mn_indexes_init(ctx, &m->feature, nodes));
  MN_TRY(mn_indexes_init(ctx, &m->first, nodes));
  MN_TRY(mn_indexes_init(ctx, &m->children, nodes));
  MN_TRY(mn_vector_init(ctx, &m->cut, nodes));
  MN_TRY(mn_vector_init(ctx, &m->level, nodes));
  MN_TRY(mn_vector_init(ctx, &m->share, nodes));
  MN_TRY(mn_vector_init(ctx, &m->cover, nodes));
  MN_TRY(mn_vector_init(ctx, &m->gain, nodes));
  MN_TRY(mn_matrix_init(ctx, &m->counts, nodes, b->classes));
  return mn_vector_init(ctx, &m->feature_importances, b->columns->features);
}

/* order: nodes that are left, by breadth. Returns how many. */
static size_t by_breadth(const mn_bush *b, uint32_t *order)
{
  size_t n = 0;
  order[n++] = 0;
  for (size_t k = 0; k < n; k++)
    for (int32_t c = b->stem[order[k]].first; c != MN_NO_STEM; c = b->stem[c].next) order[n++] = (uint32_t)c;
  return n;
}

static void take_node(const mn_bush *b, size_t from, mn_multiway *m, size_t i, size_t *next)
{
  const mn_stem *s = &b->stem[from];
  const double *counts = mn_stem_counts(b, from);
  m->level.at[i] = s->level;
  m->share.at[i] = fmin(1, s->share);
  for (size_t c = 0; c < b->classes; c++) {
    mn_row(&m->counts, i)[c] = counts[c];
    m->cover.at[i] += counts[c];
  }
  if (s->first == MN_NO_STEM) return;
  m->feature.at[i] = (int32_t)s->feature;
  m->first.at[i] = (int32_t)*next;
  m->cut.at[i] = s->cut;
  m->gain.at[i] = s->gain;
  for (int32_t c = s->first; c != MN_NO_STEM; c = b->stem[c].next) m->children.at[i]++;
  *next += (size_t)m->children.at[i];
}

/* Entropy of a node less that of its branches, by weight: what C4.5 takes off for numbers is left in. */
static void weigh_columns(mn_multiway *m)
{
  double sum = 0;
  for (size_t i = 0; i < mn_multiway_nodes(m); i++) {
    double gain = m->cover.at[i] * mn_multiway_entropy(m, i);
    if (mn_multiway_is_leaf(m, i)) continue;
    const size_t first = (size_t)m->first.at[i];
    for (size_t c = first; c < first + (size_t)m->children.at[i]; c++)
      gain -= m->cover.at[c] * mn_multiway_entropy(m, c);
    m->feature_importances.at[m->feature.at[i]] += fmax(0, gain);
    sum += fmax(0, gain);
  }
  for (size_t j = 0; j < m->feature_importances.size && sum > 0; j++) m->feature_importances.at[j] /= sum;
}

static mn_status take_tree(mn_context *ctx, const mn_bush *b, mn_multiway *m)
{
  uint32_t *order = MN_RAW(ctx, uint32_t, b->size, 1);
  size_t next = 1;
  MN_CHECK_ALLOC(order);
  const size_t nodes = by_breadth(b, order);
  MN_TRY(make_fields(ctx, m, nodes, b));
  for (size_t i = 0; i < nodes; i++) take_node(b, order[i], m, i, &next);
  weigh_columns(m);
  return MN_OK;
}

mn_status mn_multiway_fit(mn_context *ctx, mn_multiway *m, const mn_data *data, const mn_way *way)
{
  mn_tree_columns columns;
  MN_TRY(mn_tree_columns_make(ctx, m->base.class->name, data, MN_COLUMNS_SORTED, &columns));
  mn_bush b = { .who = m->base.class->name,
                .way = way,
                .columns = &columns,
                .code = data->code,
                .rows = data->rows,
                .classes = data->classes };
  MN_TRY(mn_bush_grow(ctx, &b, data));
  if (way->by_ratio) MN_TRY(mn_bush_collapse(ctx, &b));
  if (way->by_ratio && !m->unpruned) MN_TRY(mn_bush_prune(ctx, &b, m->confidence_factor));
  return take_tree(ctx, &b, m);
}
